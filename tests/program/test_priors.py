"""Other laws for what a program draws: of scipy, as tables, as text; held to scipy's own distribution functions."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest
from scipy import stats

import seepage
from seepage.priors import _LAWS, law_text

_FROZEN: dict[str, Any] = {
    "bernoulli": stats.bernoulli(0.3),
    "beta": stats.beta(2, 3),
    "binom": stats.binom(n=6, p=0.25),
    "cauchy": stats.cauchy(1, 2),
    "dlaplace": stats.dlaplace(0.8, loc=2),
    "expon": stats.expon(scale=4),
    "gamma": stats.gamma(2, scale=3),
    "geom": stats.geom(0.2, loc=-1),
    "gumbel_r": stats.gumbel_r(1, 2),
    "hypergeom": stats.hypergeom(20, 7, 12),
    "laplace": stats.laplace(-1, 2),
    "logistic": stats.logistic(loc=1, scale=0.5),
    "lognorm": stats.lognorm(0.5, scale=2),
    "norm": stats.norm(1, 2),
    "pareto": stats.pareto(3, scale=2),
    "poisson": stats.poisson(3),
    "randint": stats.randint(2, 9, loc=1),
    "t": stats.t(5, -1, 2),
    "triang": stats.triang(0.25, loc=1, scale=4),
    "uniform": stats.uniform(2, 3),
    "weibull_min": stats.weibull_min(1.5, scale=2),
}


def test_every_row_is_tried() -> None:
    assert set(_FROZEN) == set(_LAWS)


@pytest.mark.parametrize("name", sorted(_FROZEN))
def test_a_law_of_scipy_is_the_law_of_the_program(name: str) -> None:
    law = _FROZEN[name]
    assert "{" not in law_text(law)
    program = seepage.parse("secret x\noutput o\nx ~ bernoulli(1/2)\no := x").with_priors({"x": law})
    assert program.diagnostics == () or not any(each.is_error for each in program.diagnostics)
    for share in (0.2, 0.5, 0.9):
        end = Fraction(f"{float(law.ppf(share)):.4g}")
        found = program.measure(f"P(x <= {end})")
        assert (found.lower + found.upper) / 2 == pytest.approx(float(law.cdf(float(end))), abs=1e-9)


@pytest.mark.parametrize(
    "law",
    [
        stats.binom(4, 0.5, loc=3),
        stats.nhypergeom(20, 7, 5),
        stats.rv_discrete(values=([1, 5, 9], [0.25, 0.5, 0.25])),
    ],
)
def test_other_discrete_laws_become_tables(law: Any) -> None:
    program = seepage.parse("secret x\nx ~ bernoulli(1/2)").with_priors({"x": law})
    low, high = law.support()
    for value in range(int(low), int(high) + 1):
        assert float(program.measure(f"P(x == {value})")) == pytest.approx(float(law.pmf(value)), abs=1e-9)


def test_tables_and_texts() -> None:
    program = seepage.parse("secret s\noutput o\n\ns ~ uniform_int(0, 3)  // guessed\no := s % 2")
    assert float(program.with_priors({"s": {0: "1/2", 1: Fraction(1, 4), 2: 0.25}}).measure("H(s)")) == 1.5
    assert float(program.with_priors({"s": "uniform_int(0, 7)"}).measure("H(s)")) == 3
    assert "// guessed" in program.with_priors({"s": "uniform_int(0, 7)"}).source.text
    assert float(program.measure("H(s)")) == 2
    tenths = program.with_priors({"s": dict.fromkeys(range(10), 0.1)})
    assert float(tenths.measure("H(s)")) == pytest.approx(math.log2(10))


@pytest.mark.parametrize(
    ("law", "said"),
    [
        ({0: 0.5, 1: 0.4}, "the sum 0.9, expected 1"),
        ({0: -0.5, 1: 1.5}, "expected rational probabilities"),
        ({}, "found no value"),
        (stats.norm, "without parameters, expected one such as"),
        (3, "found 3, expected a frozen law"),
        (stats.expon(loc=1), "the law 'expon' of scipy with these parameters"),
        (stats.nbinom(3, 0.5), "the law 'nbinom' of scipy"),
    ],
)
def test_laws_that_have_no_form_are_refused(law: Any, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        seepage.parse("secret s\ns ~ bernoulli(1/2)").with_priors({"s": law})


@pytest.mark.parametrize("text", ["s := 1", "for i in 1..2 { s ~ bernoulli(1/2) }", "s ~ flip(1/2)\ns ~ flip(1/3)"])
def test_variables_that_are_not_drawn_once_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="draws of 's'"):
        seepage.parse(text).with_priors({"s": "flip(1/2)"})


def test_a_law_as_text_that_is_wrong_is_a_finding() -> None:
    program = seepage.parse("secret s\ns ~ bernoulli(1/2)").with_priors({"s": "binomal(3, 1/2)"})
    assert any("binomal" in each.message for each in program.diagnostics if each.is_error)


def test_symbols_stand_in_the_text_with_their_quotes() -> None:
    program = seepage.parse('secret c\noutput o\nc ~ uniform_of("red", "a\\b")\no := c\n')

    other = program.with_priors(c={"red": "1/4", "a\\b": "3/4"})

    assert 'c ~ {"red": 1/4, "a\\b": 3/4}' in other.source.text
    assert other.measure('P(c == "a\\b")') == Fraction(3, 4)
    for symbol in ('"', "a\nb", ""):
        with pytest.raises(ValueError, match="in one line without quotes inside"):
            program.with_priors(c={symbol: 1})
