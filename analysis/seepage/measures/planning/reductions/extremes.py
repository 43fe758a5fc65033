r"""A sum is least where all of its terms are: a lower bound of a loss, from the parts one by one.

Let the output be a sum of terms :math:`z_i` that are independent of each other, each with its input :math:`x_i`. It has its least value :math:`\sum m_i` where
every :math:`z_i` has its least value :math:`m_i`, which is an event of all parts; so neighbours that differ in k inputs tell the loss of this output apart by the sum of k
terms :math:`\max_{v,w} \log P(z_i = m_i \mid v) / P(z_i = m_i \mid w)`. The greatest value serves as well. For many mechanisms it is the worst output there is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cmp_to_key
from heapq import nlargest

from flint import arb

from seepage.engines.outcome import DiscreteJoint
from seepage.exact import Number, add, compare, precision
from seepage.measures.arithmetic import WORKING_BITS
from seepage.measures.enclosure import Enclosure
from seepage.measures.joints import joint_of
from seepage.measures.planning.claim import Claim
from seepage.measures.planning.parts import Kind, parts_of
from seepage.measures.planning.question import Question
from seepage.measures.planning.reductions.reduction import Reduced, Reduction
from seepage.measures.planning.reductions.statistic import places_of
from seepage.measures.planning.reductions.terms import terms_of
from seepage.measures.quantity import Quantity
from seepage.measures.result import Certainty

_SOURCE = "by definition: the loss at one output is a lower bound of the greatest"


def _apply(question: Question) -> Reduced | None:
    if not question.measure.is_loss or question.states("delta"):
        return None
    places = places_of(question)
    if places is None or (found := terms_of(question)) is None:
        return None
    posed = question.of(found.core, question.x, found.terms)
    parts = parts_of(posed, (*posed.x, *posed.y), (), True, True)
    if parts is None or parts.left_out or any(len(kind.x) != 1 for kind in parts.kinds):
        return None

    def claim(_: Sequence[Claim]) -> Claim | None:
        return _greatest(posed, parts.kinds, places)

    return Reduced(
        (),
        claim,
        ">=",
        f"'{question.y[0]}' has its least or greatest value where all {len(found.terms):,} terms have theirs",
    )


def _greatest(posed: Question, kinds: Sequence[Kind], places: int) -> Claim | None:
    """Return the loss at the least or the greatest value of the sum, whichever is larger."""
    with precision(WORKING_BITS):
        losses = [_losses(posed, kind) for kind in kinds]
        found = arb(0)
        for end in (0, -1):
            every = [
                each[end]
                for each, kind in zip(losses, kinds, strict=True)
                if each is not None
                for _ in range(min(kind.count, places))
            ]
            found = found.max(sum(nlargest(places, every, key=float), arb(0)).lower())
    if any(each is None for each in losses) or not found > 0:
        return None
    return Quantity(Enclosure.bounded(found, found, arb.pos_inf(), Certainty.CERTIFIED), 0, "discrete")


def _losses(posed: Question, kind: Kind) -> tuple[arb, arb] | None:
    """Return what the input of a part loses where its terms have their least sum, and their greatest; None where that is not known."""
    joint = joint_of(posed.evaluation.inquiry, posed.core, (*kind.x, *kind.y))
    if not isinstance(joint, DiscreteJoint) or joint.cut is not None:
        return None
    at, places = joint.variables.index(kind.x[0]), joint.positions(kind.y)
    rows: dict[Number, dict[Number, arb]] = {}
    for values, mass in joint.masses.items():
        total: Number = 0
        for place in places:
            total = add(total, values[place])
        row = rows.setdefault(values[at], {})
        row[total] = row.get(total, arb(0)) + arb(mass)
    sums = sorted({total for row in rows.values() for total in row}, key=cmp_to_key(compare))
    return _loss_at(list(rows.values()), sums[0]), _loss_at(list(rows.values()), sums[-1])


def _loss_at(rows: Sequence[Mapping[Number, arb]], total: Number) -> arb:
    """Return the logarithm of the greatest ratio of chances of one sum, between any two values of the input."""
    if any(total not in row for row in rows):
        return arb.pos_inf()  # it has a chance for some value, and none for another
    chances = [row[total] / sum(row.values(), arb(0)) for row in rows]
    greatest, least = chances[0], chances[0]
    for each in chances[1:]:
        greatest, least = greatest.max(each), least.min(each)
    return (greatest / least).log()


EXTREMES = Reduction("extremes of a sum", _SOURCE, _apply, is_quick=True)
