r"""Differential privacy of outputs that are Gaussian mixtures for each value of a discrete input.

:math:`\delta(\varepsilon) = \int \max(0, W(y|x) - e^\varepsilon W(y|x'))\,dy` plus the same sum over atoms (measures.md, Delta) is the greatest expected gain
of a game: with x or x′ behind the output, each with probability one half, bet on x and win 2 or lose :math:`2 e^\varepsilon`, or do not
bet. So it comes from the integral of a maximum (:mod:`seepage.measures.gaussian.guessing`). For two normal laws of one
variance it is

.. math:: \Phi(\mu/2 - \varepsilon/\mu) - e^\varepsilon\, \Phi(-\mu/2 - \varepsilon/\mu), \qquad \mu = |m - m'| / \sigma

(Balle and Wang 2018, "Improving the Gaussian mechanism for differential privacy", theorem 8). At :math:`\delta = 0` the loss is the supremum of the log-ratio
(:mod:`seepage.measures.gaussian.ratio`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TypeAlias

from flint import arb, fmpq

from seepage import exact
from seepage.data_classes import dataclass
from seepage.engines.outcome import Budget, MixtureComponent, MixtureJoint
from seepage.exact import Number, precision
from seepage.measures.discrete.weights import Values
from seepage.measures.enclosure import Enclosure
from seepage.measures.gaussian.guessing import expected_gain
from seepage.measures.gaussian.ratio import Share, limit_of_ratio, log_ratio_bounds, outermost
from seepage.measures.gaussian.strata import (
    PRECISION,
    Key,
    Piece,
    Weight,
    ball,
    divide,
    mass,
    piece_of,
    spread_of,
    strata,
    total,
)
from seepage.measures.guessing.gains import Table, Tries

INPUT = "input@asked"
"""The variable of a pair's joint that tells which of the two inputs is behind the output."""

Law: TypeAlias = tuple[MixtureComponent, ...]
"""What comes out for one input: components that weigh 1 together."""

Profile: TypeAlias = Callable[[Fraction], tuple[arb, arb]]
"""Bounds of δ at a claimed ε."""

_FARTHEST = 4_096  # the greatest ε that is looked at
FARTHEST_IN_CLOSED_FORM = 2**60
"""The greatest ε that is looked at where δ is a closed form: at less noise than the distance, ε grows with the square of their ratio."""
_STEPS = 80
_FINE = Fraction(1, 10**13)  # how closely ε is found, relative to it


@dataclass(frozen=True, slots=True)
class Pair:
    """Two inputs' laws of the outputs ``y``: the first is to be as little more likely than the second as can be."""

    y: tuple[str, ...]
    of: Law
    against: Law

    def joint(self) -> MixtureJoint:
        """Return the joint of a fair choice of one of the inputs (1 for the first) and the outputs."""
        chosen = ((1, self.of), (0, self.against))
        components = [replace(one, values=(which, *one.values)) for which, law in chosen for one in law]
        return MixtureJoint((INPUT, *self.y), tuple(components))


class NotDiscrete(Exception):
    """A variable that should be discrete is continuous in some runs."""


def laws(joint: MixtureJoint, x: Sequence[str], y: Sequence[str], z: Sequence[str]) -> dict[Values, dict[Values, Law]]:
    """Return by value of z, then of x, the law of y; works at the precision of its caller.

    Raises:
        NotDiscrete: if x or z is not discrete.
    """
    found: dict[Values, dict[Values, list[MixtureComponent]]] = {}
    for component in joint.components:
        given, one = (_values(joint, component, names) for names in (z, x))
        found.setdefault(given, {}).setdefault(one, []).append(_outputs(joint, component, y))
    return {given: {one: _normalised(law) for one, law in rows.items()} for given, rows in found.items()}


def _values(joint: MixtureJoint, component: MixtureComponent, names: Sequence[str]) -> Values:
    unique = tuple(dict.fromkeys(names))
    key = piece_of(joint, component, unique, component.weight)[0]
    values = tuple(part for part in key if part is not None)
    if len(values) < len(key):
        raise NotDiscrete(next(name for name, part in zip(unique, key, strict=True) if part is None))
    return values


def _outputs(joint: MixtureJoint, component: MixtureComponent, y: Sequence[str]) -> MixtureComponent:
    places = [joint.variables.index(name) for name in y]
    rows = [sum(v is None for v in component.values[:at]) for at in places if component.values[at] is None]
    return MixtureComponent(
        component.weight,
        tuple(component.values[at] for at in places),
        tuple(component.coefficients[row] for row in rows),
        tuple(component.mean[row] for row in rows),
        tuple(tuple(component.covariance[row][column] for column in rows) for row in rows),
        (component.law, tuple(rows)),
    )


def _normalised(law: Sequence[MixtureComponent]) -> Law:
    if len(law) == 1:
        return (replace(law[0], weight=fmpq(1)),)
    whole = total(component.weight for component in law)
    return tuple(replace(component, weight=divide(component.weight, whole)) for component in law)


# --- δ at a claimed ε -------------------------------------------------------------------------------------------------


def profile(pair: Pair, budget: Budget) -> Profile:
    """Return a function that bounds δ at a claimed ε for one pair, at its own precision."""
    shift = _one_shift(pair)
    if shift is not None:
        return shift_profile(shift)

    def bounds(epsilon: Fraction) -> tuple[arb, arb]:
        lower, upper = pair_excess(pair, exact.exp_(exact.number(min(epsilon, Fraction(_FARTHEST)))), budget)
        return (lower if epsilon <= _FARTHEST else arb(0)), upper  # δ falls with ε

    return bounds


def farthest_of(pair: Pair) -> int:
    """Return up to where ε is looked for with the function of :func:`profile`."""
    return _FARTHEST if _one_shift(pair) is None else FARTHEST_IN_CLOSED_FORM


def excess(pair: Pair, factor: Number, budget: Budget) -> tuple[arb, arb]:
    """Return bounds of the greatest W(S|x) − factor·W(S|x′).

    Raises:
        OutOfTime: past the budget's deadline.
    """
    shift = _one_shift(pair)
    return pair_excess(pair, factor, budget) if shift is None else shift_excess(shift, factor)


def pair_excess(pair: Pair, factor: Number, budget: Budget) -> tuple[arb, arb]:
    """Return the same by integration, whatever the laws."""
    bet: dict[Values, Number] = {(1,): 2, (0,): exact.mul(-2, factor)}
    found = expected_gain(pair.joint(), (INPUT,), pair.y, Table({(1,): bet, (0,): {}}), budget)
    return _larger(found.lower, arb(0)), _chance_above(found.upper)


def shift_excess(shift: arb, factor: Number) -> tuple[arb, arb]:
    r"""Return bounds of δ for two normal laws of one variance, ``shift`` = |m − m′|/σ ≥ 0 apart (Balle and Wang 2018, theorem 8).

    Args:
        shift: a ball; δ rises with it.
        factor: :math:`e^\varepsilon \ge 1`.
    """
    with precision(2 * PRECISION):
        return _shift_bounds(shift, exact.enclose(factor, 2 * PRECISION))


def shift_profile(shift: arb) -> Profile:
    """Return a function that bounds the same at a claimed ε, which may be huge."""

    def bounds(epsilon: Fraction) -> tuple[arb, arb]:
        with precision(2 * PRECISION):
            return _shift_bounds(shift, arb(fmpq(epsilon.numerator, epsilon.denominator)).exp())

    return bounds


def _shift_bounds(shift: arb, factor: arb) -> tuple[arb, arb]:
    ends = [_gaussian_profile(end, factor) for end in (shift.lower(), shift.upper())]
    return _larger(ends[0].lower(), arb(0)), _chance_above(ends[1].upper())


def _gaussian_profile(shift: arb, factor: arb) -> arb:
    if not shift > 0:
        return arb(0)
    epsilon, root = factor.log(), arb(2).sqrt()
    gained = (-(shift / 2 - epsilon / shift) / root).erfc() / 2
    return gained - factor * ((shift / 2 + epsilon / shift) / root).erfc() / 2


def _one_shift(pair: Pair) -> arb | None:
    """Return |m − m′|/σ where both laws are one normal law, provably of one variance."""
    if len(pair.of) != 1 or len(pair.against) != 1:
        return None
    parts = [strata(MixtureJoint(pair.y, law), pair.y) for law in (pair.of, pair.against)]
    (key, pieces), (other, others) = ((part, own) for each in parts for part, own in each.items())
    continuous = [part is None for part in key]
    if key != other or sum(continuous) != 1:
        return None
    one, two = share(pieces[0]), share(others[0])
    if one.spread != two.spread:
        return None
    with precision(PRECISION):
        return abs(one.mean - two.mean) / one.variance.sqrt()


def _chance_above(upper: arb) -> arb:
    """Return an upper bound of a probability within its limits, 1 where there is no number."""
    return arb(1) if upper.is_nan() else _smaller(_larger(upper, arb(0)), arb(1))


def _larger(a: arb, b: arb) -> arb:
    return a if a > b else b


def _smaller(a: arb, b: arb) -> arb:
    return a if a < b else b


# --- ε at a claimed δ -------------------------------------------------------------------------------------------------


def least_epsilon(
    profile_of: Profile,
    delta: Fraction,
    start: Fraction,
    budget: Budget,
    fine: Fraction = _FINE,
    farthest: int = _FARTHEST,
) -> tuple[arb, arb]:
    """Return bounds of the least ε ≥ ``start`` at which a falling profile is at most ``delta`` > 0; the upper one is infinite if none is found.

    ``start`` itself is returned where the profile is low enough there; ``fine`` is how closely ε is found, relative to it,
    and ``farthest`` up to where it is looked for.
    """
    bound = arb(fmpq(delta.numerator, delta.denominator))
    if profile_of(start)[1] <= bound:
        return _point(start).lower(), _point(start).upper()
    low = start if profile_of(start)[0] > bound else None
    step, high = Fraction(1), None
    while step <= farthest and not budget.expired():
        below, above = profile_of(start + step)
        if above <= bound:
            high = start + step
            break
        low = start + step if below > bound else low
        step *= 2
    if high is None:
        return (arb(0) if low is None else _point(low).lower()), arb.pos_inf()
    low, high = _narrowed(profile_of, bound, start if low is None else low, high, low is not None, budget, fine)
    return _point(low).lower(), _point(high).upper()


def _narrowed(
    profile_of: Profile, bound: arb, low: Fraction, high: Fraction, proved: bool, budget: Budget, fine: Fraction
) -> tuple[Fraction, Fraction]:
    """Narrow an interval whose upper end is proved, by false position on log δ with halved weights (Illinois)."""
    least, side = low, 0
    values = [_height(profile_of(end), bound) for end in (low, high)]
    for _ in range(_STEPS):
        if high - low <= fine * max(Fraction(1), high) or budget.expired():
            break
        middle = _between(low, high, values)
        below, above = profile_of(middle)
        height = _height((below, above), bound)
        if above <= bound:
            high, values[1], values[0] = middle, height, values[0] / 2 if side == 1 else values[0]
            side = 1
        elif below > bound:
            low, values[0], values[1] = middle, height, values[1] / 2 if side == -1 else values[1]
            side, proved = -1, True
        else:
            break  # no closer look at δ is to be had
    return (low if proved else least), high


def _height(found: tuple[arb, arb], bound: arb) -> float:
    """Return log(δ/bound) roughly, finite."""
    ratio = float(((found[0] + found[1]) / (2 * bound)).mid())
    return math.log(ratio) if ratio > 1e-300 else -690.0


def _between(low: Fraction, high: Fraction, values: Sequence[float]) -> Fraction:
    """Return a point strictly inside, near where a straight line meets 0, pushed off it so that both ends come to be close."""
    share_of = values[0] / (values[0] - values[1]) if values[0] > 0 > values[1] else 0.5
    width = float(high - low)
    near = min(0.5, 4e-14 * max(1.0, float(high)) / width)
    share_of += near if share_of < 0.5 else -near
    share_of = min(max(share_of, near), 1 - near)
    return low + (high - low) * Fraction(share_of)


def _point(value: Fraction) -> arb:
    with precision(PRECISION):
        return arb(fmpq(value.numerator, value.denominator))


# --- ε at δ = 0, and what is told apart for certain -------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Loss:
    """Bounds of the supremum of log W(y|x)/W(y|x′), at least 0; ``ratio`` where :math:`e^\\varepsilon` is that rational, None for ∞."""

    lower: arb
    upper: arb
    ratio: Fraction | None = None
    at: Key | None = None


def log_ratio(pair: Pair, budget: Budget) -> Loss:
    """Return bounds of the privacy loss of one pair at δ = 0; works at the precision of its caller."""
    top, bottom = (strata(MixtureJoint(pair.y, law), pair.y) for law in (pair.of, pair.against))
    best = Loss(arb(0), arb(0), Fraction(1))
    for key, pieces in top.items():
        if key not in bottom:
            infinite = arb.pos_inf()
            return Loss(infinite, infinite, None, key if None not in key else None)
        best = _worse(best, _of_stratum(key, pieces, bottom[key], pair, budget))
    return best


def _worse(one: Loss, other: Loss) -> Loss:
    """Return the greater of two losses, known as well as both allow."""
    if one.lower >= other.upper:
        return one
    if other.lower >= one.upper:
        return other
    leader = one if one.lower >= other.lower else other
    return Loss(leader.lower, _larger(one.upper, other.upper), None, leader.at)


def _of_stratum(key: Key, top: Sequence[Piece], bottom: Sequence[Piece], pair: Pair, budget: Budget) -> Loss:
    known = _quotient(mass(top), mass(bottom))
    dimensions = sum(part is None for part in key)
    if dimensions == 0 or _one_law(top, bottom):
        return replace(known, at=key if dimensions == 0 else None)
    if dimensions == 1:
        settled = _in_a_tail(top, bottom)
        if settled is not None:
            return settled
        lower, upper = log_ratio_bounds([share(one) for one in top], [share(one) for one in bottom], budget)
        return Loss(_larger(lower, arb(0)), _larger(upper, arb(0)))
    # What some outputs tell, all of them tell.
    lower = _larger(known.lower, arb(0))
    for name in pair.y:
        alone = Pair((name,), *(tuple(_only(one, pair.y, name) for one in law) for law in (pair.of, pair.against)))
        lower = _larger(lower, log_ratio(alone, budget).lower)
    return Loss(lower, arb.pos_inf()) if lower.is_finite() else Loss(lower, lower)


def _only(component: MixtureComponent, y: Sequence[str], name: str) -> MixtureComponent:
    return _outputs(MixtureJoint(tuple(y), (component,)), component, (name,))


def _one_law(top: Sequence[Piece], bottom: Sequence[Piece]) -> bool:
    same = len(top) == len(bottom) == 1 and top[0].certain and bottom[0].certain
    return same and share_name(top[0]) == share_name(bottom[0])


def _in_a_tail(top: Sequence[Piece], bottom: Sequence[Piece]) -> Loss | None:
    """Return the loss exactly where the largest quotient of the weights of one law, which no ratio exceeds, is the limit in a tail; else None."""
    weights = {share_name(one): one.weight for one in bottom}
    quotients = [_quotient(one.weight, weights[share_name(one)]) for one in top if share_name(one) in weights]
    if len(quotients) < len(top) or any(one.ratio is None for one in quotients):
        return None
    greatest = max(quotients, key=lambda one: one.ratio or 0)
    if greatest.ratio is not None and greatest.ratio <= 1:
        return Loss(arb(0), arb(0), Fraction(1))
    for side in (-1, 1):
        limit = limit_of_ratio([share(one) for one in top], [share(one) for one in bottom], side)
        if limit is not None and limit.overlaps(greatest.lower.union(greatest.upper)):
            named = [share_name(one) for one in top]
            outer = outermost([share(one) for one in top], side)
            if quotients[named.index(outer.law)].ratio == greatest.ratio:
                return greatest
    return None


def _quotient(a: Weight, b: Weight) -> Loss:
    ratio = divide(a, b)
    found = ball(ratio).log()
    if isinstance(ratio, arb):
        return Loss(found.lower(), found.upper())
    return Loss(found.lower(), found.upper(), Fraction(int(ratio.p), int(ratio.q)))


def certain(pair: Pair) -> Weight:
    """Return a probability, under the first input, of outputs that the second cannot have: a part of δ at every ε."""
    top, bottom = (strata(MixtureJoint(pair.y, law), pair.y) for law in (pair.of, pair.against))
    return total(piece.weight for key, pieces in top.items() if key not in bottom for piece in pieces)


def share(piece: Piece) -> Share:
    """Return a piece with one continuous coordinate as a weighted normal density."""
    variance = piece.covariance[0][0]
    return Share(ball(piece.weight), piece.mean[0], variance, spread_of(piece), share_name(piece))


def share_name(piece: Piece) -> Hashable:
    """Return what proves equal laws if it is equal."""
    return piece.identity if piece.certain else id(piece)


def all_told(rows: Mapping[Values, Law], y: Sequence[str], budget: Budget) -> Enclosure:
    """Return ∫ max_x W(y|x) dy, plus the same over atoms.

    Raises:
        OutOfTime: past the budget's deadline.
    """
    components = [replace(one, values=(which, *one.values)) for which, law in enumerate(rows.values()) for one in law]
    joint = MixtureJoint((INPUT, *y), tuple(components))
    found = expected_gain(joint, (INPUT,), y, Tries(1), budget)
    with precision(PRECISION):
        count = len(rows)
        if found.exact is not None:
            return Enclosure.of_rational(found.exact * count)
        lower, upper = (found.lower * count).lower(), (found.upper * count).upper()
        return Enclosure.bounded(found.value * count, lower, upper, found.certainty, notes=found.notes)
