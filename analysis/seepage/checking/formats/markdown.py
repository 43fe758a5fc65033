"""A comment for a review, in Markdown: a line for the run, a table of the programs that do not pass, and below it what is wrong with each."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from seepage.checking.file_report import ToldAnswer, ToldRow
from seepage.checking.formats.places import place_of
from seepage.checking.judging import Judged
from seepage.checking.summary import summary_of, summary_text
from seepage.diagnostics import Diagnostic, Severity
from seepage.report.findings import printable
from seepage.report.layout import HEADER, kept_columns
from seepage.report.marks import inline_code
from seepage.source import SourceFile

_MOST_FILES = 50  # told in full: services cut comments that are longer than some 60,000 characters
_MARKS = re.compile(r"[\\`*_{}\[\]()<>#+!|~&$@-]")
_SIGNS = {"holds": "✅", "violated": "❌", "cannot tell": "❓"}


def markdown_of(files: Sequence[Judged]) -> str:
    """Return the comment."""
    return "\n".join(_lines(files))


def _lines(files: Sequence[Judged]) -> Iterator[str]:
    failing = [each for each in files if not each.passes]
    yield f"## {'❌' if failing else '✅'} Seepage: {summary_text(summary_of(files))}"
    for file in failing[:_MOST_FILES]:
        yield from _file(file)
    if len(failing) > _MOST_FILES:
        yield ""
        yield f"{len(failing) - _MOST_FILES:,} more programs do not pass."
    if passing := [each for each in files if each.passes and (each.told or each.answers or _rows(each))]:
        yield ""
        yield "<details><summary>Programs that pass</summary>"
        for file in passing[:_MOST_FILES]:
            yield from _file(file)
        if len(passing) > _MOST_FILES:
            yield ""
            yield f"{len(passing) - _MOST_FILES:,} more programs pass."
        yield ""
        yield "</details>"


def _rows(file: Judged) -> Sequence[ToldRow]:
    return () if file.report is None else file.report.rows


def _file(file: Judged) -> Iterator[str]:
    yield ""
    yield f"### {code(place_of(file.source.name))}"
    if file.told:
        yield ""
        yield from (_finding(file.source, each) for each in file.told)
    if asked := [(number, each) for number, each in enumerate(file.answers)]:
        yield ""
        yield from (_answer(each, accepted=number in file.accepted) for number, each in asked)
    if rows := _rows(file):
        yield ""
        yield from _table(rows)


def _finding(source: SourceFile, finding: Diagnostic) -> str:
    line, _ = source.position(finding.span.start)
    level = "info" if finding.severity is Severity.INFORMATION else finding.severity.value
    notes = "".join(f" *{escaped(note)}.*" for note in finding.notes)
    return f"* **{level}** {finding.rule.code}, line {line}: {escaped(finding.message)}{notes}"


def _answer(answer: ToldAnswer, *, accepted: bool) -> str:
    first = answer.lines[0] if answer.lines else answer.text
    sign = f"{_SIGNS[answer.verdict]} " if answer.verdict is not None else ""
    return f"* {sign}{code(first)}{' (accepted by the baseline)' if accepted else ''}"


def _table(rows: Sequence[ToldRow]) -> Iterator[str]:
    kept = kept_columns([row.cells for row in rows])
    yield f"| {' | '.join(HEADER[at] for at in kept)} |"
    yield f"|{' --- |' * len(kept)}"
    for row in rows:
        yield f"| {' | '.join(escaped(row.cells[at]) for at in kept)} |"
    for row in rows:
        if row.note:
            yield ""
            yield f"*{escaped(row.output)}: {escaped(row.note)}*"


def escaped(text: str) -> str:
    """Return a text that means itself in Markdown, on one line: no mark, link, mention or HTML of a program has an effect."""
    line = printable(" ".join(text.split()))
    return _MARKS.sub(lambda found: f"\\{found[0]}" if found[0] != "@" else "@\N{WORD JOINER}", line).replace(
        "://", ":\\/\\/"
    )


def code(text: str) -> str:
    """Return a text as code on one line, whatever is in it."""
    return inline_code(printable(text))
