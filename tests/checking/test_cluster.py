"""``--dask``: a real cluster on the loopback whose workers are killed, that goes away, and whose workers are not like us."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import distributed as untyped
import pytest
from tests.checking.trees import HOLDS, VIOLATED, WRONG, run, tree
from tests.sweeps.test_sweep import ANSWER, is_right, rows_of

from seepage.checking import cluster as clusters
from seepage.checking.cluster import Cluster
from seepage.checking.order import Order, answer_of

distributed: Any = untyped  # its classes have no types
pytestmark = pytest.mark.timeout(300)


def new_cluster() -> Any:
    """Two workers of one thread each, processes that are started again when they are killed."""
    return distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0")


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with new_cluster() as cluster:
        yield cluster.scheduler_address


def kill_workers(address: str) -> None:
    with distributed.Client(address, set_as_default=False) as client:
        for pid in client.run(os.getpid).values():
            with contextlib.suppress(ProcessLookupError):  # it may have ended meanwhile
                os.kill(pid, signal.SIGKILL)


GRID = ("a.seep", "I(s; o)", "--over", "n=1,2,3,4,5,6,7,8", "--over", "p=0..1", "--points", "100", "--output", "r.csv")
POINTS = 8 * 100


def test_of_a_sweep_whose_workers_are_killed_nothing_is_lost_and_nothing_told_twice(
    tmp_path: Path, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree(tmp_path, {"a.seep": ANSWER})
    answers: Counter[str] = Counter()
    kills = threading.Thread(target=kill_workers, args=(address,))

    def counted(line: bytes, order: Any) -> Any:
        answers[str((order.group, order.points))] += 1
        if len(answers) == 12:  # in the middle
            kills.start()
        return answer_of(line, order)

    monkeypatch.setattr("seepage.checking.cluster.answer_of", counted)
    found = run("sweep", *GRID, "--dask", address, inside=tmp_path)
    kills.join()

    assert (found.exit_code, found.stdout) == (0, ""), found.output
    rows = rows_of((tmp_path / "r.csv").read_text())
    assert len(rows) == len({row["key"] for row in rows}) == POINTS
    assert all(map(is_right, rows))
    assert set(answers.values()) == {1}


@pytest.mark.variation(of="test_of_a_sweep_whose_workers_are_killed_nothing_is_lost_and_nothing_told_twice")
def test_a_cluster_that_goes_away_leaves_what_it_found_and_a_line(tmp_path: Path) -> None:
    tree(tmp_path, {"a.seep": ANSWER})
    results = tmp_path / "r.csv"
    with new_cluster() as cluster:
        command = [sys.executable, "-m", "seepage", "sweep", *GRID, "--dask", cluster.scheduler_address]
        process = subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True)
        while process.poll() is None and (not results.exists() or results.stat().st_size < 8_000):
            threading.Event().wait(0.02)
    _, told = process.communicate(timeout=60)

    assert process.returncode == 1, told
    assert told.splitlines() == [f"{cluster.scheduler_address}: the connection to the cluster was lost"]
    left = rows_of(results.read_text())
    assert 0 < len(left) < POINTS

    assert run("sweep", *GRID, inside=tmp_path).exit_code == 0  # goes on here
    rows = rows_of(results.read_text())
    assert len(rows) == len({row["key"] for row in rows}) == POINTS
    assert {row["key"] for row in left} <= {row["key"] for row in rows}
    assert all(map(is_right, rows))


def test_check_says_the_same_of_a_tree_as_it_does_here(tmp_path: Path, address: str) -> None:
    tree(
        tmp_path,
        {f"t/{number}.seep": f"{text}// {number}\n" for number, text in enumerate([HOLDS, VIOLATED, WRONG] * 5)},
    )
    tree(
        tmp_path,
        {
            "t/people.csv": "age\n1\n2\n",
            "t/named.seep": 'table people from "people.csv"\nrow ~ people\nx := row.age\nshow H(x)\n',
        },
    )
    asked = ("check", "t", "--no-cache", "--summary")
    here, there = run(*asked, inside=tmp_path), run(*asked, "--dask", address, inside=tmp_path)

    assert (there.exit_code, there.stdout) == (here.exit_code, here.stdout)
    assert "H(x) = 1 bit" in there.stdout


def test_the_last_answers_come_from_other_workers_when_all_are_killed_under_a_tree(
    tmp_path: Path, address: str
) -> None:
    tree(tmp_path, {f"t/{number}.seep": f"{HOLDS}// {number}\n" for number in range(20)})
    kills = threading.Timer(1.0, kill_workers, (address,))
    kills.start()
    found = run("check", "t", "--no-cache", "--quiet", "--summary", "--dask", address, inside=tmp_path)
    kills.join()
    assert (found.exit_code, found.stdout) == (0, "20 programs, 20 pass; budgets: 20 hold\n"), found.output


# --- workers that are not like us -------------------------------------------------------------------------------------


def refused(address: str, inside: Path) -> str:
    tree(inside, {"a.seep": HOLDS, "b.seep": HOLDS})
    found = run("check", "a.seep", "b.seep", "--no-cache", "--dask", address, inside=inside)
    assert (found.exit_code, found.stdout) == (1, ""), found.output
    (line,) = found.stderr.splitlines()
    return line


def test_workers_with_other_code_are_refused(tmp_path: Path, address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clusters, "own_code", lambda: "another")
    assert refused(address, tmp_path) == f"{address}: its workers run another version of Seepage than this one"


def test_workers_that_find_other_files_are_refused(
    tmp_path: Path, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("seepage.checking.order.read_beside", lambda *_: {"named": ["one that is not there"]})
    assert "find other files beside the program" in refused(address, tmp_path)


class _Future:
    """A future whose workers were killed as often as Dask allows."""

    def add_done_callback(self, call: Any) -> None:
        call(self)

    def result(self, timeout: str) -> bytes:
        raise distributed.KilledWorker("seepage-0", None, 3)


class _Client:
    """A cluster on which every question kills its worker."""

    status = "running"

    def submit(self, *_arguments: object, **_options: object) -> _Future:
        return _Future()


def test_a_question_that_kills_its_workers_is_told_and_the_run_goes_on() -> None:
    orders = [Order(f"{number}.seep", HOLDS, "bits", None, 30.0, {}, {}, "") for number in range(3)]
    answers = [event.done for event in Cluster("tcp://here:1", _Client()).run(orders) if event.done is not None]
    assert [(each.number, getattr(each.answer, "reason", "")) for each in answers] == [
        (number, "the workers of the cluster that analysed it died") for number in range(3)
    ]


# --- wrong use --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "code", "told"),
    [
        (["--dask", "here"], 2, "found 'here', expected tcp://HOST:PORT"),
        (["--dask", "http://127.0.0.1:80"], 2, "expected tcp://HOST:PORT"),
        (["--dask", "tcp://127.0.0.1:1", "--jobs", "2"], 2, "--jobs is for processes of this machine"),
        (["--dask", "tcp://127.0.0.1:1"], 1, "tcp://127.0.0.1:1: no Dask scheduler answers there"),
        (["--dask", "tcp://127.0.0.1:99999"], 1, "tcp://127.0.0.1:99999: no Dask scheduler answers there"),
    ],
)
def test_addresses_at_which_nothing_answers_are_told_in_a_line(
    tmp_path: Path, options: Sequence[str], code: int, told: str
) -> None:
    tree(tmp_path, {"a.seep": ANSWER})
    found = run("sweep", "a.seep", "I(s; o)", "--over", "p=0..1", *options, inside=tmp_path)
    assert (found.exit_code, found.stdout) == (code, "")
    assert told in found.stderr.splitlines()[-1]


def test_what_is_not_installed_is_told_in_a_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tree(tmp_path, {"a.seep": ANSWER})
    monkeypatch.setitem(sys.modules, "distributed", None)
    found = run("sweep", "a.seep", "I(s; o)", "--over", "p=0..1", "--dask", "tcp://127.0.0.1:1", inside=tmp_path)
    assert found.exit_code == 1
    assert (
        found.stderr
        == "Error: this needs distributed, which is not installed: pip install distributed, or 'seepage[dask]'\n"
    )
