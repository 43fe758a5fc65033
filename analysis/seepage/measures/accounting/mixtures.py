r"""Pairs of laws of one real output: places that are hidden, behind normal or Laplace noise.

Between two ends the loss :math:`L = \log(P/Q)` is bounded by what its slope can be. Behind normal noise of deviation 1, :math:`L'(x) = E_P[u\,|\,x] - E_Q[v\,|\,x]`,
the difference of the posterior means of the places, each of which rises with x: so bounds of the slope come from its ends, and where its sign is
known the loss is between its values at the ends. Behind Laplace noise both densities are :math:`A e^x + B e^{-x}` between two places, so that their quotient is
monotone. Cells are cut where the loss has the values that are asked for, as floats find them; what is proved of a cell does not rest on that.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from flint import arb

from seepage.data_classes import dataclass
from seepage.exact import Number
from seepage.measures.accounting.cell import Cell
from seepage.measures.accounting.discrete import ball

Law: TypeAlias = tuple[tuple[Number, Number], ...]
"""Places, in units of the noise, with their chances: pairs (place, chance)."""

Beside: TypeAlias = tuple[arb, arb]
"""The masses of a law below and above a point."""

_Floats: TypeAlias = npt.NDArray[np.float64]
_SAMPLES = 4_001
_NEWTON = 4


@dataclass(frozen=True)
class _Mixtures(ABC):
    """Two laws of places behind noise of unit size.

    Attributes:
        of: the places under P.
        against: the places under Q.
    """

    of: Law
    against: Law

    @abstractmethod
    def cells(self, losses: Sequence[float]) -> list[Cell]:
        """Return cells that are cut where the loss is one of some values."""

    @abstractmethod
    def log_densities(self, x: _Floats) -> tuple[_Floats, _Floats, _Floats]:
        """Return log P, log Q and the slope of the loss, as floats."""

    @property
    @abstractmethod
    def reach(self) -> float:
        """How far from all places the outputs are of no more use."""

    @cached_property
    def places(self) -> tuple[Number, ...]:
        """All places, in rising order."""
        found = {place for place, _ in (*self.of, *self.against)}
        return tuple(sorted(found, key=lambda place: float(ball(place).mid())))

    def cuts(self, losses: Sequence[float]) -> list[float]:
        """Return, in rising order, where the loss has one of some values, as floats find it, and the ends of the reach."""
        first, last = (float(ball(place).mid()) for place in (self.places[0], self.places[-1]))
        xs = np.linspace(first - self.reach, last + self.reach, _SAMPLES)
        p, q, _ = self.log_densities(xs)
        loss = p - q
        asked = np.array(losses, dtype=np.float64)
        found = [xs[[0, -1]]]
        turns = np.flatnonzero(np.sign(np.diff(loss))[1:] * np.sign(np.diff(loss))[:-1] < 0) + 1
        for a, b in zip([0, *turns], [*turns, len(xs) - 1], strict=True):
            found.append(self._inverse(xs[a : b + 1], loss[a : b + 1], asked))
        if len(turns):
            found.append(xs[turns])
        return sorted(set(np.concatenate(found).tolist()))

    def _inverse(self, xs: _Floats, loss: _Floats, asked: _Floats) -> _Floats:
        """Return where a piece that is monotone takes the values asked for."""
        if loss[0] > loss[-1]:
            xs, loss = xs[::-1], loss[::-1]
        low, high = float(loss[0]), float(loss[-1])
        wanted = asked[(asked > low) & (asked < high)]
        if not len(wanted):
            return wanted
        rising = np.maximum.accumulate(loss)
        at = np.clip(np.searchsorted(rising, wanted), 1, len(xs) - 1)
        left, right = np.minimum(xs[at - 1], xs[at]), np.maximum(xs[at - 1], xs[at])
        x = np.interp(wanted, rising, xs)
        for _ in range(_NEWTON):
            p, q, slope = self.log_densities(x)
            with np.errstate(divide="ignore", invalid="ignore"):
                step = (p - q - wanted) / slope
            x = np.clip(np.where(np.isfinite(step), x - step, x), left, right)
        return x


@dataclass(frozen=True)
class Normals(_Mixtures):
    """Places behind normal noise of deviation 1."""

    def exchanged(self) -> Normals:
        """Return the pair (Q, P)."""
        return Normals(self.against, self.of)

    @property
    def reach(self) -> float:
        """Beyond it the mass is below 1e-40."""
        return 14.0

    def log_densities(self, x: _Floats) -> tuple[_Floats, _Floats, _Floats]:
        """Return log P, log Q (of densities over that at 0) and the slope of the loss."""
        sides: list[tuple[_Floats, _Floats]] = []
        for law in (self.of, self.against):
            terms = np.array([[float(ball(place).mid()), float(ball(chance).mid())] for place, chance in law])
            exponents = (
                np.log(terms[:, 1])[:, None] + terms[:, 0][:, None] * x[None, :] - (terms[:, 0] ** 2 / 2)[:, None]
            )
            top = exponents.max(axis=0)
            weights = np.exp(exponents - top)
            total = weights.sum(axis=0)
            sides.append((top + np.log(total), (weights * terms[:, 0][:, None]).sum(axis=0) / total))
        return sides[0][0], sides[1][0], sides[0][1] - sides[1][1]

    def cells(self, losses: Sequence[float]) -> list[Cell]:
        """Return cells that are cut where the loss is one of some values."""
        cuts = self.cuts(losses)
        sides = [_NormalSide(law) for law in (self.of, self.against)]
        ends = [tuple(side.at(arb(x)) for side in sides) for x in cuts]
        limits = self.limits()
        beside = _with_outermost([(p.beside, q.beside) for p, q in ends])
        values = [limits[0], *((p.log_density - q.log_density) for p, q in ends), limits[1]]
        outermost = [[ball(law[k][0]) for law in (self._sorted(self.of), self._sorted(self.against))] for k in (0, -1)]
        means = [outermost[0], *([p.mean, q.mean] for p, q in ends), outermost[1]]
        xs = [-math.inf, *cuts, math.inf]
        found: list[Cell] = []
        for k in range(len(xs) - 1):
            slopes = means[k][0] - means[k + 1][1], means[k + 1][0] - means[k][1]
            low, high = _between(values[k], values[k + 1], slopes, xs[k], xs[k + 1])
            found.append(Cell(*_masses(beside[k], beside[k + 1]), low, high))
        for k in (0, -1):
            if (beyond := self._beyond(k, ends[k], arb(cuts[k]))) is not None:
                found[k] = replace(found[k], low=max_of(found[k].low, beyond[0]), high=min_of(found[k].high, beyond[1]))
        return found

    def _beyond(self, end: int, at: tuple[_End, ...], x: arb) -> tuple[arb, arb] | None:
        """Return bounds of the loss beyond the first or last cut, where both laws have the same outermost place u there.

        Their densities over :math:`e^{ux}` fall towards the end of the line, to what the outermost place alone has.
        """
        (first, p), (second, q) = self._sorted(self.of)[end], self._sorted(self.against)[end]
        if first != second:
            return None
        place = ball(first)
        (one, other), shift = (side.log_density - place * x for side in at), place * place / 2
        return ball(p).log() - shift - other, one + shift - ball(q).log()

    def _sorted(self, law: Law) -> Law:
        order = {place: number for number, place in enumerate(self.places)}
        return tuple(sorted(law, key=lambda one: order[one[0]]))

    def limits(self) -> tuple[arb, arb]:
        """Return the limits of the loss at both ends of the line."""
        return self._limit(0), self._limit(-1)

    def _limit(self, end: int) -> arb:
        """Return the limit of the loss at the lower (0) or upper (−1) end of the line."""
        (first, p), (second, q) = self._sorted(self.of)[end], self._sorted(self.against)[end]
        if first == second:
            return (ball(p) / ball(q)).log()
        above = self.places.index(first) > self.places.index(second)
        return arb.pos_inf() if above == (end == -1) else arb.neg_inf()


def _between(one: arb, other: arb, slopes: tuple[arb, arb], left: float, right: float) -> tuple[arb, arb]:
    """Return bounds of the loss between two ends with its values there, by bounds of its slope."""
    if slopes[0] >= 0:
        return one, other
    if slopes[1] <= 0:
        return other, one
    if not (math.isfinite(left) and math.isfinite(right)):
        return arb.neg_inf(), arb.pos_inf()
    w = arb(right) - arb(left)
    # lines of the least and of the greatest slope through either end
    low = max_of(one + slopes[0] * w, other - slopes[1] * w)
    high = min_of(one + slopes[1] * w, other - slopes[0] * w)
    return low, high


def max_of(a: arb, b: arb) -> arb:
    """Return the greater of two bounds."""
    return a if a.mid() >= b.mid() else b


def min_of(a: arb, b: arb) -> arb:
    """Return the lesser of two bounds."""
    return a if a.mid() <= b.mid() else b


@dataclass(frozen=True, slots=True)
class _End:
    """A law at one point: its logarithmic density over that at 0, its masses below and above, the posterior mean of the place."""

    log_density: arb
    beside: Beside
    mean: arb


def _with_outermost(beside: Sequence[tuple[Beside, Beside]]) -> list[tuple[Beside, Beside]]:
    """Return the masses of P and Q on both sides of points, with those on both sides of the ends of the line."""
    first, last = (arb(0), arb(1)), (arb(1), arb(0))
    return [(first, first), *beside, (last, last)]


def _masses(left: tuple[Beside, Beside], right: tuple[Beside, Beside]) -> tuple[arb, arb]:
    """Return the masses of P and Q between two points."""
    p, q = (_mass(*each) for each in zip(left, right, strict=True))
    return p, q


def _mass(left: Beside, right: Beside) -> arb:
    """Return a mass between two points from those on the side where these are small: what is far out would be lost in the difference of two that are near 1."""
    return left[1] - right[1] if left[1].mid() < right[0].mid() else right[0] - left[0]


class _NormalSide:
    """One of the two laws, with what does not depend on the point."""

    def __init__(self, law: Law) -> None:
        self.terms = [(u := ball(place), ball(chance) * (-u * u / 2).exp(), ball(chance)) for place, chance in law]

    def at(self, x: arb) -> _End:
        """Return what the law is at a point."""
        density, moment, below, above = arb(0), arb(0), arb(0), arb(0)
        root = arb(2).sqrt()
        for place, factor, chance in self.terms:
            weight = factor * (place * x).exp() if place != 0 else factor
            density += weight
            moment += place * weight
            above += chance * ((x - place) / root).erfc() / 2
            below += chance * ((place - x) / root).erfc() / 2
        return _End(density.log(), (below, above), moment / density)


@dataclass(frozen=True)
class Laplaces(_Mixtures):
    """Places behind Laplace noise of scale 1."""

    def exchanged(self) -> Laplaces:
        """Return the pair (Q, P)."""
        return Laplaces(self.against, self.of)

    @property
    def reach(self) -> float:
        """Nothing changes beyond all places."""
        return 1.0

    def log_densities(self, x: _Floats) -> tuple[_Floats, _Floats, _Floats]:
        """Return log P, log Q and the slope of the loss."""
        sides: list[tuple[_Floats, _Floats]] = []
        for law in (self.of, self.against):
            terms = np.array([[float(ball(place).mid()), float(ball(chance).mid())] for place, chance in law])
            away = x[None, :] - terms[:, 0][:, None]
            exponents = np.log(terms[:, 1])[:, None] - np.abs(away)
            top = exponents.max(axis=0)
            weights = np.exp(exponents - top)
            total = weights.sum(axis=0)
            sides.append((top + np.log(total), (-np.sign(away) * weights).sum(axis=0) / total))
        return sides[0][0], sides[1][0], sides[0][1] - sides[1][1]

    def cells(self, losses: Sequence[float]) -> list[Cell]:
        """Return cells that are cut where the loss is one of some values, and at all places."""
        places = [(ball(place), float(ball(place).mid())) for place in self.places]
        first, last = places[0][1], places[-1][1]
        inner = [(arb(x), x) for x in self.cuts(losses) if first < x < last and all(x != at for _, at in places)]
        points = [point for point, _ in sorted([*places, *inner], key=lambda each: each[1])]
        sides = [[(ball(place), ball(chance)) for place, chance in law] for law in (self.of, self.against)]
        ends = [tuple(_laplace(side, x) for side in sides) for x in points]
        beside = _with_outermost([(p[1], q[1]) for p, q in ends])
        values = [(p[0] / q[0]).log() for p, q in ends]
        values = [values[0], *values, values[-1]]
        return [
            Cell(
                *_masses(beside[k], beside[k + 1]),
                min_of(values[k], values[k + 1]),
                max_of(values[k], values[k + 1]),
            )
            for k in range(len(beside) - 1)
        ]

    def loss_at(self, place: Number) -> arb:
        """Return the loss at a point."""
        sides = [[(ball(each), ball(chance)) for each, chance in law] for law in (self.of, self.against)]
        one, other = (_laplace(side, ball(place))[0] for side in sides)
        return (one / other).log()


def _laplace(side: Sequence[tuple[arb, arb]], x: arb) -> tuple[arb, Beside]:
    """Return twice the density at a point, and the masses below and above it."""
    density, below, above = arb(0), arb(0), arb(0)
    for place, chance in side:
        away = x - place
        fall = (-abs(away)).exp()
        density += chance * fall
        small, large = chance * fall / 2, chance * (1 - fall / 2)
        if away.contains(0):  # on which side of the place the point is, is not known
            small = large = small.union(large)
        is_above = away > 0
        below, above = below + (large if is_above else small), above + (small if is_above else large)
    return density, (below, above)
