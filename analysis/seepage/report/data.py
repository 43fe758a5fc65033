"""What hovers and completions say of tables and their columns, as Markdown."""

from __future__ import annotations

from seepage.report.marks import inline_code
from seepage.syntax.data.table import Column, Table

_MOST = 20  # columns that are listed
_SHOWN = 5  # values
_LONGEST = 30  # characters of a value
FACTS = "_these numbers are facts about this data_"


def describe_table(name: str, table: Table) -> str:
    """Return the hover of a table: its size and its columns."""
    lines = [f"**{name}** · table of {table.rows:,} rows · {inline_code(table.named)}"]
    lines += [f"- {inline_code(one.name)}: {brief_column(one)}" for one in table.columns[:_MOST]]
    if len(table.columns) > _MOST:
        lines.append(f"- and {len(table.columns) - _MOST:,} more columns")
    return "\n".join([lines[0], "", *lines[1:], "", FACTS])


def describe_drawn(name: str, table: Table) -> str:
    """Return what the hover of a record says that is a row of a table: of which, and what its columns hold."""
    return f"a row of a table\n\n{describe_table(name, table)}"


def describe_column(column: Column, rows: int) -> str:
    """Return the hover of a field that is a column: kind, distinct values, missing cells, entropy."""
    heading = "" if column.heading == column.name else f" · {inline_code(column.heading)}"
    lines = [f"**{column.name}**{heading} · column of {brief_column(column)} in {rows:,} rows"]
    lines.append(f"entropy of a cell: {column.entropy_bits:.4g} bits")
    if (cell := column.not_a_number) is not None:
        lines.append(
            f"symbols, since {inline_code(_short(cell.text))} in line {cell.line:,} is no number{cell.to_change}"
        )
    return "\n\n".join([*lines, FACTS])


def brief_column(column: Column) -> str:
    """Return the kind of a column, with how many values it has and how many cells are missing."""
    distinct = len(column.values) - bool(column.missing)
    told = f"{column.kind}, {distinct:,} value{'s' if distinct != 1 else ''}"
    if column.filled_extent is not None and column.kind == "numbers":
        told += f" from {_number(column.filled_extent[0])} to {_number(column.filled_extent[1])}"
    elif column.kind == "symbols" and distinct <= _SHOWN:
        told += f" ({', '.join(inline_code(_short(text)) for text in column.texts if text)})"
    return told + (f", {column.missing:,} missing" if column.missing else "")


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def _number(value: object) -> str:
    return _short(str(value))
