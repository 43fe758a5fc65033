"""The way "levels of equal chance": ``Guess`` and ``G`` with tries of independent parts, from the laws of the parts."""

from __future__ import annotations

from dataclasses import replace

from seepage.engines.outcome import MixtureJoint
from seepage.measures.enclosure import Enclosure
from seepage.measures.gaussian.guessing import as_discrete
from seepage.measures.guessing.gain_reading import gain_of
from seepage.measures.guessing.gains import Tries
from seepage.measures.guessing.questions import leakage_of
from seepage.measures.joints import joint_of
from seepage.measures.planning.claim import Claim
from seepage.measures.planning.levels import Discrete, Guessed, GuessedPart, TooManyLevels, guessed
from seepage.measures.planning.parts import Kind, parts_of
from seepage.measures.planning.question import Names, Question
from seepage.measures.planning.refusal import Refusal
from seepage.measures.quantity import Quantity
from seepage.measures.result import Companion
from seepage.measures.rounding import float_ends
from seepage.syntax.tree import GainName


def applies(question: Question) -> bool:
    """Tell whether a question is for a number of guesses, or a chance within some, of several variables."""
    if len(question.x) < 2 or question.given:
        return False
    return question.measure.functional == "tries" or _counts_tries(question)


def by_levels(question: Question) -> Claim | Refusal:
    """Answer from the chances of the parts.

    Raises:
        Fault: of the program, in the slice of a part.
    """
    inquiry = question.evaluation.inquiry
    parts = parts_of(question, (*question.x, *question.y), (), True, False)
    if parts is None or parts.count < 2:
        return Refusal("does not apply", "there are no independent parts")
    try:
        seen, alone = [], []
        for kind in parts.kinds:
            if (part := _part(question, kind)) is None:
                return Refusal("not supported", "a part is continuous")
            secret = _discrete(question, kind.x)
            seen.append(part)
            alone.append(replace(part, joint=part.joint if secret is None else secret, y=()))
        after, before = guessed(seen, inquiry.budget), guessed(alone, inquiry.budget)
        return _told(question, before, after)
    except TooManyLevels:
        return Refusal("too large", "the parts have too many different chances")


def _told(question: Question, before: Guessed, after: Guessed) -> Claim:
    budget = question.evaluation.inquiry.budget
    if question.measure.functional == "tries":
        found = after.guesses(budget)
        quantity = Quantity(found, 0, "discrete")
        return replace(quantity, companions=_beside(before.guesses(budget))) if question.y else quantity
    gain, _ = gain_of(question.evaluation.scope, question.call, (), True)
    tries = gain.count if isinstance(gain, Tries) else 1
    place = question.call.span.shift(question.evaluation.scope.offset)
    chances = before.chance_within(tries, budget), after.chance_within(tries, budget)
    return leakage_of(question.call, place, question.evaluation.unit, *chances)


def _beside(before: Enclosure) -> tuple[Companion, ...]:
    lower, value, upper = float_ends(before)
    return (Companion("guesses before", "", value, lower, upper),)


def _counts_tries(question: Question) -> bool:
    gain = question.call.gain
    return question.measure.chooses_gain and isinstance(gain, GainName) and gain.name in ("guess", "tries")


def _part(question: Question, kind: Kind) -> GuessedPart | None:
    joint = _discrete(question, (*kind.x, *kind.y))
    if joint is None:
        return None
    alone = joint if joint.cut is None or not kind.y else _discrete(question, kind.x)
    places = () if alone is None else [alone.variables.index(name) for name in kind.x]
    values = None
    if alone is not None and alone.cut is None:
        values = len({tuple(one[place] for place in places) for one in alone.masses})
    return GuessedPart(joint, kind.x, kind.y, kind.count, values)


def _discrete(question: Question, names: Names) -> Discrete | None:
    joint = joint_of(question.evaluation.inquiry, question.core, names)
    return as_discrete(joint) if isinstance(joint, MixtureJoint) else joint
