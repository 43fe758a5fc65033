"""Values that fill a set without volume: entropies of −∞ and informations of ∞, and the same programs where a density is left."""

from __future__ import annotations

from math import inf

import pytest

from seepage import parse

_DIRICHLET = "output w  w ~ dirichlet(1, 2, 3)"
_SUMS = "output a, b, c, d, e  a ~ uniform(0, 1)  x ~ laplace(0, 1)  y ~ exponential(1)  b := 2 * a + x  c := a - 3 * x  d := a * x  e := d + y"
_PATHS = "output a, b, c  a ~ uniform(0, 1)  x ~ laplace(0, 1)  k ~ flip(1/3)  if k { b := x } else { b := a + x }  c := a * x"
_CASES = [
    (_DIRICHLET, "H(w)", -inf),
    (_DIRICHLET, "H(w[2], w[0], w[1])", -inf),
    (_DIRICHLET, "H(w[0] | w[1], w[2])", -inf),
    (_DIRICHLET, "I(w[0], w[1]; w[2])", inf),
    (_DIRICHLET, "I(w[0]; w[1] | w[2])", inf),
    (_SUMS, "H(a, b, c)", -inf),
    (_SUMS, "H(a, b | c)", -inf),
    (_SUMS, "H(a, d, e, y)", -inf),  # four of three sources
    (_SUMS, "H(d, e, y)", -inf),  # as many as sources: one is a linear function of products
    (_SUMS, "I(a, b; c)", inf),
    (_SUMS, "I(d; y | e)", inf),
    (_PATHS, "H(a, b, c)", -inf),
]


@pytest.mark.parametrize(("program", "measure", "expected"), _CASES)
def test_values_that_tell_each_other_have_no_density_together(program: str, measure: str, expected: float) -> None:
    result = parse(program.replace("  ", "\n")).measure(measure)

    assert (result.lower, result.upper) == (expected, expected)
    assert result.certainty.value == "exact"


@pytest.mark.parametrize(
    ("program", "measure"),
    [
        (_DIRICHLET, "H(w[0], w[1])"),
        (_DIRICHLET, "I(w[0]; w[1])"),
        (_SUMS, "H(a, b)"),
        (_SUMS, "H(a, d, e)"),
        (_SUMS, "I(d; y)"),
        (_SUMS, "I(d; e)"),
        (_PATHS, "H(a, b)"),
    ],
)
def test_values_with_a_density_together_are_not_told_to_have_none(program: str, measure: str) -> None:
    result = parse(program.replace("  ", "\n")).measure(measure)

    assert result.upper > -inf
    assert result.lower < inf
