r"""The worst outputs of a secret that falls into independent parts: the tuple of the parts' worst outputs.

Given the outputs, the parts of the secret stay independent, so that both KL(secret | outputs = v ‖ secret) and H(secret | outputs = v) are sums over the parts, and each term is greatest, or
least, at an output of its own part. Outputs that concern no part of the secret say nothing of it, and are not named.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction

from seepage import exact
from seepage.data_classes import dataclass
from seepage.engines.forward.class_joint import ClassJoint
from seepage.engines.outcome import Budget, MixtureJoint
from seepage.measures import arithmetic
from seepage.measures.asking import Asking
from seepage.measures.enclosure import Enclosure
from seepage.measures.evaluate import measure_of
from seepage.measures.evaluation import Evaluation
from seepage.measures.facts import LeakageRow, LeastLeft, WorstCase
from seepage.measures.gaussian.guessing import as_discrete
from seepage.measures.guessing.vulnerability import Discrete
from seepage.measures.joints import classes_of, joint_of
from seepage.measures.planning.estimate import is_small
from seepage.measures.planning.parts import parts_of
from seepage.measures.planning.question import Names, Question, question_of
from seepage.measures.planning.reductions.repeated_releases import REPEATED_RELEASES
from seepage.measures.quantity import Quantity
from seepage.measures.units import in_unit, titled_result
from seepage.measures.worst_outputs import Classes, Extreme, are_told, least_left, most_told
from seepage.syntax.tree import MeasureCall

_NAMED = 8  # outputs that are written out
NO_WORST_BEYOND = "no worst case: values are followed up to a last one, and what lies beyond may be worse"


@dataclass(frozen=True, slots=True)
class _Piece:
    """Parts that are alike: one of them as a question, its joint, and the names of the outputs of each."""

    question: Question
    joint: Discrete | Classes
    outputs: tuple[Names, ...]


def telling_outputs(asking: Asking, information: MeasureCall, offset: int = 0) -> Names | None:
    """Return those output variables of ``I(x; y)`` that x is not provably independent of, None where these are all, or few states are asked.

    Args:
        asking: the program, the values of its parameters, the limits.
        information: its spans are relative to ``offset``.
        offset: absolute place of the measure's text.
    """
    question = question_of(Evaluation(asking.inquiry(offset=offset), asking.unit, False, {}), information)
    if question is None or is_small(question):
        return None
    parts = parts_of(question, (*question.x, *question.y), (), True, True)
    if parts is None:
        return None
    named = {name for kind in parts.kinds for _, y in kind.members for name in y}
    return tuple(name for name in question.y if name in named) if len(named) < len(question.y) else None


def with_worst_of_parts(asking: Asking, row: LeakageRow, outputs: Sequence[str]) -> LeakageRow | None:
    """Add the output values that tell most and leave least of a secret in independent parts; None where it is one part, of all that is asked.

    Raises:
        Fault: as joints do.
        OutOfTime: past the budget's deadline.
    """
    question = _question(asking, row.secret, outputs)
    if question is None or is_small(question):
        return None
    posed = _posed(question)
    if posed is None:
        return None
    if not any(each.y for each, _ in posed):
        return row  # nothing that is seen tells anything
    pieces = list[_Piece]()
    for each, names in posed:
        huge = classes_of(each.evaluation.inquiry, each.core, (*each.x, *each.y))
        if huge is not None and are_told(huge, each.x, each.y):
            pieces.append(_Piece(each, huge, names))
            continue
        joint = joint_of(each.evaluation.inquiry, each.core, (*each.x, *each.y))
        discrete = as_discrete(joint) if isinstance(joint, MixtureJoint) else joint
        if discrete is None:
            return None
        if discrete.cut is not None:
            return replace(row, note=NO_WORST_BEYOND)
        pieces.append(_Piece(each, discrete, names))
    told, most = _summed(asking, pieces, most_told)
    left, least = _summed(asking, pieces, least_left)
    divergence = titled_result(asking, f"KL({row.secret} | {_event(told)} || {row.secret})", "KL", most)
    entropy = titled_result(asking, f"H({row.secret} | {_event(left)})", "H", least)
    worst = WorstCase(_words(told), divergence)
    return replace(row, worst=worst, least_left=LeastLeft(_words(left), entropy))


def _question(asking: Asking, secret: str, outputs: Sequence[str]) -> Question | None:
    call = measure_of(f"I({secret}; {', '.join(outputs)})")
    if not isinstance(call, MeasureCall) or asking.method is not None:
        return None
    return question_of(Evaluation(asking.inquiry(), asking.unit, False, {}), call)


def _posed(question: Question) -> list[tuple[Question, tuple[Names, ...]]] | None:
    """Return one question for each kind of parts, with the outputs of each of its parts; counts stand for repeated releases."""
    parts = parts_of(question, (*question.x, *question.y), (), True, False)
    if parts is None:
        reduced = REPEATED_RELEASES.apply(question)
        return None if reduced is None else [(each, (each.y,)) for each in reduced.questions]
    found: list[tuple[Question, tuple[Names, ...]]] = []
    for kind in parts.kinds:
        each = question.narrowed(kind.x, kind.y)
        reduced = None if is_small(each) else REPEATED_RELEASES.apply(each)
        if reduced is not None and kind.count == 1:
            found += [(instead, (instead.y,)) for instead in reduced.questions]
        else:
            found.append((each, tuple(y for _, y in kind.members)))
    return found


def _summed(
    asking: Asking,
    pieces: Sequence[_Piece],
    extreme: Callable[[Discrete | Classes, Names, Names, Budget], Extreme],
) -> tuple[list[tuple[str, str]], Quantity]:
    """Return the outputs at which each term is extreme, with names and values, and the sum of the terms there."""
    seen: list[tuple[str, str]] = []
    nats = Enclosure.of_rational(Fraction(0))
    bits: Fraction | None = Fraction(0)
    for piece in pieces:
        found = extreme(piece.joint, piece.question.x, piece.question.y, asking.budget)
        count = len(piece.outputs)
        nats = arithmetic.add(nats, arithmetic.multiply(Enclosure.of_rational(Fraction(count)), found.nats))
        bits = None if found.bits is None or bits is None else bits + count * found.bits
        seen += [
            (name, exact.show(value))
            for names in piece.outputs
            for name, value in zip(names, found.values, strict=True)
        ]
    first = pieces[0].joint
    return seen, in_unit(asking.unit, nats, first.symbols if isinstance(first, ClassJoint) else first, bits)


def _event(seen: Sequence[tuple[str, str]]) -> str:
    return " and ".join(f"{name} == {number}" for name, number in seen[:_NAMED]) + _more(seen, " and …")


def _words(seen: Sequence[tuple[str, str]]) -> str:
    return ", ".join(f"{name} = {number}" for name, number in seen[:_NAMED]) + _more(seen, f", … ({len(seen)} outputs)")


def _more(seen: Sequence[tuple[str, str]], words: str) -> str:
    return words if len(seen) > _NAMED else ""
