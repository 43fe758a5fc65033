"""Expressions of the language -> expressions of the core: membership, arrays, aggregates, fields, symbols, calls of procedures."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, cast

from seepage.data_classes import dataclass
from seepage.exact.symbols import number_of
from seepage.rules import NOT_SUPPORTED, WRONG_ARGUMENTS
from seepage.source import Span
from seepage.syntax.lowering.aggregates import aggregate, ascending
from seepage.syntax.lowering.data import check_field, no_value, table_of
from seepage.syntax.lowering.facts import Environment, Facts, Path, Refused
from seepage.syntax.lowering.forms import (
    binary,
    conditional,
    folded,
    grouped,
    integer,
    number,
    respanned,
    static,
)
from seepage.syntax.raw import (
    Raw,
    RawArray,
    RawCall,
    RawClause,
    RawElement,
    RawField,
    RawGenerated,
    RawMember,
    RawNamed,
    RawRun,
    RawSet,
    RawSymbol,
    RawTable,
    RawTuple,
    RawWeighted,
)
from seepage.syntax.tree import (
    Binary,
    Boolean,
    Call,
    Conditional,
    Index,
    Infinity,
    Name,
    Number,
    Parenthesized,
    Unary,
    is_made,
)
from seepage.syntax.vocabulary.aggregates import AGGREGATES

Entries = dict[Path, Raw]
_MOST_VALUES = 10_000  # of one comprehension or run

# How a call of a procedure without draws is taken apart: its name, arguments, environment and place -> its result.
Pure = Callable[[str, list[Raw], Environment, Span], Raw]


@dataclass(slots=True)
class Values:
    """Reads expressions.

    Attributes:
        facts: the names of the text.
        pure: what calls of procedures come to.
    """

    facts: Facts
    pure: Pure

    # --- one value ---

    def scalar(self, raw: Raw, env: Environment) -> Raw:
        """Return an expression of the core for one value.

        Raises:
            Refused: where this is no value, or needs what is not known here.
        """
        match raw:
            case Number() | Boolean() | Infinity():
                return raw
            case RawSymbol(text, span):
                return number(number_of(text), span)
            case Name(name, span):
                return self._name(name, span, env)
            case Unary(operator, operand, span):
                return Unary(operator, self._inner(operand, env), span)
            case Binary(operator, left, right, span):
                return Binary(operator, self._operand(left, env), self._operand(right, env), span)
            case Conditional(condition, consequent, alternative, span):
                parts = [self._inner(one, env) for one in (condition, consequent, alternative)]
                return Conditional(parts[0], parts[1], parts[2], span)
            case Parenthesized(inner, span):
                return Parenthesized(self._inner(inner, env), span)
            case Index() | RawField() | RawElement():
                return self._element(raw, env)
            case RawMember(value, members):
                return self._member(value, members, env)
            case Call(function, arguments, _, span):
                return self._call(function, list(arguments), raw, env)
            case RawCall(groups=groups, separators=separators) if not separators:
                return self._call(raw.name.value, list(groups[0]), raw, env)
            case RawArray(span=span) | RawGenerated(span=span):
                raise Refused(WRONG_ARGUMENTS, span, "found an array, expected one value")
            case _:
                return self.mapped(raw, env)

    def _inner(self, raw: Raw, env: Environment) -> Any:
        return self.scalar(raw, env)

    def _operand(self, raw: Raw, env: Environment) -> Any:
        """Return an operand; a comparison that stands for something else, such as an argument, makes no chain of comparisons."""
        made = self.scalar(raw, env)
        return made if isinstance(raw, Binary) else grouped(made)

    def _name(self, name: str, span: Span, env: Environment) -> Raw:
        if name in env:
            meant = env[name]
            if isinstance(meant, RawArray):
                raise Refused(WRONG_ARGUMENTS, span, f"'{name}' is an array, expected one value")
            return cast("Raw", respanned(meant, span))
        if name in self.facts.members and name not in self.facts.shapes:
            return number(number_of(name), span)
        if name in self.facts.imported and name not in self.facts.tables:
            return cast("Raw", respanned(self.scalar(self.facts.imported[name], {}), span))
        if name in self.facts.data:
            raise no_value(name, None, span, self.facts)
        return Name(name, span)

    def mapped(self, raw: Raw, env: Environment) -> Raw:
        """Return what is no value of its own (a table, a named argument) with the expressions in it."""
        match raw:
            case RawTable(entries, span):
                return RawTable(tuple((self._key(one, env), self.scalar(other, env)) for one, other in entries), span)
            case RawNamed(name, value, span):
                return RawNamed(name, self.scalar(value, env), span)
            case RawWeighted(weight, value, span):
                return RawWeighted(self.scalar(weight, env), self.scalar(value, env), span)
            case RawTuple(items, span):
                return RawTuple(tuple(self.scalar(one, env) for one in items), span)
            case RawSet(members, span):
                return RawSet(tuple(self._key(one, env) for one in members), span)
            case RawCall(name, groups, separators, span):
                made = tuple(tuple(self.scalar(one, env) for one in group) for group in groups)
                return RawCall(name, made, separators, span)
            case _:
                return raw

    def _key(self, raw: Raw, env: Environment) -> Raw:
        return self.mapped(raw, env) if isinstance(raw, RawTuple) else self.scalar(raw, env)

    # --- places ---

    def place(self, raw: Raw, env: Environment) -> tuple[str, tuple[Raw | str, ...]]:
        """Return the variable that a place begins with, and what stands behind it: expressions and fields."""
        match raw:
            case Name(name):
                meant = env.get(name)
                return (meant.id if isinstance(meant, Name) else name), ()
            case Index(array, index, name_span):
                base, before = self.place(Name(array, name_span), env)
                return base, (*before, self.scalar(index, env))
            case RawElement(base, subscripts):
                name, before = self.place(base, env)
                return name, (*before, *(self.scalar(one, env) for one in subscripts))
            case RawField(base, field):
                name, before = self.place(base, env)
                return name, (*before, field.value)
            case _:
                raise Refused(WRONG_ARGUMENTS, raw.span, "found no variable, element or field")

    def path(self, parts: tuple[Raw | str, ...], env: Environment) -> Path | None:
        """Return what stands behind a name if all of it is known."""
        made: list[int | str] = []
        for part in parts:
            if isinstance(part, str):
                made.append(part)
            elif (index := self.known(part, env)) is not None:
                made.append(index)
            else:
                return None
        return tuple(made)

    def known(self, raw: Raw, env: Environment) -> int | None:
        """Return a whole number that constants and loop variables decide."""
        return integer(self.resolved(raw, env))

    def resolved(self, raw: Raw, env: Environment) -> Raw:
        """Return an expression with constants as their numbers."""
        return self.scalar(raw, {**self.facts.constants, **env})

    def target(self, name: str, path: Path, span: Span) -> Name | Index:
        """Return the variable of the core at a path."""
        match path:
            case ():
                return Name(name, span)
            case (int() as index,):
                at = Span(span.end, span.end)
                place = span if is_made(name) else Span(span.start, span.start + len(name))
                return Index(name, number(index, at), place, span)
            case _:
                return Name(spelled(name, path), span)

    def _element(self, raw: Index | RawField | RawElement, env: Environment) -> Raw:
        match raw:
            case RawField(Name(name), field, span) if name in self.facts.enumerations and name not in env:
                return number(number_of(field.value), span)
            case _:
                pass
        if (entries := self._within(raw, env)) is not None:
            path = self.path(entries[1], env)
            if path is not None and path in entries[0]:
                return cast("Raw", respanned(entries[0][path], raw.span))
            return self._chosen(*entries, raw.span)
        name, parts = self.place(raw, env)
        path = self.path(parts, env)
        if name in self.facts.data:
            column = path[0] if path is not None and len(path) == 1 and isinstance(path[0], str) else None
            raise no_value(name, column, raw.span, self.facts)
        if name in self.facts.tables:
            table = self.facts.tables[name]
            if path in table:
                return cast("Raw", respanned(table[path], raw.span))
            if len(parts) == 1 and path is None:
                self.facts.looked_up[name] = None
                return Index(name, cast("Any", parts[0]), Span(raw.span.start, raw.span.start + len(name)), raw.span)
            if path is None:
                return self._chosen(table, parts, raw.span)
            begins = "; it begins at 0" if (0,) in table else ""
            raise Refused(WRONG_ARGUMENTS, raw.span, f"the table '{name}' has no such element{begins}")
        if isinstance(raw, Index):
            return Index(name, cast("Any", parts[0]), raw.name_span, raw.span)
        if path is not None:
            if isinstance(raw, RawField):
                check_field(raw, name, path, self.facts)
            return self.target(name, path, raw.span)
        if len(parts) == 1 and not isinstance(parts[0], str):
            return Index(name, cast("Any", parts[0]), raw.span, raw.span)
        shape = _in_order(self.facts.shapes.get(name, {}))
        return self._chosen({one: self.target(name, one, raw.span) for one in shape}, parts, raw.span)

    def _within(self, raw: Raw, env: Environment) -> tuple[Entries, tuple[Raw | str, ...]] | None:
        """Return the elements of an array that is an argument or a value of its own, and which of them is meant."""
        match raw:
            case Index(array, index) if isinstance(env.get(array), RawArray):
                inner = self._named(array, raw.span, env)
                return None if inner is None else (inner, (self.scalar(index, env),))
            case RawElement(Name(array), subscripts) if isinstance(env.get(array), RawArray):
                inner = self._named(array, raw.span, env)
                return None if inner is None else (inner, tuple(self.scalar(one, env) for one in subscripts))
            case _:
                return None

    def _chosen(self, entries: Entries, parts: tuple[Raw | str, ...], span: Span) -> Raw:
        """Return the entry that random indices pick, by cases; outside of all of them nothing is defined."""
        fitting = [
            (path, value)
            for path, value in entries.items()
            if len(path) == len(parts)
            and all(isinstance(step, int) or step == part for step, part in zip(path, parts, strict=True))
        ]
        if not fitting:
            raise Refused(WRONG_ARGUMENTS, span, "no such element or field is assigned")
        result: Raw = binary("/", number(1, span), number(0, span))
        for path, value in reversed(fitting):
            tests = [
                binary("==", cast("Raw", part), number(step, span))
                for step, part in zip(path, parts, strict=True)
                if isinstance(step, int)
            ]
            result = conditional(folded("and", tests), respanned(value, span), result)
        return cast("Raw", respanned(result, span))

    # --- membership ---

    def _member(self, value: Raw, members: RawSet, env: Environment) -> Raw:
        left = self.scalar(value, env)
        tests: list[Raw] = []
        for member in members.members:
            if isinstance(member, RawRun):
                low, high = (self.scalar(one, env) for one in (member.low, member.high))
                whole = binary("==", Call("floor", (cast("Any", left),), member.span, member.span), left)
                tests.append(folded("and", [binary(">=", left, low), binary("<=", left, high), whole]))
            elif (several := self.entries(member, env)) is not None:
                tests += [binary("==", left, one) for one in several.values()]
            else:
                tests.append(binary("==", left, self.scalar(member, env)))
        made = folded("or", tests) if tests else number(0, members.span)
        return cast("Raw", respanned(made, value.span.cover(members.span)))

    # --- many values ---

    def entries(self, raw: Raw, env: Environment) -> Entries | None:
        """Return the values of an array by their paths, None if this is one value."""
        match raw:
            case Parenthesized(inner):
                return self.entries(inner, env)
            case RawArray(items):
                return self._array(items, env)
            case RawGenerated():
                return {(at,): one for at, (_, one) in enumerate(self.generated(raw, env, static_only=True))}
            case Name(name, span):
                return self._named(name, span, env)
            case Call("sort", (inner,)):
                return self._sorted(inner, env)
            case Index() | RawElement() | RawField():
                return self._part(raw, env)
            case _:
                return None

    def _array(self, items: tuple[Raw, ...], env: Environment) -> Entries:
        if len(items) == 1 and isinstance(items[0], RawGenerated):
            items = tuple(one for _, one in self.generated(items[0], env, static_only=True))
        made: Entries = {}
        for at, item in enumerate(items):
            inner = self.entries(item, env)
            if inner is None:
                made[at,] = self.scalar(item, env)
            else:
                made |= {(at, *path): value for path, value in inner.items()}
        return made

    def _named(self, name: str, span: Span, env: Environment) -> Entries | None:
        meant = env.get(name)
        if isinstance(meant, RawArray):
            return self.entries(meant, {})
        if meant is not None and not isinstance(meant, Name):
            return None
        name = meant.id if isinstance(meant, Name) else name
        if name in self.facts.tables:
            return {path: respanned(one, span) for path, one in self.facts.tables[name].items()}
        if name in self.facts.enumerations:
            return {(at,): number(number_of(one), span) for at, one in enumerate(self.facts.enumerations[name])}
        shape = self.facts.shapes.get(name, {})
        paths = _in_order(path for path in shape if path)
        return {path: self.target(name, path, span) for path in paths} if paths else None

    def _part(self, raw: Index | RawElement | RawField, env: Environment) -> Entries | None:
        """Return a slice, whose indices begin at 0, a row or a record inside an array."""
        match raw:
            case Index(array, index, name_span):
                base: Raw = Name(array, name_span)
                steps: list[Raw | str] = [index]
            case RawElement(base, subscripts):
                steps = list(subscripts)
            case RawField(base, field):
                steps = [field.value]
        whole = self.entries(base, env)
        if whole is None:
            return None
        ranges: list[tuple[int, int] | str] = []
        for step in steps:
            if isinstance(step, str):
                ranges.append(step)
                continue
            low, high = (step.low, step.high) if isinstance(step, RawRun) else (step, step)
            ends = self.known(low, env), self.known(high, env)
            if ends[0] is None or ends[1] is None:
                if isinstance(step, RawRun):
                    raise Refused(NOT_SUPPORTED, step.span, "the ends of a slice must be static")
                return None
            ranges.append((ends[0], ends[1]))
        kept: Entries = {}
        for path, value in whole.items():
            if len(path) >= len(ranges) and all(_fits(one, want) for one, want in zip(path, ranges, strict=False)):
                rest = path[len(ranges) :]
                sliced = [
                    one - want[0]
                    for one, step, want in zip(path, steps, ranges, strict=False)
                    if isinstance(step, RawRun) and isinstance(one, int) and not isinstance(want, str)
                ]
                kept[(*sliced, *rest)] = value
        return None if not kept or () in kept else kept

    def _sorted(self, raw: Raw, env: Environment) -> Entries | None:
        inner = self.entries(raw, env)
        return None if inner is None else {(at,): one for at, one in enumerate(ascending([*inner.values()], raw.span))}

    def generated(
        self, raw: RawGenerated, env: Environment, static_only: bool = False
    ) -> Iterator[tuple[list[Raw], Raw]]:
        """Yield the conditions under which each value of a comprehension counts, those that are not known, and the value."""
        for count, (conditions, inner) in enumerate(self._bound(raw.clauses, env)):
            if count >= _MOST_VALUES:
                raise Refused(NOT_SUPPORTED, raw.span, f"the comprehension has more than {_MOST_VALUES:,} values")
            if conditions and static_only:
                message = "how many values there are is not known: the condition is random"
                raise Refused(NOT_SUPPORTED, conditions[0].span, message)
            yield conditions, self.scalar(raw.body, inner)

    def _bound(self, clauses: tuple[RawClause, ...], env: Environment) -> Iterator[tuple[list[Raw], Environment]]:
        if not clauses:
            yield [], env
            return
        clause = clauses[0]
        for value in self.domain(clause.domain, env):
            inner = {**env, clause.name.value: value}
            conditions: list[Raw] = []
            if clause.condition is not None:
                condition = self.scalar(clause.condition, inner)
                known = static(self.resolved(clause.condition, inner))
                if known == 0:
                    continue
                conditions = [] if known is not None else [condition]
            for more, bound in self._bound(clauses[1:], inner):
                yield [*conditions, *more], bound

    def domain(self, raw: Raw, env: Environment) -> Iterator[Raw]:
        """Yield the values that a clause runs over."""
        if isinstance(raw, RawRun):
            low, high = self.known(raw.low, env), self.known(raw.high, env)
            if low is None or high is None:
                raise Refused(NOT_SUPPORTED, raw.span, "the ends of a range must be static")
            if high - low >= _MOST_VALUES:
                raise Refused(NOT_SUPPORTED, raw.span, f"the range has more than {_MOST_VALUES:,} values")
            yield from (number(one, raw.span) for one in range(low, high + 1))
            return
        inner = self.entries(raw, env)
        if inner is None:
            raise Refused(WRONG_ARGUMENTS, raw.span, "found one value, expected 'a..b', an array or an enumeration")
        yield from inner.values()

    # --- calls ---

    def _call(self, function: str, arguments: list[Raw], raw: Call | RawCall, env: Environment) -> Raw:
        span = raw.span
        if function in self.facts.procedures:
            return cast("Raw", respanned(self.pure(function, arguments, env, span), span))
        if function in AGGREGATES or (function in ("min", "max") and self._is_aggregate(arguments, env)):
            return cast("Raw", respanned(self._aggregate(function, arguments, env, span), span))
        if isinstance(raw, RawCall):
            return self.mapped(raw, env)
        name_span = raw.name_span
        return Call(function, tuple(cast("Any", self.scalar(one, env)) for one in arguments), name_span, span)

    def _is_aggregate(self, arguments: list[Raw], env: Environment) -> bool:
        if any(isinstance(one, RawGenerated) for one in arguments):
            return True
        return len(arguments) == 1 and self.entries(arguments[0], env) is not None

    def _counted(self, arguments: list[Raw], env: Environment) -> list[tuple[list[Raw], Raw]]:
        """Return the values that an aggregate takes together, each with the conditions under which it counts."""
        made: list[tuple[list[Raw], Raw]] = []
        for argument in arguments:
            one = argument.items[0] if isinstance(argument, RawArray) and len(argument.items) == 1 else argument
            if isinstance(one, RawGenerated):
                made += self.generated(one, env)
            elif (several := self.entries(argument, env)) is not None:
                made += [([], value) for value in several.values()]
            else:
                made.append(([], self.scalar(argument, env)))
        return made

    def _aggregate(self, function: str, arguments: list[Raw], env: Environment, span: Span) -> Raw:
        is_table = function == "length" and len(arguments) == 1
        if is_table and (table := table_of(arguments[0], self.facts, env)) is not None:
            data = self.facts.data[table].table
            return number(0 if data is None else data.rows, span)
        counted = self._counted(arguments, env)
        # Values that count at random have no places, and nothing that asks for these is in the language.
        has_places = len(arguments) == 1 and not any(conditions for conditions, _ in counted)
        several = self.entries(arguments[0], env) if has_places else None
        places = None if not several else [one if isinstance(one, int) else 0 for one, *_ in several]
        return aggregate(function, counted, places, span)


def _fits(step: int | str, want: tuple[int, int] | str) -> bool:
    if isinstance(want, str) or isinstance(step, str):
        return step == want
    return want[0] <= step <= want[1]


def _in_order(paths: Iterable[Path]) -> list[Path]:
    """Return paths with indices ascending and fields as they were first written."""
    found = list(dict.fromkeys(paths))
    fields = {
        one: at
        for at, one in enumerate(dict.fromkeys(step for path in found for step in path if isinstance(step, str)))
    }
    return sorted(found, key=lambda path: [(0, step) if isinstance(step, int) else (1, fields[step]) for step in path])


def spelled(name: str, path: Path) -> str:
    """Return how a variable of the core is written that stands at a path."""
    text, indices = name, list[str]()
    for step in path:
        if isinstance(step, int):
            indices.append(str(step))
            continue
        text += f"[{', '.join(indices)}]" if indices else ""
        indices = []
        text += f".{step}"
    return text + (f"[{', '.join(indices)}]" if indices else "")
