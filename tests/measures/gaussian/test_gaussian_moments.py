from fractions import Fraction

from flint import arb
from tests.measures.gaussian.gaussian_mixtures import joint, scalar_mixture

from seepage.diagnostics import Reason
from seepage.engines.outcome import MixtureJoint
from seepage.measures.gaussian.moments import expectation, variance
from seepage.source import Span

HALF = Fraction(1, 2)
COIN = joint((3, {"b": 1, "x": (2, {"n": 1})}, {"n": 4}), (1, {"b": 0, "x": 10}, {}))


def test_a_probability_with_rational_weights_is_a_rational() -> None:
    assert expectation(COIN, "b").exact == Fraction(3, 4)


def test_means_of_atoms_and_densities_add() -> None:
    found = expectation(COIN, "x")

    assert found.lower <= 4
    assert found.upper >= 4
    assert float(found.upper - found.lower) < 1e-40


def test_the_variance_is_within_and_between() -> None:
    # within 3/4 · 4, between 3/4 · 1/4 · 8²
    assert abs(float(variance(COIN, "x").value) - 15) < 1e-30


def test_a_variance_mixture_has_the_verified_variance() -> None:
    assert float(variance(scalar_mixture((HALF, 0, 1), (HALF, 0, 4)), "x").value) == 2.5


def test_probabilities_of_approximations_stay_between_zero_and_one() -> None:
    rough = MixtureJoint(COIN.variables, COIN.components, (Reason(Span(0, 1), "SEEP301", "a branch"),))

    found = expectation(rough, "b")

    assert (found.lower, found.upper) == (arb(0), arb(1))
    assert expectation(rough, "x").upper == arb.pos_inf()
