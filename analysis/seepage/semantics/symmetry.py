"""Values that a program only copies and compares for equality: such a program means the same whatever they are called.

Let a permutation of the numbers ``low..high`` rename the values of some variables. A program whose draws of these variables are uniform over
that range, and which only copies them and compares them with each other for equality, then has the law of the renamed variables: it is *equivariant*. Numbers
outside of the range are names of their own, which no permutation touches.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from typing import TypeAlias, assert_never

from seepage import exact
from seepage.data_classes import dataclass
from seepage.diagnostics import Fault
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
from seepage.semantics.evaluate import known_value
from seepage.semantics.expressions import arguments_of, children
from seepage.semantics.statements import read_before, walk
from seepage.semantics.uniform_laws import uniform_range
from seepage.syntax.tree import Binary, Conditional, Expression, Index, Name

Range: TypeAlias = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Renamable:
    """Variables whose values may be renamed together.

    Attributes:
        variables: each holds one of the values, or a number outside of their range.
        values: the ends of the range.
    """

    variables: frozenset[str]
    values: Range


def renamable(
    statements: Sequence[CoreStatement], start: str, asked: Iterable[str], parameters: Mapping[str, Number]
) -> Renamable | None:
    """Return the variables whose values may be renamed together with those of one, where the program is equivariant; else None.

    Args:
        statements: of a program, all of them.
        start: a variable that is drawn once, on all runs, from a uniform law.
        asked: the variables that are looked at in the end.
        parameters: the values of all parameters that ranges read.
    """
    values = _drawn_once(statements, start, parameters)
    if values is None:
        return None
    reading = _Reading(values, parameters, {start})
    before = -1
    try:
        while before != len(reading.renamed):
            before = len(reading.renamed)
            for statement in walk(statements):
                reading.statement(statement)
    except _NotAlike:
        return None
    if values[0] <= 0 <= values[1] and read_before(statements, asked) & reading.renamed:
        return None  # what is read before it is assigned is 0, which would be one of the values
    return Renamable(frozenset(reading.renamed), values)


def _drawn_once(statements: Sequence[CoreStatement], name: str, parameters: Mapping[str, Number]) -> Range | None:
    """Return the range of a variable that is written by one statement, a uniform draw on all runs; else None."""
    writes = [
        each
        for each in walk(statements)
        if isinstance(each, CoreAssign | CoreSample) and isinstance(each.target, Name) and each.target.id == name
    ]
    if len(writes) != 1 or writes[0] not in statements or not isinstance(writes[0], CoreSample):
        return None
    return uniform_range(writes[0].distribution, parameters)


class _NotAlike(Exception):
    """A value is looked at, in another way than for equality."""


@dataclass(slots=True)
class _Reading:
    """What is known while statements are read: ``renamed`` grows until nothing joins any more."""

    values: Range
    parameters: Mapping[str, Number]
    renamed: set[str] = field(default_factory=set)

    def statement(self, statement: CoreStatement) -> None:
        match statement:
            case CoreSample(target=Name(id=name), distribution=distribution):
                if name in self.renamed and uniform_range(distribution, self.parameters) != self.values:
                    raise _NotAlike
                for each in arguments_of(distribution):
                    self.plain(each)
            case CoreAssign(target=Name(id=name), value=value):
                if name in self.renamed or self.is_copy(value):
                    self.renamed.add(name)
                    self.copied(value)
                else:
                    self.plain(value)
            case CoreObserve(condition=condition) | CoreIf(condition=condition):
                self.plain(condition)
            case CoreSample() | CoreAssign():  # of an element that is picked at random
                raise _NotAlike
            case CoreWhile() | CoreLocal():
                unsettled(statement)
            case _:
                assert_never(statement)

    def is_copy(self, expression: Expression) -> bool:
        """Tell whether an expression has a value that is renamed."""
        match expression:
            case Name(id=name):
                return name in self.renamed
            case Conditional(consequent=one, alternative=other):
                return self.is_copy(one) or self.is_copy(other)
            case _:
                return False

    def copied(self, expression: Expression) -> None:
        """Let every value that an expression may have be renamed, or be a number outside of the range."""
        match expression:
            case Name(id=name) if name not in self.parameters:
                self.renamed.add(name)
            case Conditional(condition=condition, consequent=one, alternative=other):
                self.plain(condition)
                self.copied(one)
                self.copied(other)
            case _:
                self._outside(expression)

    def plain(self, expression: Expression) -> None:
        """Let an expression look at renamed values only for equality."""
        match expression:
            case Binary(operator="==" | "!=", left=left, right=right) if self.is_copy(left) or self.is_copy(right):
                self.copied(left)
                self.copied(right)
            case Name(id=name):
                if name in self.renamed:
                    raise _NotAlike
            case Index(array=array, index=index):
                if any(name.startswith(f"{array}[") for name in self.renamed):
                    raise _NotAlike
                self.plain(index)
            case _:
                for each in children(expression):
                    self.plain(each)

    def _outside(self, expression: Expression) -> None:
        """Take a fixed number outside of the range for a name of its own."""
        try:
            value = known_value(expression, self.parameters)
            low, high = self.values
            if value is not None and (exact.compare(value, low) < 0 or exact.compare(value, high) > 0):
                return
        except (Fault, ArithmeticFault):
            pass
        raise _NotAlike
