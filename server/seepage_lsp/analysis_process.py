"""The process that analyses: takes jobs from its standard input, one after the other, and answers on standard output.

Started by :mod:`seepage_lsp.worker`, which may kill it at any moment. It ends when its standard input ends, so
that it never outlives the server.
"""

from __future__ import annotations

import ctypes
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
from dataclasses import dataclass
from typing import BinaryIO, Literal

from seepage.source import SourceFile

HEADER = struct.Struct(">Q")
_PR_SET_PDEATHSIG = 1


@dataclass(frozen=True, slots=True)
class Job:
    """One analysis to run; ``parameters`` are values as source text, ``seconds`` the time the analysis may take."""

    source: SourceFile
    unit: Literal["bits", "nats"]
    parameters: Mapping[str, str]
    seconds: float


@dataclass(frozen=True, slots=True)
class Ready:
    """The process has imported what it needs."""


@dataclass(frozen=True, slots=True)
class Failed:
    """The analysis raised, which is a fault of Seepage; ``summary`` is one line, ``details`` a traceback."""

    summary: str
    details: str


def main() -> None:
    """Answer jobs with the function named on the command line as ``module:function``."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints must not end among the answers
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C in a terminal is for the server
    _die_with_the_server()
    jobs: queue.SimpleQueue[Job] = queue.SimpleQueue()
    threading.Thread(target=_read_jobs, args=(jobs,), daemon=True).start()

    module, _, function = sys.argv[1].partition(":")
    analyze = getattr(importlib.import_module(module), function)
    _send(answers, Ready())
    while True:
        job = jobs.get()
        try:
            answer = pickle.dumps(analyze(job))
        except (Exception, RecursionError) as error:  # noqa: BLE001  # the process boundary: a fault becomes an answer
            summary = traceback.format_exception_only(error)[-1].strip().splitlines()[0]
            answer = pickle.dumps(Failed(summary, traceback.format_exc()))
        _send_bytes(answers, answer)


def _read_jobs(jobs: queue.SimpleQueue[Job]) -> None:
    stream = os.fdopen(os.dup(0), "rb")
    while len(header := stream.read(HEADER.size)) == HEADER.size:
        (length,) = HEADER.unpack(header)
        body = stream.read(length)
        if len(body) < length:
            break
        jobs.put(pickle.loads(body))
    os._exit(0)


def _die_with_the_server() -> None:
    """Ask Linux to kill this process with its parent, even while a long computation keeps the other threads waiting."""
    if sys.platform == "linux":
        parent = os.getppid()
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != parent:
            os._exit(0)


def _send(stream: BinaryIO, answer: object) -> None:
    _send_bytes(stream, pickle.dumps(answer))


def _send_bytes(stream: BinaryIO, body: bytes) -> None:
    stream.write(HEADER.pack(len(body)) + body)
    stream.flush()
