"""Facts as plain text for a terminal.

``digits`` is the most that a number may have, where somebody asked for that; else it is as many as its place has room for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from seepage.measures.digits import FEW_DIGITS, MOST_DIGITS, TABLE_DIGITS, telling_digits
from seepage.measures.facts import Answer, LeakageRow
from seepage.measures.result import Result
from seepage.pipeline import Analysis
from seepage.report.beside import beside_lines, ranges_text, reason_text, where_text, worst_text
from seepage.report.findings import printable
from seepage.report.layout import laid_out
from seepage.report.numbers import equation_text, formula_lines, guess_text, percent_text, result_text
from seepage.source import SourceFile


def analysis_text(source: SourceFile, analysis: Analysis) -> str:
    """Return the leakage table and the answers to every ``show`` and ``require``."""
    blocks: list[str] = []
    if analysis.table:
        blocks.append("\n".join(table_lines(analysis.table, source)))
    if analysis.answers:
        blocks.append("\n".join(line for answer in analysis.answers for line in answer_lines(answer, source)))
    if analysis.note:
        blocks.append(printable(analysis.note))
    return "\n\n".join(blocks)


def table_lines(table: Sequence[LeakageRow], source: SourceFile, digits: int | None = None) -> Iterator[str]:
    """Yield the leakage table, one line a row, with notes below their row; a column in which nothing stands is left out."""
    return laid_out([(table_cells(row, source, digits), row.note) for row in table])


def table_cells(row: LeakageRow, source: SourceFile, digits: int | None = None) -> tuple[str, ...]:
    """Return the words of a row, one for each column of :data:`seepage.report.layout.HEADER`."""
    guesses, few = "", digits or FEW_DIGITS
    if row.guess_before is not None and row.guess_after is not None:
        guesses = f"{guess_text(row.guess_before, None, few)} → {guess_text(row.guess_after, source, few)}"
    return (
        row.secret if row.headline else "",
        row.output,
        "—" if row.information is None else result_text(row.information, source, digits or TABLE_DIGITS),
        "" if row.percent is None else percent_text(row.percent, few),
        worst_text(row, few),
        guesses,
    )


def verdict_place(answer: Answer) -> int | None:
    """Return at which character of the first of :func:`answer_lines` the verdict begins, None where there is none."""
    return None if answer.verdict is None else len(printable(f"{_asked(answer)}: "))


def _asked(answer: Answer) -> str:
    return f"{answer.role} {answer.text}{ranges_text(answer)}"


def answer_lines(answer: Answer, source: SourceFile, digits: int | None = None) -> Iterator[str]:
    """Yield a ``show`` as ``show I(s; o) = 0.11 bits · exact``, a ``require`` with its outcome; below, what is to be known about it."""
    head = _asked(answer)
    if answer.verdict is not None:
        head += f": {answer.verdict}"
        if answer.result is not None:
            most = telling_digits(*answer.result.ends, answer.bound, digits or MOST_DIGITS)
            head += f" ({equation_text(answer.result, source, most=most)}){where_text(answer)}"
    elif answer.result is not None:
        yield from result_lines(answer.result, source, "show ", digits)
        return
    if answer.result is None and answer.diagnostic is not None:
        head += f"{'; ' if answer.verdict else ': '}{reason_text(answer, source)}"
    yield printable(head)
    if answer.result is not None:
        yield from _beside(answer.result, digits)


def result_lines(result: Result, source: SourceFile, prefix: str = "", digits: int | None = None) -> Iterator[str]:
    """Yield a measure with its formula, and what is to be known about it."""
    yield printable(f"{prefix}{equation_text(result, source, most=digits or MOST_DIGITS)}")
    if result.formula is not None:
        first, *definitions = formula_lines(result.formula)
        yield printable(f"    = {first}")
        yield from (printable(f"      {line}") for line in definitions)
    reasons = (f"line {source.position(reason.span.start)[0]}: {reason.message}" for reason in result.because)
    yield from (printable(f"    {line}") for line in dict.fromkeys(reasons))
    yield from _beside(result, digits)


def _beside(result: Result, digits: int | None) -> Iterator[str]:
    """Yield what stands beside a number, indented, a line each."""
    for line in (*beside_lines(result, most=digits or MOST_DIGITS), *result.notes):
        yield printable(f"    {line}")
