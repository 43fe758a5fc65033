"""Which variables hold whole numbers wherever a run can be: so many of them, at most, lie within a distance of 0."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from seepage.distributions.kinds import listed
from seepage.distributions.supports import support_of
from seepage.semantics.core import CoreAssign, CoreSample, CoreStatement
from seepage.semantics.expressions import bottom_up
from seepage.semantics.statements import walk
from seepage.syntax import tree
from seepage.syntax.tree import Distribution, Expression, array_of


def whole_variables(statements: Iterable[CoreStatement]) -> frozenset[str]:
    """Return variables (elements by their array's name) of which every value that statements write is a whole number, if it has one."""
    written: dict[str, list[Expression | None]] = {}
    for statement in walk(statements):
        match statement:
            case CoreAssign(target=target, value=value):
                written.setdefault(_base(target), []).append(value)
            case CoreSample(target=target, distribution=distribution):
                written.setdefault(_base(target), []).extend(_values(distribution))
            case _:
                pass
    known = frozenset(written)
    while True:
        left = frozenset(
            name for name in known if all(each is not None and is_whole(each, known) for each in written[name])
        )
        if left == known:
            return known
        known = left


def is_whole_variable(name: str, known: frozenset[str]) -> bool:
    """Tell whether a plain variable or an element is among those of :func:`whole_variables`."""
    return array_of(name) in known


def is_whole(expression: Expression, known: frozenset[str]) -> bool:
    """Tell whether every value of an expression is a whole number, given that those of the known variables are."""

    def visit(node: Expression, parts: list[bool]) -> bool:
        match node:
            case tree.Number(value=value):
                return value.denominator == 1
            case tree.Boolean():
                return True
            case tree.Name(id=name):
                return is_whole_variable(name, known)
            case tree.Index(array=array):
                return array in known
            case tree.Unary(operator="-") | tree.Parenthesized():
                return parts[0]
            case tree.Unary():
                return True
            case tree.Binary(operator=operator) if operator in tree.COMPARISONS or operator in tree.LOGICAL:
                return True
            case tree.Binary(operator="+" | "-" | "*" | "%"):
                return all(parts)
            case tree.Binary(operator="^", right=tree.Number(value=value)):
                return all(parts) and value >= 0
            case tree.Conditional():
                return parts[1] and parts[2]
            case tree.Call(function="floor" | "ceil"):
                return True
            case tree.Call(function="abs" | "min" | "max"):
                return all(parts)
            case _:
                return False

    return bottom_up(expression, visit)


def _base(target: tree.Target) -> str:
    return array_of(target.id) if isinstance(target, tree.Name) else target.array


def _values(distribution: Distribution) -> Iterator[Expression | None]:
    """Yield values that tell whether all are whole: those of a table, none for a law on whole numbers, None for what is not known."""
    match distribution:
        case tree.Table(entries=entries):
            yield from (value for value, _ in entries)
        case tree.Mixture(parts=parts):
            for _, part in parts:
                yield from _values(part)
        case tree.Family() if (values := listed(distribution)) is not None:
            yield from values
        case tree.Family(name=name) if (support := support_of(name)) is not None and support.whole:
            return
        case _:
            yield None
