import math
import os

import mpmath
import numpy as np
import pytest
from flint import acb, arb
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.measures.gaussian.gaussian_mixtures import weighted, weighted_pair

from seepage.exact import precision
from seepage.measures.enclosure import Enclosure
from seepage.measures.gaussian import quadrature
from seepage.measures.gaussian.quadrature_frame import NotResolved, WeightedGaussian
from seepage.measures.gaussian.quadrature_rules import SIZES, rule

Triple = tuple[float, float, float]

SCALARS: dict[str, list[Triple]] = {
    "two apart": [(0.5, -4.0, 1.0), (0.5, 4.0, 1.0)],
    "two that overlap": [(0.5, -1.0, 1.0), (0.5, 1.0, 1.0)],
    "three scales": [(0.25, 0.0, 1e-6), (0.5, 1.0, 1.0), (0.25, -2.0, 1e6)],
    "a tiny weight": [(1e-12, 0.0, 1.0), (1.0, 1.0, 2.0)],
    "far from the origin": [(0.5, 1e6, 1e-6), (0.5, 1e6 + 0.0009765625, 1e-6)],
    "mass below one": [(0.125, 0.0, 1.0), (0.0625, 3.0, 0.25)],
    "nearly equal": [(0.5, 0.0, 1.0), (0.5, 1e-7, 1.0)],
}


def mixture(parts: list[Triple]) -> list[WeightedGaussian]:
    return [weighted(*part) for part in parts]


def contains(enclosure: Enclosure, number: arb | mpmath.mpf) -> bool:
    exact = arb(mpmath.nstr(number, 28)) if isinstance(number, mpmath.mpf) else number
    return bool(enclosure.lower <= exact) and bool(exact <= enclosure.upper)


def width(enclosure: Enclosure) -> float:
    return float(enclosure.upper - enclosure.lower)


def log_density(parts: list[Triple], x: mpmath.mpf) -> mpmath.mpf:
    terms = [
        mpmath.log(w) - mpmath.log(2 * mpmath.pi * mpmath.mpf(v)) / 2 - (x - m) ** 2 / (2 * mpmath.mpf(v))
        for w, m, v in parts
    ]
    top = max(terms)
    return top + mpmath.log(sum(mpmath.exp(term - top) for term in terms))


def integral_by_mpmath(parts: list[Triple], integrand: object) -> mpmath.mpf:
    """Integrate with 30 digits between the components' means ± multiples of their deviations."""
    with mpmath.workdps(30):
        points = sorted({mpmath.mpf(m) + k * mpmath.sqrt(v) for _, m, v in parts for k in (-12, -4, 0, 4, 12)})
        return mpmath.quad(integrand, points, maxdegree=7)


def entropy_by_mpmath(parts: list[Triple]) -> mpmath.mpf:
    def integrand(x: mpmath.mpf) -> mpmath.mpf:
        log_f = log_density(parts, x)
        return -mpmath.exp(log_f) * log_f

    return integral_by_mpmath(parts, integrand)


@pytest.mark.parametrize("size", SIZES)
def test_rules_integrate_their_even_powers_to_the_last_bits(size: int) -> None:
    nodes, weights = rule(size)

    errors = [abs(math.fsum(weights * nodes**k) - 2 / (k + 1)) for k in range(0, 2 * size, 2)]

    # each node and weight is rounded once: relative 2^-53 (k + 1) on terms that add up to at most 2
    assert max(errors) <= 2 * (2 * size + 1) * 2.0**-53


@pytest.mark.family(every=3)
@pytest.mark.parametrize("name", SCALARS)
def test_entropies_of_scalar_mixtures_contain_the_thirty_digit_values(name: str) -> None:
    found = quadrature.entropies([mixture(SCALARS[name])])[0]

    assert contains(found, entropy_by_mpmath(SCALARS[name]))
    assert width(found) <= 1e-9


@pytest.mark.parametrize("name", ["two apart", "two that overlap", "mass below one"])
def test_entropies_agree_with_ball_integrals(name: str) -> None:
    parts = SCALARS[name]

    def integrand(x: acb, analytic: bool) -> acb:
        f = sum((w * (-((x - m) ** 2) / (2 * v)).exp() / (2 * acb.pi() * v).sqrt() for w, m, v in parts), acb(0))
        return -f * f.log(analytic=analytic)

    with precision(80):
        ball = acb.integral(integrand, -20, 20, rel_tol=arb(2) ** -50).real

    found = quadrature.entropies([mixture(parts)])[0]
    # beyond ±20 the integrand is below 1e-50
    assert found.lower <= ball.upper()
    assert ball.lower() <= found.upper
    assert abs(float(found.value) - float(ball)) < 1e-13


def test_several_mixtures_at_once_give_what_each_gives_alone() -> None:
    names = list(SCALARS)

    together = quadrature.entropies([mixture(SCALARS[name]) for name in names])

    for name, found in zip(names, together, strict=True):
        alone = quadrature.entropies([mixture(SCALARS[name])])[0]
        assert abs(float(found.value - alone.value)) <= width(alone)


KL_PAIRS: dict[str, tuple[list[Triple], list[Triple]]] = {
    "three against two": ([(0.5, 0.0, 1.0), (0.25, 2.0, 0.25), (0.25, -1.0, 4.0)], [(0.5, 0.0, 2.0), (0.5, 1.0, 1.0)]),
    "nearly equal": ([(0.5, 0.0, 1.0), (0.5, 1.0, 1.0)], [(0.5, 0.0, 1.0), (0.5, 1.0000001, 1.0)]),
    "broad against narrow": ([(1.0, 0.0, 1.0), (1.0, 0.5, 1.0)], [(0.5, 0.0, 1e-4), (0.5, 1.0, 1e-4)]),
    "different masses": ([(0.25, 0.0, 1.0)], [(0.125, 0.0, 2.0), (0.5, 3.0, 1.0)]),
}


@pytest.mark.family(every=3)
@pytest.mark.parametrize("name", KL_PAIRS)
def test_divergences_contain_the_thirty_digit_values(name: str) -> None:
    f, g = KL_PAIRS[name]

    def integrand(x: mpmath.mpf) -> mpmath.mpf:
        log_f = log_density(f, x)
        return mpmath.exp(log_f) * (log_f - log_density(g, x))

    middles = [(0.0, (a[1] + b[1]) / 2, 1e-6) for a in g for b in g]  # where the nearest component of g changes
    oracle = integral_by_mpmath([*f, *middles], integrand)

    found = quadrature.divergence(mixture(f), mixture(g))
    assert contains(found, oracle)
    assert width(found) <= 1e-9 * max(1.0, float(oracle))  # rounding is relative to log(f/g)


def density_of_pairs(parts: list[WeightedGaussian], x: np.ndarray, y: np.ndarray) -> np.ndarray:
    total = np.zeros_like(x)
    for g in parts:
        (a, b), (_, d) = [[float(entry) for entry in row] for row in g.covariance]
        det = a * d - b * b
        u, v = x - float(g.mean[0]), y - float(g.mean[1])
        total += (
            float(g.weight) * np.exp(-(d * u * u - 2 * b * u * v + a * v * v) / (2 * det)) / (2 * np.pi * np.sqrt(det))
        )
    return total


def entropy_by_trapezoids(parts: list[WeightedGaussian], reach: float, step: float) -> float:
    grid = np.arange(-reach, reach, step)
    x, y = np.meshgrid(grid, grid)
    f = density_of_pairs(parts, x, y)
    return -math.fsum((f * np.log(np.maximum(f, 1e-300))).ravel().tolist()) * step**2


PAIRS = {
    "two correlated": [weighted_pair(0.75, (1, 2), (2, 1), -0.5), weighted_pair(0.25, (0, 0), (1, 1), 0.5)],
    "four": [weighted_pair(0.25, (i, -i), (1 + i / 4, 1), r) for i, r in enumerate((0.0, 0.5, -0.75, 0.25), start=-1)],
}


@pytest.mark.parametrize("name", PAIRS)
def test_entropies_in_the_plane_contain_two_trapezoidal_sums_that_agree(name: str) -> None:
    # The trapezoidal rule converges geometrically for analytic integrands on the whole plane.
    coarse, fine = (entropy_by_trapezoids(PAIRS[name], 20, step) for step in (1 / 8, 1 / 12))

    found = quadrature.entropies([PAIRS[name]])[0]

    assert abs(coarse - fine) < 1e-12
    assert abs(float(found.value) - fine) < 1e-12
    assert width(found) <= 1e-9


@pytest.mark.parametrize("r", [0.0, 0.9, 1 - 1e-6, 1 - 1e-12])
def test_a_single_pair_has_its_closed_form_whatever_the_correlation(r: float) -> None:
    pair = weighted_pair(1.0, (3.0, -1e3), (1.0, 1e-3), r)
    with precision(200):
        det = pair.covariance[0][0] * pair.covariance[1][1] - pair.covariance[0][1] ** 2
        closed = 1 + (2 * arb.pi()).log() + det.log() / 2

    found = quadrature.entropies([[pair]])[0]

    assert contains(found, closed)
    assert width(found) <= 1e-9


def test_a_small_budget_gives_wide_bounds_that_hold() -> None:
    tight = quadrature.entropies([PAIRS["four"]])[0]

    loose = quadrature.entropies([PAIRS["four"]], boxes=20)[0]

    assert loose.lower <= tight.value
    assert tight.value <= loose.upper
    assert width(loose) > 100 * width(tight)


def test_a_covariance_known_too_badly_is_refused() -> None:
    blurred = WeightedGaussian(arb(1), (arb(0),), ((arb(1, 2),),))

    with pytest.raises(NotResolved):
        quadrature.entropies([[blurred]])


DEEP = os.environ.get("SEEPAGE_DEEP") == "1"
triples = st.tuples(st.floats(1e-3, 1), st.floats(-20, 20), st.floats(-4, 4).map(lambda e: 10.0**e))
pairs = st.builds(
    weighted_pair,
    st.floats(1e-3, 1),
    st.tuples(st.floats(-5, 5), st.floats(-5, 5)),
    st.tuples(st.floats(0.2, 3), st.floats(0.2, 3)),
    st.floats(-0.9, 0.9),
)


@settings(max_examples=2000 if DEEP else 40, deadline=None, derandomize=not DEEP)
@given(st.lists(triples, min_size=1, max_size=6))
def test_loose_enclosures_contain_the_tight_value(parts: list[Triple]) -> None:
    tight = quadrature.entropies([mixture(parts)], 1e-11)[0]

    loose = quadrature.entropies([mixture(parts)], 1e-4)[0]

    assert loose.lower <= tight.upper
    assert tight.lower <= loose.upper
    assert loose.lower <= tight.value
    assert tight.value <= loose.upper


@settings(max_examples=1000 if DEEP else 25, deadline=None, derandomize=not DEEP)
@given(st.lists(triples, min_size=1, max_size=4), st.lists(triples, min_size=1, max_size=4))
def test_loose_divergences_contain_the_tight_value(f: list[Triple], g: list[Triple]) -> None:
    tight = quadrature.divergence(mixture(f), mixture(g), 1e-11)

    loose = quadrature.divergence(mixture(f), mixture(g), 1e-4)

    assert loose.lower <= tight.value
    assert tight.value <= loose.upper


@settings(max_examples=300 if DEEP else 12, deadline=None, derandomize=not DEEP)
@given(st.lists(pairs, min_size=1, max_size=3))
def test_loose_enclosures_in_the_plane_contain_the_tight_value(parts: list[WeightedGaussian]) -> None:
    tight = quadrature.entropies([parts], 1e-10)[0]

    loose = quadrature.entropies([parts], 1e-3)[0]

    assert loose.lower <= tight.value
    assert tight.value <= loose.upper


def test_components_too_narrow_for_binary64_give_wide_bounds_that_hold() -> None:
    # Far apart: H = log 2 + mean of the single entropies.
    truth = math.log(2) + 0.5 * (2 * 1.4189385332046727 + math.log(1e-20))

    found = quadrature.entropies([mixture([(0.5, 0.0, 1.0), (0.5, 100.3, 1e-40)])])[0]

    assert float(found.lower) <= truth <= float(found.upper)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("exponent", [-250, -1250, -20_000])
@pytest.mark.parametrize("dimension", [1, 2])
def test_a_mixture_lighter_than_any_binary64_number_has_the_entropy_of_its_shape(exponent: int, dimension: int) -> None:
    """J(m f) = m J(f) − m log m, here divided by m."""
    with precision(192):
        mass = arb(exponent).exp()

        def pair(weight: arb) -> list[WeightedGaussian]:
            spread = [
                tuple(tuple(arb(v) if i == j else arb(0) for j in range(dimension)) for i in range(dimension))
                for v in (1, 4)
            ]
            return [WeightedGaussian(weight / 2, (arb(k),) * dimension, spread[k]) for k in (0, 1)]

        (light,), (heavy,) = quadrature.entropies([pair(mass)]), quadrature.entropies([pair(arb(1))])
        lower, upper = (light.lower / mass - -mass.log()), (light.upper / mass - -mass.log())
    assert not lower > heavy.upper
    assert not upper < heavy.lower
    assert float(upper - lower) < 1e-7
