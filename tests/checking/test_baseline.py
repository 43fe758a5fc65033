"""Leaks that are accepted: what is there passes, what is new or has grown fails, what has shrunk passes without a word."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest
from tests.checking.trees import HOLDS, LEAKY, VIOLATED, WRONG, run, tree

from seepage.checking.baseline import Accepted, BrokenBaseline, MissedBudget, _is_no_worse, grown, read_baseline
from seepage.checking.cache import VARIABLE
from seepage.checking.file_report import Bounds, FileReport, ToldAnswer, ToldRow
from seepage.source import Span


def check(folder: Path, *options: str) -> tuple[int, str]:
    done = run("check", "models", "--baseline", "leaks.json", "--quiet", *options, inside=folder)
    return done.exit_code, done.output


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("template")
    return tree(folder, {"models/a.seep": VIOLATED, "models/b.seep": WRONG, "models/d.seep": LEAKY})


@pytest.fixture
def listed(tmp_path: Path, template: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(VARIABLE, str(template / "cache"))
    shutil.copytree(template / "models", tmp_path / "models")
    assert run("check", "models", inside=tmp_path).exit_code == 1
    assert check(tmp_path, "--update-baseline") == (0, "")
    return tmp_path


def noisier(text: str, noise: str) -> str:
    return text.replace("bernoulli(1/4)", f"bernoulli({noise})")


def test_what_is_listed_passes(listed: Path) -> None:
    assert check(listed)[0] == 0
    assert "the baseline accepts it" in run("check", "models", "--baseline", "leaks.json", inside=listed).stdout


def test_a_leak_that_grows_fails_and_one_that_shrinks_passes_silently(listed: Path) -> None:
    path = listed / "models" / "d.seep"
    before = (listed / "leaks.json").read_bytes()

    path.write_text(noisier(LEAKY, "3/8"), encoding="utf-8")
    assert check(listed) == (0, "")
    path.write_text(noisier(LEAKY, "1/8"), encoding="utf-8")
    code, told = check(listed)

    assert code == 1
    # 1 − h(1/8) = 0.456436…, 1 − h(1/4) = 0.188722…
    assert "error[SEEP590]: what 'o' tells of 's' grew: 0.456436 bits, the baseline accepts 0.188722 bits" in told
    assert (listed / "leaks.json").read_bytes() == before


def test_a_new_leak_fails_in_an_old_program_and_in_a_new_one(listed: Path) -> None:
    tree(listed, {"models/d.seep": f"{LEAKY}output u\nu := s\n", "models/new.seep": HOLDS})

    code, told = check(listed)

    assert code == 1
    assert told.count("is new") >= 2
    assert "models/new.seep:1:8: error[SEEP590]: what 'o' tells of 's' is new: 0.188722 bits" in told


def test_a_program_that_tells_nothing_is_no_leak(listed: Path) -> None:
    tree(listed, {"models/new.seep": noisier(LEAKY, "1/2")})

    assert check(listed) == (0, "")


def test_a_budget_that_is_missed_by_more_fails_and_by_less_passes(listed: Path) -> None:
    path = listed / "models" / "a.seep"
    path.write_text(VIOLATED.replace("<= 0.1", "<= 0.05"), encoding="utf-8")
    assert check(listed)[0] == 1  # another budget

    path.write_text(noisier(VIOLATED, "3/10"), encoding="utf-8")  # 0.1187…
    assert check(listed) == (0, "")
    path.write_text(noisier(VIOLATED, "1/8"), encoding="utf-8")
    code, told = check(listed)
    assert (code, "SEEP510" in told, "SEEP590" in told) == (1, True, True)


def test_a_listed_budget_that_was_deleted_is_told(listed: Path) -> None:
    path = listed / "models" / "a.seep"
    path.write_text(LEAKY, encoding="utf-8")
    code, told = check(listed)
    assert (code, told.count("SEEP592")) == (0, 1)
    assert "'require I(s; o) <= 0.1 bits', which the baseline lists as violated, is not there any more" in told

    path.write_text(f"{VIOLATED}y := u\n", encoding="utf-8")  # errors keep it from being told
    assert "SEEP592" not in check(listed)[1]
    path.write_text(LEAKY, encoding="utf-8")
    assert check(listed, "--update-baseline") == (0, "")
    assert check(listed) == (0, "")


def test_another_error_fails_and_one_that_moves_does_not(listed: Path) -> None:
    path = listed / "models" / "b.seep"
    path.write_text(f"// moved\n\n{WRONG}", encoding="utf-8")
    assert check(listed) == (0, "")

    path.write_text(f"{WRONG}y := s + w\n", encoding="utf-8")
    code, told = check(listed)
    assert (code, told.count("error[")) == (1, 1)


def test_a_leak_that_was_unknown_and_is_known_is_looked_at(listed: Path) -> None:
    (listed / "models" / "b.seep").write_text(LEAKY, encoding="utf-8")

    assert "SEEP590" in check(listed)[1]


def test_an_update_keeps_what_was_not_checked_and_forgets_what_is_gone(listed: Path) -> None:
    (listed / "models" / "b.seep").unlink()
    run("check", "models/a.seep", "--baseline", "leaks.json", "--update-baseline", inside=listed)

    names = list(json.loads((listed / "leaks.json").read_text(encoding="utf-8"))["files"])
    assert names == ["models/a.seep", "models/d.seep"]


def test_the_file_is_the_same_wherever_the_check_is_run_from(listed: Path) -> None:
    done = run("check", ".", "--baseline", "../leaks.json", "--quiet", inside=listed / "models")

    assert (done.exit_code, done.output) == (0, "")


def test_an_update_writes_the_same_text_again(listed: Path) -> None:
    before = (listed / "leaks.json").read_bytes()
    check(listed, "--update-baseline")

    assert (listed / "leaks.json").read_bytes() == before


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (None, "no such file or directory"),
        (b"", "it is no JSON"),
        (b"\x00\xff", "it is no JSON"),
        (b'{"schema": 1, "files": {"a"', "it is no JSON"),
        (b"[" * 100_000, "it is no JSON"),
        (b"[]", "it is no baseline"),
        (b'{"schema": 9, "files": {}}', "it has schema 9, expected 1"),
        (b'{"schema": 1, "files": {"a": 3}}', "it is damaged"),
        (b'{"schema": 1, "files": {"a": {"leaks": {"s": "2 1"}, "budgets": {}, "errors": {}}}}', "it is damaged"),
        (b'{"schema": 1, "files": {"a": {"leaks": {"s": "nan nan"}, "budgets": {}, "errors": {}}}}', "it is damaged"),
        (b'{"schema": 1, "files": {"a": {"leaks": {}, "budgets": {"b": {}}, "errors": {}}}}', "it is damaged"),
    ],
)
def test_a_broken_baseline_is_wrong_use_in_one_line_and_stays(tmp_path: Path, content: bytes | None, told: str) -> None:
    tree(tmp_path, {"models/a.seep": HOLDS})
    path = tmp_path / "leaks.json"
    if content is not None:
        path.write_bytes(content)

    code, output = check(tmp_path)

    assert (code, told in output) == (2, True)
    assert [line for line in output.splitlines() if "Error" in line and told in line]
    if content is not None:
        assert check(tmp_path, "--update-baseline")[0] == 2
        assert path.read_bytes() == content


def test_a_name_that_is_no_text_is_listed_and_found_again(tmp_path: Path) -> None:
    tree(tmp_path, {"models/a.seep": VIOLATED})
    os.rename(tmp_path / "models" / "a.seep", os.fsencode(tmp_path / "models") + b"/\xff.seep")

    assert check(tmp_path, "--update-baseline") == (0, "")
    assert check(tmp_path)[0] == 0
    for form in ("json", "sarif", "junit", "github", "gitlab", "markdown", "html"):
        assert run("check", "models", "--format", form, inside=tmp_path).exit_code == 1


def test_an_update_needs_a_file(tmp_path: Path) -> None:
    assert run("check", "a.seep", "--update-baseline", inside=tmp_path).exit_code == 2


# --- bounds -----------------------------------------------------------------------------------------------------------


def row(lower: float, upper: float) -> FileReport:
    known = ToldRow("s", "o", Span(0, 1), True, ("",) * 6, "", Bounds(lower, upper, "bits"), {})
    return FileReport((), (known,), (), "", 0.0, settled=True)


@pytest.mark.parametrize(
    ("then", "now", "codes"),
    [
        ((0.1, 0.2), (0.1, 0.2), []),
        ((0.1, 0.2), (0.0, 0.2), []),
        ((0.1, 0.2), (0.2 + 1e-12, 0.2 + 1e-12), []),  # rounding
        ((0.1, 0.2), (0.15, 0.25), ["SEEP591"]),  # perhaps
        ((0.1, 0.2), (0.21, 0.25), ["SEEP590"]),  # surely
        ((0.1, float("inf")), (5.0, float("inf")), []),
        ((1.0, 1.0), (float("inf"), float("inf")), ["SEEP590"]),
        (None, (0.1, 0.2), ["SEEP590"]),
    ],
)
def test_bounds_decide_whether_a_leak_grew(
    then: tuple[float, float] | None, now: tuple[float, float], codes: list[str]
) -> None:
    assert [each.rule.code for each in grown(row(*now), Accepted({"s -> o": then}))] == codes


def test_a_leak_that_is_not_listed_is_new_unless_it_is_nothing() -> None:
    assert [each.rule.code for each in grown(row(0.0, 0.0), Accepted())] == []
    assert [each.rule.code for each in grown(row(0.0, 0.3), Accepted())] == ["SEEP591"]
    assert [each.rule.code for each in grown(row(0.1, 0.3), Accepted())] == ["SEEP590"]


def answer(verdict: str, lower: float, upper: float, budget: float) -> ToldAnswer:
    bounds = Bounds(lower, upper, "bits")
    return ToldAnswer("require", "", Span(0, 1), verdict, (), bounds, budget, "", {})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("then", "now", "accepted"),
    [
        (("violated", (0.1, 0.1)), ("violated", 0.3, 0.3, 0.2), True),
        (("violated", (0.1, 0.1)), ("violated", 0.4, 0.4, 0.2), False),
        (("violated", (0.1, 0.1)), ("violated", 0.1, 0.1, 0.2), True),  # of a budget from below
        (("violated", (0.1, 0.1)), ("cannot tell", 0.1, 0.9, 0.2), True),
        (("cannot tell", (0.0, 0.3)), ("cannot tell", 0.0, 0.9, 0.2), True),
        (("cannot tell", (0.0, 0.3)), ("violated", 0.25, 0.25, 0.2), False),
        (("violated", None), ("violated", 0.4, 0.4, 0.2), False),
    ],
)
def test_how_far_a_budget_is_missed_decides(
    then: tuple[str, tuple[float, float] | None], now: tuple[str, float, float, float], accepted: bool
) -> None:
    assert _is_no_worse(answer(*now), MissedBudget(*then)) == accepted  # type: ignore[arg-type]


def test_an_absent_file_says_how_it_is_made(tmp_path: Path) -> None:
    with pytest.raises(BrokenBaseline, match="'--update-baseline' makes it"):
        read_baseline(tmp_path / "leaks.json")
