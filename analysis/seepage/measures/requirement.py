"""Leak budgets: whether ``require M <= e`` holds, is violated, or cannot be told.

The bounds of the measure decide, never its estimate: it holds if every number between them satisfies the comparison, and is violated if none
does. At the very boundary only an exact value decides. An approximate measure decides nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType
from typing import Literal, Protocol, Self, TypeAlias, TypeVar

from seepage import exact
from seepage.exact import ArithmeticFault, CannotDecide, Irrational, Number
from seepage.measures.certainty import Certainty

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


class Bounded(Protocol):
    """A number with guaranteed bounds, as :class:`~seepage.measures.result.Result` has them, which says what they mean."""

    @property
    def unit(self) -> str:
        """In what the numbers are."""
        ...

    @property
    def lower(self) -> float:
        """At most the true value."""
        ...

    @property
    def upper(self) -> float:
        """At least the true value."""
        ...

    @property
    def certainty(self) -> Certainty:
        """How far to trust them."""
        ...

    @property
    def exact(self) -> Fraction | None:
        """The value, where it is a rational."""
        ...

    @property
    def closed(self) -> Irrational | None:
        """The value in closed form, where it is irrational."""
        ...

    @property
    def minimum(self) -> Self | None:
        """The least number, where an attacker chooses."""
        ...

    @property
    def maximum(self) -> Self | None:
        """Likewise the largest."""
        ...


B = TypeVar("B", bound=Bounded)


def verdict(result: Bounded, comparison: Comparison, bound: Number) -> Verdict:
    """Judge a budget by the bounds of a measure; ``bound`` is in the unit of ``result``."""
    return judged(result, comparison, bound)[0]


def judged(result: B, comparison: Comparison, bound: Number) -> tuple[Verdict, B]:
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


def _verdict(result: Bounded, comparison: Comparison, bound: Number) -> Verdict:
    if result.certainty is Certainty.APPROXIMATE:
        return "cannot tell"
    accepts = _ACCEPTS[comparison]
    known = known_of(result)
    if known is not None:
        try:
            return "holds" if accepts(exact.compare(known, bound)) else "violated"
        except ArithmeticFault:
            pass  # its bounds may still tell
    return between(_sign(result.lower, bound), _sign(result.upper, bound), comparison)


def known_of(result: Bounded) -> Number | None:
    """Return the true value, where it is known in closed form."""
    return result.closed if result.exact is None else exact.number(result.exact)


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
