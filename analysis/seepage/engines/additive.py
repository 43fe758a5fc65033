"""Values that are sums of terms which read one input each, such as the number of ones among many bits.

The terms of a value are kept as a list that grows at its head and is shared by all values that were made of it, so that adding a term, and joining the
two arms of a branch, takes as long as what was added.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias, assert_never

from seepage import exact
from seepage.data_classes import dataclass
from seepage.diagnostics import Fault
from seepage.distributions.families import support
from seepage.distributions.parameters import Place
from seepage.engines.forward.coefficients import balls
from seepage.exact import ArithmeticFault, Number
from seepage.semantics.core import (
    CoreAssign,
    CoreIf,
    CoreLocal,
    CoreObserve,
    CoreSample,
    CoreStatement,
    CoreWhile,
    unsettled,
)
from seepage.semantics.evaluate import evaluate
from seepage.semantics.expressions import arguments_of, plain_names
from seepage.syntax.tree import Binary, Conditional, Expression, Name, Parenthesized, Unary

MOST_VALUES = 1_000  # of one input
_BITS = 64  # of the chances of the inputs, of which only is asked whether they are 0

Table: TypeAlias = tuple[Number, ...]


class NotAdditive(Exception):
    """A value depends on inputs otherwise than by a sum of terms of one input each."""


@dataclass(frozen=True, slots=True, eq=False)
class _Term:
    """One term and those before it: ``table`` has its value for each value of the input ``of``, in the order of its support."""

    of: str
    table: Table
    rest: _Term | None
    depth: int


@dataclass(frozen=True, slots=True)
class _Sum:
    """A constant plus terms; of one input there may be several."""

    constant: Number
    terms: _Term | None = None

    @property
    def depth(self) -> int:
        """How many terms there are."""
        return 0 if self.terms is None else self.terms.depth

    def plus(self, of: str, table: Table) -> _Sum:
        """Return this and one more term."""
        return _Sum(self.constant, _Term(of, table, self.terms, self.depth + 1))

    def __iter__(self) -> Iterator[_Term]:
        term = self.terms
        while term is not None:
            yield term
            term = term.rest


@dataclass(frozen=True, slots=True)
class Additive:
    """A value as a sum.

    Attributes:
        constant: what is added to the terms.
        terms: for each input that matters, the value of its term for each value that it can have.
        supports: these values, of all inputs.
    """

    constant: Number
    terms: Mapping[str, Table]
    supports: Mapping[str, Table]


def additive(
    statements: Sequence[CoreStatement],
    inputs: Iterable[str],
    value: str,
    parameters: Mapping[str, Number],
    held: Mapping[str, Number] | None = None,
) -> Additive:
    """Return a variable as a sum of terms that read one input each, the inputs being drawn independently of all else.

    Args:
        statements: of a program without random indices.
        inputs: variables that are drawn from finite laws whose parameters are fixed.
        value: the variable.
        parameters: the values of all parameters.
        held: for some of the inputs, perhaps with more values than can be listed, one value: their terms are told there alone. That there are such
            terms does not rest on values. If it is given, all other draws are inputs, too, of names with an ``@``, one for each time a variable is drawn.

    Raises:
        NotAdditive: if it is none, or an input is not drawn so.
    """
    return additives(statements, inputs, (value,), parameters, held)[0]


def additives(
    statements: Sequence[CoreStatement],
    inputs: Iterable[str],
    values: Iterable[str],
    parameters: Mapping[str, Number],
    held: Mapping[str, Number] | None = None,
) -> tuple[Additive, ...]:
    """Return several variables as such sums: :func:`additive` of each.

    Args:
        statements: those that assign the values.
        inputs: independent variables.
        values: names of the sums.
        parameters: values of the program's parameters.
        held: values of variables that count as known.
    """
    reading = _Reading(frozenset(inputs), parameters, held)
    state: dict[str, _Sum | None] = {}
    try:
        reading.follow(statements, state, state)
    except (Fault, ArithmeticFault) as fault:
        raise NotAdditive from fault
    if not reading.inputs <= set(reading.supports):
        raise NotAdditive
    return tuple(_collected(state.get(value), reading.supports) for value in values)


def _collected(found: _Sum | None, supports: Mapping[str, Table]) -> Additive:
    """Return a sum with one term an input."""
    if found is None:
        raise NotAdditive
    terms: dict[str, Table] = {}
    for term in found:
        known = terms.get(term.of)
        terms[term.of] = term.table if known is None else _added(known, term.table)
    return Additive(found.constant, terms, supports)


def _added(one: Table, other: Table) -> Table:
    return tuple(map(exact.add, one, other))


class _Reading:
    """Follows statements; values that are no such sums are None, and must not be read."""

    def __init__(
        self, inputs: frozenset[str], parameters: Mapping[str, Number], held: Mapping[str, Number] | None
    ) -> None:
        self.inputs = inputs
        self.held = held
        self.parameters = parameters
        self.supports: dict[str, Table] = {}
        self._ring = balls(_BITS)

    def follow(
        self,
        statements: Sequence[CoreStatement],
        before: Mapping[str, _Sum | None] | _Both,
        after: dict[str, _Sum | None],
    ) -> None:
        """Follow statements; what they write goes into ``after``, all else is read from ``before``."""
        for statement in statements:
            match statement:
                case CoreSample(target=Name(id=name)):
                    if name in self.inputs:
                        after[name] = self._drawn(statement, name)
                    else:
                        fresh = f"{name}@{len(self.supports)}"
                        after[name] = None if self.held is None else self._drawn(statement, fresh)
                case CoreAssign(target=Name(id=name), value=value):
                    if name in self.inputs:
                        raise NotAdditive
                    after[name] = self._of(value, _Both(after, before))
                case CoreIf():
                    self._branch(statement, _Both(after, before), after)
                case CoreObserve() | CoreSample() | CoreAssign():
                    raise NotAdditive
                case CoreWhile() | CoreLocal():
                    unsettled(statement)
                case _:
                    assert_never(statement)

    def _drawn(self, statement: CoreSample, name: str) -> _Sum:
        fixed = all(
            each in self.parameters for part in arguments_of(statement.distribution) for each in plain_names(part)
        )
        if not fixed or name in self.supports:
            raise NotAdditive
        if self.held is not None and name in self.held:
            self.supports[name] = (self.held[name],)
            return _Sum(0).plus(name, self.supports[name])
        drawn = support(statement.distribution, Place(self.parameters, {}), self._ring, MOST_VALUES)
        if not all(chance > 0 for _, chance in drawn):
            raise NotAdditive
        values = tuple(value for value, _ in drawn)
        self.supports[name] = values
        return _Sum(0).plus(name, values)

    def _branch(self, branch: CoreIf, before: _Both, after: dict[str, _Sum | None]) -> None:
        condition = self._single(branch.condition, before)
        if condition is None:
            raise NotAdditive
        if not condition[0]:
            self.follow(branch.consequent if condition[1][0] else branch.alternative, before, after)
            return
        one: dict[str, _Sum | None] = {}
        other: dict[str, _Sum | None] = {}
        drawn = len(self.supports)
        self.follow(branch.consequent, before, one)
        self.follow(branch.alternative, before, other)
        if len(self.supports) != drawn:  # an input that some runs do not draw
            raise NotAdditive
        for name in dict.fromkeys((*one, *other)):
            sides = [each[name] if name in each else before.get(name) for each in (one, other)]
            after[name] = None if None in sides else self._joined(condition, sides[0], sides[1])

    def _joined(self, condition: tuple[str, Table], one: _Sum | None, other: _Sum | None) -> _Sum:
        """Return ``if condition then one else other``, which differ by terms of the condition's input only."""
        if one is None or other is None:
            raise NotAdditive
        of, chosen = condition
        above: tuple[Table, Table] = (one.constant,) * len(chosen), (other.constant,) * len(chosen)
        left, right = one.terms, other.terms
        while left is not right:
            side = 0 if right is None or (left is not None and left.depth >= right.depth) else 1
            term = left if side == 0 else right
            if term is None or term.of != of:
                raise NotAdditive
            tables = list(above)
            tables[side] = _added(tables[side], term.table)
            above = tables[0], tables[1]
            left, right = (term.rest, right) if side == 0 else (left, term.rest)
        table = tuple(a if is_true else b for is_true, a, b in zip(chosen, *above, strict=True))
        return _Sum(0, left).plus(of, table)

    def _of(self, expression: Expression, state: _Both) -> _Sum:
        """Return the value of an expression."""
        total = _Sum(0)
        stack: list[tuple[Expression, Number]] = [(expression, 1)]
        while stack:
            part, factor = stack.pop()
            match part:
                case Parenthesized(inner=inner):
                    stack.append((inner, factor))
                case Unary(operator="-", operand=operand):
                    stack.append((operand, exact.neg(factor)))
                case Binary(operator="+" | "-", left=left, right=right):
                    stack.append((right, factor if part.operator == "+" else exact.neg(factor)))
                    stack.append((left, factor))
                case Binary(operator="*", left=left, right=right) if self._is_fixed(left):
                    stack.append((right, exact.mul(factor, evaluate(left, self.parameters))))
                case Binary(operator="*", left=left, right=right) if self._is_fixed(right):
                    stack.append((left, exact.mul(factor, evaluate(right, self.parameters))))
                case Binary(operator="/", left=left, right=right) if self._is_fixed(right):
                    stack.append((left, exact.div(factor, evaluate(right, self.parameters))))
                case _:
                    total = _plus(total, self._whole(part, state), factor)
        return total

    def _whole(self, expression: Expression, state: _Both) -> _Sum:
        """Return the value of an expression that is no sum itself."""
        if isinstance(expression, Name) and expression.id not in self.parameters:
            found = state.get(expression.id)
            if found is None:
                raise NotAdditive
            return found
        if (single := self._single(expression, state)) is not None:
            of, table = single
            return _Sum(0).plus(of, table) if of else _Sum(table[0])
        if isinstance(expression, Conditional):
            condition = self._single(expression.condition, state)
            if condition is not None and condition[0]:
                arms = [self._of(each, state) for each in (expression.consequent, expression.alternative)]
                return self._joined(condition, arms[0], arms[1])
            if condition is not None:
                return self._of(expression.consequent if condition[1][0] else expression.alternative, state)
        raise NotAdditive

    def _single(self, expression: Expression, state: _Both) -> tuple[str, Table] | None:
        """Return the one input that an expression depends on, "" if none, and its value for each of its values; None if it depends on more."""
        read: dict[str, tuple[Number, Table]] = {}
        of = ""
        for name in dict.fromkeys(plain_names(expression)):
            if name in self.parameters:
                continue
            known = state.get(name)
            if known is None:
                raise NotAdditive
            table: Table | None = None
            for term in known:
                if of and term.of != of:
                    return None
                of = term.of
                table = term.table if table is None else _added(table, term.table)
            read[name] = known.constant, table or ()
        found: list[Number] = []
        for place in range(len(self.supports[of]) if of else 1):
            here = {name: exact.add(base, table[place]) if table else base for name, (base, table) in read.items()}
            found.append(evaluate(expression, {**self.parameters, **here}))
        return of, tuple(found)

    def _is_fixed(self, expression: Expression) -> bool:
        return all(name in self.parameters for name in plain_names(expression))


@dataclass(frozen=True, slots=True)
class _Both:
    """What is known after some statements, and before them."""

    after: Mapping[str, _Sum | None]
    before: Mapping[str, _Sum | None] | _Both

    def get(self, name: str) -> _Sum | None:
        """Return the value of a variable: 0 where nothing was assigned, None where it is no sum."""
        known: Mapping[str, _Sum | None] | _Both = self
        while isinstance(known, _Both):
            if name in known.after:
                return known.after[name]
            known = known.before
        return known.get(name, _Sum(0))


def _plus(total: _Sum, part: _Sum, factor: Number) -> _Sum:
    """Return ``total + factor * part``, sharing the longer one's terms where that can be."""
    if factor == 1 and part.depth > total.depth:
        total, part = part, total
    found = _Sum(exact.add(total.constant, exact.mul(factor, part.constant)), total.terms)
    for term in part:
        found = found.plus(term.of, tuple(exact.mul(factor, value) for value in term.table))
    return found
