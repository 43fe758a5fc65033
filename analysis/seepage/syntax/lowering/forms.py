"""Making expressions of the core, and what is known of a value without running anything."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import fields, is_dataclass, replace
from fractions import Fraction
from typing import Any, cast

from seepage.exact.symbols import number_of
from seepage.source import Span
from seepage.syntax.raw import Raw, RawSymbol
from seepage.syntax.tree import (
    Binary,
    BinaryOperator,
    Boolean,
    Call,
    Conditional,
    Name,
    Number,
    Parenthesized,
    Placed,
    Unary,
    is_made,
)

_MOST_BITS = 4_000
_COMPARISONS = frozenset(("==", "!=", "<", "<=", ">", ">="))
_ARITHMETIC = ("+", "-", "*", "/", "%", "^")


def number(value: int | Fraction, span: Span) -> Number:
    """Return a literal."""
    return Number(Fraction(value), span)


def binary(operator: BinaryOperator, left: Raw, right: Raw) -> Raw:
    """Return an operation, whose operands may still hold what is no expression of the core."""
    first, second = (grouped(left), grouped(right)) if operator in _COMPARISONS else (left, right)
    return Binary(operator, cast("Any", first), cast("Any", second), left.span.cover(right.span))


def grouped(raw: Raw) -> Raw:
    """Return a comparison in parentheses, where it is an operand that nobody wrote as a chain; anything else as it is."""
    match raw:
        case Binary(operator=operator, span=span) if operator in _COMPARISONS:
            return Parenthesized(cast("Any", raw), span)
        case _:
            return raw


def conditional(condition: Raw, consequent: Raw, alternative: Raw) -> Raw:
    """Return an expression by cases."""
    known = static(condition)
    if known is not None:
        return consequent if known else alternative
    first, second, third = cast("Any", (condition, consequent, alternative))
    return Conditional(first, second, third, condition.span)


def negation(operand: Raw) -> Raw:
    """Return ``not operand``."""
    return Unary("not", cast("Any", operand), operand.span)


def folded(operator: BinaryOperator, parts: Sequence[Raw]) -> Raw:
    """Join parts, at least one, as a balanced tree: a long chain would be nested too deeply."""
    level = list(parts)
    while len(level) > 1:
        pairs = [binary(operator, level[at], level[at + 1]) for at in range(0, len(level) - 1, 2)]
        level = [*pairs, *level[len(level) - len(level) % 2 :]]
    return level[0]


def respanned(raw: Any, span: Span) -> Any:
    """Return a node all of whose places are one: what is written elsewhere is told of where it is used."""
    if isinstance(raw, tuple) and not hasattr(raw, "_fields"):
        return tuple(respanned(one, span) for one in raw)
    if not is_dataclass(raw) or isinstance(raw, Span | type):
        return raw
    changes = {
        field.name: span if field.name == "span" or field.name.endswith("_span") else respanned(value, span)
        for field in fields(raw)
        if isinstance(value := getattr(raw, field.name), tuple | Span) or is_dataclass(value)
    }
    return replace(raw, **changes) if changes else raw


def static(raw: Raw) -> Fraction | None:
    """Return the value of an expression of literals, None if it has none that is known here; booleans are 0 and 1."""
    match raw:
        case Number(value):
            return value
        case Boolean(truth):
            return Fraction(truth)
        case RawSymbol(text):
            return number_of(text)
        case Parenthesized(inner):
            return static(inner)
        case Unary(operator, operand):
            known = static(operand)
            if known is None:
                return None
            return -known if operator == "-" else 1 - known
        case Binary(operator, left, right):
            return _operation(operator, left, right)
        case Conditional(condition, consequent, alternative):
            known = static(condition)
            return None if known is None else static(consequent if known else alternative)
        case Call(function, arguments):
            values = [static(one) for one in arguments]
            return None if None in values else _call(function, cast("list[Fraction]", values))
        case Name():
            return None
        case _:
            return None


def _operation(operator: str, left: Raw, right: Raw) -> Fraction | None:
    a = static(left)
    if a is not None and ((operator == "and" and not a) or (operator == "or" and a)):
        return a
    b = static(right)
    if a is None or b is None:
        return None
    match operator:
        case "+":
            return a + b
        case "-":
            return a - b
        case "*":
            return a * b
        case "/":
            return a / b if b else None
        case "%":
            return a - b * math.floor(a / b) if b else None
        case "^":
            small = b.denominator == 1 and abs(b) < _MOST_BITS and (a.numerator.bit_length() * abs(b) < _MOST_BITS)
            return Fraction(a**b.numerator) if small and (a or b >= 0) else None
        case "==":
            return Fraction(a == b)
        case "!=" | "xor":
            return Fraction(a != b)
        case "<":
            return Fraction(a < b)
        case "<=":
            return Fraction(a <= b)
        case ">":
            return Fraction(a > b)
        case ">=":
            return Fraction(a >= b)
        case "and" | "or":
            return b
        case _:
            return None


def _call(function: str, values: Sequence[Fraction]) -> Fraction | None:
    match function, values:
        case "min", [_, *_]:
            return min(values)
        case "max", [_, *_]:
            return max(values)
        case "abs", [one]:
            return abs(one)
        case "floor", [one]:
            return Fraction(math.floor(one))
        case "ceil", [one]:
            return Fraction(math.ceil(one))
        case (("bit_xor" | "bit_and" | "bit_or" | "shift_left" | "shift_right"), [a, b]) if _are_counts(values):
            x, y = a.numerator, b.numerator
            if function.startswith("shift"):
                return Fraction(x >> y if function == "shift_right" else x << y) if y < _MOST_BITS else None
            return Fraction(x ^ y if function == "bit_xor" else x & y if function == "bit_and" else x | y)
        case "popcount", [a] if _are_counts(values):
            return Fraction(a.numerator.bit_count())
        case _:
            return None


def _are_counts(values: Sequence[Fraction]) -> bool:
    return all(one.denominator == 1 and one >= 0 for one in values)


def integer(raw: Raw) -> int | None:
    """Return a whole number that is known here."""
    value = static(raw)
    return value.numerator if value is not None and value.denominator == 1 else None


def replace_item(item: Placed, name: str) -> Placed:
    """Return the place of a statement without its documentation where a variable of no text is written."""
    return Placed(item.node, item.start, "") if is_made(name) else item
