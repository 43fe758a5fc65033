"""How far enclosures of mixtures hold: infinities, numbers of which only bounds are known, known facts, and honest bounds of approximations.

Sums and products are those of :mod:`seepage.measures.arithmetic`.
"""

from __future__ import annotations

from dataclasses import replace

from flint import arb

from seepage.engines.outcome import MixtureJoint
from seepage.measures.enclosure import Enclosure
from seepage.measures.notes import Note, NoteKind
from seepage.measures.quoting import is_narrow
from seepage.measures.result import Certainty


def infinite(sign: int, note: Note) -> Enclosure:
    """Return the enclosure of plus or minus infinity, known exactly."""
    value = arb.pos_inf() if sign > 0 else arb.neg_inf()
    return Enclosure(value, value, value, Certainty.EXACT, None, (note,))


def between(lower: arb, upper: arb, *notes: Note) -> Enclosure:
    """Return the enclosure of a number of which only bounds are known; its value is their middle, or the finite one of them."""
    low, high = lower.lower(), upper.upper()
    if low.is_finite() and high.is_finite():
        value = ((low + high) / 2).mid()
    else:
        value = low if low.is_finite() else high
    return Enclosure(value, low, high, Certainty.CERTIFIED, None, notes)


def clip(enclosure: Enclosure, lower: arb | None = None, upper: arb | None = None) -> Enclosure:
    """Intersect with what is known from elsewhere: the true value is at least ``lower`` and at most ``upper``.

    Notes on why there is no upper bound are dropped where there is one now.
    """
    low, high, notes = enclosure.lower, enclosure.upper, enclosure.notes
    if lower is not None and low < lower:
        low = lower.lower()
    if upper is not None and high > upper:
        high = upper.upper()
    if high.is_finite() and not enclosure.upper.is_finite():
        notes = tuple(each for each in notes if each.kind is not NoteKind.NO_UPPER_BOUND)
    known = (enclosure.certainty, enclosure.exact, notes, enclosure.estimated)
    return Enclosure.bounded(enclosure.value, low, high, *known)


def note(enclosure: Enclosure, *sentences: Note) -> Enclosure:
    """Add sentences for people."""
    return replace(enclosure, notes=tuple(dict.fromkeys((*enclosure.notes, *sentences))))


def honest(
    enclosure: Enclosure, *joints: MixtureJoint, lower: arb | None = None, upper: arb | None = None
) -> Enclosure:
    """Return the enclosure as it is if the joints are exact; else the approximation's value within bounds that hold for the truth.

    Nothing is known of how far the Gaussian approximation is off, so only ``lower`` and ``upper``, which hold for every law, are left. Its value is an
    estimate where it is finite and known itself: the middle of wide bounds of an approximation estimates nothing.
    """
    if not any(joint.approximations for joint in joints):
        return enclosure
    low = arb.neg_inf() if lower is None else lower
    high = arb.pos_inf() if upper is None else upper
    estimated = enclosure.value.is_finite() and is_narrow(enclosure, high - low)
    return Enclosure.bounded(enclosure.value, low, high, Certainty.APPROXIMATE, None, enclosure.notes, estimated)
