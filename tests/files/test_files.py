"""The door for files that a program names: what is read, and what is refused with which sentence."""

from __future__ import annotations

import os
import pickle
from pathlib import Path

import pytest

from seepage.files import (
    NO_FOLDER,
    Folder,
    Located,
    Refusal,
    Unread,
    files_of,
    named_paths,
    names_files,
    stamps_of,
)

LIMIT = 1_000


def refused(files: Folder, path: str, base: str | None = None) -> Refusal:
    found = files.find(path, base)
    if isinstance(found, Located):
        found_data = files.read(found, LIMIT)
        assert isinstance(found_data, Unread)
        return found_data.why
    return found.why


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "work" / "inner").mkdir(parents=True)
    (tmp_path / "work" / "a.csv").write_text("a\n1\n")
    (tmp_path / "work" / "inner" / "b.csv").write_text("b\n2\n")
    (tmp_path / "secret.csv").write_text("s\n3\n")
    return tmp_path


def test_a_file_beside_the_program_is_read(place: Path) -> None:
    files = files_of(place / "work" / "p.seep")

    found = files.find("inner/b.csv")

    assert isinstance(found, Located)
    assert found.path == os.path.realpath(place / "work" / "inner" / "b.csv")
    assert files.read(found, LIMIT) == b"b\n2\n"


def test_a_path_is_relative_to_the_file_that_names_it(place: Path) -> None:
    files = files_of(place / "work" / "p.seep")
    module = files.find("inner/b.csv")
    assert isinstance(module, Located)

    assert isinstance(files.find("b.csv", module.path), Located)
    assert isinstance(files.find("../a.csv", module.path), Located)
    assert refused(files, "../../secret.csv", module.path) is Refusal.OUTSIDE


def test_a_workspace_widens_what_is_read(place: Path) -> None:
    path = place / "work" / "inner" / "p.seep"

    assert refused(files_of(path), "../a.csv") is Refusal.OUTSIDE
    assert isinstance(files_of(path, place / "work").find("../a.csv"), Located)
    assert refused(files_of(path, place / "work"), "../../secret.csv") is Refusal.OUTSIDE


def test_a_link_that_leads_outside_is_not_followed(place: Path) -> None:
    (place / "work" / "link.csv").symlink_to(place / "secret.csv")
    (place / "work" / "fine.csv").symlink_to(place / "work" / "a.csv")
    (place / "work" / "round.csv").symlink_to(place / "work" / "round.csv")
    files = files_of(place / "work" / "p.seep")

    assert refused(files, "link.csv") is Refusal.OUTSIDE
    assert isinstance(files.find("fine.csv"), Located)
    assert refused(files, "round.csv") is Refusal.UNREADABLE


def test_a_link_put_in_the_place_of_a_file_is_not_followed(place: Path) -> None:
    files = files_of(place / "work" / "p.seep")
    found = files.find("a.csv")
    assert isinstance(found, Located)
    (place / "work" / "a.csv").unlink()
    (place / "work" / "a.csv").symlink_to(place / "secret.csv")

    assert isinstance(files.read(found, LIMIT), Unread)


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("", Refusal.BAD_PATH),
        ("/etc/passwd", Refusal.BAD_PATH),
        ("~/a.csv", Refusal.BAD_PATH),
        ("C:/a.csv", Refusal.BAD_PATH),
        ("inner\\b.csv", Refusal.BAD_PATH),
        ("https://example.org/a.csv", Refusal.BAD_PATH),
        ("file:a.csv", Refusal.BAD_PATH),
        ("a\0.csv", Refusal.BAD_PATH),
        ("x" * 2_000, Refusal.BAD_PATH),
        ("inner", Refusal.NOT_REGULAR),
        ("none.csv", Refusal.MISSING),
        ("a.csv/b.csv", Refusal.MISSING),
        ("..", Refusal.OUTSIDE),
    ],
)
def test_what_is_no_file_beside_the_program_is_refused(place: Path, path: str, why: Refusal) -> None:
    assert refused(files_of(place / "work" / "p.seep"), path) is why


def test_a_pipe_is_refused_and_not_waited_for(place: Path) -> None:
    os.mkfifo(place / "work" / "pipe.csv")

    assert refused(files_of(place / "work" / "p.seep"), "pipe.csv") is Refusal.NOT_REGULAR


def test_a_large_file_is_refused(place: Path) -> None:
    (place / "work" / "large.csv").write_bytes(b"a" * (LIMIT + 1))

    assert refused(files_of(place / "work" / "p.seep"), "large.csv") is Refusal.TOO_LARGE


def test_nothing_is_read_where_the_folder_is_not_trusted(place: Path) -> None:
    assert refused(Folder(str(place / "work"), is_trusted=False), "a.csv") is Refusal.NOT_TRUSTED


def test_a_text_without_a_folder_reads_nothing() -> None:
    found = NO_FOLDER.find("a.csv")

    assert isinstance(found, Unread)
    assert found.why is Refusal.NO_FOLDER


def test_the_text_of_an_editor_stands_in_the_place_of_a_file(place: Path) -> None:
    path = os.path.realpath(place / "work" / "a.csv")
    files = Folder(str(place / "work"), supplied=((path, "a\n5\n"),))
    found, on_disk = files.find("a.csv"), Folder(str(place / "work")).find("a.csv")

    assert isinstance(found, Located)
    assert isinstance(on_disk, Located)
    assert files.read(found, LIMIT) == b"a\n5\n"
    assert found.stamp != on_disk.stamp
    assert pickle.loads(pickle.dumps(files)) == files


def test_paths_are_found_in_a_text() -> None:
    text = 'table people from "a.csv"\nimport "m.seep" as m\nimport f from "n.seep"\nx := "from"\n'

    assert {"a.csv", "m.seep", "n.seep"} <= {*named_paths(text)}
    assert not names_files('x := "a.csv"')


def test_stamps_follow_modules(place: Path) -> None:
    (place / "work" / "m.seep").write_text('table t from "inner/b.csv"\n')
    files = files_of(place / "work" / "p.seep")
    text = 'import "m.seep"\n'
    before = stamps_of(text, files)

    (place / "work" / "inner" / "b.csv").write_text("b\n2\n3\n")

    assert stamps_of(text, files) != before
