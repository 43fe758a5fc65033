r"""Loops that no elimination of states ends, followed round by round until hardly any run is still in them.

The weights are balls. The law that is handed on has the lower ends of the chances of ends, as dyadic numbers of a limited length; all that these leave out is one
remainder, of which nothing is known: runs that are still in the loop, what was cut off infinite supports, and what rounding takes away. Where states weigh next to
nothing, their runs count to the remainder, too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import cast

from flint import arb

from seepage import rules
from seepage.diagnostics import Diagnostic, Fault
from seepage.distributions.gaussian import State
from seepage.distributions.kinds import is_infinite
from seepage.engines.forward.coefficients import Balls
from seepage.engines.forward.liveness import Block, Step
from seepage.engines.forward.loops import Key, at_start, guard_of, start_of, weights_of, written_of
from seepage.engines.forward.run import Machine
from seepage.engines.forward.states import States, project
from seepage.engines.outcome import Budget
from seepage.exact import Number, dyadic, precision
from seepage.semantics.core import CoreLocal, CoreObserve, CoreProgram, CoreSample, CoreWhile
from seepage.semantics.statements import walk
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


def can_be_followed(loop: CoreWhile) -> bool:
    """Tell whether nothing in a loop needs weights that are divided, and what is cut off it is told from what observations take away."""
    inside = list(walk(loop.body))
    observes = any(isinstance(each, CoreObserve) for each in inside)
    is_cut = any(isinstance(each, CoreSample) and is_infinite(each.distribution) for each in inside)
    return not (observes and is_cut) and not any(isinstance(each, CoreWhile | CoreLocal) for each in inside)


def follow(step: Step, key: Key, core: CoreProgram, parameters: Mapping[str, Number], budget: Budget) -> Followed:
    """Follow a loop from one state.

    Args:
        step: of a loop that :func:`can_be_followed`.
        key: what it reads.
        core: the program of the loop alone.
        parameters: values of the parameters.
        budget: on states and time.

    Raises:
        Fault: of the statements in it; if more runs are left after as many states as may be followed.
    """
    with precision(_BITS):
        machine: Machine[arb] = Machine(core, parameters, Balls(_BITS), budget)
        exits, still = _rounds(step, key, machine)
        kept = {written: _kept(weight) for written, weight in exits.items()}
        assert isinstance(step.statement, CoreWhile)
        lost = Fraction(0)
        if any(isinstance(each, CoreObserve) for each in walk(step.statement.body)):
            lost = _kept(machine.ring.complement(machine.add(machine.mass(exits), still)))
    return Followed({written: chance for written, chance in kept.items() if chance}, lost)


def _rounds(step: Step, key: Key, machine: Machine[arb]) -> tuple[dict[Key, arb], arb]:
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
