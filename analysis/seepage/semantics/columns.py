"""The columns of tables that a program looks at: rows that are equal in them are one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from seepage.semantics.core import CoreAssign, CoreIf, CoreLocal, CoreSample, CoreStatement, CoreWhile
from seepage.semantics.statements import walk
from seepage.syntax.data.drawn import Draw
from seepage.syntax.tree import Cell, Name, Rows

_Columns: TypeAlias = Mapping[str, frozenset[str]]


def looked_at(statements: Sequence[CoreStatement]) -> tuple[CoreStatement, ...]:
    """Return statements whose draws of rows tell those columns apart of which some cell is read, and no others.

    The variable of a draw is read by cells alone, each the value of an assignment, so that its rows may have other numbers.
    """
    if not any(map(_rows, walk(statements))):
        return tuple(statements)
    columns: defaultdict[str, set[str]] = defaultdict(set)
    for statement in walk(statements):
        if (cell := _cell(statement)) is not None:
            columns[cell[1]].add(cell[0].column)
    return _narrowed(statements, {name: frozenset(each) for name, each in columns.items()})


def _rows(statement: CoreStatement) -> tuple[Rows, str] | None:
    """Return the law of a draw of a row, and its variable."""
    match statement:
        case CoreSample(target=Name(id=name), distribution=Rows() as rows):
            return rows, name
        case _:
            return None


def _cell(statement: CoreStatement) -> tuple[Cell, str] | None:
    """Return the cell that a statement assigns, and the variable of its row."""
    match statement:
        case CoreAssign(value=Cell(row=Name(id=name)) as cell):
            return cell, name
        case _:
            return None


def _narrowed(statements: Sequence[CoreStatement], columns: _Columns) -> tuple[CoreStatement, ...]:
    return tuple(_narrowed_statement(each, columns) for each in statements)


def _narrowed_statement(statement: CoreStatement, columns: _Columns) -> CoreStatement:
    def of(draw: Draw, name: str) -> Draw:
        return draw.of(columns.get(name, frozenset()))

    match statement:
        case CoreSample(distribution=Rows() as rows) if (found := _rows(statement)) is not None:
            return replace(statement, distribution=replace(rows, draw=of(rows.draw, found[1])))
        case CoreAssign(value=Cell() as cell) if (read := _cell(statement)) is not None:
            return replace(statement, value=replace(cell, draw=of(cell.draw, read[1])))
        case CoreIf(consequent=first, alternative=second):
            return replace(statement, consequent=_narrowed(first, columns), alternative=_narrowed(second, columns))
        case CoreWhile(body=body, never=never):
            kept = None if never is None else _narrowed(never, columns)
            return replace(statement, body=_narrowed(body, columns), never=kept)
        case CoreLocal(body=body):
            return replace(statement, body=_narrowed(body, columns))
        case _:
            return statement
