"""The bytes of a Parquet or Arrow file -> columns, or what is wrong: the types of its columns are what they say, and are not guessed.

pyarrow (extra ``data``) is loaded only where such a file is read.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from types import MappingProxyType
from typing import Any

from seepage.frames import needed
from seepage.syntax.data.comma_separated import MOST_BYTES, MOST_CELLS, Broken, names_of
from seepage.syntax.data.table import MISSING, Column, Kind, Table

SIGNATURES: Mapping[bytes, str] = MappingProxyType({b"PAR1": "a Parquet", b"ARROW1": "an Arrow"})
"""How the files begin that are read here, with what they are called."""


class _Wrong(Exception):
    """What is wrong with a file, as the end of a sentence that begins with its name."""


def columnar_table(data: bytes, named: str, path: str) -> Table | Broken | None:
    """Return the table in the bytes of a file; None if it begins like no Parquet or Arrow file.

    Args:
        data: as of :func:`~seepage.syntax.data.comma_separated.table_of`.
        named: likewise.
        path: likewise.
    """
    called = next((called for begin, called in SIGNATURES.items() if data.startswith(begin)), None)
    if called is None:
        return None
    try:
        arrow = needed("pyarrow", "data")
    except ImportError:
        return Broken(f"is {called} file, which pyarrow reads: pip install 'seepage[data]', or save it as CSV")
    try:
        found = _of_parquet(arrow, data) if data.startswith(b"PAR1") else _of_arrow(arrow, data)
        names = names_of(found.column_names, None)
        if isinstance(names, Broken):
            return names
        if not found.num_rows:
            return Broken("has no rows")
        headed = zip(names, found.column_names, found.columns, strict=True)
        return Table(named, path, tuple(_column(arrow, *each) for each in headed), found.num_rows)
    except _Wrong as wrong:
        return Broken(str(wrong))
    except (arrow.ArrowException, OSError):
        return Broken(f"is {called} file that is damaged")


# pyarrow has no types of its own.
def _of_parquet(arrow: Any, data: bytes) -> Any:
    file = needed("pyarrow.parquet", "data").ParquetFile(arrow.BufferReader(data))
    known = file.metadata
    _fits(known.num_rows, len(file.schema_arrow.names))
    _fits_in_memory(known.row_group(at).total_byte_size for at in range(known.num_row_groups))
    return file.read()


def _of_arrow(arrow: Any, data: bytes) -> Any:
    file = arrow.ipc.open_file(arrow.BufferReader(data))
    batches: list[Any] = []
    for at in range(file.num_record_batches):
        batches.append(file.get_batch(at))
        _fits(sum(batch.num_rows for batch in batches), len(file.schema.names))
        _fits_in_memory(batch.nbytes for batch in batches)
    return arrow.Table.from_batches(batches, file.schema)


def _fits(rows: int, columns: int) -> None:
    if rows * columns > MOST_CELLS:
        raise _Wrong(f"has more than {MOST_CELLS:,} cells")


def _fits_in_memory(parts: Iterable[int]) -> None:
    if sum(parts) > MOST_BYTES:
        raise _Wrong(f"has more than {MOST_BYTES >> 20} MB once it is unpacked")


def _column(arrow: Any, name: str, heading: str, cells: Any) -> Column:
    types = arrow.types
    if types.is_dictionary(cells.type):
        cells = cells.cast(cells.type.value_type)
    if types.is_date(cells.type) or types.is_timestamp(cells.type) or types.is_time(cells.type):
        cells = cells.cast(arrow.string())
    kind, spelled = _reading(types, cells.type, heading)
    coded = cells.combine_chunks().dictionary_encode("encode")
    if isinstance(coded, arrow.ChunkedArray):
        coded = coded.combine_chunks()
    values = coded.dictionary.to_pylist()
    texts: dict[str, int] = {}
    places = [texts.setdefault(_spelled(each, spelled, heading), len(texts)) for each in values]
    at_once = coded.indices.to_pylist()
    codes = array("I", at_once if places == list(range(len(places))) else (places[at] for at in at_once))
    first = array(
        "I"
    )  # lines of text, which such files have none of, are rows from 1 on; values are numbered as they come
    for row, code in enumerate(codes, 1):
        if code == len(first):
            first.append(row)
    return Column(name, heading, tuple(texts), codes, first, kind)


def _reading(types: Any, kind: Any, heading: str) -> tuple[Kind, Callable[[Any], str]]:
    """Return what the cells of a type are, and how one is spelled as it would be in a file of text."""
    if types.is_boolean(kind):
        return "truth", lambda value: "true" if value else "false"
    if types.is_integer(kind) or types.is_decimal(kind):
        return "numbers", lambda value: format(value, "f") if isinstance(value, Decimal) else str(value)
    if types.is_floating(kind):
        # The shortest decimal that is this float, as a CSV file would have it: 0.1 is a tenth.
        return "numbers", lambda value: format(Decimal(repr(value)), "f")
    if types.is_string(kind) or types.is_large_string(kind):
        return "symbols", str
    if types.is_null(kind):
        return "symbols", lambda _: MISSING
    raise _Wrong(f"has a column '{heading}' of the type {kind}, expected numbers, texts, dates or truth values")


def _spelled(value: Any, spelled: Callable[[Any], str], heading: str) -> str:
    if value is None or (isinstance(value, float) and math.isnan(value)):  # as pandas tells that there is none
        return MISSING
    if isinstance(value, float) and math.isinf(value):
        raise _Wrong(f"has an infinite number in the column '{heading}'")
    return spelled(value)
