"""The file of a sweep: a table with a row for each number, as CSV, JSON lines or Parquet, and what a former run left in one.

All forms have the same columns: what varies in decimals, then ``measure``, ``value``, ``lower``, ``upper``, ``certainty``, ``unit``, ``because``,
``limit``, ``fault`` and ``key``. A row belongs to a sweep by its key alone. What is read is data: a line that is cut off, damaged or of something else
is as if it were not there; numbers of another program are never put beside those of this one.

Rows join the file as they come, at its end. No row can join a Parquet file: they wait in a file of JSON lines beside it, which goes when all are there.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

from seepage import exact
from seepage.data_classes import dataclass
from seepage.measures.parameters import read_number
from seepage.report.findings import printable
from seepage.sweeps.parquet import NoParquet, lines_of, parquet_of
from seepage.sweeps.rows import Row, row_of
from seepage.sweeps.study import Point, Study

if TYPE_CHECKING:
    from seepage.measures.result import Json

Form: TypeAlias = Literal["csv", "jsonl", "parquet"]
FORMS: tuple[Form, ...] = ("csv", "jsonl", "parquet")
_COLUMNS = ("measure", "value", "lower", "upper", "certainty", "unit", "because", "limit", "fault", "key")
_LONGEST_LINE = 1 << 16
_MOST_BYTES = 1 << 30


class ForeignFile(Exception):
    """A file that holds something else than results of this sweep's columns; the message says what."""


@dataclass(frozen=True, slots=True)
class Known:
    """What a file holds: rows of a study by their keys, and lines about other points, which are kept as they are."""

    rows: Mapping[str, Row]
    others: tuple[str, ...]


def columns_of(names: Sequence[str]) -> tuple[str, ...]:
    """Return the heads of the columns; a name that is that of another column has ``params.`` in front."""
    return (*(f"params.{name}" if name in _COLUMNS else name for name in names), *_COLUMNS)


# --- writing ----------------------------------------------------------------------------------------------------------


def table_of(form: Form, study: Study, known: Known) -> bytes:
    """Return the whole file: rows in the order of the study, then what belongs to others.

    Raises:
        ImportError: pyarrow is not installed, of Parquet.
    """
    written: Form = "jsonl" if form == "parquet" else form
    lines = [line_of(written, study.names, known.rows[key]) for key in study.numbers() if key in known.rows]
    lines += known.others
    if form == "parquet":
        return parquet_of(lines, columns_of(study.names), varying=len(study.names))
    return "".join((head_of(form, study.names), *lines)).encode()


def head_of(form: Form, names: Sequence[str]) -> str:
    """Return what a file of lines begins with."""
    return _csv_line(columns_of(names)) if form == "csv" else ""


def line_of(form: Form, names: Sequence[str], row: Row) -> str:
    """Return a row as a line."""
    cells = _cells(row)
    if form == "csv":
        return _csv_line(["" if cell is None else cell if isinstance(cell, str) else repr(cell) for cell in cells])
    return json.dumps(dict(zip(columns_of(names), map(_json, cells), strict=True)), ensure_ascii=False) + "\n"


def _cells(row: Row) -> list[str | float | None]:
    numbers = (None, None, None) if row.fault else (row.value, row.lower, row.upper)
    at = [_coordinate(each) for each in row.at]
    status = (row.certainty, row.unit, row.because, row.limit, printable(row.fault), row.key)
    return [*at, printable(row.measure), *numbers, *status]


def _coordinate(spelled: str) -> float | int:
    value = read_number(spelled, {})
    return value if isinstance(value, int) else exact.nearest_float(value)


def _json(cell: str | float | None) -> Json:
    from seepage.measures.result import number_json

    return number_json(cell) if isinstance(cell, float) else cell


def _csv_line(cells: Sequence[str]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(cells)
    return text.getvalue()


# --- reading ----------------------------------------------------------------------------------------------------------


def read_results(path: Path, form: Form, study: Study) -> Known:
    """Return what a file holds, and what waits beside it; nothing if there is none.

    Raises:
        ForeignFile: it is larger than is read, or no table with the columns of the study.
        ImportError: pyarrow is not installed, of Parquet.
        OSError: it cannot be read.
    """
    if form != "parquet":
        return _known(_lines_if_any(path), form, study)
    waiting = list(_lines_if_any(waiting_beside(path)))
    try:
        lines = list(lines_of(path, columns_of(study.names)))
    except FileNotFoundError:
        lines = []
    except NoParquet as error:
        raise ForeignFile(str(error)) from None
    return _known(lines + waiting, "jsonl", study)


def waiting_beside(path: Path) -> Path:
    """Return where rows wait that are to join a Parquet file."""
    return path.with_name(f"{path.name}.waiting.jsonl")


def _lines_if_any(path: Path) -> list[str]:
    try:
        return list(_lines(path))
    except FileNotFoundError:
        return []


def _known(lines: Sequence[str], form: Form, study: Study) -> Known:
    places, digest = study.numbers(), study.digest
    rows: dict[str, Row] = {}
    others: list[str] = []
    if form == "csv" and lines and lines[0] != head_of(form, study.names):
        raise ForeignFile("it has other columns than this sweep: name another file")
    for line in lines[1:] if form == "csv" else lines:
        fields = _fields(form, study.names, line)
        if fields is None:
            continue
        key = fields.get("key")
        if not isinstance(key, str) or not key.startswith(f"{digest}-"):
            raise ForeignFile("it has numbers of another program, other settings or another version: name another file")
        if key not in places:
            others.append(line)
        elif (row := _row(fields, *places[key])) is not None:
            rows.setdefault(key, row)
    if form == "jsonl" and any(map(str.strip, lines)) and not rows and not others:
        raise ForeignFile("it holds no results of a sweep: name another file")
    return Known(rows, tuple(others))


def _lines(path: Path) -> Iterator[str]:
    with path.open("rb") as file:
        size = 0
        while line := file.readline(_LONGEST_LINE):
            size += len(line)
            if size > _MOST_BYTES:
                raise ForeignFile("it is larger than is read")
            if line.endswith(b"\n"):  # else it is cut off, or too long
                yield line.decode("utf-8", "replace")


def _fields(form: Form, names: Sequence[str], line: str) -> Mapping[str, object] | None:
    """Return a line by its columns; None if it is no row of the table."""
    columns = columns_of(names)
    try:
        if form == "csv":
            (cells,) = csv.reader([line], strict=True)
            return dict(zip(columns, cells, strict=True))
        value: object = json.loads(line)
    except (ValueError, RecursionError, csv.Error):
        return None
    return value if isinstance(value, dict) and "key" in value else None


def _row(fields: Mapping[str, object], point: Point, measure: str) -> Row | None:
    try:
        return row_of(point, {**fields, "measure": measure})
    except ValueError:
        return None
