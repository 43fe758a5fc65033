"""One page that needs nothing else: no script, no address, no picture; light and dark, on screens and on paper."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

import seepage
from seepage.checking.file_report import ToldAnswer, ToldRow
from seepage.checking.formats.places import place_of
from seepage.checking.judging import Judged
from seepage.checking.summary import summary_of, summary_text
from seepage.diagnostics import Diagnostic, Severity
from seepage.report.findings import excerpt, printable
from seepage.report.layout import HEADER, kept_columns
from seepage.source import SourceFile

_STYLE = """\
:root { color-scheme: light dark; --good: #1a7f37; --bad: #b42318; --open: #8a5a00; --line: #8885; --soft: #8881; }
@media (prefers-color-scheme: dark) { :root { --good: #56d364; --bad: #ff8f87; --open: #e3b341; } }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2.5rem; border-bottom: 1px solid var(--line); }
code, pre { font: 0.9em/1.45 ui-monospace, monospace; } pre { overflow-x: auto; background: var(--soft); padding: 0.5rem; margin: 0.25rem 0; }
table { border-collapse: collapse; margin: 0.75rem 0; } th, td { text-align: left; padding: 0.25rem 0.75rem; border-bottom: 1px solid var(--line); }
ul { padding-left: 1.25rem; } .good { color: var(--good); } .bad { color: var(--bad); } .open { color: var(--open); } .note { opacity: 0.8; }
@media print { body { margin: 0; max-width: none; } h2, tr, li { break-inside: avoid; } }"""
_CLASSES = {"holds": "good", "violated": "bad", "cannot tell": "open"}
_LEVELS = {Severity.ERROR: "bad", Severity.WARNING: "open"}


def html_of(files: Sequence[Judged]) -> str:
    """Return the page."""
    return "\n".join(_lines(files))


def _lines(files: Sequence[Judged]) -> Iterator[str]:
    passes = all(each.passes for each in files)
    yield "<!DOCTYPE html>"
    yield '<html lang="en">'
    yield '<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>Seepage: {'all programs pass' if passes else 'some programs do not pass'}</title>"
    yield f"<style>\n{_STYLE}\n</style></head>"
    yield "<body><main>"
    yield "<h1>What the programs leak</h1>"
    yield f'<p class="{"good" if passes else "bad"}">{_text(summary_text(summary_of(files)))}.</p>'
    if len(files) > 1:
        yield from _contents(files)
    for number, file in enumerate(files):
        yield from _file(file, number)
    yield f'<p class="note">Made by seepage {_text(seepage.__version__)}.</p>'
    yield "</main></body></html>"


def _contents(files: Sequence[Judged]) -> Iterator[str]:
    yield '<table><thead><tr><th scope="col">program</th><th scope="col">passes</th></tr></thead><tbody>'
    for number, file in enumerate(files):
        word, kind = ("yes", "good") if file.passes else ("no", "bad")
        name = _text(place_of(file.source.name))
        yield f'<tr><td><a href="#p{number}"><code>{name}</code></a></td><td class="{kind}">{word}</td></tr>'
    yield "</tbody></table>"


def _file(file: Judged, number: int) -> Iterator[str]:
    yield f'<section id="p{number}"><h2><code>{_text(place_of(file.source.name))}</code></h2>'
    if file.told:
        yield "<ul>"
        for each in file.told:
            yield from _finding(file.source, each)
        yield "</ul>"
    if file.report is not None:
        if file.report.rows:
            yield from _table(file.report.rows)
        if file.answers:
            yield "<ul>"
            for at, answer in enumerate(file.answers):
                yield from _answer(answer, accepted=at in file.accepted)
            yield "</ul>"
        if file.report.note:
            yield f'<p class="note">{_text(file.report.note)}</p>'
    yield "</section>"


def _finding(source: SourceFile, finding: Diagnostic) -> Iterator[str]:
    line, column = source.position(finding.span.start)
    level = "info" if finding.severity is Severity.INFORMATION else finding.severity.value
    kind = _LEVELS.get(finding.severity, "note")
    yield f'<li><strong class="{kind}">{level}</strong> {finding.rule.code}, line {line}, column {column}: {_text(finding.message)}'
    if source.text:
        yield "<pre>" + "\n".join(map(_text, excerpt(source, finding.span))) + "</pre>"
    for note in (*finding.notes, *(f"help: {fix.title}" for fix in finding.fixes)):
        yield f'<div class="note">{_text(note)}</div>'
    yield "</li>"


def _table(rows: Sequence[ToldRow]) -> Iterator[str]:
    kept = kept_columns([row.cells for row in rows])
    yield "<table><thead><tr>" + "".join(f'<th scope="col">{HEADER[at]}</th>' for at in kept) + "</tr></thead><tbody>"
    for row in rows:
        yield "<tr>" + "".join(f"<td>{_text(row.cells[at])}</td>" for at in kept) + "</tr>"
        if row.note:
            yield f'<tr><td class="note" colspan="{len(kept)}">{_text(row.note)}</td></tr>'
    yield "</tbody></table>"


def _answer(answer: ToldAnswer, *, accepted: bool) -> Iterator[str]:
    kind = "note" if accepted or answer.verdict is None else _CLASSES[answer.verdict]
    first, *others = answer.lines or (answer.text,)
    more = " (accepted by the baseline)" if accepted else ""
    yield f'<li><code class="{kind}">{_text(first)}</code>{more}'
    if others:
        yield "<pre>" + "\n".join(map(_text, others)) + "</pre>"
    yield "</li>"


def _text(text: str) -> str:
    return escape(printable(text))
