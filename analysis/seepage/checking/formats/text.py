"""For a terminal: findings with their places, the leakage table, what became of each ``show`` and ``require``."""

from __future__ import annotations

from collections.abc import Iterator

from seepage.checking.file_report import FileReport, ToldAnswer
from seepage.checking.judging import Judged
from seepage.diagnostics import Severity
from seepage.report.findings import diagnostics_text, printable
from seepage.report.layout import laid_out
from seepage.report.paint import PLAIN, Paint, Style

_VERDICTS: dict[str, Style] = {"holds": "green", "violated": "red", "cannot tell": "yellow"}


def text_of(file: Judged, *, named: bool, paint: Paint = PLAIN) -> str:
    """Return all that is told of a file, below its name if it is ``named``."""
    blocks = [paint(printable(file.source.name), "bold")] if named else []
    if file.told:
        blocks.append(diagnostics_text(file.source, file.told, paint))
    if file.report is not None:
        blocks += _blocks(file.report, paint)
    return "\n\n".join(blocks)


def quiet_text_of(file: Judged, paint: Paint = PLAIN) -> str:
    """Return the errors and warnings of a file alone; empty if there are none."""
    loud = [each for each in file.told if each.severity in (Severity.ERROR, Severity.WARNING)]
    return diagnostics_text(file.source, loud, paint)


def _blocks(report: FileReport, paint: Paint) -> Iterator[str]:
    if report.rows:
        yield "\n".join(laid_out([(row.cells, row.note) for row in report.rows], paint))
    if report.answers:
        yield "\n".join(line for answer in report.answers for line in _lines(answer, paint))
    if report.note:
        yield printable(report.note)


def _lines(answer: ToldAnswer, paint: Paint) -> Iterator[str]:
    first, *others = map(printable, answer.lines)
    if answer.verdict is None or answer.verdict_at is None:
        yield first
    else:
        start, end = answer.verdict_at, answer.verdict_at + len(answer.verdict)
        yield f"{first[:start]}{paint(first[start:end], _VERDICTS[answer.verdict], 'bold')}{first[end:]}"
    yield from others
