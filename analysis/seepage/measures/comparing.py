"""Comparisons of results with numbers and with each other, as Python writes them: answered where the bounds decide, else an error."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, cast

from seepage import exact
from seepage.exact import ArithmeticFault, Number
from seepage.measures.parameters import read_number
from seepage.measures.requirement import Comparison, Verdict, between, verdict
from seepage.measures.result import Certainty, Result, UndecidedError

_NOT_COMPARABLE = cast("bool", NotImplemented)  # as the methods of Python's operators return it


def decided(result: Result, comparison: Comparison, other: Any) -> bool:  # whatever stands on the other side
    """Tell whether the true value of a result compares so with a number, in the unit of the result, or with that of another result.

    Returns:
        The answer; ``NotImplemented`` for what is neither a number nor a result, so that Python answers for itself.

    Raises:
        UndecidedError: if the bounds do not decide it, the result is approximate, or the units of two results differ.
    """
    if isinstance(other, Result):
        found = _of_results(result, comparison, other)
    elif isinstance(other, float) and math.isinf(other):
        found = _of_ends(result, comparison, (other, other))
    elif isinstance(other, str):
        return _NOT_COMPARABLE
    else:
        try:
            number = read_number(other, {})
        except ValueError:
            return _NOT_COMPARABLE
        found = verdict(result, comparison, number)
    if found == "cannot tell":
        reason = "the bounds do not decide"
        if Certainty.APPROXIMATE in (result.certainty, getattr(other, "certainty", None)):
            reason = "an approximate number does not decide"
        raise UndecidedError(
            f"{reason} whether {result} {comparison} {other}; compare its lower or upper, or its value"
        )
    return found == "holds"


def _of_results(result: Result, comparison: Comparison, other: Result) -> Verdict:
    if result.unit != other.unit:
        units = " and ".join(f"'{each.unit}'" if each.unit else "no unit" for each in (result, other))
        raise UndecidedError(f"found {units}, expected numbers of one unit: {result} {comparison} {other}")
    known, against = _known(result), _known(other)
    if known is not None and against is not None:
        try:
            sign = exact.compare(known, against)
            return between(sign, sign, comparison)
        except ArithmeticFault:
            pass  # the bounds may still tell
    if other.certainty is Certainty.APPROXIMATE:
        return "cannot tell"
    return _of_ends(result, comparison, (other.lower, other.upper))


def _known(result: Result) -> Number | None:
    """Return the true value, where it is known in closed form."""
    return result.closed if result.exact is None else exact.number(Fraction(result.exact))


def _of_ends(result: Result, comparison: Comparison, ends: tuple[float, float]) -> Verdict:
    """Judge by the bounds of both sides: their difference lies between those of opposite ends."""
    if result.certainty is Certainty.APPROXIMATE:
        return "cannot tell"
    low, high = ends
    return between(_sign(result.lower, high), _sign(result.upper, low), comparison)


def _sign(first: float, second: float) -> int:
    return (first > second) - (first < second)
