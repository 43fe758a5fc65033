"""Which files are checked: folders, patterns, what git ignores, in an order that is always the same."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from tests.checking.trees import run, tree

from seepage.checking.walk import list_files

FILES = {
    "b.seep": "",
    "a.seep": "",
    "notes.txt": "",
    "deep/c.seep": "",
    "deep/skipped.seep": "",
    "deep/kept.tmp.seep": "",
    "deep/other.tmp.seep": "",
    "build/d.seep": "",
    "build/important.seep": "",
    "local/e.seep": "",
    "node_modules/f.seep": "",
    ".hidden/g.seep": "",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    tree(tmp_path, FILES)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def named(*words: str) -> list[str]:
    return [found.path for found in list_files(words).files]


def test_a_folder_stands_for_its_programs_by_name(folder: Path) -> None:
    assert named(".") == [
        "a.seep", "b.seep", "build/d.seep", "build/important.seep", "deep/c.seep", "deep/kept.tmp.seep",
        "deep/other.tmp.seep", "deep/skipped.seep", "local/e.seep",
    ]  # fmt: skip


def test_words_keep_their_order_and_a_file_is_checked_once(folder: Path) -> None:
    assert named("b.seep", "deep/c.seep", "deep", "./b.seep")[:3] == ["b.seep", "deep/c.seep", "deep/kept.tmp.seep"]
    assert named("b.seep", "a.seep") == ["b.seep", "a.seep"]


def test_a_pattern_is_expanded_where_the_shell_did_not(folder: Path) -> None:
    assert named("*.seep") == ["a.seep", "b.seep"]
    assert named("**/c.seep") == ["deep/c.seep"]
    assert [found.problem for found in list_files(["*.nothing"]).files] == ["no file matches this pattern"]


def test_a_file_with_a_bracket_in_its_name_is_no_pattern(folder: Path) -> None:
    (folder / "x[1].seep").write_text("")

    assert named("x[1].seep") == ["x[1].seep"]


def test_an_empty_folder_holds_no_program(folder: Path) -> None:
    (folder / "empty").mkdir()

    (found,) = list_files(["empty"]).files
    assert found.problem.startswith("found a directory")


def test_a_link_in_a_circle_is_not_followed(folder: Path) -> None:
    (folder / "deep" / "again").symlink_to(folder)

    assert len(named(".")) == 9


def test_a_program_that_is_a_link_to_itself_or_to_nothing_takes_no_other_with_it(folder: Path) -> None:
    (folder / "circle.seep").symlink_to("circle.seep")
    (folder / "nothing.seep").symlink_to("not-there")  # as editors lock files

    assert len(named(".")) == 9
    found = run("check", "circle.seep", "a.seep", inside=folder)
    assert (found.exit_code, found.stderr.splitlines()[0]) == (
        1,
        "circle.seep: cannot be read: too many levels of symbolic links",
    )


IGNORED = {
    ".gitignore": "build/\n*.tmp.seep\n!kept.tmp.seep\n# a comment\n\n/b.seep\n",
    "deep/.gitignore": "skipped.seep\n",
    ".git/info/exclude": "local\n",
}


def test_what_git_ignores_is_left_out_and_what_is_named_is_not(folder: Path) -> None:
    tree(folder, IGNORED)

    assert named(".") == ["a.seep", "deep/c.seep", "deep/kept.tmp.seep"]
    assert named("deep") == ["deep/c.seep", "deep/kept.tmp.seep"]
    assert named("**/*.seep") == ["a.seep", "deep/c.seep", "deep/kept.tmp.seep"]
    assert named("build/d.seep") == ["build/d.seep"]


def test_git_itself_leaves_out_the_same(folder: Path) -> None:
    subprocess.run(["git", "init", "--quiet", "."], check=True, cwd=folder)
    tree(folder, IGNORED)
    listed = subprocess.run(
        ["git", "ls-files", "--others", "--exclude-standard", "-z"], check=True, cwd=folder, capture_output=True
    )
    names = listed.stdout.decode().split("\0")
    hidden = (".hidden", "node_modules")

    assert named(".") == sorted(name for name in names if name.endswith(".seep") and not name.startswith(hidden))


def test_lists_without_a_repository_say_nothing(folder: Path) -> None:
    (folder / ".gitignore").write_text("*.seep\n")

    assert len(named(".")) == 9


def test_a_list_above_the_folder_holds_up_to_the_root_of_the_repository(folder: Path) -> None:
    tree(folder, {".gitignore": "c.seep\n", "deep/inner/c.seep": "", "deep/inner/h.seep": ""})
    (folder / ".git").mkdir()
    assert named("deep/inner") == ["deep/inner/h.seep"]

    (folder / "deep" / "inner" / ".git").mkdir()  # a repository of its own
    assert named("deep/inner") == ["deep/inner/c.seep", "deep/inner/h.seep"]


def test_a_hostile_list_takes_no_time(folder: Path) -> None:
    (folder / ".git").mkdir()
    (folder / ".gitignore").write_text("*a" * 60 + "x\n")
    (folder / ("a" * 200 + ".seep")).write_text("")

    assert "a" * 200 + ".seep" in named(".")


def test_a_folder_that_cannot_be_read_is_one_problem(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scan = os.scandir

    def refusing(path: str) -> object:  # the tests may run as root, whom no permission stops
        if str(path).endswith("deep"):
            raise PermissionError(13, "Permission denied")
        return scan(path)

    monkeypatch.setattr("os.scandir", refusing)

    problems = {found.path: found.problem for found in list_files(["."]).files if found.problem}
    assert problems == {"deep": "cannot be read: permission denied"}
