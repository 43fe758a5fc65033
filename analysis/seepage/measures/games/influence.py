"""What depends on a choice, as far as the text tells: values that are computed from it, and whatever happens in a branch that it decides."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import reduce

from seepage.measures.games.game import Move
from seepage.semantics.core import CoreAssign, CoreIf, CoreObserve, CoreProgram, CoreSample, CoreStatement
from seepage.semantics.expressions import plain_names
from seepage.semantics.slice import slice_program
from seepage.semantics.statements import expressions_of, may_write, walk, written_variables
from seepage.syntax.tree import Binary, Expression, Name


def influenced(core: CoreProgram, names: Iterable[str]) -> frozenset[str]:
    """Return the plain variables that may depend on some variables, these among them; the order of statements counts for nothing."""
    found = set(names)
    while True:
        before = len(found)
        for statement in walk(core.statements):
            if _reads(core, (statement,), found):
                found |= may_write(core, (statement,))
        if len(found) == before:
            return frozenset(found)


def influences_observations(core: CoreProgram, names: Iterable[str]) -> bool:
    """Tell whether an observation may depend on some variables, or stands in a branch that does."""
    found = influenced(core, names)
    for statement in walk(core.statements):
        if isinstance(statement, CoreObserve) and _reads(core, (statement,), found):
            return True
        if isinstance(statement, CoreIf) and _conditions(core, statement, found):
            inner = (*statement.consequent, *statement.alternative)
            if any(isinstance(each, CoreObserve) for each in walk(inner)):
                return True
    return False


def _conditions(core: CoreProgram, statement: CoreIf, found: set[str] | frozenset[str]) -> bool:
    return bool(core.expanded(plain_names(statement.condition)) & found)


def _reads(core: CoreProgram, statements: Sequence[CoreStatement], found: set[str] | frozenset[str]) -> bool:
    """Tell whether statements read one of some variables, a branch in its condition only."""
    return any(core.expanded(plain_names(each)) & found for one in statements for each in expressions_of(one))


def sources(core: CoreProgram, names: tuple[str, ...], moves: Sequence[Move]) -> set[str]:
    """Return the variables that some variables depend on under some strategy, through observations, too; these among them."""
    core = _linked(core, moves)
    asked = tuple(each for name in names for each in core.expanded((name,)))
    return {*asked, *written_variables(slice_program(core, asked).statements)}


def _linked(core: CoreProgram, moves: Sequence[Move]) -> CoreProgram:
    """Return a program whose choices read a draw and all that they have seen, as far as dependence goes: nobody runs it."""
    seen = {one.name: move.seen for move in moves for one in move.choices}

    def each(statement: CoreStatement) -> tuple[CoreStatement, ...]:
        if not isinstance(statement, CoreSample) or not isinstance(statement.target, Name):
            return (statement,)
        name, span = statement.target.id, statement.span
        if not seen.get(name):
            return (statement,)
        draw: Expression = Name(f"{name}@drawn", span)
        read = reduce(lambda one, other: Binary("+", one, Name(other, span), span), seen[name], draw)
        return (replace(statement, target=Name(f"{name}@drawn", span)), CoreAssign(statement.target, read, span))

    return replace(core, statements=tuple(made for statement in core.statements for made in each(statement)))
