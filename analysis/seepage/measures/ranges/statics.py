"""Adds what a budget says beside measures, numbers and functions of the parameters, to a sum of logarithms."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from seepage import exact
from seepage.algebra import Quotient, plus, times
from seepage.exact import Number
from seepage.measures.formulas.symbolic import LogarithmSum
from seepage.semantics.evaluate import evaluate
from seepage.semantics.substitute import is_closed
from seepage.syntax import tree
from seepage.syntax.tree import (
    Expression,
)


def add_static(
    total: LogarithmSum,
    factor: Fraction,
    expression: Expression,
    per_unit: Number,
    meaning: Callable[[Expression], Quotient],
) -> None:
    """Add ``factor · expression · per_unit``; logarithms of whole numbers join those of the measure."""
    alphabet = total.alphabet
    value = closed_value(expression)
    parts = None if value is None else exact.logarithms(exact.mul(value, per_unit))
    if parts is not None:
        rational, primes = parts
        total.linear = plus(total.linear, alphabet.number(factor * rational))
        for prime, count in primes.items():
            known = total.primes.get(prime, alphabet.number(0))
            total.primes[prime] = plus(known, alphabet.number(factor * count))
        return
    if per_unit == 1 and _add_logarithms(total, factor, expression, meaning):
        return
    if _add_parts(total, factor, expression, per_unit, meaning):
        return
    translated = times(alphabet.number(factor), meaning(expression))
    if per_unit == 1:
        total.linear = plus(total.linear, translated)
    else:
        total.primes[2] = plus(total.primes.get(2, alphabet.number(0)), translated)


def _add_parts(
    total: LogarithmSum,
    factor: Fraction,
    expression: Expression,
    per_unit: Number,
    meaning: Callable[[Expression], Quotient],
) -> bool:
    """Add a sum term by term, and what a number such as ``1/log(2)`` is a factor of in another unit; tell whether it is one."""
    match expression:
        case tree.Parenthesized(inner=inner):
            add_static(total, factor, inner, per_unit, meaning)
        case tree.Unary(operator="-", operand=operand):
            add_static(total, -factor, operand, per_unit, meaning)
        case tree.Binary(operator="+" | "-", left=left, right=right):
            add_static(total, factor, left, per_unit, meaning)
            add_static(total, factor if expression.operator == "+" else -factor, right, per_unit, meaning)
        case tree.Binary(operator="*" | "/", left=left, right=right) if (value := closed_value(right)) is not None:
            unit = exact.mul(per_unit, value) if expression.operator == "*" else exact.div(per_unit, value)
            return _add_in_unit(total, factor, left, unit, meaning)
        case tree.Binary(operator="*", left=left, right=right) if (value := closed_value(left)) is not None:
            return _add_in_unit(total, factor, right, exact.mul(per_unit, value), meaning)
        case _:
            return False
    return True


def _add_in_unit(
    total: LogarithmSum,
    factor: Fraction,
    expression: Expression,
    unit: Number,
    meaning: Callable[[Expression], Quotient],
) -> bool:
    """Add ``factor · unit · expression``, if the unit is a sum of logarithms of whole numbers; tell whether it is."""
    parts = exact.logarithms(unit)
    if parts is None:
        return False
    rational, primes = parts
    translated = times(total.alphabet.number(factor), meaning(expression))
    total.linear = plus(total.linear, times(total.alphabet.number(rational), translated))
    for prime, count in primes.items():
        known = total.primes.get(prime, total.alphabet.number(0))
        total.primes[prime] = plus(known, times(total.alphabet.number(count), translated))
    return True


def _add_logarithms(
    total: LogarithmSum, factor: Fraction, expression: Expression, meaning: Callable[[Expression], Quotient]
) -> bool:
    """Add a sum whose terms are logarithms with rational factors, among others, term by term; tell whether it is one."""
    match expression:
        case tree.Parenthesized(inner=inner):
            return _add_logarithms(total, factor, inner, meaning)
        case tree.Call(function="log", arguments=(argument,)):
            total.add(total.alphabet.number(factor), meaning(argument))
        case tree.Unary(operator="-", operand=operand):
            add_static(total, -factor, operand, 1, meaning)
        case tree.Binary(operator="+" | "-", left=left, right=right):
            add_static(total, factor, left, 1, meaning)
            add_static(total, factor if expression.operator == "+" else -factor, right, 1, meaning)
        case tree.Binary(operator="*", left=tree.Number(value=number), right=right):
            add_static(total, factor * number, right, 1, meaning)
        case _:
            return False
    return True


def closed_value(expression: Expression) -> Number | None:
    """Return the value of an expression without parameters, None for one with."""
    return evaluate(expression, {}) if is_closed(expression) else None
