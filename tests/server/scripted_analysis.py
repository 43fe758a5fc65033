"""An analysis that does what comments in the program tell it, to see what the server makes of it."""

from __future__ import annotations

import os
import re
import sys
import time
from typing import TYPE_CHECKING

from seepage.diagnostics import Diagnostic
from seepage.rules import UNDEFINED_VALUE
from seepage.source import Span
from seepage_lsp.analysis_process import Job

if TYPE_CHECKING:
    from seepage.pipeline import Analysis

_ORDER = re.compile(r"// (sleep|crash|raise|print|find|busy) ?(.*)")


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
