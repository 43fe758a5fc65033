"""What a file with comma-separated values comes to, against Python's own reader; and every bad file with its own message."""

from __future__ import annotations

import csv
import io
import random
from fractions import Fraction

import pytest

from seepage.exact.symbols import number_of
from seepage.syntax.data import comma_separated
from seepage.syntax.data.comma_separated import Broken, table_of
from seepage.syntax.data.spellings import to_change
from seepage.syntax.data.table import Column, Table


def read(data: bytes | str) -> Table | Broken:
    return table_of(data.encode() if isinstance(data, str) else data, "t.csv", "/t.csv")


def table(data: bytes | str) -> Table:
    found = read(data)
    assert isinstance(found, Table), found
    return found


def cells(column: Column) -> list[str]:
    return [column.texts[code] for code in column.codes]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("quoting", [csv.QUOTE_MINIMAL, csv.QUOTE_ALL])
@pytest.mark.parametrize("seed", range(4))
def test_cells_and_lines_are_those_that_were_written(
    end: str, quoting: int, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where a file is read in many parts, as large ones are."""
    if seed < 2:
        monkeypatch.setattr(comma_separated, "_BATCH", 7)
        monkeypatch.setattr(comma_separated, "_PART", 61)
    chance = random.Random(seed)
    signs = ["a", "b", "é", "𝛼", " ", "1", "-", "", *(["\n", ",", '"', "\r\n"] if seed % 2 else [])]
    rows = [["".join(chance.choices(signs, k=chance.randint(0, 4))) for _ in range(3)] for _ in range(300)]
    written = io.StringIO()
    writer = csv.writer(written, lineterminator=end, quoting=quoting)  # type: ignore[arg-type]  # a number, as Python has it
    writer.writerow(["x", "y", "z"])
    ends = [(writer.writerow(row), written.getvalue().count("\n"))[1] for row in rows]

    found = table(written.getvalue())

    assert found.rows == len(rows)
    for place, column in enumerate(found.columns):
        wanted = [row[place] for row in rows]
        assert cells(column) == wanted
        for text, line in zip(column.texts, column.lines, strict=True):
            assert line == ends[wanted.index(text)]


@pytest.mark.parametrize(
    ("texts", "kind", "values"),
    [
        (["1", "2", "1"], "numbers", [1, 2]),
        (["1", "1.0", "0.5", "-3", "+4"], "numbers", [1, Fraction(1, 2), -3, 4]),
        (["1e3", "2.5E-1"], "numbers", [1000, Fraction(1, 4)]),
        (["1", ""], "numbers", [1, number_of("")]),
        (["01", "2"], "symbols", [number_of("01"), number_of("2")]),
        (["1 ", "2"], "symbols", [number_of("1 "), number_of("2")]),
        (["1/2"], "symbols", [number_of("1/2")]),
        (["inf", "nan"], "symbols", [number_of("inf"), number_of("nan")]),
        (["1_000"], "symbols", [number_of("1_000")]),
        (["٣"], "symbols", [number_of("٣")]),
        (["1e999"], "symbols", [number_of("1e999")]),
        (["true", "false", "true"], "truth", [1, 0]),
        (["true", ""], "truth", [1, number_of("")]),
        (["True", "false"], "symbols", [number_of("True"), number_of("false")]),
        (["", ""], "symbols", [number_of("")]),
    ],
)
def test_a_column_is_of_a_kind(texts: list[str], kind: str, values: list[int | Fraction]) -> None:
    (column, _) = table("x,y\n" + "".join(f"{text},1\n" for text in texts)).columns

    assert column.kind == kind
    assert list(column.values) == values
    merged = column.merged
    places = column.codes if merged is None else [merged[code] for code in column.codes]
    meant = [values[place] for place in places]
    assert [meant[texts.index(text)] for text in texts] == meant


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        ("NA", "missing"),
        ("#N/A", "missing"),
        ("None", "missing"),
        ("-", "missing"),
        ("TRUE", "truth values"),
        ("-inf", "infinite"),
        ("01234", "begins with 0"),
        ("1,000", "thousands"),
        ("12 345.5", "thousands"),
        ("1\u202f000\u202f000", "thousands"),
        ("3,5", "point"),
        (".5", "both sides"),
        ("5.", "both sides"),
        ("1/2", "quotients"),
        ("2020-01-31", "year"),
        ("31.1.2020 12:00", "year"),
        ("3 %", "unit"),
        ("$3", "unit"),
        ("1e999", "exponents"),
        ("9" * 301, "300 digits"),
        (" 3", "spaces"),
        ("3 ", "spaces"),
        ("ann", None),
        ("x 3", None),
        ("", None),
        ("a" * 1_000_000, None),
    ],
)
def test_what_looks_like_a_number_is_told_with_what_to_change(text: str, advice: str | None) -> None:
    found = to_change(text)

    assert (found is None) if advice is None else (found is not None and advice in found)


@pytest.mark.parametrize(
    ("header", "names"),
    [
        ("a,b", ["a", "b"]),
        ("date of birth,zip-code", ["date_of_birth", "zip_code"]),
        (" a ,b", ["a", "b"]),
        ("2020,b", ["_2020", "b"]),
        ("größe,ﬁ", ["größe", "fi"]),
        ('"a,b",c', ["a_b", "c"]),
        ("\ufeffa,b", ["a", "b"]),
    ],
)
def test_headings_become_names(header: str, names: list[str]) -> None:
    assert [column.name for column in table(f"{header}\n1,2\n").columns] == names


@pytest.mark.parametrize("text", ["a,b\n1,2\n\n\n", "a,b\r\n1,2\r\n\r\n", 'a,b\n"1",2\n\n', "a,b\n1,2"])
def test_empty_lines_at_the_end_are_no_rows(text: str) -> None:
    assert table(text).rows == 1


@pytest.mark.parametrize("text", ["a\n1\n\n2\n", 'a\n"1"\n\n2\n'])
def test_an_empty_line_of_a_file_with_one_column_is_a_missing_cell(text: str) -> None:
    (column,) = table(text).columns

    assert cells(column) == ["1", "", "2"]
    assert column.missing_line == 3


@pytest.mark.family(every=3)
@pytest.mark.parametrize(
    ("data", "message", "line"),
    [
        (b"", "is empty", None),
        (b"\n\n \n", "is empty", None),
        (b"a,b\n", "has a header and no rows", 1),
        (b"a,b\n1,2\n3\n", "has 2 columns, and this line has 1 cell", 3),
        (b"a,b\n1,2,3\n", "this line has 3 cells", 2),
        (b'a,b\n"1\n1",2\n3\n', "this line has 1 cell", 4),
        (b"a,b\n1,2\n\n3,4\n", "this line is empty", 3),
        (b'a,b\n"1",2\n\n3,4\n', "this line is empty", 3),
        (b"a;b\n1;2\n", "semicolons", 1),
        (b"a\tb\n1\t2\n", "tabs", 1),
        (b"a|b\n1|2\n", "bars", 1),
        (b"a,a\n1,2\n", "two columns called 'a'", 1),
        (b"a b,a_b\n1,2\n", "two columns called 'a_b' ('a b' and 'a_b')", 1),
        (b"a,\n1,2\n", "no name for column 2", 1),
        (b"a,b\n1,=SUM(A1:A2)\n", "formula of a spreadsheet, '=SUM(A1:A2)'", 2),
        (b'a,b\n1,2\n"=cmd|x",2\n', "formula of a spreadsheet", 3),
        (b"a,b\n1,\0\n", "is binary", 2),
        (b"PK\x03\x04rest", "workbook", None),
        (b"\xd0\xcf\x11\xe0rest", "workbook", None),
        (b"%PDF-1.4", "PDF", None),
        (b"\x1f\x8bzip", "compressed", None),
        ("a,b\n1,2\n".encode("utf-16"), "UTF-16", None),
        ("a,b\n1,2\n".encode("utf-32"), "UTF-16 or UTF-32", None),
        ("a,b\n1,2\n".encode("utf-16-le"), "UTF-16", None),
        ("a,b\n1,2\n".encode("utf-16-be"), "UTF-16", None),
        (b'[{"a": 1, "b": 2}]', "is JSON", None),
        (b'\xef\xbb\xbf {\n  "a": [1, 2],\n "b": [1]}', "is JSON", None),
        (b"<!DOCTYPE html>\n<p>not found, sorry</p>\n", "a page of the web", None),
        (b",a\n0,1\n", "no name for column 1: give it one", 1),
        (b"a\n1,2\n", "has 1 column, and this line has 2 cells", 2),
        ("a,b\n1,é\n".encode("latin-1"), "no text in UTF-8", 2),
        (b'a,b\n"1",\xff\n', "no text in UTF-8", 2),
        (b'a,b\n"1,2\n', "never closed", 2),
        (b'a,b\n1"2,3"4"\n"5"6,7\n', "quotation mark inside of a cell", 3),
        (b'a,b\n"' + b"x" * 200_000 + b'",2\n', "cell of more than 131,072 characters", 2),
        (b"a,b\n" + b"x" * 5_000_000 + b",2\n", "line of more than", 2),
        (b"a" + b",b" * 10_001 + b"\n", "at most 10,000", 1),
        (b"a\n" + b"1\n" * 10_000_001, "more than 10,000,000 cells", None),
    ],
    ids=lambda value: str(value)[:30] if isinstance(value, bytes) else None,
)
def test_a_bad_file_has_a_message_of_its_own(data: bytes, message: str, line: int | None) -> None:
    found = read(data)

    assert isinstance(found, Broken)
    assert message in found.message
    assert found.line == line


@pytest.mark.parametrize("quote", ["", '"'])
@pytest.mark.parametrize(("rows", "ends"), [(50, "\n"), (50, "\n\n\n"), (50, ""), (51, "\n"), (51, "")])
def test_cells_are_counted_as_rows_have_them(quote: str, rows: int, ends: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comma_separated, "MOST_CELLS", 100)

    found = read("a,b\n" + "\n".join([f"{quote}1{quote},2"] * rows) + ends)

    assert isinstance(found, Table if rows == 50 else Broken)


@pytest.mark.parametrize("seed", range(300))
def test_no_bytes_raise(seed: int) -> None:
    chance = random.Random(seed)
    signs = [b",", b"\n", b"\r", b'"', b"a", b"1", b"=", b";", b"\xc3", b"\xa9", b"\0", b"\xff", b"\xef\xbb\xbf", b" "]

    assert isinstance(read(b"".join(chance.choices(signs, k=chance.randint(0, 30)))), Table | Broken)


def test_the_fast_way_and_the_way_of_quotes_read_alike() -> None:
    chance = random.Random(5)
    rows = [[chance.choice(["1", "2", "x", ""]) for _ in range(4)] for _ in range(500)]
    plain = "a,b,c,d\n" + "".join(",".join(row) + "\n" for row in rows)
    quoted = plain + '"1",2,3,4\n'

    one, other = table(plain), table(quoted)

    for first, second in zip(one.columns, other.columns, strict=True):
        assert cells(first) == cells(second)[:-1]
        assert [*first.lines] == [*second.lines][: len(first.lines)]


def test_numbers_and_their_ends_are_those_of_fractions() -> None:
    """Also where cells differ by less than a double can tell."""
    chance = random.Random(9)
    for _ in range(150):
        near = chance.choice(["", "9007199254740993", "0.1000000000000000055"])
        texts = [_a_number(chance, near) for _ in range(chance.randint(1, 6))]
        (column,) = table("a\n" + "".join(f"{text}\n" for text in texts)).columns
        wanted = [Fraction(text) for text in texts]

        assert column.kind == "numbers"
        assert column.values == tuple(dict.fromkeys(wanted))
        assert column.extent == (min(wanted), max(wanted))
        assert column.is_boolean == ({*wanted} <= {0, 1})


def _a_number(chance: random.Random, near: str) -> str:
    whole = near or chance.choice(["0", "1", "10", str(chance.randint(0, 10**20))])
    digits = str(chance.randint(0, 99)) if near else chance.choice(["", ".0", ".5", f".{chance.randint(0, 999)}"])
    exponent = chance.choice(["", "", "", "e0", "E-3", "e+12"]) if not near else ""
    return chance.choice(["", "", "-", "+"]) + whole + digits + exponent
