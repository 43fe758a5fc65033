r"""Words as vectors of binary digits: the same question of a program over fair coins and small numbers.

Measures that only look at which values are told apart do not change where a variable is replaced by its digits, or by any digits that tell as much. Informations and
conditional entropies are also sums of entropies, each of them in coordinates of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from seepage.diagnostics import Fault
from seepage.engines.forward.class_widths import has_words
from seepage.engines.select import core_with
from seepage.engines.words.circuit import NOWHERE, Beyond
from seepage.engines.words.reading import Reading, read
from seepage.engines.words.writing import written, written_value
from seepage.measures import arithmetic
from seepage.measures.enclosure import Enclosure
from seepage.measures.joints import GHOST
from seepage.measures.planning.claim import Claim
from seepage.measures.planning.question import Names, Question
from seepage.measures.planning.reductions.reduction import Reduced, Reduction
from seepage.measures.planning.reductions.signed import plain, signed_sum
from seepage.measures.planning.reductions.word_moments import moments
from seepage.measures.quantity import total
from seepage.rules import BUDGET_EXCEEDED, NOT_SUPPORTED
from seepage.semantics.core import CoreAssign, CoreProgram
from seepage.semantics.slice import slice_program
from seepage.syntax.tree import Name

_OF_VALUES = frozenset({"distance"})  # arguments by which measures look at what values are
_LIMITS = frozenset({BUDGET_EXCEEDED, NOT_SUPPORTED})
_TELLING = 1 << 16
"""Entropies of chains have errors of their own, far below what a word tells, unless that is next to nothing."""

_READ_BY_DIGITS = "values from huge ranges are read by their binary digits; a range of fewer values makes this exact"
_BECAUSE = "wide values are their binary digits"


def is_of_words(question: Question) -> bool:
    """Tell whether a question is about a program that draws uniformly from many values, at once or together."""
    return has_words(slice_program(question.core, question.names).statements, question.evaluation.scope.parameters)


def _read(question: Question, core: CoreProgram, names: Names) -> Reading:
    inquiry = question.evaluation.inquiry
    return read(slice_program(core, names), inquiry.scope.parameters, inquiry.budget)


# --- in the same coordinates ------------------------------------------------------------------------------------------


def _apply(question: Question) -> Reduced | None:
    if question.other is not None or question.call.gain is not None or any(map(question.states, _OF_VALUES)):
        return None
    if not is_of_words(question):
        return None
    try:
        return _posed(question)
    except Beyond:
        return None


def with_reason(question: Question, fault: Fault) -> Fault:
    """Return why a question about wide values has no number: what keeps it from their digits, where something does, in the place of a count of values.

    Args:
        question: that no way answers.
        fault: what the ways say of it.
    """
    if fault.diagnostic.rule not in _LIMITS or not is_of_words(question):
        return fault
    try:
        _posed(question)
    except Beyond as beyond:
        if not question.evaluation.inquiry.budget.expired():
            message = f"this is not told by the binary digits of wide values: {beyond.reason}"
            return Fault(replace(fault.diagnostic, message=message, notes=(_READ_BY_DIGITS,)))
    return fault


def _posed(question: Question) -> Reduced | None:
    """Pose a question over binary digits.

    Raises:
        Beyond: if its program is not told by them.
    """
    if question.measure.functional == "variance":
        return moments(question, _BECAUSE)
    if question.measure.functional in ("chance", "mean"):
        return _of_value(question)
    measure = question.measure
    if measure.shape in ("value", "law against law") or measure.chooses_gain or measure.is_of_moments:
        return None
    if question.given and measure.shape == "channel":
        return None
    return _of_names(question)


def _of_names(question: Question) -> Reduced:
    reading = _read(question, question.core, question.names)
    sides = [side for side in (question.given, question.y, question.x) if side]
    known = len(sides) - 1 if question.measure.shape == "of x given y" else int(bool(question.given))
    posed = written(reading, question.core, sides, known)
    names = dict(zip(sides, posed.groups, strict=True))
    same = question.of(posed.core, names[question.x], names.get(question.y, ()), names.get(question.given, ()))
    same = replace(same, call=replace(same.call, named=question.call.named))
    return Reduced((same.without_formulas(),), lambda claims: plain(claims[0]), "=", _BECAUSE)


def _of_value(question: Question) -> Reduced | None:
    if question.value is None:
        return None
    core = core_with(question.core, (CoreAssign(Name(GHOST, NOWHERE), question.value, NOWHERE),))
    try:
        posed = written_value(_read(question, core, (GHOST,)), core, GHOST)
    except Beyond:
        if question.measure.functional == "chance":
            raise
        return moments(question, _BECAUSE)
    questions = tuple(
        question.of_value(posed.core, term, (name,), measure="E").without_formulas() for _, term, name in posed.terms
    )
    factors = [factor for factor, _, _ in posed.terms]

    def fold(claims: Sequence[Claim]) -> Claim:
        terms = (
            arithmetic.multiply(Enclosure.of_rational(factor), claim.enclosure)
            for factor, claim in zip(factors, claims, strict=True)
        )
        whole = arithmetic.add(Enclosure.of_rational(posed.constant), *terms)
        return replace(plain(total(claims)), enclosure=whole)

    return Reduced(questions, fold, "=", _BECAUSE) if questions else None


# --- as sums ----------------------------------------------------------------------------------------------------------


def _as_sum(question: Question) -> Reduced | None:
    """Pose an information or a conditional entropy as a sum of entropies, a min-entropy leakage as a difference of two min-entropies."""
    if question.call.gain is not None or not is_of_words(question):
        return None
    terms = _terms(question)
    if not terms:
        return None
    try:
        questions = tuple(_term(question, measure, x, y) for _, measure, x, y in terms)
    except Beyond:
        return None

    def fold(claims: Sequence[Claim]) -> Claim | None:
        return signed_sum([sign for sign, *_ in terms], claims, _TELLING)

    return Reduced(questions, fold, "=", f"{_BECAUSE}, each term in coordinates of its own")


def _terms(question: Question) -> list[tuple[int, str, Names, Names]]:
    """Return the terms of a sum: sign, measure, variables and what is seen."""
    x, y, z = question.x, question.y, question.given
    measure = question.measure
    if measure.is_leakage and not measure.chooses_gain:
        return [(1, "Hmin", x, ()), (-1, "Hmin", x, y)]
    if not measure.is_of_entropies or not y:
        return []
    return [(sign, "H", tuple(dict.fromkeys(names)), ()) for names, sign in measure.entropies(x, y, z) if names]


def _term(question: Question, measure: str, x: Names, y: Names) -> Question:
    sides = [side for side in (y, x) if side]
    posed = written(_read(question, question.core, (*x, *y)), question.core, sides, len(sides) - 1)
    seen = posed.groups[0] if len(sides) > 1 else ()
    return question.of(posed.core, posed.groups[-1], seen, measure=measure).without_formulas()


_SOURCE = "change of variables by one-to-one maps; Lidl and Niederreiter 1996, Finite Fields, chapter 9; chain rule, Cover and Thomas 2006, theorem 2.4.1"

WORDS = Reduction("binary digits", _SOURCE, _apply)
WORDS_IN_TERMS = Reduction("terms of binary digits", _SOURCE, _as_sum)
