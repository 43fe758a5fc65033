"""Positions 0, 1, 2, … with the probabilities that are listed."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from itertools import accumulate
from operator import add
from typing import TYPE_CHECKING

from seepage.exact import sign
from seepage.laws.arguments import Known
from seepage.laws.discrete import BY_POSITION, COUNT, C, FiniteLaw, Given, finite
from seepage.word import Domain, Parameter

if TYPE_CHECKING:
    from numpy.random import Generator

    from seepage.laws.discrete import Column
    from seepage.laws.named import Floats

_NEAR = 1e-9  # how far from 1 floats may sum that stand for probabilities


def masses(given: Given[C]) -> Iterator[tuple[int, C]]:
    """Yield the positions."""
    yield from given.shares()


def sample(random: Generator, size: int, *shares: Floats) -> Column:
    """Draw positions by the weights that each run has."""
    below = list(accumulate(shares))
    if any((each < 0).any() for each in shares) or (abs(below[-1] - 1) > _NEAR).any():
        raise ValueError("probabilities must not be negative, and sum to 1")
    point = random.random(size) * below[-1]
    # The first position whose cumulated weight exceeds the point: one of weight 0 is never taken.
    return reduce(add, ((each <= point).astype("int64") for each in below))


def takes(known: Known) -> int | None:
    """Return a position with a weight."""
    return next((int(place) for place, weight in known.items() if int(place) > 1 and sign(weight) > 0), None)


LAW = FiniteLaw(
    finite(
        "categorical",
        "0, 1, 2, … with the probabilities listed",
        "categorical(1/2, 1/3, 1/6)",
        Parameter(
            name="w",
            meaning="the probability of its position; together they sum to 1",
            domain=Domain.PROBABILITY,
            repeated=("w0", "w1", "…"),
        ),
        values=COUNT,
        details=(BY_POSITION,),
    ),
    sample,
    masses,
    takes=takes,
)
