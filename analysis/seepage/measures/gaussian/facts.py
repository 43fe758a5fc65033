"""What holds of an approximate number all the same: facts about variables that the approximation does not touch.

H(x | y) <= H(x) for every x, and I(x; y | z) <= H(x) for a discrete x. Where the slice of x alone is exact, so is its entropy.
"""

from __future__ import annotations

import math

from flint import arb

from seepage.diagnostics import Fault
from seepage.engines.outcome import MixtureJoint
from seepage.exact import precision
from seepage.measures.discrete import entropy, whole_bits
from seepage.measures.enclosure import Enclosure
from seepage.measures.gaussian import entropy as gaussian_entropy
from seepage.measures.gaussian.strata import PRECISION, is_discrete, strata
from seepage.measures.gaussian.sum import clip
from seepage.measures.joints import Inquiry, joint_of
from seepage.measures.result import Certainty
from seepage.semantics.core import CoreProgram

_NEAR = 1e-6


def within_entropies(
    found: Enclosure,
    joint: MixtureJoint,
    inquiry: Inquiry,
    core: CoreProgram,
    *sides: tuple[str, ...],
    densities: bool = False,
) -> Enclosure:
    """Return an enclosure from an approximate joint, at most the entropy of each side that is exact alone; others stay as they are.

    Args:
        found: in nats.
        joint: what it was found from.
        inquiry: what the measure is asked of.
        core: the program under the measure's event.
        sides: tuples whose entropies bound the number.
        densities: whether the entropy of a side that has a density bounds it, too.
    """
    if joint.approximations:
        for side in sides:
            own = _entropy(inquiry, core, side, densities)
            if own is not None:
                with precision(PRECISION):
                    found = clip(found, upper=own.upper)
    return found


def within_whole_bits(found: Enclosure, inquiry: Inquiry, core: CoreProgram, *sides: tuple[str, ...]) -> Enclosure:
    """Return an information or entropy in bits, cut at the entropy of each discrete side that is a whole number of 64ths of a bit.

    Where the number is all but equal to that, a bound that is a rounding above would be read as more than what there is to know.
    """
    upper = float(found.upper.mid()) if found.upper.is_finite() else math.inf
    if (
        found.certainty is not Certainty.CERTIFIED
        or math.isinf(upper)
        or not abs(64 * upper - round(64 * upper)) < _NEAR
    ):
        return found
    for side in sides:
        try:
            alone = joint_of(inquiry, core, side)
        except Fault:
            continue
        bits = None if isinstance(alone, MixtureJoint) else whole_bits.information_bits(alone, ((1, side),))
        if bits is not None:
            most = arb(bits.numerator) / bits.denominator
            found = clip(found, upper=most) if most < found.upper else found
    return found


def _entropy(inquiry: Inquiry, core: CoreProgram, x: tuple[str, ...], densities: bool) -> Enclosure | None:
    """Return H(x) if the slice of x is exact, None also where no engine can tell."""
    try:
        alone = joint_of(inquiry, core, x)
        if not isinstance(alone, MixtureJoint):
            return entropy.entropy(alone, x, inquiry.budget)
        if alone.approximations:
            return None
        with precision(PRECISION):
            discrete = is_discrete(strata(alone, x))
        return gaussian_entropy.entropy(alone, x) if densities or discrete else None
    except Fault:
        return None
