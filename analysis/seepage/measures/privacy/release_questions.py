"""``DP`` of programs that publish values behind noise of known laws: exactly where the outputs are what is published, else from above."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from flint import arb

from seepage import exact
from seepage.data_classes import dataclass
from seepage.diagnostics import Fault
from seepage.engines.outcome import DiscreteJoint
from seepage.engines.select import solve
from seepage.exact import ArithmeticFault, Number, precision
from seepage.measures.channels.asked_channel import AskedChannel
from seepage.measures.channels.channel import Channel, channels, is_exact
from seepage.measures.discrete.weights import BITS, Values
from seepage.measures.notes import Note
from seepage.measures.pivot.limits import Limit
from seepage.measures.privacy.neighbours import Closeness, TooManyNeighbours
from seepage.measures.privacy.noise_reading import NotRead
from seepage.measures.privacy.release_formula import released_formula
from seepage.measures.privacy.release_reading import Mechanism, mechanism_of
from seepage.measures.privacy.releases import (
    Move,
    Shield,
    best_shield,
    loss_of,
    moves,
    steps_of,
    undominated,
)
from seepage.measures.privacy.scaled_noise import with_scaled_noise
from seepage.measures.result import Formula
from seepage.semantics.evaluate import evaluate
from seepage.semantics.slice import slice_program
from seepage.syntax.tree import Expression

BEHIND_NOISE = Note("the upper bound is the loss of what is published behind noise, of which the output is computed")


@dataclass(frozen=True, slots=True)
class Released:
    """A bound of the privacy loss.

    Attributes:
        loss: the bound.
        exact: whether it is the loss.
        of: one input of the worst pair.
        against: the other.
        given: values of z.
        formula: of the loss, if it is exact and one pair is the worst for all parameters.
        noises: draws of noise in the program.
    """

    loss: Number
    exact: bool
    of: Values
    against: Values
    given: Values
    formula: Formula | None
    noises: int


def released_loss(asked: AskedChannel, closeness: Closeness) -> Released | None:
    """Return a bound of ``DP(x -> y | z)`` that is read from the text; None if the program is no such mechanism.

    It is one of programs without faults; of what is computed of releases none is looked for.
    """
    inquiry = asked.evaluation.inquiry
    names = (*asked.x, *asked.y, *asked.z)
    try:
        core = slice_program(inquiry.scope.core, names)
        core = with_scaled_noise(core, asked.y, (*asked.x, *asked.z), asked.evaluation.domains)
        mechanism = mechanism_of(core, (*asked.x, *asked.z), asked.y)
        chosen = [best_shield(each, mechanism.noises, inquiry.scope.parameters) for each in mechanism.releases]
        return _worst(asked, mechanism, chosen, closeness)
    except (NotRead, Fault, ArithmeticFault, TooManyNeighbours):
        return None


def limit_of(released: Released | None) -> Limit | None:
    """Return what no loss of a pair exceeds, where outputs are computed of releases."""
    if released is None:
        return None
    with precision(BITS):
        return Limit(exact.enclose(released.loss, BITS).upper(), released.given, released.of, released.against)


def _worst(
    asked: AskedChannel, mechanism: Mechanism, chosen: Sequence[Shield | None], closeness: Closeness
) -> Released | None:
    inquiry = asked.evaluation.inquiry
    places = tuple(release.place for release in mechanism.releases)
    joint = solve(mechanism.core, (*asked.x, *asked.z, *places), inquiry.scope.parameters, inquiry.budget)
    if not isinstance(joint, DiscreteJoint) or joint.cut is not None:
        return None
    listed: list[tuple[Move, Values]] = []
    for given, channel in channels(joint, asked.x, places, asked.z, inquiry.budget).items():
        listed += [(move, given) for move in moves_between(channel, closeness, steps_of(chosen))]
    if not listed:
        return None
    left = undominated((move for move, _ in listed), steps_of(chosen))
    worst: tuple[Number, Move, Expression] | None = None
    for move in left:
        expression = loss_of(move, chosen)
        if expression is None:
            return None
        loss = evaluate(expression, inquiry.scope.parameters)
        if worst is None or exact.compare(loss, worst[0]) > 0:
            worst = loss, move, expression
    if worst is None:
        return None
    loss, move, expression = worst
    alone = mechanism.direct and all(
        shield is not None and len(shield.sources) == len(release.terms)
        for release, shield in zip(mechanism.releases, chosen, strict=True)
    )
    tight = alone and move.tight
    formula = None
    if tight and asked.evaluation.formulas:
        formula = released_formula(asked, mechanism, chosen, closeness, loss)
    given = next(given for each, given in listed if each is move)
    return Released(loss, tight, move.of, move.against, given, formula, len(mechanism.noises))


def moves_between(
    channel: Channel[Number] | Channel[arb], closeness: Closeness, steps: Sequence[Fraction | None]
) -> tuple[Move, ...]:
    """Return the moves between neighbours, for :func:`moves`; weights in balls are compared with nothing, so that no law is known to be another one, moved."""
    if is_exact(channel):
        rows: Mapping[Values, Mapping[Values, Number]] = channel.rows
        return moves(rows, closeness, lambda a, b, s, t: a == b, exact.add, steps)
    single: dict[Values, dict[Values, Number]] = {one: dict.fromkeys(row, 1) for one, row in channel.rows.items()}
    return moves(single, closeness, lambda a, b, s, t: s == t == 1, exact.add, steps)
