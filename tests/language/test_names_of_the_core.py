"""Variables that no text can name, as calls and draws of arrays make them: nobody is told of them, and all else is told."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

import seepage
from seepage.diagnostics import Diagnostic
from seepage.semantics.nearest import nearest

CALL = (
    "def f(a) {\n  b := a - 2\n  return 1 / b\n}\nsecret s\noutput o\ns ~ uniform_int(0, 3)\no := f(s)\nshow I(s; o)\n"
)
TABLE = tomllib.loads((Path(__file__).parent / "language-2.toml").read_text("utf-8"))


def sentences(found: tuple[Diagnostic, ...]) -> Iterator[str]:
    for one in found:
        yield from (
            one.message,
            *one.notes,
            *(label.message for label in one.labels),
            *(fix.title for fix in one.fixes),
        )


def test_a_file_whose_name_holds_an_at_sign_and_a_number_is_told_where_it_is_missing(tmp_path: Path) -> None:
    path = tmp_path / "main.seep"
    path.write_text('import "noise@2.seep" as noise\nsecret s\noutput o\ns ~ uniform_int(0, 3)\no := s\n', "utf-8")

    found = seepage.load(path).diagnostics

    assert [(one.rule.code, one.message) for one in found if one.is_error] == [
        ("SEEP116", "'noise@2.seep' is not found")
    ]


def test_a_fault_in_a_call_names_the_variables_of_the_procedure() -> None:
    analysis = seepage.parse(CALL).analyze()
    told = [one.message for one in analysis.diagnostics if one.is_error]

    assert told == ["division by zero in '1 / f.b', witness f.b = 0"]
    assert analysis.table[0].note == f"not computed: {told[0]}"


def programs(table: object) -> Iterator[str]:
    match table:
        case dict():
            for key, value in table.items():
                yield from [value] if key == "program" and isinstance(value, str) else programs(value)
        case list():
            for value in table:
                yield from programs(value)


def test_no_sentence_of_the_check_names_a_variable_of_the_core() -> None:
    texts = list(programs(TABLE))
    assert len(texts) > 40

    told = [one for text in texts for one in sentences(seepage.parse(text).diagnostics)]

    assert told
    assert [one for one in told if re.search(r"@\d", one)] == []


@pytest.mark.parametrize(("name", "known", "expected"), [("f.x", ["f.x@1"], None), ("value", ["values"], "values")])
def test_a_name_that_nobody_can_write_is_no_guess(name: str, known: list[str], expected: str | None) -> None:
    assert nearest(name, known) == expected
