"""Certified numbers beyond the exact fragment of SOGA, against quadrature of the densities written down by hand."""

from __future__ import annotations

from collections.abc import Callable

import mpmath
import numpy as np
import pytest
from mpmath import mpf

import seepage
from seepage.measures.result import Certainty, Result

Density = Callable[[mpf], mpf]

WIDEST = 1e-9


def measured(program: str, measure: str) -> Result:
    return seepage.parse(program).measure(measure, unit="nats")


def contains(program: str, measure: str, true: mpf) -> None:
    result = measured(program, measure)
    assert result.certainty is not Certainty.APPROXIMATE
    assert not result.because
    slack = mpf(10) ** -13  # of the oracle
    assert mpf(result.lower) - slack <= true <= mpf(result.upper) + slack
    assert result.upper - result.lower < WIDEST


def entropy(density: Density, cuts: list[float], digits: int = 18) -> mpf:
    def integrand(x: mpf) -> mpf:
        f = density(x)
        return -f * mpmath.log(f) if f else mpf(0)

    with mpmath.workdps(digits):
        return mpmath.quad(integrand, cuts)


def gauss(x: mpf, mean: mpf, variance: mpf) -> mpf:
    return mpmath.npdf(x, mean, mpmath.sqrt(variance))


def steps(low: int, high: int) -> list[float]:
    near = [each for each in range(low, high + 1) if abs(each) < 4 or not each % 8]
    return [float(each) for each in (*near, high)]


LAPLACE = "secret s\noutput o\ns ~ bernoulli(1/2)\nz ~ laplace(0, {scale})\no := s + z\nclamped := min(1, max(0, o))\n"


@pytest.mark.parametrize("scale", ["1", "1/3", "7"])
@pytest.mark.parametrize("output", ["o", "clamped"])
def test_the_laplace_mechanism_on_a_bit(scale: str, output: str) -> None:
    # Outside of [0, 1] the likelihood ratio is e^±eps; inside it runs from one to the other. Clamping keeps the ratio.
    with mpmath.workdps(30):
        eps = 1 / (mpf(scale) if "/" not in scale else mpf(1) / 3)
        high, low = 1 / mpf(2), mpmath.exp(-eps) / 2
        outer = sum(p * mpmath.log(2 * p / (high + low)) for p in (high, low))

        def inner(x: mpf) -> mpf:
            f, g = (eps / 2 * mpmath.exp(-eps * t) for t in (x, 1 - x))
            return (f * mpmath.log(2 * f / (f + g)) + g * mpmath.log(2 * g / (f + g))) / 2

        true = outer + mpmath.quad(inner, [0, 1])

    contains(LAPLACE.format(scale=scale), f"I(s; {output})", true)


def test_tails_of_the_laplace_mechanism() -> None:
    program = LAPLACE.format(scale="1")
    with mpmath.workdps(30):
        contains(program, "P(o > 1)", mpf(1) / 4 + mpmath.exp(-1) / 4)
        contains(program, "P(clamped == 1)", mpf(1) / 4 + mpmath.exp(-1) / 4)
        contains(program, "E(o)", mpf(1) / 2)
        contains(program, "Var(o)", mpf(9) / 4)
        contains(program, "E(z | z > 0)", mpf(1))
        contains(program, "H(z)", mpmath.log(2) + 1)


@pytest.mark.parametrize(
    ("law", "density", "ends"),
    [
        ("uniform(-1, 1)", lambda z: mpf(1) / 2 if -1 < z < 1 else mpf(0), (-1, 1)),
        ("exponential(2)", lambda z: 2 * mpmath.exp(-2 * z) if z > 0 else mpf(0), (0, 36)),
        ("gamma(3, 2)", lambda z: 4 * z * z * mpmath.exp(-2 * z) if z > 0 else mpf(0), (0, 40)),
        ("triangular(0, 1, 2)", lambda z: max(mpf(0), 1 - abs(z - 1)), (0, 2)),
    ],
)
def test_noise_on_a_discrete_secret(law: str, density: Density, ends: tuple[int, int]) -> None:
    program = f"secret s\noutput o\ns ~ bernoulli(1/3)\nz ~ {law}\no := s + z\n"
    cuts = steps(ends[0], ends[1] + 1)
    both = entropy(lambda x: 2 * density(x) / 3 + density(x - 1) / 3, cuts)
    noise = entropy(density, cuts)

    contains(program, "I(s; o)", both - noise)
    contains(program, "H(o)", both)
    contains(program, "H(o | s)", noise)


def beta(a: float, b: float) -> Density:
    return lambda z: z ** (a - 1) * (1 - z) ** (b - 1) / mpmath.beta(a, b) if 0 < z < 1 else mpf(0)


def student(df: int) -> Density:
    front = mpmath.gamma(mpf(df + 1) / 2) / mpmath.sqrt(df * mpmath.pi) / mpmath.gamma(mpf(df) / 2)
    return lambda z: front * (1 + z * z / df) ** (-mpf(df + 1) / 2)


def lognormal(z: mpf) -> mpf:
    return mpmath.exp(-(mpmath.log(z) ** 2) / 2) / z / mpmath.sqrt(2 * mpmath.pi) if z > 0 else mpf(0)


def root(z: mpf) -> mpf:
    return mpmath.exp(-z) / mpmath.sqrt(mpmath.pi * z) if z > 0 else mpf(0)


TINY = mpf(2) ** -40


@pytest.mark.family(every=3)
@pytest.mark.parametrize(
    ("law", "density", "cuts"),
    [
        ("beta(2, 3)", beta(2, 3), [0, 0.5, 1]),
        ("beta(1/2, 1/2)", beta(0.5, 0.5), [0, TINY, 0.5, 1 - TINY, 1]),
        ("gamma(1/2, 1)", root, [0, mpf(2) ** -60, TINY, 1, 5, 50]),
        ("lognormal(0, 1)", lognormal, [0, 0.01, 0.1, 1, 5, 20, 100, 1000, 20000]),
        ("student_t(3, 0, 1)", student(3), [-mpmath.inf, -10, -1, 1, 10, mpmath.inf]),
        ("student_t(1, 0, 1)", student(1), [-mpmath.inf, -10, -1, 1, 10, mpmath.inf]),
    ],
)
def test_noise_whose_density_has_poles_or_heavy_tails(law: str, density: Density, cuts: list[float]) -> None:
    program = f"secret s\noutput o\ns ~ bernoulli(1/3)\nz ~ {law}\no := s + z\n"
    with mpmath.workdps(30):
        everywhere = sorted({*cuts, *(c + 1 for c in cuts)})
    both = entropy(lambda x: 2 * density(x) / 3 + density(x - 1) / 3, everywhere, 30)
    noise = entropy(density, cuts, 30)

    contains(program, "I(s; o)", both - noise)
    contains(program, "H(o | s)", noise)


def test_a_law_without_a_variance_has_its_chances_and_no_mean() -> None:
    program = "z ~ student_t(1, 0, 1)\n"
    with mpmath.workdps(30):
        contains(program, "P(z > 1)", mpf(1) / 4)
        contains(program, "H(z)", mpmath.log(4 * mpmath.pi))
    with pytest.raises(seepage.MeasureError, match="this mean does not exist"):
        measured(program, "E(z)")


def test_the_half_normal() -> None:
    program = "x ~ normal(0, 1)\nobserve(x > 0)\n"
    with mpmath.workdps(30):
        contains(program, "H(x)", (mpmath.log(mpmath.pi / 2) + 1) / 2)
        contains(program, "E(x)", mpmath.sqrt(2 / mpmath.pi))
        contains(program, "Var(x)", 1 - 2 / mpmath.pi)


def test_a_normal_observed_through_noise_to_be_positive() -> None:
    program = "x ~ normal(0, 1)\ne ~ normal(0, 1/4)\nobserve(x + e > 0)\n"
    contains(program, "H(x)", entropy(lambda x: 2 * gauss(x, 0, 1) * mpmath.ncdf(2 * x), steps(-8, 10)))
    with mpmath.workdps(30):
        # x = 4/5 u + rest with u half-normal of variance 5/4
        mean = mpf(4) / 5 * mpmath.sqrt(2 / mpmath.pi) * mpmath.sqrt(mpf(5) / 4)
        contains(program, "E(x)", mean)
        contains(program, "Var(x)", 1 - mean**2)


def test_a_branch_on_a_normal() -> None:
    program = "x ~ normal(0, 1)\nn ~ normal(0, 1)\nif x > 0 { o := x + n } else { o := n }\n"

    def density(o: mpf) -> mpf:
        return gauss(o, 0, 1) / 2 + gauss(o, 0, 2) * mpmath.ncdf(o / mpmath.sqrt(2))

    contains(program, "H(o)", entropy(density, steps(-9, 13)))


@pytest.mark.parametrize("variance", ["1", "1/10"])
def test_a_product_with_noise(variance: str) -> None:
    program = f"x ~ normal(0, 1)\ny ~ normal(0, 1)\nn ~ normal(0, {variance})\no := x * y + n\n"
    noise = 1.0 if variance == "1" else 0.1
    # Trapezoids converge geometrically for both analytic integrands: these steps give all digits of binary64.
    pivot, out = np.arange(-180, 181) / 20, np.arange(-16 * 40, 16 * 40 + 1) / 16
    spread = pivot[:, None] ** 2 + noise
    bells = np.exp(-(out**2) / (2 * spread)) / np.sqrt(2 * np.pi * spread)
    density = np.exp(-(pivot**2) / 2) @ bells / (20 * np.sqrt(2 * np.pi))
    true = float(-(density * np.log(density)).sum() / 16)

    result = measured(program, "H(o)")
    assert result.certainty is Certainty.CERTIFIED
    assert result.lower - 1e-12 <= true <= result.upper + 1e-12
    contains(program, "Var(o)", 1 + mpf(variance.split("/")[0]) / mpf(variance.split("/")[-1]))


# --- continuous secrets ------------------------------------------------------------------------------------------------


def mean_log(variance: Density) -> mpf:
    """½ E log of a function of a standard normal."""
    with mpmath.workdps(18):
        return mpmath.quad(lambda x: gauss(x, 0, 1) * mpmath.log(variance(x)), steps(-9, 9)) / 2


@pytest.mark.parametrize("secret", ["x", "y"])
def test_a_factor_of_a_product_leaks_though_it_does_not_correlate(secret: str) -> None:
    program = "x ~ normal(0, 1)\ny ~ normal(0, 1)\nn ~ normal(0, 1)\no := x * y + n\n"
    out = measured(program, "H(o)")
    given = mean_log(lambda x: 2 * mpmath.pi * mpmath.e * (x * x + 1))
    result = measured(program, f"I({secret}; o)")

    assert result.certainty is Certainty.CERTIFIED
    assert result.lower - 1e-12 <= out.value - given <= result.upper + 1e-12
    assert 0.0629 < result.lower < result.upper < 0.0630


def test_what_a_branch_on_a_secret_leaks() -> None:
    program = "x ~ normal(0, 1)\nn ~ normal(0, 1)\nif x > 0 { o := x + n } else { o := n }\n"
    both = entropy(lambda o: gauss(o, 0, 1) / 2 + gauss(o, 0, 2) * mpmath.ncdf(o / mpmath.sqrt(2)), steps(-9, 13))
    contains(program, "I(x; o)", both - mpmath.log(2 * mpmath.pi * mpmath.e) / 2)


def test_the_sign_of_a_normal_is_a_bit() -> None:
    program = "x ~ normal(0, 1)\nif x > 0 { o := 1 } else { o := 0 }\n"
    contains(program, "I(x; o)", mpmath.log(2))


def test_what_a_secret_observed_through_noise_leaks() -> None:
    program = "x ~ normal(0, 1)\ne ~ normal(0, 1/4)\nn ~ normal(0, 1)\nobserve(x + e > 0)\no := x + n\n"

    def density(o: mpf) -> mpf:
        # x given o is N(o/2, 1/2), so x + e > 0 has the chance Φ((o/2) / sqrt(3/4)).
        return 2 * gauss(o, 0, 2) * mpmath.ncdf(o / 2 / mpmath.sqrt(mpf(3) / 4))

    true = entropy(density, steps(-12, 14)) - mpmath.log(2 * mpmath.pi * mpmath.e) / 2
    contains(program, "I(x; o)", true)


def test_laplace_noise_on_a_normal_secret() -> None:
    program = "x ~ normal(0, 1)\nz ~ laplace(0, 1)\no := x + z\n"

    def density(o: mpf) -> mpf:
        tail = mpmath.exp(mpf(1) / 2) / 2
        return tail * (mpmath.exp(-o) * mpmath.ncdf(o - 1) + mpmath.exp(o) * mpmath.ncdf(-o - 1))

    contains(program, "I(x; o)", entropy(density, steps(-40, 40)) - mpmath.log(2) - 1)


def test_noise_of_a_hidden_kind() -> None:
    program = "x ~ normal(0, 1)\nb ~ bernoulli(1/3)\nn ~ normal(3 * b, 1)\nif x > 1 { o := x + n } else { o := n }\n"
    noise = entropy(lambda o: 2 * gauss(o, 0, 1) / 3 + gauss(o, 3, 1) / 3, steps(-9, 13))

    def density(o: mpf) -> mpf:
        def part(mean: int) -> mpf:
            # x given x + n = o is N((o - mean)/2, 1/2).
            above = mpmath.ncdf(((o - mean) / 2 - 1) * mpmath.sqrt(2))
            return gauss(o, mean, 2) * above + gauss(o, mean, 1) * mpmath.ncdf(1)

        return 2 * part(0) / 3 + part(3) / 3

    contains(program, "I(x; o)", entropy(density, steps(-12, 16)) - noise)


def test_a_copy_of_a_secret_on_some_paths_leaks_without_bound() -> None:
    program = "x ~ normal(0, 1)\nif x > 0 { o := 2 * x } else { o := 0 }\n"
    result = measured(program, "I(x; o)")
    assert result.lower == result.value == result.upper == float("inf")


def test_what_is_not_known_stays_approximate() -> None:
    program = "x ~ normal(0, 1)\ny ~ normal(0, 1)\nobserve(x + y > 0)\nobserve(x - 2 * y > 0)\no := x * y\n"
    result = measured(program, "I(x; o)")
    assert result.certainty is Certainty.APPROXIMATE
    assert any("may show no leak where there is one" in note for note in result.notes)
    assert not measured(program, "E(x)").notes


@pytest.mark.parametrize("measure", ["I(x; x | s)", "I(x; x)", "I(x, s; x)", "I(x; x | x > 1)", "I(s, x; x, z | s)"])
def test_a_continuous_variable_on_both_sides_tells_itself(measure: str) -> None:
    result = measured("s ~ bernoulli(1/2)\nx ~ laplace(0, 1)\nz ~ normal(x, 1)\n", measure)

    assert result.lower == result.upper == float("inf")


def test_what_is_on_both_sides_adds_its_own_entropy_and_no_finite_number_stands_for_infinity() -> None:
    program = "s ~ bernoulli(1/2)\nx ~ laplace(0, 1)\nz ~ normal(x, 1)\n"
    apart, together = measured(program, "I(x; z)"), measured(program, "I(x, s; s, z)")

    assert together.lower - 1e-9 <= apart.number + float(mpmath.log(2)) <= together.upper + 1e-9
    assert measured(program, "I(x; x | z)").upper == float("inf")


@pytest.mark.variation(of="test_noise_whose_density_has_poles_or_heavy_tails")
def test_a_product_without_noise_and_squares() -> None:
    small = [0, mpf(2) ** -100, mpf(2) ** -40, mpf(2) ** -10, 0.1, 1, 5, 20, 60]
    half = entropy(lambda z: mpmath.besselk(0, z) / mpmath.pi if z else mpf(0), small, 20)
    program = "x ~ normal(0, 1)\ny ~ normal(0, 4)\np := x * y + 3\nq := x * x\nr := x * x + y * y / 4\n"
    program += "z ~ normal(0, 1)\nt := 3 - z * z - x * x - y * y / 4\n"
    contains(program, "H(p)", 2 * half + mpmath.log(2))
    contains(program, "H(r)", 1 + mpmath.log(2))
    half_shape = mpf(1) / 2 + mpmath.log(2 * mpmath.sqrt(mpmath.pi)) + mpmath.digamma(mpf(1) / 2) / 2
    contains(program, "H(q)", half_shape)
    chi = mpf(3) / 2 + mpmath.log(2 * mpmath.gamma(mpf(3) / 2)) - mpmath.digamma(mpf(3) / 2) / 2
    contains(program, "H(t)", chi)


@pytest.mark.variation(of="test_noise_whose_density_has_poles_or_heavy_tails")
def test_a_product_of_correlated_values() -> None:
    with mpmath.workdps(20):
        rho, size = mpf(1) / mpmath.sqrt(2), mpmath.sqrt(2)
        scale = size * (1 - rho**2)

        def density(o: mpf) -> mpf:
            u = o / scale
            return mpmath.exp(rho * u) * mpmath.besselk(0, abs(u)) * mpmath.sqrt(1 - rho**2) / mpmath.pi / scale

        ends = [mpf(2) ** -80, mpf(2) ** -40, mpf(2) ** -10, 0.1, 1, 5, 20, 100]
        true = entropy(density, ends, 15) + entropy(lambda o: density(-o), ends, 15)
    result = measured("x ~ normal(0, 1)\ny ~ normal(x, 1)\np := x * y\n", "H(p)")
    assert result.certainty is Certainty.CERTIFIED
    assert result.lower - 1e-10 <= true <= result.upper + 1e-10


def through_normal_noise(places: np.ndarray, weights: np.ndarray, variance: float) -> float:
    """Return I(x; x + n) in nats for an x that stands at places with weights, by trapezoids for what is seen."""
    spread = np.sqrt(variance)
    seen = np.arange(places.min() - 12 * spread, places.max() + 12 * spread, spread / 20)
    bells = np.exp(-((seen[:, None] - places) ** 2) / (2 * variance)) / np.sqrt(2 * np.pi * variance)
    density = bells @ weights
    density = density[density > 0]
    return float(-(density * np.log(density)).sum() * spread / 20 - np.log(2 * np.pi * np.e * variance) / 2)


NODES, WEIGHTS = np.polynomial.legendre.leggauss(200)
UNIT, UNIT_WEIGHTS = (NODES + 1) / 2, WEIGHTS / 2

SECRETS = {
    "gamma(1/2, 1)": ((7 * UNIT) ** 2, 14 * UNIT_WEIGHTS * np.exp(-((7 * UNIT) ** 2)) / np.sqrt(np.pi)),
    "beta(2, 3)": (UNIT, UNIT_WEIGHTS * 12 * UNIT * (1 - UNIT) ** 2),
    "beta(1/2, 1/2)": (np.sin(UNIT * np.pi / 2) ** 2, UNIT_WEIGHTS),
    "lognormal(0, 1/4)": (np.exp(4 * NODES), 8 * WEIGHTS * np.exp(-32 * NODES**2) / np.sqrt(2 * np.pi)),
}


@pytest.mark.parametrize("law", SECRETS)
def test_secrets_of_other_laws_behind_normal_noise(law: str) -> None:
    places, weights = SECRETS[law]
    true = through_normal_noise(places, weights, 1.0)
    result = measured(f"x ~ {law}\nn ~ normal(0, 1)\no := x + n\n", "I(x; o)")
    assert result.certainty is Certainty.CERTIFIED
    assert result.lower - 1e-9 <= true <= result.upper + 1e-9
    assert result.upper - result.lower < WIDEST
