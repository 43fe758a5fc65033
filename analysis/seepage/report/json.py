"""Facts as JSON values. ``"schema": 2`` changes only if the meaning of a field does; infinities are the strings "inf" and "-inf", numbers too small or too
large for doubles strings as "1.2e-345"; what is not known is null."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import TypeAlias

from seepage.diagnostics import Diagnostic, Reason
from seepage.measures.facts import Answer, LeakageRow
from seepage.measures.result import Companion, Formula, Result
from seepage.pipeline import Analysis
from seepage.report.beside import elsewhere_text
from seepage.report.numbers import formula_text
from seepage.source import SourceFile, Span

SCHEMA = 2

Json: TypeAlias = str | int | float | bool | Sequence["Json"] | Mapping[str, "Json"] | None


def json_text(value: Json, indent: int | None = None) -> str:
    """Return a value as JSON text, in which no character can command a terminal: those that do not print are escaped."""
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    return "".join(letter if letter == "\n" or letter.isprintable() else json.dumps(letter)[1:-1] for letter in text)


def result_json(result: Result, source: SourceFile) -> dict[str, Json]:
    """Return one measure; ``source`` gives the lines of ``because``."""
    lower, value, upper = result.ends
    return {
        "schema": SCHEMA,
        "measure": result.measure,
        "unit": result.unit,
        "value": value_json(value),
        "estimated": result.estimated,
        "lower": number_json(lower),
        "upper": number_json(upper),
        "certainty": result.certainty.value,
        "engine": result.engine,
        "formula": None if result.formula is None else formula_text(result.formula),
        **_formula_parts(result.formula),
        "because": [reason_json(reason, source) for reason in result.because],
        "params": dict(result.params),
        "seconds": round(result.seconds, 6),
        "notes": list(result.notes),
        "witness": result.witness,
        "companions": [_companion(companion) for companion in result.companions],
    }


def _formula_parts(formula: Formula | None) -> dict[str, Json]:
    """Return what a formula consists of, and its other spellings; ``formula`` itself is all of it in one line."""
    if formula is None:
        return {"latex": None, "mathml": None, "definitions": [], "conditions": []}
    return {
        "latex": formula.latex,
        "mathml": formula.mathml,
        "definitions": list(formula.definitions),
        "conditions": list(formula.conditions),
    }


def error_json(diagnostic: Diagnostic, source: SourceFile) -> dict[str, Json]:
    """Return why a measure has no number."""
    line, column = source.position(diagnostic.span.start)
    return {
        "error": {"code": diagnostic.rule.code, "message": diagnostic.message, "line": line, "column": column},
    }


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


def diagnostic_json(diagnostic: Diagnostic, source: SourceFile) -> dict[str, Json]:
    """Return one diagnostic with its range in lines and columns, counted from 1, the end exclusive."""
    related: list[Json] = [{"message": label.message, **_range(label.span, source)} for label in diagnostic.labels]
    return {
        "code": diagnostic.rule.code,
        "name": diagnostic.rule.name,
        "severity": diagnostic.severity.value,
        "message": diagnostic.message,
        **_range(diagnostic.span, source),
        "notes": list(diagnostic.notes),
        "related": related,
    }


def value_json(number: float | Decimal | None) -> float | str | None:
    """Return a number as :func:`number_json` does; null for what is not known."""
    return None if number is None else number_json(number)


def number_json(number: float | Decimal) -> float | str:
    """Return a float, never ``-0.0``, or the string "inf", "-inf" or "1.2e-345"."""
    if isinstance(number, Decimal):
        return f"{number:e}"
    if math.isinf(number):
        return "inf" if number > 0 else "-inf"
    return number + 0.0


def _range(span: Span, source: SourceFile) -> dict[str, Json]:
    line, column = source.position(span.start)
    end_line, end_column = source.position(span.end)
    return {"line": line, "column": column, "end_line": end_line, "end_column": end_column}


def reason_json(reason: Reason, source: SourceFile) -> dict[str, Json]:
    """Return why a number is approximate, with the place in the program, both counted from 1."""
    line, column = source.position(reason.span.start)
    return {"code": reason.code, "message": reason.message, "line": line, "column": column}


def _companion(companion: Companion) -> dict[str, Json]:
    return {
        "name": companion.name,
        "unit": companion.unit,
        "value": value_json(companion.value),
        "lower": number_json(companion.lower),
        "upper": number_json(companion.upper),
    }


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
        **_range(answer.span, source),
        "verdict": answer.verdict,
        "result": _optional(answer.result, source),
        "error": None if answer.diagnostic is None else answer.diagnostic.message + elsewhere_text(answer, source),
    }
