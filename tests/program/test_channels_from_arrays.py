"""Channels from arrays: their measures are those of qif, of definitions written out in fractions, and of another way through floats."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pytest
import qif
from hypothesis import given, settings
from tests.measures.random_channels import matrices

import seepage
from seepage import channels
from seepage.channels import OF_LARGE
from seepage.engines.outcome import Budget
from seepage.measures.channels.bounds_by_floats import Arrays, capacity
from seepage.measures.channels.refinement import NotRefined, Refined

Floats = npt.NDArray[np.float64]
HALF, THIRD = Fraction(1, 2), Fraction(1, 3)

Z_CHANNEL = [[Fraction(1), Fraction(0)], [HALF, HALF]]


def random_arrays(inputs: int, outputs: int, seed: int) -> tuple[Floats, Floats]:
    """Return a prior and a matrix with some zeros."""
    random_ = np.random.default_rng(seed)
    matrix = random_.dirichlet(np.ones(outputs), size=inputs)
    matrix[random_.random(matrix.shape) < 0.2] = 0
    matrix[:, 0] += 0.01
    return random_.dirichlet(np.ones(inputs)), matrix / matrix.sum(axis=1)[:, None]


def entropy(law: Floats) -> float:
    return -math.fsum(p * math.log2(p) for p in law.ravel() if p > 0)


def by_definition(prior: Floats, matrix: Floats) -> dict[str, float]:
    """Return measures by their definitions, in bits."""
    joint = prior[:, None] * matrix
    before, after = prior.max(), joint.max(axis=0).sum()
    told = entropy(prior) + entropy(joint.sum(axis=0)) - entropy(joint)
    return {
        "H(x)": entropy(prior),
        "H(y)": entropy(joint.sum(axis=0)),
        "I(x; y)": told,
        "H(x | y)": entropy(prior) - told,
        "H(y | x)": entropy(joint.sum(axis=0)) - told,
        "V(x)": before,
        "V(x | y)": after,
        "Hmin(x)": -math.log2(before),
        "Hmin(x | y)": -math.log2(after),
        "Lmin(x -> y)": math.log2(after / before),
        "Cmin(x -> y)": math.log2(matrix.max(axis=0).sum()),
        "DP(x -> y)": math.inf if ((matrix == 0) & (matrix.max(axis=0) > 0)).any() else math.log((matrix.max(axis=0) / matrix.min(axis=0)).max()),
    }  # fmt: skip


@pytest.mark.parametrize("large", [False, True])
@pytest.mark.parametrize("shape", [(2, 2), (5, 3), (3, 17), (40, 40)])
def test_measures_are_those_of_their_definitions(
    shape: tuple[int, int], large: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if large:
        monkeypatch.setattr(channels, "MOST_ENTRIES", 0)
    prior, matrix = random_arrays(*shape, seed=shape[0])

    found = seepage.channel(prior, matrix)

    assert found.is_exact is not large
    for measure, expected in by_definition(prior, matrix).items():
        result = found.measure(measure)
        assert result.lower - 1e-12 <= expected <= result.upper + 1e-12 or result.value == expected, measure
        assert result.upper - result.lower <= 1e-10 or result.value == math.inf, measure


@pytest.mark.parametrize("unit", ["bits", "nats"])
@pytest.mark.parametrize("measure", OF_LARGE)
def test_bounds_by_floats_hold_the_exact_numbers(
    measure: str, unit: Literal["bits", "nats"], monkeypatch: pytest.MonkeyPatch
) -> None:
    for seed in range(4):
        prior, matrix = random_arrays(6, 5, seed)
        exact = seepage.channel(prior, matrix).measure(measure, unit=unit)
        with monkeypatch.context() as patch:
            patch.setattr(channels, "MOST_ENTRIES", 0)
            bounded = seepage.channel(prior, matrix).measure(measure, unit=unit)
        assert bounded.lower <= exact.upper
        assert exact.lower <= bounded.upper
        assert (bounded.unit, bounded.certainty, bounded.measure) == (exact.unit, "certified", exact.measure)


@settings(max_examples=15, deadline=None)
@given(matrices())
def test_small_channels_agree_with_qif(rows: list[list[Fraction]]) -> None:
    prior = [Fraction(1 + place, len(rows) * (len(rows) + 1) // 2) for place in range(len(rows))]
    floats, array = np.array(prior, float), np.array(rows, float)

    found = seepage.channel(prior, rows)

    pairs = {
        "H(x | y)": qif.measure.shannon.posterior(floats, array),
        "I(x; y)": qif.measure.shannon.add_leakage(floats, array),
        "V(x | y)": qif.measure.bayes_vuln.posterior(floats, array),
        "Lmin(x -> y)": math.log2(qif.measure.bayes_vuln.mult_leakage(floats, array)),
        "Cmin(x -> y)": math.log2(qif.measure.bayes_vuln.mult_capacity(array)),
        "Guess(x | y)": qif.measure.guessing.posterior(floats, array),
    }
    for measure, expected in pairs.items():
        assert found.measure(measure).value == pytest.approx(expected, abs=1e-9), measure


def test_the_capacity_of_a_z_channel_is_known() -> None:
    # log₂(1 + (1 − p) p^(p / (1 − p))) with p = 1/2 (Cover and Thomas 2006, problem 7.8)
    assert seepage.channel(None, Z_CHANNEL).measure("C(x -> y)").value == pytest.approx(math.log2(1.25), abs=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_the_capacity_by_floats_is_enclosed(seed: int) -> None:
    prior, matrix = random_arrays(8, 6, seed)

    exact = seepage.channel(prior, matrix).measure("C(x -> y)", unit="nats")
    found = capacity(Arrays(prior, matrix, 40), Budget())

    assert found.lower <= exact.upper
    assert exact.lower <= found.upper
    assert found.upper - found.lower < 1e-6


def test_a_large_channel_is_bounded_closely() -> None:
    prior, matrix = random_arrays(1_000, 1_000, seed=1)

    found = seepage.channel(prior, matrix)

    expected = by_definition(prior, matrix)
    for measure in ("I(x; y)", "V(x | y)", "H(y | x)"):
        result = found.measure(measure)
        assert result.lower - 1e-10 <= expected[measure] <= result.upper + 1e-10
        assert result.upper - result.lower < 1e-10


def test_a_symmetric_large_channel_has_the_capacity_of_its_formula() -> None:
    # Every row and column is a permutation of the first ones: C = log₂ m − H(row).
    row = np.random.default_rng(3).dirichlet(np.ones(128))
    matrix = np.array([np.roll(row, shift) for shift in range(128)])

    result = seepage.channel(None, matrix).measure("C(x -> y)")

    assert result.lower - 1e-12 <= 7 - entropy(row) <= result.upper + 1e-12
    assert result.upper - result.lower < 1e-9


def test_fractions_are_kept_and_floats_mean_their_decimals() -> None:
    found = seepage.channel(["1/3", "2/3"], [[0.1, 0.9], [THIRD, 1 - THIRD]])

    assert found.fractions() == ((THIRD, 1 - THIRD), ((Fraction(1, 10), Fraction(9, 10)), (THIRD, 1 - THIRD)))
    assert found.normalised == 0
    assert found.measure("P(y == 0)") == Fraction(1, 3) * Fraction(1, 10) + Fraction(2, 3) * THIRD


def test_sums_within_the_tolerance_are_divided_by_and_told() -> None:
    found = seepage.channel([0.5, 0.5], [[0.3333333333, 0.6666666666], [0.5, 0.5]])

    assert found.normalised == pytest.approx(1e-10)
    assert repr(found) == "<Channel of 2 inputs x, 2 outputs y, normalised>"
    assert found.fractions()[1][0] == (THIRD, 1 - THIRD)


def test_posteriors_are_those_of_bayes() -> None:
    found = seepage.channel([Fraction(1, 4), Fraction(3, 4)], [[1, 0, 0], [HALF, HALF, 0]])

    np.testing.assert_allclose(found.outputs(), [5 / 8, 3 / 8, 0])
    np.testing.assert_allclose(found.posteriors()[:2], np.array([[2 / 5, 3 / 5], [0.0, 1.0]]))
    assert np.isnan(found.posteriors()[2]).all()


def test_a_cascade_is_the_product_of_the_matrices_and_leaks_no_more() -> None:
    first = seepage.channel([THIRD, 1 - THIRD], Z_CHANNEL)
    both = first @ seepage.channel(None, [[Fraction(3, 4), Fraction(1, 4)], [0, 1]])

    assert both.fractions()[1] == ((Fraction(3, 4), Fraction(1, 4)), (Fraction(3, 8), Fraction(5, 8)))
    assert both.measure("I(x; y)") < first.measure("I(x; y)")
    assert isinstance(first.refinement(both), Refined)
    assert isinstance(both.refinement(first), NotRefined)


def test_a_parallel_channel_is_that_of_two_draws() -> None:
    found = seepage.channel([THIRD, 1 - THIRD], Z_CHANNEL)
    twice = seepage.parse("secret x\noutput a, b\nx ~ bernoulli(2/3)\na ~ bernoulli(x / 2)\nb ~ bernoulli(x / 2)\n")

    both = found.parallel(found)

    assert both.fractions()[1] == ((Fraction(1), *(Fraction(0),) * 3), (Fraction(1, 4),) * 4)
    assert both.measure("I(x; y)").value == twice.measure("I(x; a, b)").value


def test_what_independent_channels_leak_adds_up() -> None:
    first, second = (
        seepage.channel([THIRD, 1 - THIRD], Z_CHANNEL),
        seepage.channel(None, [["1/5", "4/5"], ["1/2", "1/2"]]),
    )

    both = first.product(second)

    total = first.measure("I(x; y)").number + second.measure("I(x; y)").number
    assert both.measure("I(x; y)").value == pytest.approx(total, abs=1e-12)
    assert both.matrix.shape == (4, 4)


@pytest.mark.parametrize("combine", ["cascade", "parallel", "product"])
def test_large_channels_are_combined_as_small_ones_are(combine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def combined() -> Floats:
        one, other = seepage.channel(*random_arrays(4, 4, 1)), seepage.channel(*random_arrays(4, 4, 2))
        found = one @ other if combine == "cascade" else getattr(one, combine)(other)
        return np.vstack([found.joint(), found.matrix])

    small = combined()
    monkeypatch.setattr(channels, "MOST_ENTRIES", 0)

    np.testing.assert_allclose(combined(), small, rtol=1e-12)


def test_names_are_those_of_measures() -> None:
    found = seepage.channel(None, Z_CHANNEL, names=("pin", "seen"))

    assert found.measure("H(pin) - H(pin | seen)").number == pytest.approx(found.measure("I(pin; seen)").number)
    with pytest.raises(seepage.MeasureError) as told:
        found.measure("I(pin; y)")
    assert told.value.column == 8


class Sparse:
    """What is used of a sparse matrix."""

    def __init__(self, rows: Floats) -> None:
        self.rows = rows

    def toarray(self) -> Floats:
        return self.rows


def test_sparse_matrices_are_read_as_arrays() -> None:
    rows = np.array([[1.0, 0.0], [0.25, 0.75]])

    assert seepage.channel(None, Sparse(rows)).fractions() == seepage.channel(None, rows).fractions()


@pytest.mark.parametrize(
    ("prior", "matrix", "message"),
    [
        ([1], [[0.5, 0.4]], "row 0 with the sum 0.9"),
        ([0.5, 0.4], Z_CHANNEL, "the prior with the sum 0.9"),
        ([1], Z_CHANNEL, "a prior of shape"),
        (None, [[1.5, -0.5]], "expected rational probabilities"),
        (None, [[0.5, float("nan")]], "expected a finite number"),
        (None, [[1], [0.5, 0.5]], "rows of different lengths"),
        (None, [1, 0], "expected a row for each input"),
        (None, np.full((200, 200), 0.004), "row 0 with the sum 0.8"),
        (None, np.full((200, 200), np.nan), "no probability"),
    ],
)
def test_what_is_no_channel_is_told(prior: Any, matrix: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        seepage.channel(prior, matrix)


def test_wrong_uses_are_told() -> None:
    large = seepage.channel(None, np.full((200, 200), 1 / 200))

    with pytest.raises(ValueError, match=r"expected one of: H\(x\), .* at most 10000"):
        large.measure("Guess(x | y)")
    with pytest.raises(ValueError, match="expected fractions"):
        large.refinement(large)
    with pytest.raises(ValueError, match="200 outputs before 2 inputs"):
        _ = large @ seepage.channel(None, Z_CHANNEL)
    with pytest.raises(ValueError, match="two different ones"):
        seepage.channel(None, Z_CHANNEL, names=("x", "x"))
    with pytest.raises(ValueError, match="expected 'bits' or 'nats'"):
        large.measure("H(x)", unit="bit")  # type: ignore[arg-type]
