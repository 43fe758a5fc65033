"""Supports hold all values that their laws draw, and reach as far as those do."""

from __future__ import annotations

import pytest
from tests.engines.programs import core_of

import seepage
from seepage.distributions.arguments import bind
from seepage.distributions.supports import ends, support_of
from seepage.engines.forward.spans import of_draw
from seepage.semantics.core import CoreSample
from seepage.syntax import tree
from seepage.syntax.vocabulary.distributions import DISTRIBUTIONS

LAWS = [
    "bernoulli(1/3)",
    "flip(2/3)",
    "uniform_int(-3, 5)",
    "categorical(1/2, 1/3, 1/6)",
    "uniform_of(4, -2, 7)",
    "binomial(5, 1/2)",
    "beta_binomial(5, 2, 2)",
    "hypergeometric(9, 5, 4)",
    "geometric(1/2)",
    "poisson(2)",
    "discrete_laplace(1)",
    "discrete_gaussian(2, centre=3)",
    "uniform(-1, 2)",
    "triangular(-1, 0, 2)",
    "beta(2, 2)",
    "exponential(1)",
    "gamma(2, 1)",
    "lognormal(0, 1)",
    "weibull(2, 1)",
    "normal(0, 1)",
    "laplace(0, 1)",
    "student_t(4, 0, 1)",
    "gumbel(0, 1)",
    "logistic(0, 1)",
    "cauchy(0, 1)",
    "pareto(2, 3)",
    "rayleigh(2)",
]


@pytest.mark.parametrize("law", LAWS)
def test_a_support_holds_all_that_is_drawn_and_its_ends_are_near(law: str) -> None:
    program = seepage.parse(f"x ~ {law}\n")
    (statement,) = core_of(program.source.text).statements
    assert isinstance(statement, CoreSample)
    assert isinstance(statement.distribution, tree.Family)

    low, high = of_draw(statement.distribution, {}, {})
    drawn = [float(each) for each in program.sample(2_000, seed=7)["x"]]

    assert low is None or low <= min(drawn) <= float(low) + 1
    assert high is None or float(high) - 1 <= max(drawn) <= high
    support = support_of(statement.distribution.name)
    if support is not None and support.whole:
        assert all(each == int(each) for each in drawn)
    least, greatest = ends(bind(statement.distribution))
    assert (least is None) == (low is None)
    assert (greatest is None) == (high is None)


def test_every_law_is_among_those_tried() -> None:
    assert {law.partition("(")[0] for law in LAWS} == {name for name, word in DISTRIBUTIONS.items() if word.kind} - {
        "dirichlet",
        "planar_laplace",
    }
