r"""Rényi divergences of outputs between two values of a secret, from cells with bounds of the ratio of densities.

:math:`e^{(\alpha - 1) D_\alpha} = E_Q r^\alpha` with :math:`r = dP/dQ`. In a cell with masses p and q, where r is in [L, U], the mean of the convex :math:`r^\alpha` is at least that of the mean
ratio p/q (Jensen) and at most that of the chord from L to U. Divergences of independent outputs add up. :math:`D_\alpha` never falls in α (van Erven, Harremoës 2014,
theorem 3), so between two orders a < b at which it is known :math:`D_\alpha / \alpha \le D_b / a`, and beyond the last order it is at most the greatest loss over that order.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from flint import arb

from seepage.data_classes import dataclass
from seepage.measures.cells.columns import Floats, cells_of
from seepage.measures.cells.reading import Look, Looks
from seepage.measures.discrete.weights import Values
from seepage.measures.privacy.noise_reading import NotRead

Ends: TypeAlias = tuple[float, float]
_CELLS = 400
_ORDERS = 4_000
_NEAREST = 1e-5  # of an order to 1
_ROUNDING = 1e-12  # of ratios and sums of floats, relative
_MOST_ORDER = 1e6
_TINIEST = 1e-300  # a mass that floats hold with all of their digits
_PRECISE = arb(2) ** -45  # of the radius of a mass, relative to it
_FAR_ORDER = 100.0  # up to which a lower bound is looked for where there is no upper one


@dataclass(frozen=True, slots=True)
class _Pair:
    """Cells of one output for two values.

    Attributes:
        p: masses under P.
        q: masses under Q.
        low: bounds of the ratio from below.
        high: from above.
        sure: whether both masses are known but for the rounding of floats; if not, they are bounds from above.
    """

    p: Floats
    q: Floats
    low: Floats
    high: Floats
    sure: npt.NDArray[np.bool_]

    def moments(self, orders: Floats) -> tuple[Floats, Floats]:
        """Return bounds of the logarithm of E_Q r^α for each order."""
        powers = orders[:, None]
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            mean = np.where(self.q > 0, self.p / self.q, 0)
            low, high = np.minimum(self.low, mean), np.maximum(self.high, mean)
            share = np.where(high > low, (mean - low) / (high - low), 0.0)
            chord = (1 - share) * low**powers + np.where(share > 0, share * high**powers, 0)
            known = self.sure & (self.q > 0) & (self.p > 0)
            least = np.where(known, np.log(self.q) + powers * np.log(mean), -np.inf)
            most = np.where(self.q > 0, self.q * np.where(self.sure, chord, self.high**powers), 0)
            lower, upper = np.logaddexp.reduce(least, axis=1), np.log(most.sum(axis=1))
        nowhere = np.full(len(orders), np.inf)
        if ((self.q <= 0) & (self.p > 0)).any():
            lower = upper = nowhere
        elif (np.isinf(self.high) & (self.p > 0)).any():  # however little its mass
            upper = nowhere
        slack = _ROUNDING * orders
        return lower - slack, upper + slack

    @property
    def greatest(self) -> float:
        """At least the greatest loss."""
        kept = self.p > 0
        with np.errstate(divide="ignore"):
            return float(np.log(self.high[kept]).max(initial=0.0)) + _ROUNDING if (self.q[kept] > 0).all() else math.inf


def divergence_between(
    looks: Looks, inputs: Sequence[str], pairs: Iterable[tuple[Values, Values]], order: float, stop: Callable[[], None]
) -> tuple[Ends, tuple[Values, Values] | None]:
    """Return bounds of the greatest divergence of an order above 1 over pairs of secrets, and the pair with the greatest lower bound.

    Raises:
        NotRead: if outputs are not independent given the secret.
    """
    orders = np.array([order])

    def told(every: Sequence[_Pair]) -> Ends:
        low, high = _added(every, orders)
        return max(0.0, float(low[0]) / (order - 1)), max(0.0, float(high[0]) / (order - 1))

    return _greatest(looks, inputs, pairs, told, stop)


def concentration_between(
    looks: Looks, inputs: Sequence[str], pairs: Iterable[tuple[Values, Values]], stop: Callable[[], None]
) -> tuple[Ends, tuple[Values, Values] | None]:
    """Return bounds of the greatest ρ of concentrated differential privacy over pairs of secrets, likewise.

    Raises:
        NotRead: as :func:`divergence_between`.
    """

    def told(every: Sequence[_Pair]) -> Ends:
        most = sum(each.greatest for each in every)
        start = np.array([2.0])
        rough = float(_added(every, start)[0][0]) / 2
        last = min(_MOST_ORDER, max(2.0, most / rough)) if rough > 0 else 2.0
        orders = 1 + np.geomspace(_NEAREST, last if math.isfinite(most) else _FAR_ORDER, _ORDERS)
        low, high = (each / (orders - 1) for each in _added(every, orders))
        before = np.concatenate(([1.0], orders[:-1]))
        return max(0.0, float((low / orders).max())), max(float((high / before).max()), most / float(orders[-1]))

    return _greatest(looks, inputs, pairs, told, stop)


def _added(every: Sequence[_Pair], orders: Floats) -> tuple[Floats, Floats]:
    found = [each.moments(orders) for each in every]
    nothing = np.zeros(len(orders))
    return sum((low for low, _ in found), nothing), sum((high for _, high in found), nothing)


def _greatest(
    looks: Looks,
    inputs: Sequence[str],
    pairs: Iterable[tuple[Values, Values]],
    told: Callable[[Sequence[_Pair]], Ends],
    stop: Callable[[], None],
) -> tuple[Ends, tuple[Values, Values] | None]:
    if looks.discrete or any(name not in inputs for look in looks.looks for name in look.held):
        raise NotRead
    known: dict[tuple[object, ...], _Pair] = {}
    results: dict[tuple[int, ...], Ends] = {}
    low = high = 0.0
    where: tuple[Values, Values] | None = None
    for one, other in pairs:
        stop()
        every: list[_Pair] = []
        for look in looks.looks:
            at = [list(inputs).index(name) for name in look.held]
            sides = tuple(tuple(values[place] for place in at) for values in (one, other))
            if sides[0] != sides[1]:
                key = tuple((repr(look.atoms[side]), repr(look.densities[side])) for side in sides)
                if key not in known:
                    known[key] = _cells(look, sides[0], sides[1], stop)
                every.append(known[key])
        kind = tuple(sorted(id(each) for each in every))
        if kind not in results:
            results[kind] = told(every)
        found = results[kind]
        if where is None or found[0] > low:
            where = (one, other)
        low, high = max(low, found[0]), max(high, found[1])
    return (low, high), where


def _cells(look: Look, one: Values, other: Values, stop: Callable[[], None]) -> _Pair:
    columns: list[tuple[float, float, float, float, float]] = []
    p, q = look.atoms[one], look.atoms[other]
    for value in {**p, **q}:
        first, second = p.get(value, arb(0)), q.get(value, arb(0))
        ratio = float((first / second).mid()) if not second.is_zero() else 0.0
        columns.append((*_masses(first, second), ratio, ratio))
    densities = [look.densities[one], look.densities[other]]
    for cell in cells_of(densities, _CELLS, stop) if any(densities) else ():
        columns.append((*_masses(*cell.masses), *_ratio(cell.ratios)))
    own, other_own, sure, low, high = np.array(columns, dtype=np.float64).reshape(-1, 5).T
    return _Pair(own, other_own, low * (1 - _ROUNDING), high * (1 + _ROUNDING), sure > 0)


def _masses(p: arb, q: arb) -> tuple[float, float, float]:
    """Return two masses as floats, and 1 if they are known well, else 0 with bounds from above."""
    if all(mass.is_zero() or (mass > _TINIEST and mass.rad() <= mass.mid() * _PRECISE) for mass in (p, q)):
        return float(p.mid()), float(q.mid()), 1.0
    return _above(p), _above(q), 0.0


def _above(mass: arb) -> float:
    """Return a float that is at least a mass, and above 0 where it may be."""
    return 0.0 if mass.is_zero() else max(float(mass.upper()), _TINIEST)


def _ratio(ratios: tuple[tuple[arb, arb], ...] | None) -> Ends:
    """Return bounds of the first density over the second one, of which one is over the other."""
    if ratios is None:
        return 0.0, math.inf
    first, second = ratios
    if second[0] == 1 and second[1] == 1:
        return float(first[0].lower()), float(first[1].upper())
    if not second[0] > 0:
        return (0.0, math.inf) if second[1] > 0 else (0.0, 0.0)
    return float((1 / second[1]).lower()), float((1 / second[0]).upper())
