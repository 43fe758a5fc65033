r"""Marked ones among those that are drawn without replacement: :math:`P(k) = \binom Kk \binom{N-K}{n-k} / \binom Nn`."""

from __future__ import annotations

from collections.abc import Iterator
from math import comb
from typing import TYPE_CHECKING

from seepage.exact import compare, show
from seepage.laws.arguments import Known, Wrong
from seepage.laws.discrete import C, FiniteLaw, Given, finite
from seepage.word import Domain, Parameter, Support

if TYPE_CHECKING:
    from numpy.random import Generator

    from seepage.laws.discrete import Column


def masses(given: Given[C]) -> Iterator[tuple[int, C]]:
    """Yield the numbers of marked ones that there can be."""
    total = given.count("N", "the population of 'hypergeometric'")
    marked = given.count("K", "the number of marked ones of 'hypergeometric'")
    draws = given.count("n", "the number of draws of 'hypergeometric'")
    for name, part, what in (("K", marked, "marked ones"), ("n", draws, "draws")):
        if part > total:
            raise given.invalid(name, part, f"the number of {what} must be at most the population {show(total)}")
    low, high = max(0, draws - (total - marked)), min(draws, marked)
    given.need(high - low + 1)
    ways = comb(total, draws)
    for k in range(low, high + 1):
        yield k, given.ring.rational(comb(marked, k) * comb(total - marked, draws - k), ways)


def sample(random: Generator, size: int, N: Column, K: Column, n: Column) -> Column:  # noqa: N803  # the language's names
    """Draw."""
    if (K > N).any():
        raise ValueError("'K' must be at most 'N'")
    return random.hypergeometric(K.astype("int64"), (N - K).astype("int64"), n.astype("int64"), size=size)


def wrong(known: Known) -> Wrong:
    """Find more that are marked, or drawn, than there are."""
    for name in ("K", "n"):
        if "N" in known and name in known and compare(known[name], known["N"]) > 0:
            yield (
                "",
                f"{name} = {show(known[name])} of 'hypergeometric' is more than the N = {show(known['N'])} there are",
            )


LAW = FiniteLaw(
    finite(
        "hypergeometric",
        "the number of marked ones among `n` that are drawn from `N`, of which `K` are marked",
        "hypergeometric(5, 2, 2)",
        Parameter(name="N", meaning="how many there are", domain=Domain.COUNT),
        Parameter(name="K", meaning="how many of them are marked, at most `N`", domain=Domain.COUNT),
        Parameter(name="n", meaning="how many are drawn, at most `N`", domain=Domain.COUNT),
        values=Support(0, "n", whole=True),
    ),
    sample,
    masses,
    wrong=wrong,
)
