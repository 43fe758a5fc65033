"""A process that works for :mod:`seepage.checking.pool`: orders from standard input, one after the other, answers on standard output.

It may be killed at any moment, and ends when its standard input does, so that it never outlives who started it.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import sys
import threading
import traceback
from collections.abc import Mapping
from importlib import import_module
from typing import Any

from seepage.checking.order import read_beside

# The analysis keeps its time limit; so much later, in seconds of a processor, the system ends the process.
GRACE_SECONDS = 5.0
# Modules that work, each with a function "answered" from the value of a task to that of its answer.
_WORK: Mapping[str, str] = {
    "check": "seepage.checking.work",
    "sweep": "seepage.sweeps.work",
    "report": "seepage.reporting.work",
}


def main() -> None:
    """Answer orders until there are no more."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints must not end among the answers
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C in a terminal is for who started this process
    orders: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_read, args=(orders,), daemon=True).start()
    while True:
        line = orders.get()
        answers.write(json.dumps(_answer(line)).encode() + b"\n")
        answers.flush()
        _limit(None)


def _read(orders: queue.SimpleQueue[bytes]) -> None:
    for line in sys.stdin.buffer:
        orders.put(line)
    os._exit(0)  # in the middle of an analysis, too: nobody waits for it


def _answer(line: bytes) -> dict[str, object]:
    try:
        message = json.loads(line)
        _limit(message["seconds"] + GRACE_SECONDS)
        if "folder" in message and not _finds_the_same(message):
            return {"unfit": True}
        return {"answer": import_module(_WORK[message["work"]]).answered(message["value"])}
    except MemoryError:
        return {"broke": "it ran out of memory", "late": False}
    except Exception as error:  # noqa: BLE001  # the process boundary: a fault becomes an answer
        return {"broke": traceback.format_exception_only(error)[-1].strip().splitlines()[0], "late": False}


def _finds_the_same(message: Mapping[str, Any]) -> bool:
    """Tell whether all that the answer depends on is here as it is where the question comes from (:func:`seepage.checking.order.distant_line`)."""
    with contextlib.suppress(OSError):
        os.chdir(message["folder"])
    value = message["value"]
    return bool(read_beside(value["name"], value["text"]) == message["beside"])


def _limit(seconds: float | None) -> None:
    """Have the system end this process after so many seconds of a processor; where no system does, the clock of the other side is left."""
    if sys.platform != "win32":
        signal.setitimer(signal.ITIMER_PROF, 0.0 if seconds is None else seconds)
