"""Ends of the domains of parameters in conditions, in the notation of formulas: ``p ≥ −1/3``, ``eps < ln(324/197)``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from math import lcm

from seepage.engines.signs import EVERYWHERE
from seepage.exact import Generator, Irrational, Number, compare, show, spelled, to_fraction
from seepage.measures.formulas.condition import Condition, Sign, relating
from seepage.measures.formulas.text import text_of
from seepage.measures.formulas.tree import (
    Euler,
    Logarithm,
    Node,
    Root,
    Symbol,
    numeral,
    power_of,
    product_of,
    ratio_of,
    sum_of,
)
from seepage.semantics.checked import Domain

_LONGEST = 10**9  # of the numbers in one logarithm that stands for a sum of several


def relation(name: str, sign: Sign, value: Number) -> Condition:
    """Return ``p ≥ 1/3``."""
    short = isinstance(value, Irrational) or show(value) == spelled(value)
    node = node_of(value)
    return relating(Symbol(name), sign, node, f"{name} {sign} {text_of(node) if short else show(value)}")


def narrowing(name: str, whole: Domain | None, part: Domain) -> Iterator[Condition]:
    """Yield what narrows one domain to another: ``t ≥ 3`` and ``t < 4``, or ``t = 3``."""
    before = whole or EVERYWHERE
    low = part.low if (part.low, part.low_closed) != (before.low, before.low_closed) else None
    high = part.high if (part.high, part.high_closed) != (before.high, before.high_closed) else None
    if low is not None and high is not None and compare(low, high) == 0:
        yield relation(name, "=", low)
        return
    if low is not None:
        yield relation(name, "≥" if part.low_closed else ">", low)
    if high is not None:
        yield relation(name, "≤" if part.high_closed else "<", high)


def node_of(value: Number) -> Node:
    """Return a number as a formula."""
    fraction = to_fraction(value)
    if fraction is not None:
        return numeral(fraction)
    if not isinstance(value, Irrational):
        raise AssertionError(f"{value!r} is neither rational nor irrational")
    return ratio_of(_sum(value.numerator), _sum(value.denominator))


_Terms = Mapping[frozenset[tuple[Generator, Fraction]], Fraction]


def _sum(terms: _Terms) -> Node:
    joined = _one_logarithm(terms)
    if joined is not None:
        return joined
    spelled: list[tuple[bool, Node]] = []
    for monomial, coefficient in terms.items():
        factors = sorted((_factor(generator, exponent) for generator, exponent in monomial), key=text_of)
        spelled.append((coefficient < 0, product_of(numeral(abs(coefficient)), *factors)))
    return sum_of(sorted(spelled, key=lambda term: text_of(term[1])))


def _one_logarithm(terms: _Terms) -> Node | None:
    """Return ``1/2·ln(8/5)`` for a sum of rational multiples of logarithms of integers, if it is short."""
    shared = lcm(*(coefficient.denominator for coefficient in terms.values()))
    product = Fraction(1)
    for monomial, coefficient in terms.items():
        power = int(coefficient * shared)
        if len(monomial) != 1 or abs(power) > _LONGEST.bit_length():
            return None
        ((generator, exponent),) = monomial
        if generator.kind != "log" or exponent != 1 or not isinstance(generator.of, int):
            return None
        product *= Fraction(generator.of) ** power
        if max(product.numerator, product.denominator) > _LONGEST:
            return None
    logarithm = Logarithm(numeral(max(product, 1 / product)), "nats")
    return sum_of([(product < 1, product_of(numeral(Fraction(1, shared)), logarithm))])


def _factor(generator: Generator, exponent: Fraction) -> Node:
    match generator.kind:
        case "e":
            return power_of(Euler(), numeral(exponent))
        case "exp":
            return power_of(Euler(), product_of(numeral(exponent), node_of(generator.of)))
        case "root" if exponent == Fraction(1, 2):
            return Root(node_of(generator.of))
        case "root":
            return power_of(node_of(generator.of), numeral(exponent))
        case _:
            return power_of(Logarithm(node_of(generator.of), "nats"), numeral(exponent))
