r"""Boxes of the plane, how near and how far places are from them, and what mixtures of noise are in them.

Units are those of the scale: noise has the density :math:`e^{-r}/(2\pi)`, a mixture is :math:`p(o) = \sum_k w_k e^{-|o - x_k|}/(2\pi)`. Where one coordinate is complex, with an
imaginary part of at most y, and the real part of o is at least m > y and at most M from a place, :math:`z = |o - x|` has

.. math:: \sqrt{m^2 - y^2} \le \Re z \le M, \qquad |\Im z| \le y m / \sqrt{m^2 - y^2},

for :math:`z^2 = r^2 - y^2 + 2 i y t` with r the real distance and :math:`|t| \le r`, so that :math:`\Re z^2 \le (\Re z)^2 \le r^2` and :math:`|\Im z| = |y t| / \Re z`. If all these
parts are below β < π/2, all terms of p lie in a cone of half that angle: p has no zero, and :math:`\cos\beta \sum w_k e^{-M_k} \le 2\pi |p| \le \sum w_k e^{-\Re z_k}`.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from seepage.data_classes import dataclass
from seepage.measures.gaussian.quadrature_rules import SIZES, Floats, rule

Flags: TypeAlias = NDArray[np.bool_]
Ints: TypeAlias = NDArray[np.intp]

RHOS = (1.5, 2.0, 2.8, 4.0)
"""The sums of semi-axes of the Bernstein ellipses that are tried."""

_LARGEST_RULE = 16
_WIDEST = 1.2  # β
_CHUNK = 2_000_000  # terms at once
_START = 2.5  # the size of the first boxes
TAU = 2 * np.pi


@dataclass(frozen=True, slots=True)
class Scattered:
    """Places and their weights.

    Attributes:
        places: in units of the scale, shape ``(n, 2)``.
        weights: positive, together at most 1, shape ``(n,)``.
    """

    places: Floats
    weights: Floats

    def density(self, points: Floats) -> Floats:
        """Return p at points of shape ``(m, 2)``."""
        found = np.empty(len(points))
        step = max(1, _CHUNK // len(self.weights))
        for at in range(0, len(points), step):
            found[at : at + step] = self.terms(points[at : at + step]).sum(axis=1)
        return found

    def terms(self, points: Floats) -> Floats:
        """Return the terms of p at points, shape ``(m, n)``."""
        x, y = (points[:, each, None] - self.places[:, each] for each in (0, 1))
        return np.asarray(np.exp(-np.sqrt(x * x + y * y)) * (self.weights / TAU))


@dataclass(frozen=True, slots=True)
class Boxes:
    """Boxes by their centres and half widths, both of shape ``(b, 2)``."""

    centre: Floats
    half: Floats

    def __len__(self) -> int:
        return len(self.centre)

    @property
    def area(self) -> Floats:
        """Their areas."""
        return np.asarray(4 * self.half[:, 0] * self.half[:, 1])

    def of(self, chosen: Ints | Flags) -> Boxes:
        """Return some of them."""
        return Boxes(self.centre[chosen], self.half[chosen])

    def grown(self, along: int, rho: float) -> Boxes:
        """Return those that hold the real parts of the ellipses of one coordinate."""
        half = self.half.copy()
        half[:, along] *= (rho + 1 / rho) / 2
        return Boxes(self.centre, half)

    def halved(self, along: Ints) -> Boxes:
        """Return both halves of each, in the direction that is said of it."""
        row = np.arange(len(self))
        half = self.half.copy()
        half[row, along] /= 2
        centres = []
        for sign in (-1, 1):
            centre = self.centre.copy()
            centre[row, along] += sign * half[row, along]
            centres.append(centre)
        return Boxes(np.concatenate(centres), np.concatenate([half, half]))

    def nearest(self, places: Floats) -> Floats:
        """Return the least distances from places, shape ``(b, n)``."""
        gaps = (
            np.maximum(np.abs(self.centre[:, each, None] - places[:, each]) - self.half[:, each, None], 0)
            for each in (0, 1)
        )
        return np.asarray(np.hypot(*gaps))

    def farthest(self, places: Floats) -> Floats:
        """Return the greatest distances from places, shape ``(b, n)``."""
        gaps = (np.abs(self.centre[:, each, None] - places[:, each]) + self.half[:, each, None] for each in (0, 1))
        return np.asarray(np.hypot(*gaps))

    def nodes(self, size: int) -> tuple[Floats, Floats]:
        """Return the nodes of the rule with so many in each direction, shape ``(b, size², 2)``, and its weights for a box of area 1."""
        nodes, weights = rule(size)
        grid = np.stack([np.repeat(nodes, size), np.tile(nodes, size)], axis=1)
        return self.centre[:, None, :] + self.half[:, None, :] * grid, np.outer(weights, weights).ravel() / 4


def tiling(low: Floats, high: Floats) -> Boxes:
    """Return boxes that make up one box."""
    counts = np.maximum(1, np.ceil((high - low) / _START)).astype(int)
    half = (high - low) / counts / 2
    axes = [low[each] + half[each] * (2 * np.arange(counts[each]) + 1) for each in (0, 1)]
    centre = np.stack([np.repeat(axes[0], counts[1]), np.tile(axes[1], counts[0])], axis=1)
    return Boxes(centre, np.tile(half, (len(centre), 1)))


@dataclass(frozen=True, slots=True)
class Complex:
    """What the terms of mixtures are where one coordinate runs over an ellipse, each of shape ``(b, n)``, and where they are analytic (``calm``).

    Attributes:
        calm: of each box.
        angle: β.
        most: of the moduli of the terms, without their weights.
        least: of these where all are real.
    """

    calm: Flags
    angle: Floats
    most: Floats
    least: Floats


def on_ellipses(boxes: Boxes, places: Floats, along: int, rho: float) -> Complex:
    """Return what the terms are on the ellipses of one coordinate, the other one real."""
    grown = boxes.grown(along, rho)
    short = (boxes.half[:, along] * (rho - 1 / rho) / 2)[:, None]
    near = grown.nearest(places)
    with np.errstate(divide="ignore", invalid="ignore"):
        real = np.sqrt(np.maximum(near * near - short * short, 0))
        angle = np.where(near > short, short * near / real, np.inf).max(axis=1)
    calm = angle < _WIDEST
    return Complex(calm, np.where(calm, angle, _WIDEST), np.exp(-real) / TAU, np.exp(-grown.farthest(places)) / TAU)


@dataclass(frozen=True, slots=True)
class Planned:
    """How many nodes boxes take in each direction (0: halve it along ``along``), and how far the rule is off then."""

    size: Ints
    error: Floats
    along: Ints


def planned(boxes: Boxes, greatest: Floats, goal: float) -> Planned:
    """Plan rules by the greatest moduli of an integrand.

    Args:
        boxes: to be integrated over.
        greatest: for each direction and ellipse, ``(2, len(RHOS), b)``; infinite where it is not analytic.
        goal: of the error of each box.
    """
    log_rho = np.log(np.array(RHOS))[None, :, None]
    with np.errstate(divide="ignore"):
        factor = np.log(64 / 15 * greatest * boxes.area / 2) - np.log1p(-np.exp(-2 * log_rho))
    needed = ((factor - np.log(goal / 2)) / (2 * log_rho)).min(axis=1)  # (2, b)
    sizes = np.array([each for each in SIZES if each <= _LARGEST_RULE])
    place = np.searchsorted(sizes, needed.max(axis=0))
    fits = place < len(sizes)
    size = np.where(fits, sizes[np.minimum(place, len(sizes) - 1)], 0)
    error = np.exp(np.minimum(factor - 2 * size * log_rho, 700.0)).min(axis=1).sum(axis=0)
    wide = boxes.half[:, 1] > boxes.half[:, 0]
    with np.errstate(invalid="ignore"):
        tied = ~(np.abs(needed[0] - needed[1]) > 0.1)
    return Planned(size, error, np.where(tied, wide, needed[1] > needed[0]).astype(np.intp))
