"""Findings as plain text for a terminal, with the places that they are about. Nothing here loads the analysis."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from seepage.diagnostics import Diagnostic, Severity
from seepage.report.paint import PLAIN, Paint, Style
from seepage.source import SourceFile, Span

STYLES: Mapping[Severity, Style] = MappingProxyType(
    {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.INFORMATION: "blue", Severity.HINT: "cyan"}
)
_WIDEST_LINE = 160  # of source text in an excerpt; longer lines are cut around the place
_MOST_DIAGNOSTICS = 100  # of one file


def diagnostics_text(source: SourceFile, diagnostics: Sequence[Diagnostic], paint: Paint = PLAIN) -> str:
    """Return diagnostics with excerpts of the source and carets."""
    blocks = [diagnostic_text(source, diagnostic, paint) for diagnostic in diagnostics[:_MOST_DIAGNOSTICS]]
    if len(diagnostics) > _MOST_DIAGNOSTICS:
        blocks.append(printable(f"{source.name}: {len(diagnostics) - _MOST_DIAGNOSTICS} more"))
    return "\n\n".join(blocks)


def diagnostic_text(source: SourceFile, diagnostic: Diagnostic, paint: Paint = PLAIN) -> str:
    """Return one diagnostic: place, severity, code, message, excerpt, related places, notes, fixes."""
    line, column = source.position(diagnostic.span.start)
    severity = {Severity.INFORMATION: "info"}.get(diagnostic.severity, diagnostic.severity.value)
    style = STYLES[diagnostic.severity]
    place = paint(printable(f"{source.name}:{line}:{column}:"), "bold")
    kind = paint(f"{severity}[{diagnostic.rule.code}]", style, "bold")
    lines = [f"{place} {kind}: {printable(diagnostic.message)}"]
    text, carets = excerpt(source, diagnostic.span)
    margin = carets.index("|") + 1
    lines += [printable(text), carets[:margin] + paint(printable(carets[margin:]), style)]
    for label in diagnostic.labels:
        at_line, at_column = source.position(label.span.start)
        lines.append(printable(f"  {at_line}:{at_column}: {label.message}"))
    lines += [f"  {paint('note:', 'cyan')} {printable(note)}" for note in diagnostic.notes]
    lines += [f"  {paint('help:', 'green')} {printable(fix.title)}" for fix in diagnostic.fixes]
    return "\n".join(lines)


def excerpt(source: SourceFile, span: Span) -> tuple[str, str]:
    """Return the first line of a range with carets under the range."""
    line, column = source.position(span.start)
    text = source.line_text(line)
    end_line, end_column = source.position(span.end)
    last = end_column if end_line == line else len(text) + 1
    first = column
    if len(text) > _WIDEST_LINE:
        cut = max(0, first - 1 - _WIDEST_LINE // 2)
        text, first, last = text[cut : cut + _WIDEST_LINE], first - cut, last - cut
    before = "".join("\t" if letter == "\t" else " " * _width(letter) for letter in text[: first - 1])
    carets = max(1, sum(_width(letter) for letter in text[first - 1 : max(first, last) - 1]))
    number = str(line)
    margin = " " * len(number)
    return f"  {number} | {printable(text)}", f"  {margin} | {before}{'^' * carets}"


def _width(letter: str) -> int:
    if unicodedata.combining(letter):
        return 0
    return 2 if unicodedata.east_asian_width(letter) in "WF" else 1


def printable(text: str) -> str:
    """Replace control characters, line ends too, so that neither a source nor its path can command the terminal."""
    return "".join(letter if letter == "\t" or letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text)
