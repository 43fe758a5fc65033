"""Probabilities of events that are too small for a float, and of which windows of infinite supports may hold nothing."""

from __future__ import annotations

from dataclasses import replace
from math import log

from flint import arb, fmpq

from seepage.diagnostics import Fault
from seepage.engines.outcome import DiscreteJoint
from seepage.measures.discrete.probability import probability
from seepage.measures.enclosure import Enclosure
from seepage.measures.joints import GHOST, Inquiry, Memory, joint_of
from seepage.semantics.core import CoreProgram

_SMALL = arb(2) ** -1_000
_FEW_BITS = arb(2) ** -64
_MOST_BITS = 16_384  # of a tail
_STATES = 20_000


def probability_of_ghost(
    inquiry: Inquiry, core: CoreProgram, joint: DiscreteJoint[fmpq] | DiscreteJoint[arb]
) -> Enclosure:
    """Return the probability that the ghost variable is 1, by a joint in which what is left out of infinite supports is small beside it.

    Args:
        inquiry: what joints are asked with.
        core: the program, with the ghost.
        joint: of the ghost, as usual.
    """
    found = probability(joint, GHOST)
    while joint.cut is not None and _is_hidden(found):
        bits = 2 * int(-float(found.upper.log()) / log(2))
        if bits > _MOST_BITS:
            break
        budget = replace(inquiry.budget, tail_bits=bits, states=min(inquiry.budget.states, _STATES))
        try:
            further = joint_of(replace(inquiry, budget=budget, memory=Memory()), core, (GHOST,))
        except Fault:
            break
        if not isinstance(further, DiscreteJoint):
            break
        joint, before = further, found
        found = probability(joint, GHOST)
        if not found.upper < before.upper:
            return before
    return found


def _is_hidden(found: Enclosure) -> bool:
    return bool(found.upper > 0 and found.upper < _SMALL and not found.upper - found.lower < _FEW_BITS * found.upper)
