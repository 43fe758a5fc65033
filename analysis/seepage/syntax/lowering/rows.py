"""Draws of rows of tables of data: one hidden number, of which each field that is read is a cell."""

from __future__ import annotations

from seepage.rules import (
    NOT_SUPPORTED,
    WRONG_RESULTS,
)
from seepage.syntax.data.drawn import Draw
from seepage.syntax.lowering.facts import Environment, Refused
from seepage.syntax.lowering.forms import number
from seepage.syntax.lowering.writing import Writing
from seepage.syntax.raw import RawLeaf
from seepage.syntax.tree import Assign, Cell, Item, Name, Placed, Rows, Sample


def drawn(work: Writing, item: Placed, reading: RawLeaf, name: str, env: Environment) -> list[Item]:
    """Return what a draw of a row becomes.

    Raises:
        Refused: if it has several targets, or one that is not known beforehand.
    """
    if len(reading.targets) != 1:
        raise Refused(WRONG_RESULTS, reading.span, f"found one row for {len(reading.targets)} targets")
    data = work.facts.data[name]
    base, path = work.place(reading.targets[0], env)
    if base is None or path is None:
        raise Refused(NOT_SUPPORTED, reading.targets[0].span, "a row is drawn into a place that is known beforehand")
    work.facts.rows.setdefault((base, path), data)
    work.transformed.add(item.start)
    span = reading.targets[0].span
    if data.table is None:
        fields = [one for one in work.facts.shapes.get(base, {}) if one[:-1] == path and one]
        return [one for field in fields for one in work.put(item, base, field, number(0, span))]
    hidden = Name(work.new("row"), span)
    draw = Draw(name, data.table, tuple(data.table.by_name), data.weight)
    made: list[Item] = [Placed(Sample(hidden, Rows(draw, reading.span), reading.span), item.start, "")]
    for column in draw.columns:
        target = work.written(base, (*path, column), span)
        cell = Cell(draw, column, hidden, reading.span)
        made.append(Placed(Assign(target, cell, reading.span), item.start, item.documentation))
    return made
