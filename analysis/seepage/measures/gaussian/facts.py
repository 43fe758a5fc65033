"""What holds of an approximate number all the same: facts about variables that the approximation does not touch.

H(x | y) <= H(x) for every x, and I(x; y | z) <= H(x) for a discrete x. Where the slice of x alone is exact, so is its entropy.
"""

from __future__ import annotations

from seepage.diagnostics import Fault
from seepage.engines.outcome import MixtureJoint
from seepage.exact import precision
from seepage.measures.discrete import entropy
from seepage.measures.enclosure import Enclosure
from seepage.measures.gaussian import entropy as gaussian_entropy
from seepage.measures.gaussian.strata import PRECISION, is_discrete, strata
from seepage.measures.gaussian.sum import clip
from seepage.measures.joints import Inquiry, joint_of
from seepage.semantics.core import CoreProgram


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
