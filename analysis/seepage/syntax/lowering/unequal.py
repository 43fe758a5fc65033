"""Comparisons that no row of a table can satisfy: what is compared is of another kind than the cells, or no cell of the column at all.

A column is of one kind, which one odd cell decides. So ``row.zip == "12345"`` holds in no row where the column holds numbers, and every number that
rests on it is right for a program that nobody meant.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import TypeAlias

from seepage.data_classes import dataclass
from seepage.diagnostics import Diagnostic, Fix
from seepage.exact.symbols import symbol_of
from seepage.rules import NEVER_EQUAL
from seepage.syntax.data.table import MISSING, TRUTH, Column, Kind, Table
from seepage.syntax.fixes import replacement, shifted, shortened
from seepage.syntax.lowering.symbolic import assigned, why_symbols
from seepage.syntax.spell import spell
from seepage.syntax.tree import (
    Binary,
    Boolean,
    Cell,
    Expression,
    Index,
    MeasureExpression,
    Module,
    Name,
    Number,
    Parenthesized,
)
from seepage.syntax.walk import Node, nodes, rooted

_MOST_NEAR = 2_000  # texts among which the nearest is looked for
_EQUALITIES = ("==", "!=")
_MEANT: Mapping[Kind, str] = {"numbers": "numbers", "truth": "truth values", "symbols": "symbols"}


@dataclass(frozen=True, slots=True)
class _Held:
    """Where a variable has its values from: cells of one column."""

    table: Table
    column: Column

    @property
    def named(self) -> str:
        return f"'{self.column.name}' in '{self.table.named}'"

    @property
    def told(self) -> str:
        """What the cells are, as the end of a sentence."""
        return f"holds {_MEANT[self.column.kind]}{why_symbols(self.column)}"


_Sources: TypeAlias = Mapping[str, _Held | None]
"""Variables and arrays that are written; None where something else than cells of one column is."""


def never_equal(module: Module) -> Iterator[Diagnostic]:
    """Yield a finding for each comparison of cells with what none of them is.

    Args:
        module: in the words of the core.
    """
    sources = _sources(module)
    for root, start in rooted(module) if any(sources.values()) else ():
        for found in _inside(root, sources):
            yield shifted(found, start)


def never_equal_in(measure: MeasureExpression, module: Module) -> Iterator[Diagnostic]:
    """Yield a finding for each such comparison in a measure that is asked of a program.

    Args:
        measure: in the words of the core.
        module: the program, likewise.
    """
    return _inside(measure, _sources(module))


def _inside(root: Node, sources: _Sources) -> Iterator[Diagnostic]:
    for node in nodes(root):
        if isinstance(node, Binary) and node.operator in _EQUALITIES and (found := _told(node, sources)):
            yield found


def _sources(module: Module) -> _Sources:
    found: dict[str, _Held | None] = {}
    is_first = True
    while True:
        before = dict(found)
        for name, values in assigned(module):
            held = [_source(value, found) for value in values if not (is_first and _is_open(value, found))]
            known = [*held, *([found[name]] if name in found else [])] if values else [None]
            if known:
                found[name] = known[0] if all(one == known[0] for one in known) else None
        if found == before and not is_first:
            return found
        is_first = False


def _is_open(value: Expression, sources: _Sources) -> bool:
    """Tell whether nothing was written yet, by the order of the text, to what a value is."""
    return isinstance(value, Name | Index) and _named(value) not in sources


def _named(value: Name | Index) -> str:
    return value.id if isinstance(value, Name) else value.array


def _source(value: Expression, sources: _Sources) -> _Held | None:
    match value:
        case Cell(draw=draw, column=column):
            return _Held(draw.table, draw.table.by_name[column])
        case Name() | Index():
            return sources.get(_named(value))
        case Parenthesized(inner=inner):
            return _source(inner, sources)
        case _:
            return None


def _told(node: Binary, sources: _Sources) -> Diagnostic | None:
    left, right = _source(node.left, sources), _source(node.right, sources)
    if left is not None and right is not None:
        return _of_columns(node, left, right)
    for held, other in ((left, node.right), (right, node.left)):
        if held is not None and isinstance(other, Number | Boolean):
            return _of_value(node, held, other)
    return None


def _of_columns(node: Binary, left: _Held, right: _Held) -> Diagnostic | None:
    """Return a finding where cells of two columns are compared of which one alone holds symbols; both may be missing."""
    if (left.column.kind == "symbols") == (right.column.kind == "symbols") or (
        left.column.missing_line is not None and right.column.missing_line is not None
    ):
        return None
    message = f"no cell of {left.named} equals one of {right.named}: the first {left.told}; the second {right.told}"
    return Diagnostic(NEVER_EQUAL, node.span, message)


def _of_value(node: Binary, held: _Held, other: Number | Boolean) -> Diagnostic | None:
    column = held.column
    symbol = symbol_of(other.value) if isinstance(other, Number) else None
    if symbol == MISSING:
        return None
    if symbol is None:
        if column.kind != "symbols":
            return None
        message = f"no cell of {held.named} equals {spell(other)}: it {held.told}"
        return Diagnostic(NEVER_EQUAL, node.span, message, fixes=_written(node, other, f'"{spell(other)}"', column))
    begin = f"no cell of {held.named} equals the text '{shortened(symbol)}'"
    if column.kind != "symbols":
        return Diagnostic(
            NEVER_EQUAL, node.span, f"{begin}: it {held.told}", fixes=_written(node, other, symbol.lower(), column)
        )
    if symbol in column.texts:
        return None
    near = get_close_matches(symbol, column.texts, 1, 0.6) if len(column.texts) <= _MOST_NEAR else []
    if not near:
        return Diagnostic(NEVER_EQUAL, node.span, begin)
    message = f"{begin}; did you mean '{shortened(near[0])}'?"
    return Diagnostic(NEVER_EQUAL, node.span, message, fixes=_written(node, other, f'"{near[0]}"', column))


def _written(node: Binary, other: Number | Boolean, text: str, column: Column) -> tuple[Fix, ...]:
    """Return the fix that writes something else in the place of a value, where that is in the text and what is written is a cell."""
    is_cell = text.strip('"') in column.texts or (column.kind == "truth" and text in TRUTH)
    if other.span == node.span or not is_cell or '"' in text.strip('"'):
        return ()
    return replacement(f"write {text}", other.span, text)
