"""How enclosures add up, and how far they hold: sums, differences, clips by known facts, and the honest bounds of approximations."""

from __future__ import annotations

from dataclasses import replace

from flint import arb

from seepage.engines.outcome import MixtureJoint
from seepage.measures.enclosure import Enclosure
from seepage.measures.result import Certainty

_ORDER = (Certainty.EXACT, Certainty.CERTIFIED, Certainty.APPROXIMATE)


def infinite(sign: int, note: str) -> Enclosure:
    """Return the enclosure of plus or minus infinity, known exactly."""
    value = arb.pos_inf() if sign > 0 else arb.neg_inf()
    return Enclosure(value, value, value, Certainty.EXACT, None, (note,))


def between(lower: arb, upper: arb, note: str) -> Enclosure:
    """Return the enclosure of a number of which only bounds are known; its value is their middle, or the finite one of them."""
    low, high = lower.lower(), upper.upper()
    if low.is_finite() and high.is_finite():
        value = ((low + high) / 2).mid()
    else:
        value = low if low.is_finite() else high
    return Enclosure(value, low, high, Certainty.CERTIFIED, None, (note,))


def add(*terms: Enclosure) -> Enclosure:
    """Return the sum; as certain as its least certain term."""
    value, lower, upper = arb(0), arb(0), arb(0)
    for term in terms:
        value, lower, upper = value + term.value, lower + term.lower, upper + term.upper
    return _enclosure(value, lower, upper, terms)


def subtract(a: Enclosure, b: Enclosure) -> Enclosure:
    """Return a − b for finite a, b."""
    return _enclosure(a.value - b.value, a.lower - b.upper, a.upper - b.lower, (a, b))


def times(factor: arb, term: Enclosure) -> Enclosure:
    """Return the product with a positive factor."""
    if not term.value.is_finite():
        return term
    return _enclosure(factor * term.value, factor * term.lower, factor * term.upper, (term,))


def _enclosure(value: arb, lower: arb, upper: arb, terms: tuple[Enclosure, ...]) -> Enclosure:
    # Infinities do not mix here: a sum of +inf and finite terms is +inf; arb gives [+/- inf] for what it cannot tell.
    certainty = max((term.certainty for term in terms), key=_ORDER.index, default=Certainty.EXACT)
    notes = tuple(dict.fromkeys(note for term in terms for note in term.notes))
    infinite_terms = [term.value for term in terms if not term.value.is_finite()]
    if infinite_terms:
        value = infinite_terms[0]
        return Enclosure(value, value, value, certainty, None, notes)
    low, high = lower.lower(), upper.upper()
    return _inside(Enclosure(value.mid(), low, high, certainty, None, notes))


def _inside(enclosure: Enclosure) -> Enclosure:
    if enclosure.value < enclosure.lower:
        return replace(enclosure, value=enclosure.lower)
    if enclosure.value > enclosure.upper:
        return replace(enclosure, value=enclosure.upper)
    return enclosure


def clip(enclosure: Enclosure, lower: arb | None = None, upper: arb | None = None) -> Enclosure:
    """Intersect with what is known from elsewhere: the true value is at least ``lower`` and at most ``upper``."""
    low, high = enclosure.lower, enclosure.upper
    if lower is not None and low < lower:
        low = lower.lower()
    if upper is not None and high > upper:
        high = upper.upper()
    return _inside(replace(enclosure, lower=low, upper=high))


def note(enclosure: Enclosure, *sentences: str) -> Enclosure:
    """Add sentences for people."""
    return replace(enclosure, notes=tuple(dict.fromkeys((*enclosure.notes, *sentences))))


def honest(
    enclosure: Enclosure, *joints: MixtureJoint, lower: arb | None = None, upper: arb | None = None
) -> Enclosure:
    """Return the enclosure as it is if the joints are exact; else the approximation's value within bounds that hold for the truth.

    Nothing is known of how far the Gaussian approximation is off, so only ``lower`` and ``upper``, which hold for every law, are left.
    """
    if not any(joint.approximations for joint in joints):
        return enclosure
    low = arb.neg_inf() if lower is None else lower
    high = arb.pos_inf() if upper is None else upper
    return _inside(Enclosure(enclosure.value, low, high, Certainty.APPROXIMATE, None, enclosure.notes))
