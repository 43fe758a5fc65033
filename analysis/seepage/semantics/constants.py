"""Variables whose values the text says: chains such as ``x2 := x1 + 1`` become numbers, so that slices of each need not walk all before it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from seepage.diagnostics import Fault
from seepage.exact import Number
from seepage.semantics.core import CoreAssign, CoreProgram, CoreStatement
from seepage.semantics.evaluate import evaluate
from seepage.semantics.expressions import nodes
from seepage.semantics.statements import may_write
from seepage.syntax import tree
from seepage.syntax.tree import Expression

_BITS = 512  # of numbers that are put in


def with_constants(core: CoreProgram) -> CoreProgram:
    """Return a program that means the same, in which assignments outside of branches of what has one value in all runs assign the number."""
    known: dict[str, Number] = {}
    statements: list[CoreStatement] = []
    for statement in core.statements:
        match statement:
            case CoreAssign(target=tree.Name(id=name), value=value) if (number := _number(value, known)) is not None:
                known[name] = number
                statements.append(replace(statement, value=tree.Number(Fraction(number), value.span)))
            case _:
                for name in may_write(core, (statement,)):
                    known.pop(name, None)
                statements.append(statement)
    return replace(core, statements=tuple(statements))


def _number(value: Expression, known: Mapping[str, Number]) -> int | Fraction | None:
    """Return the value of an expression of variables that are known, None for others, for what has no value, and for long numbers."""
    for node in nodes(value):
        if isinstance(node, tree.Index) or (isinstance(node, tree.Name) and node.id not in known):
            return None
    try:
        found = evaluate(value, known)
    except Fault:
        return None
    if (
        not isinstance(found, int | Fraction)
        or max(found.numerator.bit_length(), found.denominator.bit_length()) > _BITS
    ):
        return None
    return found
