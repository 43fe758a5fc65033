"""Results as Parquet, from JSON lines and back: the one door to pyarrow, which is loaded only where a file of this form is named."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from seepage.frames import needed

if TYPE_CHECKING:
    from seepage.measures.result import Json

_NUMBERS = ("value", "lower", "upper", "limit")
_DAMAGED = "it is no Parquet file, or is damaged: name another file"
_ROWS = 10_000  # that are read at a time


class NoParquet(Exception):
    """A file that is none; the message says why."""


def parquet_of(lines: Iterable[str], columns: Sequence[str], varying: int) -> bytes:
    """Return rows as a file: numbers as numbers, whole ones of what varies as integers, other columns as text, nothing as null.

    Args:
        lines: of JSON, each with the columns.
        columns: their names, in order.
        varying: how many of them, the first ones, have values of what varies.

    Raises:
        ImportError: pyarrow is not installed.
    """
    arrow, writer = needed("pyarrow", "data"), needed("pyarrow.parquet", "data")
    rows: list[Mapping[str, Json]] = [json.loads(line) for line in lines]
    names = columns[:varying]
    table = {column: [_cell(row.get(column), column, names) for row in rows] for column in columns}
    kinds = {column: _kind(arrow, column, names, cells) for column, cells in table.items()}
    whole = arrow.table({column: arrow.array(cells, kinds[column]) for column, cells in table.items()})
    file = io.BytesIO()
    writer.write_table(whole, file)
    return file.getvalue()


def _cell(value: Json, column: str, names: Sequence[str]) -> Json:
    """Return a cell; infinities, which JSON has as text, as numbers."""
    return float(value) if isinstance(value, str) and (column in _NUMBERS or column in names) else value


def _kind(arrow: Any, column: str, names: Sequence[str], cells: Sequence[Json]) -> Any:
    if column in names:
        is_whole = all(isinstance(cell, int) and abs(cell) < 1 << 63 for cell in cells)
        return arrow.int64() if is_whole else arrow.float64()
    return arrow.float64() if column in _NUMBERS else arrow.string()


def lines_of(path: Path, columns: Sequence[str]) -> Iterator[str]:
    """Yield the rows of a file as lines of JSON.

    Raises:
        FileNotFoundError: there is none.
        NoParquet: it is no such file, or has other columns.
        ImportError: pyarrow is not installed.
    """
    arrow, reader = needed("pyarrow", "data"), needed("pyarrow.parquet", "data")
    try:
        with path.open("rb") as opened:
            file = reader.ParquetFile(opened)
            if tuple(file.schema_arrow.names) != tuple(columns):
                raise NoParquet("it has other columns than this sweep: name another file")
            for batch in file.iter_batches(batch_size=_ROWS):
                for row in batch.to_pylist():
                    yield json.dumps(row, ensure_ascii=False, default=str) + "\n"
    except arrow.ArrowException:
        raise NoParquet(_DAMAGED) from None
    except OSError as error:
        if error.errno is not None:  # of the system, not of pyarrow
            raise
        raise NoParquet(_DAMAGED) from None
