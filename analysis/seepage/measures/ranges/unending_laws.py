"""The infinite laws of which chances and moments are polynomials over whole ranges: a row for each, with what :mod:`seepage.measures.ranges.unending` says of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import TypeAlias

from flint import arb

from seepage.data_classes import dataclass
from seepage.engines.forward.polynomials import Polynomial, Polynomials
from seepage.exact import Number
from seepage.laws.discrete_laplace import DiscreteLaplace
from seepage.laws.geometric import Geometric
from seepage.laws.infinite import Infinite
from seepage.laws.poisson import Poisson
from seepage.measures.privacy.releases import complement_of, over_scale
from seepage.source import Span
from seepage.syntax import tree
from seepage.syntax.tree import Expression

Chances: TypeAlias = Iterator[tuple[int, Polynomial]]

_NOWHERE = Span(0, 0)
_ONE = tree.Number(Fraction(1), _NOWHERE)


@dataclass(frozen=True, slots=True)
class UnendingLaw:
    """What is known of a law at every size.

    Attributes:
        kind: the family.
        law: of a size and a centre.
        size: the name of the parameter that decides it.
        is_two_sided: whether values lie below the centre, too.
        chances: of the values at a distance of less than a count from the centre; the last argument says whether also that value
            is yielded, for all that lie as far out or farther.
        moments: the mean of the distance, and the mean of its square.
        largest: the parameter of the widest law, from the least and the greatest value of the parameter; None where that is none.
        falls: whether each chance from a value on grows with the size, by the widest law's parameter and the value.
    """

    kind: str
    law: Callable[[Number, int], Infinite]
    size: str
    is_two_sided: bool
    chances: Callable[[Polynomials, Expression, int, bool], Chances]
    moments: Callable[[Polynomials, Expression], tuple[Polynomial, Polynomial]]
    largest: Callable[[arb, arb], arb | None]
    falls: Callable[[arb, arb], bool]


def _geometric_chances(ring: Polynomials, p: Expression, count: int, ends: bool) -> Chances:
    q = ring.atom(complement_of(p))
    power = ring.one
    for value in range(count):
        yield value, ring.multiply(ring.one - q, power)
        power = ring.multiply(power, q)
    if ends:
        yield count, power


def _geometric_moments(ring: Polynomials, p: Expression) -> tuple[Polynomial, Polynomial]:
    mean = ring.of(tree.Binary("/", _set_off(complement_of(p)), _set_off(p), _NOWHERE))
    return mean, mean + 2 * mean * mean


def _least_chance(low: arb, high: arb) -> arb | None:
    if not low.lower() > 0 or not high <= 1:
        return None
    return low.lower().min(arb(1) - arb(2) ** -8)  # a point mass has no window


def _poisson_chances(ring: Polynomials, rate: Expression, count: int, ends: bool) -> Chances:
    _, mass = _exponential(ring, rate)
    size = ring.of(rate)
    if len(size) > 1:
        size = ring.atom(rate)
    left = ring.one
    for value in range(count):
        yield value, mass
        left = left - mass
        mass = ring.multiply(mass, size) / (value + 1)
    if ends:
        yield count, left


def _poisson_moments(ring: Polynomials, rate: Expression) -> tuple[Polynomial, Polynomial]:
    mean = ring.of(rate)
    return mean, mean + mean * mean


def _greatest(low: arb, high: arb) -> arb | None:
    return high.upper() if high.upper().is_finite() and high.upper() > 0 and low >= 0 else None


def _laplace_chances(ring: Polynomials, scale: Expression, count: int, ends: bool) -> Chances:
    r = _exponential(ring, over_scale(Fraction(1), scale))
    share = ring.atom(_one_over_one_plus(r[0]))
    power = ring.multiply(r[1], share)
    yield 0, ring.one - 2 * power
    for value in range(1, count):
        mass = ring.multiply(power, ring.one - r[1])
        yield value, mass
        yield -value, mass
        power = ring.multiply(power, r[1])
    if ends:
        yield count, power
        yield -count, power


def _laplace_moments(ring: Polynomials, scale: Expression) -> tuple[Polynomial, Polynomial]:
    r, _ = _exponential(ring, over_scale(Fraction(1), scale))
    gap = _set_off(tree.Binary("-", _ONE, r, _NOWHERE))
    top = tree.Binary("*", tree.Number(Fraction(2), _NOWHERE), r, _NOWHERE)
    square = tree.Binary("/", top, _set_off(tree.Binary("*", gap, gap, _NOWHERE)), _NOWHERE)
    return ring.zero, ring.of(square)


def _laplace_falls(scale: arb, last: arb) -> bool:
    r = (-1 / scale).exp()
    return bool(2 * r <= last * (1 - r * r))


def _exponential(ring: Polynomials, rate: Expression) -> tuple[Expression, Polynomial]:
    """Return ``exp(-rate)``."""
    negative = tree.Unary("-", tree.Parenthesized(rate, _NOWHERE), _NOWHERE)
    expression = tree.Call("exp", (negative,), _NOWHERE, _NOWHERE)
    return expression, ring.atom(expression)


def _one_over_one_plus(expression: Expression) -> Expression:
    return tree.Binary("/", _ONE, _set_off(tree.Binary("+", _ONE, expression, _NOWHERE)), _NOWHERE)


def _set_off(expression: Expression) -> Expression:
    return tree.Parenthesized(expression, _NOWHERE)


_ROWS = (
    UnendingLaw(
        "geometric",
        lambda p, _: Geometric(p),
        "p",
        False,
        _geometric_chances,
        _geometric_moments,
        _least_chance,
        lambda p, last: bool(p * (last + 1) >= 1),
    ),
    UnendingLaw(
        "poisson",
        lambda rate, _: Poisson(rate),
        "rate",
        False,
        _poisson_chances,
        _poisson_moments,
        _greatest,
        lambda rate, last: bool(rate <= last),
    ),
    UnendingLaw(
        "discrete_laplace",
        DiscreteLaplace,
        "scale",
        True,
        _laplace_chances,
        _laplace_moments,
        _greatest,
        _laplace_falls,
    ),
)

UNENDING_LAWS: Mapping[str, UnendingLaw] = MappingProxyType({row.kind: row for row in _ROWS})
"""By their names."""
