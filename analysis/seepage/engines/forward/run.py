r"""The forward machine: the joint distribution of the asked variables, pushed through the program statement by statement.

It is the dual of the weakest pre-expectation: :math:`wp[\![S]\!](f)(\sigma) = \sum_\tau P(\sigma \to \tau) f(\tau)`. A finite map from
states of the *live* variables to weights goes through the program; equal states merge, failed observations are dropped, nothing is
normalised. It is generic in the ring of weights, and in what happens to continuous values
(:class:`~seepage.engines.forward.running.Continuous`, implemented by :mod:`seepage.engines.soga.transformer`); a discrete program has none.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator, Mapping
from contextlib import nullcontext
from typing import Any, TypeVar, assert_never, cast

from flint import fmpz

from seepage.diagnostics import Diagnostic, Fault
from seepage.distributions.families import draw
from seepage.distributions.gaussian import Affine, Slot, State
from seepage.distributions.parameters import Place
from seepage.engines.forward.chain import Field, field_of
from seepage.engines.forward.class_faults import beyond
from seepage.engines.forward.classes import Classes
from seepage.engines.forward.coefficients import Balls, Rationals, has_arrays, operations
from seepage.engines.forward.compile import Scope, compile_truth, compile_value
from seepage.engines.forward.counting import NoCounter, Stretch, added_to, fold, shifted, unfold
from seepage.engines.forward.counting import is_zero as is_zero_polynomial
from seepage.engines.forward.counting import stretches as counting_stretches
from seepage.engines.forward.cutting import Cutting, OnlyBeyond, cut_of
from seepage.engines.forward.denominators import scaled, unscaled
from seepage.engines.forward.dense import Dense
from seepage.engines.forward.liveness import Block, Step, plan, read_names
from seepage.engines.forward.loops import Loops, run_law
from seepage.engines.forward.never import never_ends
from seepage.engines.forward.running import Continuous, Running
from seepage.engines.forward.states import States, merge, picker, project, without
from seepage.engines.forward.tables import Table, TableMasses, table_of
from seepage.engines.forward.tables import project as project_table
from seepage.engines.outcome import Budget, DiscreteJoint, Ring
from seepage.exact import Number, precision
from seepage.rules import CANNOT_DECIDE, IMPOSSIBLE_OBSERVATION, INVALID_INDEX
from seepage.semantics.core import CoreAssign, CoreIf, CoreLocal, CoreObserve, CoreProgram, CoreSample, CoreWhile
from seepage.semantics.evaluate import element, spelled
from seepage.syntax import tree

C = TypeVar("C")

_DEADLINE_STEP = 1024  # states between two looks at the clock
_MANY, _FEW = 1_000, 200  # states: from the one a run goes on with tables, from the other back with single states
_WHOLE_EVERY, _WHOLE_STATES = 16, 64  # statements between two times that few weights are made whole numbers


class Machine(Running[C]):
    """One run: the program's fixed data, and where the probability last became 0."""

    def __init__(
        self,
        core: CoreProgram,
        parameters: Mapping[str, Number],
        ring: Ring[C],
        budget: Budget,
        continuous: Continuous[C] | None = None,
    ) -> None:
        super().__init__(core, parameters, ring, budget, continuous is not None and not isinstance(continuous, Classes))
        self.add, self.multiply, self.is_zero = operations(ring)
        self.continuous = continuous
        self.field: Field[C] | None = field_of(ring)
        self._loops: Loops[C] | None = None
        self.cutting = Cutting()
        self.dense = None if continuous is not None or not has_arrays(ring) else Dense(self)
        self.supports: dict[tuple[tree.Distribution, tuple[str, ...]], dict[State, tuple[tuple[Number, C], ...]]] = {}

    @property
    def loops(self) -> Loops[C]:
        """The loops and local draws of this run, over a ring that has division."""
        if self._loops is None:
            if self.field is None:
                raise AssertionError("loops need weights that can be divided")
            self._loops = Loops(self, self.field)
        return self._loops

    def start(self, program: Block, initial: States[C]) -> States[C]:
        """Run a whole program, then the event that may follow it; an event cannot bring runs back that the program's observations removed.

        Raises:
            Fault: of the program, in the first statement that has one; impossible observation; budget.
        """
        return self.single(self.outcome(program, initial))

    def outcome(self, program: Block, initial: States[C]) -> States[C] | Table:
        """Do the same; very many states are left as a table.

        Raises:
            Fault: as :meth:`start`.
        """
        states: States[C] | Table = initial
        for part in _parts(program):
            states = self._steps(part, self.single(states), counting=self.dense is not None)
            if isinstance(states, States):
                states = self._settle(states)
        if not _size(states):
            raise self.vanished()
        return states

    def vanished(self) -> Fault:
        """Return the fault of a run of which nothing is left, at the observation that took the last of it."""
        if self.killer is None:
            raise AssertionError("the probability vanished without an observation")
        explained = None if self.continuous is None else self.continuous.impossible(self.killer.condition)
        if explained is not None:
            return Fault(explained)
        condition = spelled(self.killer.condition)
        if self.cutting.met and not never_ends(self.core, self.parameters):
            bits = self.budget.tail_bits
            message = f"all but 2^-{bits} of what infinite supports hold was tried, and no run passes '{condition}'"
            return OnlyBeyond(Diagnostic(CANNOT_DECIDE, self.killer.span, message))
        message = f"impossible observation: no run passes '{condition}'"
        return Fault(Diagnostic(IMPOSSIBLE_OBSERVATION, self.killer.span, message))

    def block(self, block: Block, states: States[C]) -> States[C]:
        """Run statements in a row."""
        return self.single(self._steps(block, states))

    def _steps(self, block: Block, initial: States[C], counting: bool = False) -> States[C] | Table:
        """Run statements in a row, with tables of states while these are many, and with polynomials in what is only added to."""
        states: States[C] | Table = self._tidy(project(initial, without(initial.layout, block.forget), self.add))
        stretches = counting_stretches(block.steps, self.core.arrays) if counting else {}
        place = 0
        whole = counting and isinstance(self.ring, Rationals)
        scale = fmpz(1)  # the weights of single states are this many times too large
        while place < len(block.steps) and (size := _size(states)):
            step, stretch = block.steps[place], stretches.pop(place, None)
            self.check_clock(step.statement.span)
            if whole and isinstance(states, States) and place % _WHOLE_EVERY == 0 and size <= _WHOLE_STATES:
                states, scale = scaled(states, scale)
            if stretch is not None and size < _MANY:
                states, scale = unscaled(states, scale)
                try:
                    states = self._count(stretch, block.steps[place : stretch.end], self.single(states))
                except NoCounter:
                    continue
                place = stretch.end
                continue
            place += 1
            if self.dense is None:
                states = self._tidy(self.step(step, self.single(states)))
                continue
            if isinstance(states, States) and size * _rows_drawn(step) > _MANY:
                states, scale = unscaled(states, scale)
                states = table_of(states.layout, cast("Mapping[tuple[Number, ...], C]", states.weights))
            elif isinstance(states, Table) and size < _FEW:
                states = self.single(states)
            states = self.dense.step(step, states) if isinstance(states, Table) else self.step(step, states)
        return unscaled(states, scale)[0]

    def _count(self, stretch: Stretch, steps: tuple[Step, ...], states: States[C]) -> States[C]:
        """Run steps that only add to a variable.

        Raises:
            NoCounter: if it turns out not to be a counter.
        """
        machine = _Counting(self, stretch.variable)
        counted = machine.block(Block(frozenset(), steps), fold(states, stretch.variable))
        self.killer = machine.killer or self.killer
        return unfold(counted, stretch.variable)

    def single(self, states: States[C] | Table) -> States[C]:
        """Return states one by one."""
        if isinstance(states, States):
            return states
        return States(states.layout, dict(zip(states.rows(), states.masses(), strict=True)))

    def step(self, step: Step, states: States[C]) -> States[C]:
        """Run one statement."""
        match step.statement:
            case CoreAssign(target=target, value=value):
                return self._assign(step, target, value, states)
            case CoreSample(target=target, distribution=distribution):
                return self._sample(step, target, distribution, states)
            case CoreObserve():
                return self.observe(step, step.statement, states)
            case CoreIf(condition=condition):
                return self._branch(step, condition, states)
            case CoreWhile() | CoreLocal():
                after, unending = run_law(step, states, self.loops)
                self.unending = self.add(self.unending, unending)
                return after
            case _:
                assert_never(step.statement)

    # --- statements ---------------------------------------------------------------------------------------------------

    def _assign(self, step: Step, target: tree.Target, value: tree.Expression, states: States[C]) -> States[C]:
        scope = self._scope(states)
        compute = compile_value(value, scope)
        read = _read_slots(step, scope)

        def outcomes() -> Iterator[tuple[State, Slot, C]]:
            for state, weight in states.weights.items():
                if self.continuous is not None and _meets_continuous(state, read):
                    self.check_clock(step.statement.span)
                    for drawn, after, factor in self.continuous.assign(step, value, state, scope):
                        yield after, drawn, self.multiply(weight, factor)
                else:
                    yield state, compute(state), weight

        return self._store(step, target, outcomes(), scope, states)

    def _sample(self, step: Step, target: tree.Target, distribution: tree.Distribution, states: States[C]) -> States[C]:
        scope = self._scope(states)
        read = _read_slots(step, scope)
        pick = picker(read)
        supports: dict[State, tuple[tuple[Number, C], ...]] = {}
        rules = self.continuous
        continuous = rules is not None and rules.is_continuous(distribution)

        def outcomes() -> Iterator[tuple[State, Slot, C]]:
            multiply = self.multiply
            for state, weight in states.weights.items():
                if rules is not None and (continuous or _meets_continuous(state, read)):
                    for drawn, after, factor in rules.sample(step, distribution, state, scope):
                        yield after, drawn, multiply(weight, factor)
                    continue
                key = pick(state)
                if key not in supports:
                    supports[key] = self.support_of(step, distribution, state, key, scope)
                for value, mass in supports[key]:
                    yield state, value, multiply(weight, mass)

        return self._store(step, target, outcomes(), scope, states)

    def support_of(
        self, step: Step, distribution: tree.Distribution, state: State, read: State, scope: Scope
    ) -> tuple[tuple[Number, C], ...]:
        """Return values and probabilities; laws that look alike, as those of an unrolled loop do, are worked out once."""
        names = tuple(name for name in step.reads if name in scope.slots)  # what the values in read belong to
        known = self.supports.setdefault((distribution, names), {})
        if read not in known:
            place = Place(scope.mapping(state, step.reads), self.core.arrays, self.unknown)
            budget = self.budget
            cutting = self.continuous is None or self.by_components
            drawn = draw(distribution, place, self.ring, budget.states, budget.tail_bits if cutting else None)
            self.cutting.note(distribution, drawn.windows)
            known[read] = drawn.entries
        return known[read]

    def _store(
        self,
        step: Step,
        target: tree.Target,
        outcomes: Iterable[tuple[State, Slot, C]],
        scope: Scope,
        states: States[C],
    ) -> States[C]:
        """Write values into states, forget what is dead, merge what became equal."""
        add, is_zero = self.add, self.is_zero
        if isinstance(target, tree.Index):
            outcomes, written = self._elements(target, outcomes, scope), tuple(self._names(target))
        else:
            written = (target.id,)
        extended = (*states.layout, *(name for name in written if name not in scope.slots))
        layout = without(extended, step.forget)
        slots = {name: slot for slot, name in enumerate(extended)}
        if isinstance(target, tree.Name):
            slots[target.id] = len(states.layout)  # the value, appended to the state
        pick = picker(slots[name] for name in layout)
        whole = isinstance(target, tree.Index)
        limit, span = self.limit, step.statement.span
        weights: dict[State, C] = {}
        for count, (state, value, weight) in enumerate(outcomes):
            key = pick(cast("State", value) if whole else (*state, value))
            if key in weights:
                weights[key] = add(weights[key], weight)
            elif not is_zero(weight):
                weights[key] = weight
                if len(weights) > limit:
                    raise self.too_many(span, len(weights))
            if count % _DEADLINE_STEP == 0:
                self.check_clock(span)
        return States(layout, weights)

    def _names(self, target: tree.Index) -> list[str]:
        return [f"{target.array}[{i}]" for i in self.core.arrays.get(target.array, ())]

    def _index_reads(self, target: tree.Index) -> tuple[str, ...]:
        return read_names(target, (), self.core.arrays, frozenset(self.core.variables))

    def _elements(
        self, target: tree.Index, outcomes: Iterable[tuple[State, Slot, C]], scope: Scope
    ) -> Iterator[tuple[State, Slot, C]]:
        """Turn (state, value for an element picked at random) into the whole written state, with new slots at the end."""
        names = self._names(target)
        new = [name for name in names if name not in scope.slots]
        slots = {**scope.slots, **{name: len(scope.slots) + position for position, name in enumerate(new)}}
        padding: tuple[Slot, ...] = (0,) * len(new)
        index = compile_value(target.index, scope)
        by_index: dict[Number, int] = {i: slots[f"{target.array}[{i}]"] for i in self.core.arrays.get(target.array, ())}
        read = tuple(scope.slots[name] for name in self._index_reads(target) if name in scope.slots)
        for state, value, weight in outcomes:
            if self.continuous is not None and _meets_continuous(state, read):
                if isinstance(self.continuous, Classes):
                    raise beyond(target.index, "the index")
                message = (
                    f"the index '{spelled(target.index)}' is continuous here: found a real number, expected an integer"
                )
                raise Fault(Diagnostic(INVALID_INDEX, target.index.span, message))
            slot = by_index.get(index(state))
            if slot is None:
                slot = slots[element(target, scope.mapping(state), self.core.arrays)]
            whole = state + padding
            yield state, cast("Slot", (*whole[:slot], value, *whole[slot + 1 :])), weight

    def observe(self, step: Step, statement: CoreObserve, states: States[C]) -> States[C]:
        """Keep the states that pass an observation."""
        scope = self._scope(states)
        holds = compile_truth(statement.condition, scope)
        read = _read_slots(step, scope)
        kept: dict[State, C] = {}
        for state, weight in states.weights.items():
            if self.continuous is not None and _meets_continuous(state, read):
                self.check_clock(statement.span)
                for after, factor in self.continuous.observe(step, statement.condition, state, scope):
                    self._accumulate(kept, after, self.multiply(weight, factor))
                continue
            held = holds(state)
            if self.continuous is not None:
                self.continuous.passed(statement.condition, held)
            if held:
                kept[state] = self.add(kept[state], weight) if state in kept else weight
        if not kept:
            self.killer = statement
        return project(States(states.layout, kept), without(states.layout, step.forget), self.add)

    def _branch(self, step: Step, condition: tree.Expression, states: States[C]) -> States[C]:
        """Run the branches; a chain of ``else if`` is a loop here, so that its length does not matter."""
        span = step.statement.span
        joined: States[C] = States(states.layout, {})
        while True:
            chosen, others = self._split(step, condition, states)
            if chosen.weights:
                joined = merge(joined, self.block(step.branches[0], chosen), self.add)
            last = step.branches[1]
            only = last.steps[0] if len(last.steps) == 1 else None
            if not others.weights or only is None or not isinstance(only.statement, CoreIf):
                break
            states = self._tidy(project(others, without(others.layout, last.forget), self.add))
            step, condition = only, only.statement.condition
            self.check_clock(only.statement.span)
        if others.weights:
            joined = merge(joined, self.block(last, others), self.add)
        if len(joined.weights) > self.limit:
            raise self.too_many(span, len(joined.weights))
        return joined

    def _split(self, step: Step, condition: tree.Expression, states: States[C]) -> tuple[States[C], States[C]]:
        """Return the states in which a condition holds, and the others."""
        scope = self._scope(states)
        holds = compile_truth(condition, scope)
        read = _read_slots(step, scope)
        chosen: dict[State, C] = {}
        others: dict[State, C] = {}
        for state, weight in states.weights.items():
            if self.continuous is not None and _meets_continuous(state, read):
                self.check_clock(step.statement.span)
                for truth, after, factor in self.continuous.decide(step, condition, state, scope):
                    self._accumulate(chosen if truth else others, after, self.multiply(weight, factor))
            else:
                self._accumulate(chosen if holds(state) else others, state, weight)
        return States(states.layout, chosen), States(states.layout, others)

    # --- the rest -----------------------------------------------------------------------------------------------------

    def _accumulate(self, weights: dict[State, C], state: State, weight: C) -> None:
        if state in weights:
            weights[state] = self.add(weights[state], weight)
        elif not self.is_zero(weight):
            weights[state] = weight

    def _settle(self, states: States[C]) -> States[C]:
        return states if self.continuous is None or not states.weights else self.continuous.settle(states)

    def _tidy(self, states: States[C]) -> States[C]:
        return states if self.continuous is None else self.continuous.tidy(states)

    def _scope(self, states: States[C]) -> Scope:
        return Scope(states.slots(), self.parameters, self.unknown, self.core.arrays)

    def mass(self, masses: Mapping[tuple[Number, ...], C]) -> C:
        """Return the sum of the masses of all outcomes."""
        if isinstance(masses, TableMasses) and masses.table.denominator:
            return self.ring.rational(sum(masses.table.weights.tolist()), masses.table.denominator)
        mass = self.ring.zero
        for count, weight in enumerate(masses.values()):
            mass = self.add(mass, weight)
            if count % _DEADLINE_STEP == 0 and self.core.statements:
                self.check_clock(self.core.statements[-1].span)
        return mass


class _Counting(Machine[Any]):
    """A run over a stretch in which a variable is an exponent; laws and faults are those of the run that it is a part of."""

    def __init__(self, run: Machine[Any], variable: str) -> None:
        super().__init__(run.core, run.parameters, run.ring, run.budget)
        self.dense = None
        self.add, self.multiply, self.is_zero = operator.add, operator.mul, is_zero_polynomial
        self.cutting, self.supports = run.cutting, run.supports
        self.variable = variable

    def _assign(self, step: Step, target: tree.Target, value: tree.Expression, states: States[Any]) -> States[Any]:
        if added_to(step.statement) != self.variable:
            return super()._assign(step, target, value, states)
        weights = dict(shifted(step.statement, states, self._scope(states)))
        return project(States(states.layout, weights), without(states.layout, step.forget), self.add)


def _size(states: States[C] | Table) -> int:
    return len(states) if isinstance(states, Table) else len(states.weights)


def _rows_drawn(step: Step) -> int:
    """Return how many states a draw from a table of data makes of one, 1 for any other statement."""
    match step.statement:
        case CoreSample(distribution=tree.Rows(draw=draw)):
            return len(draw.weights)
        case _:
            return 1


def _parts(program: Block) -> Iterator[Block]:
    """Yield the program proper, and if an event follows: all parts of that together, and what comes after."""
    steps = program.steps
    parts_of_event = [
        place for place, step in enumerate(steps) if isinstance(step.statement, CoreObserve) and step.statement.of_event
    ]
    if not parts_of_event:
        yield program
        return
    first, last = parts_of_event[0], parts_of_event[-1] + 1
    yield Block(program.forget, steps[:first])
    yield Block(frozenset(), steps[first:last])
    yield Block(frozenset(), steps[last:])


def _read_slots(step: Step, scope: Scope) -> tuple[int, ...]:
    return tuple(scope.slots[name] for name in step.reads if name in scope.slots)


def _meets_continuous(state: State, slots: tuple[int, ...]) -> bool:
    return any(type(state[slot]) is Affine for slot in slots)


def run(
    core: CoreProgram, asked: tuple[str, ...], parameters: Mapping[str, Number], ring: Ring[C], budget: Budget
) -> DiscreteJoint[C]:
    """Return the joint sub-distribution of plain variables on termination of a finite discrete program.

    Args:
        core: the unrolled program, sliced and sunk by the caller if that is wanted.
        asked: plain variables (``r[1]``); one that no statement writes is 0.
        parameters: values of the program's parameters; one that is missing stays a symbol, for rings that have symbols.
        ring: of the weights.
        budget: limits on states and time.

    Raises:
        Fault: of the program (undefined value, parameter of a distribution out of range, impossible observation, …), not supported, or
            past the budget, each at its statement.
        ValueError: if a value or a guard depends on a parameter that is missing.
    """
    kind: object = ring
    with precision(kind.bits) if isinstance(kind, Balls) else nullcontext():
        machine = Machine(core, parameters, ring, budget)
        states = machine.outcome(plan(core, asked), States((), {(): ring.one}))
        masses: Mapping[tuple[Number, ...], C]
        if isinstance(states, Table):
            masses = TableMasses(project_table(states, asked))
        else:
            masses = cast("Mapping[tuple[Number, ...], C]", project(states, asked, ring.add).weights)
        mass = machine.mass(masses)
        cut = cut_of(machine.cutting, core, asked, parameters, max(budget.states, budget.rows))
    return DiscreteJoint(asked, ring, masses, mass, cut)
