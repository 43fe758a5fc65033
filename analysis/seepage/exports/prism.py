"""PRISM: a discrete-time Markov chain with a counter of statements; what ends is a state that stays as it is. Symbols are whole numbers there.

An observation that fails leads back to the start, with all variables as they were there: the chain ends with the law that the observations leave.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from fractions import Fraction
from typing import TypeAlias

from seepage import exact
from seepage.data_classes import dataclass
from seepage.diagnostics import Fault
from seepage.distributions.arguments import bind
from seepage.exact import Number as Value
from seepage.exact.symbols import symbol_of
from seepage.exports.formulas import Spelling, Writer
from seepage.exports.plain import NotExported, Plain
from seepage.exports.walk import symbols_of
from seepage.imports.writing import name as plain_name
from seepage.semantics.core import CoreAssign, CoreIf, CoreObserve, CoreSample, CoreStatement, CoreWhile
from seepage.semantics.evaluate import evaluate, names_of, truth
from seepage.semantics.expressions import nodes
from seepage.source import Span
from seepage.syntax.tree import Binary, Boolean, Distribution, Expression, Family, Name, Number, Table, Unary

RESERVED = [
    "A", "bool", "clock", "const", "ctmc", "C", "double", "dtmc", "E", "endinit", "endinvariant", "endmodule", "endobservables",
    "endrewards", "endsystem", "false", "formula", "filter", "func", "F", "global", "G", "init", "invariant", "I", "int", "label", "max",
    "mdp", "min", "module", "X", "nondeterministic", "observable", "observables", "of", "Pmax", "Pmin", "P", "pomdp", "popta",
    "probabilistic", "prob", "pta", "rate", "rewards", "Rmax", "Rmin", "R", "S", "stochastic", "system", "true", "U", "W",
    "floor", "ceil", "mod", "pow", "log", "round",
]  # fmt: skip
SPELLING = Spelling(
    operators={
        "or": "({0} | {1})", "and": "({0} & {1})", "xor": "({0} != {1})", "not": "(!{0})",
        "==": "({0} = {1})", "%": "mod({0}, {1})", "^": "pow({0}, {1})",
        **{each: f"({{0}} {each} {{1}})" for each in ("!=", "<", "<=", ">", ">=", "+", "-", "*", "/")},
    },
    functions={
        **{each: f"{each}({{0}})" for each in ("floor", "ceil")},
        **{each: f"{each}({{0}}, {{1}})" for each in ("min", "max")},
    },
    choice="({0} ? {1} : {2})",
    as_number="({0} ? 1 : 0)",
    as_truth="({0} != 0)",
)  # fmt: skip
_MOST_STATES = 20_000
_DIGITS = 17  # of a chance that is no rational number

_Ranges: TypeAlias = dict[str, tuple[int, int]]  # the least and the greatest value of each variable
_Updates: TypeAlias = Mapping[str, Expression]


@dataclass(frozen=True, slots=True)
class _Command:
    """What happens at a place where a condition holds: chances with the new values and the next place."""

    at: int
    guard: Expression | None
    alternatives: tuple[tuple[Expression, _Updates, int], ...]
    span: Span


def prism_text(program: Plain, title: str) -> str:
    """Return the model.

    Raises:
        NotExported: a law without an end or that PRISM does not have, values that are no whole numbers, or too many states.
    """
    flow = _Flow()
    end = flow.block(program.statements, 0)
    return "\n".join(_Text(program, flow.commands, end).lines(title)) + "\n"


# --- the chain --------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Flow:
    """Numbers statements. Mutable: it holds the commands that it made."""

    commands: list[_Command] = field(default_factory=list)
    _places: int = 0

    def block(self, statements: Sequence[CoreStatement], at: int) -> int:
        """Add the commands of statements that begin at a place, and return the place behind them."""
        for one in statements:
            at = self._statement(one, at)
        return at

    def _new(self) -> int:
        self._places += 1
        return self._places

    def _statement(self, one: CoreStatement, at: int) -> int:
        match one:
            case CoreAssign(Name(name), value, span):
                after = self._new()
                self._add(at, None, [(_ONE, {name: value}, after)], span)
            case CoreSample(Name(name), law, span):
                after = self._new()
                self._add(at, None, [(chance, {name: value}, after) for value, chance in _values(law, span)], span)
            case CoreObserve(condition, span):
                after = self._new()
                self._branch(at, condition, after, _START, span)
            case CoreIf(condition, consequent, alternative, span):
                first, second, after = self._new(), self._new(), self._new()
                self._branch(at, condition, first, second, span)
                for begin, block in ((first, consequent), (second, alternative)):
                    self._add(self.block(block, begin), None, [(_ONE, {}, after)], span)
            case CoreWhile(condition, body, _, span):
                inside, after = self._new(), self._new()
                self._branch(at, condition, inside, after, span)
                self._add(self.block(body, inside), None, [(_ONE, {}, at)], span)
            case _:
                raise NotExported(one.span, "this has no counterpart")
        return after

    def _branch(self, at: int, condition: Expression, yes: int, no: int, span: Span) -> None:
        self._add(at, condition, [(_ONE, {}, yes)], span)
        self._add(at, Unary("not", condition, span), [(_ONE, {}, no)], span)

    def _add(
        self, at: int, guard: Expression | None, alternatives: Sequence[tuple[Expression, _Updates, int]], span: Span
    ) -> None:
        self.commands.append(_Command(at, guard, tuple(alternatives), span))


_NOWHERE = Span(0, 0)
_ONE = Number(Fraction(1), _NOWHERE)
_START = -1  # the place to which a failed observation leads: the first one, with all variables as they were there


def _values(law: Distribution, span: Span) -> list[tuple[Expression, Expression]]:
    """Return the values of a law with finitely many, and their chances."""
    match law:
        case Table(entries):
            return list(entries)
        case Family(name):
            bound = bind(law)
            match name:
                case "bernoulli" | "flip":
                    chance = bound.named["p"]
                    return [(_ONE, chance), (Number(Fraction(0), span), Binary("-", _ONE, chance, span))]
                case "uniform_int":
                    return _equal([Number(Fraction(each), span) for each in _between(bound.named["a"], bound.named["b"], span)], span)  # fmt: skip
                case "uniform_of":
                    return _equal(bound.repeated, span)
                case "categorical":
                    return [(Number(Fraction(at), span), chance) for at, chance in enumerate(bound.repeated)]
                case _:
                    raise NotExported(span, f"the law '{name}' has no counterpart that is known")
        case _:
            raise NotExported(span, "this law has no counterpart")


def _equal(values: Sequence[Expression], span: Span) -> list[tuple[Expression, Expression]]:
    return [(each, Number(Fraction(1, len(values)), span)) for each in values]


def _between(low: Expression, high: Expression, span: Span) -> range:
    try:
        ends = [evaluate(each, {}) for each in (low, high)]
    except (Fault, KeyError):
        ends = []
    match ends:
        case [int(first), int(last)] if last - first < _MOST_STATES:
            return range(first, last + 1)
        case _:
            raise NotExported(span, "the ends of 'uniform_int' must be whole numbers that stand in the text")


# --- the text ---------------------------------------------------------------------------------------------------------


class _Text:
    """Writes one model."""

    def __init__(self, program: Plain, commands: Sequence[_Command], end: int) -> None:
        self._program, self._commands, self._end = program, commands, end
        self._codes = {each: str(at) for at, each in enumerate(symbols_of(program), 1)}
        self._writer = Writer(SPELLING, program.labels, self._codes)
        self._place = plain_name("at", [*program.labels.values(), *RESERVED])
        self._parameters = {name: evaluate(value, {}) for name, value in program.parameters.items()}
        self._variables = [name for name in program.labels if name not in program.parameters]

    def lines(self, title: str) -> Iterator[str]:
        """Yield the lines of the model."""
        program = self._program
        ranges = self._ranges()
        yield f"// {title}"
        yield from (f"// {code} stands for {symbol!r}" for symbol, code in self._codes.items())
        yield "dtmc"
        for name, value in self._parameters.items():
            kind = "int" if isinstance(value, int) else "double"
            yield f"const {kind} {program.labels[name]} = {_spelled(value)};"
        yield "module program"
        yield f"  {self._place} : [0..{max(1, self._last)}] init 0;"
        for name in self._variables:
            low, high = ranges[name]
            yield f"  {program.labels[name]} : [{low}..{high if high > low else low + 1}] init 0;"
        for command in self._commands:
            yield f"  {self._command(command)}"
        yield f"  [] {self._place} = {self._end} -> true;"
        yield "endmodule"
        yield f'label "end" = {self._place} = {self._end};'

    @property
    def _last(self) -> int:
        return max((to for one in self._commands for _, _, to in one.alternatives), default=0)

    def _command(self, command: _Command) -> str:
        guard = "" if command.guard is None else f" & {self._writer.truth(command.guard)}"
        parts = []
        for chance, updates, to in command.alternatives:
            new = [f"({self._place}' = {max(0, to)})", *(f"({self._program.labels[name]}' = {self._whole(value)})" for name, value in updates.items())]  # fmt: skip
            if to == _START:
                new += [f"({self._program.labels[name]}' = 0)" for name in self._variables]
            parts.append((chance, " & ".join(new)))
        if len(parts) == 1:
            return f"[] {self._place} = {command.at}{guard} -> {parts[0][1]};"
        told = " + ".join(f"{self._chance(chance)} : {new}" for chance, new in parts)
        return f"[] {self._place} = {command.at}{guard} -> {told};"

    def _whole(self, value: Expression) -> str:
        """Return a value of a variable: PRISM takes what a division gives for no whole number."""
        text = self._writer.number(value)
        divides = any(isinstance(each, Binary) and each.operator in ("/", "^") for each in nodes(value))
        return f"floor({text})" if divides else text

    def _chance(self, chance: Expression) -> str:
        """Return a chance; one that PRISM cannot compute as a number, where it is the same in all states."""
        try:
            return self._writer.number(chance)
        except NotExported:
            match chance:
                case Binary("-", Number() as one, other):  # so that chances come to 1
                    return f"({self._writer.number(one)} - {self._chance(other)})"
                case _ if all(name in self._parameters for name in names_of(chance)):
                    return _spelled(self._evaluated(chance, self._parameters))
                case _:
                    raise

    # --- ranges -------------------------------------------------------------------------------------------------------

    def _ranges(self) -> _Ranges:
        """Return the least and the greatest value of each variable in the states that are reachable."""
        ranges: _Ranges = dict[str, tuple[int, int]].fromkeys(self._variables, (0, 0))
        by_place: dict[int, list[_Command]] = {}
        for command in self._commands:
            by_place.setdefault(command.at, []).append(command)
        first: tuple[Value, ...] = (0,) * len(self._variables)
        waiting: list[tuple[int, tuple[Value, ...]]] = [(0, first)]
        seen = set(waiting)
        while waiting:
            at, state = waiting.pop()
            values = {**self._parameters, **dict(zip(self._variables, state, strict=True))}
            for command in by_place.get(at, ()):
                for after in self._after(command, values):
                    if after not in seen:
                        seen.add(after)
                        waiting.append(after)
                        self._widen(ranges, after[1], command.span)
                if len(seen) > _MOST_STATES:
                    raise NotExported(command.span, f"more than {_MOST_STATES:,} states are reachable")
        return ranges

    def _after(self, command: _Command, values: Mapping[str, Value]) -> Iterator[tuple[int, tuple[Value, ...]]]:
        if command.guard is not None and not self._holds(command.guard, values):
            return
        for chance, updates, to in command.alternatives:
            if to == _START:
                yield 0, (0,) * len(self._variables)
            elif exact.sign(self._evaluated(chance, values)) != 0:
                new = {name: self._evaluated(value, values) for name, value in updates.items()}
                yield to, tuple(new.get(name, values[name]) for name in self._variables)

    def _widen(self, ranges: _Ranges, state: Sequence[Value], span: Span) -> None:
        for name, value in zip(self._variables, state, strict=True):
            code = self._code(value)
            if code is None:
                raise NotExported(span, f"a value is {exact.show(value)}: variables of PRISM have whole numbers")
            low, high = ranges[name]
            ranges[name] = min(low, code), max(high, code)

    def _code(self, value: Value) -> int | None:
        if isinstance(value, int):
            return value
        symbol = symbol_of(value) if isinstance(value, Fraction) else None
        return None if symbol is None else int(self._codes[symbol])

    def _evaluated(self, expression: Expression, values: Mapping[str, Value]) -> Value:
        try:
            return evaluate(expression, values)
        except Fault as fault:
            raise NotExported(expression.span, fault.diagnostic.message) from None

    def _holds(self, condition: Expression, values: Mapping[str, Value]) -> bool:
        if isinstance(condition, Boolean):
            return condition.value
        try:
            return truth(condition, values)
        except Fault as fault:
            raise NotExported(condition.span, fault.diagnostic.message) from None


def _spelled(value: Value) -> str:
    """Return a number: a fraction exactly, an irrational one rounded."""
    fraction = exact.to_fraction(value)
    if fraction is None:
        return f"{exact.nearest_float(value):.{_DIGITS}g}"
    return str(fraction.numerator) if fraction.denominator == 1 else f"({fraction.numerator} / {fraction.denominator})"
