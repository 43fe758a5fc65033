"""Where a measure comes from, as a table for a terminal and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from seepage.measures.digits import TABLE_DIGITS, justified, rounded, with_unit
from seepage.measures.result import Json, Result
from seepage.report.finding_json import SCHEMA
from seepage.report.findings import printable
from seepage.report.json import number_json
from seepage.report.numbers import number_text, status_text
from seepage.source import SourceFile
from seepage.where import SeenTold, StatementTold, Told, Variant, Where

WARNING = "numbers of programs with one statement changed: they are no shares, and do not add up"
_WIDEST = 40  # characters of a statement
_FEW = 6  # variants that are told one by one where they differ
_HEADER = ("line", "statement", "up to it", "without it", "")


def where_lines(found: Where, source: SourceFile) -> Iterator[str]:
    """Yield the measure, a line for each statement, and what outputs tell alone."""
    yield printable(f"{found.measure} = {number_text(found.whole)} · {status_text(found.whole)}")
    yield f"  {WARNING}"
    rows = [_HEADER, *(_row(each, found, source) for each in found.statements)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(_HEADER))]
    for number, row in enumerate(rows):
        cells = [row[0].rjust(widths[0]), *(cell.ljust(width) for cell, width in zip(row[1:], widths[1:], strict=True))]
        yield printable("  " + "  ".join(cells).rstrip())
        if number == 0:
            yield "  " + "  ".join("─" * width for width in widths[:-1])
        else:
            yield from (printable(f"      {line}") for line in _below(found.statements[number - 1], source))
    for title, told in (("one output alone", found.singles), ("two outputs", found.pairs)):
        if told:
            yield f"  {title}:"
            yield from (printable(f"    {', '.join(each.outputs)}: {_told(each.told)}") for each in told)


def _row(statement: StatementTold, found: Where, source: SourceFile) -> tuple[str, str, str, str, str]:
    line, _ = source.position(statement.span.start)
    text = " ".join(source.text[statement.span.start : statement.span.end].split())
    up_to = "" if statement.up_to is None else _number(statement.up_to.result) or "–"
    return (
        str(line),
        text if len(text) <= _WIDEST else f"{text[: _WIDEST - 1]}…",
        up_to,
        without_text(statement.variants),
        _moves(found, statement),
    )


def statement_words(found: Where, statement: StatementTold) -> str:
    """Return what a statement does to a measure in one line: ``up to here 1 bit; without it 0 bits (▼ 1 bit)``; empty where nothing is known."""
    parts = []
    if statement.up_to is not None and statement.up_to.result is not None:
        parts.append(f"up to here {_number(statement.up_to.result)}")
    if any(each.told.result is not None for each in statement.variants):
        moves = _moves(found, statement)
        parts.append(f"without it {without_text(statement.variants)}" + (f" ({moves})" if moves else ""))
    return "; ".join(parts)


def without_text(variants: Sequence[Variant]) -> str:
    """Return what the measure is with a statement changed, ``0.1 bits`` or ``0.1 bits to 0.2 bits``; a dash where that is not known."""
    results = [each.told.result for each in variants]
    known = [each for each in results if each is not None]
    if not known:
        return "–"
    texts = list(dict.fromkeys(_number(each) for each in known))
    told = texts[0] if len(texts) == 1 else f"{_number(min(known, key=_middle))} to {_number(max(known, key=_middle))}"
    return told if len(known) == len(results) else f"{told}, or unknown"


def _middle(result: Result) -> tuple[float, float]:
    return result.lower, result.upper


def _moves(found: Where, statement: StatementTold) -> str:
    falls, rises = found.moves(statement)
    parts = [f"{sign} {with_unit(rounded(by, 3, 'down'), found.whole.unit)}" for sign, by in (("▼", falls), ("▲", rises)) if by]  # fmt: skip
    return " ".join(parts)


def _below(statement: StatementTold, source: SourceFile) -> Iterator[str]:
    told = {_told(each.told) for each in statement.variants}
    if len(told) > 1:
        for each in statement.variants[:_FEW]:
            yield f"{each.change} {each.detail}".rstrip() + f": {_told(each.told)}"
    elif statement.variants and statement.variants[0].told.result is None:
        yield statement.variants[0].told.reason
    if statement.note:
        yield statement.note


def _told(told: Told) -> str:
    return told.reason if told.result is None else _number(told.result)


def _number(result: Result | None) -> str:
    if result is None:
        return ""
    one = justified(result.lower, result.value, result.upper, TABLE_DIGITS)
    if one is not None:
        return with_unit(one, result.unit)
    return f"{rounded(result.lower, 3, 'down')} to {with_unit(rounded(result.upper, 3, 'up'), result.unit)}"


# --- JSON -------------------------------------------------------------------------------------------------------------


def where_json(found: Where, source: SourceFile) -> dict[str, Json]:
    """Return all of it as data."""
    return {
        "schema": SCHEMA,
        "measure": found.measure,
        "result": found.whole.to_dict(),
        "note": WARNING,
        "statements": [_statement_json(each, found, source) for each in found.statements],
        "singles": [_seen_json(each) for each in found.singles],
        "pairs": [_seen_json(each) for each in found.pairs],
    }


def _statement_json(statement: StatementTold, found: Where, source: SourceFile) -> dict[str, Json]:
    line, column = source.position(statement.span.start)
    end_line, end_column = source.position(statement.span.end)
    falls, rises = found.moves(statement)
    ends = statement.without
    return {
        "line": line,
        "column": column,
        "end_line": end_line,
        "end_column": end_column,
        "up_to": None if statement.up_to is None else _told_json(statement.up_to),
        "without": None if ends is None else {"lower": number_json(ends[0]), "upper": number_json(ends[1])},
        "falls": number_json(falls),
        "rises": number_json(rises),
        "variants": [
            {"change": each.change, "detail": each.detail, **_told_json(each.told)} for each in statement.variants
        ],
        "note": statement.note,
    }


def _seen_json(seen: SeenTold) -> dict[str, Json]:
    return {"outputs": list(seen.outputs), **_told_json(seen.told)}


def _told_json(told: Told) -> dict[str, Json]:
    return {"result": None if told.result is None else told.result.to_dict(), "reason": told.reason or None}
