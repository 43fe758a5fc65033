"""Leak budgets: whether ``require M <= e`` holds, is violated, or cannot be told.

The bounds of the measure decide, never its estimate: it holds if every number between them satisfies the comparison, and is violated if none
does. At the very boundary only an exact value decides. An approximate measure decides nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType
from typing import Literal, TypeAlias

from seepage import exact
from seepage.exact import ArithmeticFault, CannotDecide, Number
from seepage.measures.result import Certainty, Result

Verdict: TypeAlias = Literal["holds", "violated", "cannot tell"]
Comparison: TypeAlias = Literal["<=", "<", ">=", ">", "=="]

_ACCEPTS: Mapping[str, Callable[[int], bool]] = MappingProxyType(
    {
        "<=": lambda sign: sign <= 0,
        "<": lambda sign: sign < 0,
        ">=": lambda sign: sign >= 0,
        ">": lambda sign: sign > 0,
        "==": lambda sign: sign == 0,
    }
)
_WORST_FIRST: Sequence[Verdict] = ("violated", "cannot tell", "holds")
OPPOSITE: Mapping[str, str] = MappingProxyType({"<=": ">", "<": "≥", ">=": "<", ">": "≤", "==": "≠"})


def verdict(result: Result, comparison: Comparison, bound: Number) -> Verdict:
    """Judge a budget by the bounds of a measure; ``bound`` is in the unit of ``result``."""
    return judged(result, comparison, bound)[0]


def judged(result: Result, comparison: Comparison, bound: Number) -> tuple[Verdict, Result]:
    """Judge a budget, and return the number that it is judged by.

    Where an attacker makes a measure smaller or larger, it must meet the budget at both ends: then it does for every strategy.
    """
    if result.minimum is None or result.maximum is None:
        return _verdict(result, comparison, bound), result
    at_most = _verdict(result.maximum, comparison, bound)
    at_least = _verdict(result.minimum, comparison, bound)
    if _WORST_FIRST.index(at_most) <= _WORST_FIRST.index(at_least):
        return at_most, result.maximum
    return at_least, result.minimum


def _verdict(result: Result, comparison: Comparison, bound: Number) -> Verdict:
    if result.certainty is Certainty.APPROXIMATE:
        return "cannot tell"
    accepts = _ACCEPTS[comparison]
    known = result.closed if result.exact is None else exact.number(result.exact)
    if known is not None:
        try:
            return "holds" if accepts(exact.compare(known, bound)) else "violated"
        except ArithmeticFault:
            pass  # its bounds may still tell
    return between(_sign(result.lower, bound), _sign(result.upper, bound), comparison)


def between(low: int | None, high: int | None, comparison: Comparison) -> Verdict:
    """Judge a comparison whose difference has one of the signs between two; None where an end is not known."""
    if low is None or high is None:
        return "cannot tell"
    possible = {_ACCEPTS[comparison](sign) for sign in range(low, high + 1)}
    if len(possible) > 1:
        return "cannot tell"
    return "holds" if possible.pop() else "violated"


def _sign(end: float, bound: Number) -> int | None:
    """Return the sign of ``end − bound``, None where it cannot be decided."""
    if math.isinf(end):
        return 1 if end > 0 else -1
    try:
        return exact.compare(exact.number(Fraction(end)), bound)
    except CannotDecide:
        return None
