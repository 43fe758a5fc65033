"""Hovers of names and statements that the core of the language does not have: procedures, enumerations, records, conditioned draws."""

from __future__ import annotations

import re

from seepage.report.data import describe_column, describe_table
from seepage.report.documentation import documentation_section
from seepage.report.written import (
    describe_alias,
    describe_clause,
    describe_enumeration,
    describe_field,
    describe_given,
    describe_imported,
    describe_local,
    describe_member,
    describe_module,
    describe_own_observation,
    describe_procedure,
)
from seepage.semantics.checked import Checked
from seepage.source import Span
from seepage.symbols.data import columns_of, tables_of
from seepage.symbols.names import Role, Symbol, names_of, reading_at, symbol_at, tree_of
from seepage.symbols.procedures import WrittenProcedure
from seepage.symbols.written import Written
from seepage.syntax.raw import RawLeaf
from seepage.syntax.tree import Placed

# What stands behind a name and before a field: further fields and subscripts.
_OWNER = re.compile(r"(?<!\w)\w+(?:\[[^\[\]\n]{0,40}\]|\.\w+){0,8}\.\Z")
_FAR = 200
_BASE = re.compile(r"[\[.]")


def written_name(checked: Checked, offset: int) -> tuple[Span, str] | None:
    """Return a name at an offset that the core does not have, and what it is; None for any other."""
    names, symbol = names_of(checked), symbol_at(checked, offset)
    if names is None or symbol is None:
        return None
    span = next(one for one in symbol.occurrences if one.contains(offset))
    text = _of_data(checked, symbol, span) or _described(checked, names, symbol)
    return None if text is None else (span, text + documentation_section(symbol.documentation))


def _of_data(checked: Checked, symbol: Symbol, span: Span) -> str | None:
    """Return what is said of a table, or of a field that is one of its columns."""
    if symbol.role is Role.CONSTANT and (table := tables_of(checked).get(symbol.name)) is not None:
        return describe_table(symbol.name, table)
    if symbol.role is not Role.FIELD or (place := written_place(checked.source.text, span)) is None:
        return None
    column = columns_of(checked, base_of(place)).get(symbol.name)
    return None if column is None else describe_column(column, len(column.codes))


def _described(checked: Checked, names: Written, symbol: Symbol) -> str | None:
    if symbol.imported is not None:
        return describe_imported(symbol.imported)
    match symbol.role:
        case Role.MODULE:
            return describe_module(symbol.name, names.imports.modules[symbol.name].module)
        case Role.PROCEDURE if symbol.name in names.procedures:
            return describe_procedure(names.procedures[symbol.name])
        case Role.ARGUMENT | Role.LOCAL:
            owner = _around(names, symbol.definitions[0].start)
            role = "argument" if symbol.role is Role.ARGUMENT else "variable"
            return describe_local(symbol.name, role, "" if owner is None else owner.name)
        case Role.ENUMERATION:
            return describe_enumeration(symbol.name, names.enumerations[symbol.name])
        case Role.MEMBER:
            return describe_member(
                symbol.name, [name for name, members in names.enumerations.items() if symbol.name in members]
            )
        case Role.FIELD:
            return describe_field(symbol.name, [name for name, fields in names.fields.items() if symbol.name in fields])
        case Role.CONSTANT if symbol.name not in checked.symbols.consts:
            line = checked.source.text[symbol.definitions[0].start :].partition("\n")[0]
            return describe_alias(symbol.name, "const", line.partition("//")[0].strip())
        case Role.LOOP if not _is_loop_of_blocks(checked, symbol):
            return describe_clause(symbol.name, _clause(checked, symbol))
        case _:
            return None


def _is_loop_of_blocks(checked: Checked, symbol: Symbol) -> bool:
    scope = symbol.scope
    return scope is not None and any(
        item.span == scope for item in tree_of(checked).walk() if not isinstance(item, Placed)
    )


def _clause(checked: Checked, symbol: Symbol) -> str:
    """Return what stands behind the ``for`` that has a variable, up to the end of its comprehension."""
    assert symbol.scope is not None
    text = checked.source.text[symbol.definitions[0].start : symbol.scope.end]
    return text.removesuffix("]") if text.count("]") > text.count("[") else text


def _around(names: Written, offset: int) -> WrittenProcedure | None:
    return next((one for one in names.procedures.values() if one.span.start <= offset < one.span.end), None)


def written_statement(checked: Checked, offset: int) -> tuple[Span, str] | None:
    """Return a statement at an offset of which only the text as it is written says what it does; None for any other."""
    names = names_of(checked)
    if names is None:
        return None
    item = next(
        (one for one in tree_of(checked).walk() if isinstance(one, Placed) and _span(checked, one).contains(offset)),
        None,
    )
    reading = None if item is None else reading_at(checked, item.start)
    if item is None or not isinstance(reading, RawLeaf):
        return None
    span = reading.span.shift(item.start)
    procedure = _around(names, span.start)
    if reading.keyword == "observe" and procedure is not None and reading.value is not None:
        return span, describe_own_observation(checked.source[reading.value.span.shift(item.start)], procedure.name)
    if reading.given is not None and reading.value is not None:
        targets = ", ".join(checked.source[one.span.shift(item.start)] for one in reading.targets)
        law, condition = (checked.source[one.span.shift(item.start)] for one in (reading.value, reading.given))
        return span, describe_given(targets, law, condition)
    return None


def _span(checked: Checked, item: Placed) -> Span:
    reading = reading_at(checked, item.start)
    return item.span if reading is None else reading.span.shift(item.start)


def base_of(place: str) -> str:
    """Return the array or record that an element or field is of, as it is written."""
    return _BASE.split(place, maxsplit=1)[0]


def written_place(text: str, span: Span) -> str | None:
    """Return the variable that a field belongs to with all before it, as it is written: ``p.`` of ``p.age``; None if none stands there."""
    match = _OWNER.search(text, max(0, span.start - _FAR), span.start)
    return None if match is None else match.group()
