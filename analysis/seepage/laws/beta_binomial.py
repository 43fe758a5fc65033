r"""Successes in tries that share a chance of the law beta(a, b): :math:`P(k) = \binom nk a^{\overline k} b^{\overline{n-k}} / (a+b)^{\overline n}`.

:math:`a^{\overline k} = a (a + 1) \cdots (a + k - 1)`; so the law is that of Pólya's urn, too (Johnson, Kemp, Kotz 2005, "Univariate discrete distributions",
section 6.2.2).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate
from math import comb
from typing import TYPE_CHECKING

from seepage.exact import Number, add, div, mul
from seepage.laws.arguments import Known
from seepage.laws.discrete import C, FiniteLaw, Given, finite
from seepage.word import Domain, Parameter, Support

if TYPE_CHECKING:
    from numpy.random import Generator

    from seepage.laws.discrete import Column
    from seepage.laws.named import Floats


def masses(given: Given[C]) -> Iterator[tuple[int, C]]:
    """Yield the numbers of successes."""
    tries = given.count("n", "the number of tries of 'beta_binomial'")
    a, b = (given.positive(name, f"the parameter '{name}' of 'beta_binomial'") for name in ("a", "b"))
    given.need(tries + 1)
    hits, misses, both = _rising(a, tries), _rising(b, tries), _rising(add(a, b), tries)
    for k in range(tries + 1):
        yield k, given.weight(div(mul(comb(tries, k), mul(hits[k], misses[tries - k])), both[tries]))


def _rising(base: Number, degree: int) -> list[Number]:
    """Return the rising factorials of a number up to a degree."""
    steps: list[Number] = [1, *(add(base, step) for step in range(degree))]
    return list(accumulate(steps, mul))


def sample(random: Generator, size: int, n: Column, a: Floats, b: Floats) -> Column:
    """Draw the shared chance, and the successes with it."""
    return random.binomial(n.astype("int64"), random.beta(a, b, size=size), size=size)


def takes(known: Known) -> int | None:
    """Return the number of tries."""
    tries = known.get("n")
    return tries if isinstance(tries, int) and tries > 1 else None


LAW = FiniteLaw(
    finite(
        "beta_binomial",
        "the number of successes in `n` tries that share a probability drawn from `beta(a, b)`, as in Pólya's urn",
        "beta_binomial(3, 1, 2)",
        Parameter(name="n", meaning="the number of tries", domain=Domain.COUNT),
        Parameter(name="a", meaning="the first shape, which draws to successes", domain=Domain.POSITIVE),
        Parameter(name="b", meaning="the second shape, which draws to failures", domain=Domain.POSITIVE),
        values=Support(0, "n", whole=True),
    ),
    sample,
    masses,
    takes=takes,
)
