"""Exact numbers as expressions: what a weight that was computed exactly is written as in a core program."""

from __future__ import annotations

from fractions import Fraction
from functools import reduce

from seepage.exact import Generator, Irrational, Monomial, Number, Sum
from seepage.source import Span
from seepage.syntax import tree
from seepage.syntax.tree import Expression

_NOWHERE = Span(0, 0)


def expression_of(value: Number) -> Expression:
    """Return an expression whose value is an exact number; it names nothing."""
    if not isinstance(value, Irrational):
        return tree.Number(Fraction(value), _NOWHERE)
    return tree.Binary("/", _sum(value.numerator), _sum(value.denominator), _NOWHERE)


def _sum(terms: Sum) -> Expression:
    parts = [_term(monomial, coefficient) for monomial, coefficient in terms.items()]
    return reduce(lambda one, other: tree.Binary("+", one, other, _NOWHERE), parts)


def _term(monomial: Monomial, coefficient: Fraction) -> Expression:
    factors = [tree.Number(coefficient, _NOWHERE), *(_factor(*each) for each in monomial)]
    return reduce(lambda one, other: tree.Binary("*", one, other, _NOWHERE), factors)


def _factor(generator: Generator, exponent: Fraction) -> Expression:
    power = tree.Number(exponent, _NOWHERE)
    if generator.kind == "e":
        return tree.Call("exp", (power,), _NOWHERE, _NOWHERE)
    inner = expression_of(generator.of)
    if generator.kind != "root":
        inner = tree.Call(generator.kind, (inner,), _NOWHERE, _NOWHERE)
    return tree.Binary("^", inner, power, _NOWHERE)
