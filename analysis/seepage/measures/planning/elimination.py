r"""Entropies and guesses of long tuples by elimination: their joint law is never built.

``H`` is the sum of entropies of single variables given a few others (:mod:`seepage.engines.factors.families`), ``I(x; y | z)`` is :math:`H(y \mid z) - H(y \mid x, z)` with
the terms that both have struck out, and ``V(x | y)`` is :math:`\sum_y \max_x p(x, y)`, the sum over all else inside.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from fractions import Fraction

from flint import arb, fmpq

from seepage.data_classes import dataclass
from seepage.engines.factors.answers import asking, asking_best, best, marginal, settle
from seepage.engines.factors.enumeration import states_of
from seepage.engines.factors.families import Family, asking_families, families
from seepage.engines.factors.graph import Beyond, Graph
from seepage.engines.factors.solving import exact_graph
from seepage.engines.outcome import Budget, DiscreteJoint
from seepage.engines.select import samples_continuous
from seepage.exact import Number, precision
from seepage.measures import arithmetic
from seepage.measures.arithmetic import WORKING_BITS
from seepage.measures.discrete import entropy, whole_bits
from seepage.measures.enclosure import Enclosure
from seepage.measures.guessing.gains import ONE_TRY, Gain
from seepage.measures.guessing.questions import guessing_by_sight
from seepage.measures.joints import solved_by
from seepage.measures.planning.claim import Claim
from seepage.measures.planning.question import Names, Question
from seepage.measures.planning.refusal import Refusal
from seepage.measures.units import in_unit
from seepage.semantics.core import CoreProgram, CoreSample
from seepage.semantics.slice import slice_program
from seepage.semantics.statements import walk

_FEW_DRAWS, _FEW_NAMES = 8, 5
_MANY_STATES = 1e6  # that one law would go through, from where on it is not built
_MANY_VALUES = 1 << 14  # of the tuple
_AT_LEAST, _OF_AN_ENTRY, _OF_A_STATE = 0.5, 1e-5, 1e-6  # seconds
_TELLING = 1 << 64  # times the width of an information, which it must at least be


@dataclass(frozen=True, slots=True)
class _Terms:
    """Joints of families by what is the same for equal ones, and how often each comes."""

    counts: Counter[object]
    joints: dict[object, DiscreteJoint[fmpq] | DiscreteJoint[arb]]


def applies(question: Question) -> bool:
    """Tell whether a question is about entropies or best guesses of discrete variables, with a law too large to be built."""
    measure = question.measure
    of_one_guess = measure.is_of_guesses and measure.functional == "gain"
    if not (measure.is_of_entropies or of_one_guess) or question.call.gain is not None or question.call.named:
        return False
    return has_large_law(question)


def has_large_law(question: Question) -> bool:
    """Tell whether a question is about many discrete variables, whose law is too large to be built."""
    if len(question.names) <= _FEW_NAMES:
        return False
    sliced = slice_program(question.core, question.names)
    if samples_continuous(sliced.statements):
        return False
    if sum(isinstance(each, CoreSample) for each in walk(sliced.statements)) <= _FEW_DRAWS:
        return False
    inquiry = question.evaluation.inquiry
    if any(each not in inquiry.scope.parameters for each in inquiry.scope.core.parameters):
        return False
    try:
        graph = exact_graph(sliced, inquiry.scope.parameters, inquiry.budget)
    except Beyond:
        return False
    return (
        graph.size(graph.variables(question.names)) > _MANY_VALUES and states_of(graph, question.names) > _MANY_STATES
    )


def seconds(question: Question) -> float:
    """Return about how long it takes, by the entries of the tables that come up."""
    inquiry = question.evaluation.inquiry
    if not question.measure.is_of_entropies:
        return _AT_LEAST
    try:
        graph = exact_graph(slice_program(question.core, question.names), inquiry.scope.parameters, inquiry.budget)
        plans = [
            asking_families(graph, *one, inquiry.budget, inquiry.budget.rows).plan
            for one in _conditional(question, graph)
        ]
    except Beyond:
        return _AT_LEAST  # which says so at once
    return _AT_LEAST + _OF_AN_ENTRY * sum(plan.entries for plan in plans)


def seconds_of_one_law(question: Question) -> float:
    """Return about how long one law of the tuple takes, which is too large to be built, by the states that come up."""
    inquiry = question.evaluation.inquiry
    graph = exact_graph(slice_program(question.core, question.names), inquiry.scope.parameters, inquiry.budget)
    return _OF_A_STATE * states_of(graph, question.names)


def by_elimination(question: Question) -> Claim | Refusal:
    """Answer by elimination."""
    return on_graph(question, Sight, _entropies, "not answered by elimination")


def on_graph(
    question: Question,
    sight: Callable[[Graph, Names, Budget], Sight],
    entropies: Callable[[Question, Graph, Budget], tuple[Enclosure, Fraction | None]],
    refused: str,
) -> Claim | Refusal:
    """Answer from the factor graph of what is asked.

    Args:
        question: about an entropy or a best guess.
        sight: of x, which tells best guesses.
        entropies: tells an entropy or an information in nats, and in bits where that is rational.
        refused: what is said before the reason where that fails.
    """

    def engine(core: CoreProgram, names: Names, parameters: Mapping[str, Number], budget: Budget) -> Claim:
        graph = exact_graph(slice_program(core, names), parameters, budget)
        settle(graph, budget, budget.rows)
        if question.measure.is_of_guesses:
            guessed = guessing_by_sight(question.evaluation, question.call, sight(graph, question.x, budget))
            return replace(guessed, engine="elimination")
        found, bits = entropies(question, graph, budget)
        return replace(in_unit(question.evaluation.unit, found, None, bits), engine="elimination")

    try:
        return solved_by(question.evaluation.inquiry, question.core, question.names, engine)
    except Beyond as beyond:
        return Refusal("too large", f"{refused}: {beyond.reason}")


# --- entropies --------------------------------------------------------------------------------------------------------


def _entropies(question: Question, graph: Graph, budget: Budget) -> tuple[Enclosure, Fraction | None]:
    """Return an entropy or an information in nats, and in bits where that is rational."""
    first, *second = (_counted(_families(graph, *one, budget)) for one in _conditional(question, graph))
    if not second:
        return _total(first, first.counts, budget)
    before, after = first, second[0]
    both = before.counts & after.counts  # equal terms are struck out: their difference would have an error
    more, more_bits = _total(before, before.counts - both, budget)
    less, less_bits = _total(after, after.counts - both, budget)
    bits = None if more_bits is None or less_bits is None else more_bits - less_bits
    found = arithmetic.subtract(more, less)
    with precision(WORKING_BITS):
        if found.exact is None and bits is None and not (found.upper - found.lower) * _TELLING < found.lower:
            raise Beyond("an information too near 0 for a difference of entropies")
        return found, bits


def _conditional(question: Question, graph: Graph) -> list[tuple[Names, Names]]:
    """Return of what, given what, the entropy is that is asked for, or the two whose difference is."""
    x, y, z = question.x, question.y, question.given
    if question.measure.is_entropy:
        return [(x, y)]
    if len(graph.variables(x)) < len(graph.variables(y)):
        x, y = y, x
    return [(y, z), (y, (*x, *z))]


def _families(graph: Graph, names: Names, given: Names, budget: Budget) -> list[Family]:
    return families(asking_families(graph, names, given, budget, budget.rows), names, given, budget)


def _counted(found: Iterable[Family]) -> _Terms:
    """Count families by their laws: H(v | n) does not depend on what variables are called. Equal balls need not hold equal numbers: each counts alone."""
    terms = _Terms(Counter(), {})
    for family in found:
        masses = family.joint.masses
        is_rational = all(isinstance(mass, fmpq) for mass in masses.values())
        key = frozenset(masses.items()) if is_rational else object()
        terms.counts[key] += 1
        terms.joints[key] = family.joint
    return terms


def _total(terms: _Terms, counts: Counter[object], budget: Budget) -> tuple[Enclosure, Fraction | None]:
    """Add up the entropies of the first variable of each joint given the others."""
    whole, bits = Enclosure.of_rational(Fraction(0)), Fraction(0)
    are_rational = True
    for key, count in counts.items():
        joint = terms.joints[key]
        first, rest = joint.variables[:1], joint.variables[1:]
        one = entropy.conditional_entropy(joint, first, rest, budget)
        whole = arithmetic.add(whole, arithmetic.multiply(one, Enclosure.of_rational(Fraction(count))))
        found = whole_bits.information_bits(joint, ((1, joint.variables), (-1, rest)))
        are_rational = are_rational and found is not None
        bits += count * (found or Fraction(0))
    return whole, bits if are_rational else None


# --- guesses ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Sight:
    """What can be expected of a guess of ``x``."""

    graph: Graph
    x: Names
    budget: Budget

    def secret(self) -> DiscreteJoint[fmpq] | DiscreteJoint[arb]:
        """Return the law of no variable: that of the secret is not built."""
        return marginal(asking(self.graph, (), self.budget, self.budget.rows), (), self.budget)

    def expected_gain(self, y: Names, gain: Gain, budget: Budget) -> Enclosure:
        """Return the chance of the best guess after ``y`` is seen; raises ``Beyond`` for other gains."""
        if gain != ONE_TRY:
            raise Beyond("a gain other than one right guess")
        chance = best(asking_best(self.graph, self.x, y, budget, budget.rows), budget)
        mass = self.secret().mass
        if isinstance(chance, fmpq) and isinstance(mass, fmpq):
            share = chance / mass
            return Enclosure.of_rational(Fraction(int(share.p), int(share.q)))
        with precision(WORKING_BITS):
            return Enclosure.of_ball(arb(chance) / arb(mass))

    def guesses(self, y: Names, budget: Budget) -> Enclosure:
        """Raise ``Beyond``: how many guesses are needed depends on all chances."""
        raise Beyond("the number of guesses")
