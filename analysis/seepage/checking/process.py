"""One process that works, and what becomes of its questions: a line in, a line out, and why there is none where it died."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading

from seepage.checking.order import Broke
from seepage.data_classes import dataclass
from seepage.deadline import WALL

# "-P": a file of the folder in which the command is run does not stand in for a module.
_COMMAND = (sys.executable, "-P", "-c", "from seepage.checking.worker import main; main()")
# On the wall's clock: what the analysis is given there, and time to start in.
_STARTING = 60.0


@dataclass(slots=True, eq=False)
class WorkProcess:
    """A process that belongs to one thread, and that another thread may end. Mutable: ``process`` is another one after it died."""

    process: subprocess.Popen[bytes] | None = None
    ended: bool = False

    def answer(self, line: bytes, seconds: float) -> bytes | Broke:
        """Return the line that answers a line, of which the work may take so many seconds of a processor."""
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

        timer = threading.Timer(WALL * seconds + _STARTING, late)
        timer.daemon = True
        timer.start()
        try:
            process.stdin.write(line)
            process.stdin.flush()
            answer = process.stdout.readline()
        except (OSError, ValueError):  # the pipe broke, or was closed by another thread that ends all this
            answer = b""
        finally:
            timer.cancel()
        if answer.endswith(b"\n"):
            return answer
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
