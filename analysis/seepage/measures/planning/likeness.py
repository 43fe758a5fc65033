"""When two parts are alike: equal up to the names of variables and to where they stand in the text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias

from seepage.semantics.core import CoreAssign, CoreIf, CoreObserve, CoreSample, CoreStatement
from seepage.semantics.expressions import children
from seepage.syntax.tree import (
    Binary,
    Boolean,
    Call,
    Cell,
    Distribution,
    Expression,
    Family,
    Index,
    Mixture,
    Name,
    Number,
    Rows,
    Table,
    Unary,
)

Likeness: TypeAlias = tuple[object, ...]


def likeness(
    statements: Iterable[CoreStatement],
    roles: Iterable[Iterable[str]],
    fixed: Iterable[str] = (),
    value: Expression | None = None,
    arrays: Mapping[str, tuple[int, ...]] | None = None,
) -> Likeness:
    """Return what equals that of another part exactly if a renaming of variables takes one to the other.

    Args:
        statements: of the part, in order.
        roles: the variables that are asked for in each role (secrets, outputs, held), in order.
        fixed: names that no renaming changes: parameters.
        value: an expression that is asked for, too.
        arrays: the static indices of arrays. Where one is read or written at a random index, all its elements count.
    """
    naming = _Naming(frozenset(fixed), arrays or {})
    body = tuple(naming.block(statements))
    asked = tuple(tuple(map(naming.name, role)) for role in roles)
    return (*body, "asked", asked, () if value is None else tuple(naming.expression(value)))


class _Naming:
    """Numbers for variables, in the order in which they are met."""

    def __init__(self, fixed: frozenset[str], arrays: Mapping[str, tuple[int, ...]]) -> None:
        self._fixed = fixed
        self._arrays = arrays
        self._numbers: dict[str, object] = {}

    def name(self, name: str) -> object:
        """Return what stands for a name."""
        return ("fixed", name) if name in self._fixed else self._numbers.setdefault(name, len(self._numbers))

    def array(self, array: str) -> Iterator[object]:
        """Yield what stands for an array: its elements, in order."""
        indices = self._arrays.get(array, ())
        yield ("array", indices, tuple(self.name(f"{array}[{index}]") for index in indices))

    def block(self, statements: Iterable[CoreStatement]) -> Iterator[object]:
        """Yield what stands for statements."""
        for statement in statements:
            match statement:
                case CoreAssign(target=target, value=value):
                    yield ":="
                    yield from self.expression(value)
                    yield from self.expression(target)
                case CoreSample(target=target, distribution=distribution):
                    yield "~"
                    yield from self.distribution(distribution)
                    yield from self.expression(target)
                case CoreObserve(condition=condition):
                    yield "observe"
                    yield from self.expression(condition)
                case CoreIf(condition=condition, consequent=consequent, alternative=alternative):
                    yield "if"
                    yield from self.expression(condition)
                    yield tuple(self.block(consequent))
                    yield tuple(self.block(alternative))

    def distribution(self, distribution: Distribution) -> Iterator[object]:
        """Yield what stands for a distribution."""
        match distribution:
            case Family(name=name, arguments=arguments):
                yield (name, *(argument.name for argument in arguments))
                for argument in arguments:
                    yield from self.expression(argument.value)
            case Table(entries=entries):
                yield ("table", len(entries))
                for entry in entries:
                    for part in entry:
                        yield from self.expression(part)
            case Mixture(parts=parts):
                yield ("mixture", len(parts))
                for weight, inner in parts:
                    yield from self.expression(weight)
                    yield from self.distribution(inner)
            case Rows(draw=draw):
                yield ("rows", draw)

    def expression(self, expression: Expression) -> Iterator[object]:
        """Yield what stands for an expression: its nodes, an operator before its operands."""
        stack = [expression]
        while stack:
            node = stack.pop()
            match node:
                case Name(id=name):
                    yield self.name(name)
                case Number(value=value):
                    yield ("number", value)
                case Boolean(value=value):
                    yield ("boolean", value)
                case Index(array=array):
                    yield from self.array(array)
                case Unary(operator=operator) | Binary(operator=operator):
                    yield operator
                case Cell(draw=draw, column=column):
                    yield ("cell", draw, column)
                case Call(function=function, arguments=arguments):
                    yield (function, len(arguments))
                case _:
                    yield type(node).__name__
            stack.extend(reversed(children(node)))
