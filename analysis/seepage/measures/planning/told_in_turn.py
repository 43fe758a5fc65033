"""The way "told in turn": entropies and best guesses of long tuples whose variables a chain of few states tells one after the other, as carries do the digits of a sum."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from seepage.engines.factors.answers import settle
from seepage.engines.factors.chains import chain_of
from seepage.engines.factors.graph import Beyond
from seepage.engines.factors.solving import exact_graph
from seepage.engines.outcome import Budget
from seepage.exact import Number
from seepage.measures.discrete.chains import entropy, right_guess
from seepage.measures.enclosure import Enclosure
from seepage.measures.guessing.gains import ONE_TRY, Gain
from seepage.measures.guessing.questions import guessing_by_sight
from seepage.measures.joints import solved_by
from seepage.measures.planning.claim import Claim
from seepage.measures.planning.elimination import Sight
from seepage.measures.planning.elimination import applies as asks_for_tuples
from seepage.measures.planning.question import Names, Question
from seepage.measures.planning.refusal import Refusal
from seepage.measures.units import in_unit
from seepage.semantics.core import CoreProgram
from seepage.semantics.slice import slice_program


def applies(question: Question) -> bool:
    """Tell whether a question is about an entropy or a best guess of discrete variables, with a law too large to be built."""
    if question.measure.is_information or (question.measure.is_entropy and (question.y or question.given)):
        return False
    return asks_for_tuples(question)


def by_chain(question: Question) -> Claim | Refusal:
    """Answer by a chain."""
    inquiry = question.evaluation.inquiry

    def engine(core: CoreProgram, names: Names, parameters: Mapping[str, Number], budget: Budget) -> Claim:
        graph = exact_graph(slice_program(core, names), parameters, budget)
        settle(graph, budget, budget.rows)
        if question.measure.is_of_guesses:
            guessed = guessing_by_sight(question.evaluation, question.call, _Chained(graph, question.x, budget))
            return replace(guessed, engine="elimination")
        found, bits = entropy(chain_of(graph, question.x, budget), budget)
        return replace(in_unit(question.evaluation.unit, found, None, bits), engine="elimination")

    try:
        return solved_by(inquiry, question.core, question.names, engine)
    except Beyond as beyond:
        return Refusal("too large", f"not told in turn: {beyond.reason}")


class _Chained(Sight):
    """The same by a chain of what is guessed and seen."""

    __slots__ = ()

    def expected_gain(self, y: Names, gain: Gain, budget: Budget) -> Enclosure:
        """Return the chance of the best guess after ``y`` is seen; raises ``Beyond`` for other gains."""
        if gain != ONE_TRY:
            raise Beyond("a gain other than one right guess")
        chain = chain_of(self.graph, (*self.x, *y), budget)
        return Enclosure.of_rational(right_guess(chain, frozenset(self.graph.variables(y)), budget))
