"""An analysis that does what comments in the program tell it, to see what the server makes of it."""

from __future__ import annotations

import os
import re
import signal
import sys
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from seepage.diagnostics import Diagnostic
from seepage.rules import UNDEFINED_VALUE
from seepage.source import Span
from seepage_lsp.analysis_process import Job

if TYPE_CHECKING:
    from seepage.pipeline import Analysis

_ORDER = re.compile(r"// (sleep|crash|die|raise|print|find|busy|eat|keep|garbage|tell) ?(.*)")

_kept: list[bytes] = []


def analyze(job: Job, tell: object = None) -> Analysis:
    """Follow the orders in the text from top to bottom, then return an analysis with what was to be found."""
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
                from seepage.pipeline import Analysis as Known

                if callable(tell):
                    so_far = Diagnostic(UNDEFINED_VALUE, Span(*match.span()), match[2])
                    tell(Known(job.source.version, (), (), {}, (so_far,), 0.0))
            case "raise":
                raise RuntimeError(match[2])
            case "print":
                print(match[2])
                sys.stdout.flush()
                os.write(1, match[2].encode())
            case "find":
                found.append(Diagnostic(UNDEFINED_VALUE, Span(*match.span()), match[2]))
    from seepage.pipeline import Analysis  # brings the engines, which orders before do not wait for

    return Analysis(job.source.version, (), (), {}, tuple(found), 0.0)
