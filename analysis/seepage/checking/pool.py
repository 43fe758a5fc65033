"""Analyses in processes of their own: as many at a time as wanted, and one that dies takes nothing with it but its file."""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Generic, TypeVar

from seepage.checking.order import Broke, Task, answer_of, task_line
from seepage.deadline import WALL

# "-P": a file of the folder in which the command is run does not stand in for a module.
_COMMAND = (sys.executable, "-P", "-c", "from seepage.checking.worker import main; main()")
_WAIT = 0.2  # seconds between two looks at what is running
# On the wall's clock: what the analysis is given there, and time to start in.
_STARTING = 60.0


A = TypeVar("A")


@dataclass(frozen=True, slots=True)
class Done(Generic[A]):
    """The answer to the order of this number."""

    number: int
    answer: A | Broke


@dataclass(frozen=True, slots=True)
class Event(Generic[A]):
    """An answer, or None where nothing is new, and the numbers of the orders that are being worked on."""

    done: Done[A] | None
    running: tuple[int, ...]


def usable_processors() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@dataclass(slots=True)
class Pool:
    """Processes, kept from one run to the next. Mutable: belongs to one thread, which leaves its block when all is done.

    Attributes:
        jobs: how many work at the same time.
    """

    jobs: int
    _workers: list[_Worker] = field(default_factory=list)

    def __enter__(self) -> Pool:
        """Begin: processes are started when there is work for them."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End all processes, whatever they are doing."""
        for worker in self._workers:
            worker.end()

    def run(self, orders: Sequence[Task[A]]) -> Iterator[Event[A]]:
        """Yield the answer to each order, as they come, and now and then what is being worked on."""
        waiting: queue.SimpleQueue[int] = queue.SimpleQueue()
        for number in range(len(orders)):
            waiting.put(number)
        done: queue.SimpleQueue[Done[A]] = queue.SimpleQueue()
        while len(self._workers) < min(self.jobs, len(orders)):
            self._workers.append(_Worker())
        for worker in self._workers[: len(orders)]:
            threading.Thread(target=worker.work, args=(orders, waiting, done), daemon=True).start()
        left = len(orders)
        while left:
            answer: Done[A] | None
            try:
                answer = done.get(timeout=_WAIT)
                left -= 1
            except queue.Empty:
                answer = None
            yield Event(answer, tuple(each.busy for each in self._workers if each.busy is not None))


@dataclass(slots=True, eq=False)
class _Worker:
    """A process and the thread that talks to it. Mutable: ``process`` is another one after it died."""

    process: subprocess.Popen[bytes] | None = None
    busy: int | None = None
    ended: bool = False

    def work(
        self, orders: Sequence[Task[A]], waiting: queue.SimpleQueue[int], done: queue.SimpleQueue[Done[A]]
    ) -> None:
        """Answer orders until none waits."""
        while not self.ended:
            try:
                number = waiting.get_nowait()
            except queue.Empty:
                return
            self.busy = number
            answer = self._answer(orders[number])
            self.busy = None
            done.put(Done(number, answer))

    def _answer(self, order: Task[A]) -> A | Broke:
        try:
            process = self._started()
        except OSError as error:
            return Broke(f"no process could be started: {os.strerror(error.errno).lower() if error.errno else error}")
        assert process.stdin is not None
        assert process.stdout is not None
        overdue = threading.Event()

        def late() -> None:
            overdue.set()
            process.kill()

        timer = threading.Timer(WALL * order.seconds + _STARTING, late)
        timer.daemon = True
        timer.start()
        try:
            process.stdin.write(task_line(order))
            process.stdin.flush()
            line = process.stdout.readline()
        except (OSError, ValueError):  # the pipe broke, or was closed by another thread that ends all this
            line = b""
        finally:
            timer.cancel()
        if line.endswith(b"\n"):
            return answer_of(line, order)
        process.kill()
        return _ended(process.wait(), late=overdue.is_set())

    def _started(self) -> subprocess.Popen[bytes]:
        if self.process is None or self.process.poll() is not None:
            self.process = subprocess.Popen(
                _COMMAND,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
            if self.ended:  # meanwhile
                self.process.kill()
        return self.process

    def end(self) -> None:
        """End the process."""
        self.ended = True
        if (process := self.process) is not None:
            process.kill()
            process.wait()
            for stream in (process.stdin, process.stdout):
                if stream is not None:
                    with contextlib.suppress(OSError, ValueError, RuntimeError):
                        stream.close()


def _ended(code: int, *, late: bool) -> Broke:
    if late or (sys.platform != "win32" and code == -signal.SIGPROF):
        return Broke("the analysis did not keep its time limit and was ended", out_of_time=True)
    if code >= 0:
        return Broke(f"the process that analyses ended with exit code {code}")
    try:
        name = signal.Signals(-code).name
    except ValueError:
        name = str(-code)
    return Broke(f"the process that analyses was ended from outside ({name})")
