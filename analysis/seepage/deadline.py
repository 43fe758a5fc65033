"""The one clock of the analysis: limits count the time of a processor, so that an answer does not depend on what else a machine does.

The clock on the wall is a second limit, ten times as generous: for work that waits, and for people who do.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from numbers import Real

from seepage.data_classes import dataclass

WALL = 10.0
"""So many seconds on the wall go with one second of a processor."""


@dataclass(frozen=True, slots=True)
class Clock:
    """Two clocks in seconds, each from any moment: of the present thread's time on a processor, and on the wall.

    No more passes on the first than on the second one, which is quicker to read.
    """

    processor: Callable[[], float] = time.thread_time
    wall: Callable[[], float] = time.monotonic


_clock: ContextVar[Clock] = ContextVar("clock", default=Clock())  # noqa: B039  # immutable


@contextmanager
def using(clock: Clock) -> Iterator[None]:
    """Have another clock within this block, as tests do."""
    token = _clock.set(clock)
    try:
        yield
    finally:
        _clock.reset(token)


def processor_seconds() -> float:
    """Return the seconds of a processor that the present thread has used: differences of it are what work took."""
    return _clock.get().processor()


def wall_seconds() -> float:
    """Return the seconds on the wall from any moment: differences of it are how long people wait."""
    return _clock.get().wall()


@dataclass(slots=True)
class Watch:
    """Whether something was given up for time, within :func:`watched`, that a larger time limit would have gone on with. Mutable: of one block."""

    cut: bool = False


_watch: ContextVar[Watch | None] = ContextVar("watch", default=None)


@contextmanager
def watched() -> Iterator[Watch]:
    """Watch which deadlines pass within this block; what was given up there was given up in the blocks around it, too."""
    around, watch = _watch.get(), Watch()
    token = _watch.set(watch)
    try:
        yield watch
    finally:
        _watch.reset(token)
        if around is not None and watch.cut:
            around.cut = True


def cut_short() -> None:
    """Note that the present work gives something up for time, which a larger time limit would have gone on with."""
    if (watch := _watch.get()) is not None:
        watch.cut = True


@dataclass(frozen=True, slots=True)
class Deadline:
    """When work of the present thread must end; made in that thread.

    Attributes:
        processor: on the processor's clock.
        soonest: on the wall's clock, before which the processor's cannot have reached ``processor``.
        wall: on the wall's clock, likewise an end.
        moves: whether a larger time limit would put it off; other deadlines are the patience of one piece of work.
    """

    processor: float
    soonest: float
    wall: float
    moves: bool = True

    @classmethod
    def after(cls, seconds: float, *, moves: bool = True) -> Deadline:
        """Return the end of so many seconds of a processor from now on; it has passed if they are none.

        Raises:
            TypeError: if they are no number.
        """
        if not isinstance(seconds, Real):
            raise TypeError(f"found the time limit {seconds!r}, expected a number of seconds")
        clock = _clock.get()
        now = clock.wall()
        return cls(clock.processor() + seconds, now + seconds, now + WALL * seconds, moves)

    def left(self) -> float:
        """Return how many seconds of a processor are left, at least 0."""
        clock = _clock.get()
        return max(0.0, min(self.processor - clock.processor(), (self.wall - clock.wall()) / WALL))

    def passed(self) -> bool:
        """Tell whether it has passed; who asks gives up then, which those who watch are told."""
        clock = _clock.get()
        now = clock.wall()
        if now < self.soonest or (now <= self.wall and clock.processor() <= self.processor):
            return False
        if self.moves:
            cut_short()
        return True


_work: ContextVar[Deadline | None] = ContextVar("work", default=None)


@contextmanager
def until(deadline: Deadline | None) -> Iterator[None]:
    """Have work within this block that is told no deadline end at this one (None: never)."""
    token = _work.set(deadline)
    try:
        yield
    finally:
        _work.reset(token)


def is_over() -> bool:
    """Tell whether the deadline of :func:`until` has passed, for work deep inside that is told none."""
    deadline = _work.get()
    return deadline is not None and deadline.passed()


def sooner(deadline: Deadline | None, seconds: float | None = None, share: float = 1.0) -> Deadline | None:
    """Return a deadline after a share of the time to another one (None: never), and no later than in so many seconds of a processor."""
    left = None if deadline is None else deadline.left() * share
    if seconds is not None and (left is None or seconds < left):
        return Deadline.after(seconds, moves=False)
    if deadline is None or left is None or share == 1.0:
        return deadline
    return Deadline.after(left, moves=deadline.moves)
