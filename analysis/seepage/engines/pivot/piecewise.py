r"""Functions on a line that are, between breaks, sums of polynomials times exponentials, as densities of sums are (:mod:`seepage.engines.pivot.sums`)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cmp_to_key

from flint import acb, arb

from seepage import exact
from seepage.engines.pivot.sums import Stretch, Terms, antiderivative, between, placed_terms, value_of
from seepage.exact import Number, enclose
from seepage.laws.law import Edge


def clipped(function: Sequence[Stretch], low: Edge, high: Edge) -> list[Stretch]:
    """Return a function within an interval, 0 outside."""
    found: list[Stretch] = []
    for each in function:
        begin = each.low if low is None else low if each.low is None else exact.maximum(low, each.low)
        end = each.high if high is None else high if each.high is None else exact.minimum(high, each.high)
        if begin is None or end is None or exact.compare(begin, end) < 0:
            found.append(Stretch(begin, end, each.terms))
    return found


def _overlaps(one: Sequence[Stretch], other: Sequence[Stretch]) -> Iterable[tuple[Edge, Edge, Terms, Terms]]:
    for first in one:
        for second in clipped(other, first.low, first.high):
            yield second.low, second.high, first.terms, second.terms


def times(one: Sequence[Stretch], other: Sequence[Stretch]) -> list[Stretch]:
    """Return the product of two functions, each 0 where it has no stretch."""
    found: list[Stretch] = []
    for low, high, first, second in _overlaps(one, other):
        total: dict[Number, list[arb]] = {}
        for rate, row in first.items():
            for speed, others in second.items():
                own = total.setdefault(exact.add(rate, speed), [])
                own += [arb(0)] * (len(row) + len(others) - 1 - len(own))
                for m, a in enumerate(row):
                    for n, b in enumerate(others):
                        own[m + n] += a * b
        found.append(Stretch(low, high, total))
    return found


def plus(one: Sequence[Stretch], other: Sequence[Stretch], sign: int) -> list[Stretch]:
    """Return the sum, or difference, of two functions that are both given everywhere."""
    found: list[Stretch] = []
    for low, high, first, second in _overlaps(one, other):
        total = {rate: list(row) for rate, row in first.items()}
        for rate, row in second.items():
            own = total.setdefault(rate, [])
            own += [arb(0)] * (len(row) - len(own))
            for at, a in enumerate(row):
                own[at] += sign * a
        found.append(Stretch(low, high, total))
    return found


def shifted(function: Sequence[Stretch], distance: Number) -> list[Stretch]:
    """Return x ↦ function(x − distance)."""
    if distance == 0:
        return list(function)
    back = enclose(exact.neg(distance))
    return [
        Stretch(
            None if each.low is None else exact.add(each.low, distance),
            None if each.high is None else exact.add(each.high, distance),
            placed_terms(each.terms, 1, back),
        )
        for each in function
    ]


def cumulated(function: Sequence[Stretch], side: int) -> list[Stretch]:
    """Return its integral up to x (``side`` 1), or from x on (−1), as a function of x on the whole line."""
    ordered = sorted(function, key=cmp_to_key(_by_low))
    if not ordered:
        return [Stretch(None, None, {0: [arb(0)]})]
    sequence = ordered if side > 0 else ordered[::-1]
    found: list[Stretch] = []
    total = arb(0)
    last: Edge = None
    for at, each in enumerate(sequence):
        near, far = (each.low, each.high) if side > 0 else (each.high, each.low)
        if near is not None and (at == 0 or last is None or exact.compare(near, last) != 0):
            gap = (last, near) if side > 0 else (near, last)
            found.append(Stretch(gap[0], gap[1], {0: [total]}))
        primitive = antiderivative(each.terms)
        start = arb(0) if near is None else value_of(primitive, acb(enclose(near))).real
        terms = {rate: [side * a for a in row] for rate, row in primitive.items()}
        constant = terms.setdefault(0, [arb(0)])
        constant[0] += total - side * start
        found.append(Stretch(each.low, each.high, terms))
        total += between(primitive, *(None if edge is None else enclose(edge) for edge in (each.low, each.high)))
        last = far
    if last is not None:
        found.append(Stretch(last if side > 0 else None, None if side > 0 else last, {0: [total]}))
    return found if side > 0 else found[::-1]


def _by_low(one: Stretch, other: Stretch) -> int:
    if one.low is None or other.low is None:
        return (other.low is None) - (one.low is None)
    return exact.compare(one.low, other.low)


def mass_of(function: Sequence[Stretch]) -> arb:
    """Return its integral."""
    total = arb(0)
    for each in function:
        ends = (None if edge is None else enclose(edge) for edge in (each.low, each.high))
        total += between(antiderivative(each.terms), *ends)
    return total
