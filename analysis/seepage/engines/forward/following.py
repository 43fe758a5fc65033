r"""Loops that no elimination of states ends, followed round by round until hardly any run is still in them.

The weights are balls. The law that is handed on has the lower ends of the chances of ends, as dyadic numbers of a limited length; all that these leave out is one
remainder, of which nothing is known: runs that are still in the loop, what was cut off infinite supports, and what rounding takes away. Where states weigh next to
nothing, their runs count to the remainder, too.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import cast

from flint import arb, fmpq

from seepage import rules
from seepage.data_classes import dataclass
from seepage.diagnostics import Diagnostic, Fault
from seepage.distributions.gaussian import State
from seepage.engines.forward.chain import Ends, Field
from seepage.engines.forward.coefficients import RATIONALS, Balls, IrrationalProbability
from seepage.engines.forward.liveness import Block, Step
from seepage.engines.forward.loops import (
    Key,
    Loops,
    TooManyStates,
    at_start,
    guard_of,
    never_passes,
    start_of,
    weights_of,
    written_of,
)
from seepage.engines.forward.run import Machine
from seepage.engines.forward.states import States, project
from seepage.engines.outcome import Budget
from seepage.exact import Number, dyadic, precision
from seepage.semantics.core import CoreLocal, CoreObserve, CoreProgram, CoreWhile
from seepage.syntax.tree import as_told

MOST_LEFT = arb(2) ** -64  # of the runs may be left in a loop
_BITS = 320  # of the balls
_KEPT_BITS = 256  # after the point, of the chances that are handed on
_NEGLIGIBLE = arb(2) ** -56  # a state that weighs less beside what may be left is not followed
MOST_FOLLOWED = 300_000  # of all rounds together


@dataclass(frozen=True, slots=True)
class Followed:
    """The law of a loop in one state.

    Attributes:
        exits: chances of what is written at the end; each true chance is no less.
        lost: the chance that an observation takes the run away, likewise.
    """

    exits: Mapping[Key, Fraction]
    lost: Fraction

    @property
    def left(self) -> Fraction:
        """The chance of everything else."""
        return 1 - sum(self.exits.values()) - self.lost


def follow(step: Step, key: Key, core: CoreProgram, parameters: Mapping[str, Number], budget: Budget) -> Followed:
    """Follow a loop from one state.

    Args:
        step: of the loop; nothing in it is continuous.
        key: what it reads.
        core: the program of the loop alone.
        parameters: values of the parameters.
        budget: on states and time.

    Raises:
        Fault: of the statements in it; if more runs are left after as many states as may be followed.
    """
    with precision(_BITS):
        machine = _Rounds(core, parameters, budget)
        exits, _ = _rounds(step, key, machine)
        kept = {written: _kept(weight) for written, weight in exits.items()}
        return Followed({written: chance for written, chance in kept.items() if chance}, _kept(machine.lost))


class _Rounds(Machine[arb]):
    """Rounds of a loop over balls.

    Attributes:
        lost: the weight of runs that observations took away, or that hang in a loop inside; not what local draws are conditioned on.
    """

    def __init__(self, core: CoreProgram, parameters: Mapping[str, Number], budget: Budget) -> None:
        super().__init__(core, parameters, Balls(_BITS), budget)
        self.lost = self.ring.zero
        self.dense = None
        self._loops = _Inside(self)

    def step(self, step: Step, states: States[arb]) -> States[arb]:
        """Run one statement."""
        if not isinstance(step.statement, CoreObserve | CoreWhile | CoreLocal):
            return super().step(step, states)
        before = self.add(self._mass(states), self.unending)
        after = super().step(step, states)
        self.lost = self.lost + before - self._mass(after) - self.unending
        return after

    def _mass(self, states: States[arb]) -> arb:
        total = self.ring.zero
        for weight in states.weights.values():
            total = self.add(total, weight)
        return total


class _Inside(Loops[arb]):
    """Loops and local draws in the rounds of a loop: their laws as they are known, or as far as they can be followed.

    What is not known of a law stands in the place of runs that never end in it; those that do not are lost.
    """

    def __init__(self, machine: _Rounds) -> None:
        super().__init__(machine, cast("Field[arb]", machine.ring))
        self._exact: Machine[fmpq] = Machine(machine.core, machine.parameters, RATIONALS, machine.budget)
        self._endless: set[int] = set()
        self._known: dict[tuple[int, Key], Ends[Key, arb]] = {}

    def law(self, step: Step, key: Key) -> Ends[Key, arb]:
        """Return lower bounds of the chances of what is written, and what is left."""
        known = id(step), key
        if known not in self._known:
            self._known[known] = self._found(step, key)
        return self._known[known]

    def _found(self, step: Step, key: Key) -> Ends[Key, arb]:
        if id(step) not in self._endless:
            try:
                ends = self._exact.loops.law(step, key)
            except (TooManyStates, IrrationalProbability):
                self._endless.add(id(step))
            else:
                return Ends({written: arb(weight) for written, weight in ends.exits.items()}, arb(0))
        machine = self.machine
        if isinstance(step.statement, CoreWhile):
            law = follow(step, key, machine.core, machine.parameters, machine.budget)
            return Ends({written: arb(_flint(chance)) for written, chance in law.exits.items()}, arb(_flint(law.left)))
        return self._drawn(step, key)

    def _drawn(self, step: Step, key: Key) -> Ends[Key, arb]:
        """Return the law of a local draw: what passes is no more than all that its observations are not known to take away."""
        statement = step.statement
        assert isinstance(statement, CoreLocal)
        inside = _Rounds(self.machine.core, self.machine.parameters, self.machine.budget)
        states = inside.block(step.branches[0], States(step.reads, {key: arb(1)}))
        weights = weights_of(project(states, step.writes, inside.add))
        if not weights:
            raise Fault(never_passes(statement, dict(zip(step.reads, key, strict=True))))
        most = 1 - inside.lost.lower()
        exits = {written: weight / most for written, weight in weights.items()}
        return Ends(exits, 1 - sum(exits.values(), arb(0)))


def _rounds(step: Step, key: Key, machine: _Rounds) -> tuple[dict[Key, arb], arb]:
    """Return the weights of ends, and of the runs that are still in the loop."""
    add, layout, span = machine.add, at_start(step), step.statement.span
    holds, written, start = guard_of(step, machine), written_of(step), start_of(step)
    block, enough = Block(frozenset(), step.branches[0].steps), arb(2) ** -machine.budget.tail_bits
    after: Mapping[Key, arb] = {key: machine.ring.one}
    exits: dict[Key, arb] = {}
    left, followed, rounds = machine.ring.zero, 0, 0
    while True:
        inside: dict[Key, arb] = {}
        for each, weight in after.items():
            into, place = (inside, start(each)) if holds(each) else (exits, written(each))
            into[place] = add(into[place], weight) if place in into else weight
        still = left
        for weight in inside.values():
            still = add(still, weight)
        if still < enough or (followed > MOST_FOLLOWED and still < MOST_LEFT):
            return exits, still
        for each in [each for each, weight in inside.items() if weight < enough * _NEGLIGIBLE]:
            left = add(left, inside.pop(each))
        rounds, followed = rounds + 1, followed + len(inside)
        if followed > MOST_FOLLOWED and not still < MOST_LEFT:
            raise Fault(Diagnostic(rules.UNBOUNDED_LOOP, span, _unfinished(layout, inside, rounds, still)))
        machine.check_clock(span)
        after = weights_of(
            project(machine.block(block, States(layout, cast("Mapping[State, arb]", inside))), step.reads, add)
        )


def _unfinished(layout: tuple[str, ...], states: Mapping[Key, arb], rounds: int, still: arb) -> str:
    """Return what is said of a loop in which too many runs are left."""
    widest = max(range(len(layout)), key=lambda slot: len({state[slot] for state in states}))
    name = as_told(layout[widest])
    return (
        f"the loop goes through infinitely many states, or very many, and after {rounds:,} rounds a run is still in it with a chance of "
        f"about {float(still):.2g}, which must be less than 2^-64: leave the loop at some bound of '{name}'"
    )


def _kept(weight: arb) -> Fraction:
    """Return a dyadic number that is not above a weight, nor below 0."""
    scaled = dyadic(weight.lower()) * 2**_KEPT_BITS
    return Fraction(max(0, scaled.numerator // scaled.denominator), 2**_KEPT_BITS)


def _flint(chance: Fraction) -> fmpq:
    return fmpq(chance.numerator, chance.denominator)
