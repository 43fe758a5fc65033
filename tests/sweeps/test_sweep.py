"""``seepage sweep``: numbers against closed forms, a run of 10,000 points that is killed and goes on, and files that are something else."""

from __future__ import annotations

import contextlib
import csv
import json
import math
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas
import pyarrow.parquet as parquet
import pytest
from tests.checking.trees import run, tree

from seepage.checking import process as processes
from seepage.constants import with_constants
from seepage.program import parse
from seepage.sweeps.axes import values_of
from seepage.sweeps.results import read_results
from seepage.sweeps.study import Study
from seepage.sweeps.study_file import WrongStudy, read_study_file

ANSWER = """\
const n = 1
param p in [0, 1] = 1/2
secret s
output o
s ~ uniform_int(0, n)
lie ~ bernoulli(p)
if lie { o := 0 } else { o := s }
"""
COMMAND = [sys.executable, "-m", "seepage"]


def leak(n: int, p: float) -> float:
    """I(s; o): s is uniform on n + 1 values, and is shown with chance 1 − p, else 0 is."""
    shown = (1 - p) / (n + 1)
    zero = p + shown
    entropy = -zero * math.log2(zero) - (n * shown * math.log2(shown) if shown else 0)
    # Given s = 0 the output is 0; else it is s with chance 1 − p.
    given = 0.0 if p in (0, 1) else -p * math.log2(p) - (1 - p) * math.log2(1 - p)
    return entropy - given * n / (n + 1)


def rows_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(text.splitlines()))


def swept(*arguments: str, inside: Path, code: int = 0) -> list[dict[str, str]]:
    found = run("sweep", *arguments, inside=inside)
    assert found.exit_code == code, found.output
    return rows_of(found.stdout)


def is_right(row: Mapping[str, Any]) -> bool:
    expected = leak(int(row["n"]), float(row["p"]))
    return (
        float(row["lower"]) - 1e-9 <= expected <= float(row["upper"]) + 1e-9
        and float(row["upper"]) - float(row["lower"]) < 1e-9
    )


def test_constants_and_parameters_vary_and_the_numbers_are_right(tmp_path: Path) -> None:
    tree(tmp_path, {"a.seep": ANSWER})
    rows = swept(
        "a.seep", "I(s; o)", "P(o == s)", "--over", "n=1,2,5", "--over", "p=0..1", "--points", "5", inside=tmp_path
    )

    assert [(row["n"], row["p"], row["measure"]) for row in rows[:3]] == [
        ("1", "0", "I(s; o)"), ("1", "0", "P(o == s)"), ("1", "0.25", "I(s; o)"),
    ]  # fmt: skip
    assert len(rows) == 3 * 5 * 2
    assert all(is_right(row) for row in rows if row["measure"] == "I(s; o)")
    chances = {(int(row["n"]), float(row["p"])): float(row["value"]) for row in rows if row["measure"] == "P(o == s)"}
    assert chances == pytest.approx({(n, p): 1 - p * n / (n + 1) for n, p in chances})


def test_a_constant_takes_all_whole_numbers_of_a_range(tmp_path: Path) -> None:
    tree(tmp_path, {"a.seep": ANSWER})
    rows = swept("a.seep", "H(s)", "--over", "n=1..6", inside=tmp_path)
    assert [float(row["value"]) for row in rows] == pytest.approx([math.log2(n + 1) for n in range(1, 7)])
    (row,) = swept("a.seep", "H(s)", "--over", "n=3..3", inside=tmp_path)
    assert (row["n"], float(row["value"])) == ("3", 2)


def test_points_are_those_of_ranges_that_are_not_whole(tmp_path: Path) -> None:
    tree(tmp_path, {"a.seep": ANSWER})
    rows = swept("a.seep", "I(s; o)", "--over", "n=1..3", "--over", "p=0..1", "--points", "5", inside=tmp_path)
    assert [(row["n"], row["p"]) for row in rows] == [
        (n, p) for n in ("1", "2", "3") for p in ("0", "0.25", "0.5", "0.75", "1")
    ]
    assert all(map(is_right, rows))


def test_points_outside_of_a_domain_have_a_reason_and_the_others_a_number(tmp_path: Path) -> None:
    tree(tmp_path, {"a.seep": ANSWER})
    rows = swept("a.seep", "I(s; o)", "--over", "p=1/2,3/2", inside=tmp_path, code=1)
    assert [bool(row["fault"]) for row in rows] == [False, True]
    assert "outside its domain" in rows[1]["fault"]


def test_json_lines_have_the_same_numbers(tmp_path: Path) -> None:
    tree(tmp_path, {"a.seep": ANSWER})
    asked = ("a.seep", "I(s; o)", "--over", "p=0..1", "--points", "3")
    table = swept(*asked, inside=tmp_path)
    lines = [
        json.loads(line) for line in run("sweep", *asked, "--format", "jsonl", inside=tmp_path).stdout.splitlines()
    ]
    assert [(str(each["p"]), each["value"], each["key"]) for each in lines] == [
        (row["p"], float(row["value"]), row["key"]) for row in table
    ]


# --- going on ---------------------------------------------------------------------------------------------------------


def started(*arguments: str, inside: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [*COMMAND, "sweep", *arguments], cwd=inside, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )


@pytest.mark.timeout(300)
@pytest.mark.variation(of="test_a_process_that_dies_takes_one_point_with_it")
def test_ten_thousand_points_are_killed_and_go_on_and_nothing_is_computed_twice(tmp_path: Path) -> None:
    tree(tmp_path, {"a.seep": ANSWER})
    many = (
        "a.seep",
        "I(s; o)",
        "--over",
        "n=1,2,3,4,5,6,7,8,9,10",
        "--over",
        "p=0..1",
        "--points",
        "1000",
        "--output",
        "r.csv",
    )
    results = tmp_path / "r.csv"
    with started(*many, inside=tmp_path) as process:
        while process.poll() is None and (not results.exists() or results.stat().st_size < 100_000):
            try:
                process.wait(0.02)
            except subprocess.TimeoutExpired:
                continue
        process.send_signal(signal.SIGKILL)
    left = results.read_text().splitlines()
    assert 100 < len(left) < 10_001
    # What is marked here would be computed anew if it were not taken from the file.
    marked = left[5].split(",")
    marked[3] = marked[4] = marked[5] = "0.125"
    left[5] = ",".join(marked)
    results.write_text("\n".join(left) + "\n" + left[7][:40])

    assert run("sweep", *many, inside=tmp_path).exit_code == 0

    rows = rows_of(results.read_text())
    assert len(rows) == len({row["key"] for row in rows}) == 10_000
    assert [row["value"] for row in rows if not is_right(row)] == ["0.125"]
    assert [(int(row["n"]), float(row["p"])) for row in rows[:1001:500]] == [
        (1, 0.0),
        (1, pytest.approx(500 / 999)),
        (2, 0.0),
    ]


def test_more_points_keep_those_that_are_there(tmp_path: Path) -> None:
    tree(tmp_path, {"a.seep": ANSWER})
    swept("a.seep", "I(s; o)", "--over", "p=0,1/2", "--output", "r.csv", inside=tmp_path)
    swept("a.seep", "I(s; o)", "--over", "p=1/4,1/2", "--output", "r.csv", inside=tmp_path)
    rows = rows_of((tmp_path / "r.csv").read_text())
    assert [row["p"] for row in rows] == ["0.25", "0.5", "0"]


def test_what_time_cut_short_is_asked_again_with_more_time(tmp_path: Path) -> None:
    tree(tmp_path, {"a.seep": ANSWER})
    swept("a.seep", "I(s; o)", "--over", "p=1/4", "--output", "r.jsonl", inside=tmp_path)
    path = tmp_path / "r.jsonl"
    row = {**json.loads(path.read_text()), "limit": 5.0, "lower": 0, "value": None, "upper": 1}
    path.write_text(json.dumps(row) + "\n")

    swept("a.seep", "I(s; o)", "--over", "p=1/4", "--output", "r.jsonl", "--time-limit", "5", inside=tmp_path)
    assert json.loads(path.read_text())["value"] is None
    swept("a.seep", "I(s; o)", "--over", "p=1/4", "--output", "r.jsonl", "--time-limit", "6", inside=tmp_path)
    assert json.loads(path.read_text())["value"] == pytest.approx(leak(1, 0.25))


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("r.csv", "a,b\n1,2\n"),
        ("r.csv", "\x00\xff"),
        ("r.jsonl", "my notes\n"),
        ("r.jsonl", '{"key": "0000000000000000-0000000000000000"}\n'),
        ("r.jsonl", "[" * 60_000 + "\n"),
    ],
)
def test_a_file_of_something_else_is_left_as_it_is(tmp_path: Path, name: str, content: str) -> None:
    tree(tmp_path, {"a.seep": ANSWER, name: content + "\n"})
    before = (tmp_path / name).read_bytes()
    swept("a.seep", "I(s; o)", "--over", "p=1/4", "--output", name, inside=tmp_path, code=2)
    assert (tmp_path / name).read_bytes() == before


def test_numbers_of_an_edited_program_are_never_put_beside_those_of_another(tmp_path: Path) -> None:
    tree(tmp_path, {"a.seep": ANSWER})
    swept("a.seep", "I(s; o)", "--over", "p=1/4", "--output", "r.csv", inside=tmp_path)
    tree(tmp_path, {"a.seep": ANSWER.replace("o := 0", "o := n")})
    found = run("sweep", "a.seep", "I(s; o)", "--over", "p=1/4", "--output", "r.csv", inside=tmp_path)
    assert found.exit_code == 2
    assert "another program" in found.stderr


@pytest.mark.parametrize(
    "damage",
    [
        {"lower": 2},
        {"upper": "x"},
        {"value": 7},
        {"certainty": "sure"},
        {"unit": "euros"},
        {"lower": None},
        {"limit": -1},
    ],
)
def test_damaged_rows_are_as_if_they_were_not_there(tmp_path: Path, damage: dict[str, Any]) -> None:
    study = Study("a.seep", ANSWER, ("H(s)",), {"p": ("0", "1")}, frozenset(), {}, "bits")
    first, second = study.numbers()
    row = {
        "measure": "H(s)",
        "lower": 1.0,
        "value": 1.0,
        "upper": 1.0,
        "certainty": "exact",
        "unit": "bits",
        "key": first,
    }
    whole = tree(tmp_path, {"r.jsonl": json.dumps(row) + "\n"}) / "r.jsonl"
    assert list(read_results(whole, "jsonl", study).rows) == [first]

    tree(tmp_path, {"r.jsonl": json.dumps({**row, **damage}) + "\n" + json.dumps({**row, "key": second}) + "\n"})
    assert list(read_results(whole, "jsonl", study).rows) == [second]


DYING = (
    "import os\n"
    "from seepage.checking import worker\n"
    "from seepage.sweeps import work\n"
    "def answered(value, real=work.answered):\n"
    "    if any(point == ['1/3'] for point in value['points']): os._exit(7)\n"
    "    return real(value)\n"
    "work.answered = answered\n"
    "worker.main()\n"
)


def test_a_process_that_dies_takes_one_point_with_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "_COMMAND", (sys.executable, "-c", DYING))
    tree(tmp_path, {"a.seep": ANSWER})
    rows = swept("a.seep", "I(s; o)", "--over", "p=0,1/4,1/3,1/2,1", "--jobs", "1", inside=tmp_path, code=1)
    assert [row["fault"] for row in rows] == ["", "", "the process that analyses ended with exit code 7", "", ""]
    assert all(is_right({"n": "1", **row}) for row in rows if not row["fault"])


# --- Parquet ----------------------------------------------------------------------------------------------------------


@pytest.mark.variation(of="test_json_lines_have_the_same_numbers")
def test_parquet_has_the_same_numbers_for_pandas_and_pyarrow(tmp_path: Path) -> None:
    tree(tmp_path, {"a.seep": ANSWER})
    asked = ("a.seep", "I(s; o)", "KL(s || o)", "--over", "n=1,2", "--over", "p=0,1/3,1,2")
    table = swept(*asked, inside=tmp_path, code=1)
    assert run("sweep", *asked, "--output", "r.parquet", inside=tmp_path).exit_code == 1

    frame = pandas.read_parquet(tmp_path / "r.parquet")
    assert list(frame.columns) == list(table[0])
    assert [str(frame[name].dtype) for name in ("n", "p", "value", "limit")] == ["int64", *["float64"] * 3]
    told = parquet.read_table(tmp_path / "r.parquet").to_pylist()
    assert [each["key"] for each in told] == list(frame["key"]) == [row["key"] for row in table]
    for one, row in zip(told, table, strict=True):
        for column in ("p", "lower", "value", "upper"):
            assert one[column] == (float(row[column]) if row[column] else None)
        assert (one["fault"], one["unit"]) == (row["fault"], row["unit"])
    assert math.inf in frame["value"].tolist()  # KL at p = 1: s may be what o, which is 0 then, is not
    assert sorted(each.name for each in tmp_path.iterdir()) == ["a.seep", "r.parquet"]


@pytest.mark.variation(of="test_json_lines_have_the_same_numbers")
def test_a_sweep_to_parquet_is_killed_and_goes_on(tmp_path: Path) -> None:
    tree(tmp_path, {"a.seep": ANSWER})
    many = ("a.seep", "I(s; o)", "--over", "n=1,2,3", "--over", "p=0..1", "--points", "300", "--output", "r.parquet")
    waiting = tmp_path / "r.parquet.waiting.jsonl"
    with started(*many, inside=tmp_path) as process:
        while process.poll() is None and (not waiting.exists() or waiting.stat().st_size < 10_000):
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(0.02)
        process.send_signal(signal.SIGKILL)
    left = waiting.read_text().splitlines()
    assert 10 < len(left) < 900
    # What is marked here would be computed anew if it were not taken from the file.
    marked = {**json.loads(left[5]), "lower": 0.125, "value": 0.125, "upper": 0.125}
    waiting.write_text("\n".join([*left[:5], json.dumps(marked), *left[6:]]) + "\n" + left[7][:40])

    assert run("sweep", *many, inside=tmp_path).exit_code == 0
    assert not waiting.exists()
    rows = parquet.read_table(tmp_path / "r.parquet").to_pylist()
    assert len({row["key"] for row in rows}) == len(rows) == 900
    assert [row["key"] for row in rows if not is_right(row)] == [marked["key"]]

    more = run("sweep", *many[:-4], "--points", "2", *many[-2:], inside=tmp_path)  # p = 0 and 1: all is there
    assert more.exit_code == 0
    assert len(parquet.read_table(tmp_path / "r.parquet")) == 900


@pytest.mark.parametrize("content", ["my notes\n", "PAR1", "PAR1" + "\x00" * 50 + "PAR1"])
def test_what_is_no_parquet_is_left_as_it_is(tmp_path: Path, content: str) -> None:
    tree(tmp_path, {"a.seep": ANSWER, "r.parquet": content})
    found = run("sweep", "a.seep", "I(s; o)", "--over", "p=1/4", "--output", "r.parquet", inside=tmp_path)
    assert found.exit_code == 2
    assert found.stderr.splitlines()[-1].endswith("it is no Parquet file, or is damaged: name another file")
    assert (tmp_path / "r.parquet").read_text() == content


def test_parquet_of_another_table_and_without_its_library_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree(tmp_path, {"a.seep": ANSWER})
    pandas.DataFrame({"x": [1]}).to_parquet(tmp_path / "r.parquet")
    asked = ("sweep", "a.seep", "I(s; o)", "--over", "p=1/4", "--output", "r.parquet")
    assert "other columns" in run(*asked, inside=tmp_path).stderr
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    found = run(*asked, inside=tmp_path)
    assert found.exit_code == 1
    assert found.stderr.endswith("pip install pyarrow, or 'seepage[data]'\n")


# --- what is asked ----------------------------------------------------------------------------------------------------


def test_a_study_is_written_down_in_toml(tmp_path: Path) -> None:
    text = 'program = "a.seep"\nmeasures = "I(s; o)"\noutput = "r.csv"\npoints = 3\n[over]\nn = [1, 3]\np = "0..1"\n'
    tree(tmp_path / "t", {"a.seep": ANSWER, "study.toml": text})
    assert run("sweep", "t/study.toml", inside=tmp_path).exit_code == 0
    rows = rows_of((tmp_path / "t/r.csv").read_text())
    assert len(rows) == 6
    assert all(map(is_right, rows))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("program =", "no TOML"),
        ('program = "a"\nmeasure = "H(s)"', "found 'measure'"),
        ('program = 1\nmeasures = "H(s)"\n[over]\nn = 1', "'program'"),
        ('program = "a"\nmeasures = [1]\n[over]\nn = 1', "'measures'"),
        ('program = "a"\nmeasures = "H(s)"\nover = 3', "'over'"),
        ('program = "a"\nmeasures = "H(s)"\ntime_limit = 0\n[over]\nn = 1', "'time_limit'"),
        ('program = "a"\nmeasures = "H(s)"\nunit = "ban"\n[over]\nn = 1', "another unit"),
        ('program = "a"\nmeasures = "H(s)"\n[over]\nn = []', "'over.n'"),
    ],
)
def test_a_study_with_a_mistake_is_told_in_a_line(text: str, told: str) -> None:
    with pytest.raises(WrongStudy, match=told):
        read_study_file(text)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("I(s; o)",), "expected a measure"),
        (("I(s; o)", "--over", "q=1"), "no parameter or constant 'q'"),
        (("I(s; o)", "--over", "p=1..0"), "expected ends that ascend"),
        (("I(s; o)", "--over", "n=6..1"), "found 'n' from 6 to 1, expected ends that ascend"),
        (("I(s; o)", "--over", "n=1..1000001"), "found 1,000,001 values of 'n'"),
        (("I(s; o)", "--over", "p"), "expected name=low..high"),
        (("I(s; o)", "--over", "p=1", "--over", "p=0"), "varies twice"),
        (("I(s; o)", "--over", "p=1", "--set", "p=0"), "has one value, and varies"),
        (
            ("I(s; o)", "--over", "n=1..6", "--points", "4"),
            "whole constants take each whole number, or those that are listed, as in 'n=1,2,5'",
        ),
        (("I(s; o)", "--over", "p=0..1", "--over", "n=1..40001"), "at most 1,000,000"),
        (("I(s; o)", "I(s; zz)", "--over", "p=0..1"), "'I(s; zz)': unknown name 'zz'"),
        (("I(s)", "--over", "p=0..1"), "'I(s)': found one list of variables"),
        (("I(s;", "--over", "p=0..1"), "'I(s;': the statement ends too early"),
        (("I(s; o)", "--over", "p=1", "--format", "jsonl", "--output", "x.csv"), "beside --format"),
        (("I(s; o)", "--over", "p=1", "--format", "parquet"), "needs --output"),
    ],
)
def test_wrong_use(tmp_path: Path, arguments: Sequence[str], told: str) -> None:
    tree(tmp_path, {"a.seep": ANSWER})
    found = run("sweep", "a.seep", *arguments, inside=tmp_path)
    assert found.exit_code == 2
    assert told in found.stderr


# --- constants --------------------------------------------------------------------------------------------------------


def test_a_constant_may_decide_how_often_a_loop_runs_and_others_follow_it() -> None:
    text = "const n = 2\nconst m = 2*n\nsecret s\noutput k\ns := 0\nfor i in 1..m { b[i] ~ bernoulli(1/2); s := s + b[i] }\nk := s > n\n"
    program = parse(text)
    wider = with_constants(program.checked, {"n": 4})
    assert wider.symbols.consts == {"n": 4, "m": 8}
    chance = sum(math.comb(8, k) for k in range(5, 9)) / 2**8
    assert parse(wider.source.text).measure("P(k == 1)").number == pytest.approx(chance)


@pytest.mark.parametrize(("name", "value"), [("q", 1), ("n", 1)])
def test_a_constant_that_is_not_there_or_cannot_have_a_value_is_refused(name: str, value: int) -> None:
    text = "const n = 2\nparam p = 1\n" if name == "q" else "secret s\ns ~ bernoulli(1/2)\n"
    with pytest.raises(ValueError, match="no constant"):
        with_constants(parse(text).checked, {name: value})


def test_values_are_exact_in_the_spelling_of_programs() -> None:
    checked = parse(ANSWER).checked
    assert values_of(checked, "p", "1/3, 0.1,1/3") == ("1/3", "1/10")
    assert values_of(checked, "p", "0..1", 4) == ("0", "1/3", "2/3", "1")
    assert values_of(checked, "n", "2..4") == ("2", "3", "4")


def test_numbers_of_another_table_have_other_names(tmp_path: Path) -> None:
    text = 'table people from "people.csv"\nparam p in [0, 1] = 1\nrow ~ people\nx := row.age\n'
    study = Study(str(tmp_path / "a.seep"), text, ("H(x)",), {"p": ("0", "1")}, frozenset(), {}, "bits")
    (tmp_path / "people.csv").write_text("age\n1\n2\n", encoding="utf-8")
    before = study.digest

    (tmp_path / "people.csv").write_text("age\n1\n2\n3\n", encoding="utf-8")

    assert study.digest != before
