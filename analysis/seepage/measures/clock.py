"""The time limit inside formulas: sums over a hundred thousand outcomes take seconds, so they look at the clock."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

from seepage.engines.outcome import Budget

T = TypeVar("T")

UNLIMITED = Budget()
_MORE = 1.5  # times as much time as something had, from which it is worth another try
_STEP = 512  # items between two looks at the clock; a logarithm takes some ten microseconds


class OutOfTime(Exception):
    """The deadline of the budget passed inside a formula."""


def given_up(seconds: float) -> str:
    """Say that something was given up after so many seconds of a processor."""
    return f"given up after {seconds:.2g} s of processor time; a larger time limit may give more"


def has_more(budget: Budget, seconds: float) -> bool:
    """Tell whether so much more time is left than something had that it is worth another try."""
    return budget.deadline is None or budget.deadline.left() > _MORE * seconds


def timed(items: Iterable[T], budget: Budget) -> Iterator[T]:
    """Yield the items while the deadline lasts.

    Raises:
        OutOfTime: once it has passed.
    """
    for count, item in enumerate(items):
        if count % _STEP == 0 and budget.expired():
            raise OutOfTime
        yield item
