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


def columns_of(checked: Checked, record: str) -> Mapping[str, Column]:
    """Return the columns that are fields of a record, or of records in an array, as it holds a row of a table."""
    if not isinstance(checked.context, Lowered):
        return {}
    found: dict[str, Column] = {}
    for (base, _), data in checked.context.facts.rows.items():
        if base == record and data.table is not None:
            found.update(data.table.by_name)
    return found
