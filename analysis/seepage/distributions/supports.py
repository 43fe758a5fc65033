"""Where the values of each named law lie, told by its word (:mod:`seepage.syntax.vocabulary.distributions`) and its arguments alone.

For all that bounds values without drawing them: between which numbers an expression lies, how large values get, which variables hold
whole numbers.
"""

from __future__ import annotations

from typing import TypeAlias

from seepage.semantics.binding import Bound
from seepage.semantics.signatures import CUT_LAWS, ROUNDS
from seepage.syntax.tree import Expression, Number
from seepage.syntax.vocabulary.distributions import DISTRIBUTIONS
from seepage.word import Support

Ends: TypeAlias = tuple[int | Expression, ...] | None
"""Numbers of which the least (the greatest) is an end of a support; None where it has none."""

_COUNT = Support(0, whole=True)


def support_of(law: str) -> Support | None:
    """Return where the values of a law lie, by its name; None where its arguments are its values, or that is not known of any."""
    if law == ROUNDS or law in CUT_LAWS:
        return _COUNT
    word = DISTRIBUTIONS.get(law)
    return None if word is None else word.values


def ends(bound: Bound) -> tuple[Ends, Ends]:
    """Return among which numbers the least and the greatest value of a law are."""
    support = support_of(bound.signature.name)
    if support is None:
        return bound.repeated or None, bound.repeated or None
    if bound.signature.name in CUT_LAWS:
        return (0,), (2 * len(bound.repeated),)
    if bound.repeated and support.high is None and bound.signature.support == "finite":
        return (0,), (len(bound.repeated) - 1,)
    low, high = (
        None if end is None else (end if isinstance(end, int) else bound.named[end],)
        for end in (support.low, support.high)
    )
    return low, high


def whole_ends(bound: Bound) -> tuple[int, int] | None:
    """Return between which whole numbers the values of a discrete law lie, where its text says so; None for other laws."""
    support, (low, high) = support_of(bound.signature.name), ends(bound)
    if support is None or not support.whole or low is None or high is None:
        return None
    least, greatest = (_written(each[0]) for each in (low, high))
    return None if least is None or greatest is None else (least, greatest)


def _written(end: int | Expression) -> int | None:
    if isinstance(end, int):
        return end
    return int(end.value) if isinstance(end, Number) and end.value.denominator == 1 else None
