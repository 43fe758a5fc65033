"""Finite channels that tell less and more: what is proved of them, for random laws, and where they meet closed forms."""

from __future__ import annotations

from math import erf, exp, log, log2, sqrt

import numpy as np
import pytest
from flint import arb
from hypothesis import given, settings
from hypothesis import strategies as st

import seepage
from seepage.engines.pivot.segments import Placed
from seepage.exact import precision
from seepage.laws.laplace import Laplace
from seepage.laws.law import Law
from seepage.laws.normal import Normal
from seepage.measures.cells import joining
from seepage.measures.cells.columns import Columns, Floats, columns_of
from seepage.measures.pivot.guessing import Slab

few = settings(max_examples=8, deadline=None, derandomize=True)
places = st.lists(st.integers(-3, 3), min_size=2, max_size=4, unique=True)
laws = st.sampled_from([Laplace((1,)), Laplace((2,)), Normal((1,))])


def columns(law: Law, at: list[int], count: int) -> Columns:
    """Return the finite channels of places behind noise."""
    with precision(128):
        return columns_of([[(arb(1), Slab(Placed(law, place, 1, None, None)))] for place in at], count, lambda: None)


def guessed(rows: Floats, prior: Floats) -> float:
    """Return the chance of the best guess."""
    return float((rows * prior[:, None]).max(axis=0).sum())


@given(laws, places, st.integers(8, 60), st.randoms(use_true_random=False))
@few
def test_each_input_keeps_its_mass_and_more_cells_never_tell_more_than_splitting(
    law: Law, at: list[int], count: int, random: object
) -> None:
    coarse, fine = columns(law, at, count), columns(law, at, 4 * count)
    for each in (coarse.less, coarse.more, fine.less, fine.more):
        assert np.abs(each.sum(axis=1) - 1).max() < 1e-12
    for prior in (np.full(len(at), 1 / len(at)), np.arange(1, len(at) + 1) / sum(range(1, len(at) + 1))):
        told = [guessed(side, prior) for side in (coarse.less, fine.less, fine.more, coarse.more)]
        assert told[0] <= told[1] + 1e-12 <= told[2] + 2e-12
        assert told[1] <= told[3] + 1e-12


@given(st.lists(st.lists(st.integers(0, 9), min_size=3, max_size=3).filter(any), min_size=4, max_size=40))
@few
def test_outputs_that_are_joined_tell_less_and_those_that_are_split_tell_more(table: list[list[int]]) -> None:
    rows = np.array(table, dtype=np.float64).T
    rows = rows / rows.sum()
    for step in (1 / 8, 1 / 2):
        joined, split = joining._gathered(rows, joining._keyed(rows, step)), joining._on_grid(rows, step)
        for each in (joined, split):
            assert np.abs(each.sum(axis=1) - rows.sum(axis=1)).max() < 1e-12
        for prior in (np.ones(3), np.array([1.0, 2.0, 4.0])):
            assert guessed(joined, prior) <= guessed(rows, prior) + 1e-12 <= guessed(split, prior) + 2e-12


@pytest.mark.parametrize(
    ("text", "measure", "right"),
    [
        ("s ~ flip(1/2)\ne ~ normal(0, 1)\no := s + e", "Cmin(s -> o)", log2(1 + erf(1 / (2 * sqrt(2))))),
        ("s ~ flip(1/2)\ne ~ laplace(0, 1)\no := s + e", "V(s | o)", 1 - exp(-1 / 2) / 2),
        ("s ~ flip(1/2)\na ~ laplace(0, 2)\nt ~ flip(1/2)\no := if t then s + a else 7", "Renyi(s -> o, alpha=2)", log(1 / 2 + (2 / 3 * exp(1 / 2) + 1 / 3 * exp(-1)) / 2)),
        ("s ~ flip(1/2)\ne ~ geometric(1/3)\nd ~ geometric(1/3)\no := s + e\np := s + d", "V(s | o, p)", 1 - (2 / 3) ** 2 / 2),
    ],
)  # fmt: skip
def test_closed_forms(text: str, measure: str, right: float) -> None:
    found = seepage.parse(f"secret s\noutput o\n{text}").measure(measure)

    assert found.lower - 1e-12 <= right <= found.upper + 1e-12
    assert found.upper - found.lower <= 1e-4


def test_the_greatest_of_five_values_has_every_measure() -> None:
    values = "\n".join(f"v[{number}] ~ laplace(s, 2)" for number in range(5))
    text = f"secret s\noutput m\ns ~ uniform_int(0, 1)\n{values}\nm := v[0]\nfor i in 1..4 {{ m := max(m, v[i]) }}"

    grid = np.linspace(-60, 160, 200_001)
    z = (grid - np.array([[0], [1]])) / 2
    below = np.where(z < 0, np.exp(np.minimum(z, 0)) / 2, 1 - np.exp(np.minimum(-z, 0)) / 2)
    both = 5 * below**4 * np.exp(-np.abs(z)) / 4
    right = float(np.trapezoid(both.max(axis=0), grid)) / 2

    found = seepage.parse(text).measure("V(s | m)")

    assert found.lower - 1e-6 <= right <= found.upper + 1e-6
    assert found.upper - found.lower <= 1e-3
