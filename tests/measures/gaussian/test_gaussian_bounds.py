import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from flint import arb, fmpq
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.measures.gaussian.gaussian_mixtures import weighted, weighted_pair

from seepage.exact import precision
from seepage.measures.gaussian import bounds, quadrature
from seepage.measures.gaussian.quadrature_frame import WeightedGaussian
from seepage.measures.gaussian.strata import Piece, spread_of

Triple = tuple[float, float, float]

F: list[Triple] = [(0.5, 0.0, 1.0), (0.25, 3.0, 0.25), (0.25, -2.0, 4.0)]
G: list[Triple] = [(0.5, 0.5, 2.0), (0.5, -1.0, 1.0)]


def mixture(parts: list[Triple]) -> list[WeightedGaussian]:
    return [weighted(*part) for part in parts]


def phi(x: float, m: float, v: float) -> float:
    return math.exp(-((x - m) ** 2) / (2 * v)) / math.sqrt(2 * math.pi * v)


def kl(a: Triple, b: Triple) -> float:
    return 0.5 * (math.log(b[2] / a[2]) + (a[2] + (a[1] - b[1]) ** 2) / b[2] - 1)


def own(a: Triple) -> float:
    return 0.5 * math.log(2 * math.pi * math.e * a[2])


def z(a: Triple, b: Triple) -> float:
    return phi(a[1], b[1], a[2] + b[2])


def test_huber_bounds_are_the_formulas_of_the_paper() -> None:
    lower = -sum(a[0] * math.log(sum(b[0] * z(a, b) for b in F)) for a in F)
    upper = -sum(a[0] * math.log(a[0]) for a in F) + sum(a[0] * own(a) for a in F)

    assert float(bounds.huber_lower(mixture(F))) == pytest.approx(lower, abs=1e-13)  # rounding of a dozen floats
    assert float(bounds.huber_upper(mixture(F))) == pytest.approx(upper, abs=1e-13)


def test_hershey_olsen_bounds_are_the_formulas_of_the_paper() -> None:
    upper = sum(a[0] * math.log(sum(b[0] * z(a, b) for b in G)) for a in F)
    lower = 0.0
    for a in F:
        total = sum(b[0] * math.exp(-kl(a, b)) for b in G)
        for b in G:
            share = b[0] * math.exp(-kl(a, b)) / total
            lower += a[0] * share * (math.log(b[0] / share) - own(a) - kl(a, b))

    assert float(bounds.hershey_olsen_upper(mixture(F), mixture(G))) == pytest.approx(upper, abs=1e-13)
    assert float(bounds.hershey_olsen_lower(mixture(F), mixture(G))) == pytest.approx(lower, abs=1e-13)


def test_the_variational_bound_is_below_the_papers_product_bound() -> None:
    product = sum(a[0] * b[0] * kl(a, b) for a in F for b in G)

    assert float(bounds.hershey_olsen_variational(mixture(F), mixture(G))) <= product


def test_the_variational_bound_of_single_normals_is_their_divergence() -> None:
    a, b = (1.0, 0.0, 1.0), (1.0, 1.0, 4.0)

    assert float(bounds.hershey_olsen_variational(mixture([a]), mixture([b]))) == pytest.approx(kl(a, b), abs=1e-14)


def test_single_pairs_agree_with_linear_algebra_in_floats() -> None:
    p, q = weighted_pair(1.0, (1, 2), (2, 1), -0.5), weighted_pair(1.0, (0, 0), (1, 1), 0.5)
    sigma_p, sigma_q = np.array([[4, -1], [-1, 1.0]]), np.array([[1, 0.5], [0.5, 1]])
    delta = np.array([1.0, 2.0])
    inverse = np.linalg.inv(sigma_q)
    by_floats = 0.5 * (
        math.log(np.linalg.det(sigma_q) / np.linalg.det(sigma_p))
        + np.trace(inverse @ sigma_p)
        - 2
        + delta @ inverse @ delta
    )

    assert float(bounds.gaussian_divergence(p, q)) == pytest.approx(by_floats, abs=1e-13)


ENTROPY_LOWER = [bounds.huber_lower, bounds.kolchinsky_tracey_lower]
ENTROPY_UPPER = [bounds.huber_upper, bounds.kolchinsky_tracey_upper, bounds.moment_upper]
parts = st.lists(st.tuples(st.integers(1, 8), st.floats(-6, 6), st.floats(0.05, 5)), min_size=1, max_size=4)


def normalised(raw: list[Triple]) -> list[WeightedGaussian]:
    with precision(128):
        whole = sum(w for w, _, _ in raw)
        return [WeightedGaussian(arb(w) / whole, (arb(m),), ((arb(v),),)) for w, m, v in raw]


@pytest.mark.parametrize("bound", ENTROPY_LOWER)
@settings(max_examples=20, deadline=None, derandomize=True)
@given(raw=parts)
def test_lower_bounds_are_below_the_integral(bound: Callable[..., arb], raw: list[Triple]) -> None:
    f = normalised(raw)

    with precision(128):
        assert bound(f).lower() <= quadrature.entropies([f])[0].upper


@pytest.mark.parametrize("bound", ENTROPY_UPPER)
@settings(max_examples=20, deadline=None, derandomize=True)
@given(raw=parts)
def test_upper_bounds_are_above_the_integral(bound: Callable[..., arb], raw: list[Triple]) -> None:
    f = normalised(raw)

    with precision(128):
        assert bound(f).upper() >= quadrature.entropies([f])[0].lower


@settings(max_examples=20, deadline=None, derandomize=True)
@given(raw=parts, other=parts)
def test_bounds_of_divergence_enclose_the_integral(raw: list[Triple], other: list[Triple]) -> None:
    f, g = normalised(raw), normalised(other)

    found = quadrature.divergence(f, g)

    with precision(128):
        low = -bounds.kolchinsky_tracey_upper(f) - bounds.hershey_olsen_upper(f, g)
        high = -bounds.kolchinsky_tracey_lower(f) - bounds.hershey_olsen_lower(f, g)
        assert low.lower() <= found.upper
        assert high.upper() >= found.lower
        assert bounds.hershey_olsen_variational(f, g).upper() >= found.lower


def test_bounds_hold_of_what_a_component_that_is_not_certain_stands_for() -> None:
    # Two normal laws with means 0 and 3 whose balls are the same: told as one component.
    blurred = [WeightedGaussian(arb(1), (arb(1.5, 2),), ((arb(1),),), certain=False)]
    true = mixture([(0.5, 0.0, 1.0), (0.5, 3.0, 1.0)])
    entropy = quadrature.entropies([true])[0]

    for lower in (bounds.entropy_within, bounds.huber_lower, bounds.kolchinsky_tracey_lower):
        assert bounds.greatest([lower(blurred)]) <= entropy.upper
    for upper in (bounds.huber_upper, bounds.kolchinsky_tracey_upper):
        assert bounds.least([upper(blurred)]) >= entropy.lower


def test_a_piece_that_is_not_certain_proves_no_variance() -> None:
    blurred = Piece(fmpq(1), ((1,),), (arb(0),), ((arb(1, 0.5),),), "a law", certain=False)

    assert spread_of(blurred) != spread_of(replace(blurred, weight=fmpq(1, 2)))
    assert spread_of(replace(blurred, certain=True)) == spread_of(replace(blurred, certain=True))


@pytest.mark.parametrize("size", [1e3, 1e200])
def test_bounds_of_means_far_apart_are_finite(size: float) -> None:
    far = [WeightedGaussian(arb(0.5), (arb(size) ** 2 * k + arb(0, 1e-3),), ((arb(1),),)) for k in (0, 1)]
    expected = math.log(2) + 0.5 * math.log(2 * math.pi * math.e)

    assert float(bounds.kolchinsky_tracey_lower(far)) == pytest.approx(expected, abs=1e-13)
    assert float(bounds.kolchinsky_tracey_upper(far)) == pytest.approx(expected, abs=1e-13)


def test_what_is_no_number_bounds_nothing() -> None:
    assert bounds.least([arb.nan(), arb(2), arb(1)]) == 1
    assert bounds.greatest([arb(2), arb.nan()]) == 2
    assert bounds.least([arb.nan()]) == arb.pos_inf()
    assert bounds.greatest([]) == arb.neg_inf()
