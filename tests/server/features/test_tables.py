"""What the server shows of tables of data: hovers of tables and columns, completions of columns."""

from __future__ import annotations

from dataclasses import replace

import pytest
from lsprotocol import types
from tests.server.features.marked import unmarked
from tests.server.snapshots import VSCODE, snapshot

from seepage.files import Folder
from seepage.semantics.check import check
from seepage.source import SourceFile
from seepage_lsp.client import Client
from seepage_lsp.features.completion import completion
from seepage_lsp.features.hover import hover
from seepage_lsp.workspace import Snapshot

PEOPLE = "name,age,smokes,date of birth,n\nann,34,true,1990,1\nbob,,false,1990,2\ncat,41,,x,3\ndan,34,true,1991,0\n"
PROGRAM = """\
table people from "people.csv" weight n
secret who
output decade
row ~ people
for i in 1..2 { many[i] ~ people }
who := row.name
decade := many[1].age
b := row.date_of_birth
show V(who | decade)
"""


def seen(text: str) -> Snapshot:
    files = Folder("/", supplied=(("/people.csv", PEOPLE),))
    return replace(snapshot(text), checked=check(SourceFile("untitled:a", text, 2, files)))


def shown(marked: str) -> str:
    text, position = unmarked(PROGRAM.replace(marked.replace("‸", ""), marked, 1))
    found = hover(seen(text), position, VSCODE)
    assert found is not None
    assert isinstance(found.contents, types.MarkupContent)
    return found.contents.value


@pytest.mark.parametrize(
    ("where", "words"),
    [
        (
            "table ‸people",
            [
                "table of 4 rows",
                "`people.csv`",
                "`age`: numbers, 2 values from 34 to 41, 1 missing",
                "`smokes`: truth, 2 values, 1 missing",
            ],
        ),
        ("row ~ ‸people", ["table of 4 rows", "facts about this data"]),
        (
            "‸row ~ people",
            ["a row of a table", "**people** · table of 4 rows", "`age`: numbers, 2 values from 34 to 41"],
        ),
        ("‸many[i] ~ people", ["a row of a table", "**people** · table of 4 rows", "facts about this data"]),
        (
            "row.‸name",
            [
                "column of symbols, 4 values (`ann`, `bob`, `cat`, `dan`) in 4 rows",
                "entropy of a cell: 2 bits",
                "facts about this data",
            ],
        ),
        (
            "many[1].‸age",
            ["column of numbers, 2 values from 34 to 41, 1 missing in 4 rows", "entropy of a cell: 1.5 bits"],
        ),
        ("row.‸date_of_birth", ["`date of birth`", "symbols, since `x` in line 4 is no number"]),
    ],
)
def test_hovers_tell_of_the_data(where: str, words: list[str]) -> None:
    found = shown(where)

    assert [one for one in words if one not in found] == [], found


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("x := row.‸", ["name", "age", "smokes", "date_of_birth", "n"]),
        ("x := many[1].‸", ["name", "age", "smokes", "date_of_birth", "n"]),
    ],
)
def test_columns_are_completed_with_their_kinds(line: str, names: list[str]) -> None:
    text, position = unmarked(PROGRAM + line)
    found = completion(seen(text), position, Client())

    assert [one.label for one in found] == names
    assert found[names.index("n")].detail == "numbers, 4 values from 0 to 3"


def test_tables_are_offered_as_laws() -> None:
    text, position = unmarked(f"{PROGRAM}other ~ ‸")

    assert "people" in [one.label for one in completion(seen(text), position, Client())]
