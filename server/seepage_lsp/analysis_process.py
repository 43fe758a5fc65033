"""A process that works for the server: takes jobs from its standard input, one after the other, and answers on standard output.

Started by :mod:`seepage_lsp.worker`, which may kill it at any moment. It ends when its standard input ends, so
that it never outlives the server.
"""

from __future__ import annotations

import gc
import importlib
import os
import pickle
import queue
import signal
import struct
import sys
import threading
import traceback
from collections.abc import Mapping
from dataclasses import field
from typing import BinaryIO, Literal

from seepage.data_classes import dataclass
from seepage.source import SourceFile

if sys.platform == "linux":
    import resource

HEADER = struct.Struct(">Q")
_PR_SET_PDEATHSIG = 1
# The exit code of a process that the system ended past its time.
ENDED_BY_TIME = None if sys.platform == "win32" else -signal.SIGPROF


@dataclass(frozen=True, slots=True)
class Job:
    """One analysis to run.

    Attributes:
        source: the text.
        unit: of what is shown.
        parameters: values as source text.
        seconds: of a processor that the analysis may take.
        plots: whether to plot the leakage over the domains of parameters, where that is quick.
        project: values from the project file, which budgets are judged at, too; ``parameters`` holds them or others in their place.
    """

    source: SourceFile
    unit: Literal["bits", "nats"]
    parameters: Mapping[str, str]
    seconds: float
    plots: bool = False
    project: Mapping[str, str] = field(default_factory=dict)

    @property
    def subject(self) -> str:
        """What is analysed: a process that knows it already is preferred."""
        return self.source.name


@dataclass(frozen=True, slots=True)
class Order:
    """A job with limits on this process: memory in bytes, and seconds of a processor for the job; None for no limit."""

    job: object
    memory: int | None = None
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Ready:
    """The process has imported what it needs; ``resident`` is its memory in bytes, 0 where that is not known."""

    resident: int = 0


@dataclass(frozen=True, slots=True)
class Partial:
    """What is known of the answer so far."""

    value: object


@dataclass(frozen=True, slots=True)
class Done:
    """The answer; ``resident`` as in :class:`Ready`."""

    value: object
    resident: int = 0


@dataclass(frozen=True, slots=True)
class Failed:
    """The job raised, which is a fault of Seepage; ``summary`` is one line, ``details`` a traceback.

    ``memory`` tells whether memory ran out: then the process is best replaced.
    """

    summary: str
    details: str
    memory: bool = False


def main() -> None:
    """Answer jobs with the function named on the command line as ``module:function``, called with a job and a teller of partial answers."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints must not end among the answers
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C in a terminal is for the server
    _die_with_the_server()
    orders: queue.SimpleQueue[Order] = queue.SimpleQueue()
    threading.Thread(target=_read_orders, args=(orders,), daemon=True).start()

    module, _, function = sys.argv[1].partition(":")
    gc.disable()
    work = getattr(importlib.import_module(module), function)
    gc.freeze()  # what is loaded stays: no collection looks at it again
    gc.enable()
    _send(answers, Ready(resident_bytes()))
    while True:
        order = orders.get()
        _limit_memory(order.memory)
        _limit_time(order.seconds)
        try:
            body = pickle.dumps(Done(work(order.job, lambda value: _send(answers, Partial(value))), resident_bytes()))
        except MemoryError:
            body = pickle.dumps(Failed("out of memory", "", memory=True))
        except (Exception, RecursionError) as error:  # noqa: BLE001  # the process boundary: a fault becomes an answer
            summary = traceback.format_exception_only(error)[-1].strip().splitlines()[0]
            body = pickle.dumps(Failed(summary, traceback.format_exc()))
        _limit_time(None)
        _send_bytes(answers, body)


def _limit_memory(limit: int | None) -> None:
    """Have allocations fail past a limit, where the system can: data of this process, which leaves out what libraries map and share."""
    if sys.platform == "linux":
        hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
        soft = hard if limit is None else limit if hard == resource.RLIM_INFINITY else min(limit, hard)
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


def _limit_time(seconds: float | None) -> None:
    """Have the system end this process after so many seconds of a processor, whatever it does then; where no system does, the server's clock is left."""
    if sys.platform != "win32":
        signal.setitimer(signal.ITIMER_PROF, 0.0 if seconds is None else seconds)


def resident_bytes() -> int:
    """Return the memory of this process that is in use, 0 where that is not known."""
    try:
        with open("/proc/self/statm", "rb") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return 0


def _read_orders(orders: queue.SimpleQueue[Order]) -> None:
    stream = os.fdopen(os.dup(0), "rb")
    while len(header := stream.read(HEADER.size)) == HEADER.size:
        (length,) = HEADER.unpack(header)
        body = stream.read(length)
        if len(body) < length:
            break
        orders.put(pickle.loads(body))
    os._exit(0)


def _die_with_the_server() -> None:
    """Ask Linux to kill this process with its parent, even while a long computation keeps the other threads waiting."""
    if sys.platform == "linux":
        import ctypes

        parent = os.getppid()
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != parent:
            os._exit(0)


def _send(stream: BinaryIO, answer: object) -> None:
    _send_bytes(stream, pickle.dumps(answer))


def _send_bytes(stream: BinaryIO, body: bytes) -> None:
    try:
        stream.write(HEADER.pack(len(body)) + body)
        stream.flush()
    except BrokenPipeError:  # the server is gone, and with it whoever would read this
        os._exit(0)
