r"""Gain functions: what an attacker gets for a guess, and the greatest expected gain among discrete posteriors.

For unnormalised weights :math:`m(x, y)` and a gain :math:`g` the functions here return

.. math:: \sum_y \max_w \sum_x m(x, y)\, g(w, x)

(Alvim, Chatzikokolakis, Palamidessi, Smith 2012, "Measuring information leakage using generalized gain functions"), exactly where weights and
gains are rational. With the gain of one right guess this is Bayes vulnerability.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cmp_to_key
from typing import TypeAlias, assert_never

from flint import arb, fmpq, fmpz

from seepage.data_classes import dataclass
from seepage.engines.outcome import Budget
from seepage.exact import Number, compare, enclose, to_fraction
from seepage.measures.clock import timed
from seepage.measures.discrete.weights import BITS, Values, W, total


@dataclass(frozen=True, slots=True)
class Tries:
    """1 if the value is among ``count`` distinct guesses, else 0; one try is the gain ``guess``."""

    count: int


@dataclass(frozen=True, slots=True)
class Distance:
    """1 − |guess − value| / extent, for guesses among the values; 1 where there is one value only, of extent 0."""

    extent: Number


@dataclass(frozen=True, slots=True)
class Table:
    """For each guess the gain of each value; pairs that are missing gain 0."""

    gains: Mapping[Values, Mapping[Values, Number]]


Gain: TypeAlias = Tries | Distance | Table
Amount: TypeAlias = fmpq | arb

ONE_TRY = Tries(1)


def extremes(gain: Gain) -> tuple[Number, Number]:
    """Return numbers that no gain is below and above, for whatever values."""
    if not isinstance(gain, Table):
        return 0, 1
    found = sorted((0, *(one for row in gain.gains.values() for one in row.values())), key=cmp_to_key(compare))
    return found[0], found[-1]


def greatest_gain(groups: Iterable[Mapping[Values, W]], gain: Gain, budget: Budget) -> Amount:
    """Return the sum over groups of posteriors of the greatest gain, weighted by the posteriors' weights; works at the precision of its caller.

    Raises:
        OutOfTime: past the budget's deadline.
    """
    match gain:
        case Tries(count=count):
            return _total(_best(list(group.values()), count) for group in timed(groups, budget))
        case Distance(extent=extent):
            return _total(_nearest(group, extent) for group in timed(groups, budget))
        case Table(gains=rows):
            return _total(_of_table(group, rows, budget) for group in timed(groups, budget))
        case _:
            assert_never(gain)


def amount(number: Number) -> Amount:
    """Return a number as what weights are multiplied by: exact if rational."""
    fraction = to_fraction(number)
    return enclose(number, BITS) if fraction is None else fmpq(fraction.numerator, fraction.denominator)


def times(weight: fmpz | arb, factor: Amount) -> Amount:
    """Multiply, exactly where both are rational."""
    if isinstance(weight, arb) or isinstance(factor, arb):
        return arb(weight) * arb(factor)
    return factor * weight


def plus(a: Amount, b: Amount) -> Amount:
    """Add, exactly where both are rational."""
    if isinstance(a, arb) or isinstance(b, arb):
        return arb(a) + arb(b)
    return a + b


def _total(amounts: Iterable[Amount]) -> Amount:
    found: Amount = fmpq(0)
    for one in amounts:
        found = plus(found, one)
    return found


def rational(value: Amount) -> Fraction | None:
    """Return the rational that an amount is, None for a ball."""
    return None if isinstance(value, arb) else Fraction(int(value.p), int(value.q))


def _best(weights: Sequence[fmpz | arb], count: int) -> Amount:
    """Return the sum of the largest weights; among balls that of the lower ends and that of the upper ends enclose it."""
    whole = [weight for weight in weights if isinstance(weight, fmpz)]
    if len(whole) == len(weights):
        chosen = [max(whole)] if count == 1 else sorted(whole, reverse=True)[:count]
        return fmpq(total(chosen))
    balls = [arb(weight) for weight in weights]
    if count >= len(balls):
        return total(balls)
    if count == 1:
        return greatest(balls)
    low, high = (
        total(descending(ends)[:count]) for ends in ([ball.lower() for ball in balls], [ball.upper() for ball in balls])
    )
    return low.union(high)


def descending(points: Iterable[arb]) -> list[arb]:
    """Sort exact points, greatest first."""
    return sorted(points, key=cmp_to_key(_order), reverse=True)


def _order(a: arb, b: arb) -> int:
    return int(a > b) - int(a < b)


def greatest(balls: Iterable[arb]) -> arb:
    """Return a ball that holds the greatest of at least one number."""
    found, *rest = balls
    for ball in rest:
        found = found.max(ball)
    return found


def _highest(amounts: Sequence[Amount]) -> Amount:
    exact = [one for one in amounts if isinstance(one, fmpq)]
    return max(exact) if len(exact) == len(amounts) else greatest(map(arb, amounts))


def _of_table(group: Mapping[Values, W], rows: Mapping[Values, Mapping[Values, Number]], budget: Budget) -> Amount:
    found: list[Amount] = []
    for row in timed(rows.values(), budget):
        expected: Amount = fmpq(0)
        for value, gained in row.items():
            if value in group:
                expected = plus(expected, times(group[value], amount(gained)))
        found.append(expected)
    return _highest(found)


def _nearest(group: Mapping[Values, W], extent: Number) -> Amount:
    r"""Return the weight less the least :math:`\sum_x m(x) |w - x| / \text{extent}`, which some value of the group itself reaches.

    Over ascending values that sum changes by (weight below − weight not below) times the step, so all are found in one pass.
    """
    weight = _total(times(one, fmpq(1)) for one in group.values())
    if extent == 0:
        return weight
    ordered = sorted(group, key=cmp_to_key(_by_number))
    places = [amount(value) for (value,) in ordered]
    cost: Amount = fmpq(0)
    for value, place in zip(ordered, places, strict=True):
        cost = plus(cost, times(group[value], _minus(place, places[0])))
    costs = [cost]
    below: Amount = fmpq(0)
    for at in range(1, len(ordered)):
        below = plus(below, times(group[ordered[at - 1]], fmpq(1)))
        change = _minus(plus(below, below), weight)
        cost = plus(cost, _product(change, _minus(places[at], places[at - 1])))
        costs.append(cost)
    spread = amount(extent)
    saved = [_minus(fmpq(0), one) for one in costs]
    least = _highest(saved)
    return plus(
        weight, least / spread if isinstance(least, fmpq) and isinstance(spread, fmpq) else arb(least) / arb(spread)
    )


def _by_number(a: Values, b: Values) -> int:
    return compare(a[0], b[0])


def _minus(a: Amount, b: Amount) -> Amount:
    return arb(a) - arb(b) if isinstance(a, arb) or isinstance(b, arb) else a - b


def _product(a: Amount, b: Amount) -> Amount:
    return arb(a) * arb(b) if isinstance(a, arb) or isinstance(b, arb) else a * b
