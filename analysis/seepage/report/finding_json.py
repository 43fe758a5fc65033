"""Findings as JSON values, and JSON as text. Nothing here loads the analysis.

``"schema": 3`` changes only if the meaning of a field does.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from seepage.diagnostics import Diagnostic
from seepage.source import SourceFile, Span

if TYPE_CHECKING:
    from seepage.measures.result import Json

SCHEMA = 3


def json_text(value: Json, indent: int | None = None) -> str:
    """Return a value as JSON text, in which no character can command a terminal: those that do not print are escaped."""
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    return "".join(letter if letter == "\n" or letter.isprintable() else json.dumps(letter)[1:-1] for letter in text)


def error_json(diagnostic: Diagnostic, source: SourceFile) -> dict[str, Json]:
    """Return why a measure has no number."""
    line, column = source.position(diagnostic.span.start)
    return {
        "error": {"code": diagnostic.rule.code, "message": diagnostic.message, "line": line, "column": column},
    }


def diagnostic_json(diagnostic: Diagnostic, source: SourceFile) -> dict[str, Json]:
    """Return one diagnostic with its range in lines and columns, counted from 1, the end exclusive."""
    related: list[Json] = [{"message": label.message, **range_json(label.span, source)} for label in diagnostic.labels]
    return {
        "code": diagnostic.rule.code,
        "name": diagnostic.rule.name,
        "severity": diagnostic.severity.value,
        "message": diagnostic.message,
        **range_json(diagnostic.span, source),
        "notes": list(diagnostic.notes),
        "related": related,
    }


def range_json(span: Span, source: SourceFile) -> dict[str, Json]:
    """Return a range in lines and columns, counted from 1, the end exclusive."""
    line, column = source.position(span.start)
    end_line, end_column = source.position(span.end)
    return {"line": line, "column": column, "end_line": end_line, "end_column": end_column}
