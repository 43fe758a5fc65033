"""Findings of Python files: what was read, with what the last analyses of functions found."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from lsprotocol import types

from seepage.configuration import configured
from seepage.diagnostics import Diagnostic, Label, ordered
from seepage.rules import FILE_TOO_LONG
from seepage.source import SourceFile, Span
from seepage_lsp.client import Client
from seepage_lsp.features.diagnostics import before_change, is_reading, to_protocol
from seepage_lsp.features.moved import Moved
from seepage_lsp.python_files import Marked, PythonFile
from seepage_lsp.settings import Settings
from seepage_lsp.workspace import Snapshot

if TYPE_CHECKING:
    from seepage.functions import FunctionProgram


def present(file: PythonFile) -> SourceFile:
    """Return the present text as the library takes it."""
    return SourceFile(file.uri, file.lines.text, file.held.version)


def findings(file: PythonFile, settings: Settings) -> tuple[Diagnostic, ...]:
    """Return what is found in a file, in the order of the text; nothing in one that Python cannot read, which others tell."""
    shown = file.snapshot(settings)
    if shown.is_too_long:
        return (Diagnostic(FILE_TOO_LONG, Span(0, 0), shown.too_long),) if file.source is not None else ()
    if file.source is None or file.is_broken:
        return ()
    found = [one for program in file.programs for one in program.findings]
    found += [one for marked in file.functions.values() for one in _of_analysis(file, marked, settings)]
    if not file.is_read:  # of a text that the client has changed since
        moved = Moved(file.source, present(file))
        found = [one for each in found if (one := _moved(each, moved)) is not None]
    return tuple(configured(ordered(found), shown.settings.rules))


def _of_analysis(file: PythonFile, marked: Marked, settings: Settings) -> Iterator[Diagnostic]:
    if (problem := marked.document.problem) is not None:
        yield replace(problem, span=head(marked.program))
    told = marked.told()
    if told is None or file.source is None:
        return
    program, analysis = told
    if not is_stale(file, marked, marked.document.snapshot(settings)):
        yield from analysis.diagnostics
        return
    moved = Moved(program.file, file.source)
    for one in analysis.diagnostics:
        if (place := moved.span(one.span)) is not None:
            yield before_change(one, place, moved)


def _moved(finding: Diagnostic, moved: Moved) -> Diagnostic | None:
    place = moved.span(finding.span)
    if place is None:
        return None
    labels = ((moved.span(label.span), label.message) for label in finding.labels)
    return replace(
        finding, span=place, labels=tuple(Label(span, text) for span, text in labels if span is not None), fixes=()
    )


def head(program: FunctionProgram) -> Span:
    """Return the place of a function's name."""
    translation = program.translation
    found = () if translation is None else translation.occurrences
    return next((one.span for one in found if one.role == "function"), Span(0, 0))


def diagnostics(file: PythonFile, settings: Settings, client: Client) -> list[types.Diagnostic]:
    """Return the findings in the form that the client shows, without those that only tell how a text is read."""
    shown = file.snapshot(settings)
    return [to_protocol(one, shown, client) for one in findings(file, settings) if not is_reading(one)]


def is_stale(file: PythonFile, marked: Marked, snapshot: Snapshot) -> bool:
    """Whether the results of a function, of whose program the snapshot is, are not those of the present text."""
    return file.is_broken or marked.is_blocked or not snapshot.is_current
