r"""The number of successes in independent tries: :math:`P(k) = \binom nk p^k (1-p)^{n-k}`."""

from __future__ import annotations

from collections.abc import Iterator
from math import comb
from typing import TYPE_CHECKING

from seepage.exact import sign
from seepage.laws.arguments import Known
from seepage.laws.discrete import SUCCESS, C, FiniteLaw, Given, finite
from seepage.word import Domain, Parameter, Support

if TYPE_CHECKING:
    from numpy.random import Generator

    from seepage.laws.discrete import Column
    from seepage.laws.named import Floats


def masses(given: Given[C]) -> Iterator[tuple[int, C]]:
    """Yield the numbers of successes."""
    trials = given.count("n", "the number of trials of 'binomial'")
    given.need(trials + 1)
    ring, chance = given.ring, given.probability("p")
    failures = [ring.one]
    miss = ring.complement(chance)
    for _ in range(trials):
        failures.append(ring.multiply(failures[-1], miss))
    power = ring.one
    for k in range(trials + 1):
        yield k, ring.multiply(ring.rational(comb(trials, k)), ring.multiply(power, failures[trials - k]))
        power = ring.multiply(power, chance)


def sample(random: Generator, size: int, n: Column, p: Floats) -> Column:
    """Draw."""
    return random.binomial(n.astype("int64"), p, size=size)


def takes(known: Known) -> int | None:
    """Return the number of tries, where a try may succeed."""
    tries = known.get("n")
    return tries if isinstance(tries, int) and tries > 1 and "p" in known and sign(known["p"]) > 0 else None


LAW = FiniteLaw(
    finite(
        "binomial",
        "the number of successes in `n` independent tries",
        "binomial(3, 1/2)",
        Parameter(name="n", meaning="the number of tries", domain=Domain.COUNT),
        SUCCESS,
        values=Support(0, "n", whole=True),
    ),
    sample,
    masses,
    takes=takes,
)
