"""``seepage diff``: files, revisions of git that try to run something, and what counts as worse."""

from __future__ import annotations

import json
import math
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from tests.checking.trees import LEAKY, run, tree

from seepage.checking.differing import MeasureChange
from seepage.checking.file_report import Bounds

BEFORE = f"{LEAKY}require I(s; o) <= 0.2 bits\nshow P(s == o)\n"
AFTER = BEFORE.replace("1/4", "1/8")
OTHER = "secret colour\noutput seen\ncolour ~ uniform_int(1, 6)\nseen := colour > 3\nshow H(colour | seen)\n"


def h(p: float) -> float:
    return -p * math.log2(p) - (1 - p) * math.log2(1 - p)


def git(folder: Path, *arguments: str) -> None:
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    names = ("-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
    subprocess.run(("git", *names, *arguments), cwd=folder, check=True, capture_output=True, env=environment)


def repository(folder: Path, files: dict[str, str]) -> Path:
    tree(folder, files)
    git(folder, "init", "-q")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "first")
    return folder


def differences(*arguments: str, inside: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(run("diff", "--format", "json", "--no-cache", *arguments, inside=inside).stdout)
    return found


def test_a_grown_leak_is_told_with_bounds_of_its_growth(tmp_path: Path) -> None:
    tree(tmp_path, {"a.seep": BEFORE, "b.seep": AFTER})
    (file,) = differences("a.seep", "b.seep", inside=tmp_path)["files"]
    leak = next(each for each in file["measures"] if each["measure"] == "s -> o")
    grown = h(1 / 4) - h(1 / 8)
    assert (leak["direction"], leak["worse"]) == ("grew", True)
    assert leak["difference"]["lower"] - 1e-12 <= grown <= leak["difference"]["upper"] + 1e-12
    assert leak["difference"]["upper"] - leak["difference"]["lower"] < 1e-9
    (budget,) = file["budgets"]
    assert (budget["before"], budget["after"], budget["worse"]) == ("holds", "violated", True)
    assert [each["order"] for each in file["orders"]] == ["leakier"]


# With two outputs of two values and a secret of two, the channel has no inverse.
IRRATIONAL = BEFORE.replace("1/4", "1 / (1 + exp(1))").replace("output o\n", "output o, u\nu ~ bernoulli(1/2)\n")
MORE = IRRATIONAL.replace("exp(1)", "exp(2)")


@pytest.mark.parametrize(
    ("first", "second", "told"),
    [
        (IRRATIONAL, MORE, "tells more to some attackers; whether less to others is not decided"),
        (MORE, IRRATIONAL, "tells less to some attackers; whether more to others is not decided"),
    ],
)
def test_half_of_an_order_is_told_where_the_other_half_is_not_decided(
    tmp_path: Path, first: str, second: str, told: str
) -> None:
    tree(tmp_path, {"a.seep": first, "b.seep": second})
    assert f"whatever the prior and the gain: {told}\n" in run("diff", "a.seep", "b.seep", inside=tmp_path).stdout


@pytest.mark.parametrize(("first", "second", "code"), [("a", "b", 1), ("b", "a", 0), ("a", "a", 0)])
def test_only_what_is_worse_fails(tmp_path: Path, first: str, second: str, code: int) -> None:
    tree(tmp_path, {"a.seep": BEFORE, "b.seep": AFTER})
    assert run("diff", f"{first}.seep", f"{second}.seep", "--no-cache", inside=tmp_path).exit_code == code


NO_BUDGET = BEFORE.replace("require I(s; o) <= 0.2 bits\n", "")


@pytest.mark.parametrize(
    ("after", "code", "told"),
    [
        (NO_BUDGET, 1, "the budget is gone, nothing as strict is required any more (holds before)"),
        (BEFORE.replace("0.2", "0.3"), 1, "the budget is gone, nothing as strict"),
        (BEFORE.replace("0.2 bits", "0.2 nats"), 1, "the budget is gone, nothing as strict"),
        (BEFORE.replace("I(s; o)", "H(s)").replace("0.2", "1"), 1, "the budget is gone, nothing as strict"),
        (BEFORE.replace("0.2", "0.19"), 0, "in its place stands 'I(s; o) <= 0.19 bits' (holds before)"),
        (BEFORE.replace("s xor t", "s + u"), 1, "errors keep it from being told (holds before)"),
    ],
    ids=["deleted", "looser", "another unit", "another measure", "stricter", "broken"],
)
def test_a_budget_that_is_lost_is_worse(tmp_path: Path, after: str, code: int, told: str) -> None:
    tree(tmp_path, {"a.seep": BEFORE, "b.seep": after})
    found = run("diff", "a.seep", "b.seep", inside=tmp_path)
    assert found.exit_code == code
    assert f"  I(s; o) <= 0.2 bits: {told}" in found.stdout


def test_a_violated_budget_and_one_over_a_range_are_lost_as_others_are(tmp_path: Path) -> None:
    text = f"param p in [0, 1] = 1/4\n{LEAKY.replace('1/4', 'p')}require I(s; o) <= 0.1 bits over p in [0, 1]\n"
    at_a_point = text.replace("0.1", "0.05").replace(" over p in [0, 1]", "")
    tree(tmp_path, {"a.seep": text, "b.seep": at_a_point})
    (file,) = differences("a.seep", "b.seep", inside=tmp_path)["files"]
    gone = next(each for each in file["budgets"] if each["budget"] == "I(s; o) <= 0.1 bits")
    assert (gone["before"], gone["after"], gone["worse"], file["worse"]) == ("violated", None, True, True)


@pytest.mark.parametrize(
    ("before", "after", "is_lost"),
    [
        (" over p in [0, 1]", " over p in [0.4, 0.6]", True),
        (" over p in [0.4, 1/2]", " over p in [0, 1]", False),
        (" over p in [0, 1]", "", True),
        ("", " over p in [0, 1]", False),
        (" over p in [0, 1]", " over p in [0, 1/exp(0)]", True),  # not surely
        (" over p in [0, 1]", "  over p in  [0, 1]", False),
    ],
)
def test_a_budget_over_a_smaller_range_is_lost(tmp_path: Path, before: str, after: str, is_lost: bool) -> None:
    text = f"param p in [0, 1] = 1/2\n{LEAKY.replace('1/4', 'p')}require I(s; o) <= 1 bits"
    tree(tmp_path, {"a.seep": text + before, "b.seep": text + after})
    (file,) = differences("a.seep", "b.seep", inside=tmp_path)["files"]
    assert (file["budgets"][0]["worse"], file["worse"]) == (is_lost, is_lost)
    assert ("does not surely reach as far" in file["budgets"][0]["told"]) == is_lost


def test_a_tree_is_compared_with_a_revision(tmp_path: Path) -> None:
    repository(tmp_path, {"t/x.seep": BEFORE, "t/y.seep": BEFORE, "t/gone.seep": OTHER, "other.seep": BEFORE})
    tree(tmp_path, {"t/x.seep": AFTER, "t/new.seep": LEAKY, "other.seep": AFTER})
    (tmp_path / "t/gone.seep").unlink()
    found = run("diff", "HEAD", "--no-cache", "--", "t", inside=tmp_path)
    assert found.exit_code == 1
    heads = [line for line in found.stdout.splitlines() if not line.startswith(" ")]
    assert heads == ["HEAD → t/gone.seep", "(nothing) → t/new.seep", "HEAD → t/x.seep", "1 program has the same text"]
    assert "grew by 0.267714 bits" in found.stdout
    assert "no longer there" in found.stdout


def test_a_program_with_another_name_is_compared_with_what_it_was(tmp_path: Path) -> None:
    repository(
        tmp_path, {"old/x.seep": BEFORE, "old/kept.seep": BEFORE, "t/o.seep": OTHER, "t/gone.seep": "secret z\n"}
    )
    for gone in ("old/x.seep", "t/o.seep", "t/gone.seep"):
        (tmp_path / gone).unlink()
    unlike = "secret a\noutput b\na ~ uniform_int(1, 3)\nb := a == 2\n"
    tree(tmp_path, {"t/x.seep": AFTER, "t/p.seep": OTHER, "t/q.seep": OTHER, "t/unlike.seep": unlike})
    found = differences("HEAD", "--", "t", inside=tmp_path)["files"]
    assert {each["file"]: each["before"] for each in found} == {
        "t/gone.seep": "HEAD",  # nothing is like it
        "t/p.seep": "HEAD:t/o.seep",
        "t/q.seep": "(nothing)",  # one that is gone has become one other
        "t/unlike.seep": "(nothing)",
        "t/x.seep": "HEAD:old/x.seep",
    }
    told = run("diff", "HEAD", "--format", "markdown", "--no-cache", "--", "t", inside=tmp_path).stdout
    assert "### ❌ `t/x.seep`, which was `HEAD:old/x.seep`" in told
    assert "HEAD:t/o.seep → t/p.seep\n  the same text" in run("diff", "HEAD", "--", "t", inside=tmp_path).stdout
    (grown,) = (each for each in found if each["file"] == "t/x.seep")
    assert [each["direction"] for each in grown["measures"] if each["measure"] == "s -> o"] == ["grew"]


IMPORTER = """import f from "lib.seep"
secret s
output o
s ~ flip(1/2)
o ~ f(s)
show I(s; o)
"""
LIBRARY = "def f(s) { n ~ flip(1/4)\nreturn if n then 1 - s else s }\n"


@pytest.mark.parametrize(("library", "code"), [(LIBRARY, 0), (LIBRARY.replace("1/4", "1/3"), 1)])
@pytest.mark.parametrize("program", [IMPORTER, IMPORTER.replace("show", "// a comment\nshow")])
def test_a_program_whose_files_have_changed_is_not_compared(
    tmp_path: Path, program: str, library: str, code: int
) -> None:
    repository(tmp_path, {"x.seep": IMPORTER, "lib.seep": LIBRARY})
    tree(tmp_path, {"x.seep": program, "lib.seep": library})

    found = run("diff", "HEAD", "--no-cache", "--", "x.seep", inside=tmp_path)

    assert found.exit_code == code
    assert ("'lib.seep' is not what it was in HEAD" in found.stdout) is (code == 1)


def test_a_program_that_names_a_new_file_is_not_compared(tmp_path: Path) -> None:
    repository(tmp_path, {"x.seep": LEAKY})
    tree(tmp_path, {"x.seep": IMPORTER, "lib.seep": LIBRARY})

    found = run("diff", "HEAD", "--no-cache", "--", "x.seep", inside=tmp_path)

    assert "'lib.seep' is not what it was in HEAD" in found.stdout


def test_a_new_program_fails_for_its_budgets_only(tmp_path: Path) -> None:
    repository(tmp_path, {"old.seep": BEFORE})
    tree(tmp_path, {"new.seep": LEAKY})
    assert run("diff", "HEAD", "--no-cache", "--", ".", inside=tmp_path).exit_code == 0
    tree(tmp_path, {"new.seep": AFTER})
    assert run("diff", "HEAD", "--no-cache", "--", ".", inside=tmp_path).exit_code == 1


def test_the_folder_where_it_runs_may_be_below_the_top(tmp_path: Path) -> None:
    repository(tmp_path, {"t/x.seep": BEFORE})
    tree(tmp_path, {"t/x.seep": AFTER})
    assert "grew by" in run("diff", "HEAD", "--no-cache", "--", "x.seep", inside=tmp_path / "t").stdout


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("HEAD~9", "--", "t"), "git knows no revision 'HEAD~9'"),
        (("--", "--upload-pack=x", "t"), "git knows no revision '--upload-pack=x'"),
        (("HEAD", "--", "/"), "not a git repository"),
        (("a.seep", "b.seep", "c.seep"), "expected two files"),
        (("HEAD", "t"), "'HEAD' is no file, but a revision: seepage diff HEAD -- t"),
        (("HEAD", "t", "u"), "'HEAD' is no file, but a revision: seepage diff HEAD -- t u"),
        (("", "t/x.seep"), "found an empty name, expected a file"),
        (("HEAD", "--", "t", "u"), "'u': no program (*.seep) there"),
        (("HEAD", "--", "t", "--format", "json"), "options stand before '--'"),
    ],
)
def test_wrong_use_is_one_line(tmp_path: Path, arguments: tuple[str, ...], told: str) -> None:
    repository(tmp_path, {"t/x.seep": BEFORE})
    found = run("diff", *arguments, inside=tmp_path)
    assert found.exit_code == 2
    assert told in found.stderr


def test_nothing_that_a_repository_configures_is_run(tmp_path: Path) -> None:
    """Each of these runs a program in some command of git; a partial clone has even plain reading fetch what is lacking."""
    folder = repository(tmp_path / "r", {"t/x.seep": BEFORE, ".gitattributes": "*.seep diff=evil filter=evil\n"})
    mark = tmp_path / "mark"
    script = tmp_path / "evil.sh"
    script.write_text(f'#!/bin/sh\necho "$0 $@" >> {mark}\n')
    script.chmod(0o755)
    blob = subprocess.run(("git", "rev-parse", "HEAD:t/x.seep"), cwd=folder, check=True, capture_output=True, text=True)
    for key in (
        "core.fsmonitor", "core.pager", "core.sshCommand", "core.gitProxy", "core.editor", "core.askPass", "diff.external",
        "diff.evil.textconv", "diff.evil.command", "filter.evil.smudge", "filter.evil.clean", "gpg.program", "credential.helper",
        "alias.cat-file", "alias.ls-tree", "uploadpack.packObjectsHook", "pager.ls-tree", "pager.cat-file", "remote.evil.uploadpack",
    ):  # fmt: skip
        git(folder, "config", key, f"!{script}" if key.startswith("alias") else str(script))
    for hook in ("post-checkout", "reference-transaction", "post-index-change", "fsmonitor-watchman"):
        (folder / ".git/hooks" / hook).write_text(script.read_text())
        (folder / ".git/hooks" / hook).chmod(0o755)
    name = blob.stdout.strip()
    content = folder / ".git/objects" / name[:2] / name[2:]
    tree(folder, {"t/x.seep": AFTER})

    assert "grew by" in run("diff", "HEAD", "--no-cache", "--", "t", inside=folder).stdout
    assert not mark.exists()

    content.unlink()  # as in a partial clone
    for key, value in (
        ("core.repositoryFormatVersion", "1"),
        ("extensions.partialClone", "evil"),
        ("remote.evil.promisor", "true"),
        ("remote.evil.url", f"ext::{script} %S"),
        ("protocol.allow", "always"),
        ("protocol.ext.allow", "always"),
    ):
        git(folder, "config", key, value)
    found = run("diff", "HEAD", "--no-cache", "--", "t", inside=folder)
    assert found.exit_code == 1
    assert "HEAD:t/x.seep: " in found.stdout
    assert "grew" not in found.stdout
    assert not mark.exists()
    subprocess.run(("git", "cat-file", "blob", name), cwd=folder, check=False, capture_output=True)
    assert mark.exists(), "git by itself runs what the repository says: the test shows nothing otherwise"


def test_bytes_that_are_no_program_are_told_and_the_others_stay(tmp_path: Path) -> None:
    repository(tmp_path, {"t/x.seep": BEFORE, "t/y.seep": BEFORE})
    (tmp_path / "t/x.seep").write_bytes(b"\xff\x00")
    tree(tmp_path, {"t/y.seep": AFTER})
    found = run("diff", "HEAD", "--no-cache", "--", "t", inside=tmp_path)
    assert found.exit_code == 1
    assert "not a text in UTF-8" in found.stdout
    assert "grew by" in found.stdout


def test_the_comment_of_a_review_holds_no_marks_of_a_program(tmp_path: Path) -> None:
    tree(tmp_path, {"a.seep": BEFORE, "b.seep": AFTER})
    told = run("diff", "a.seep", "b.seep", "--format", "markdown", "--no-cache", inside=tmp_path).stdout
    assert told.startswith("## ❌ Seepage: of 1 program, 1 leaks more, 1 misses a budget\n")
    assert "| ❌ `s -> o` | 0.188722 bits | 0.456436 bits | grew by 0.267714 bits |" in told


def test_the_comment_of_a_review_counts_what_is_wrong_by_kind(tmp_path: Path) -> None:
    repository(tmp_path, dict.fromkeys(("a.seep", "b.seep", "c.seep", "d.seep", "e.seep"), BEFORE))
    tree(tmp_path, {"a.seep": AFTER, "b.seep": NO_BUDGET, "c.seep": "", "d.seep": BEFORE.replace("xor t", "xor u")})
    told = run("diff", "HEAD", "--format", "markdown", "--", ".", inside=tmp_path).stdout
    wrong = "1 leaks more, 1 has lost a budget, 1 misses a budget, 1 has new errors, 1 could not be compared"
    assert told.startswith(f"## ❌ Seepage: of 5 programs, {wrong}\n")
    assert "* ❌ `I(s; o) <= 0.2 bits`: the budget is gone, nothing as strict is required any more" in told
    assert "* 2 measures have not changed" in told


def test_differences_are_rounded_outward() -> None:
    change = MeasureChange("x", True, Bounds(0.1, 0.1, "bits"), Bounds(0.3, 0.3, "bits"), "grew")
    assert change.difference is not None
    low, high = change.difference
    assert low < 0.3 - 0.1 < high


@pytest.mark.parametrize(
    ("before", "after"), [(math.inf, math.inf), (-math.inf, -math.inf)], ids=["infinite", "negative"]
)
def test_infinite_numbers_have_no_difference(before: float, after: float) -> None:
    change = MeasureChange("x", True, Bounds(before, before, ""), Bounds(after, after, ""), "unchanged")
    assert change.difference is None
