"""Who is next: a few may work at a time, and of those who wait the one whose answer is wanted most."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import field
from typing import TypeAlias

from seepage.data_classes import dataclass

Rank: TypeAlias = Callable[[], float]


@dataclass(slots=True)
class Turns:
    """Places for work, like a semaphore of asyncio but for the order. Mutable: belongs to one event loop.

    Attributes:
        free: how many may still begin.
    """

    free: int
    _waiting: list[tuple[Rank, asyncio.Future[None]]] = field(default_factory=list)

    async def acquire(self, rank: Rank) -> None:
        """Take a place, or wait for one: when one is free the highest ``rank`` of that moment gets it, of equals who came first."""
        if self.free > 0:
            self.free -= 1
            return
        waiting = (rank, asyncio.get_running_loop().create_future())
        self._waiting.append(waiting)
        try:
            await waiting[1]
        except asyncio.CancelledError:
            if waiting in self._waiting:
                self._waiting.remove(waiting)
            else:
                self.release()  # the place was given already
            raise

    def release(self) -> None:
        """Give a place back."""
        waiting = [one for one in self._waiting if not one[1].done()]  # one that was cancelled may not know it yet
        if not waiting:
            self.free += 1
            return
        next_one = max(waiting, key=lambda one: one[0]())
        self._waiting.remove(next_one)
        next_one[1].set_result(None)
