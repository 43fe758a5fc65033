"""What editors show of names that come from modules, and where they lead."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from lsprotocol import types
from tests.server.features.marked import said, unmarked
from tests.server.snapshots import URI, snapshot

from seepage.files import Folder
from seepage.semantics.check import check
from seepage.source import SourceFile
from seepage.symbols.classify import Category, classify
from seepage.symbols.rename import CannotRename, rename
from seepage.syntax.shipped import shipped_file
from seepage_lsp.client import Client
from seepage_lsp.closed import Index, folder_of, index_of
from seepage_lsp.features.across import meant_at, references_elsewhere, rename_everywhere
from seepage_lsp.features.completion import completion
from seepage_lsp.features.navigation import definition, highlights, references
from seepage_lsp.features.signature_help import signature_help
from seepage_lsp.positions import Encoding, Lines
from seepage_lsp.workspace import Snapshot

SNIPPETS = Client(snippets=True, completion_markdown=True)
MODULE = """\
const half = 1/2
enum colour { red, green }
/// Turns a bit around.
def respond(x, p) { swap ~ flip(p); return x xor swap }
"""
PROGRAM = """\
import "noise.seep" as n
import respond, half from "noise.seep"
import "seep:mechanisms" as m
secret s
output o
s ~ flip(half)
o ~ n.respond(s, 1/4)
t ~ respond(s, n.half)
u ~ m.geometric_noise(s, 1, 1)
c := n.colour.red
"""


def beside(text: str, folder: Path) -> Snapshot:
    (folder / "noise.seep").write_text(MODULE, encoding="utf-8")
    checked = check(SourceFile(URI, text, 2, Folder(str(folder))))
    return Snapshot(uri=URI, version=2, lines=Lines.of(text, Encoding.UTF16), checked=checked)


def at(marked: str, folder: Path) -> tuple[Snapshot, types.Position]:
    """Return a snapshot of the program, and where the caret stands in the line that is marked."""
    line = marked.replace("‸", "")
    text, position = unmarked(PROGRAM.replace(line, marked, 1))
    assert text == PROGRAM
    return beside(text, folder), position


@pytest.mark.parametrize(
    ("marked", "line"),
    [
        ("o ~ n.resp‸ond(s, 1/4)", 3),
        ("t ~ ‸respond(s, n.half)", 3),
        ("t ~ respond(s, n.h‸alf)", 0),
        ("s ~ flip(h‸alf)", 0),
        ("import resp‸ond, half from", 3),
        ("c := n.col‸our.red", 1),
        ('import "noi‸se.seep" as n', 0),
        ("o ~ ‸n.respond(s, 1/4)", 0),
    ],
)
def test_the_definition_of_a_name_stands_in_its_module(tmp_path: Path, marked: str, line: int) -> None:
    seen, position = at(marked, tmp_path)

    (found,) = definition(seen, position)

    assert found.uri == (tmp_path / "noise.seep").as_uri()
    assert found.range.start.line == line


def test_the_definition_of_a_mechanism_stands_in_the_file_that_is_shipped(tmp_path: Path) -> None:
    seen, position = at("u ~ m.geometric‸_noise(s, 1, 1)", tmp_path)

    (found,) = definition(seen, position)

    path = shipped_file("seep:mechanisms")
    assert found.uri == path.as_uri()
    assert path.read_text("utf-8").splitlines()[found.range.start.line].startswith("def geometric_noise(")


def test_all_places_of_an_imported_name_are_one(tmp_path: Path) -> None:
    seen, position = at("o ~ n.resp‸ond(s, 1/4)", tmp_path)

    lines = [one.range.start.line for one in references(seen, position, include_declaration=True)]

    assert lines == [1, 6, 7]
    assert [one.range.start.line for one in highlights(seen, position)] == [1, 6, 7]


@pytest.mark.parametrize("marked", ["o ~ n.resp‸ond(s, 1/4)", "c := n.col‸our.red", "s ~ flip(ha‸lf)"])
def test_what_a_module_defines_is_renamed_there(tmp_path: Path, marked: str) -> None:
    seen, position = at(marked, tmp_path)
    assert seen.checked is not None

    with pytest.raises(CannotRename, match="rename it there"):
        rename(seen.checked, seen.lines.offset(position), "other")


def test_the_name_of_a_module_is_renamed_where_it_has_one(tmp_path: Path) -> None:
    seen, position = at("o ~ ‸n.respond(s, 1/4)", tmp_path)
    assert seen.checked is not None

    edits = rename(seen.checked, seen.lines.offset(position), "noise")

    text = PROGRAM
    for edit in sorted(edits, key=lambda one: -one.span.start):
        text = text[: edit.span.start] + edit.replacement + text[edit.span.end :]
    assert text == PROGRAM.replace(" as n\n", " as noise\n").replace("n.respond", "noise.respond").replace(
        "n.half", "noise.half"
    ).replace("n.colour", "noise.colour")

    plain = beside('import "noise.seep"\nx := noise.half\n', tmp_path)
    assert plain.checked is not None
    with pytest.raises(CannotRename, match="write 'as'"):
        rename(plain.checked, 26, "other")


@pytest.mark.parametrize(
    ("marked", "parts"),
    [
        (
            "o ~ m.geo‸metric_noise(s, 1, eps)",
            ["geometric_noise(x, sensitivity, eps)", "a law", "seep:mechanisms", "Two-sided"],
        ),
        ("o ~ ‸m.geometric_noise(s, 1, eps)", ["module", "seep:mechanisms", "randomized_response"]),
    ],
)
def test_a_hover_says_what_a_name_is_and_where_from(marked: str, parts: list[str]) -> None:
    text = said(f'import "seep:mechanisms" as m\nparam eps = 1\ns ~ flip(1/2)\n{marked}\n', analysis=False)

    assert [part for part in parts if part not in text.replace("\\", "")] == []


def labels(items: list[types.CompletionItem]) -> dict[str, types.CompletionItem]:
    return {item.label: item for item in items}


@pytest.mark.parametrize("line", ["x ~ n.‸", "x ~ n.‸(s, 1)", "x := n.ha‸", "if n.‸ { }"])
def test_what_a_module_gives_is_offered_behind_its_point(tmp_path: Path, line: str) -> None:
    text, position = unmarked(f'import "noise.seep" as n\ns ~ flip(1/2)\n{line}\n')

    found = labels(completion(beside(text, tmp_path), position, SNIPPETS))

    assert found.keys() == {"half", "colour", "red", "green", "respond"}
    assert found["respond"].insert_text == ("respond(${1:x}, ${2:p})" if "(" not in line else None)
    assert "Turns a bit around" in str(found["respond"].documentation)


def test_listed_names_are_offered_as_they_are(tmp_path: Path) -> None:
    text, position = unmarked('import respond, half from "noise.seep"\ns ~ flip(1/2)\nx ~ ‸\n')

    found = labels(completion(beside(text, tmp_path), position, SNIPPETS))

    assert found["respond"].insert_text == "respond(${1:x}, ${2:p})"
    assert "green" not in found


def test_a_mechanism_is_offered_with_the_import_that_it_needs() -> None:
    text, position = unmarked("s ~ flip(1/2)\no ~ rand‸\n")

    item = labels(completion(snapshot(text), position, SNIPPETS))["randomized_response"]

    assert item.insert_text == "randomized_response(${1:x}, ${2:eps})"
    assert item.additional_text_edits is not None
    (edit,) = item.additional_text_edits
    made = edit.new_text + text.replace("rand", "randomized_response(s, 1)")
    assert not check(SourceFile("a.seep", made)).has_errors


def test_a_mechanism_is_not_offered_twice() -> None:
    text, position = unmarked('import "seep:mechanisms" as m\ns ~ flip(1/2)\no ~ ‸\n')

    found = labels(completion(snapshot(text), position, SNIPPETS))

    assert "randomized_response" not in found
    assert "m" in found


@pytest.mark.parametrize(
    ("line", "label", "active"),
    [
        ("o ~ n.respond(‸", "respond(x, p)", 0),
        ("o ~ n.respond(1, ‸", "respond(x, p)", 1),
        ("o ~ respond(1, ‸", "respond(x, p)", 1),
        ("o ~ m.laplace_noise(s, ‸)", "laplace_noise(x, sensitivity, eps)", 1),
    ],
)
def test_the_call_of_an_imported_procedure_has_a_signature(tmp_path: Path, line: str, label: str, active: int) -> None:
    head = 'import "noise.seep" as n\nimport respond from "noise.seep"\nimport "seep:mechanisms" as m\n'
    text, position = unmarked(f"{head}{line}\n")

    found = signature_help(beside(text, tmp_path), position, Client())

    assert found is not None
    assert (found.signatures[0].label, found.active_parameter) == (label, active)


def test_names_of_modules_and_what_they_give_are_coloured(tmp_path: Path) -> None:
    seen = beside(PROGRAM, tmp_path)
    assert seen.checked is not None

    found = {PROGRAM[one.span.start : one.span.end]: one.category for one in classify(seen.checked)}

    assert {name: found[name] for name in ("n", "m", "respond", "half", "colour", "geometric_noise")} == {
        "n": Category.MODULE,
        "m": Category.MODULE,
        "respond": Category.PROCEDURE,
        "half": Category.CONSTANT,
        "colour": Category.ENUMERATION,
        "geometric_noise": Category.PROCEDURE,
    }


def opened(folder: Path, texts: dict[str, str]) -> dict[str, Snapshot]:
    """Return snapshots of documents that are open together, by the paths of their files."""
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    files = Folder(str(folder))
    return {
        str(folder / name): Snapshot(
            uri=(folder / name).as_uri(),
            version=2,
            lines=Lines.of(text, Encoding.UTF16),
            checked=check(SourceFile(name, text, 2, files)),
        )
        for name, text in texts.items()
    }


def index_at(here: Snapshot, position: types.Position, seen: dict[str, Snapshot]) -> Index:
    meant, around = meant_at(here, position), folder_of(here.uri, None, is_trusted=True)
    assert meant is not None
    assert around is not None
    return index_of(meant, list(seen.values()), around, Encoding.UTF16)


IMPORTING = {
    "noise.seep": MODULE + "def again(x) { y ~ respond(x, half) return y }\n",
    "a.seep": 'import "noise.seep" as n\ns ~ flip(1/2)\no ~ n.respond(s, n.half)\n',
    "b.seep": 'import respond from "noise.seep"\ns ~ flip(1/2)\no ~ respond(s, 1/3)\nrespond_2 := 1\n',
    "c.seep": "def respond(x) { return x }\nx := respond(1)\n",
}


@pytest.mark.parametrize(
    ("name", "marked"),
    [("noise.seep", "def resp\u2038ond"), ("a.seep", "n.resp\u2038ond"), ("b.seep", "~ resp\u2038ond")],
)
def test_references_are_those_of_all_open_documents(tmp_path: Path, name: str, marked: str) -> None:
    seen = opened(tmp_path, IMPORTING)
    text = IMPORTING[name].replace(marked.replace("\u2038", ""), marked, 1)
    position = unmarked(text)[1]
    snapshot_here = seen[str(tmp_path / name)]

    found = [
        *references(snapshot_here, position, include_declaration=True),
        *references_elsewhere(snapshot_here, index_at(snapshot_here, position, seen)),
    ]

    places = {(one.uri.rsplit("/", 1)[-1], one.range.start.line) for one in found}
    assert places == {("noise.seep", 3), ("noise.seep", 4), ("a.seep", 2), ("b.seep", 0), ("b.seep", 2)}
    assert len(found) == 5


def test_a_definition_is_renamed_in_all_open_documents_that_import_it(tmp_path: Path) -> None:
    seen = opened(tmp_path, IMPORTING)
    here = seen[str(tmp_path / "noise.seep")]
    position = unmarked(IMPORTING["noise.seep"].replace("def respond", "def \u2038respond"))[1]

    edit = rename_everywhere(index_at(here, position, seen), "turned", Client())

    assert edit.changes is not None
    made = {uri.rsplit("/", 1)[-1]: applied(seen, uri, edits) for uri, edits in edit.changes.items()}
    assert made.keys() == {"noise.seep", "a.seep", "b.seep"}
    after = opened(tmp_path, {**IMPORTING, **made})
    assert [one.checked for one in after.values() if one.checked is None or one.checked.has_errors] == []
    assert "respond(" not in made["a.seep"] + made["b.seep"] + made["noise.seep"]


def applied(seen: dict[str, Snapshot], uri: str, edits: Sequence[types.TextEdit]) -> str:
    lines = next(one.lines for one in seen.values() if one.uri == uri)
    text = lines.text
    for edit in sorted(edits, key=lambda one: lines.span(one.range).start, reverse=True):
        span = lines.span(edit.range)
        text = text[: span.start] + edit.new_text + text[span.end :]
    return text


def test_a_name_that_an_importing_document_has_is_refused(tmp_path: Path) -> None:
    seen = opened(tmp_path, IMPORTING)
    here = seen[str(tmp_path / "noise.seep")]
    position = unmarked(IMPORTING["noise.seep"].replace("def respond", "def \u2038respond"))[1]

    with pytest.raises(CannotRename, match=r"b\.seep"):
        rename_everywhere(index_at(here, position, seen), "respond_2", Client())
