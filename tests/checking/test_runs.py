"""Runs over trees: processes, order, what dies, what is told, exit codes."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.checking.trees import HOLDS, LEAKY, UNDECIDED, VIOLATED, WRONG, reports, run, tree

from seepage.checking import process as processes
from seepage.checking.cache import VARIABLE
from seepage.checking.order import Broke, Order
from seepage.checking.pool import Pool
from seepage.checking.running import Progress
from seepage.cli.progress import ProgressLine

COMMAND = [sys.executable, "-m", "seepage"]


@pytest.fixture(scope="module")
def tree_of_all_kinds(tmp_path_factory: pytest.TempPathFactory) -> Path:
    files = {"a.seep": HOLDS, "b/c.seep": VIOLATED, "b/d.seep": WRONG, "e.seep": UNDECIDED, "f.seep": ""}
    return tree(tmp_path_factory.mktemp("mixed"), files)


@pytest.fixture
def mixed(tree_of_all_kinds: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The tree, with a cache that the tests share."""
    monkeypatch.setenv(VARIABLE, str(tmp_path_factory.getbasetemp() / "cache-of-mixed"))
    return tree_of_all_kinds


NAMES = ["a.seep", "b/c.seep", "b/d.seep", "e.seep", "f.seep"]


def test_a_tree_is_told_in_the_order_of_names_with_the_codes_of_before(mixed: Path) -> None:
    done = run("check", ".", inside=mixed)

    assert done.exit_code == 1
    assert [line for line in done.stdout.splitlines() if line in NAMES] == NAMES[:-1]
    assert done.stderr == "f.seep: the file is empty, expected a Seep program\n"
    assert [each["file"] for each in reports(".", inside=mixed)] == NAMES


def test_a_tree_says_what_its_files_say_alone_however_many_work(mixed: Path) -> None:
    alone = [reports(name, inside=mixed)[0] for name in NAMES]

    together = reports(".", "--jobs", "2", "--no-cache", inside=mixed)

    assert [without_times(each) for each in together] == [without_times(each) for each in alone]


def without_times(value: object) -> object:
    match value:
        case dict():
            return {key: without_times(each) for key, each in value.items() if key != "seconds"}
        case list():
            return [without_times(each) for each in value]
        case _:
            return value


def test_a_list_is_json_also_where_a_folder_holds_one_file(tmp_path: Path) -> None:
    tree(tmp_path, {"w/a.seep": HOLDS})

    assert isinstance(json.loads(run("check", "w", "--format", "json", inside=tmp_path).stdout), list)
    assert isinstance(json.loads(run("check", "w/a.seep", "--format", "json", inside=tmp_path).stdout), dict)


def test_standard_input_has_the_name_it_is_given_and_its_project(tmp_path: Path) -> None:
    tree(tmp_path, {"w/seepage.toml": 'unit = "nats"\n'})

    done = run("check", "-", "--stdin-filename", "w/new.seep", inside=tmp_path, text=f"{WRONG}show H(s)\n")
    nats = run("check", "-", "--stdin-filename", "w/new.seep", inside=tmp_path, text=f"{LEAKY}show H(s)\n")
    plain = run("check", "-", inside=tmp_path, text=f"{LEAKY}show H(s)\n")

    assert (done.exit_code, done.stdout.startswith("w/new.seep:4:10: error[SEEP")) == (1, True)
    assert "show H(s) = 0.6931471806 nats" in nats.stdout
    assert (plain.exit_code, "show H(s) = 1 bit" in plain.stdout) == (0, True)


@pytest.mark.parametrize("options", [["--fix"], ["--watch"]])
def test_standard_input_is_not_mended_or_watched(options: list[str], tmp_path: Path) -> None:
    assert run("check", "-", *options, inside=tmp_path, text=HOLDS).exit_code == 2


def test_undecided_budgets_fail_unless_they_are_to_warn(mixed: Path) -> None:
    assert run("check", "e.seep", inside=mixed).exit_code == 1
    assert run("check", "e.seep", "--undecided", "warn", inside=mixed).exit_code == 0
    assert run("check", "b/c.seep", "--undecided", "warn", inside=mixed).exit_code == 1


def test_a_wrong_project_ends_the_run_before_anything_is_told(tmp_path: Path) -> None:
    tree(tmp_path, {"a.seep": HOLDS, "b/c.seep": HOLDS, "b/seepage.toml": "unit = 3\n"})

    done = run("check", ".", inside=tmp_path)

    assert (done.exit_code, done.stdout) == (2, "")
    assert "seepage.toml:1: 'unit' is 3" in done.stderr


def test_a_value_of_the_project_that_is_none_is_wrong_use(tmp_path: Path) -> None:
    program = LEAKY.replace("1/4", "p")
    tree(
        tmp_path,
        {"a.seep": f"param p in [0, 1]\n{program}", "b.seep": HOLDS, "seepage.toml": '[parameters]\np = "x"\n'},
    )

    assert run("check", ".", inside=tmp_path).exit_code == 2


# --- what is told -----------------------------------------------------------------------------------------------------


def test_a_quiet_run_tells_what_is_wrong_alone(mixed: Path) -> None:
    assert run("check", "a.seep", "--quiet", inside=mixed).output == ""

    told = run("check", ".", "--quiet", inside=mixed)

    assert "secret  seen by" not in told.stdout
    assert [line.split(":")[0] for line in told.stdout.splitlines() if "[SEEP" in line] == [
        "b/c.seep",
        "b/d.seep",
        "e.seep",
        "e.seep",
    ]


def test_the_summary_counts(mixed: Path) -> None:
    expected = (
        "5 programs, 1 passes: 1 not analysed, 2 errors, 2 warnings; budgets: 1 holds, 1 is violated, 1 is undecided"
    )

    assert run("check", ".", "--summary", inside=mixed).stdout.splitlines()[-1] == expected
    assert run("check", ".", "--summary", "--format", "github", inside=mixed).stderr == f"{expected}\n"


ADVICE = "secret s\noutput o\ns ~ bernoulli(1/2)\nx := 3\no := s\nrequire I(s; o) <= 1\n"


def codes(folder: Path, *options: str) -> set[str]:
    (found,) = reports("a.seep", *options, inside=folder)
    return {each["code"] for each in found["diagnostics"]}


def test_findings_are_selected_and_ignored_by_code_name_and_beginning(tmp_path: Path) -> None:
    tree(tmp_path, {"a.seep": ADVICE})
    every = codes(tmp_path)
    assert "SEEP150" in every
    assert len(every) > 1

    assert codes(tmp_path, "--ignore", "SEEP150") == every - {"SEEP150"}
    assert codes(tmp_path, "--ignore", "unused-variable") == every - {"SEEP150"}
    assert codes(tmp_path, "--ignore", "SEEP1,SEEP5") == {
        each for each in every if not each.startswith(("SEEP1", "SEEP5"))
    }
    assert codes(tmp_path, "--select", "SEEP150") == {"SEEP150"}
    assert codes(tmp_path, "--select", "SEEP1", "--ignore", "SEEP150") == set()


def test_what_keeps_people_from_being_misled_is_told_in_any_case(mixed: Path) -> None:
    done = run("check", "b/c.seep", "e.seep", "--select", "SEEP150", inside=mixed)
    assert "SEEP510" in done.stdout
    assert "SEEP511" in done.stdout

    refused = run("check", ".", "--ignore", "SEEP510", inside=mixed)
    assert (refused.exit_code, "'SEEP510' cannot be left out" in refused.stderr) == (2, True)
    assert run("check", ".", "--ignore", "nonsense", inside=mixed).exit_code == 2


@pytest.mark.parametrize(
    ("options", "variables", "coloured"),
    [
        ([], {}, False),  # a pipe
        (["--color", "always"], {}, True),
        (["--color", "always"], {"NO_COLOR": "1"}, True),
        (["--color", "never"], {}, False),
    ],
)
def test_colours_are_for_terminals_and_for_who_asks(
    mixed: Path, options: list[str], variables: dict[str, str], coloured: bool
) -> None:
    done = subprocess.run(
        [*COMMAND, "check", "b/c.seep", *options],
        cwd=mixed,
        capture_output=True,
        check=False,
        env={**os.environ, **variables},
    )

    assert (b"\x1b[31" in done.stdout) == coloured


# --- what dies --------------------------------------------------------------------------------------------------------


def order(name: str, text: str = HOLDS, seconds: float = 30.0) -> Order:
    return Order(name, text, "bits", None, seconds, {}, {}, "")


def test_a_process_that_is_killed_takes_nothing_with_it_but_its_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first process is killed while it works; the other files are answered, in a new one where it must be."""
    orders = [order(f"{number}.seep") for number in range(4)]
    killed: list[int] = []
    with Pool(1) as pool:
        answers = {}
        for event in pool.run(orders):
            if event.done is not None:
                answers[event.done.number] = event.done.answer
            if not killed and 1 in answers and (process := pool._workers[0].process.process) is not None:
                process.kill()
                killed.append(process.pid)
    broken = [each for each in answers.values() if isinstance(each, Broke)]

    assert sorted(answers) == [0, 1, 2, 3]
    assert killed
    assert len(broken) <= 1
    assert all("(SIGKILL)" in each.reason for each in broken)


# What dies does so before the library is loaded, which takes most of the time of a process.
DYING = (
    "import os, signal, sys, types\n"
    "from importlib import import_module\n"
    "from seepage.checking import worker\n"
    "def answered(value):\n"
    "    match value['name']:\n"
    "        case 'dies.seep': os.kill(os.getpid(), signal.SIGKILL)\n"
    "        case 'exits.seep': os._exit(7)\n"
    "        case 'raises.seep': raise ValueError('a fault of Seepage')\n"
    "        case 'starves.seep': raise MemoryError\n"
    "        case 'late.seep':\n"
    "            while True: pass\n"
    "    worker._limit(None)\n"  # loading takes longer than the limit of this test
    "    return import_module('seepage.checking.work').answered(value)\n"
    "sys.modules['dying'] = types.SimpleNamespace(answered=answered)\n"
    "worker._WORK, worker.GRACE_SECONDS = {'check': 'dying'}, 0.1\n"
    "worker.main()\n"
)


@pytest.fixture
def dying(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "_COMMAND", (sys.executable, "-c", DYING))


@pytest.mark.usefixtures("dying")
def test_what_dies_is_told_in_a_line_with_a_rule_and_the_others_stay(tmp_path: Path) -> None:
    names = ["dies", "exits", "late", "raises", "starves", "well"]
    tree(tmp_path, {f"{name}.seep": HOLDS for name in names})
    told = [
        ("SEEP982", "the process that analyses was ended from outside (SIGKILL)"),
        ("SEEP982", "the process that analyses ended with exit code 7"),
        ("SEEP513", "the analysis did not keep its time limit and was ended"),
        ("SEEP982", "ValueError: a fault of Seepage"),
        ("SEEP982", "it ran out of memory"),
    ]

    *broken, well = reports(".", "--time-limit", "0.1", "--jobs", "2", inside=tmp_path)

    assert [(each["error"]["code"], each["error"]["message"]) for each in broken] == told
    assert [answer["verdict"] for answer in well["answers"]] == ["holds"]


def started(*arguments: str, inside: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*COMMAND, "check", *arguments], cwd=inside, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def children_of(pid: int) -> list[int]:
    """Return the processes that any thread of a process has started."""
    found: list[int] = []
    for path in Path(f"/proc/{pid}/task").glob("*/children"):
        with contextlib.suppress(OSError):  # the thread, or the process, has ended meanwhile
            found += map(int, path.read_text(encoding="utf-8").split())
    return found


def test_an_interrupt_ends_all_processes_with_one_line(tmp_path: Path) -> None:
    slow = (
        "x ~ normal(0, 1)\n"
        + "".join(f"y{n} ~ normal(x * x, {n + 1})\n" for n in range(6))
        + "show I(x; y0, y1, y2, y3)\n"
    )
    tree(tmp_path, {f"{number}.seep": slow for number in range(40)})
    with started(".", "--jobs", "2", inside=tmp_path) as running:
        children: list[int] = []
        while len(children) < 2 and running.poll() is None:
            children = children_of(running.pid)
            time.sleep(0.02)
        running.send_signal(signal.SIGINT)
        _, told = running.communicate()

    assert (running.returncode, told.splitlines()[-1]) == (130, "interrupted")
    assert not [pid for pid in children if Path(f"/proc/{pid}").exists()]


def test_a_watch_checks_again_when_a_file_changes_and_ends_with_an_interrupt(tmp_path: Path) -> None:
    tree(tmp_path, {"a.seep": HOLDS})
    with started(".", "--watch", "--summary", inside=tmp_path) as running:
        assert running.stdout is not None

        def next_summary() -> str:
            assert running.stdout is not None
            return next(line for line in running.stdout if line.startswith(("1 program", "2 programs")))

        assert next_summary() == "1 program, 1 passes; budgets: 1 holds\n"
        (tmp_path / "a.seep").write_text(VIOLATED + " ", encoding="utf-8")
        assert next_summary() == "1 program, 0 pass: 1 error; budgets: 1 is violated\n"
        (tmp_path / "b.seep").write_text(HOLDS, encoding="utf-8")
        assert next_summary() == "2 programs, 1 passes: 1 error; budgets: 1 holds, 1 is violated\n"
        running.send_signal(signal.SIGINT)
        _, told = running.communicate()

    assert (running.returncode, told.splitlines()[-1]) == (130, "interrupted")


# --- progress ---------------------------------------------------------------------------------------------------------


def test_progress_is_one_line_that_says_how_far_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    now = iter([100.0, 103.2, 104.0])
    line = ProgressLine(on=True, clock=lambda: next(now))

    line.tell(Progress(12, 500, ("tree/a.seep", "tree/b\x1b.seep")))
    line.tell(Progress(13, 500, ()))
    line.clear()
    line.clear()

    erase = "\r\x1b[2K"
    assert capsys.readouterr().err == f"{erase}12 of 500 · 3 s · tree/a.seep and 1 more{erase}13 of 500 · 4 s{erase}"


def test_there_is_no_progress_where_nobody_sees_it(mixed: Path) -> None:
    files = ("a.seep", "b/c.seep", "f.seep")

    done = subprocess.run(
        [*COMMAND, "check", *files, "--no-cache", "--jobs", "1"], cwd=mixed, capture_output=True, check=False
    )

    assert done.stderr == b"f.seep: the file is empty, expected a Seep program\n"
