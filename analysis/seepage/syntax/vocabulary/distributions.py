"""The named distributions: the words of discrete ones, which :mod:`seepage.distributions.families` enumerates, and those that continuous ones say themselves (:mod:`seepage.laws`)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from types import MappingProxyType
from typing import Literal

from seepage.laws.named import SCALE
from seepage.laws.table import NAMED_LAWS
from seepage.word import DistributionWord, Domain, Parameter, Support, law_word

_BY_POSITION = "its arguments have no names"


_TRUTH = Support(0, 1, whole=True)
_COUNT = Support(0, whole=True)
_WHOLE = Support(whole=True)


def _word(
    name: str,
    summary: str,
    example: str,
    *parameters: Parameter,
    kind: Literal["discrete"] | None = "discrete",
    support: Literal["finite", "infinite"] | None,
    details: tuple[str, ...] = (),
    values: Support | None,
) -> DistributionWord:
    shown = f"x ~ {example}\nshow E(x)\n"
    return law_word(name, kind, support, summary, shown, *parameters, details=details, values=values)


_discrete = partial(_word, support="finite")
_unbounded = partial(
    _word,
    support="infinite",
    details=("values far out are cut off, and the bounds of each number account for them",),
)

_P = Parameter(name="p", meaning="the probability of 1", domain=Domain.PROBABILITY)
_SUCCESS = Parameter(name="p", meaning="the probability of a success", domain=Domain.PROBABILITY)
_CENTRE = Parameter(name="centre", meaning="the most likely value", domain=Domain.INTEGER, sample="0", optional=True)

DISTRIBUTIONS: Mapping[str, DistributionWord] = MappingProxyType(
    {
        word.name: word
        for word in (
            _discrete(
                "bernoulli",
                "1 with probability `p`, else 0",
                "bernoulli(1/3)",
                _P,
                values=_TRUTH,
            ),
            _discrete(
                "flip",
                "1 with probability `p`, else 0; the same as `bernoulli`",
                "flip(1/2)",
                _P,
                values=_TRUTH,
            ),
            _discrete(
                "uniform_int",
                "the whole numbers from `a` to `b`, equally likely",
                "uniform_int(1, 6)",
                Parameter(name="a", meaning="the smallest value", domain=Domain.INTEGER),
                Parameter(name="b", meaning="the largest value, at least `a`", domain=Domain.INTEGER),
                values=Support("a", "b", whole=True),
            ),
            _discrete(
                "categorical",
                "0, 1, 2, … with the probabilities listed",
                "categorical(1/2, 1/3, 1/6)",
                Parameter(
                    name="w",
                    meaning="the probability of its position; together they sum to 1",
                    domain=Domain.PROBABILITY,
                    repeated=("w0", "w1", "…"),
                ),
                details=(_BY_POSITION,),
                values=_COUNT,
            ),
            _discrete(
                "uniform_of",
                "the values listed, equally likely; one that is listed twice counts twice",
                "uniform_of(1, 2, 5)",
                Parameter(name="v", meaning="a value", repeated=("v1", "v2", "…")),
                details=(_BY_POSITION,),
                values=None,
            ),
            _discrete(
                "binomial",
                "the number of successes in `n` independent tries",
                "binomial(3, 1/2)",
                Parameter(name="n", meaning="the number of tries", domain=Domain.COUNT),
                _SUCCESS,
                values=Support(0, "n", whole=True),
            ),
            _discrete(
                "hypergeometric",
                "the number of marked ones among `n` that are drawn from `N`, of which `K` are marked",
                "hypergeometric(5, 2, 2)",
                Parameter(name="N", meaning="how many there are", domain=Domain.COUNT),
                Parameter(name="K", meaning="how many of them are marked, at most `N`", domain=Domain.COUNT),
                Parameter(name="n", meaning="how many are drawn, at most `N`", domain=Domain.COUNT),
                values=Support(0, "n", whole=True),
            ),
            _unbounded(
                "geometric",
                "the number of failures before the first success",
                "geometric(1/2)",
                Parameter(name="p", meaning="the probability of a success, above 0", domain=Domain.PROBABILITY),
                values=_COUNT,
            ),
            _unbounded(
                "poisson",
                "the number of rare events, with mean `rate`",
                "poisson(3)",
                Parameter(name="rate", meaning="the mean; 0 is the point 0", domain=Domain.NOT_NEGATIVE),
                values=_COUNT,
            ),
            _unbounded(
                "discrete_laplace",
                "whole numbers `k` with mass ∝ exp(−abs(k − centre) / scale), the geometric mechanism",
                "discrete_laplace(2)",
                SCALE,
                _CENTRE,
                values=_WHOLE,
            ),
            _unbounded(
                "discrete_gaussian",
                "whole numbers `k` with mass ∝ exp(−(k − centre)² / (2 · variance))",
                "discrete_gaussian(2, centre=1)",
                Parameter(
                    name="variance", meaning="how far it spreads; 0 is the point `centre`", domain=Domain.NOT_NEGATIVE
                ),
                _CENTRE,
                values=_WHOLE,
            ),
            _word(
                "mixture",
                "one of several distributions, each with its weight; outside of another mixture `w1*D1 + w2*D2` says the same",
                "mixture(1/3: normal(0, 1), 2/3: normal(4, 1))",
                Parameter(
                    name="part",
                    meaning="a weight and what it weighs; the weights sum to 1",
                    domain=Domain.PART,
                    repeated=("w1: D1", "w2: D2", "…"),
                ),
                kind=None,
                support=None,
                details=(_BY_POSITION,),
                values=None,
            ),
            *(law.word for law in NAMED_LAWS.values()),
        )
    }
)
"""Every named distribution, and ``mixture``."""
