"""Facts as JSON values. ``"schema": 3`` changes only if the meaning of a field does; infinities are the strings "inf" and "-inf", numbers too small or too
large for doubles strings as "1.2e-345"; what is not known is null."""

from __future__ import annotations

from collections.abc import Sequence

from seepage.diagnostics import Diagnostic, Reason
from seepage.measures.facts import Answer, LeakageRow
from seepage.measures.result import Json as Json
from seepage.measures.result import Result
from seepage.measures.result import number_json as number_json
from seepage.measures.result import value_json as value_json
from seepage.pipeline import Analysis
from seepage.report.beside import elsewhere_text
from seepage.report.finding_json import SCHEMA, diagnostic_json, range_json
from seepage.source import SourceFile


def result_json(result: Result, source: SourceFile) -> dict[str, Json]:
    """Return one measure; ``source`` gives the lines of ``because``."""
    because = [reason_json(reason, source) for reason in result.because]
    return {"schema": SCHEMA, **result.to_dict(), "because": because}


def analysis_json(source: SourceFile, diagnostics: Sequence[Diagnostic], analysis: Analysis) -> dict[str, Json]:
    """Return everything about one file; ``diagnostics`` are those of checking and of running."""
    return {
        "schema": SCHEMA,
        "file": source.name,
        "diagnostics": [diagnostic_json(diagnostic, source) for diagnostic in diagnostics],
        "table": [row_json(row, source) for row in analysis.table],
        "answers": [answer_json(answer, source) for answer in analysis.answers],
        "note": analysis.note,
        "seconds": round(analysis.seconds, 6),
    }


def reason_json(reason: Reason, source: SourceFile) -> dict[str, Json]:
    """Return why a number is approximate, with the place in the program, both counted from 1."""
    line, column = source.position(reason.span.start)
    return {"code": reason.code, "message": reason.message, "line": line, "column": column}


def _optional(result: Result | None, source: SourceFile) -> Json:
    return None if result is None else result_json(result, source)


def row_json(row: LeakageRow, source: SourceFile) -> dict[str, Json]:
    """Return one row of the leakage table."""
    worst: Json = None
    if row.worst is not None:
        worst = {"output": row.worst.output, "divergence": result_json(row.worst.divergence, source)}
    least: Json = None
    if row.least_left is not None:
        least = {"output": row.least_left.output, "entropy": result_json(row.least_left.entropy, source)}
    return {
        "secret": row.secret,
        "output": row.output,
        "headline": row.headline,
        "information": _optional(row.information, source),
        "percent": _optional(row.percent, source),
        "worst": worst,
        "least_left": least,
        "guess_before": _optional(row.guess_before, source),
        "guess_after": _optional(row.guess_after, source),
        "note": row.note,
    }


def answer_json(answer: Answer, source: SourceFile) -> dict[str, Json]:
    """Return what became of a ``show`` or ``require``; ``source`` is the text that it was asked in."""
    return {
        "role": answer.role,
        "text": answer.text,
        **range_json(answer.span, source),
        "verdict": answer.verdict,
        "over": answer.over or None,
        "worst": answer.worst or None,
        "result": _optional(answer.result, source),
        "error": None if answer.diagnostic is None else answer.diagnostic.message + elsewhere_text(answer, source),
    }
