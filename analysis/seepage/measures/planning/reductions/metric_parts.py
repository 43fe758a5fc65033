r"""A loss for each unit of distance, of inputs whose parts are published independently.

Losses of the parts add up, :math:`\ell(v, w) = \sum_k \ell_k(v_k, w_k)`. Where distances add up as well (``difference``, ``places``),
:math:`\sum_k \ell_k / \sum_k d_k \le \max_k \ell_k / d_k`, and pairs that differ in one part reach it. For the straight line (``euclid``) the greatest
:math:`\sum_k b_k(d_k) / \sqrt{\sum_k d_k^2}` is looked for, with :math:`b_k(d)` the greatest loss of part k between inputs that are d apart.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import reduce
from itertools import product

from seepage import exact
from seepage.engines.outcome import DiscreteJoint
from seepage.exact import Number, precision
from seepage.measures import arithmetic
from seepage.measures.discrete.weights import BITS, Values
from seepage.measures.enclosure import Enclosure
from seepage.measures.joints import joint_of
from seepage.measures.planning.claim import Claim
from seepage.measures.planning.folding import largest
from seepage.measures.planning.parts import Kind, Parts
from seepage.measures.planning.question import Question
from seepage.measures.planning.reductions.independent_parts import is_pure, parts_asked, posed_of
from seepage.measures.planning.reductions.reduction import Reduced, Reduction
from seepage.measures.privacy.closeness import is_per_unit
from seepage.measures.privacy.metrics import NAMED
from seepage.measures.privacy.neighbours import TooManyNeighbours, measured
from seepage.measures.privacy.noise_questions import joined
from seepage.measures.privacy.per_unit import divided
from seepage.measures.quantity import Witness
from seepage.measures.scope import spelled_number
from seepage.syntax.tree import MetricName, NeighbourTable

_MOST_QUESTIONS = 200
_MOST_CHOICES = 20_000

_Distances = dict[Number, list[tuple[Values, Values]]]


def _apply(question: Question) -> Reduced | None:
    relation = question.call.relation
    if not isinstance(relation, MetricName) or not is_per_unit(question.call) or not is_pure(question):
        return None
    parts = parts_asked(question)
    if parts is None:
        return None
    if relation.name != "euclid" or parts.count == 1:
        posed = tuple(posed_of(question, kind) for kind in parts.kinds)
        return Reduced(posed, lambda claims: largest([(claim, 1) for claim in claims], 1), "=", parts.because())
    return _of_line(question, parts)


def _of_line(question: Question, parts: Parts) -> Reduced | None:
    """Ask for the loss of each part at each distance."""
    distances = [_distances(question, kind) for kind in parts.kinds]
    choices, asked = 1, 0
    for kind, found in zip(parts.kinds, distances, strict=True):
        if found is None:
            return None
        choices, asked = choices * (len(found) + 1) ** kind.count, asked + len(found)
        if choices > _MOST_CHOICES or asked > _MOST_QUESTIONS:
            return None
    posed: list[Question] = []
    axes: list[list[tuple[Number, int]]] = []
    for kind, found in zip(parts.kinds, distances, strict=True):
        steps = [(apart, len(posed) + number) for number, apart in enumerate(found or {})]
        posed += [_at_distance(question, kind, pairs) for pairs in (found or {}).values()]
        axes += [steps] * kind.count
    return Reduced(tuple(posed), lambda claims: _steepest(claims, axes), "=", parts.because())


def _distances(question: Question, kind: Kind) -> _Distances | None:
    """Return the pairs of inputs of a part by how far they are apart."""
    joint = joint_of(question.evaluation.inquiry, question.core, kind.x)
    if not isinstance(joint, DiscreteJoint) or joint.cut is not None:
        return None
    inputs = joint.support(kind.x)
    if any(exact.to_fraction(value) is None for values in inputs for value in values):
        return None
    found: _Distances = {}
    try:
        for pair, apart in measured(inputs, NAMED["euclid"]):
            found.setdefault(apart, []).append(pair)
    except TooManyNeighbours:
        return None
    return found


def _at_distance(question: Question, kind: Kind, pairs: Sequence[tuple[Values, Values]]) -> Question:
    posed = posed_of(question, kind)
    place = posed.call.span
    entries = tuple(tuple(tuple(spelled_number(value, place) for value in values) for values in pair) for pair in pairs)
    table = NeighbourTable(tuple((one, other) for one, other in entries), place)
    return replace(posed, call=replace(posed.call, relation=table))


def _steepest(claims: Sequence[Claim], axes: Sequence[Sequence[tuple[Number, int]]]) -> Claim:
    """Return the greatest sum of losses for each unit of the distance to which those of the parts make up."""
    leader: tuple[Enclosure, list[Claim]] | None = None
    most: list[Enclosure] = []
    with precision(BITS):
        for choice in product(*([None, *axis] for axis in axes)):
            chosen = [step for step in choice if step is not None]
            if not chosen:
                continue
            apart = exact.sqrt_(reduce(exact.add, (exact.mul(each, each) for each, _ in chosen)))
            losses = [claims[at] for _, at in chosen]
            known = divided(arithmetic.add(*(each.enclosure for each in losses)), apart)
            most.append(known)
            if leader is None or known.lower > leader[0].lower:
                leader = known, losses
    if leader is None:
        raise AssertionError("parts without two inputs")
    enclosure = leader[0]
    for known in most:
        enclosure = joined(enclosure, known)
    told = Counter(each.witness.inputs for each in leader[1] if each.witness.inputs)
    inputs = "; ".join(one if count == 1 else f"{one} and likewise {count - 1:,} more" for one, count in told.items())
    first = leader[1][0]
    return replace(first, enclosure=enclosure, formula=None, witness=Witness(inputs), companions=())


METRIC_PARTS = Reduction(
    "independent parts, for each unit of distance",
    "losses of independent releases add up, Dwork and Roth 2014, theorem 3.14; for sums over sums, the mediant inequality",
    _apply,
    reads_constraints=True,
)
