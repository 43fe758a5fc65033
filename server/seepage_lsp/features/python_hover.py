"""Hovers of Python files: numbers of the last analysis for a marked function, its arguments and outputs, and what its mark asks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from lsprotocol import types

from seepage.python.occurrences import Occurrence
from seepage.report.markdown import describe_answer, describe_parameter, describe_row, describe_variable, lens_text
from seepage.report.marks import escaped, inline_code
from seepage_lsp.client import Client
from seepage_lsp.features.diagnostics import is_reading
from seepage_lsp.features.hover import hover_of, status_line
from seepage_lsp.features.moved import Moved
from seepage_lsp.features.python_findings import findings, present
from seepage_lsp.features.values import values_of
from seepage_lsp.python_files import Marked, PythonFile
from seepage_lsp.settings import Settings
from seepage_lsp.workspace import Snapshot

if TYPE_CHECKING:
    from seepage.functions import FunctionProgram
    from seepage.pipeline import Analysis

_STALE = "stale: the numbers are those of an older text"
_BLOCKED = "no numbers: the function has errors"


def hover(file: PythonFile, position: types.Position, settings: Settings, client: Client) -> types.Hover | None:
    """Return what is known of the name or the question at a position, or None."""
    if file.source is None:
        return None
    offset, moved = file.lines.offset(position), Moved(file.source, present(file))
    said = [each for each in findings(file, settings) if is_reading(each) and each.span.contains(offset)]
    for marked in file.functions.values():
        translation = marked.program.translation
        for one in () if translation is None else translation.occurrences:
            place = moved.span(one.span)
            if place is None or not place.contains(offset):
                continue
            snapshot = marked.document.snapshot(settings)
            parts = [*_described(one, file, marked, snapshot), *(escaped(each.message) for each in said)]
            if parts:
                return hover_of("\n\n---\n\n".join(parts), file.lines.range(place), client)
    return hover_of(escaped(said[0].message), file.lines.range(said[0].span), client) if said else None


def _described(one: Occurrence, file: PythonFile, marked: Marked, snapshot: Snapshot) -> Iterator[str]:
    """Yield what is known of a name, with how current it is."""
    told = marked.told()
    found = [] if told is None else [*_known(one, *told, snapshot)]
    found += _parameter(one, marked, snapshot)
    shown_at = values_of(snapshot).of_shown()
    if found and shown_at and one.role != "function":
        found[-1] = f"{found[-1]}\n\nat {inline_code(shown_at)}"
    status = _status(file, marked, snapshot, known=bool(found))
    if status and (found or one.role in ("function", "argument", "question")):
        found.append(f"_{status}_")
    yield from found


def _status(file: PythonFile, marked: Marked, snapshot: Snapshot, *, known: bool) -> str:
    if file.is_broken or marked.is_blocked:
        return _STALE if known else _BLOCKED
    return status_line(snapshot)


def _known(one: Occurrence, program: FunctionProgram, analysis: Analysis, snapshot: Snapshot) -> Iterator[str]:
    source, digits = program.file, snapshot.settings.digits
    match one.role:
        case "function":
            yield f"**{escaped(one.name)}**, as Seepage reads it"
            yield from (describe_row(row, source, digits) for row in analysis.table if row.headline)
            if answers := [
                f"* {inline_code(each.text)}: {escaped(lens_text(each, source, digits))}" for each in analysis.answers
            ]:
                yield "\n".join(answers)
        case "question":
            yield from (describe_answer(each, source, digits) for each in analysis.answers if each.text == one.name)
        case "argument" | "use" | "law" | "output":
            facts = analysis.variables.get(one.name)
            if facts is not None:
                yield describe_variable(facts, source, "", digits)
            if one.role != "output":
                rows = [row for row in analysis.table if row.headline and row.secret == one.name]
                known = facts is not None and facts.information is not None
                further = [replace(row, information=None, percent=None) for row in rows] if known else rows
                yield from (describe_row(row, source, digits) for row in further)


def _parameter(one: Occurrence, marked: Marked, snapshot: Snapshot) -> list[str]:
    """Return what is known of an argument that stays symbolic."""
    program = marked.followed
    if program is None or program.translation is None or one.role in ("function", "output", "question"):
        return []
    seen = program.translation.seen.get(one.name)
    symbol = None if seen is None else program.checked.symbols.params.get(seen.cells.get((), ""))
    if symbol is None:
        return []
    known = snapshot.analysis.parameters if snapshot.analysis is not None else ()
    measures = next((each.measures for each in known if each.name == symbol.name), None)
    told = None if measures is None else [program.words(each) for each in measures]
    return [describe_parameter(symbol, snapshot.settings.parameters.get(symbol.name), told)]
