"""One process of work for all commands that a process of tests runs: starting one takes a second, most of what such a command takes.

The process is the one that the command itself starts (:mod:`seepage.checking.worker`), which answers any number of orders; here it goes
to the folder of the command first, and outlives the command. Commands that tests run in processes of their own start it as users do.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from seepage.checking import process as processes
from seepage.checking.order import Broke
from seepage.checking.process import WorkProcess

_AT_ITS_FOLDER = """
import json, os
from seepage.checking import worker
answer = worker._answer
def at_its_folder(line):
    os.chdir(json.loads(line)["inside"])
    return answer(line)
worker._answer = at_its_folder
worker.main()
"""
_COMMAND = (sys.executable, "-P", "-c", _AT_ITS_FOLDER)


def lend(patch: pytest.MonkeyPatch) -> None:
    """Have commands of this process borrow the processes that work for them, until ``patch`` is undone."""
    started, answer, end = WorkProcess._started, WorkProcess.answer, WorkProcess.end
    idle: list[subprocess.Popen[bytes]] = []
    busy: set[WorkProcess] = set()

    def borrow(self: WorkProcess) -> subprocess.Popen[bytes]:
        if self.process is None and processes._COMMAND is _COMMAND and idle:
            self.process = idle.pop()
        return started(self)

    def answer_there(self: WorkProcess, line: bytes, seconds: float) -> bytes | Broke:
        busy.add(self)
        found = answer(self, json.dumps({**json.loads(line), "inside": os.getcwd()}).encode() + b"\n", seconds)
        if isinstance(found, bytes):
            busy.discard(self)
        return found

    def give_back(self: WorkProcess) -> None:
        process = self.process
        if process is None or process.args is not _COMMAND or self in busy or process.poll() is not None:
            busy.discard(self)
            end(self)
        else:
            self.ended, self.process = True, None
            idle.append(process)

    patch.setattr(processes, "_COMMAND", _COMMAND)
    patch.setattr(WorkProcess, "_started", borrow)
    patch.setattr(WorkProcess, "answer", answer_there)
    patch.setattr(WorkProcess, "end", give_back)
