"""A chain of bounded variables, and what is known of it once all of its reachable states were visited."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from seepage import exact
from seepage.data_classes import dataclass
from seepage.diagnostics import Fault
from seepage.exact import Number
from seepage.imports.writing import NotImported
from seepage.semantics.evaluate import evaluate, names_of, truth
from seepage.syntax.spell import spell
from seepage.syntax.tree import Expression

_MOST_STATES = 20_000
ROUNDED = Fraction(1, 1_000_000)  # chances that are rounded miss 1 by less

State = tuple[Number, ...]


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable: its name in the text and in Seep, its least and greatest value, where it starts, and the line that declares it."""

    name: str
    label: str
    low: Expression
    high: Expression
    start: Expression
    line: int


@dataclass(frozen=True, slots=True)
class Alternative:
    """What a transition may do: its chance, and the new values by names of Seep, all computed from the old ones."""

    chance: Expression
    updates: Mapping[str, Expression]


@dataclass(frozen=True, slots=True)
class Transition:
    """What may happen in a round where the guard holds, and the line that says so."""

    guard: Expression
    alternatives: tuple[Alternative, ...]
    line: int


@dataclass(frozen=True, slots=True)
class Chain:
    """A chain.

    Attributes:
        variables: in order.
        transitions: in order.
        until: where it ends; None for where nothing changes any more.
        steps: after how many rounds it ends; None for no such number.
    """

    variables: tuple[Variable, ...]
    transitions: tuple[Transition, ...]
    until: Expression | None
    steps: int | None


@dataclass(frozen=True, slots=True)
class Explored:
    """What holds in all reachable states.

    Attributes:
        start: the values of the variables.
        moving: the transitions that change some state.
        is_alone: whether never two transitions are enabled together.
    """

    start: tuple[Number, ...]
    moving: tuple[int, ...]
    is_alone: bool


def explored(chain: Chain, constants: Mapping[str, Expression]) -> Explored:
    """Visit all reachable states.

    Raises:
        NotImported: too many; a value outside of its range; chances outside of 0 to 1, or that do not come to 1; a guard or value that
            depends on a constant without a value; an end that no state meets; or a chain that goes on for ever and has no end.
    """
    return _Visit(chain, constants).run()


class _Visit:
    """One visit of all states."""

    def __init__(self, chain: Chain, constants: Mapping[str, Expression]) -> None:
        self._chain = chain
        self._known: dict[str, Number] = {}
        for name, value in constants.items():
            self._known[name] = self._value(value, self._known, f"constant '{name}'")
        self._ranges = [
            tuple(self._value(each, self._known, f"line {one.line}") for each in (one.low, one.high))
            for one in chain.variables
        ]

    def run(self) -> Explored:
        chain = self._chain
        start = tuple(self._value(one.start, self._known, f"line {one.line}") for one in chain.variables)
        self._check(start, 1 if not chain.variables else chain.variables[0].line)
        seen, waiting = {start}, [start]
        moving: set[int] = set()
        staying: list[tuple[int, State]] = []  # the only transition of a state that goes nowhere else
        is_alone, ends, is_met = True, False, False
        while waiting:
            state = waiting.pop()
            values = self._named(state)
            if chain.until is not None and self._holds(chain.until, values, "the end"):
                ends = is_met = True
                continue
            enabled = [at for at, one in enumerate(chain.transitions) if self._holds(one.guard, values, f"line {one.line}")]  # fmt: skip
            is_alone = is_alone and len(enabled) <= 1
            after = {at: self._after(chain.transitions[at], state, values) for at in enabled}
            moving.update(at for at in enabled if after[at] != {state})
            if enabled and all(after[at] == {state} for at in enabled):
                staying += [(at, state) for at in enabled]
            ends = ends or (chain.until is None and all(after[at] == {state} for at in enabled))
            for each in set().union(*after.values()) - seen:
                seen.add(each)
                waiting.append(each)
            if len(seen) > _MOST_STATES:
                raise NotImported(f"more than {_MOST_STATES:,} states are reachable")
        if not (ends if chain.until is None else is_met) and chain.steps is None:
            what = (
                "the chain never ends: name its"
                if chain.until is None
                else "no reachable state is an end by --until: name another"
            )
            raise NotImported(f"{what} end with --until, or a number of steps with --steps")
        self._check_end(moving, staying)
        return Explored(start, tuple(sorted(moving)), is_alone)

    def _check_end(self, moving: set[int], staying: Sequence[tuple[int, State]]) -> None:
        """Refuse a chain whose loop would not end where the chain stays."""
        if self._chain.until is not None or self._chain.steps is not None:
            return
        for at, state in staying:
            if at in moving:
                told = ", ".join(f"{one.name} = {exact.show(value)}" for one, value in zip(self._chain.variables, state, strict=True))  # fmt: skip
                line = self._chain.transitions[at].line
                raise NotImported(
                    f"line {line}: this command stays for ever at {told}, and moves elsewhere: name the end with --until"
                )

    def _named(self, state: State) -> dict[str, Number]:
        return {**self._known, **{one.label: value for one, value in zip(self._chain.variables, state, strict=True)}}

    def _after(self, transition: Transition, state: State, values: Mapping[str, Number]) -> set[State]:
        found: set[State] = set()
        for alternative in transition.alternatives:
            updates = {
                name: self._value(value, values, f"line {transition.line}")
                for name, value in alternative.updates.items()
            }
            after = tuple(
                updates.get(one.label, value) for one, value in zip(self._chain.variables, state, strict=True)
            )
            self._check(after, transition.line)
            found.add(after)
        self._check_sum(transition, values)
        return found

    def _check(self, state: State, line: int) -> None:
        for one, (low, high), value in zip(self._chain.variables, self._ranges, state, strict=True):
            if not (isinstance(value, int) and isinstance(low, int) and isinstance(high, int) and low <= value <= high):
                ends = f"{exact.show(low)}..{exact.show(high)}"
                raise NotImported(
                    f"line {line}: '{one.name}' gets the value {exact.show(value)}, which is not in {ends}"
                )

    def _check_sum(self, transition: Transition, values: Mapping[str, Number]) -> None:
        total = Fraction(0)
        for each in transition.alternatives:
            if any(name not in values for name in names_of(each.chance)):
                return  # depends on a constant without a value: told where the program is run
            value = self._value(each.chance, values, f"line {transition.line}")
            if exact.sign(value) < 0 or exact.compare(value, 1) > 0:
                told = f"the chance '{spell(each.chance)}' is {exact.show(value)}"
                raise NotImported(f"line {transition.line}: {told}, expected a number between 0 and 1")
            chance = exact.to_fraction(value)
            if chance is None:
                return
            total += chance
        if not 1 - ROUNDED <= total <= 1 + ROUNDED:
            raise NotImported(f"line {transition.line}: the chances come to {float(total):.6g}, expected 1")

    def _value(self, expression: Expression, values: Mapping[str, Number], place: str) -> Number:
        self._need(expression, values, place)
        try:
            return evaluate(expression, values)
        except Fault as fault:
            raise NotImported(f"{place}: {fault.diagnostic.message}") from None

    def _holds(self, condition: Expression, values: Mapping[str, Number], place: str) -> bool:
        self._need(condition, values, place)
        try:
            return truth(condition, values)
        except Fault as fault:
            raise NotImported(f"{place}: {fault.diagnostic.message}") from None

    def _need(self, expression: Expression, values: Mapping[str, Number], place: str) -> None:
        unknown = next((each for each in names_of(expression) if each not in values), None)
        if unknown is not None:
            raise NotImported(f"{place}: depends on '{unknown}', which has no value: only chances may")
