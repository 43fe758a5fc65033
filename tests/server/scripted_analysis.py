"""An analysis that does what comments in the program tell it, to see what the server makes of it."""

from __future__ import annotations

import os
import re
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from seepage.diagnostics import Diagnostic
from seepage.rules import UNDEFINED_VALUE
from seepage.source import Span
from seepage_lsp.analysis_process import Job

if TYPE_CHECKING:
    from seepage.pipeline import Analysis

_ORDER = re.compile(r"// (sleep|crash|die|raise|print|find|busy|eat|keep|garbage|tell) ?(.*)")

_kept: list[bytes] = []


def analyze(job: Job, tell: object = None) -> object:
    """Follow the orders in the text from top to bottom, then return an analysis with what was to be found."""
    return _follow(job, tell, _analysis)


def bare(job: Job, tell: object = None) -> object:
    """Do the same, and leave it to who reads the answer to make an analysis of it: the engines take most of the time of a process that starts."""
    return _follow(job, tell, _Unmade)


def _analysis(version: int, found: tuple[Diagnostic, ...]) -> Analysis:
    from seepage.pipeline import Analysis  # brings the engines, which no order waits for that comes before

    return Analysis(version, (), (), {}, found, 0.0)


@dataclass(frozen=True, slots=True)
class _Unmade:
    """What is an analysis once it has been sent."""

    version: int
    found: tuple[Diagnostic, ...]

    def __reduce__(
        self,
    ) -> tuple[Callable[[int, tuple[Diagnostic, ...]], Analysis], tuple[int, tuple[Diagnostic, ...]]]:
        return _analysis, (self.version, self.found)


def _follow(job: Job, tell: object, answer: Callable[[int, tuple[Diagnostic, ...]], object]) -> object:
    found: list[Diagnostic] = []
    for match in _ORDER.finditer(job.source.text):
        match match[1]:
            case "sleep":
                time.sleep(float(match[2]))
            case "busy":
                end = time.monotonic() + float(match[2])
                while time.monotonic() < end:
                    pass
            case "crash":
                os._exit(7)
            case "die":  # once: the next process that meets this order goes on
                if not os.path.exists(match[2]):
                    open(match[2], "w").close()
                    os.kill(os.getpid(), signal.SIGKILL)
            case "eat":
                eaten = [bytes(1 << 24) for _ in range(int(match[2]) >> 4)]
                del eaten
            case "keep":
                _kept.append(b"x" * (int(match[2]) << 20))
            case "garbage":
                descriptors = sorted(int(name) for name in os.listdir("/proc/self/fd"))
                for descriptor in descriptors[3:]:
                    with suppress(OSError):
                        os.write(descriptor, bytes.fromhex(match[2]))
            case "tell":
                if callable(tell):
                    so_far = Diagnostic(UNDEFINED_VALUE, Span(*match.span()), match[2])
                    tell(answer(job.source.version, (so_far,)))
            case "raise":
                raise RuntimeError(match[2])
            case "print":
                print(match[2])
                sys.stdout.flush()
                os.write(1, match[2].encode())
            case "find":
                found.append(Diagnostic(UNDEFINED_VALUE, Span(*match.span()), match[2]))
    return answer(job.source.version, tuple(found))
