"""Which numbers may be quoted without their bounds, and which of them are exact.

A single number stands for all that its bounds allow only where these are narrow: no wider than a tenth of what the measure can be at all, which is 1
for chances, or of the greater of them where nothing general limits it. Elsewhere the middle or an end of the bounds would be an invention;
only an estimate that was computed, of normal distributions in place of the exact law, is quoted there, as an estimate.
"""

from __future__ import annotations

from flint import arb

from seepage.measures.enclosure import Enclosure
from seepage.measures.result import Certainty

_PART = 10  # of what is possible
_ROUNDING = 10**9  # times narrower than the number: what rounding leaves of exact arithmetic


def is_narrow(enclosure: Enclosure, possible: arb | None = None) -> bool:
    """Tell whether one number stands for all between the bounds.

    Args:
        enclosure: a number known by bounds, an infinite one if both are.
        possible: how far apart values of such a measure can be at most; infinite or None where nothing limits it.
    """
    lower, upper = enclosure.lower, enclosure.upper
    if lower == upper:
        return True
    if not (lower.is_finite() and upper.is_finite()):
        return False
    width = upper - lower
    greater = abs(lower).max(abs(upper))
    limited = possible is not None and possible.is_finite() and width * _PART <= possible
    return bool(limited or width * _PART <= greater or width * _ROUNDING <= 1)


def is_quotable(enclosure: Enclosure, possible: arb | None = None) -> bool:
    """Tell whether the value may be quoted alone; ``possible`` as in :func:`is_narrow`."""
    return enclosure.estimated or is_narrow(enclosure, possible)


def certainty_of(enclosure: Enclosure) -> Certainty:
    """Return how far to trust a number: what is exact but for rounding has many digits; bounds around 0 are an enclosure."""
    known = enclosure.certainty
    if known is not Certainty.EXACT or enclosure.lower == enclosure.upper or enclosure.exact is not None:
        return known
    width, smaller = enclosure.upper - enclosure.lower, abs(enclosure.lower).min(abs(enclosure.upper))
    crosses = enclosure.lower < 0 < enclosure.upper
    return known if not crosses and width * _ROUNDING <= smaller else Certainty.CERTIFIED
