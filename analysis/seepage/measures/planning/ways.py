"""The table of ways: everything that can answer a question itself.

A way is total: what it cannot do is a :class:`Refusal` that says why. Only what is wrong with the program or the measure itself is raised, as a ``Fault``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from seepage import rules
from seepage.data_classes import dataclass
from seepage.diagnostics import Fault, Rule
from seepage.exact import ArithmeticFault
from seepage.measures.accounting.divergences import divergences_of_rounds
from seepage.measures.accounting.two_values import applies as asks_for_two_values
from seepage.measures.accounting.two_values import by_accounting_of_two
from seepage.measures.accounting.way import applies as releases_much
from seepage.measures.accounting.way import by_accounting
from seepage.measures.cells.way import applies as asks_for_cells
from seepage.measures.cells.way import by_cells, seconds
from seepage.measures.clock import OutOfTime
from seepage.measures.one_law import by_one_law
from seepage.measures.planar.way import applies as asks_for_noisy_place
from seepage.measures.planar.way import by_noisy_place
from seepage.measures.planning.claim import Claim
from seepage.measures.planning.counts import applies as asks_for_a_sum
from seepage.measures.planning.counts import by_counts
from seepage.measures.planning.elimination import applies as asks_for_tuples
from seepage.measures.planning.elimination import by_elimination, seconds_of_one_law
from seepage.measures.planning.elimination import seconds as seconds_of_elimination
from seepage.measures.planning.guessing_parts import applies as asks_for_guesses
from seepage.measures.planning.guessing_parts import by_levels
from seepage.measures.planning.question import Question
from seepage.measures.planning.refusal import Kind
from seepage.measures.planning.refusal import Refusal as Refusal
from seepage.measures.planning.told_in_turn import applies as asks_for_chains
from seepage.measures.planning.told_in_turn import by_chain
from seepage.measures.planning.told_in_turn import seconds as seconds_of_chain
from seepage.measures.planning.uniform_secrets import applies as asks_of_uniform_secrets
from seepage.measures.planning.uniform_secrets import by_uniform_secret
from seepage.measures.privacy.neighbours import TooManyNeighbours

_KINDS: dict[Rule, Kind] = {
    rules.NOT_SUPPORTED: "not supported",
    rules.BUDGET_EXCEEDED: "too large",
    rules.TIME_LIMIT: "no time",
}


@dataclass(frozen=True, slots=True)
class Cost:
    """What a way is expected to need.

    Attributes:
        seconds: of processor time, roughly.
        promise: 0 for an exact answer, 1 for a certified one, 2 for bounds only.
    """

    seconds: float
    promise: Literal[0, 1, 2] = 0


@dataclass(frozen=True, slots=True)
class Way:
    """One way to answer questions.

    Attributes:
        name: as plans tell it.
        sentence: what it is good for.
        applies: whether it is worth to be tried; cheap.
        cost: what it will need; cheap. Ways are tried in this order.
        compute: the number with its bounds, or why there is none. Keeps to the deadline of the question's budget.
        reads_constraints: whether it may be tried where the call states pairs of neighbours, a metric or a power.
        counts_rounds: whether it may be tried of a program in which one round of a loop stands for many (``CoreProgram.rounds``).
    """

    name: str
    sentence: str
    applies: Callable[[Question], bool]
    cost: Callable[[Question], Cost]
    compute: Callable[[Question], Claim | Refusal]
    reads_constraints: bool = False
    counts_rounds: bool = False

    def answer(self, question: Question) -> Claim | Refusal:
        """Return the number with its bounds, or why there is none; what any way may meet is told here, in one manner.

        Raises:
            Fault: of the program or the measure, but for what is not supported, too large, or late.
        """
        try:
            return self.compute(question)
        except OutOfTime as late:
            return Refusal("no time", "the time limit was reached", late)
        except TooManyNeighbours as many:
            return Refusal("too large", many.reason)
        except ArithmeticFault as undecided:
            return Refusal("undecided", undecided.reason, undecided)
        except Fault as fault:
            kind = _KINDS.get(fault.diagnostic.rule)
            if kind is None:
                raise
            return Refusal(kind, fault.diagnostic.message, fault)


def _one_law(question: Question) -> Claim | Refusal:
    return by_one_law(question.evaluation, question.call)


def _always(_: Question) -> bool:
    return True


ONE_LAW = Way(
    "one law",
    "the joint law of all that is asked: state by state, as a Gaussian mixture, or path by path, whichever is exact",
    _always,
    lambda question: Cost(max(1.0, seconds_of_one_law(question)) if asks_for_tuples(question) else 1.0),
    _one_law,
    reads_constraints=True,
)

LEVELS = Way(
    "levels of equal chance",
    "how many guesses independent parts take together, by how often each chance comes",
    asks_for_guesses,
    lambda _: Cost(0.1),
    by_levels,
)

ACCOUNTING = Way(
    "privacy-loss accounting",
    "the law of the privacy loss of many independent releases, enclosed from both sides",
    releases_much,
    lambda _: Cost(0.5, 1),
    by_accounting,
    reads_constraints=True,
    counts_rounds=True,
)

DIVERGENCES = Way(
    "divergences of releases",
    "Rényi's divergences of the rounds of a loop, which add up",
    lambda question: bool(question.core.rounds) and question.measure.is_of_moments and not question.given,
    lambda _: Cost(0.1),
    divergences_of_rounds,
    reads_constraints=True,
    counts_rounds=True,
)

TWO_VALUES = Way(
    "accounting of two values",
    "what many independent outputs tell of a secret with two values, by the law of the privacy loss between them",
    asks_for_two_values,
    lambda _: Cost(0.4, 1),
    by_accounting_of_two,
    counts_rounds=True,
)

ELIMINATION = Way(
    "elimination",
    "entropies and best guesses of long tuples, variable by variable, without their joint law",
    asks_for_tuples,
    lambda question: Cost(seconds_of_elimination(question)),
    by_elimination,
)

TOLD_IN_TURN = Way(
    "told in turn",
    "entropies and best guesses of long tuples that a chain of few states tells one after the other, as carries do the digits of a sum",
    asks_for_chains,
    lambda question: Cost(seconds_of_chain(question), 1),
    by_chain,
)

UNIFORM_SECRET = Way(
    "uniform secret",
    "guesses at a uniform secret after a function of it is seen, by the law of what is seen alone",
    asks_of_uniform_secrets,
    lambda _: Cost(0.05),
    by_uniform_secret,
)

COUNTS = Way(
    "counts of alike secrets",
    "what a sum tells of many independent secrets, by how often each value comes among them",
    asks_for_a_sum,
    lambda _: Cost(0.2),
    by_counts,
)

CELLS = Way(
    "cells of outputs",
    "what continuous outputs tell of a discrete secret, between finite channels that tell surely less and surely more",
    asks_for_cells,
    lambda question: Cost(seconds(question), 1),
    by_cells,
)

NOISY_PLACE = Way(
    "noisy place",
    "what a discrete place tells behind planar Laplace noise, by integrals over directions and over the plane",
    asks_for_noisy_place,
    lambda _: Cost(0.3, 1),
    by_noisy_place,
    reads_constraints=True,
)

WAYS: tuple[Way, ...] = (
    UNIFORM_SECRET,
    LEVELS,
    COUNTS,
    ELIMINATION,
    TOLD_IN_TURN,
    ACCOUNTING,
    DIVERGENCES,
    TWO_VALUES,
    NOISY_PLACE,
    ONE_LAW,
    CELLS,
)
