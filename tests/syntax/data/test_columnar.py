"""Parquet and Arrow files against the same rows as they were written, and bad ones each with its message."""

from __future__ import annotations

import io
import random
from collections.abc import Callable
from datetime import date, datetime
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import feather, parquet

from seepage.exact.symbols import number_of
from seepage.syntax.data import columnar
from seepage.syntax.data.columnar import columnar_table
from seepage.syntax.data.comma_separated import Broken, table_of
from seepage.syntax.data.table import Column, Table

MISSING = number_of("")


def in_parquet(table: Any) -> bytes:
    found = io.BytesIO()
    parquet.write_table(table, found, row_group_size=7)
    return found.getvalue()


def in_arrow(table: Any) -> bytes:
    found = io.BytesIO()
    with pa.ipc.new_file(found, table.schema) as file:
        file.write_table(table, max_chunksize=5)
    return found.getvalue()


def in_feather(table: Any) -> bytes:
    found = io.BytesIO()
    feather.write_feather(table, found)
    return found.getvalue()


FORMS: list[Callable[[Any], bytes]] = [in_parquet, in_arrow, in_feather]


def read(data: bytes) -> Table:
    found = columnar_table(data, "t", "/t")
    assert isinstance(found, Table), found
    return found


def cells(column: Column) -> list[int | Fraction]:
    places = range(len(column.texts)) if column.merged is None else column.merged
    return [column.values[places[code]] for code in column.codes]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    ("type_", "values", "kind", "meant"),
    [
        (pa.int8(), [3, None, -4, 3], "numbers", [3, MISSING, -4, 3]),
        (pa.uint64(), [2**64 - 1, 0], "numbers", [2**64 - 1, 0]),
        (pa.float64(), [0.1, float("nan"), 1e-7, -2.0, None], "numbers", [Fraction(1, 10), MISSING, Fraction(1, 10**7), -2, MISSING]),
        (pa.float64(), [1e300, 2.5], "numbers", [10**300, Fraction(5, 2)]),
        (pa.decimal128(9, 2), [Decimal("1.50"), Decimal("1.5")], "numbers", [Fraction(3, 2), Fraction(3, 2)]),
        (pa.bool_(), [True, None, False], "truth", [1, MISSING, 0]),
        (pa.string(), ["12", "007", None, "é,\n"], "symbols", [number_of("12"), number_of("007"), MISSING, number_of("é,\n")]),
        (pa.date32(), [date(2020, 1, 31)], "symbols", [number_of("2020-01-31")]),
        (pa.timestamp("ns"), [datetime(2020, 1, 31, 5, 6, 7)], "symbols", [number_of("2020-01-31 05:06:07.000000000")]),
        (pa.dictionary(pa.int8(), pa.string()), ["u", "v", None, "u"], "symbols", [number_of("u"), number_of("v"), MISSING, number_of("u")]),
        (pa.null(), [None, None], "symbols", [MISSING, MISSING]),
        (pa.int64(), [None], "symbols", [MISSING]),
    ],
)  # fmt: skip
def test_columns_hold_what_their_types_say(
    form: Callable[[Any], bytes], type_: Any, values: list[Any], kind: str, meant: list[int]
) -> None:
    (column,) = read(form(pa.table({"a b": pa.array(values, type_)}))).columns

    assert (column.name, column.heading, column.kind) == ("a_b", "a b", kind)
    assert cells(column) == meant


@pytest.mark.parametrize("form", FORMS)
def test_the_same_rows_make_the_same_table_as_in_a_file_of_text(form: Callable[[Any], bytes]) -> None:
    chance = random.Random(5)
    rows = [(chance.randint(-3, 9), chance.choice(["x", "y", ""]), chance.randint(0, 99) / 8) for _ in range(200)]
    text = "n,s,f\n" + "".join(f"{n},{s},{f}\n" for n, s, f in rows)
    other = table_of(text.encode(), "t", "/t")
    assert isinstance(other, Table)

    found = read(form(pa.table(dict(zip("nsf", zip(*rows, strict=True), strict=True)))))

    assert found.rows == other.rows
    for column, written in zip(found.columns, other.columns, strict=True):
        assert cells(column) == cells(written)
        assert [row + 1 for row in column.lines] == list(written.lines)
        assert (column.name, column.kind, column.counts) == (written.name, written.kind, written.counts)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (pa.table({"a": [[1], [2]]}), "has a column 'a' of the type list"),
        (pa.table({"a": [b"x"]}), "has a column 'a' of the type binary"),
        (pa.table({"a": [1.0, float("inf")]}), "has an infinite number in the column 'a'"),
        (pa.table({"a": pa.array([], pa.int64())}), "has no rows"),
        (pa.Table.from_arrays([pa.array([1]), pa.array([2])], names=["a", "a"]), "has two columns called 'a'"),
        (pa.table({" ": [1]}), "has no name for column 1"),
        (pa.table({"a": pa.array([0] * 10_000_001, pa.int8())}), "has more than 10,000,000 cells"),
    ],
)
@pytest.mark.parametrize("form", [in_parquet, in_feather])
def test_what_cannot_be_read_says_why(form: Callable[[Any], bytes], table: Any, message: str) -> None:
    found = columnar_table(form(table) if table.num_rows < 100 else in_feather(table), "t", "/t")

    assert isinstance(found, Broken)
    assert found.message.startswith(message)
    assert found.line is None


@pytest.mark.parametrize("form", FORMS)
def test_damaged_files_are_told(form: Callable[[Any], bytes]) -> None:
    data = form(pa.table({"a": ["x", "y"] * 20, "b": range(40)}))
    for end in (8, len(data) // 2, len(data) - 3):
        found = columnar_table(data[:end], "t", "/t")
        assert isinstance(found, Broken), end
        assert "damaged" in found.message


def test_without_pyarrow_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(library: str, extra: str) -> Any:
        raise ImportError(library, extra)

    monkeypatch.setattr(columnar, "needed", missing)
    found = columnar_table(b"PAR1", "t", "/t")

    assert isinstance(found, Broken)
    assert "pip install 'seepage[data]'" in found.message


def test_a_file_of_text_is_none_of_these() -> None:
    assert columnar_table(b"a,b\n1,2\n", "t", "/t") is None
