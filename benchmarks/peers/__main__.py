"""Asks both sides, and prints a table: ``python -m benchmarks.peers --python OTHER/bin/python``."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from dataclasses import dataclass

from benchmarks.peers.tasks import TASKS, Side, Task

_TIMES = 2
_LIMIT = 300  # seconds of one process
_TOLD = "\nprint(__import__('json').dumps([value if isinstance(value, tuple) else [float(value)] * 2, __import__('time').perf_counter() - begin]))"


@dataclass(frozen=True, slots=True)
class Told:
    """What a side answered.

    Attributes:
        lower, upper: the number, or its bounds.
        asked: seconds of the question, of the fastest of some.
        whole: seconds of the process with all that it loads.
    """

    lower: float
    upper: float
    asked: float
    whole: float


def ask(python: str, side: Side) -> Told | str:
    """Return what a side answers in an interpreter, or the last line of what went wrong."""
    text = f"{side.loaded}\nbegin = __import__('time').perf_counter()\n{side.asked}{_TOLD}"
    found = []
    for _ in range(_TIMES):
        begin = time.perf_counter()
        try:
            done = subprocess.run([python, "-c", text], capture_output=True, text=True, timeout=_LIMIT, check=False)
        except subprocess.TimeoutExpired:
            return f"no answer within {_LIMIT} s"
        if done.returncode != 0:
            return (done.stderr.strip().splitlines() or [f"exit {done.returncode}"])[-1]
        (lower, upper), asked = json.loads(done.stdout.strip().splitlines()[-1])
        found.append(Told(lower, upper, asked, time.perf_counter() - begin))
    return Told(found[0].lower, found[0].upper, min(each.asked for each in found), min(each.whole for each in found))


def versions(python: str) -> dict[str, str]:
    """Return the versions of the other tools that an interpreter has; those that it has not are left out."""
    names = sorted({task.peer for task in TASKS})
    text = (
        "import json, importlib.metadata as m\nfound = {}\n"
        f"for name in {names!r}:\n    try: found[name] = m.version(name)\n    except m.PackageNotFoundError: pass\n"
        "print(json.dumps(found))"
    )
    done = subprocess.run([python, "-c", text], capture_output=True, text=True, check=True)
    found: dict[str, str] = json.loads(done.stdout)
    return found


def row(task: Task, python: str, known: dict[str, str]) -> str:
    """Return the line of a table for a task."""
    ours = ask(sys.executable, task.ours)
    there = task.peer in known
    theirs = ask(python, task.theirs) if there else "not installed"
    name = f"{task.peer} {known[task.peer]}" if there else task.peer
    return f"| {task.title} | {_told(ours)} | {name} | {_told(theirs)} |"


def _told(side: Told | str) -> str:
    if isinstance(side, str):
        return f"{side} | | "
    sure = side.upper - side.lower <= 1e-9 * abs(side.upper)
    number = f"{side.upper:.9g}" if sure else f"{side.lower:.6g} to {side.upper:.6g}"
    return f"{number} | {side.asked:.3f} | {side.whole:.2f}"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.peers", description=__doc__)
    parser.add_argument(
        "--python", required=True, help="an interpreter with " + ", ".join({task.peer for task in TASKS})
    )
    python = parser.parse_args().python
    known = versions(python)
    print("| question | Seepage | asked, s | process, s | other | told | asked, s | process, s |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for task in TASKS:
        print(row(task, python, known), flush=True)


if __name__ == "__main__":
    main()
