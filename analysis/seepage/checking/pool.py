"""Analyses in processes of their own: as many at a time as wanted, and one that dies takes nothing with it but its file."""

from __future__ import annotations

import os
import queue
import threading
from collections.abc import Iterator, Sequence
from dataclasses import field
from types import TracebackType
from typing import Generic, Protocol, TypeVar

from seepage.checking.order import Broke, Task, answer_of, task_line
from seepage.checking.process import WorkProcess
from seepage.data_classes import dataclass

WAIT = 0.2  # seconds between two looks at what is running

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


class Workers(Protocol):
    """Whoever answers orders: processes of this machine, or a cluster."""

    @property
    def jobs(self) -> int:
        """How many orders are answered at the same time."""
        ...

    def run(self, orders: Sequence[Task[A]]) -> Iterator[Event[A]]:
        """Yield the answer to each order, as they come, and now and then what is being worked on."""
        ...


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
            worker.process.end()

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
                answer = done.get(timeout=WAIT)
                left -= 1
            except queue.Empty:
                answer = None
            yield Event(answer, tuple(each.busy for each in self._workers if each.busy is not None))


@dataclass(slots=True, eq=False)
class _Worker:
    """A process and the thread that talks to it. Mutable: ``busy`` is the order that it works on."""

    process: WorkProcess = field(default_factory=WorkProcess)
    busy: int | None = None

    def work(
        self, orders: Sequence[Task[A]], waiting: queue.SimpleQueue[int], done: queue.SimpleQueue[Done[A]]
    ) -> None:
        """Answer orders until none waits."""
        while not self.process.ended:
            try:
                number = waiting.get_nowait()
            except queue.Empty:
                return
            self.busy = number
            order = orders[number]
            found = self.process.answer(task_line(order), order.seconds)
            answer = found if isinstance(found, Broke) else answer_of(found, order)
            self.busy = None
            done.put(Done(number, answer))
