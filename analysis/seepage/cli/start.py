"""Where the command starts: Ctrl-C while modules are loaded ends it with one line, as it does later.

An exception would not do: raised in the middle of an import it may come out of compiled code as another one.
"""

from __future__ import annotations

import os
import signal
from importlib import import_module
from types import FrameType, ModuleType

_INTERRUPTED = 130  # what shells expect of a command that Ctrl-C ended


def main() -> None:
    """Load the command line and run it; exit codes as :func:`seepage.cli.main.main` has them."""
    load("seepage.cli.main").main()


def load(module: str) -> ModuleType:
    """Import a module of ours, with all that it needs; for the command line, before it has started or written anything."""
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:  # where a shell has it ignored
        return import_module(module)
    try:
        signal.signal(signal.SIGINT, _end)
    except ValueError:  # in a thread, which no signal reaches
        return import_module(module)
    try:
        return import_module(module)
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _end(_signal: int, _frame: FrameType | None) -> None:
    """End at once: nothing was read, written or started yet."""
    os.write(2, b"interrupted\n")
    os._exit(_INTERRUPTED)
