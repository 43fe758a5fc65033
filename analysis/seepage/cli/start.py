"""Where the command starts: Ctrl-C while the library is loaded ends it with one line, as it does later.

An exception would not do: raised in the middle of an import it may come out of compiled code as another one.
"""

from __future__ import annotations

import os
import signal
from importlib import import_module
from types import FrameType

_INTERRUPTED = 130  # what shells expect of a command that Ctrl-C ended


def main() -> None:
    """Load the command line and run it; exit codes as :func:`seepage.cli.main.main` has them."""
    heeded = signal.getsignal(signal.SIGINT) is signal.default_int_handler  # not where a shell has it ignored
    if heeded:
        signal.signal(signal.SIGINT, _end)
    run = import_module("seepage.cli.main").main
    if heeded:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    run()


def _end(_signal: int, _frame: FrameType | None) -> None:
    """End at once: nothing was read, written or started yet."""
    os.write(2, b"interrupted\n")
    os._exit(_INTERRUPTED)
