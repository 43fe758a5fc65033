"""Loops of unknown length and local draws in a forward run: their laws in each state, worked out once for each tuple of what they read."""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Generic, TypeVar, cast

from seepage import rules
from seepage.data_classes import dataclass
from seepage.diagnostics import Diagnostic, Fault
from seepage.engines.forward.chain import Ends, Field, Row, solve_chain
from seepage.engines.forward.compile import Scope, compile_truth
from seepage.engines.forward.liveness import Block, Step
from seepage.engines.forward.running import Running
from seepage.engines.forward.states import States, picker, project, without
from seepage.exact import Number, show
from seepage.semantics.core import CoreLocal, CoreWhile
from seepage.semantics.statements import walk
from seepage.source import Span
from seepage.syntax.tree import as_told

C = TypeVar("C")

Key = tuple[Number, ...]

HUNG: Any = ("@hung",)  # in the place of an end: runs that never end in a loop inside
MOST_STATES = 20_000  # of one loop, between two rounds
_AT_ONCE = 512  # states from which a round is run
_ORIGIN = "@origin"
_WIDE = 1_000  # values of a variable, from which it is told of as what makes the states many


@dataclass(frozen=True, slots=True)
class Round(Generic[C]):
    """What one round leads to.

    Attributes:
        ends: what the loop reads then, what it has written if it ends there (else None), and the weight.
        hung: the weight of runs that never end in a loop inside.
        loses: whether observations take runs away.
    """

    ends: Sequence[tuple[Key, Key | None, C]]
    hung: C
    loses: bool


class TooManyStates(Fault):
    """A loop goes through more states than are kept at once.

    Attributes:
        step: the loop.
    """

    def __init__(self, diagnostic: Diagnostic, step: Step) -> None:
        super().__init__(diagnostic)
        self.step = step

    def is_of(self, step: Step) -> bool:
        """Tell whether a loop is the same, and its rounds begin with no fewer variables, so that it goes through no fewer states."""
        return step.statement.span == self.step.statement.span and {*at_start(step)} >= {*at_start(self.step)}


class Loops(Generic[C]):
    """The loops of one run.

    Attributes:
        unending: for each loop the weights of runs that never end, by what the loop reads; of laws that were asked for.
        rows: for each loop what one round does, by what is live at its start.
        entered: the headers of loops whose ``never`` some run enters.
        passing: by what local draws were divided.
    """

    def __init__(self, machine: Running[C], field: Field[C]) -> None:
        self.machine = machine
        self.field = field
        self.rows: dict[int, dict[Key, Row[Key, Key, C]]] = {}
        self.entered: set[Span] = set()
        self.passing: list[C] = []
        self._ends: dict[int, dict[Key, Ends[Key, C]]] = {}
        self._laws: dict[tuple[int, Key], Ends[Key, C]] = {}
        self._steps: dict[int, Step] = {}  # kept, so that their ids stay their own

    def law(self, step: Step, key: Key) -> Ends[Key, C]:
        """Return the law of what a loop or local draw writes (``step.writes``), given what it reads (``step.reads``).

        Of a loop, runs that never end are apart, unless it says what they go on with. A local draw is normalised.

        Raises:
            Fault: of the statements in it; a local draw that never passes; too many states.
        """
        known = (id(step), key)
        if known not in self._laws:
            self._steps[id(step)] = step
            statement = step.statement
            assert isinstance(statement, CoreWhile | CoreLocal)
            self._laws[known] = (
                self._of_loop(step, statement, key)
                if isinstance(statement, CoreWhile)
                else self._of_draw(step, statement, key)
            )
        return self._laws[known]

    def is_over(self, step: Step, key: Key) -> bool:
        """Tell whether a loop ends in a state before any round."""
        assert isinstance(step.statement, CoreWhile)
        return not guard_of(step, self.machine)(key)

    def start(self, step: Step, key: Key) -> Key:
        """Return what is live at the start of a round, of what a loop reads."""
        return start_of(step)(key)

    # --- loops --------------------------------------------------------------------------------------------------------

    def _of_loop(self, step: Step, loop: CoreWhile, key: Key) -> Ends[Key, C]:
        if self.is_over(step, key):
            ends: Ends[Key, C] = Ends({written_of(step)(key): self.field.one}, self.field.zero)
        else:
            ends = self._after_rounds(step, self.start(step, key))
        exits, never, field = dict(ends.exits), ends.never, self.field
        if loop.never is not None and not field.is_zero(never):
            after, hung = self.after_never(step, key)
            for written, weight in after.items():
                more = field.multiply(never, weight)
                exits[written] = field.add(exits[written], more) if written in exits else more
            never = field.multiply(never, hung)
        return Ends(exits, field.add(never, exits.pop(HUNG, field.zero)))

    @property
    def most_states(self) -> int:
        """How many states of one loop are followed."""
        return min(MOST_STATES, self.machine.limit)

    def after_never(self, step: Step, key: Key) -> tuple[Mapping[Key, C], C]:
        """Return what the block ``never`` of a loop leads to from a state, and the weight of runs that never end in loops in it."""
        self.entered.add(step.statement.span)
        states, hung = self._apart(step.branches[1], States(step.reads, {key: self.field.one}))
        return weights_of(project(states, step.writes, self.machine.add)), hung

    def _apart(self, block: Block, states: States[C]) -> tuple[States[C], C]:
        """Run statements; return what is after them, and the weight of runs that never end in loops in them."""
        machine = self.machine
        outer, machine.unending = machine.unending, self.field.zero
        killer = machine.killer
        after = machine.block(block, states)
        hung, machine.unending, machine.killer = machine.unending, outer, killer
        return after, hung

    def _after_rounds(self, step: Step, start: Key) -> Ends[Key, C]:
        known = self._ends.setdefault(id(step), {})
        if start not in known:
            row = self._rows(step)
            rows = {state: row(each) for state, each in self.rounds_from(step, [start], known).items()}
            self.rows.setdefault(id(step), {}).update(rows)
            solve_chain(rows, known, self.field, partial(self.machine.check_clock, step.statement.span))
        return known[start]

    def rounds_from(self, step: Step, starts: Iterable[Key], known: Container[Key] = ()) -> dict[Key, Round[C]]:
        """Return what one round does in each state that a loop goes through from some, but for those that are known.

        Raises:
            Fault: of the statements in it; too many states.
        """
        found: dict[Key, Round[C]] = {}
        start = start_of(step)
        seen = dict.fromkeys(state for state in starts if state not in known)
        waiting = list(seen)
        while waiting:
            states, waiting = waiting[:_AT_ONCE], waiting[_AT_ONCE:]
            for state, each in zip(states, self._rounds(step, states), strict=True):
                found[state] = each
                nexts = [start(key) for key, written, _ in each.ends if written is None]
                new = [state for state in dict.fromkeys(nexts) if state not in seen and state not in known]
                seen.update(dict.fromkeys(new))
                waiting += new
            if len(seen) > self.most_states:
                raise self.too_many_states(step, seen)
        return found

    def _rounds(self, step: Step, states: Sequence[Key]) -> list[Round[C]]:
        """Run one round from each of some states: from all at once, told apart by one more variable, where no loop inside may hang."""
        if len(states) > 1 and not any(isinstance(each, CoreWhile) for each in walk(loop_of(step).body)):
            try:
                return self._rounds_at_once(step, states)
            except Fault as fault:
                if fault.diagnostic.rule is not rules.BUDGET_EXCEEDED:
                    raise
        return [self._round(step, state) for state in states]

    def _rounds_at_once(self, step: Step, states: Sequence[Key]) -> list[Round[C]]:
        machine, field = self.machine, self.field
        machine.check_clock(step.statement.span)
        begun = States((*at_start(step), _ORIGIN), {(*state, number): field.one for number, state in enumerate(states)})
        after, hung = self._apart(Block(frozenset(), step.branches[0].steps), begun)
        after = project(after, (*step.reads, _ORIGIN), machine.add)
        ends: list[dict[Key, C]] = [{} for _ in states]
        for (*each, number), weight in weights_of(after).items():
            ends[cast("int", number)][tuple(each)] = weight
        told = self._teller(step)
        return [told(each, hung) for each in ends]

    def _round(self, step: Step, state: Key) -> Round[C]:
        machine = self.machine
        machine.check_clock(step.statement.span)
        block = Block(frozenset(), step.branches[0].steps)
        after, hung = self._apart(block, States(at_start(step), {state: self.field.one}))
        return self._teller(step)(weights_of(project(after, step.reads, machine.add)), hung)

    def _teller(self, step: Step) -> Callable[[Mapping[Key, C], C], Round[C]]:
        """Return what tells what a round leads to from the weights after it, and that of runs that hang in it."""
        field, holds, written = self.field, guard_of(step, self.machine), written_of(step)

        def told(after: Mapping[Key, C], hung: C) -> Round[C]:
            total = hung
            for weight in after.values():
                total = field.add(total, weight)
            ends = [(each, None if holds(each) else written(each), weight) for each, weight in after.items()]
            return Round(ends, hung, not field.is_zero(field.complement(total)))

        return told

    def _rows(self, step: Step) -> Callable[[Round[C]], Row[Key, Key, C]]:
        """Return what makes rows of a chain of rounds."""
        field, start = self.field, start_of(step)

        def row(after: Round[C]) -> Row[Key, Key, C]:
            steps: dict[Key, C] = {}
            exits: dict[Key, C] = {} if field.is_zero(after.hung) else {HUNG: after.hung}
            for each, written, weight in after.ends:
                into, place = (steps, start(each)) if written is None else (exits, written)
                into[place] = field.add(into[place], weight) if place in into else weight
            return Row(steps, exits, after.loses)

        return row

    # --- local draws --------------------------------------------------------------------------------------------------

    def _of_draw(self, step: Step, draw: CoreLocal, key: Key) -> Ends[Key, C]:
        machine, field = self.machine, self.field
        states, never = self._apart(step.branches[0], States(step.reads, {key: field.one}))
        weights = weights_of(project(states, step.writes, machine.add))
        mass = never
        for weight in weights.values():
            mass = field.add(mass, weight)
        if field.is_zero(mass):
            raise Fault(never_passes(draw, dict(zip(step.reads, key, strict=True))))
        self.passing.append(mass)
        exits = {written: field.divide(weight, mass) for written, weight in weights.items()}
        return Ends(exits, field.divide(never, mass))

    def too_many_states(self, step: Step, states: Collection[Key]) -> TooManyStates:
        """Return what is said of a loop that goes through too many states, these among them."""
        message = f"the loop has more than {self.most_states:,} states"
        values = {
            name: len(set(column)) for name, column in zip(at_start(step), zip(*states, strict=True), strict=True)
        }
        widest = max(values, key=values.__getitem__, default="")
        if values.get(widest, 0) > _WIDE:
            message += f": '{as_told(widest)}' has more than {_WIDE:,} values in it; leave the loop at some bound of '{as_told(widest)}'"
        return TooManyStates(Diagnostic(rules.UNBOUNDED_LOOP, step.statement.span, message), step)


def loop_of(step: Step) -> CoreWhile:
    """Return the loop of a step that is one."""
    assert isinstance(step.statement, CoreWhile)
    return step.statement


def at_start(step: Step) -> tuple[str, ...]:
    """Return the names that are live at the start of a round of a loop."""
    return without(step.reads, step.branches[0].forget)


def start_of(step: Step) -> Callable[[Key], Key]:
    """Return what picks the values of these names from what a loop reads."""
    return cast("Callable[[Key], Key]", picker(step.reads.index(name) for name in at_start(step)))


def written_of(step: Step) -> Callable[[Key], Key]:
    """Return what picks the values that a loop writes from what it reads, where it ends."""
    return cast("Callable[[Key], Key]", picker(step.reads.index(name) for name in step.writes))


def guard_of(step: Step, machine: Running[Any]) -> Callable[[Key], bool]:
    """Return what tells from what a loop reads whether there is another round."""
    assert isinstance(step.statement, CoreWhile)
    slots = {name: slot for slot, name in enumerate(step.reads)}
    scope = Scope(slots, machine.parameters, machine.unknown, machine.core.arrays)
    return cast("Callable[[Key], bool]", compile_truth(step.statement.condition, scope))


def never_passes(draw: CoreLocal, state: Mapping[str, Number]) -> Diagnostic:
    """Say that no body of a local draw passes its observations in a state."""
    told = ", ".join(f"{name} = {show(value)}" for name, value in state.items() if "@" not in name)
    where = f": {told}" if told else ""
    what = (
        f"no run of '{draw.procedure}' passes for these arguments" if draw.procedure else "no run passes what is given"
    )
    return Diagnostic(rules.IMPOSSIBLE_DRAW, draw.span, f"{what}{where}")


def weights_of(states: States[C]) -> Mapping[Key, C]:
    """Return the weights of states that have discrete values only."""
    return cast("Mapping[Key, C]", states.weights)


def run_law(step: Step, states: States[Any], loops: Loops[Any]) -> tuple[States[Any], Any]:
    """Run a loop or local draw from states; return what is after it, and the weight of the runs that never end."""
    add, field = loops.machine.add, loops.field
    slots = states.slots()
    absent = len(states.layout)
    key_of = picker(slots.get(name, absent) for name in step.reads)
    kept = tuple(name for name in states.layout if name not in step.writes and name not in step.forget)
    pick = picker(slots[name] for name in kept)
    written = tuple(name for name in step.writes if name not in step.forget)
    chosen = picker(step.writes.index(name) for name in written)
    weights: dict[Any, Any] = {}
    unending = field.zero
    for state, weight in states.weights.items():
        ends = loops.law(step, cast("Key", key_of((*state, 0))))
        unending = field.add(unending, field.multiply(weight, ends.never))
        for values, chance in ends.exits.items():
            key = (*pick(state), *chosen(values))
            product = field.multiply(weight, chance)
            weights[key] = add(weights[key], product) if key in weights else product
            if len(weights) > loops.machine.limit:
                raise loops.machine.too_many(step.statement.span, len(weights))
    return States((*kept, *written), weights), unending
