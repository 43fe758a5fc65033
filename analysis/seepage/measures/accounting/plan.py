"""Where the grid is: a first look at the losses on few cells tells the tilt, the step of the grid, and which of its points are needed.

Nothing here is proved, nor needs to be: a grid that fits badly makes bounds wider.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt
from flint import arb

from seepage.data_classes import dataclass
from seepage.measures.accounting.cell import Cell, Pair
from seepage.measures.accounting.discrete import Discrete
from seepage.measures.accounting.valley import least_at

_Floats = npt.NDArray[np.float64]
_FINEST, _FARTHEST, _GROWTH = 1e-5, 120.0, 0.14
_NEGLIGIBLE = 1e-15
MOST_POINTS = 40_000  # of a grid; bounds from one that ends too early are true, and of no use
_FINEST_STEP = 1e-9
_FEW = 2_000
_MOST_PARTS = 100_000
_MOST_NARROWED = 1_000  # how much less a tilted variance is taken to be than the plain one
_SAME = 1e-40
_HOPELESS = 1e-13  # of δ
_RARE = 0.03  # the part of a law beyond which losses may be less close
_LEAST_TILT, _LARGEST_TILT = 1e-3, 1e5
# Errors of a composition, relative to its whole tilted mass: of the transforms, and of each step.
_TRANSFORM, _STEP = 5e-9, 2.5e-16
_HIDDEN = 1e-5  # how large these may be, relative to δ
_MUCH_WIDER = 1_000.0  # times the variance: below, the best exponent costs little and bounds more closely
_SMALLEST = -60.0  # the logarithm of a δ that is 0 for all that is asked
_STEEPEST = 3.0  # times log(1/δ)/ε


@dataclass(frozen=True, slots=True)
class Look:
    """The law of one release's loss, roughly: losses with masses under P, and the mass of infinite ones."""

    losses: _Floats
    bottoms: _Floats  # bounds from below of the losses that each of these stands for
    tops: _Floats  # and from above
    masses: _Floats
    infinite: float
    count: int
    unit: arb | None  # the loss, without its sign, of many outputs: one that is not 0
    discrete: bool  # whether these are all losses

    def log_moment(self, tilt: float) -> float:
        """Return the logarithm of the mean of exp(tilt · loss)."""
        exponents = tilt * self.losses
        top = float(exponents.max())
        return top + math.log(float((self.masses * np.exp(exponents - top)).sum()))

    def variance(self, tilt: float) -> float:
        """Return the variance of the tilted law."""
        exponents = tilt * self.losses
        weights = self.masses * np.exp(exponents - exponents.max())
        weights = weights / weights.sum()
        mean = float((weights * self.losses).sum())
        return float((weights * (self.losses - mean) ** 2).sum())


def look(pair: Pair, count: int) -> Look:
    """Look at a release."""
    steps = math.asinh(_FARTHEST / _FINEST) / _GROWTH
    side = _FINEST * np.sinh(_GROWTH * np.arange(1, int(steps) + 1))
    asked = [*(-side[::-1]).tolist(), 0.0, *side.tolist()]
    return replace(seen(pair.cells(asked), count), discrete=isinstance(pair, Discrete))


def seen(cells: Sequence[Cell], count: int) -> Look:
    """Return what cells tell of losses."""
    losses, bottoms, tops, masses, infinite = [], [], [], [], 0.0
    most, unit = 0.0, None
    for cell in cells:
        p, q = float(cell.p.mid()), float(cell.q.mid())
        if p > 0 and q > 1e-300:
            losses.append(math.log(p / q))
            bottoms.append(float(cell.low.lower()) if cell.low > -_FARTHEST else min(-_FARTHEST, losses[-1]))
            tops.append(float(cell.high.upper()) if cell.high < _FARTHEST else max(_FARTHEST, losses[-1]))
            masses.append(p)
            if p + q > most and cell.high - cell.low < _SAME and not cell.low.contains(0):
                most, unit = p + q, abs(cell.low)
        elif p > 0:
            infinite += p
    bounds = np.array(bottoms), np.array(tops)
    return Look(np.array(losses), *bounds, np.array(masses), infinite, count, unit, discrete=False)


def trimmed(looks: Sequence[Look], delta: float) -> list[Look]:
    """Return looks without the greatest losses that are so rare that they may as well be infinite: tilted, they would count for more than all others.

    Args:
        looks: at all releases.
        delta: the δ that is asked for or allowed, or less.
    """
    total = sum(each.count for each in looks)
    return [each if each.discrete else _without_rare(each, _HOPELESS * delta / total) for each in looks]


def _without_rare(one: Look, mass: float) -> Look:
    order = np.argsort(one.losses)
    tail = np.cumsum(one.masses[order][::-1])[::-1]
    kept = order[: max(1, int(np.count_nonzero(tail > mass)))]
    beyond = float(one.masses.sum() - one.masses[kept].sum())
    return replace(
        one,
        losses=one.losses[kept],
        bottoms=one.bottoms[kept],
        tops=one.tops[kept],
        masses=one.masses[kept],
        infinite=one.infinite + beyond,
    )


def tilt_of(looks: Sequence[Look], target: float, *, of_delta: bool) -> float:
    """Return about the best exponent of a Chernoff bound.

    Args:
        looks: at all releases.
        target: the logarithm of δ, or a claimed ε.
        of_delta: which of both.
    """

    def bound(log_tilt: float) -> float:
        tilt = math.exp(log_tilt)
        moment = sum(each.count * each.log_moment(tilt) for each in looks)
        return (moment - target) / tilt if of_delta else moment - tilt * target

    low, high = math.log(_LEAST_TILT), math.log(_LARGEST_TILT)
    best = math.exp(least_at(bound, low, high, 40))
    if not of_delta:
        while best > math.exp(low) and bound(math.log(best)) < _SMALLEST:
            best /= 1.5
        deviation = math.sqrt(sum(each.count * each.variance(0) for each in looks))
        return min(best, _STEEPEST * max(1.0, -bound(math.log(best))) / max(target, deviation, 1e-9))
    epsilon = max(bound(math.log(best)), 1e-9)
    return min(best, -_STEEPEST * target / epsilon)


def log_bound(looks: Sequence[Look], tilt: float, epsilon: float) -> float:
    """Return the logarithm of the Chernoff bound of δ at a claimed ε with an exponent."""
    return sum(each.count * each.log_moment(tilt) for each in looks) - tilt * epsilon


def gentler(looks: Sequence[Look], best: float, target: float, *, of_delta: bool) -> tuple[float, ...]:
    """Return the exponents to try: before the best one, which may make a law of rare large losses many times as wide and so its transform, a
    lesser one with which δ still stands above the errors of floats.

    Args:
        looks: at all releases.
        best: the best exponent.
        target: the logarithm of δ, or a claimed ε.
        of_delta: which of both.
    """
    epsilon = max((log_bound(looks, best, 0.0) - target) / best, 1e-9) if of_delta else target
    errors = _TRANSFORM + _STEP * sum(each.count for each in looks)
    most = (target if of_delta else min(0.0, log_bound(looks, best, epsilon))) + math.log(_HIDDEN / errors)
    tilt = best
    while tilt > _LEAST_TILT and log_bound(looks, tilt / 1.5, epsilon) <= most:
        tilt /= 1.5
    wide, narrow = (sum(each.count * each.variance(one) for each in looks) for one in (best, tilt))
    return (tilt, best) if wide > _MUCH_WIDER * narrow else (best,)


def step_of(looks: Sequence[Look], tilt: float, fineness: float) -> float:
    """Return the step of the grid: a part of the deviation of the loss, tilted or not, and of the least loss."""
    total, variance = 0, 0.0
    smallest = math.inf
    for each in looks:
        plain = each.variance(0)
        least = max(min(plain, each.variance(tilt)), plain / _MOST_NARROWED)
        variance += each.count * least
        total += each.count
        below = -float(each.losses.min(initial=0.0))
        if below > 0:
            smallest = min(smallest, below)
    return max(min(math.sqrt(variance / total), smallest / 2) / fineness, _FINEST_STEP)


def rounded(step: float, looks: Sequence[Look]) -> arb:
    """Return a step at most so large of which a loss that has a chance of its own is a multiple, if there is one, else a binary one."""
    units = [unit for each in looks if (unit := each.unit) is not None]
    if units:
        parts = math.ceil(float(units[0].mid()) / step)
        if parts <= _MOST_PARTS:
            return units[0] / parts
    exponent = math.frexp(step)[1] - 8
    return arb(math.ldexp(math.floor(math.ldexp(step, -exponent)), exponent))


def allowed_width(looks: Sequence[Look], tilt: float, allowed: float, fineness: float) -> float:
    """Return how wide cells may be where they only count for the tilted law: splitting all of it over cells of the width w raises the logarithm
    of the mean of exp(λ · loss) by about λ(λ + 1)w²/8 a release.

    Args:
        looks: at all releases.
        tilt: λ.
        allowed: by how much that may be raised.
        fineness: by how much cells are narrower than needed, times 8.
    """
    count = sum(each.count for each in looks)
    return math.sqrt(8 * allowed / (count * tilt * (tilt + 1))) * 8 / fineness


def points_of(looks: Sequence[Look], tilt: float, step: float, delta: float, width: float) -> list[list[int]]:
    """Return the points of the grid that each release needs: those beside its own losses where these are few and known, so that many unlike
    releases cost no more than as many alike ones; else those that all such releases have together.

    Args:
        looks: at all releases.
        tilt: λ.
        step: of the grid.
        delta: about the δ that is asked for, or allowed.
        width: that of cells which only count for the tilted law.
    """
    few = [each.discrete and len(each.losses) <= _FEW for each in looks]
    common = [] if all(few) else _common_points(looks, tilt, step, delta, width)
    return [_beside(each, step) if own else common for each, own in zip(looks, few, strict=True)]


def _beside(one: Look, step: float) -> list[int]:
    floors = {math.floor(loss / step) for loss in one.losses.tolist()}
    return sorted({0, *(floor + k for floor in floors for k in (-1, 0, 1, 2))})


def _common_points(looks: Sequence[Look], tilt: float, step: float, delta: float, width: float) -> list[int]:
    """Return points of the grid: all in the middle, fewer where little mass is, none where it does not count."""
    total = sum(each.count for each in looks)
    low = high = 0.0
    for each in looks:
        exponents = tilt * each.losses
        weights = each.masses * np.exp(exponents - exponents.max())
        weights = weights / weights.sum()
        order = np.argsort(each.losses)
        weights, plain = weights[order], each.masses[order]
        least = int(np.searchsorted(np.cumsum(weights), _NEGLIGIBLE))
        low = min(low, float(each.bottoms[order][least]))
        after, tail = np.cumsum(weights[::-1])[::-1], np.cumsum(plain[::-1])[::-1]
        needed = (tail * total > 1e-7 * delta) | (after > _NEGLIGIBLE)
        high = max(high, float(each.tops[order][int(np.flatnonzero(needed)[-1])]))
    first, last = math.floor(low / step) - 2, math.ceil(high / step) + 2
    return _spread(looks, tilt, step, first, last, width)


def _spread(looks: Sequence[Look], tilt: float, step: float, first: int, last: int, most: float) -> list[int]:
    """Return points whose distance grows, by powers of two, where losses are rare: so wide that it counts as little as in the middle."""
    shares = np.zeros((2, 0))
    edges = np.zeros(0)
    for each in looks:
        exponents = tilt * each.losses
        weights = each.masses * np.exp(exponents - exponents.max())
        edges = np.concatenate([edges, each.losses])
        shares = np.concatenate([shares, [each.count * weights / weights.sum(), each.count * each.masses]], axis=1)
    order = np.argsort(edges)
    edges, shares = edges[order], np.cumsum(shares[:, order], axis=1)
    wholes = shares[:, -1].tolist()
    least = (max(1.0, most / step), 1.0)
    widest = max(1, int(min(0.05, 1 / (2 * tilt) if tilt > 0 else 0.05) / step))

    def width(at: float) -> int:
        number = int(np.searchsorted(edges, at))
        below = shares[:, number - 1].tolist() if number else (0.0, 0.0)
        rare = (min(one, whole - one) / whole for one, whole in zip(below, wholes, strict=True))
        allowed = min(one * math.sqrt(_RARE / max(each, 1e-30)) for one, each in zip(least, rare, strict=True))
        power = 1
        while power * 2 <= min(allowed, widest):
            power *= 2
        return power

    found, at = [0], 0
    while at < last and len(found) < MOST_POINTS:
        at = min(last, at + width(at * step))
        found.append(at)
    at = 0
    while at > first and len(found) < 2 * MOST_POINTS:
        at = max(first, at - width(at * step))
        found.append(at)
    return sorted(found)
