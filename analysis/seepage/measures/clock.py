"""The time limit inside formulas: sums over a hundred thousand outcomes take seconds, so they look at the clock."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

from seepage.engines.outcome import Budget

T = TypeVar("T")

UNLIMITED = Budget()
_STEP = 512  # items between two looks at the clock; a logarithm takes some ten microseconds


class OutOfTime(Exception):
    """The deadline of the budget passed inside a formula."""


def timed(items: Iterable[T], budget: Budget) -> Iterator[T]:
    """Yield the items while the deadline lasts.

    Raises:
        OutOfTime: once it has passed.
    """
    for count, item in enumerate(items):
        if count % _STEP == 0 and budget.expired():
            raise OutOfTime
        yield item
