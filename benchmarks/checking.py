"""``seepage check`` over trees, as a command: from the cache, and in one process or two."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import weakref
from collections.abc import Callable
from pathlib import Path

from benchmarks.task import Job, Task

_UNCHANGED, _SMALL = 500, 100


def _poll(number: int) -> str:
    """Return a poll of three with randomized answers: no two alike."""
    return (
        f"param eps in [0, 10] = {number % 7 + 1}/4\nconst n = 3\nsecret r[n]\noutput o[n]\n"
        f"for i in 1..n {{\n  r[i] ~ bernoulli({number + 1}/{number + 3})\n  t ~ bernoulli(exp(eps) / (exp(eps) + 1))\n"
        "  o[i] := if t then r[i] else !r[i]\n}\nshow I(r[1]; o)\nshow V(r | o)\nrequire I(r[1]; o) <= 1 bits\n"
    )


def _answer(number: int) -> str:
    """Return one randomized answer: no two alike."""
    return (
        f"secret r\noutput o\nr ~ bernoulli({number + 1}/{number + 3})\nt ~ bernoulli(3/4)\n"
        "o := if t then r else !r\nrequire I(r; o) <= 1 bits\n"
    )


def _tree(files: int, text: Callable[[int], str]) -> tuple[Path, dict[str, str]]:
    """Write programs into a new folder, and return it with the variables of runs in it; the folder goes with this process."""
    folder = Path(tempfile.mkdtemp())
    weakref.finalize(_tree, shutil.rmtree, folder, ignore_errors=True)
    for number in range(files):
        path = folder / f"part{number % 10}" / f"poll{number}.seep"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text(number), encoding="utf-8")
    return folder, {**os.environ, "SEEPAGE_CACHE_DIR": str(folder / ".cache")}


def _check(folder: Path, variables: dict[str, str], *options: str) -> None:
    command = [sys.executable, "-m", "seepage", "check", str(folder), *options]
    subprocess.run(command, check=True, env=variables, stdout=subprocess.DEVNULL)


def unchanged_again() -> Job:
    """Check a tree that was checked before."""
    folder, variables = _tree(_UNCHANGED, _answer)
    _check(folder, variables)
    return lambda: _check(folder, variables)


def small_files(jobs: int) -> Job:
    """Check a tree for the first time, so many files at a time."""
    folder, variables = _tree(_SMALL, _poll)
    return lambda: _check(folder, variables, "--no-cache", "--jobs", str(jobs))


def start_command() -> Job:
    """Start the command, and nothing else."""
    command = [sys.executable, "-m", "seepage", "--version"]
    return lambda: subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def start_interpreter() -> Job:
    """Start Python, and nothing else."""
    return lambda: subprocess.run([sys.executable, "-c", "pass"], check=True)


TASKS = {
    "seepage --version": Task(start_command, start_interpreter, "starting Python"),
    f"check {_UNCHANGED} unchanged files": Task(unchanged_again, start_command, "seepage --version"),
    f"check {_SMALL} small files, two at a time": Task(lambda: small_files(2), lambda: small_files(1), "one at a time"),
}
