"""Reports as JSON values and back: what is read is checked in every part, so that a broken or foreign file is refused and never believed."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from seepage.checking.file_report import Bounds, FileReport, Outcome, Role, ToldAnswer, ToldRow
from seepage.diagnostics import Diagnostic, Edit, Fix, Label, Severity, Tag
from seepage.rules import RULES
from seepage.source import Span

if TYPE_CHECKING:
    from seepage.measures.result import Json

T = TypeVar("T")

COLUMNS = 6  # of the leakage table
_ROLES: Mapping[str, Role] = {"show": "show", "require": "require"}
_OUTCOMES: Mapping[str, Outcome] = {"holds": "holds", "violated": "violated", "cannot tell": "cannot tell"}


# --- writing ----------------------------------------------------------------------------------------------------------


def report_value(report: FileReport) -> dict[str, Json]:
    """Return a report as a JSON value."""
    return {
        "findings": [_finding_value(each) for each in report.findings],
        "rows": [_row_value(each) for each in report.rows],
        "answers": [_answer_value(each) for each in report.answers],
        "note": report.note,
        "seconds": report.seconds,
        "settled": report.settled,
    }


def _span_value(span: Span) -> list[Json]:
    return [span.start, span.end]


def _finding_value(finding: Diagnostic) -> dict[str, Json]:
    return {
        "code": finding.rule.code,
        "severity": finding.severity.value,
        "span": _span_value(finding.span),
        "message": finding.message,
        "labels": [{"span": _span_value(label.span), "message": label.message} for label in finding.labels],
        "notes": list(finding.notes),
        "fixes": [
            {
                "title": fix.title,
                "automatic": fix.automatic,
                "edits": [{"span": _span_value(edit.span), "text": edit.replacement} for edit in fix.edits],
            }
            for fix in finding.fixes
        ],
        "tags": [tag.value for tag in finding.tags],
    }


def _bounds_value(bounds: Bounds | None) -> Json:
    return None if bounds is None else [bounds.lower, bounds.upper, bounds.unit]


def _row_value(row: ToldRow) -> dict[str, Json]:
    return {
        "secret": row.secret,
        "output": row.output,
        "span": _span_value(row.span),
        "headline": row.headline,
        "cells": list(row.cells),
        "note": row.note,
        "bounds": _bounds_value(row.bounds),
        "data": row.data,
    }


def _answer_value(answer: ToldAnswer) -> dict[str, Json]:
    return {
        "role": answer.role,
        "text": answer.text,
        "span": _span_value(answer.span),
        "verdict": answer.verdict,
        "lines": list(answer.lines),
        "bounds": _bounds_value(answer.bounds),
        "budget": answer.budget,
        "code": answer.code,
        "data": answer.data,
        "verdict_at": answer.verdict_at,
    }


# --- reading ----------------------------------------------------------------------------------------------------------


def read_report(value: object, length: int) -> FileReport:
    """Return the report that a JSON value holds, of a text of so many characters.

    Raises:
        ValueError: it holds none.
    """
    table = _table(value)
    return FileReport(
        _each(table, "findings", lambda one: _finding(one, length)),
        _each(table, "rows", lambda one: _row(one, length)),
        _each(table, "answers", lambda one: _answer(one, length)),
        _text(table, "note"),
        _number(table.get("seconds")),
        _flag(table, "settled"),
    )


def _wrong(what: object) -> NoReturn:
    raise ValueError(f"found no {what} where one must be")


def _table(value: object) -> Mapping[str, object]:
    if not isinstance(value, dict):
        _wrong("table")
    return value


def _each(table: Mapping[str, object], key: str, read: Callable[[object], T]) -> tuple[T, ...]:
    found = table.get(key)
    if not isinstance(found, list):
        _wrong(f"list '{key}'")
    return tuple(read(one) for one in found)


def _text(table: Mapping[str, object], key: str) -> str:
    found = table.get(key)
    return found if isinstance(found, str) else _wrong(f"text '{key}'")


def _flag(table: Mapping[str, object], key: str) -> bool:
    found = table.get(key)
    return found if isinstance(found, bool) else _wrong(f"truth value '{key}'")


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or math.isnan(value):
        _wrong("number")
    return float(value)


def _whole(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else _wrong("whole number")


def _plain(value: object) -> str:
    return value if isinstance(value, str) else _wrong("text")


def _span(table: Mapping[str, object], length: int) -> Span:
    match table.get("span"):
        case [int(start), int(end)] if 0 <= start <= end <= length:
            return Span(start, end)
        case _:
            _wrong("place in the text")


def _finding(value: object, length: int) -> Diagnostic:
    table = _table(value)
    rule = RULES.get(_text(table, "code")) or _wrong("rule")
    labels = _each(table, "labels", lambda one: Label(_span(_table(one), length), _text(_table(one), "message")))
    return Diagnostic(
        replace(rule, severity=Severity(_text(table, "severity"))),
        _span(table, length),
        _text(table, "message"),
        labels,
        _each(table, "notes", _plain),
        _each(table, "fixes", lambda one: _fix(one, length)),
        _each(table, "tags", lambda one: Tag(_plain(one))),
    )


def _fix(value: object, length: int) -> Fix:
    table = _table(value)
    edits = _each(table, "edits", lambda one: Edit(_span(_table(one), length), _text(_table(one), "text")))
    return Fix(_text(table, "title"), edits, _flag(table, "automatic"))


def _bounds(value: object) -> Bounds | None:
    match value:
        case None:
            return None
        case [lower, upper, ("bits" | "nats" | "") as unit] if _number(lower) <= _number(upper):
            return Bounds(_number(lower), _number(upper), unit)
        case _:
            _wrong("bounds")


def _row(value: object, length: int) -> ToldRow:
    table = _table(value)
    cells = _each(table, "cells", _plain)
    if len(cells) != COLUMNS:
        _wrong("row of the table")
    return ToldRow(
        _text(table, "secret"),
        _text(table, "output"),
        _span(table, length),
        _flag(table, "headline"),
        cells,
        _text(table, "note"),
        _bounds(table.get("bounds")),
        _data(table),
    )


def _answer(value: object, length: int) -> ToldAnswer:
    table = _table(value)
    verdict = table.get("verdict")
    budget = table.get("budget")
    return ToldAnswer(
        _ROLES.get(_text(table, "role")) or _wrong("role"),
        _text(table, "text"),
        _span(table, length),
        None if verdict is None else _OUTCOMES.get(_plain(verdict)) or _wrong("verdict"),
        _each(table, "lines", _plain),
        _bounds(table.get("bounds")),
        None if budget is None else _number(budget),
        _text(table, "code"),
        _data(table),
        None if table.get("verdict_at") is None else _whole(table["verdict_at"]),
    )


def _data(table: Mapping[str, object]) -> Mapping[str, Json]:
    found = table.get("data")
    if not isinstance(found, dict):
        _wrong("table 'data'")
    data: dict[str, Any] = found  # read from JSON: nothing else can be in it
    return data
