"""What is known of a measure's number: a quantity with its bounds, and how two such meet."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeAlias

from flint import arb

from seepage.exact import precision
from seepage.measures.arithmetic import WORKING_BITS
from seepage.measures.enclosure import Enclosure
from seepage.measures.quantity import Quantity
from seepage.measures.result import Certainty

Claim: TypeAlias = Quantity


class ContradictionError(Exception):
    """Two claims of one number, of which one must be wrong: no number lies within the bounds of both."""


_WIDE = arb(1) / 1000  # times the number itself; bounds that meet: or 1 where that is less
_FINE = arb(10) ** -6  # likewise
_ROUNDING = arb(2) ** -40  # of ends that were floats on the way
_NOTHING = arb(2) ** -50  # nobody tells a smaller number from 0


def meet(one: Claim, other: Claim) -> Claim:
    """Return what two claims of one number say together: the bounds of both, and all else from the better one.

    Args:
        one: told where both are as good.
        other: of the same measure, in the same unit.

    Raises:
        ContradictionError: if they exclude each other by more than the rounding of their ends.
    """
    better, worse = (other, one) if _rank(other) < _rank(one) else (one, other)
    known = better.enclosure
    with precision(WORKING_BITS):
        lower, upper = known.lower.max(worse.enclosure.lower), known.upper.min(worse.enclosure.upper)
        if lower - upper > _ROUNDING * upper.abs_upper().max(arb(1)):
            raise ContradictionError
        if known.exact is not None or known.closed is not None:
            return better
        if not lower <= upper:  # both hold, up to rounding: one of them is a point
            return better
        if _same(lower, known.lower) and _same(upper, known.upper):
            return better
        is_bound = not (known.lower.is_finite() and known.upper.is_finite())
        if is_bound and _adds_nothing(known, worse.enclosure):
            return worse  # which has an estimate, too
        certainty = known.certainty
        is_open = certainty is Certainty.APPROXIMATE and _is_narrow(lower, upper)
        found = Enclosure.bounded(
            known.value, lower, upper, Certainty.CERTIFIED if is_open else certainty, notes=known.notes
        )
    return replace(better, enclosure=found, because=() if is_open else better.because)


def is_settled(claim: Claim) -> bool:
    """Tell whether a claim is good enough to look for no other: exact, or certified with bounds that are narrow beside the number itself."""
    return _is_known(claim, _WIDE)


def is_fine(claim: Claim) -> bool:
    """Tell whether a claim is as good as anybody asks for: where it is not, and time was why, it is worth more time."""
    return _is_known(claim, _FINE)


def _is_known(claim: Claim, share: arb) -> bool:
    known = claim.enclosure
    if known.certainty is Certainty.EXACT:
        return True
    if known.certainty is not Certainty.CERTIFIED or not (known.lower.is_finite() and known.upper.is_finite()):
        return False
    return bool(known.upper - known.lower <= (share * known.upper.abs_upper()).max(_NOTHING))


def _is_narrow(lower: arb, upper: arb) -> bool:
    return bool(upper.is_finite() and upper - lower <= _WIDE * upper.abs_upper().max(arb(1)))


def _rank(claim: Claim) -> tuple[int, float]:
    order = (Certainty.EXACT, Certainty.CERTIFIED, Certainty.APPROXIMATE)
    known = claim.enclosure
    width = (
        float((known.upper - known.lower).mid())
        if known.lower.is_finite() and known.upper.is_finite()
        else float("inf")
    )
    return order.index(known.certainty), width


def _adds_nothing(bound: Enclosure, known: Enclosure) -> bool:
    """Tell whether a bound narrows the ends of what is known by no more than rounding."""
    return _is_at_most(bound.lower, known.lower) and _is_at_most(known.upper, bound.upper)


def _is_at_most(one: arb, other: arb) -> bool:
    return bool(one <= other) or bool(one.is_finite() and one - other <= _ROUNDING * one.abs_upper().max(arb(1)))


def _same(one: arb, other: arb) -> bool:
    return bool(one == other)
