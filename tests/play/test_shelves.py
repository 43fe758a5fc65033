"""Which texts are read and written: programs of the folder, examples, the scratch file, and nothing else."""

from __future__ import annotations

import math
import os
from pathlib import Path

import pytest

import seepage
from seepage_play import gallery, shelves
from seepage_play.shelves import EXAMPLES, FOLDER, LONGEST, SCRATCH, Place, Refusing, Shelves


@pytest.fixture
def kept(tmp_path: Path) -> Shelves:
    folder = tmp_path / "folder"
    (folder / "sub").mkdir(parents=True)
    (folder / "a.seep").write_bytes(b"show H(x)\r\n")
    (folder / "sub" / "b.seep").write_text("// b")
    (folder / "notes.txt").write_text("mine")
    (tmp_path / "outside.seep").write_text("secret of somebody")
    return Shelves(folder.resolve(), (tmp_path / "state").resolve())


def test_programs_are_listed_and_read(kept: Shelves) -> None:
    assert kept.listing() == shelves.Listing(("a.seep", "sub/b.seep"), is_whole=True)

    read = kept.read(Place(FOLDER, "a.seep"))

    assert read.text == "show H(x)\r\n"
    assert read.uri == (kept.folder / "a.seep").as_uri()
    assert kept.read(Place(FOLDER, "sub/b.seep")).text == "// b"
    assert kept.read(Place(FOLDER, "sub/../a.seep")).uri == read.uri


@pytest.mark.parametrize("name", ["../outside.seep", "sub/../../outside.seep", "/etc/passwd", "notes.txt", "", ".", "a.seep/", "a.seep\0.seep",
                                  "C:\\x.seep", "..\\outside.seep", "~/x.seep", "file:///etc/x.seep", "missing.seep", "sub"])  # fmt: skip
@pytest.mark.parametrize("shelf", [FOLDER, EXAMPLES, SCRATCH, "attic", ""])
def test_nothing_else_is_read(kept: Shelves, shelf: str, name: str) -> None:
    with pytest.raises(Refusing):
        kept.read(Place(shelf, name))


@pytest.mark.parametrize(
    "name",
    [
        "../outside.seep",
        "../new.seep",
        "/new.seep",
        "new.txt",
        "notes.txt",
        "no/such/folder/new.seep",
        "sub",
        "\0.seep",
    ],
)
def test_nothing_else_is_written(kept: Shelves, name: str) -> None:
    before = sorted(kept.folder.parent.rglob("*"))

    for shelf in (FOLDER, EXAMPLES, SCRATCH):
        with pytest.raises(Refusing):
            kept.save(Place(shelf, name), "// new", "", insists=True)

    assert sorted(kept.folder.parent.rglob("*")) == before
    assert (kept.folder.parent / "outside.seep").read_text() == "secret of somebody"


def test_links_are_followed_before_anything_is_decided(kept: Shelves) -> None:
    (kept.folder / "out.seep").symlink_to(kept.folder.parent / "outside.seep")
    (kept.folder / "text.seep").symlink_to(kept.folder / "notes.txt")
    (kept.folder / "loop.seep").symlink_to(kept.folder / "loop.seep")
    (kept.folder / "up").symlink_to(kept.folder.parent, target_is_directory=True)
    (kept.folder / "inside.seep").symlink_to(kept.folder / "a.seep")
    dangling = kept.folder / "dangling.seep"
    dangling.symlink_to(kept.folder.parent / "not-yet.seep")

    for name in ("out.seep", "text.seep", "loop.seep", "up/outside.seep"):
        with pytest.raises(Refusing):
            kept.read(Place(FOLDER, name))
        with pytest.raises(Refusing):
            kept.save(Place(FOLDER, name), "// overwritten", "", insists=True)
        assert not kept.has(kept.folder / name)
    with pytest.raises(Refusing):
        kept.save(Place(FOLDER, "dangling.seep"), "// made outside", "", insists=True)
    assert kept.read(Place(FOLDER, "inside.seep")).text == "show H(x)\r\n"
    assert kept.listing().names == ("a.seep", "inside.seep", "sub/b.seep")
    assert (kept.folder / "notes.txt").read_text() == "mine"
    assert not (kept.folder.parent / "not-yet.seep").exists()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes with names")
def test_a_pipe_is_not_waited_for(kept: Shelves) -> None:
    os.mkfifo(kept.folder / "pipe.seep")

    with pytest.raises(Refusing):
        kept.read(Place(FOLDER, "pipe.seep"))


def test_texts_are_texts_of_a_size_to_edit(kept: Shelves) -> None:
    (kept.folder / "large.seep").write_bytes(b"/" * (LONGEST + 1))
    (kept.folder / "latin.seep").write_bytes(b"// caf\xe9")

    with pytest.raises(Refusing, match="at most"):
        kept.read(Place(FOLDER, "large.seep"))
    with pytest.raises(Refusing, match="UTF-8"):
        kept.read(Place(FOLDER, "latin.seep"))
    with pytest.raises(Refusing, match="at most"):
        kept.save(Place(FOLDER, "a.seep"), "é" * LONGEST, "", insists=True)
    with pytest.raises(Refusing, match="half a character"):
        kept.save(Place(FOLDER, "a.seep"), "// \ud800", "", insists=True)
    assert (kept.folder / "a.seep").read_bytes() == b"show H(x)\r\n"


def test_what_others_wrote_is_not_overwritten_unasked(kept: Shelves) -> None:
    place = Place(FOLDER, "a.seep")
    stamp = kept.read(place).stamp
    saved = kept.save(place, "// mine", stamp, insists=False)
    assert (kept.folder / "a.seep").read_text() == "// mine"

    (kept.folder / "a.seep").write_text("// theirs")
    for known in (saved.stamp, ""):
        with pytest.raises(Refusing) as refused:
            kept.save(place, "// mine again", known, insists=False)
        assert refused.value.is_conflict
    assert (kept.folder / "a.seep").read_text() == "// theirs"
    kept.save(place, "// mine again", saved.stamp, insists=True)
    assert (kept.folder / "a.seep").read_text() == "// mine again"

    (kept.folder / "a.seep").unlink()
    with pytest.raises(Refusing, match="no longer there"):
        kept.save(place, "// mine", saved.stamp, insists=False)


def test_a_new_file_is_made_beside_the_others(kept: Shelves) -> None:
    saved = kept.save(Place(FOLDER, "sub/new.seep"), "// new\n", "", insists=False)

    assert kept.read(saved.place) == saved
    assert "sub/new.seep" in kept.listing().names


def test_the_scratch_file_begins_with_a_program_and_is_kept_when_it_is_saved(kept: Shelves) -> None:
    place = Place(SCRATCH, "scratch.seep")
    first = kept.read(place)
    assert "show I(answer; told)" in first.text
    assert not kept.scratch.exists()

    kept.save(place, "// tried", first.stamp, insists=False)

    assert kept.read(place).text == "// tried"
    assert kept.read(place).uri == first.uri


def test_the_first_scratch_file_has_a_number() -> None:
    """1 - h(p), where p = e/(e + 1) is how likely the answer is true at eps = 1."""
    truth = math.e / (math.e + 1)
    expected = 1 + truth * math.log2(truth) + (1 - truth) * math.log2(1 - truth)

    program = seepage.parse(shelves._FIRST_SCRATCH)

    assert not program.diagnostics
    assert program.measure("I(answer; told)").value == pytest.approx(expected, abs=1e-12)


def test_a_folder_without_end_is_listed_in_part(kept: Shelves, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shelves, "_MOST_FILES", 1)
    assert kept.listing() == shelves.Listing(("a.seep",), is_whole=False)

    monkeypatch.setattr(shelves, "_MOST_FILES", 100)
    monkeypatch.setattr(shelves, "_MOST_FOLDERS", 1)
    assert kept.listing() == shelves.Listing(("a.seep",), is_whole=False)


def test_the_gallery_has_every_example_once_in_a_group(kept: Shelves) -> None:
    found = gallery.examples()

    assert sorted(each.name for each in found) == sorted(path.name for path in gallery.FOLDER.glob("*.seep"))
    assert all(each.group and each.shows for each in found)
    assert kept.read(Place(EXAMPLES, found[0].name)).text == (gallery.FOLDER / found[0].name).read_text()
