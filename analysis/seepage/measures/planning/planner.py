"""From a question to a claim: reductions that are equalities first, then ways by what they cost, then reductions that are bounds.

Small questions go by one law at once: it has formulas and witnesses, and takes milliseconds. What it leaves open, because it is too large, approximate or without bounds, is
taken apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from flint import arb

from seepage import rules
from seepage.deadline import processor_seconds, sooner
from seepage.diagnostics import Diagnostic, Fault
from seepage.measures.enclosure import Enclosure
from seepage.measures.evaluation import Evaluation
from seepage.measures.one_law import by_one_law
from seepage.measures.planning.claim import Claim, ContradictionError, is_settled, meet
from seepage.measures.planning.estimate import is_large, is_small
from seepage.measures.planning.plan import Outcome, Step
from seepage.measures.planning.question import Question, question_of
from seepage.measures.planning.reductions import FIRST, LAST, REDUCTIONS, Reduced, Reduction
from seepage.measures.planning.reductions.words import is_of_words, with_reason
from seepage.measures.planning.table import Relation
from seepage.measures.planning.ways import ONE_LAW, WAYS, Refusal, Way
from seepage.measures.quantity import NOWHERE, Quantity
from seepage.measures.result import Certainty
from seepage.measures.rounding import float_ends
from seepage.measures.scope import fail
from seepage.semantics.made_names import spoken
from seepage.semantics.slice import slice_program
from seepage.syntax.spell import spell
from seepage.syntax.tree import MeasureCall

_MOST_WITHIN_ITSELF = 4
"""How often a reduction is applied to what it posed itself, perhaps through others: no chain of questions is endless."""

_DEEP = 2
"""Questions that so many reductions posed are given up once the time is over; those of one may still bound what took too long, and pose no more."""

_MOMENT = 0.5  # seconds for one law of wide values, which classes of them may tell at once


def planned(evaluation: Evaluation, call: MeasureCall) -> Quantity:
    """Answer a measure as written.

    Args:
        evaluation: what it is asked in: program, parameters, limits, unit.
        call: its spans are relative to the scope's offset.

    Returns:
        The number with its bounds and the plan by which it was found.

    Raises:
        Fault: of the program in the slice of the measure, or of the measure itself; if nothing answers, that of the way "one law".
        OutOfTime: likewise.
        ArithmeticFault: likewise.
    """
    question = question_of(evaluation, call)
    if question is None:
        _need_all_rounds(evaluation, call)
        return by_one_law(evaluation, call)
    if question.core.rounds and not _counts_rounds(
        question
    ):  # such as the entropy of the secret beside what loops tell of it
        question = question.of(replace(question.core, rounds={}), question.x, question.y, question.given)
    steps: list[Step] = []
    try:
        return replace(answer(question, steps), plan=tuple(steps))
    finally:
        evaluation.inquiry.memory.steps.extend(steps)


def answer(question: Question, steps: list[Step], within: tuple[str, ...] = ()) -> Claim:
    """Answer a question, noting each step that was taken.

    Args:
        question: that is asked.
        steps: what was tried; grows.
        within: the names of the reductions by which it was posed, the outer ones first.

    Raises:
        Fault: as :func:`planned`.
        OutOfTime: likewise.
        ArithmeticFault: likewise.
    """
    if len(within) >= _DEEP and question.evaluation.inquiry.budget.expired():
        place = question.call.span.shift(question.evaluation.scope.offset)
        fail(rules.TIME_LIMIT, place, "the time limit was reached before this part")
    search = _Search(question, steps, within)
    if question.core.rounds:
        if not search.settled_by([way for way in _by_cost(question) if way.counts_rounds]) and search.claim is None:
            _need_all_rounds(question.evaluation, question.call)
        return search.told()
    if search.settled_by((), ("=",), FIRST):
        return search.told()
    if is_small(question) and search.settled_by((ONE_LAW,)):
        return search.told()
    if search.settled_by((), ("=",)) or search.met():
        return search.told()
    if is_of_words(question) and (search.settled_in_time(ONE_LAW) or search.settled_by((), ("=",), LAST)):
        return search.told()
    if not search.settled_by(_by_cost(question)):
        search.settled_by((), ("<=", ">="))
    return search.told()


def _counts_rounds(question: Question) -> bool:
    """Tell whether what a question names depends on a loop of which one round stands for many."""
    return not question.core.rounds.keys().isdisjoint(slice_program(question.core, question.names).variables)


def _need_all_rounds(evaluation: Evaluation, call: MeasureCall) -> None:
    """Raise that a measure is not told by the rounds of loops that stand for many, if there are such."""
    if evaluation.scope.core.rounds:
        place = call.span.shift(evaluation.scope.offset)
        fail(rules.NOT_SUPPORTED, place, f"not supported yet: '{call.name}' from one round of a loop for all")


def _by_cost(question: Question) -> list[Way]:
    plain = not question.constrains_inputs
    ways = [way for way in WAYS if (plain or way.reads_constraints) and way.applies(question)]
    costs = {way.name: way.cost(question) for way in ways}
    return sorted(ways, key=lambda way: (costs[way.name].promise == 2, costs[way.name].seconds))


class _Search:
    """What is known of one question so far.

    Attributes:
        question: that is asked.
        steps: what was tried; grows.
        within: the names of the reductions by which it was posed.
        claim: what all of it says together; None if nothing.
        refusals: of ways, by their name.
        tried: names of ways and reductions.
    """

    def __init__(self, question: Question, steps: list[Step], within: tuple[str, ...]) -> None:
        self.question = question
        self.within = within
        self.steps = steps
        self.claim: Claim | None = None
        self.refusals: dict[str, Refusal] = {}
        self.reduced: dict[str, Reduced | None] = {}
        self.tried: set[str] = set()

    def note(self, name: str, outcome: Outcome, told: str, seconds: float, steps: Sequence[Step] = ()) -> None:
        """Note what was tried, in words for people."""
        question = spoken(spell(self.question.call))
        self.steps.append(Step(question, name, outcome, spoken(told), seconds, tuple(steps)))

    def settled_in_time(self, way: Way) -> bool:
        """Try a way for a moment only; tell whether the claim is good enough then. It may be tried again where time was short."""
        if way.name in self.tried:
            return False
        budget = self.question.evaluation.inquiry.budget
        hurried = replace(budget, deadline=sooner(budget.deadline, _MOMENT))
        self.meet(_tried(self, way, self.question.within(hurried)))
        refusal = self.refusals.get(way.name)
        if refusal is None or refusal.kind != "no time":
            self.tried.add(way.name)
        return self.claim is not None and is_settled(self.claim)

    def settled_by(
        self, ways: Sequence[Way], relations: Sequence[Relation] = (), reductions: Sequence[Reduction] | None = None
    ) -> bool:
        """Try ways, or the reductions of some relations, in order; tell whether the claim is good enough then."""
        for way in ways:
            if way.name not in self.tried:
                self.tried.add(way.name)
                self.meet(_tried(self, way))
                if self.claim is not None and is_settled(self.claim):
                    return True
        for reduction in (REDUCTIONS if reductions is None else reductions) if relations else ():
            reduced = self.applied(reduction)
            if reduced is not None and reduced.relation in relations and reduction.name not in self.tried:
                self.tried.add(reduction.name)
                self.meet(_by_parts(self, reduction, reduced))
                if self.claim is not None and is_settled(self.claim):
                    return True
        return False

    def met(self) -> bool:
        """Try bounds from both sides that are found quickly, where one law, which has formulas and witnesses, may be too large; tell whether they meet."""
        quick = [each for each in REDUCTIONS if each.is_quick]
        if not is_large(self.question) or any(
            self.applied(each) is None for each in reversed(quick)
        ):  # those that apply least often stand last
            return False
        return self.settled_by((), ("<=", ">="), quick)

    def applied(self, reduction: Reduction) -> Reduced | None:
        """Return what a reduction takes the question to, worked out once; None where the question was posed by it too often.

        None, too, where the call constrains inputs, and the rule does not read that.
        """
        if reduction.name not in self.reduced:
            most = 1 if reduction in LAST else _MOST_WITHIN_ITSELF
            again = self.within.count(reduction.name) >= most
            left_out = again or (self.question.constrains_inputs and not reduction.reads_constraints)
            self.reduced[reduction.name] = None if left_out else reduction.apply(self.question)
        return self.reduced[reduction.name]

    def meet(self, found: Claim | None) -> None:
        """Add the claim of the last step.

        Raises:
            Fault: if it excludes what the steps before it say: one of them is wrong, and nobody knows which.
        """
        if found is None:
            return
        try:
            self.claim = found if self.claim is None else meet(self.claim, found)
        except ContradictionError as contradiction:
            place = self.question.call.span.shift(self.question.evaluation.scope.offset)
            told = "; ".join(f"{step.name}: {step.told}" for step in self.steps if step.outcome != "declined")
            message = "two ways of computing this number exclude each other, a fault of Seepage: no number is shown"
            raise Fault(Diagnostic(rules.ANALYSIS_BROKE, place, message, notes=(told,))) from contradiction

    def told(self) -> Claim:
        """Return the claim, or raise why there is none."""
        if self.claim is not None:
            return self.claim
        refusal = self.refusals.get(ONE_LAW.name) or next(iter(self.refusals.values()))
        if refusal.fault is None:
            raise ValueError(f"the way '{ONE_LAW.name}' refused without a fault: {refusal.why}")
        fault = refusal.fault
        raise with_reason(self.question, fault) if isinstance(fault, Fault) and not self.within else fault


def _tried(search: _Search, way: Way, question: Question | None = None) -> Claim | None:
    started = processor_seconds()
    outcome = way.answer(search.question if question is None else question)
    seconds = processor_seconds() - started
    if isinstance(outcome, Refusal):
        search.refusals[way.name] = outcome
        search.note(way.name, "declined", outcome.why, seconds)
        return None
    search.note(way.name, _outcome(outcome), _told(outcome), seconds)
    return outcome


def _by_parts(search: _Search, reduction: Reduction, reduced: Reduced) -> Claim | None:
    started, inner = processor_seconds(), list[Step]()
    try:
        within = (*search.within, reduction.name)
        claims = [answer(question, inner, within) for question in reduced.questions]
        found = reduced.fold(claims)
    except Fault as fault:
        if fault.diagnostic.rule not in (rules.NOT_SUPPORTED, rules.BUDGET_EXCEEDED, rules.TIME_LIMIT):
            raise
        seconds = processor_seconds() - started
        search.note(reduction.name, "declined", fault.diagnostic.message, seconds, inner)
        return None
    seconds = processor_seconds() - started
    if found is None:
        search.note(reduction.name, "declined", "the parts do not tell it", seconds, inner)
        return None
    found = _one_sided(found, reduced.relation)
    search.note(reduction.name, _outcome(found), f"{reduced.because}: {_told(found)}", seconds, inner)
    return found


def _one_sided(found: Claim, relation: Relation) -> Claim:
    """Return a claim that bounds the number from one side only."""
    known = found.enclosure
    match relation:
        case "=":
            return found
        case "<=":
            lower, upper = arb.neg_inf(), known.upper
        case ">=":
            lower, upper = known.lower, arb.pos_inf()
    enclosure = Enclosure.bounded(known.value, lower, upper, Certainty.CERTIFIED)
    return replace(found, enclosure=enclosure, formula=None, witness=NOWHERE, companions=(), notes=(), search=None)


def _outcome(claim: Claim) -> Outcome:
    return "answered" if is_settled(claim) else "bounded"


def _told(claim: Claim) -> str:
    known = claim.enclosure
    lower, value, upper = float_ends(known)
    if known.certainty is Certainty.EXACT:
        return f"{value:.10g} ({known.certainty})"
    return f"from {lower:.10g} to {upper:.10g} ({known.certainty})"
