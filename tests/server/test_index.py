"""Names across files of a workspace, most of which are not open: definition, references and renaming, and findings that follow changes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.server.wire import Message, Wire

from seepage.files import Folder
from seepage.semantics.check import check
from seepage.source import SourceFile
from seepage_lsp import closed

NOISE = """\
const half = 1/2
enum colour { red, green }
table people from "people.csv"
def respond(x, p) { swap ~ flip(p) return x xor swap }
def twice(x) { y ~ respond(x, half) z ~ respond(y, half) return z }
"""
FILES = {
    "noise.seep": NOISE,
    "people.csv": "age\n1\n2\n",
    "a.seep": 'import "noise.seep" as n\nturned := 1\ns ~ flip(n.half)\no ~ n.respond(s, 1/4)\nr ~ n.people\nc := n.red == "red"\nd := n.colour.red\n',
    "more/b.seep": 'import respond, half, colour, people from "../noise.seep"\ns ~ flip(half)\no ~ respond(s, 1/3)\nr ~ people\nc := colour.red\n',
    "chain.seep": 'import "a.seep"\nimport "noise.seep" as x\ndef g(v) { w ~ x.respond(v, x.half) return w }\n',
    "apart.seep": "def respond(x) { return x }\nx := respond(1)\n",
}
# Of each name, how often it stands in which file.
PLACES = {
    "respond": {"noise.seep": 3, "a.seep": 1, "more/b.seep": 2, "chain.seep": 1},
    "half": {"noise.seep": 3, "a.seep": 1, "more/b.seep": 2, "chain.seep": 1},
    "colour": {"noise.seep": 1, "a.seep": 1, "more/b.seep": 2},
    "red": {"noise.seep": 1, "a.seep": 3, "more/b.seep": 1},
    "people": {"noise.seep": 1, "a.seep": 1, "more/b.seep": 2},
}


def laid(folder: Path, files: dict[str, str] = FILES) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8", newline="")


def start(wire: Wire, folder: Path, name: str, capabilities: Message | None = None, **options: object) -> str:
    folders = [{"uri": folder.as_uri(), "name": "it"}]
    wire.initialize({"workspaceFolders": folders, "initializationOptions": options, "capabilities": capabilities or {}})
    return opened(wire, folder, name)


def opened(wire: Wire, folder: Path, name: str) -> str:
    uri = (folder / name).as_uri()
    wire.open((folder / name).read_text("utf-8"), uri)
    return uri


def asked(folder: Path, name: str, part: str, **more: object) -> Message:
    """Return the parameters of a request at the end of a part of a file."""
    text = (folder / name).read_text("utf-8")
    before = text[: text.index(part) + len(part)]
    position = {"line": before.count("\n"), "character": len(before.rsplit("\n", 1)[-1])}
    return {"textDocument": {"uri": (folder / name).as_uri()}, "position": position, **more}


def applied(folder: Path, edit: Any) -> dict[str, str]:
    """Return the texts that an edit of the workspace makes, and of the rest as they are."""
    made = {name: (folder / name).read_text("utf-8") for name in FILES}
    for uri, edits in edit["changes"].items():
        (name,) = [one for one in FILES if (folder / one).as_uri() == uri]
        lines = made[name].split("\n")
        for one in sorted(edits, key=lambda each: -each["range"]["start"]["character"]):
            begin, end = one["range"]["start"], one["range"]["end"]
            line = lines[begin["line"]]
            lines[begin["line"]] = line[: begin["character"]] + one["newText"] + line[end["character"] :]
        made[name] = "\n".join(lines)
    return made


@pytest.mark.parametrize("name", PLACES)
@pytest.mark.parametrize("file", ["noise.seep", "more/b.seep"])
def test_references_stand_in_files_that_are_not_open(faked: Wire, tmp_path: Path, file: str, name: str) -> None:
    laid(tmp_path)
    start(faked, tmp_path, file)
    if name not in FILES[file]:
        return

    found = faked.result("textDocument/references", asked(tmp_path, file, name, context={"includeDeclaration": True}))

    counts: dict[str, int] = {}
    for one in found:
        (where,) = [each for each in FILES if (tmp_path / each).as_uri() == one["uri"]]
        place = one["range"]
        line = FILES[where].split("\n")[place["start"]["line"]]
        assert line[place["start"]["character"] : place["end"]["character"]] == name
        counts[where] = counts.get(where, 0) + 1
    assert counts == PLACES[name]


@pytest.mark.parametrize("name", PLACES)
@pytest.mark.parametrize("file", ["noise.seep", "more/b.seep"])
def test_renaming_edits_files_that_are_not_open(faked: Wire, tmp_path: Path, file: str, name: str) -> None:
    laid(tmp_path)
    start(faked, tmp_path, file)

    made = applied(tmp_path, faked.result("textDocument/rename", asked(tmp_path, file, name, newName="fresh")))

    changed = {each: made[each].count("fresh") for each in FILES if made[each] != FILES[each]}
    assert changed == PLACES[name]
    laid(tmp_path, made)
    for each in ("noise.seep", "a.seep", "more/b.seep", "chain.seep", "apart.seep"):
        files = Folder(str((tmp_path / each).parent), str(tmp_path))
        assert [one.message for one in check(SourceFile(each, made[each], 1, files)).diagnostics if one.is_error] == []


def test_edits_of_open_files_have_their_version_and_those_of_others_none(faked: Wire, tmp_path: Path) -> None:
    laid(tmp_path)
    start(faked, tmp_path, "a.seep", {"workspace": {"workspaceEdit": {"documentChanges": True}}})

    edit = faked.result("textDocument/rename", asked(tmp_path, "a.seep", "n.resp", newName="fresh"))

    versions = {one["textDocument"]["uri"]: one["textDocument"]["version"] for one in edit["documentChanges"]}
    assert versions == {(tmp_path / name).as_uri(): 1 if name == "a.seep" else None for name in PLACES["respond"]}


def test_the_text_of_a_tab_counts_and_not_its_file(faked: Wire, tmp_path: Path) -> None:
    laid(tmp_path)
    start(faked, tmp_path, "noise.seep")
    other = opened(faked, tmp_path, "a.seep")
    faked.change(f"// here\n{FILES['a.seep']}", 2, other)

    found = faked.result(
        "textDocument/references", asked(tmp_path, "noise.seep", "def resp", context={"includeDeclaration": True})
    )

    assert [one["range"]["start"]["line"] for one in found if one["uri"] == other] == [4]


@pytest.mark.parametrize(
    ("changed", "new", "part"),
    [
        (
            {"more/b.seep": FILES["more/b.seep"] + "fresh := 1\n"},
            "fresh",
            r"b.seep', which imports this file, has another",
        ),
        ({"more/b.seep": FILES["more/b.seep"] + "x := (\n"}, "fresh", "mend them first"),
        ({"noise.seep": 'import "a.seep"\n' + NOISE}, "fresh", "has errors"),
        ({}, "twice", "is a name already"),
        ({}, "while", "a word of the language"),
    ],
)
def test_nothing_is_renamed_where_one_place_cannot_be(
    faked: Wire, tmp_path: Path, changed: dict[str, str], new: str, part: str
) -> None:
    laid(tmp_path, {**FILES, **changed})
    start(faked, tmp_path, "noise.seep")

    answer = faked.request("textDocument/rename", asked(tmp_path, "noise.seep", "def resp", newName=new))

    assert part in answer["error"]["message"]


def test_a_name_behind_a_point_meets_no_other(faked: Wire, tmp_path: Path) -> None:
    laid(tmp_path, {name: FILES[name] for name in FILES if name != "more/b.seep"} | {"more/b.seep": ""})
    start(faked, tmp_path, "a.seep")

    made = applied(tmp_path, faked.result("textDocument/rename", asked(tmp_path, "a.seep", "n.resp", newName="turned")))

    assert "o ~ n.turned(s, 1/4)" in made["a.seep"]


@pytest.mark.parametrize("method", ["prepareRename", "rename"])
def test_what_comes_with_seepage_keeps_its_name(faked: Wire, tmp_path: Path, method: str) -> None:
    laid(tmp_path, {"a.seep": 'import "seep:mechanisms" as m\ns ~ flip(1/2)\no ~ m.randomized_response(s, 1)\n'})
    start(faked, tmp_path, "a.seep")

    answer = faked.request(f"textDocument/{method}", asked(tmp_path, "a.seep", "m.random", newName="fresh"))

    assert "comes with Seepage" in answer["error"]["message"]


def test_in_a_folder_that_is_not_trusted_no_file_is_read(faked: Wire, tmp_path: Path) -> None:
    laid(tmp_path)
    start(faked, tmp_path, "noise.seep", untrusted=True)
    at = asked(tmp_path, "noise.seep", "def resp", newName="fresh", context={"includeDeclaration": True})

    found = faked.result("textDocument/references", at)
    answer = faked.request("textDocument/rename", at)

    assert {one["uri"] for one in found} == {(tmp_path / "noise.seep").as_uri()}
    assert "not trusted" in answer["error"]["message"]
    local = faked.result("textDocument/rename", asked(tmp_path, "noise.seep", "{ swap", newName="fresh"))
    assert len(local["changes"][(tmp_path / "noise.seep").as_uri()]) == 2


def test_files_outside_of_the_workspace_are_left_alone(faked: Wire, tmp_path: Path) -> None:
    (tmp_path / "it").mkdir()
    laid(tmp_path / "it")
    (tmp_path / "out.seep").write_text('import "it/noise.seep" as n\nx ~ n.respond(1, 1/2)\n', encoding="utf-8")
    (tmp_path / "it" / "link.seep").symlink_to(tmp_path / "out.seep")
    start(faked, tmp_path / "it", "noise.seep")

    edit = faked.result("textDocument/rename", asked(tmp_path / "it", "noise.seep", "def resp", newName="fresh"))

    assert set(edit["changes"]) == {(tmp_path / "it" / name).as_uri() for name in PLACES["respond"]}


@pytest.mark.parametrize(("limit", "most"), [("_MOST_PROGRAMS", 2), ("_MOST_ENTRIES", 3), ("_MOST_BYTES", 60)])
def test_a_limit_that_is_hit_is_said_and_nothing_renamed(
    faked: Wire, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str, most: int
) -> None:
    laid(tmp_path)
    monkeypatch.setattr(closed, limit, most)
    start(faked, tmp_path, "noise.seep")

    answer = faked.request("textDocument/rename", asked(tmp_path, "noise.seep", "def resp", newName="fresh"))

    assert "not all can be known" in answer["error"]["message"]
    assert any(
        "not all places of 'respond'" in one["params"]["message"]
        for one in faked.received
        if one.get("method") == "window/logMessage"
    )


def test_definitions_in_a_circle_are_found_where_they_can_be_had(faked: Wire, tmp_path: Path) -> None:
    files = {
        "one.seep": 'import "two.seep"\nconst a = 1\nx := two.b\n',
        "two.seep": 'import "one.seep"\nconst b = 2\ny := one.a\n',
    }
    laid(tmp_path, files)
    uri = start(faked, tmp_path, "one.seep")

    found = faked.result(
        "textDocument/references", asked(tmp_path, "one.seep", "const a", context={"includeDeclaration": True})
    )
    answer = faked.request("textDocument/rename", asked(tmp_path, "one.seep", "const a", newName="fresh"))

    assert uri in {one["uri"] for one in found}
    assert "mend them first" in answer["error"]["message"]


def test_findings_follow_a_tab_that_is_two_files_away(faked: Wire, tmp_path: Path) -> None:
    files = {
        "far.seep": "const p = 1/4\n",
        "near.seep": 'import "far.seep"\nconst q = far.p\n',
        "it.seep": 'import "near.seep"\ns ~ flip(near.q)\n',
    }
    laid(tmp_path, files)
    uri = start(faked, tmp_path, "it.seep")
    far = opened(faked, tmp_path, "far.seep")

    def codes() -> list[str]:
        published = faked.published(uri)
        return [one["code"] for one in published[-1]["diagnostics"] if one["severity"] == 1] if published else ["?"]

    faked.wait_for(lambda: codes() == [])
    faked.change("const r = 1/4\n", 2, far)
    faked.wait_for(lambda: codes() == ["SEEP116"])
    faked.change("const p = 1/3\n", 3, far)
    faked.wait_for(lambda: codes() == [])
    faked.change('import "it.seep"\nconst p = 1/3\n', 4, far)
    faked.wait_for(lambda: "SEEP116" in codes())
