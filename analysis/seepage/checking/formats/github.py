"""Annotations of GitHub Actions: commands in the output of a step, one a finding, shown at its lines in a review."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from seepage.checking.formats.places import place_of
from seepage.checking.judging import Judged
from seepage.diagnostics import Diagnostic, Severity
from seepage.report.findings import printable
from seepage.source import SourceFile

_COMMANDS: Mapping[Severity, str] = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.INFORMATION: "notice",
}


def github_of(files: Sequence[Judged]) -> str:
    """Return all annotations, a line each."""
    return "\n".join(_annotation(file.source, each) for file in files for each in file.told)


def _annotation(source: SourceFile, finding: Diagnostic) -> str:
    told = "\n".join((finding.message, *finding.notes, *(f"help: {fix.title}" for fix in finding.fixes)))
    properties = {"file": place_of(source.name), **dict(_place(source, finding)), "title": finding.rule.code}
    named = ",".join(f"{key}={_escaped(printable(value), ':,')}" for key, value in properties.items())
    return f"::{_COMMANDS[finding.severity]} {named}::{_message(told)}"


def _place(source: SourceFile, finding: Diagnostic) -> Iterator[tuple[str, str]]:
    line, column = source.position(finding.span.start)
    end_line, end_column = source.position(finding.span.end)
    yield "line", str(line)
    yield "endLine", str(end_line)
    if line == end_line:  # columns are for ranges on one line
        yield "col", str(column)
        yield "endColumn", str(max(column, end_column - 1))  # the last one, which belongs to the range


def _message(text: str) -> str:
    return "%0A".join(_escaped(printable(line)) for line in text.split("\n"))


def _escaped(text: str, more: str = "") -> str:
    return "".join(f"%{ord(sign):02X}" if sign in f"%\r\n{more}" else sign for sign in text)
