"""What a forward run is to those who do a part of it: its program, its limits, and how statements are run.

Loops (:mod:`seepage.engines.forward.loops`), tables (:mod:`seepage.engines.forward.dense`) and continuous values (:class:`Continuous`) see a run so.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import Generic, Protocol, TypeVar

from seepage.diagnostics import Diagnostic, Fault
from seepage.distributions.gaussian import Slot, State
from seepage.engines.forward.coefficients import Operation
from seepage.engines.forward.compile import Scope
from seepage.engines.forward.liveness import Block, Step
from seepage.engines.forward.states import States
from seepage.engines.forward.tables import Table
from seepage.engines.outcome import Budget, Ring
from seepage.exact import Number
from seepage.rules import BUDGET_EXCEEDED, TIME_LIMIT
from seepage.semantics.core import CoreObserve, CoreProgram
from seepage.source import Span
from seepage.syntax import tree

C = TypeVar("C")


_FEWER = (
    "components with equal discrete values, mean and covariance are one: fewer discrete values that the continuous ones depend on, adding up discrete "
    "values before noise is added, or asking for single variables instead of arrays would help"
)
_SMALLER = "a smaller range, an output with fewer values, or asking for single variables instead of arrays would help"


class Continuous(Protocol[C]):
    """What a run does where continuous values take part; every method yields new states with factors on the weight."""

    def assign(self, step: Step, value: tree.Expression, state: State, scope: Scope) -> Iterable[tuple[Slot, State, C]]:
        """Yield the value of an expression with the state that goes with it (its Gaussian may change) and a factor."""
        ...

    def sample(
        self, step: Step, distribution: tree.Distribution, state: State, scope: Scope
    ) -> Iterable[tuple[Slot, State, C]]:
        """Yield the values drawn, likewise."""
        ...

    def observe(self, step: Step, condition: tree.Expression, state: State, scope: Scope) -> Iterable[tuple[State, C]]:
        """Yield the states that remain."""
        ...

    def passed(self, condition: tree.Expression, held: bool) -> None:
        """Take note that a component in which everything is discrete met an observation, and whether that held."""
        ...

    def impossible(self, condition: tree.Expression) -> Diagnostic | None:
        """Explain an observation that no run passes, if there is more to say than that."""
        ...

    def decide(
        self, step: Step, condition: tree.Expression, state: State, scope: Scope
    ) -> Iterable[tuple[bool, State, C]]:
        """Yield the two parts of a state, by the truth of a condition."""
        ...

    def is_continuous(self, distribution: tree.Distribution) -> bool:
        """Tell whether a distribution has a density, or a part that has."""
        ...

    def settle(self, states: States[C]) -> States[C]:
        """Keep the states that observed the fewest densities: the others have no weight beside them. All start to count anew."""
        ...

    def tidy(self, states: States[C]) -> States[C]:
        """Bring every Gaussian into its canonical form, so that equal components become one."""
        ...


class Running(ABC, Generic[C]):
    """A run: the program's fixed data, its limits, and where the probability last became 0.

    Attributes:
        unknown: the parameters that have no value.
        by_components: whether states are counted as components of a mixture.
        limit: how many states there may be.
        killer: the observation that took the last of the probability.
        unending: the weight of runs that were left in loops.
    """

    add: Operation[C]

    def __init__(
        self, core: CoreProgram, parameters: Mapping[str, Number], ring: Ring[C], budget: Budget, by_components: bool
    ) -> None:
        self.core = core
        self.parameters = parameters
        self.unknown = frozenset(core.parameters) - frozenset(parameters)
        self.ring = ring
        self.budget = budget
        self.by_components = by_components
        self.limit = budget.components if by_components else budget.states
        self.killer: CoreObserve | None = None
        self.unending = ring.zero

    @abstractmethod
    def block(self, block: Block, states: States[C]) -> States[C]:
        """Run statements in a row."""

    @abstractmethod
    def step(self, step: Step, states: States[C]) -> States[C]:
        """Run one statement."""

    @abstractmethod
    def single(self, states: States[C] | Table) -> States[C]:
        """Return states one by one."""

    @abstractmethod
    def support_of(
        self, step: Step, distribution: tree.Distribution, state: State, read: State, scope: Scope
    ) -> tuple[tuple[Number, C], ...]:
        """Return values and probabilities of a draw in a state, of which ``read`` is what the statement reads."""

    # --- limits -------------------------------------------------------------------------------------------------------

    def check_clock(self, span: Span, ahead: float = 0.0) -> None:
        """Raise a fault at a statement if the time limit was reached, or is in so many seconds of a processor."""
        check_clock(self.budget, span, ahead)

    def check_size(self, span: Span, rows: int, columns: int) -> None:
        """Raise a fault at a statement if a table has grown past the budget, on states or on memory."""
        if rows > self.budget.rows:
            raise self.too_many(span, rows, self.budget.rows)
        size = 4 * rows * (8 * columns + 72)  # what a statement copies counts, too
        if size > self.budget.memory:
            message = (
                f"the analysis has grown to {rows:,} states at this statement, which need about {size >> 20:,} MB; "
                f"the limit is {self.budget.memory >> 20:,} MB"
            )
            raise Fault(Diagnostic(BUDGET_EXCEEDED, span, message, notes=(_SMALLER,)))

    def too_many(self, span: Span, size: int, limit: int = 0) -> Fault:
        """Return the fault of a run that has grown too large at a statement."""
        kind = "components" if self.by_components else "states"
        message = f"the analysis has grown to {size:,} {kind} at this statement, the limit is {limit or self.limit:,}"
        return Fault(Diagnostic(BUDGET_EXCEEDED, span, message, notes=(_FEWER if self.by_components else _SMALLER,)))


def check_clock(budget: Budget, span: Span, ahead: float = 0.0) -> None:
    """Raise a fault at a statement if the time limit was reached, or is in so many seconds of a processor."""
    if budget.expired() or (ahead and budget.deadline is not None and budget.deadline.left() < ahead):
        message = "the time limit was reached at this statement"
        notes = ("a higher time limit, a smaller range, or asking for fewer variables at once would help",)
        raise Fault(Diagnostic(TIME_LIMIT, span, message, notes=notes))
