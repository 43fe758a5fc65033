"""The tables of a program, and the records that are rows of them."""

from __future__ import annotations

from collections.abc import Mapping

from seepage.semantics.checked import Checked
from seepage.syntax.data.table import Column, Table
from seepage.syntax.lowering.lower import Lowered


def tables_of(checked: Checked) -> Mapping[str, Table]:
    """Return the tables that a program declares and that could be read, by name."""
    if not isinstance(checked.context, Lowered):
        return {}
    data = checked.context.facts.data
    return {name: one.table for name, one in data.items() if one.table is not None}


def drawn_from(checked: Checked, record: str) -> Mapping[str, Table]:
    """Return the tables of which a record, or records in an array, are rows, by name."""
    if not isinstance(checked.context, Lowered):
        return {}
    rows = [data for (base, _), data in checked.context.facts.rows.items() if base == record]
    return {name: table for name, table in tables_of(checked).items() if any(one.table is table for one in rows)}


def columns_of(checked: Checked, record: str) -> Mapping[str, Column]:
    """Return the columns that are fields of a record, or of records in an array, as it holds a row of a table."""
    tables = drawn_from(checked, record).values()
    return {name: column for table in tables for name, column in table.by_name.items()}
