"""From a ball to an enclosure."""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from seepage.measures.enclosure import Enclosure
from seepage.measures.result import Certainty


def certified(found: arb, least: arb | None = None, most: arb | None = None) -> Enclosure | None:
    """Return a ball as an enclosure within known limits, exact where it is a point, None if it says nothing."""
    if found == arb.pos_inf() or found == arb.neg_inf():
        return Enclosure(found, found, found, Certainty.EXACT)
    if not found.is_finite():
        return None
    if found.is_exact():
        mantissa, exponent = (int(part) for part in found.man_exp())
        return Enclosure.of_rational(Fraction(mantissa) * Fraction(2) ** exponent)
    lower = found.lower() if least is None else found.lower().max(least)
    upper = found.upper() if most is None else found.upper().min(most)
    return Enclosure.bounded(found, lower, upper, Certainty.CERTIFIED)
