"""How far a run is, in one line of a terminal that is written again and again."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable
from dataclasses import field

from seepage.checking.running import Progress
from seepage.data_classes import dataclass
from seepage.deadline import wall_seconds
from seepage.report.findings import printable

_ERASE = "\r\x1b[2K"


@dataclass(slots=True)
class ProgressLine:
    """The line, on standard error. Mutable: it knows whether it is to be seen.

    Attributes:
        on: whether there is one at all.
        clock: seconds from any moment.
        started: when the run began.
    """

    on: bool
    clock: Callable[[], float] = wall_seconds
    started: float = field(init=False)
    _seen: bool = False

    def __post_init__(self) -> None:
        self.started = self.clock()

    def tell(self, progress: Progress) -> None:
        """Show how far it is."""
        self.show(line_of(progress, self.clock() - self.started))

    def show(self, line: str) -> None:
        """Show a line."""
        if not self.on:
            return
        width = shutil.get_terminal_size().columns - 1
        sys.stderr.write(_ERASE + line[:width])
        sys.stderr.flush()
        self._seen = True

    def clear(self) -> None:
        """Make room for what is to stay."""
        if self._seen:
            sys.stderr.write(_ERASE)
            sys.stderr.flush()
            self._seen = False


def line_of(progress: Progress, seconds: float) -> str:
    """Return ``12 of 500 · 3 s · tree/a.seep and 1 more``."""
    names = progress.running
    more = f" and {len(names) - 1} more" if len(names) > 1 else ""
    running = f" · {printable(names[0])}{more}" if names else ""
    return f"{progress.done:,} of {progress.files:,} · {seconds:.0f} s{running}"


def has_terminal() -> bool:
    """Tell whether standard error is a terminal on which a line can be written again."""
    return sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
