"""Where the command and the server start: Ctrl-C while modules are loaded ends them with one line, as it does later.

An exception would not do: raised in the middle of an import it may come out of compiled code as another one.
"""

from __future__ import annotations

import gc
import os
import signal
from importlib import import_module
from types import FrameType, ModuleType

TYPE_CHECKING = False  # a module less to load before Ctrl-C is held
if TYPE_CHECKING:
    from collections.abc import Callable

_YOUNG = 20_000  # things made between two collections of garbage
_INTERRUPTED = 130  # what shells expect of a command that Ctrl-C ended


def main() -> None:
    """Load the command line and run it; exit codes as :func:`seepage.cli.main.main` has them."""
    module = load("seepage.cli.main")
    gc.freeze()  # what is loaded stays
    gc.set_threshold(
        _YOUNG
    )  # trees of large texts are made of many things that stay: a third of the time went into looking at them
    module.main()


def load(module: str) -> ModuleType:
    """Import a module of ours, with all that it needs, as :func:`loading` does."""
    loading(lambda: import_module(module))
    return import_module(module)


def loading(work: Callable[[], object]) -> None:
    """Load what is needed, for a program that has not started or written anything yet: Ctrl-C ends it at once, with one line."""
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:  # where a shell has it ignored
        work()
        return
    try:
        signal.signal(signal.SIGINT, _end)
    except ValueError:  # in a thread, which no signal reaches
        work()
        return
    try:
        work()
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _end(_signal: int, _frame: FrameType | None) -> None:
    """End at once: nothing was read, written or started yet."""
    os.write(2, b"interrupted\n")
    os._exit(_INTERRUPTED)
