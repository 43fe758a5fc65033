"""Laws of the second part of the language: of arrays, of several values at once, and those that are written with an array."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal

from seepage.syntax.terms import as_told, is_made
from seepage.word import DistributionWord, Domain, Exactness, Parameter, law_word


def _law(
    name: str, summary: str, example: str, *parameters: Parameter, is_finite: bool = True, is_continuous: bool = False
) -> tuple[str, DistributionWord]:
    kind: Literal["discrete", "continuous"] = "continuous" if is_continuous else "discrete"
    support: Literal["finite", "infinite"] = "finite" if is_finite and not is_continuous else "infinite"
    exactness: Exactness = "matched" if is_continuous else "exact"
    return name, law_word(name, kind, support, summary, example, *parameters, exactness=exactness)


_SIZE = Parameter(name="n", meaning="how many values there are, from 0 to `n` − 1", domain=Domain.COUNT)

ARRAY_LAW_WORDS: Mapping[str, DistributionWord] = MappingProxyType(
    dict(
        (
            _law(
                "weights",
                "index `i` of the array `w` with probability `w[i] / sum(w)`",
                "x ~ weights([1, 2, 1])\nshow H(x)\n",
                Parameter(name="w", meaning="weights, which need not sum to 1", domain=Domain.ARRAY),
            ),
            _law(
                "permutation",
                "an array of 0 … `n` − 1 in random order",
                "x ~ permutation(3)\nshow P(x[0] == 0)\n",
                _SIZE,
            ),
            _law(
                "sample",
                "an array of `k` distinct values of 0 … `n` − 1, in random order",
                "x ~ sample(2, 4)\nshow H(x)\n",
                Parameter(name="k", meaning="how many are drawn, without replacement", domain=Domain.COUNT),
                _SIZE,
            ),
            _law(
                "multinomial",
                "an array of how often each outcome came in `n` draws",
                "x ~ multinomial(2, [1/2, 1/4, 1/4])\nshow E(x[0])\n",
                Parameter(name="n", meaning="how many draws", domain=Domain.COUNT),
                Parameter(name="w", meaning="the probabilities of the outcomes, which sum to 1", domain=Domain.ARRAY),
            ),
            _law(
                "negative_binomial",
                "the failures before success number `r`",
                "x ~ negative_binomial(2, 1/2)\nshow P(x == 0)\n",
                Parameter(name="r", meaning="how many successes, at least 1", domain=Domain.COUNT),
                Parameter(name="p", meaning="the probability of success", domain=Domain.PROBABILITY),
                is_finite=False,
            ),
            _law(
                "zipf",
                "`k` of 1 … `n` with probability proportional to `k^(−s)`",
                "x ~ zipf(1, 3)\nshow P(x == 1)\n",
                Parameter(name="s", meaning="the exponent"),
                Parameter(name="n", meaning="the largest value", domain=Domain.COUNT),
            ),
            _law(
                "dirichlet",
                "an array of shares that sum to 1, with density proportional to the product of `x[i]^(a[i] − 1)`",
                "x ~ dirichlet(1, 2, 3)\nshow E(x[0])\n",
                Parameter(
                    name="a",
                    meaning="shapes, at least two; or an array of them",
                    domain=Domain.POSITIVE,
                    repeated=("a0", "a1", "…"),
                ),
                is_continuous=True,
            ),
            _law(
                "planar_laplace",
                "two values, a point around `(x, y)` with density `exp(−r/scale) / (2π·scale²)` at the distance `r` from it",
                "a, b ~ planar_laplace(0, 0, 1)\nshow Var(a)\n",
                Parameter(name="x", meaning="the centre's first coordinate"),
                Parameter(name="y", meaning="the centre's second coordinate"),
                Parameter(
                    name="scale",
                    meaning="the length over which the density falls by a factor of e; 1/ε for ε of geo-indistinguishability",
                    domain=Domain.POSITIVE,
                ),
                is_continuous=True,
            ),
        )
    )
)
"""Each law that is drawn."""

# Laws of arrays: how many elements a value has stands in their arguments.
ARRAY_LAWS = frozenset({"permutation", "sample", "multinomial"})
NEW_LAWS = frozenset(ARRAY_LAW_WORDS)


def written_law(name: str) -> str:
    """Return the law whose making draws a variable that no text can name, ``dirichlet`` for ``dirichlet@1``; empty for other variables."""
    law = as_told(name)
    return law if is_made(name) and law in NEW_LAWS else ""
