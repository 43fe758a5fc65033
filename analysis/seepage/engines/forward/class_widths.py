"""Which uniform draws of a program are wide enough to be sources, whose values are classes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import assert_never

from seepage.engines.forward.liveness import parts_of
from seepage.exact import Number
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
from seepage.semantics.expressions import nodes, plain_names
from seepage.semantics.statements import walk
from seepage.semantics.uniform_laws import uniform_range
from seepage.syntax import tree
from seepage.syntax.tree import Distribution, Expression

WIDE = 4_096

"""Values from which on a uniform law is a source; below, it is enumerated."""

MANY = 1 << 22

"""Values of all uniform draws together from which on draws of fewer values are sources, too."""

_MANY_PAIRS = 1 << 20  # values of such draws together that are followed one by one in a second or so

_SOME = 64

"""Values of a draw that is worth to be a source among many; draws of fewer values are, where they may be digits of one number, or are compared."""


def width_of(statement: CoreStatement, parameters: Mapping[str, Number]) -> int:
    """Return how many values a statement draws from uniformly, if it does; else 0."""
    return _width(statement.distribution, parameters) if isinstance(statement, CoreSample) else 0


def _width(law: Distribution, parameters: Mapping[str, Number]) -> int:
    found = uniform_range(law, parameters)
    return 0 if found is None else found[1] - found[0] + 1


def widths_of(statements: Sequence[CoreStatement], parameters: Mapping[str, Number]) -> list[int]:
    """Return how many values each uniform draw of some statements has, in their order; a law that the rounds of a loop share is looked at once."""
    laws = [each.distribution for each in walk(statements) if isinstance(each, CoreSample)]
    widths = {id(law): _width(law, parameters) for law in {id(law): law for law in laws}.values()}
    return [width for law in laws if (width := widths[id(law)])]


def least_width(statements: Sequence[CoreStatement], parameters: Mapping[str, Number]) -> int:
    """Return from how many values on the uniform laws of a program are sources; 0 where single values serve it better."""
    widths = widths_of(statements, parameters)
    if any(width > WIDE for width in widths):
        return WIDE + 1
    if prod(widths) <= MANY:
        return 0
    return 2 if any(map(_has_few_classes, walk(statements))) else _SOME + 1 if max(widths) > _SOME else 0


def has_words(statements: Sequence[CoreStatement], parameters: Mapping[str, Number]) -> bool:
    """Tell whether uniform laws of a program have so many values, one of them or several together, that their digits tell them better than one by one."""
    widths = [width for width in widths_of(statements, parameters) if width > _SOME]
    return any(width > WIDE for width in widths) or prod(widths) > _MANY_PAIRS


def _has_few_classes(statement: CoreStatement) -> bool:
    """Tell whether a statement goes from digit to digit (``k := 2 * k + b``), or compares or combines two values that may both be sources."""
    return any(
        _is_of_few_classes(node, statement)
        for root in roots_of(statement)
        for node in nodes(root)
        if isinstance(node, tree.Binary | tree.Call)
    )


def _is_of_few_classes(node: tree.Binary | tree.Call, statement: CoreStatement) -> bool:
    if isinstance(node, tree.Call):
        return node.function == "bit_xor" and all(map(_reads, node.arguments))
    if node.operator == "*":
        target = statement.target if isinstance(statement, CoreAssign) else None
        return isinstance(target, tree.Name) and target.id in plain_names(node)
    return node.operator in ("==", "!=") and _reads(node.left) and _reads(node.right)


def _reads(expression: Expression) -> bool:
    return any(True for _ in plain_names(expression))


def roots_of(statement: CoreStatement) -> tuple[Expression, ...]:
    """Return the expressions that a statement evaluates."""
    match statement:
        case CoreAssign(value=value):
            return (value,)
        case CoreSample(distribution=distribution):
            return parts_of(distribution)
        case CoreObserve(condition=condition) | CoreIf(condition=condition):
            return (condition,)
        case CoreWhile() | CoreLocal():
            unsettled(statement)
        case _:
            assert_never(statement)
