"""Comparisons of results with numbers and with each other, as Python writes them: answered where the bounds decide, else an error."""

from __future__ import annotations

import math
from typing import Any, cast

from seepage import exact
from seepage.exact import ArithmeticFault
from seepage.measures.certainty import Certainty
from seepage.measures.parameters import read_number
from seepage.measures.requirement import Bounded, Comparison, Verdict, between, known_of, verdict

_NOT_COMPARABLE = cast("bool", NotImplemented)  # as the methods of Python's operators return it


class UndecidedError(ValueError):
    """A comparison that the bounds of a result do not decide."""


def decided(result: Bounded, comparison: Comparison, other: Any) -> bool:  # whatever stands on the other side
    """Tell whether the true value of a result compares so with a number, in the unit of the result.

    Returns:
        The answer; ``NotImplemented`` for what is no number, so that Python answers for itself.

    Raises:
        UndecidedError: if the bounds do not decide it, or the result is approximate.
    """
    if isinstance(other, str):
        return _NOT_COMPARABLE
    if isinstance(other, float) and math.isinf(other):
        return _told(_of_ends(result, comparison, (other, other)), result, comparison, other)
    try:
        number = read_number(other, {})
    except ValueError:
        return _NOT_COMPARABLE
    return _told(verdict(result, comparison, number), result, comparison, other)


def ordered(result: Bounded, comparison: Comparison, other: Bounded) -> bool:
    """Tell whether the true values of two results compare so.

    Raises:
        UndecidedError: if the bounds do not decide it, one of them is approximate, or their units differ.
    """
    if result.unit != other.unit:
        units = " and ".join(f"'{each.unit}'" if each.unit else "no unit" for each in (result, other))
        raise UndecidedError(f"found {units}, expected numbers of one unit: {result} {comparison} {other}")
    is_open = Certainty.APPROXIMATE in (result.certainty, other.certainty)
    return _told(_of_results(result, comparison, other), result, comparison, other, is_open)


def _told(found: Verdict, result: Bounded, comparison: Comparison, other: object, is_open: bool = False) -> bool:
    if found == "cannot tell":
        reason = "the bounds do not decide"
        if is_open or result.certainty is Certainty.APPROXIMATE:
            reason = "an approximate number does not decide"
        raise UndecidedError(
            f"{reason} whether {result} {comparison} {other}; compare its lower or upper, or its value"
        )
    return found == "holds"


def _of_results(result: Bounded, comparison: Comparison, other: Bounded) -> Verdict:
    known, against = known_of(result), known_of(other)
    if known is not None and against is not None:
        try:
            sign = exact.compare(known, against)
            return between(sign, sign, comparison)
        except ArithmeticFault:
            pass  # the bounds may still tell
    if other.certainty is Certainty.APPROXIMATE:
        return "cannot tell"
    return _of_ends(result, comparison, (other.lower, other.upper))


def _of_ends(result: Bounded, comparison: Comparison, ends: tuple[float, float]) -> Verdict:
    """Judge by the bounds of both sides: their difference lies between those of opposite ends."""
    if result.certainty is Certainty.APPROXIMATE:
        return "cannot tell"
    low, high = ends
    return between(_sign(result.lower, high), _sign(result.upper, low), comparison)


def _sign(first: float, second: float) -> int:
    return (first > second) - (first < second)
