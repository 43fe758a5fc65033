"""Guessing on random channels against the public package ``qif``, which computes in doubles from a prior and a channel matrix."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
import qif
from hypothesis import given
from hypothesis import strategies as st
from tests.measures.random_joints import CELLS, Weights, rational, secrets

from seepage.measures.guessing.entropy import guessing_entropy
from seepage.measures.guessing.gains import Distance, Table, Tries
from seepage.measures.guessing.vulnerability import conditional_vulnerability, vulnerability

ROUNDING = 1e-12  # of sums of at most 125 products of doubles

Matrix = np.ndarray[tuple[int, int], np.dtype[np.float64]]


def channel(weights: Weights) -> tuple[np.ndarray[tuple[int], np.dtype[np.float64]], Matrix]:
    """Return the prior of x and the matrix of W(y|x)."""
    xs, ys = secrets(weights), sorted({y for _, y in weights})
    table = np.array([[weights.get((x, y), 0) for y in ys] for x in xs], dtype=float)
    return table.sum(axis=1) / table.sum(), table / table.sum(axis=1, keepdims=True)


@given(CELLS)
def test_one_guess(weights: Weights) -> None:
    prior, matrix = channel(weights)

    before = vulnerability(rational(weights), ["x"]).exact
    after = conditional_vulnerability(rational(weights), ["x"], ["y"]).exact

    assert before is not None
    assert after is not None
    assert float(before) == pytest.approx(qif.measure.bayes_vuln.prior(prior), rel=ROUNDING)
    assert float(after) == pytest.approx(qif.measure.bayes_vuln.posterior(prior, matrix), rel=ROUNDING)
    assert float(after / before) == pytest.approx(qif.measure.bayes_vuln.mult_leakage(prior, matrix), rel=ROUNDING)


@given(CELLS)
def test_guess_after_guess(weights: Weights) -> None:
    prior, matrix = channel(weights)

    before, after = guessing_entropy(rational(weights), ["x"]), guessing_entropy(rational(weights), ["x"], ["y"])

    assert float(before.exact or 0) == pytest.approx(qif.measure.guessing.prior(prior), rel=ROUNDING)
    assert float(after.exact or 0) == pytest.approx(qif.measure.guessing.posterior(prior, matrix), rel=ROUNDING)


@given(CELLS, st.lists(st.lists(st.integers(-12, 12), min_size=5, max_size=5), min_size=1, max_size=5))
def test_a_table_of_gains(weights: Weights, gains: list[list[int]]) -> None:
    prior, matrix = channel(weights)
    xs = secrets(weights)
    table = Table({(w,): {(x,): Fraction(row[x], 4) for x in xs} for w, row in enumerate(gains)})
    g = np.array([[row[x] / 4 for x in xs] for row in gains])

    before = vulnerability(rational(weights), ["x"], table).exact
    after = conditional_vulnerability(rational(weights), ["x"], ["y"], table).exact

    assert before is not None
    assert after is not None
    assert float(before) == pytest.approx(qif.measure.g_vuln.prior(g, prior), rel=ROUNDING, abs=ROUNDING)
    assert float(after) == pytest.approx(qif.measure.g_vuln.posterior(g, prior, matrix), rel=ROUNDING, abs=ROUNDING)
    additive = qif.measure.g_vuln.add_leakage(g, prior, matrix)
    assert float(after - before) == pytest.approx(additive, rel=ROUNDING, abs=ROUNDING)


@given(CELLS)
def test_a_guess_that_may_be_near(weights: Weights) -> None:
    prior, matrix = channel(weights)
    xs = secrets(weights)
    extent = xs[-1] - xs[0]
    g = np.array([[1 - abs(w - x) / max(extent, 1) for x in xs] for w in xs])

    after = conditional_vulnerability(rational(weights), ["x"], ["y"], Distance(extent)).exact

    assert float(after or 0) == pytest.approx(qif.measure.g_vuln.posterior(g, prior, matrix), rel=ROUNDING)


@given(CELLS, st.integers(1, 5))
def test_several_tries(weights: Weights, tries: int) -> None:
    """One guess is a set of so many values."""
    prior, matrix = channel(weights)
    count = len(prior)
    subsets = [s for s in range(2**count) if s.bit_count() == min(tries, count)]
    g = np.array([[float(s >> x & 1) for x in range(count)] for s in subsets])

    after = conditional_vulnerability(rational(weights), ["x"], ["y"], Tries(tries)).exact

    assert math.isclose(float(after or 0), qif.measure.g_vuln.posterior(g, prior, matrix), rel_tol=ROUNDING)
