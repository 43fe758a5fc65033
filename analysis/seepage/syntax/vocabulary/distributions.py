"""The named distributions. What the laws *are* stands in :mod:`seepage.distributions.families`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from types import MappingProxyType
from typing import Literal

from seepage.syntax.vocabulary.word import LINE, DistributionWord, Domain, Exactness, Parameter, Support, law_word

_INTEGRATED: Mapping[Exactness, tuple[str, ...]] = {
    "exact": (),
    "matched": (
        "no Gaussian mixture: integrated where its density allows, elsewhere replaced by a normal of the same moments, and approximate",
    ),
    "explicit": ("no Gaussian mixture: integrated where its density allows, elsewhere there is no number",),
}
_BY_POSITION = "its arguments have no names"


_TRUTH = Support(0, 1, whole=True)
_COUNT = Support(0, whole=True)
_WHOLE = Support(whole=True)
_BETWEEN = Support("a", "b")
_POSITIVE = Support(0)


def _word(
    name: str,
    summary: str,
    example: str,
    *parameters: Parameter,
    kind: Literal["discrete", "continuous"] | None,
    support: Literal["finite", "infinite"] | None,
    details: tuple[str, ...] = (),
    exactness: Exactness = "exact",
    values: Support | None = LINE,
) -> DistributionWord:
    shown = f"x ~ {example}\nshow {'P(x <= 2)' if exactness == 'explicit' else 'E(x)'}\n"
    said = (*details, *_INTEGRATED[exactness])
    return law_word(name, kind, support, summary, shown, *parameters, details=said, exactness=exactness, values=values)


_discrete = partial(_word, kind="discrete", support="finite")
_unbounded = partial(
    _word,
    kind="discrete",
    support="infinite",
    details=("values far out are cut off, and the bounds of each number account for them",),
)
_matched = partial(_word, kind="continuous", support="infinite", exactness="matched")
_explicit = partial(_word, kind="continuous", support="infinite", exactness="explicit")

_P = Parameter(name="p", meaning="the probability of 1", domain=Domain.PROBABILITY)
_SUCCESS = Parameter(name="p", meaning="the probability of a success", domain=Domain.PROBABILITY)
_CENTRE = Parameter(name="centre", meaning="the most likely value", domain=Domain.INTEGER, sample="0", optional=True)
_LOCATION = Parameter(name="location", meaning="where it is centred")
_SHAPE = Parameter(name="shape", meaning="the shape", domain=Domain.POSITIVE)
_SCALE = Parameter(name="scale", meaning="how far it spreads", domain=Domain.POSITIVE)

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
                _SCALE,
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
                "normal",
                "a Gaussian; the second argument is the variance",
                "normal(0, 4)",
                Parameter(name="mean", meaning="the mean, which may be linear in continuous variables"),
                Parameter(
                    name="variance",
                    meaning="the variance, the square of the standard deviation; 0 is the point `mean`",
                    domain=Domain.NOT_NEGATIVE,
                    aliases=(("std", "the standard deviation"),),
                ),
                kind="continuous",
                support="infinite",
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
            _matched(
                "uniform",
                "a real number between `a` and `b`, all equally likely",
                "uniform(0, 1)",
                Parameter(name="a", meaning="the lower end"),
                Parameter(name="b", meaning="the upper end, at least `a`"),
                values=_BETWEEN,
            ),
            _matched(
                "exponential",
                "the waiting time for an event, with mean 1 / `rate`",
                "exponential(2)",
                Parameter(name="rate", meaning="events in a unit of time", domain=Domain.POSITIVE),
                values=_POSITIVE,
            ),
            _matched(
                "laplace",
                "a double-sided exponential around `mean`, the Laplace mechanism",
                "laplace(0, 1)",
                Parameter(name="mean", meaning="the mean"),
                Parameter(
                    name="scale", meaning="how far it spreads; 0 is the point `mean`", domain=Domain.NOT_NEGATIVE
                ),
            ),
            _matched(
                "beta",
                "a number in [0, 1], with density ∝ x^(a − 1) · (1 − x)^(b − 1)",
                "beta(1, 2)",
                Parameter(name="a", meaning="the shape at 0", domain=Domain.POSITIVE),
                Parameter(name="b", meaning="the shape at 1", domain=Domain.POSITIVE),
                values=Support(0, 1),
            ),
            _matched(
                "gamma",
                "a positive number with density ∝ x^(shape − 1) · exp(−rate · x)",
                "gamma(2, 1)",
                Parameter(name="shape", meaning="the shape", domain=Domain.POSITIVE),
                Parameter(name="rate", meaning="the inverse of the scale", domain=Domain.POSITIVE),
                values=_POSITIVE,
            ),
            _matched(
                "lognormal",
                "a positive number whose logarithm is normal",
                "lognormal(0, 1)",
                Parameter(name="m", meaning="the mean of the logarithm"),
                Parameter(name="v", meaning="the variance of the logarithm", domain=Domain.NOT_NEGATIVE),
                values=_POSITIVE,
            ),
            _matched(
                "student_t",
                "Student's t distribution, moved and stretched",
                "student_t(5, 0, 1)",
                Parameter(
                    name="df", meaning="the degrees of freedom; the variance needs more than 2", domain=Domain.POSITIVE
                ),
                Parameter(name="mean", meaning="the centre"),
                _SCALE,
            ),
            _matched(
                "triangular",
                "a number between `a` and `b`, most likely near `m`",
                "triangular(0, 1, 2)",
                Parameter(name="a", meaning="the lower end"),
                Parameter(name="m", meaning="the most likely value, between the ends"),
                Parameter(name="b", meaning="the upper end"),
                values=_BETWEEN,
            ),
            _explicit(
                "gumbel",
                "the greatest of many, with P(x ≤ t) = exp(−exp(−(t − location) / scale)); the noise of the Gumbel-max trick",
                "gumbel(0, 1)",
                Parameter(name="location", meaning="the most likely value"),
                _SCALE,
            ),
            _explicit(
                "logistic",
                "a bell with P(x ≤ t) = 1 / (1 + exp(−(t − location) / scale))",
                "logistic(0, 1)",
                _LOCATION,
                _SCALE,
            ),
            _explicit(
                "cauchy",
                "a bell with tails so heavy that it has no mean, Student's t with one degree of freedom",
                "cauchy(0, 1)",
                _LOCATION,
                _SCALE,
            ),
            _explicit(
                "weibull",
                "a positive number with P(x > t) = exp(−(t / scale)^shape)",
                "weibull(2, 1)",
                _SHAPE,
                _SCALE,
                values=_POSITIVE,
            ),
            _explicit(
                "pareto",
                "a number from `minimum` on with P(x > t) = (minimum / t)^shape",
                "pareto(3, 1)",
                _SHAPE,
                Parameter(name="minimum", meaning="the smallest value", domain=Domain.POSITIVE),
                values=Support("minimum"),
            ),
        )
    }
)
"""Every named distribution, and ``mixture``."""
