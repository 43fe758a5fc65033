"""A coin: 1 with a probability, else 0."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from seepage.laws.discrete import CHANCE, TRUTH, C, FiniteLaw, Given, finite

if TYPE_CHECKING:
    from numpy.random import Generator

    from seepage.laws.discrete import Column
    from seepage.laws.named import Floats


def masses(given: Given[C]) -> Iterator[tuple[int, C]]:
    """Yield both values."""
    chance = given.probability("p")
    yield 1, chance
    yield 0, given.ring.complement(chance)


def sample(random: Generator, size: int, p: Floats) -> Column:
    """Draw."""
    return random.binomial(1, p, size=size)


LAW = FiniteLaw(
    finite("bernoulli", "1 with probability `p`, else 0", "bernoulli(1/3)", CHANCE, values=TRUTH), sample, masses
)
