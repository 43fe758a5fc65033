"""Neighbours by what outputs depend on: of the votes of many only the counts, of which there are far fewer.

Outputs that depend on inputs x through f(x) alone have :math:`W(y|x) = K(y|f(x))` (:mod:`seepage.measures.sufficiency`), so that a supremum over
neighbours x, x' is one over the pairs f(x), f(x').
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from seepage.diagnostics import Fault
from seepage.engines.outcome import DiscreteJoint
from seepage.engines.select import samples_continuous, solve
from seepage.measures.channels.asked_channel import AskedChannel
from seepage.measures.discrete.weights import Values
from seepage.measures.joints import Memory
from seepage.measures.privacy.neighbours import (
    Closeness,
    Listed,
    Neighbourhood,
    Stated,
    TooManyNeighbours,
    neighbourhoods,
)
from seepage.measures.sufficiency import cut_between
from seepage.semantics.slice import slice_program
from seepage.semantics.statements import names_read

_FEW = 100  # inputs of which each has a law of its own
_STATES = 100_000
_PAIRS = 20_000


def by_statistics(asked: AskedChannel, closeness: Closeness) -> tuple[AskedChannel, Closeness]:
    """Return a question about what the outputs depend on in the place of many inputs, and its neighbours; the same where that is not seen."""
    inquiry = asked.evaluation.inquiry
    if asked.z or len(asked.x) < 2 or set(asked.x) & set(asked.y):
        return asked, closeness
    core, parameters = inquiry.scope.core, inquiry.scope.parameters
    if (
        samples_continuous(slice_program(core, asked.x).statements)
        or (cut := cut_between(core, asked.x, asked.y)) is None
    ):
        return asked, closeness
    whole, told = cut
    first = slice_program(whole, (*asked.x, *told))
    try:
        joint = solve(first, (*asked.x, *told), parameters, replace(inquiry.budget, states=_STATES, rows=_STATES))
    except Fault:
        return asked, closeness
    if not isinstance(joint, DiscreteJoint) or joint.cut is not None:
        return asked, closeness
    count = len(asked.x)
    meaning = {values[:count]: values[count:] for values in joint.masses}
    kinds: dict[Values, int] = {}
    alike = {one: kinds.setdefault(value, len(kinds)) for one, value in meaning.items()}
    if len(meaning) <= _FEW or 2 * len(kinds) > len(meaning) or len(meaning) < len(joint.masses):
        return asked, closeness
    try:
        near = neighbourhoods(tuple(meaning), closeness, alike)
    except TooManyNeighbours:
        return asked, closeness
    found = _pairs(near, meaning)
    if not found:
        return asked, closeness
    scope = replace(inquiry.scope, core=whole)
    evaluation = replace(
        asked.evaluation,
        inquiry=replace(inquiry, scope=scope, memory=Memory(reuse=False)),
        # Elsewhere there may be other inputs, or other neighbours.
        formulas=asked.evaluation.formulas and not set(names_read(first.statements)) & set(core.parameters),
    )
    told_apart: Closeness = Stated(tuple(found))
    if all(each.is_mutual for each in near):
        groups = (tuple(dict.fromkeys(meaning[one] for one in each.inputs)) for each in near)
        told_apart = Listed(tuple(group for group in groups if len(group) > 1))
    return replace(asked, evaluation=evaluation, x=told, instead=(asked.x, found)), told_apart


def _pairs(
    near: list[Neighbourhood], meaning: Mapping[Values, Values]
) -> Mapping[tuple[Values, Values], tuple[Values, Values]] | None:
    """Return two neighbours for each pair of what the outputs depend on; None for too many."""
    found: dict[tuple[Values, Values], tuple[Values, Values]] = {}
    for each in near:
        for one, other in each.pairs():
            if meaning[one] != meaning[other]:
                found.setdefault((meaning[one], meaning[other]), (one, other))
        if len(found) > _PAIRS:
            return None
    return found
