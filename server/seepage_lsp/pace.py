"""What may be asked for often and happens seldom: at once after a pause, and once more for what came in the pause."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import field

from seepage.data_classes import dataclass


@dataclass(slots=True)
class Pace:
    """Calls a function at most once in so many seconds. Mutable: belongs to one event loop.

    Attributes:
        pause: seconds between two calls.
        act: what is called; told nothing, so it looks at what is known by then.
        loop: on which it is called after a pause.
        last: when it was called last, on the clock of ``time.monotonic``; a pause counts from there.
    """

    pause: float
    act: Callable[[], object]
    loop: asyncio.AbstractEventLoop
    last: float = -float("inf")
    _timer: asyncio.TimerHandle | None = field(default=None, init=False)

    def ask(self) -> None:
        """Call the function now, or at the end of the pause; asking again meanwhile changes nothing."""
        if self._timer is not None:
            return
        wait = self.last + self.pause - time.monotonic()
        if wait <= 0:
            self._call()
        else:
            self._timer = self.loop.call_later(wait, self._call)

    def stop(self) -> None:
        """Forget a call that waits."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _call(self) -> None:
        self._timer = None
        self.last = time.monotonic()
        self.act()
