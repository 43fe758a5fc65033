"""Tables of data -> draws of the number of a distinct row, and cells in the fields of a record."""

from __future__ import annotations

from difflib import get_close_matches
from typing import cast

from seepage.diagnostics import Diagnostic, Edit, Fix
from seepage.files import Files
from seepage.rules import (
    MISPLACED_DISTRIBUTION,
    SYMBOL_AS_NUMBER,
    UNKNOWN_COLUMN,
    UNREADABLE_TABLE,
    ZERO_WEIGHTS,
)
from seepage.source import Span
from seepage.syntax.data.reading import read_table
from seepage.syntax.data.table import MISSING, Column, Table
from seepage.syntax.fixes import replacement, shifted, shortened
from seepage.syntax.lowering.facts import Data, Environment, Facts, Path, Refused
from seepage.syntax.raw import Raw, RawField, RawLeaf, RawSymbol
from seepage.syntax.tokens import Token
from seepage.syntax.tree import Cell, Name


def declared(reading: RawLeaf, start: int, files: Files, base: str | None = None) -> tuple[Data, list[Diagnostic]]:
    """Return what a declaration of a table comes to, and what is wrong with it.

    Args:
        reading: the declaration.
        start: of its piece.
        files: the door.
        base: the file of the module in which it stands, None for the program.
    """
    path = cast("RawSymbol", reading.value)
    found = read_table(files, path.text, path.span, base)
    if isinstance(found, Diagnostic):
        return Data(None, None), [shifted(found, start)]
    weight = reading.names[0] if reading.names else None
    wrong = None if weight is None else _weights(found, weight)
    if wrong is not None:
        return Data(found, None), [shifted(wrong, start)]
    return Data(found, None if weight is None else weight.value), []


def _weights(table: Table, name: Token) -> Diagnostic | None:
    """Return why a column has no weights of rows."""
    span = Span(name.start, name.end)
    column = table.by_name.get(name.value)
    if column is None:
        return _unknown(name.value, span, table)
    if column.kind != "numbers":
        cell = column.not_a_number
        because = "" if cell is None else f": it holds '{shortened(cell.text)}' (line {cell.line:,}){cell.to_change}"
        return Diagnostic(SYMBOL_AS_NUMBER, span, f"the weights '{name.value}' are no numbers{because}")
    if column.missing_line is not None:
        message = f"a weight in '{name.value}' is missing (line {column.missing_line:,})"
        return Diagnostic(SYMBOL_AS_NUMBER, span, message)
    if column.extent is not None and column.extent[0] < 0:
        # No number of the program has a meaning then: the finding must not be one of those that running meets again.
        return Diagnostic(UNREADABLE_TABLE, span, f"a weight in '{name.value}' is negative: {column.extent[0]}")
    if column.extent is not None and column.extent[1] == 0:
        return Diagnostic(ZERO_WEIGHTS, span, f"the weights in '{name.value}' sum to 0")
    return None


def _unknown(name: str, span: Span, table: Table) -> Diagnostic:
    fixes: tuple[Fix, ...] = ()
    known = list(table.by_name)
    near = get_close_matches(name, known, 1, 0.5)
    if near:
        fixes = replacement(f"write '{near[0]}'", span, near[0])
    listed = f"; did you mean '{near[0]}'?" if near else f"; it has {_listed(known)}"
    return Diagnostic(UNKNOWN_COLUMN, span, f"'{table.named}' has no column '{name}'{listed}", fixes=fixes)


def _listed(names: list[str], most: int = 8) -> str:
    shown = ", ".join(f"'{name}'" for name in names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most:,} more"


def table_of(raw: Raw, facts: Facts, env: Environment) -> str | None:
    """Return the table that an expression is, None for anything else."""
    return raw.id if isinstance(raw, Name) and raw.id in facts.data and raw.id not in env else None


def no_value(name: str, column: str | None, span: Span, facts: Facts) -> Refused:
    """Return what is said of a table, or of a column of it, in the place of a value; the fix draws a row before, or reads one that is drawn."""
    known = [
        base for (base, path), data in facts.rows.items() if data is facts.data[name] and not path and "@" not in base
    ]
    row = known[0] if known else _new_row(facts)
    cell = f"{row}.{column or 'column'}"
    drawn = "reads a cell of the row that is drawn" if known else f"behind '{row} ~ {name}' reads a cell of the row"
    fixes: tuple[Fix, ...] = ()
    if column is not None:
        before = () if known else (Edit(Span(0, 0), f"{row} ~ {name}\n"),)
        title = f"read '{cell}'" if known else f"draw a row, and read '{cell}'"
        fixes = (Fix(title, (*before, Edit(span, cell))),)
    message = f"the table '{name}' is a law and no value: '{cell}' {drawn}"
    return Refused(MISPLACED_DISTRIBUTION, span, message, fixes)


def no_argument(name: str, procedure: str, span: Span, facts: Facts) -> Refused:
    """Return what is said of a table that is passed to a procedure; the fix draws a row before, and passes that."""
    row = _new_row(facts)
    message = (
        f"the table '{name}' is a law and cannot be passed as an argument: pass a row, '{row}' behind '{row} ~ {name}', "
        f"or draw from '{name}' in '{procedure}'"
    )
    fix = Fix(f"draw '{row}', and pass it", (Edit(Span(0, 0), f"{row} ~ {name}\n"), Edit(span, row)))
    return Refused(MISPLACED_DISTRIBUTION, span, message, (fix,))


def _new_row(facts: Facts) -> str:
    return next(one for one in _ROWS if one not in facts.shapes)


_ROWS = ("row", *(f"row_{number}" for number in range(2, 1_000)))


def check_field(raw: RawField, base: str, path: Path, facts: Facts) -> None:
    """Note a field of a row of a table that could not be read, so that nothing more is said of it.

    Raises:
        Refused: if the table of a row has no such column, and no statement writes the field.
    """
    data = facts.rows.get((base, path[:-1]))
    if data is None or path in facts.shapes.get(base, {}):
        return
    if data.table is None:
        facts.shapes.setdefault(base, {})[path] = None
        return
    found = _unknown(raw.name.value, Span(raw.name.start, raw.name.end), data.table)
    raise Refused(found.rule, found.span, found.message, found.fixes)


def missing_of(cell: Cell) -> tuple[Table, Column, int] | None:
    """Return the table, column and first line of cells that may be missing."""
    table = cell.draw.table
    column = table.by_name[cell.column]
    return None if column.missing_line is None or MISSING not in column.texts else (table, column, column.missing_line)
