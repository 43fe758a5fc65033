"""Ranks of coefficient rows and equal components, against elimination in full and against another parametrisation of the same law."""

from __future__ import annotations

from fractions import Fraction

import pytest
from flint import fmpq, fmpq_mat
from hypothesis import given
from hypothesis import strategies as st

import seepage
from seepage import Certainty, Result
from seepage.measures.gaussian.strata import basis

entries = st.one_of(st.just(0), st.just(0), st.integers(-2, 2), st.fractions(-1, 1, max_denominator=3))
matrices = st.integers(1, 5).flatmap(
    lambda width: st.lists(st.lists(entries, min_size=width, max_size=width), min_size=1, max_size=5)
)


def rank_of(rows: list[list[int | Fraction]]) -> int:
    return fmpq_mat([[fmpq(Fraction(e).numerator, Fraction(e).denominator) for e in row] for row in rows]).rank()


@given(matrices)
def test_a_basis_has_the_first_rows_that_are_independent(rows: list[list[int | Fraction]]) -> None:
    expected = [at for at in range(len(rows)) if rank_of(rows[: at + 1]) > (rank_of(rows[:at]) if at else 0)]

    assert list(basis(rows)) == expected


@pytest.mark.parametrize("outputs", ["o", "o, d"])
def test_many_normal_looks_tell_what_their_mean_tells(outputs: str) -> None:
    many = seepage.parse(
        "s ~ bernoulli(1/3)\nfor i in 1..36 { e ~ normal(0, 4); o[i] := 2 * s + e }\nd := o[1] - o[2] + o[3]"
    )
    one = seepage.parse("s ~ bernoulli(1/3)\ne ~ normal(0, 4/36)\nm := 2 * s + e")

    found, mean = many.measure(f"I(s; {outputs})"), one.measure("I(s; m)")

    assert found.value == pytest.approx(mean.value, rel=1e-9)
    assert found.lower <= mean.upper
    assert found.upper >= mean.lower


def test_supports_that_are_all_of_the_space_tell_nothing_surely() -> None:
    text = "s ~ bernoulli(1/2)\ne ~ normal(0, 1)\nf ~ normal(0, 1)\na := s + e\nb := 2 * s + {b}"

    def told(b: str) -> Result:
        return seepage.parse(text.format(b=b)).measure("I(s; a, b)")

    assert told("f").upper < 1
    assert told("2 * e").lower < 1
    assert told("e").certainty is Certainty.EXACT  # b - a is s
    assert told("e").value == 1
