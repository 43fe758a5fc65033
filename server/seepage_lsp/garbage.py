"""Collections of garbage that no key press waits for: one that looks at all open documents takes longer than a key press may.

What is new is collected as always, which takes a millisecond, and almost all garbage is new. A collection of everything waits until no
message came for a while.
"""

from __future__ import annotations

import asyncio
import gc
import time
from dataclasses import field

from seepage.data_classes import dataclass

QUIET_SECONDS = 5.0
# So many messages without a pause, and it is made nevertheless.
MOST_MESSAGES = 20_000
_NEVER = 1 << 30  # collections of middle-aged objects before Python makes one of all by itself


def hold() -> None:
    """Collect nothing while the library is loaded: nearly all that is made then stays."""
    gc.disable()


def resume() -> None:
    """Collect what is new from now on; what is loaded is never looked at again."""
    gc.freeze()
    young, middle, _ = gc.get_threshold()
    gc.set_threshold(young, middle, _NEVER)
    gc.enable()


@dataclass(slots=True)
class Collector:
    """Collects everything in a pause. Mutable: belongs to one event loop.

    Attributes:
        quiet: seconds without a message that make a pause.
    """

    quiet: float = QUIET_SECONDS
    _messages: int = field(default=0, init=False)
    _last: float = field(default=0.0, init=False)
    _timer: asyncio.TimerHandle | None = field(default=None, init=False)

    def heard(self) -> None:
        """Take note of a message."""
        self._messages += 1
        self._last = time.monotonic()
        if self._timer is None:
            self._look_after(self.quiet)

    def _look_after(self, seconds: float) -> None:
        self._timer = asyncio.get_running_loop().call_later(seconds, self._look)

    def _look(self) -> None:
        left = self._last + self.quiet - time.monotonic()
        if left > 0 and self._messages < MOST_MESSAGES:
            self._look_after(left)
            return
        self._timer, self._messages = None, 0
        gc.collect()
