"""Equally likely values, which are the law's arguments."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from seepage.laws.discrete import BY_POSITION, C, FiniteLaw, Given, finite
from seepage.word import Parameter

if TYPE_CHECKING:
    from numpy.random import Generator

    from seepage.laws.discrete import Column


def masses(given: Given[C]) -> Iterator[tuple[int, C]]:
    """Yield the positions of the values, all with one probability."""
    each = given.ring.rational(1, given.repeated)
    for position in range(given.repeated):
        yield position, each


def sample(random: Generator, size: int, count: int) -> Column:
    """Draw positions of so many values."""
    return random.integers(0, count, size=size)


LAW = FiniteLaw(
    finite(
        "uniform_of",
        "the values listed, equally likely; one that is listed twice counts twice",
        "uniform_of(1, 2, 5)",
        Parameter(name="v", meaning="a value", repeated=("v1", "v2", "…")),
        values=None,
        details=(BY_POSITION,),
    ),
    sample,
    masses,
)
