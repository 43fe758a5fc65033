"""Bounds of δ and ε of several independent releases, for one ordered pair of neighbours."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from flint import arb

from seepage.exact import precision
from seepage.measures.accounting.cell import BITS, Cell, Pair
from seepage.measures.accounting.compose import TooWide, composed, tilted
from seepage.measures.accounting.grid import SLACK, Masses, above, below
from seepage.measures.accounting.plan import MOST_POINTS, Look, look, points_of, rounded, step_of, tilt_of
from seepage.measures.accounting.read import Profile, least

_FINENESS = (8.0, 16.0, 32.0, 64.0)


@dataclass(frozen=True, slots=True)
class Bounds:
    """Guaranteed bounds of a number."""

    lower: float
    upper: float


@dataclass(frozen=True, slots=True)
class Releases:
    """Independent releases for one ordered pair of neighbours: pairs of laws, and how often there is each."""

    parts: tuple[tuple[Pair, int], ...]

    def exchanged(self) -> Releases:
        """Return the releases with the inputs exchanged."""
        return Releases(tuple((pair.exchanged(), count) for pair, count in self.parts))


def excess(releases: Releases, epsilon: Fraction, width: float = 1e-3) -> Bounds:
    """Return bounds of δ at a claimed ε.

    Args:
        releases: of one ordered pair.
        epsilon: at least 0.
        width: how wide, relative to δ, is narrow enough.
    """
    found = Bounds(0.0, 1.0)
    for under, over in _profiles(releases, float(epsilon), of_delta=False):
        low, high = _beside(epsilon)
        found = Bounds(max(found.lower, under.excess(high)), min(found.upper, over.excess(low)))
        if found.upper - found.lower <= width * found.upper:
            break
    return found


def loss(releases: Releases, delta: Fraction, width: float = 1e-3) -> Bounds:
    """Return bounds of the least ε, at least 0, for which δ is at most what is allowed.

    Args:
        releases: of one ordered pair.
        delta: above 0.
        width: how wide, relative to ε, is narrow enough.
    """
    if delta >= 1:
        return Bounds(0.0, 0.0)
    found = Bounds(0.0, math.inf)
    for under, over in _profiles(releases, math.log(delta), of_delta=True):
        low, high = _beside(delta)
        found = Bounds(max(found.lower, least(under, high)), min(found.upper, least(over, low)))
        if found.upper - found.lower <= width * found.upper:
            break
    return found


def _beside(number: Fraction) -> tuple[float, float]:
    """Return floats on both sides of a number."""
    near = float(number)
    return (near, near) if Fraction(near) == number else (math.nextafter(near, -1.0), math.nextafter(near, math.inf))


def _profiles(releases: Releases, target: float, *, of_delta: bool) -> Iterator[tuple[Profile, Profile]]:
    """Yield bounds of δ from below and from above, finer ones after coarser ones."""
    with precision(BITS):
        looks = [look(pair, count) for pair, count in releases.parts]
    if any(not len(each.losses) for each in looks):
        return
    tilt = tilt_of(looks, target, of_delta=of_delta)
    delta = math.exp(target) if of_delta else math.exp(min(0.0, _chernoff(looks, tilt, target)))
    for fineness in _FINENESS:
        with precision(BITS):
            step = rounded(step_of(looks, tilt, fineness), looks)
        points = points_of(looks, tilt, float(step.mid()), delta)
        if len(points) > MOST_POINTS:
            return
        try:
            under = _profile(releases, tilt, step, points, up=False)
            over = _profile(releases, tilt, step, points, up=True)
        except TooWide:
            return
        yield under, over


def _chernoff(looks: Sequence[Look], tilt: float, epsilon: float) -> float:
    return sum(each.count * each.log_moment(tilt) for each in looks) - tilt * epsilon


def _profile(releases: Releases, tilt: float, step: arb, points: Sequence[int], *, up: bool) -> Profile:
    width = float(step.mid())
    with precision(BITS):
        asked = _asked(points, width)
        grids = [_on_grid(pair.cells(asked), step, points, up=up) for pair, _ in releases.parts]
        counts = [count for _, count in releases.parts]
        parts = [tilted(masses, count, step, tilt, up=up) for masses, count in zip(grids, counts, strict=True)]
        infinite = _infinite(grids, counts)
    law = composed(parts, width, tilt)
    raised = (1 if up else -1) * sum(counts) * SLACK * width * (1 + 1e-6)
    return Profile.of(law, infinite[1] if up else infinite[0], raised, up=up)


def _on_grid(cells: Sequence[Cell], step: arb, points: Sequence[int], *, up: bool) -> Masses:
    return above(cells, step, points) if up else below(cells, step, points)


def _asked(points: Sequence[int], step: float) -> list[float]:
    """Return the losses at which cells are cut: points of the grid, and the middles between them."""
    middles = [step * (a + b) / 2 for a, b in pairwise(points)]
    return sorted([*(step * index for index in points), *middles])


def _infinite(grids: Sequence[Masses], counts: Sequence[int]) -> tuple[float, float]:
    """Return bounds of the mass under P of compositions in which a loss is infinite."""
    whole, finite = arb(1), arb(1)
    for masses, count in zip(grids, counts, strict=True):
        inner = arb(0)
        for one in masses.masses:
            inner += one
        whole *= (inner + masses.infinite) ** count
        finite *= inner**count
    found = whole - finite
    return max(0.0, math.nextafter(float(found.lower()), -1.0)), math.nextafter(float(found.upper()), math.inf)
