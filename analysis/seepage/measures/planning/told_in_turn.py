"""The way "told in turn": entropies and best guesses of long tuples whose variables a chain of few states tells one after the other, as carries do the digits of a sum."""

from __future__ import annotations

from fractions import Fraction

from seepage.engines.factors.chains import chain_of
from seepage.engines.factors.graph import Beyond, Graph
from seepage.engines.outcome import Budget
from seepage.measures.discrete.chains import entropy, greatest_weights, right_guess
from seepage.measures.discrete.even_chains import guesses_at_even
from seepage.measures.enclosure import Enclosure
from seepage.measures.guessing.gains import ONE_TRY, Gain
from seepage.measures.planning.claim import Claim
from seepage.measures.planning.elimination import Sight, has_large_law, on_graph
from seepage.measures.planning.elimination import applies as asks_for_tuples
from seepage.measures.planning.question import Names, Question
from seepage.measures.planning.refusal import Refusal

_AT_LEAST, _OF_A_PAIR = 0.7, 1.5e-4  # seconds: each variable adds digits to the power sums, which all later ones read


def applies(question: Question) -> bool:
    """Tell whether a question is about an entropy, a best guess or a number of guesses of discrete variables, with a law too large to be built."""
    if question.measure.is_information or (question.measure.is_entropy and (question.y or question.given)):
        return False
    if question.measure.functional == "tries":
        return not question.call.named and has_large_law(question)
    return asks_for_tuples(question)


def seconds(question: Question) -> float:
    """Return about how long it takes, by how many variables are told."""
    return _AT_LEAST + _OF_A_PAIR * len(question.names) ** 2


def by_chain(question: Question) -> Claim | Refusal:
    """Answer by a chain."""
    return on_graph(question, _Chained, _entropy, "not told in turn")


def _entropy(question: Question, graph: Graph, budget: Budget) -> tuple[Enclosure, Fraction | None]:
    return entropy(chain_of(graph, question.x, budget), budget)


class _Chained(Sight):
    """The same by a chain of what is guessed and seen."""

    __slots__ = ()

    def expected_gain(self, y: Names, gain: Gain, budget: Budget) -> Enclosure:
        """Return the chance of the best guess after ``y`` is seen; raises ``Beyond`` for other gains."""
        if gain != ONE_TRY:
            raise Beyond("a gain other than one right guess")
        chain = chain_of(self.graph, (*self.x, *y), budget)
        seen = frozenset(self.graph.variables(y))
        try:
            return Enclosure.of_rational(right_guess(chain, seen, budget))
        except Beyond:
            return Enclosure.of_rational(greatest_weights(chain, seen, budget))

    def guesses(self, y: Names, budget: Budget) -> Enclosure:
        """Return the number of guesses after ``y`` is seen; raises ``Beyond`` where values that are possible have different chances."""
        chain = chain_of(self.graph, (*self.x, *y), budget)
        return Enclosure.of_rational(guesses_at_even(chain, frozenset(self.graph.variables(y)), budget))
