"""``python -m benchmarks.latency``: what a user waits for, over the wire: medians and worst of hundreds, beside their targets."""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable, Iterator

from tests.server.raw_client import raw_client

from benchmarks import python_files
from benchmarks.editing import EXAMPLE, REAL, SCRIPTED, Session, processor_seconds, resident, session

TIMES = 200
KEY_PRESSES = 600
LONG = "".join(f"x{number} ~ flip(1/2)\n" for number in range(1_000))
BUSY = "secret r\nr ~ flip(1/2)\n// busy 600\n"
A, C = "file:///a.seep", "file:///c.py"


def main(words: list[str]) -> None:
    """Print a table: task, median, worst, target; of the tasks that have one of ``words`` in their name, if any are given."""
    print(f"{'':52}{'median':>12}{'worst':>12}{'target':>12}")
    for name, measure, target in _MEASURES:
        if words and not any(word in name for word in words):
            continue
        times = list(measure())
        unit = "MB" if name.startswith("memory") else "ms"
        factor = 1 / 2**20 if unit == "MB" else 1_000
        middle, worst = statistics.median(times) * factor, max(times) * factor
        print(f"{name:52}{middle:>9.1f} {unit}{worst:>9.1f} {unit}{target:>9} {unit}", flush=True)


def initialize(*, processor: bool) -> Callable[[], Iterator[float]]:
    """From the start of the process to the answer to initialize."""

    def measure() -> Iterator[float]:
        for _ in range(10):
            started = time.perf_counter()
            with raw_client(REAL) as client:
                client.request(0, "initialize", {"processId": None, "rootUri": None, "capabilities": {}})
                took = time.perf_counter() - started
                yield processor_seconds(client.process.pid) if processor else took

    return measure


def keystroke(*, processor: bool) -> Callable[[], Iterator[float]]:
    """From a key press in a file of 1,000 lines to its findings, while the analyses of two other files run."""

    def measure() -> Iterator[float]:
        with session(SCRIPTED, timeLimit=1_000, run="onSave") as one:
            _keep_busy(one, 2)
            one.open(A, LONG)
            one.until_findings(A)
            for number in range(KEY_PRESSES):
                used = one.processor_seconds()
                started = one.insert(A, (number * 37) % 1_000, 0, "y" if number % 2 else "(")
                took = one.until_findings(A) - started
                yield one.processor_seconds() - used if processor else took

    return measure


def python_keystroke(*, processor: bool) -> Callable[[], Iterator[float]]:
    """From a key press in a marked function of 2,000 lines of Python to its findings, while the analysis of another file runs."""

    def measure() -> Iterator[float]:
        lines = python_files.text(" + 1").split("\n")
        place = lines.index("    return found + 1")
        with session(SCRIPTED, timeLimit=1_000, run="onSave") as one:
            _keep_busy(one)
            one.open(C, "\n".join(lines))
            one.until_findings(C)
            for number in range(TIMES):
                used = one.processor_seconds()
                started = one.replace(
                    C, place, len("    return found + "), len("    return found + 1"), str(number % 9 + 1)
                )
                took = one.until_findings(C) - started
                yield one.processor_seconds() - used if processor else took

    return measure


def asked(method: str, **more: object) -> Callable[[], Iterator[float]]:
    """From a request about known results to its answer, while the analysis of another file runs."""

    def measure() -> Iterator[float]:
        with session(SCRIPTED, timeLimit=1_000) as one:
            one.open(A, EXAMPLE.read_text(encoding="utf-8"))
            one.until_analysed()
            _keep_busy(one)
            for _ in range(10):
                one.ask(method, A, **more)
            for _ in range(TIMES):
                yield one.ask(method, A, **more)[0]

    return measure


def saved(edited: Callable[[str, int], str], *, processor: bool = False) -> Callable[[], Iterator[float]]:
    """From saving an example after an edit to all of its results, formulas too; of the ``processor``, what server and workers take."""

    def measure() -> Iterator[float]:
        text = EXAMPLE.read_text(encoding="utf-8")
        with session() as one:
            one.open(A, text)
            one.until_analysed()
            for number in range(20):
                one.change(A, edited(text, number))
                used = one.all_processor_seconds()
                started = one.save(A)
                took = one.until_analysed() - started
                yield one.all_processor_seconds() - used if processor else took

    return measure


def overtaken() -> Iterator[float]:
    """From saving an example to all of its results, a second after an edit that overtook the analysis of another save."""
    text = EXAMPLE.read_text(encoding="utf-8")
    with session() as one:
        one.open(A, text)
        one.until_analysed()
        for number in range(20):
            law = _other_law(text, number)
            one.change(A, law)
            one.save(A)
            time.sleep(0.02)
            one.change(A, law + "show H(o)\n")
            time.sleep(1.0)
            started = one.save(A)
            yield one.until_analysed() - started


def _other_value(text: str, number: int) -> str:
    return text.replace("[0, 10] = 1\n", f"[0, 10] = {number % 7 + 1}/{number + 3}\n")


def _other_law(text: str, number: int) -> str:
    return text.replace("(exp(eps) + 1)", f"(exp(eps) + {number + 2})")


def _other_comment(text: str, number: int) -> str:
    return f"// {number}\n{text}"


def memory() -> Iterator[float]:
    """The server and its workers after an analysis."""
    with session() as one:
        one.open(A, EXAMPLE.read_text(encoding="utf-8"))
        one.until_analysed()
        yield float(sum(map(resident, [one.client.process.pid, *one.client.children()])))


def many_documents(wanted: Callable[[Session], float]) -> Callable[[], Iterator[float]]:
    """The same with 200 open documents."""

    def measure() -> Iterator[float]:
        text = EXAMPLE.read_text(encoding="utf-8")
        with session(SCRIPTED, run="manual") as one:
            for number in range(200):
                one.open(f"file:///{number}.seep", text)
            one.ask("textDocument/codeLens", "file:///199.seep")
            for _ in range(100):
                yield wanted(one)

    return measure


def _type_in_one(one: Session) -> float:
    uri = "file:///0.seep"
    started = one.insert(uri, 0, 0, "/")
    return one.until_findings(uri) - started


def _keep_busy(one: Session, analyses: int = 1) -> None:
    for number in range(analyses):
        uri = f"file:///busy-{number}.seep"
        one.open(uri, BUSY)
        one.client.wait_until_analysing()
        one.until_findings(uri)


_HOVER = {"position": {"line": 13, "character": 7}}
_MEASURES: list[tuple[str, Callable[[], Iterator[float]], int]] = [
    ("process start to initialize", initialize(processor=False), 1_000),
    ("process start to initialize, processor", initialize(processor=True), 300),
    ("key press to findings, 1,000 lines, two analyses", keystroke(processor=False), 30),
    ("key press to findings, 1,000 lines, processor", keystroke(processor=True), 30),
    ("key press to findings, 2,000 lines of Python, busy", python_keystroke(processor=False), 30),
    ("the same, time of the server's processor", python_keystroke(processor=True), 30),
    ("hover, busy", asked("textDocument/hover", **_HOVER), 15),
    ("lenses, busy", asked("textDocument/codeLens"), 15),
    ("save another value of a parameter to all results", saved(_other_value), 250),
    ("save another law to all results", saved(_other_law), 250),
    ("save another law to all results, processor", saved(_other_law, processor=True), 250),
    ("save another comment to all results", saved(_other_comment), 250),
    ("save a second after an edit during an analysis", overtaken, 250),
    ("memory of server and workers", memory, 250),
    ("key press to findings, 200 documents", many_documents(_type_in_one), 30),
    ("memory of server, 200 documents", many_documents(lambda one: float(resident(one.client.process.pid))), 250),
]

if __name__ == "__main__":
    main(sys.argv[1:])
