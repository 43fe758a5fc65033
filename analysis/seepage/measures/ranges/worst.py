"""Which of some points of the ranges is the worst for a budget, and whether that is proved."""

from __future__ import annotations

from flint import arb

from seepage import exact
from seepage.data_classes import dataclass
from seepage.exact import ArithmeticFault, Number
from seepage.measures.requirement import Comparison
from seepage.measures.result import Certainty, Result


@dataclass(frozen=True, slots=True)
class Excess:
    """How far a measure is beyond its bound at one point.

    Attributes:
        low: at least so far.
        high: at most so far.
        known: exactly so far, where that is known.
    """

    low: arb
    high: arb
    known: Number | None = None

    def is_no_less(self, other: Excess) -> bool:
        """Tell whether this is proved to be as great as another."""
        if self.low >= other.high:
            return True
        if self.known is None or other.known is None:
            return False
        try:
            return exact.compare(self.known, other.known) >= 0
        except ArithmeticFault:
            return False


def excess_of(result: Result, comparison: Comparison, bound: Number) -> Excess | None:
    """Return how far a result is beyond the bound of a budget, in the unit of the result; None for one that is only approximate."""
    if result.certainty is Certainty.APPROXIMATE:
        return None
    limit = exact.enclose(bound)
    low, high = arb(result.lower) - limit, arb(result.upper) - limit
    value = result.closed if result.exact is None else exact.number(result.exact)
    try:
        known = None if value is None else exact.sub(value, bound)
    except ArithmeticFault:
        known = None
    if comparison in (">=", ">"):
        return Excess(-high, -low, None if known is None else exact.neg(known))
    if comparison == "==":
        # On one side of the bound the distance to it, else up to the greater one.
        far = abs(low).max(abs(high))
        return Excess(low if low >= 0 else -high if high <= 0 else arb(0), far)
    return Excess(low, high, known)
