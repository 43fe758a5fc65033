"""What the queries of each editor find in a program: colours, folds, indentation, scopes, tags, outline."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.editors.installed import REPOSITORY
from tests.editors.treesitter.building import QUERIES, leaves, root
from tests.editors.treesitter.texts import written
from tree_sitter import Language, Parser, Query, QueryCursor

from seepage.syntax.vocabulary.table import WORDS

HELIX = REPOSITORY / "editors" / "helix" / "runtime" / "queries" / "seep"
ZED = REPOSITORY / "editors" / "zed" / "languages" / "seep"
COLOURS = {"Neovim": QUERIES, "Helix": HELIX, "Zed": ZED}
FILES = sorted(path for folder in COLOURS.values() for path in folder.glob("*.scm"))

PROGRAM = """\
import "seep:mechanisms" as m
/// How sure.
param p in [0, inf) = 1/2
const n = 3
enum colour { red, green }
table people from "people.csv" weight w
secret s
output o
def noisy(a) { // a bit
    b ~ flip(p) given true
    return a xor b
}
s ~ normal(0, std = 1)
for i in 1..n {
    t := [k for k in 0..2]
}
o ~ m.clipped(s,
    2)
/* and
   then */
show max H(s | o) in bits
"""


def captured(seep: Language, path: Path, text: str = PROGRAM) -> dict[str, list[str]]:
    """Return the texts that a query captures by the names it gives them, in their order."""
    found = QueryCursor(Query(seep, path.read_text(encoding="utf-8"))).captures(root(Parser(seep), text))
    return {
        name: [one.text.decode() for one in sorted(nodes, key=lambda node: node.start_byte) if one.text is not None]
        for name, nodes in found.items()
    }


def first_words(texts: list[str]) -> list[str]:
    return [text.split()[0] for text in texts]


def test_the_program_can_be_read(seep: Language) -> None:
    assert not root(Parser(seep), PROGRAM).has_error


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(REPOSITORY / "editors")))
def test_every_query_loads_and_finds_something(seep: Language, path: Path) -> None:
    assert captured(seep, path)


@pytest.mark.parametrize(
    ("editor", "names"),
    [
        (
            "Neovim",
            {"keyword.repeat": ["for", "for"], "number": ["0", "1", "2", "3"], "comment.documentation": ["///"]},
        ),
        ("Helix", {"keyword.control.repeat": ["for", "for"], "comment.line.documentation": ["///"]}),
        ("Zed", {"boolean": ["true"], "comment.doc": ["///"], "variant": ["red", "green"]}),
    ],
)
def test_colours_have_the_names_of_each_editor(seep: Language, editor: str, names: dict[str, list[str]]) -> None:
    found = captured(seep, COLOURS[editor] / "highlights.scm")

    for name, texts in names.items():
        assert set(first_words(found[name])) == set(texts)


@pytest.mark.parametrize("editor", COLOURS)
def test_what_is_called_and_what_is_named_have_colours(seep: Language, editor: str) -> None:
    found = captured(seep, COLOURS[editor] / "highlights.scm")
    functions = {text for name, texts in found.items() if name.startswith("function") for text in texts}

    assert functions == {"noisy", "flip", "normal", "clipped", "H"}
    assert found["variable.parameter"] == ["a", "std"]
    assert {"p", "n"} <= set(found["constant"])
    assert '"people.csv"' in found["string"]


@pytest.mark.parametrize("editor", COLOURS)
def test_all_but_names_is_coloured_and_nothing_twice(seep: Language, editor: str) -> None:
    """Editors differ in which of two patterns they prefer, so that no node has two."""
    query = Query(seep, (COLOURS[editor] / "highlights.scm").read_text(encoding="utf-8"))
    seen: set[str] = set()
    for text in (*written(), *(word.example for word in WORDS.values())):
        read = root(Parser(seep), text)
        if read.has_error:
            continue
        matches = QueryCursor(query).matches(read)
        places = [(one.start_byte, one.end_byte) for _, found in matches for nodes in found.values() for one in nodes]
        coloured = set(places)
        rest = [one for one in leaves(read) if one.type not in ("identifier", "source_file")]
        assert len(places) == len(coloured), text
        assert [one for one in rest if (one.start_byte, one.end_byte) not in coloured] == [], text
        seen.update(one.type for one in rest)

    assert {name for name, word in WORDS.items() if word.sort == "keyword"} <= seen


def test_blocks_lists_and_comments_fold(seep: Language) -> None:
    folds = captured(seep, QUERIES / "folds.scm")["fold"]

    assert [fold for fold in folds if "\n" in fold] == [
        "{ // a bit\n    b ~ flip(p) given true\n    return a xor b\n}",
        "{\n    t := [k for k in 0..2]\n}",
        "(s,\n    2)",
        "/* and\n   then */",
    ]


@pytest.mark.parametrize(
    ("path", "within", "back"),
    [
        (QUERIES / "indents.scm", "indent.begin", "indent.branch"),
        (HELIX / "indents.scm", "indent", "outdent"),
        (ZED / "indents.scm", "indent", "end"),
    ],
    ids=COLOURS,
)
def test_what_stands_in_brackets_is_indented(seep: Language, path: Path, within: str, back: str) -> None:
    found = captured(seep, path)

    for closing in "})]":
        assert closing in found[back]
        assert any(text.endswith(closing) for text in found[within])


def test_tags_are_what_is_declared_and_what_is_called(seep: Language) -> None:
    found = captured(seep, QUERIES / "tags.scm")

    assert found["name"] == ["p", "n", "colour", "people", "s", "o", "noisy", "flip", "normal", "H"]
    assert first_words(found["definition.function"]) == ["def"]
    assert len(found["reference.call"]) == 3
    assert captured(seep, ZED / "outline.scm")["name"] == ["p", "n", "colour", "people", "s", "o", "noisy"]


def test_names_are_defined_in_their_scopes(seep: Language) -> None:
    found = captured(seep, QUERIES / "locals.scm")

    assert found["local.definition.var"] == ["b", "s", "i", "t", "k", "o"]
    assert found["local.definition.parameter"] == ["p", "a"]
    assert first_words(found["local.scope"]) == ["import", "def", "for", "[k"]
