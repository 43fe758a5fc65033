"""What was told is kept and told again; nothing that is broken, foreign or of other options is believed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.checking.trees import HOLDS, LEAKY, VIOLATED, run, tree

from seepage.checking import cache as caches
from seepage.checking.cache import VARIABLE, Cache, key_of, open_cache
from seepage.checking.codec import read_report, report_value
from seepage.checking.file_report import FileReport
from seepage.checking.order import Order
from seepage.checking.work import analysed


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(VARIABLE, str(tmp_path / "cache"))
    return tmp_path / "cache" / "check"


def order(text: str, **changes: object) -> Order:
    found = {"name": "a.seep", "text": text, "unit": "bits", "digits": None, "seconds": 30.0} | changes
    return Order(**{"given": {}, "project": {}, "project_file": ""} | found)  # type: ignore[arg-type]


def report_of(text: str) -> FileReport:
    found = analysed(order(text))
    assert isinstance(found, FileReport)
    return found


def never(_: object) -> None:
    raise AssertionError("analysed again")


def test_a_second_run_says_the_same_and_analyses_nothing(
    tmp_path: Path, kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree(tmp_path, {"w/a.seep": VIOLATED, "w/b.seep": HOLDS})
    first = run("check", "w", inside=tmp_path)
    assert len(os.listdir(kept)) == 2

    monkeypatch.setattr("seepage.checking.pool.Pool.run", never)
    again = run("check", "w", inside=tmp_path)

    assert (again.exit_code, again.stdout) == (first.exit_code, first.stdout)
    assert first.exit_code == 1


def test_a_second_run_loads_no_engine(tmp_path: Path, kept: Path) -> None:
    tree(tmp_path, {"w/a.seep": HOLDS, "w/.gitignore": "*.tmp\n", ".git/HEAD": ""})
    run("check", "w", inside=tmp_path)
    code = (
        "import atexit, sys\n"
        "atexit.register(lambda: print(*sys.modules, file=sys.stderr))\n"
        "from seepage.cli.start import main\n"
        "main()\n"
    )

    done = subprocess.run(
        [sys.executable, "-c", code, "check", "w"], cwd=tmp_path, capture_output=True, text=True, check=True
    )

    heavy = {"numpy", "flint", "lark", "seepage.pipeline", "seepage.program", "seepage.semantics", "seepage.syntax"}
    assert heavy.isdisjoint(done.stderr.split())


def test_json_of_a_second_run_is_that_of_the_first(tmp_path: Path, kept: Path) -> None:
    tree(tmp_path, {"a.seep": VIOLATED + "show H(s)\nshow DP(s -> o)\n"})

    first = run("check", "a.seep", "--format", "json", inside=tmp_path).stdout
    assert run("check", "a.seep", "--format", "json", inside=tmp_path).stdout == first


@pytest.mark.parametrize("options", [["--unit", "nats"], ["--digits", "3"], ["--time-limit", "29"], ["--set", "p=1/8"]])
def test_other_options_are_another_question(tmp_path: Path, kept: Path, options: list[str]) -> None:
    tree(tmp_path, {"a.seep": f"param p in [0, 1] = 1/4\n{LEAKY.replace('1/4', 'p')}show I(s; o)\n"})
    run("check", "a.seep", inside=tmp_path)

    found = run("check", "a.seep", *options, inside=tmp_path).stdout

    assert len(os.listdir(kept)) == 2
    assert found == run("check", "a.seep", *options, "--no-cache", inside=tmp_path).stdout


def test_the_name_of_a_file_and_what_is_told_of_it_are_no_part_of_the_question(tmp_path: Path, kept: Path) -> None:
    tree(tmp_path, {"a.seep": VIOLATED, "b.seep": VIOLATED})
    run("check", "a.seep", inside=tmp_path)

    found = run("check", "b.seep", "--format", "github", "--undecided", "warn", inside=tmp_path)

    assert len(os.listdir(kept)) == 1
    assert "file=b.seep" in found.stdout


def test_another_copy_of_seepage_asks_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    before = key_of("x := 1", {})
    monkeypatch.setattr(caches, "fingerprint", lambda: "another")

    assert key_of("x := 1", {}) != before


def test_what_was_cut_short_is_not_kept(tmp_path: Path, kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tree(tmp_path, {"a.seep": "x ~ bernoulli(1/2)\nshow H(x)\n"})

    def late(one: Order) -> object:
        found = analysed(one)
        assert isinstance(found, FileReport)
        return FileReport(found.findings, found.rows, found.answers, found.note, found.seconds, settled=False)

    monkeypatch.setattr("seepage.checking.work.analysed", late)
    assert run("check", "a.seep", inside=tmp_path).exit_code == 0

    assert os.listdir(kept) == []


def test_a_time_limit_that_cuts_is_told_as_such() -> None:
    found = analysed(order("x ~ bernoulli(1/2)\nshow H(x)\n", seconds=0.0))

    assert isinstance(found, FileReport)
    assert not found.settled


@pytest.mark.parametrize("damage", ["cut", "empty", "flipped", "foreign", "large"])
def test_a_damaged_entry_is_as_if_it_were_not_there(tmp_path: Path, kept: Path, damage: str) -> None:
    tree(tmp_path, {"a.seep": VIOLATED})
    first = run("check", "a.seep", inside=tmp_path).stdout
    (entry,) = kept.iterdir()
    whole = entry.read_bytes()
    entry.write_bytes(
        {
            "cut": whole[: len(whole) // 2],
            "empty": b"",
            "flipped": whole.replace(b"violated", b"holds   "),
            "foreign": whole.replace(entry.name.encode(), b"0" * 64),
            "large": whole + b" " * (17 << 20),
        }[damage]
    )

    again = run("check", "a.seep", inside=tmp_path)

    assert (again.exit_code, again.stdout) == (1, first)
    assert Cache(kept).get(entry.name) is not None  # and is mended


def test_an_entry_with_a_seal_but_no_report_is_not_believed(tmp_path: Path, kept: Path) -> None:
    tree(tmp_path, {"a.seep": VIOLATED})
    first = run("check", "a.seep", inside=tmp_path).stdout
    (entry,) = kept.iterdir()
    Cache(kept).put(entry.name, {"findings": [], "rows": [], "answers": [{"role": "require"}], "note": ""})

    assert run("check", "a.seep", inside=tmp_path).stdout == first


def test_a_folder_that_others_can_write_in_is_not_used(tmp_path: Path) -> None:
    folder = tmp_path / "check"
    folder.mkdir(mode=0o777)
    folder.chmod(0o777)
    assert open_cache({VARIABLE: str(tmp_path)}) is None

    folder.chmod(0o700)
    assert open_cache({VARIABLE: str(tmp_path)}) is not None


def test_a_link_in_place_of_the_folder_is_not_used(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "check").symlink_to(tmp_path / "elsewhere")

    assert open_cache({VARIABLE: str(tmp_path)}) is None


def test_a_workspace_names_no_folder_for_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A relative path, which would lie in the workspace, is none; and a project file has no key for it."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setattr("sys.platform", "linux")

    found = open_cache({"XDG_CACHE_HOME": "relative"})

    assert found is not None
    assert found.folder == tmp_path / "home" / ".cache" / "seepage" / "check"


def test_no_cache_is_wanted(tmp_path: Path, kept: Path) -> None:
    tree(tmp_path, {"a.seep": HOLDS})
    assert run("check", "a.seep", "--no-cache", inside=tmp_path).exit_code == 0

    assert open_cache({VARIABLE: ""}) is None
    assert not kept.exists()


def test_a_folder_that_cannot_be_made_is_no_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tree(tmp_path, {"a.seep": HOLDS, "file": ""})
    monkeypatch.setenv(VARIABLE, str(tmp_path / "file" / "below"))

    assert run("check", "a.seep", inside=tmp_path).exit_code == 0


def test_old_entries_go_when_there_are_too_many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(caches, "MOST_ENTRIES", 5)
    monkeypatch.setattr(caches, "_KEPT", 3)
    store = Cache(tmp_path)
    for number in range(6):
        store.put(f"{number}", {})
        os.utime(tmp_path / f"{number}", (number, number))

    store.tidy()

    assert sorted(os.listdir(tmp_path)) == ["3", "4", "5"]


REPORT = report_value(report_of(f"{VIOLATED}x := 1\nshow H(s)\nshow E(y)\ny = 2\n"))
LENGTH = len(f"{VIOLATED}x := 1\nshow H(s)\nshow E(y)\ny = 2\n")


def test_a_report_is_read_back_as_it_was() -> None:
    text = f"{VIOLATED}x := 1\nshow H(s)\n"
    report = report_of(text)

    again = read_report(json.loads(json.dumps(report_value(report))), len(text))

    assert (again.rows, again.answers, again.note, again.seconds) == (
        report.rows, report.answers, report.note, report.seconds
    )  # fmt: skip
    assert list(map(repr, again.findings)) == list(map(repr, report.findings))
    assert [each.fixes for each in again.findings] == [each.fixes for each in report.findings]


def paths_of(value: object, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    if path[-1:] == ("data",):  # the JSON that is handed on
        return [path]
    pairs = enumerate(value) if isinstance(value, list) else value.items() if isinstance(value, dict) else ()
    return [path, *(each for key, one in pairs for each in paths_of(one, (*path, key)))]


PATHS = paths_of(json.loads(json.dumps(REPORT)))
JUNK = st.one_of(
    st.none(), st.booleans(), st.integers(-9, 99_999), st.floats(), st.text(max_size=3), st.just([]), st.just({})
)


@given(st.sampled_from(PATHS), JUNK)
def test_any_part_in_the_place_of_another_is_refused_or_a_report(path: tuple[str | int, ...], junk: object) -> None:
    value = json.loads(json.dumps(REPORT))
    here = value
    for key in path[:-1]:
        here = here[key]
    if path:
        here[path[-1]] = junk
    else:
        value = junk

    try:
        found = read_report(value, LENGTH)
    except ValueError:
        return
    assert all(each.span.end <= LENGTH for each in found.findings)
    json.dumps(report_value(found))
