"""``sum``, ``count``, ``argmax`` and their kind of values that are read, as expressions of the core."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias, cast

from seepage.rules import NOT_SUPPORTED, WRONG_ARGUMENTS
from seepage.source import Span
from seepage.syntax.lowering.facts import Refused
from seepage.syntax.lowering.forms import binary, conditional, folded, number
from seepage.syntax.raw import Raw
from seepage.syntax.tree import COMPARISONS, LOGICAL, Binary, Boolean, Call, Parenthesized

Counted: TypeAlias = Sequence[tuple[list[Raw], Raw]]
"""Values, each with the conditions under which it counts."""


def aggregate(function: str, counted: Counted, places: Sequence[int] | None, span: Span) -> Raw:
    """Return what an aggregate makes of values.

    Args:
        function: its name.
        counted: the values.
        places: the indices of the values, where they are those of an array; None where they are listed.
        span: of the call.

    Raises:
        Refused: of nothing, or of values under a condition where that is not in the language.
    """
    zero, one = number(0, span), number(1, span)

    def kept(value: Raw, conditions: list[Raw], otherwise: Raw) -> Raw:
        return conditional(folded("and", conditions), value, otherwise) if conditions else value

    match function:
        case "sum":
            parts = [kept(value, conditions, zero) for conditions, value in counted]
            return folded("+", parts) if parts else zero
        case "count":
            parts = [kept(value, conditions, zero) for conditions, value in counted]
            return folded("+", [_as_count(part, one, zero) for part in parts]) if parts else zero
        case "any":
            parts = [folded("and", [*conditions, value]) for conditions, value in counted]
            return folded("or", parts) if parts else Boolean(False, span)
        case "all":
            parts = [kept(value, conditions, Boolean(True, span)) for conditions, value in counted]
            return folded("and", parts) if parts else Boolean(True, span)
        case "length":
            parts = [kept(one, conditions, zero) for conditions, _ in counted]
            return folded("+", parts) if any(conditions for conditions, _ in counted) else number(len(parts), span)
        case "mean":
            total = aggregate("sum", counted, places, span)
            return binary("/", total, aggregate("length", counted, places, span))
        case _:
            return _extreme(function, counted, range(len(counted)) if places is None else places, span)


def _extreme(function: str, counted: Counted, places: Sequence[int], span: Span) -> Raw:
    if any(conditions for conditions, _ in counted):
        raise Refused(
            NOT_SUPPORTED, span, f"'{function}' of values under a random condition is not in the language yet"
        )
    if not counted:
        raise Refused(WRONG_ARGUMENTS, span, f"'{function}' of nothing is not defined")
    values = [value for _, value in counted]
    if function in ("min", "max"):
        return values[0] if len(values) == 1 else Call(function, tuple(cast("Any", values)), span, span)
    if function == "sort":
        raise Refused(WRONG_ARGUMENTS, span, "'sort' is an array, expected one value")
    # The first index of the best value: better than all before it, no worse than all behind.
    better, as_good = (">", ">=") if function == "argmax" else ("<", "<=")
    result: Raw = number(places[-1], span)
    for at in range(len(values) - 2, -1, -1):
        tests = [
            binary(cast("Any", better if other < at else as_good), values[at], value)
            for other, value in enumerate(values)
            if other != at
        ]
        result = conditional(folded("and", tests), number(places[at], span), result)
    return result


def ascending(values: list[Raw], span: Span) -> list[Raw]:
    """Return values from the least to the greatest.

    Raises:
        Refused: of more than eight.
    """
    if len(values) > 8:
        raise Refused(NOT_SUPPORTED, span, "'sort' of more than 8 values is not in the language yet")
    return [_ranked(values, at) for at in range(len(values))]


def _ranked(values: list[Raw], rank: int) -> Raw:
    """Return the value with so many before it, equal ones in the order of their places."""
    result = values[-1]
    for at in range(len(values) - 2, -1, -1):
        before = [
            binary("<=" if other < at else "<", value, values[at]) for other, value in enumerate(values) if other != at
        ]
        here = binary("==", folded("+", before), number(rank, values[at].span))
        result = conditional(here, values[at], result)
    return result


def _as_count(part: Raw, one: Raw, zero: Raw) -> Raw:
    """Return a truth value as a number: what is surely one stays, so that sums are seen as such."""
    inner = part.inner if isinstance(part, Parenthesized) else part
    is_truth = isinstance(inner, Binary) and (inner.operator in COMPARISONS or inner.operator in LOGICAL)
    return part if is_truth else conditional(part, one, zero)
