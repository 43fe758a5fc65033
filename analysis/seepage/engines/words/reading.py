"""A program followed digit by digit: every variable at its end as a value over coins, gates and small numbers.

Both arms of a branch are followed, and what they leave is chosen between; what is tossed in an arm that is not taken does no harm, as nobody reads it. A loop
of unknown length is followed for as many rounds as its condition is not known to be false: a secret that loses a digit in each round ends it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from itertools import product

from seepage.data_classes import dataclass
from seepage.diagnostics import Fault
from seepage.distributions.families import support
from seepage.distributions.kinds import is_continuous, is_infinite
from seepage.distributions.parameters import Place
from seepage.engines.forward.coefficients import balls
from seepage.engines.outcome import Budget
from seepage.engines.words.arithmetic import Arithmetic
from seepage.engines.words.circuit import NOWHERE, ONE, ZERO, Beyond, Circuit, Form, Plain
from seepage.engines.words.small_numbers import FEW
from seepage.engines.words.values import Quotient, Value, Word, truth_word, word_of
from seepage.exact import Irrational, Number, number, show_count
from seepage.semantics.core import (
    CoreAssign,
    CoreIf,
    CoreLocal,
    CoreObserve,
    CoreProgram,
    CoreSample,
    CoreStatement,
    CoreWhile,
)
from seepage.semantics.expressions import arguments_of, bottom_up, plain_names, with_arguments
from seepage.semantics.uniform_laws import uniform_range
from seepage.source import Span
from seepage.syntax import tree
from seepage.syntax.tree import Distribution, Expression

MOST_ROUNDS = 256
"""Of a loop of unknown length."""

_BITS = 64  # of chances, of which only the values are read here
_CLOCK = 64  # statements between two looks at the clock


@dataclass(frozen=True, slots=True)
class Reading:
    """What a program does, digit by digit.

    Attributes:
        arithmetic: with the circuit.
        values: of variables at the end.
        observed: digits each of which is 1 in all runs that pass the observations.
        rounds: of loops of unknown length, by their headers: the most that one goes through, whatever was observed.
    """

    arithmetic: Arithmetic
    values: Mapping[str, Value]
    observed: Sequence[Form]
    rounds: Mapping[Span, int]

    @property
    def circuit(self) -> Circuit:
        """Atoms and numbers."""
        return self.arithmetic.circuit


def read(core: CoreProgram, parameters: Mapping[str, Number], budget: Budget, few: int = FEW) -> Reading:
    """Follow a program digit by digit.

    Args:
        core: sliced to what is asked; loops of unknown length may be left in it.
        parameters: values of the program's parameters.
        budget: its deadline counts.
        few: values up to which a number is told as a number.

    Raises:
        Beyond: if something in it is not told digit by digit.
    """
    reader = Reader(core, parameters, budget, Arithmetic(Circuit(), few))
    reader.block(core.statements)
    return Reading(reader.arithmetic, reader.values, reader.observed, reader.rounds)


@dataclass(slots=True)
class Reader:
    """Follows statements. Mutable: of one program.

    Attributes:
        reached: 1 where runs come to the present statement.
    """

    core: CoreProgram
    parameters: Mapping[str, Number]
    budget: Budget
    arithmetic: Arithmetic
    values: dict[str, Value] = field(default_factory=dict)
    observed: list[Form] = field(default_factory=list)
    rounds: dict[Span, int] = field(default_factory=dict)
    reached: Form = ONE
    count: int = 0

    # --- statements ---------------------------------------------------------------------------------------------------

    def block(self, statements: Sequence[CoreStatement]) -> None:
        """Follow statements in a row."""
        for statement in statements:
            self.count += 1
            if self.count % _CLOCK == 0 and self.budget.expired():
                raise Beyond("no time left")
            match statement:
                case CoreAssign(target=target, value=value):
                    self._assign(target, self.value(value))
                case CoreSample(target=target, distribution=distribution):
                    self._assign(target, self._drawn(distribution))
                case CoreObserve(condition=condition):
                    self._observe(self.truth(condition))
                case CoreIf():
                    self._branch(statement)
                case CoreWhile():
                    self._loop(statement)
                case CoreLocal():
                    raise Beyond("a local draw")

    def _assign(self, target: tree.Target, value: Value) -> None:
        if isinstance(target, tree.Name):
            self.values[target.id] = value
            return
        index = self.value(target.index)
        for place in self._places(target.array, index):
            name = f"{target.array}[{place}]"
            is_it = self.arithmetic.apply("==", index, place)
            self.values[name] = self.arithmetic.choose(is_it, value, self.values.get(name, 0))

    def _observe(self, condition: Form) -> None:
        passes = self.arithmetic.circuit.either(self.reached ^ ONE, condition)
        if passes == ZERO:
            raise Beyond("an observation never passes")
        if passes != ONE:
            self.observed.append(passes)

    def _branch(self, statement: CoreIf) -> None:
        condition = self.truth(statement.condition)
        if condition in (ZERO, ONE):
            self.block(statement.consequent if condition == ONE else statement.alternative)
            return
        before, reached = dict(self.values), self.reached
        self.reached = self.arithmetic.circuit.both(reached, condition)
        self.block(statement.consequent)
        first, self.values = self.values, before.copy()
        self.reached = self.arithmetic.circuit.both(reached, condition ^ ONE)
        self.block(statement.alternative)
        self.reached = reached
        self._merge(condition, first, self.values)

    def _merge(self, condition: Form, first: Mapping[str, Value], second: Mapping[str, Value]) -> None:
        """Choose between what two arms leave."""
        merged = dict(second)
        for name in dict.fromkeys((*first, *second)):
            one, other = first.get(name, 0), second.get(name, 0)
            if one is not other:
                merged[name] = self.arithmetic.choose(truth_word(condition), one, other)
        self.values = merged

    def _loop(self, statement: CoreWhile) -> None:
        outside, left, rounds = self.reached, list[tuple[Form, dict[str, Value]]](), 0
        while (condition := self.truth(statement.condition)) != ZERO:
            if rounds == MOST_ROUNDS:
                raise Beyond(f"a loop whose end is not known after {show_count(MOST_ROUNDS)} rounds")
            rounds += 1
            if condition != ONE:
                left.append((condition, dict(self.values)))
                self.reached = self.arithmetic.circuit.both(self.reached, condition)
            self.block(statement.body)
        for condition, before in reversed(left):
            self._merge(condition, self.values, before)
        self.reached = outside
        self.rounds[statement.span] = max(rounds, self.rounds.get(statement.span, 0))

    # --- draws --------------------------------------------------------------------------------------------------------

    def _drawn(self, distribution: Distribution) -> Value:
        if is_continuous(distribution) or is_infinite(distribution):
            raise Beyond("a law with infinitely many values")
        ends = uniform_range(distribution, self._known(distribution))
        if ends is None:
            return self._drawn_from(distribution)
        low, size = ends[0], ends[1] - ends[0] + 1
        if size & (size - 1) == 0:
            return self._tossed(low, size.bit_length() - 1)
        if size <= self.arithmetic.few:
            return self._drawn_from(distribution)
        word = word_of([self.arithmetic.circuit.coin() for _ in range(size.bit_length())])
        self.observed.append(self.arithmetic.is_below(word, size))  # of these coins alone: independent of all else
        return self.arithmetic.apply("+", word, low)

    def _known(self, distribution: Distribution) -> dict[str, Number]:
        """Return the numbers of those variables and parameters that a law reads which are numbers."""
        read = dict.fromkeys(name for each in arguments_of(distribution) for name in plain_names(each))
        values = {name: self.values[name] for name in read if name in self.values}
        constants = {name: each for name, each in values.items() if not isinstance(each, Word | Plain | Quotient)}
        return {**constants, **{name: self.parameters[name] for name in read if name in self.parameters}}

    def _tossed(self, low: int, length: int) -> Value:
        return self.arithmetic.apply("+", word_of([self.arithmetic.circuit.coin() for _ in range(length)]), low)

    def _drawn_from(self, distribution: Distribution) -> Value:
        """Return a small number that is drawn, by a law whose arguments may be small numbers."""
        arguments = list(arguments_of(distribution))
        kept = [all(name in self.parameters for name in plain_names(each)) for each in arguments]
        values = [self.value(each) for each in arguments]
        operands = [self.arithmetic.operand(each) for each in values]
        if not self.arithmetic.is_small(*operands):
            raise Beyond("a law with arguments of many values")
        names = [f"argument@{place}" for place in range(len(arguments))]
        placed = with_arguments(distribution, (tree.Name(each, NOWHERE) for each in names))

        def written(parts: Sequence[Expression]) -> Distribution:
            held = (each if keep else part for each, keep, part in zip(arguments, kept, parts, strict=True))
            return with_arguments(distribution, held)

        domain: dict[Number, None] = {}
        for state in product(*map(self.arithmetic.values, operands)):
            try:
                place = Place(dict(zip(names, state, strict=True)), {})
                domain.update((value, None) for value, _ in support(placed, place, balls(_BITS), self.arithmetic.few))
            except Fault as fault:
                raise Beyond(fault.diagnostic.message) from fault
        if len(domain) == 1:
            return next(iter(domain))
        read = [0 if keep else each for each, keep in zip(operands, kept, strict=True)]
        return self.arithmetic.defined(read, written, tuple(domain), is_drawn=True)

    # --- expressions --------------------------------------------------------------------------------------------------

    def truth(self, condition: Expression) -> Form:
        """Return a condition as a digit."""
        return self.arithmetic.truth(self.value(condition))

    def value(self, expression: Expression) -> Value:
        """Return the value of an expression here."""
        return bottom_up(expression, self._visit)

    def _visit(self, expression: Expression, parts: list[Value]) -> Value:
        apply = self.arithmetic.apply
        match expression:
            case tree.Number(value=value):
                return value if isinstance(value, Irrational) else number(value)
            case tree.Boolean(value=flag):
                return int(flag)
            case tree.Name(id=name):
                return self.parameters[name] if name in self.parameters else self.values.get(name, 0)
            case tree.Index(array=array):
                return self._element(array, parts[0])
            case tree.Parenthesized():
                return parts[0]
            case tree.Conditional():
                return apply("choose", *parts)
            case tree.Unary(operator=operator):
                return apply("negate" if operator == "-" else "not", *parts)
            case tree.Binary(operator=operator):
                return apply(operator, *parts)
            case tree.Call(function=function, arguments=arguments):
                result = parts[0] if len(arguments) > 1 else apply(function, parts[0])
                for part in parts[1:]:
                    result = apply(function, result, part)
                return result
            case _:
                raise Beyond("an expression of no value")

    def _places(self, array: str, index: Value) -> list[int]:
        """Return the elements that an index may pick."""
        if not self.arithmetic.is_small(index):
            raise Beyond(f"an element of '{array}' at an index of many values")
        inside = frozenset(self.core.arrays.get(array, ()))
        places = [each for each in self.arithmetic.values(index) if isinstance(each, int) and each in inside]
        if len(places) < self.arithmetic.count(index):
            raise Beyond(f"an element of '{array}' at an index that may be outside of it")
        return sorted(places)

    def _element(self, array: str, index: Value) -> Value:
        places = self._places(array, index)
        elements = [self.values.get(f"{array}[{place}]", 0) for place in places]
        constants = [each for each in elements if not isinstance(each, Word | Plain | Quotient)]
        if len(constants) == len(elements):
            domain = tuple(dict.fromkeys(constants))
            if len(domain) == 1:
                return domain[0]
            table = dict(zip(places, constants, strict=True))
            return self.arithmetic.defined([self.arithmetic.operand(index)], lambda parts: parts[0], domain, table)
        result = elements[0]
        for place, element in zip(places[1:], elements[1:], strict=True):
            result = self.arithmetic.choose(self.arithmetic.apply("==", index, place), element, result)
        return result
