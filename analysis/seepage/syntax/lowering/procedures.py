"""Procedures: what they may do, and the values of those without chance."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any, cast

from seepage.data_classes import dataclass
from seepage.rules import (
    ENDLESS_RECURSION,
    MISPLACED_DISTRIBUTION,
    NO_RESULT,
    NOT_SUPPORTED,
    WRONG_ARGUMENTS,
)
from seepage.source import Span
from seepage.syntax.lowering.data import no_argument, table_of
from seepage.syntax.lowering.facts import Environment, Facts, Procedure, Refused
from seepage.syntax.lowering.forms import binary, conditional, folded, integer, number, respanned, static
from seepage.syntax.lowering.laws import name_of
from seepage.syntax.lowering.values import Values
from seepage.syntax.raw import Raw, RawArray, RawClause, RawGenerated, RawHeader, RawLeaf, children
from seepage.syntax.tree import Arm, Call, For, If, Index, Item, Name, Placed, While, blocks_of

if TYPE_CHECKING:
    from seepage.syntax.lowering.jumps import Readings

MAX_DEPTH = 1_000
_MOST_PATHS = 20_000
_MOST_PARTS = 2_000  # of the value of a variable
_TOO_LARGE = "the value is too large to stand in an expression: assign it on a line of its own, 'x := f(…)'"


@dataclass(slots=True)
class _State:
    """A path through a procedure: what its variables are, 1 where its arguments lead through it, else 0, and how it left a round of a loop."""

    local: dict[str, Raw]
    weight: Raw
    result: tuple[Raw, ...] | None = None
    jump: str = ""

    @property
    def goes_on(self) -> bool:
        """Tell whether the next statement is on the path."""
        return self.result is None and not self.jump


@dataclass(slots=True)
class Laws:
    """Answers what calls of procedures come to."""

    facts: Facts
    readings: Readings
    depth: int = 0
    paths: int = 0
    calling: tuple[str, ...] = ()
    drawing: dict[str, bool] = field(default_factory=dict)  # whether procedures draw, by their names

    # --- what a procedure may do --------------------------------------------------------------------------------------

    def leaves(self, items: Sequence[Item]) -> Iterator[tuple[Item, RawLeaf]]:
        """Yield the leaves of a block with what they say, those of inner blocks included."""
        for item in items:
            match item:
                case Placed(start=start):
                    if isinstance(reading := self.readings.get(start), RawLeaf):
                        yield item, reading
                case _:
                    for block in blocks_of(item):
                        yield from self.leaves(block.items)

    def draws(self, procedure: Procedure) -> bool:
        """Tell whether a procedure draws, itself or through others."""
        if procedure.name not in self.drawing:
            self.drawing[procedure.name] = self._draws(procedure)
        return self.drawing[procedure.name]

    def _draws(self, procedure: Procedure) -> bool:
        waiting, seen = [procedure.name], {procedure.name}
        while waiting:
            for _, reading in self.leaves(self.facts.procedures[waiting.pop()].items):
                if reading.keyword == "sample":
                    return True
                new = {name for name in called(reading) if name in self.facts.procedures} - seen
                seen |= new
                waiting += new
        return False

    def observes(self, procedure: Procedure) -> bool:
        """Tell whether a procedure itself, not one that it draws from, observes something."""
        return any(reading.keyword == "observe" for _, reading in self.leaves(procedure.items))

    def width(self, procedure: Procedure) -> int:
        """Return how many results a procedure has."""
        for _, reading in self.leaves(procedure.items):
            if reading.keyword == "return":
                return len(reading.values)
        raise Refused(NO_RESULT, Span(0, 0), f"'{procedure.name}' has a path without a return")

    def locals(self, procedure: Procedure) -> list[str]:
        """Return the names of the variables that a procedure assigns."""
        names: dict[str, None] = {}
        for _, reading in self.leaves(procedure.items):
            for target in reading.targets:
                match target:
                    case Name(name) | Index(array=name):
                        names[name] = None
                    case _:
                        names[_base(target)] = None
        return list(names)

    def resets(self, procedure: Procedure, inner: Environment, item: Placed, work: Any) -> list[Item]:
        """Return assignments of 0 to the variables that some path may read before it writes them."""
        made: list[Item] = []
        written = set(procedure.arguments)
        for step in procedure.items:
            reading = self.readings.get(step.start) if isinstance(step, Placed) else None
            if not isinstance(reading, RawLeaf) or reading.keyword not in ("assign", "sample"):
                break
            if any(_reads(part, reading.targets) for part in (reading.value, reading.given) if part is not None):
                break
            written |= {target.id for target in reading.targets if isinstance(target, Name)}
        plain = {
            target.id
            for _, reading in self.leaves(procedure.items)
            for target in reading.targets
            if isinstance(target, Name)
        }
        for local in self.locals(procedure):
            meant = inner[local]
            if local in plain and local not in written and isinstance(meant, Name):
                made += work.put(item, meant.id, (), number(0, meant.span))
        return made

    def check(self, procedure: Procedure, arguments: Sequence[Raw], env: Environment, span: Span) -> None:
        """Refuse a call with a wrong number of arguments, or with a table in the place of a value."""
        if len(arguments) != len(procedure.arguments):
            form = f"{procedure.name}({', '.join(procedure.arguments)})"
            raise Refused(WRONG_ARGUMENTS, span, f"found {len(arguments)} arguments, expected '{form}'")
        for parameter, argument in zip(procedure.arguments, arguments, strict=True):
            if isinstance(argument, Name) and table_of(argument, self.facts, env) is not None:
                self.facts.given_tables.add((procedure.name, parameter))
                raise no_argument(argument.id, procedure.name, argument.span, self.facts)

    # --- values without chance ----------------------------------------------------------------------------------------

    def pure(self, name: str, arguments: list[Raw], env: Environment, span: Span) -> Raw:
        """Return the one result of a procedure that neither draws nor observes."""
        results = self.pure_call(name, arguments, env, span)
        if len(results) != 1:
            raise Refused(WRONG_ARGUMENTS, span, f"'{name}' gives {len(results)} values, expected one")
        return results[0]

    def pure_call(self, name: str, arguments: list[Raw], env: Environment, span: Span) -> tuple[Raw, ...]:
        """Return the results of a procedure that neither draws nor observes, as expressions of its arguments."""
        procedure = self.facts.procedures[name]
        self.check(procedure, arguments, env, span)
        if self.draws(procedure) or self.observes(procedure):
            message = (
                f"'{name}' draws or observes, so that it is a law: write '~' to draw from it into a variable first"
            )
            raise Refused(MISPLACED_DISTRIBUTION, span, message)
        results = self._ended(procedure, self._paths(procedure, arguments, env, span), span)
        made = results[-1].result or ()
        for state in reversed(results[:-1]):
            made = tuple(
                conditional(state.weight, one, other) for one, other in zip(state.result or (), made, strict=True)
            )
        return made

    def _paths(self, procedure: Procedure, arguments: Sequence[Raw], env: Environment, span: Span) -> list[_State]:
        """Return the paths through a procedure.

        A depth that Python cannot follow is told as one that is not followed, at the outermost call.
        """
        before, calling = self.depth, self.calling
        try:
            local = self._bound(procedure, arguments, env, span)
            return self._run(procedure.items, [_State(local, number(1, span))], procedure, span)
        except RecursionError:
            if before:
                raise
            message = f"'{procedure.name}' calls itself more deeply than is followed, so far; write a 'while'"
            raise Refused(ENDLESS_RECURSION, span, message) from None
        finally:
            self.depth, self.calling = before, calling

    def _bound(self, procedure: Procedure, arguments: Sequence[Raw], env: Environment, span: Span) -> dict[str, Raw]:
        values = self._values()
        local: dict[str, Raw] = {}
        known = True
        for parameter, argument in zip(procedure.arguments, arguments, strict=True):
            several = values.entries(argument, env)
            if several is not None:
                local[parameter] = RawArray(tuple(several.values()), argument.span)
                continue
            value = values.scalar(argument, env)
            resolved = static(values.resolved(argument, env))
            known = known and resolved is not None
            local[parameter] = value if resolved is None else number(resolved, span)
        if not known and procedure.name in self.calling:
            message = f"'{procedure.name}' calls itself with arguments that are not known before the analysis; write a 'while'"
            raise Refused(ENDLESS_RECURSION, span, message)
        self.depth += 1
        self.calling = (*self.calling, procedure.name)
        if self.depth > MAX_DEPTH:
            raise Refused(
                ENDLESS_RECURSION, span, f"'{procedure.name}' calls itself more than {MAX_DEPTH} deep; write a 'while'"
            )
        for name in self.locals(procedure):
            local.setdefault(name, number(0, span))
        return local

    def _values(self) -> Values:
        return Values(self.facts, self.pure)

    def _ended(self, procedure: Procedure, states: list[_State], span: Span) -> list[_State]:
        if any(state.result is None for state in states) or not states:
            raise Refused(NO_RESULT, span, f"'{procedure.name}' has a path without a return")
        return states

    # --- running symbolically -----------------------------------------------------------------------------------------

    def _run(self, items: Sequence[Item], states: list[_State], procedure: Procedure, span: Span) -> list[_State]:
        for item in items:
            ended = [state for state in states if not state.goes_on]
            going = [state for state in states if state.goes_on]
            states = ended + [one for state in going for one in self._told(item, state, procedure, span)]
            self.paths += len(states)
            if self.paths > _MOST_PATHS:
                raise Refused(NOT_SUPPORTED, span, f"'{procedure.name}' has too many paths to be computed, so far")
        return states

    def _told(self, item: Item, state: _State, procedure: Procedure, span: Span) -> list[_State]:
        """Return what a step leads to; what is wrong in it is told at the call, where its values are known."""
        try:
            return self._step(item, state, procedure, span)
        except Refused as refused:
            if refused.span == span:
                raise
            raise Refused(refused.rule, span, f"in '{procedure.name}': {refused.message}") from None

    def _step(self, item: Item, state: _State, procedure: Procedure, span: Span) -> list[_State]:
        match item:
            case If(arms, otherwise):
                return self._branch(arms, otherwise.items if otherwise is not None else (), state, procedure, span)
            case For():
                return self._loop(item, state, procedure, span)
            case While():
                raise AssertionError("a block as it is written holds headers, of which the readings tell the words")
            case Placed(start=start):
                reading = self.readings.get(start)
                return [state] if not isinstance(reading, RawLeaf) else self._leaf(reading, state, span)

    def _branch(
        self, arms: Sequence[Arm], rest: Sequence[Item], state: _State, procedure: Procedure, span: Span
    ) -> list[_State]:
        made: list[_State] = []
        values = self._values()
        for arm in arms:
            reading = self.readings.get(arm.start)
            if (
                not isinstance(reading, RawHeader)
                or reading.condition is None
                or reading.keyword not in ("if", "else if")
            ):
                raise Refused(
                    NOT_SUPPORTED,
                    span,
                    f"'{procedure.name}' holds a loop that ends by chance; it is drawn with ':=' or '~' only",
                )
            condition = cast("Raw", respanned(values.scalar(reading.condition, state.local), span))
            known = static(values.resolved(reading.condition, state.local))
            if known == 0:
                continue
            if known is not None:
                return made + self._run(arm.block.items, [state], procedure, span)
            yes = _State(dict(state.local), conditional(condition, state.weight, number(0, span)))
            made += self._run(arm.block.items, [yes], procedure, span)
            state = _State(dict(state.local), conditional(condition, number(0, span), state.weight))
        return made + self._run(rest, [state], procedure, span)

    def _loop(self, item: For, state: _State, procedure: Procedure, span: Span) -> list[_State]:
        reading = self.readings.get(item.start)
        values = self._values()
        if not isinstance(reading, RawHeader) or reading.low is None or reading.high is None:
            raise Refused(NOT_SUPPORTED, span, "the ends of this loop are not known")
        low, high = values.known(reading.low, state.local), values.known(reading.high, state.local)
        if low is None or high is None or high - low > _MOST_PATHS:
            raise Refused(NOT_SUPPORTED, span, "the ends of this loop are not known before the analysis")
        states = [state]
        for value in range(low, high + 1):
            for one in states:
                one.local[item.name] = number(value, span)
            ended = [one for one in states if not one.goes_on]
            going = [one for one in states if one.goes_on]
            rounds = self._run(item.block.items, going, procedure, span)
            for one in rounds:
                one.jump = "" if one.jump == "continue" else one.jump
            states = ended + rounds
        for one in states:
            one.jump = ""
        return states

    def _leaf(self, reading: RawLeaf, state: _State, span: Span) -> list[_State]:
        values = self._values()
        match reading.keyword:
            case "return":
                made = tuple(values.scalar(one, state.local) for one in reading.values)
                state.result = tuple(cast("Raw", respanned(one, span)) for one in made)
                return [state]
            case "assign":
                return self._assign(reading, state, values, span)
            case "break" | "continue":
                state.jump = reading.keyword
                return [state]
            case "skip":
                return [state]
            case word:
                raise Refused(
                    NOT_SUPPORTED, span, f"'{word}' in a procedure that gives a value is not in the language yet"
                )

    def _assign(self, reading: RawLeaf, state: _State, values: Values, span: Span) -> list[_State]:
        value = cast("Raw", reading.value)
        if len(reading.targets) == 1 and isinstance(target := reading.targets[0], Name):
            several = values.entries(value, state.local)
            if several is not None:
                if any(map(is_large, several.values())):
                    raise Refused(NOT_SUPPORTED, span, _TOO_LARGE)
                state.local[target.id] = RawArray(tuple(several.values()), span)
            else:
                resolved = static(values.resolved(value, state.local))
                made = values.scalar(value, state.local)
                if resolved is None and is_large(made):
                    raise Refused(NOT_SUPPORTED, span, _TOO_LARGE)
                state.local[target.id] = made if resolved is None else number(resolved, span)
            return [state]
        if isinstance(value, Call) and value.function in self.facts.procedures:
            results = self.pure_call(value.function, list(value.arguments), state.local, span)
            for one, result in zip(reading.targets, results, strict=False):
                state.local[_base(one)] = result
            return [state]
        if len(reading.targets) == 1 and (
            changed := self._with_element(reading.targets[0], value, state, values, span)
        ):
            state.local.update(changed)
            return [state]
        raise Refused(
            NOT_SUPPORTED,
            span,
            "fields and elements of several indices that are assigned in a procedure in the place of a value are not in the language yet",
        )

    def _with_element(
        self, target: Raw, value: Raw, state: _State, values: Values, span: Span
    ) -> dict[str, Raw] | None:
        """Return an array with another value in the place that an index picks, which may be random; None where the target is none such."""
        if not isinstance(target, Index) or not isinstance(array := state.local.get(target.array), RawArray):
            return None
        index, written = values.resolved(target.index, state.local), values.scalar(value, state.local)
        items = list(array.items)
        known = integer(index)
        if known is not None and known not in range(len(items)):
            raise Refused(WRONG_ARGUMENTS, span, f"the array '{target.array}' has no such element; it begins at 0")
        if known is not None:
            items[known] = written
            return {target.array: RawArray(tuple(items), span)}
        tests = [binary("==", index, number(at, span)) for at in range(len(items))]
        nothing, exists = binary("/", number(1, span), number(0, span)), folded("or", tests)
        items = [
            conditional(is_it, written, conditional(exists, item, nothing))
            for is_it, item in zip(tests, items, strict=True)
        ]
        if any(map(is_large, items)):
            raise Refused(NOT_SUPPORTED, span, _TOO_LARGE)
        return {target.array: RawArray(tuple(items), span)}


def _base(target: Raw) -> str:
    while not isinstance(target, Name):
        if isinstance(target, Index):
            return target.array
        inner = children(target)
        if not inner:
            return ""
        target = inner[0]
    return target.id


def _reads(root: Raw, targets: Sequence[Raw]) -> bool:
    names = {_base(one) for one in targets}
    stack = [root]
    while stack:
        node = stack.pop()
        if isinstance(node, Name) and node.id in names:
            return True
        stack.extend(children(node))
    return False


def is_large(root: Raw) -> bool:
    """Tell whether an expression has more parts than are put in the place of a variable."""
    stack, parts = [root], 0
    while stack and parts <= _MOST_PARTS:
        parts += 1
        stack.extend(children(stack.pop()))
    return bool(stack)


def called(reading: RawLeaf) -> Iterator[str]:
    """Yield the names of what a leaf calls."""
    stack: list[Raw] = [one for one in (reading.value, reading.given, *reading.values) if one is not None]
    while stack:
        node = stack.pop()
        if (name := name_of(node)) is not None:
            yield name
        stack.extend(children(node))


def foreign_names(procedure: Procedure, laws: Laws, program: frozenset[str]) -> Iterator[tuple[int, Span, str]]:
    """Yield the variables of the program that a procedure reads, each with the start of its piece and its place."""
    own = {*procedure.arguments, *laws.locals(procedure)}
    for item, reading in laws.leaves(procedure.items):
        stack: list[tuple[Raw, frozenset[str]]] = [
            (one, frozenset()) for one in (reading.value, reading.given, *reading.values) if one is not None
        ]
        while stack:
            node, bound = stack.pop()
            if isinstance(node, RawGenerated):
                bound = bound | {clause.name.value for clause in node.clauses if isinstance(clause, RawClause)}
            match node:
                case Name(name, span) | Index(array=name, name_span=span):
                    if name not in own and name not in bound and name in program:
                        yield cast("Placed", item).start, span, name
                case _:
                    pass
            stack += [(one, bound) for one in children(node)]
