from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import comb

import mpmath
import pytest

from seepage import exact
from seepage.diagnostics import Fault
from seepage.distributions.arguments import bind
from seepage.distributions.continuous import moments
from seepage.distributions.families import support
from seepage.distributions.parameters import Place
from seepage.engines.forward.coefficients import RATIONALS
from seepage.semantics.check import check
from seepage.semantics.core import CoreSample
from seepage.semantics.signatures import SIGNATURES
from seepage.semantics.unroll import unroll
from seepage.source import SourceFile
from seepage.syntax.tree import Distribution, Family

LIMIT = 1000


def law(text: str) -> Distribution:
    core = unroll(check(SourceFile("test.seep", f"n := 0\nx ~ {text}")))
    statement = core.statements[-1]
    assert isinstance(statement, CoreSample)
    return statement.distribution


def probabilities(text: str, **values: int | Fraction) -> dict[exact.Number, Fraction]:
    masses = support(law(text), Place(values, {}), RATIONALS, LIMIT)
    return {value: Fraction(int(mass.p), int(mass.q)) for value, mass in masses}


THIRD = Fraction(1, 3)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("bernoulli(1/3)", {1: THIRD, 0: 2 * THIRD}),
        ("flip(p = 1)", {1: 1}),
        ("bernoulli(0)", {0: 1}),
        ("uniform_int(-1, 1)", {-1: THIRD, 0: THIRD, 1: THIRD}),
        ("uniform_int(b = 4, a = 4)", {4: 1}),
        ("{1/2: 1/3, 2: 1/3, 0.5: 1/3}", {Fraction(1, 2): 2 * THIRD, 2: THIRD}),
        ("{7: 0, 8: 1}", {8: 1}),
        ("categorical(1/2, 0, 1/2)", {0: Fraction(1, 2), 2: Fraction(1, 2)}),
        ("uniform_of(3, 5, 3)", {3: 2 * THIRD, 5: THIRD}),
        ("binomial(0, 1/2)", {0: 1}),
        ("binomial(3, 1)", {3: 1}),
        ("poisson(0)", {0: 1}),
        ("geometric(1)", {0: 1}),
        ("1/3 * bernoulli(1/2) + 2/3 * uniform_of(0)", {1: Fraction(1, 6), 0: Fraction(5, 6)}),
        ("mixture(1/2: {0: 1}, 1/2: mixture(1/2: {0: 1}, 1/2: {9: 1}))", {0: Fraction(3, 4), 9: Fraction(1, 4)}),
    ],
)
def test_supports(text: str, expected: dict[exact.Number, Fraction]) -> None:
    assert probabilities(text) == expected


@pytest.mark.parametrize("n", [1, 2, 7, 30])
@pytest.mark.parametrize("p", [Fraction(1, 2), Fraction(2, 7)])
def test_binomial_is_a_sum_of_coins(n: int, p: Fraction) -> None:
    masses = {0: Fraction(1)}
    for _ in range(n):
        masses = {k: masses.get(k, 0) * (1 - p) + masses.get(k - 1, 0) * p for k in range(len(masses) + 1)}
    assert probabilities(f"binomial({n}, {p})") == masses


def test_hypergeometric_is_drawing_without_replacement() -> None:
    def draw(total: int, marked: int, left: int) -> dict[int, Fraction]:
        if left == 0:
            return {0: Fraction(1)}
        masses: dict[int, Fraction] = {}
        for hit, ways in ((1, marked), (0, total - marked)):
            if ways:
                for k, weight in draw(total - 1, marked - hit, left - 1).items():
                    masses[k + hit] = masses.get(k + hit, Fraction(0)) + Fraction(ways, total) * weight
        return masses

    assert probabilities("hypergeometric(9, 4, 6)") == draw(9, 4, 6)
    assert min(map(exact.enclose, probabilities("hypergeometric(N = 9, n = 6, K = 4)"))) == 1


def test_beta_binomial_is_polyas_urn() -> None:
    def draw(hits: Fraction, misses: Fraction, left: int) -> dict[int, Fraction]:
        if left == 0:
            return {0: Fraction(1)}
        masses: dict[int, Fraction] = {}
        for hit, ways in ((1, hits), (0, misses)):
            for k, weight in draw(hits + hit, misses + 1 - hit, left - 1).items():
                masses[k + hit] = masses.get(k + hit, Fraction(0)) + ways / (hits + misses) * weight
        return masses

    assert probabilities("beta_binomial(6, 2/3, 5/2)") == draw(Fraction(2, 3), Fraction(5, 2), 6)
    assert probabilities("beta_binomial(0, 2, 3)") == {0: 1}


def test_parameters_may_depend_on_the_state() -> None:
    assert probabilities("binomial(n, n / 4)", n=2) == {k: Fraction(comb(2, k), 4) for k in range(3)}


@pytest.mark.parametrize(
    ("text", "n", "place", "says"),
    [
        ("bernoulli(n / 3)", 4, "n / 3", "n = 4"),
        (
            "uniform_int(1, n)",
            0,
            "n",
            "'n' is 0 when n = 0, the upper end of 'uniform_int' must be at least the lower end 1",
        ),
        (
            "uniform_int(n / 2, 3)",
            1,
            "n / 2",
            "'n / 2' is 1/2 when n = 1, the lower end of 'uniform_int' must be an integer",
        ),
        ("binomial(n, 1/2)", -1, "n", "must not be negative"),
        ("binomial(n / 2, 1/2)", 1, "n / 2", "must be an integer"),
        ("hypergeometric(3, n, 1)", 4, "n", "at most the population 3"),
        ("hypergeometric(3, 1, n)", 4, "n", "at most the population 3"),
        ("beta_binomial(n, 1, 2)", -1, "n", "must not be negative"),
        ("beta_binomial(2, n, 2)", 0, "n", "the parameter 'a' of 'beta_binomial' must be positive"),
        ("{1: n / 3, 2: 1/3}", 1, "{1: n / 3, 2: 1/3}", "probabilities sum to 2/3, not 1 when n = 1"),
        ("categorical(n / 3, 1/2)", 1, "categorical(n / 3, 1/2)", "probabilities sum to 5/6, not 1 when n = 1"),
        ("n / 3 * flip(1/2) + 1/2 * flip(1/3)", 1, "n / 3 * flip(1/2) + 1/2 * flip(1/3)", "sum to 5/6"),
        ("poisson(n)", -1, "n", "the rate of 'poisson' must not be negative"),
        ("geometric(n)", 0, "n", "the success probability of 'geometric' must be positive"),
        ("geometric(1/2 + n)", 0, "geometric(1/2 + n)", "infinitely many values"),
        ("uniform_int(0, 1000 + n)", 0, "uniform_int(0, 1000 + n)", "1,001 values here, the limit is 1,000"),
    ],
)
def test_parameters_out_of_range_are_faults_where_they_stand(text: str, n: int, place: str, says: str) -> None:
    program = f"n := 0\nx ~ {text}"
    with pytest.raises(Fault) as caught:
        probabilities(text, n=n)
    diagnostic = caught.value.diagnostic
    assert program[diagnostic.span.start : diagnostic.span.end] == place
    assert says in diagnostic.message


def test_values_of_probability_zero_are_not_evaluated() -> None:
    assert probabilities("{1 / n: n, 2: 1 - n}", n=0) == {2: 1}


DENSITIES: dict[str, tuple[Callable[[mpmath.mpf], mpmath.mpf], list[mpmath.mpf]]] = {
    "uniform(-1, 3)": (lambda t: mpmath.mpf(1) / 4, [-1, 3]),
    "exponential(3/2)": (lambda t: 1.5 * mpmath.exp(-1.5 * t), [0, 5, 60]),
    "laplace(1, 1/2)": (lambda t: mpmath.exp(-2 * abs(t - 1)), [-30, 1, 30]),
    "beta(2, 5)": (lambda t: 30 * t * (1 - t) ** 4, [0, 1]),
    "gamma(3, 2)": (lambda t: 4 * t**2 * mpmath.exp(-2 * t), [0, 5, 60]),
    "lognormal(1/2, 1/4)": (
        lambda t: mpmath.npdf(mpmath.log(t), 0.5, 0.5) / t,
        [0.0001, 0.5, 1, 2, 5, 20, 200],
    ),
    "student_t(9, 1, 2)": (
        lambda t: (
            (1 + ((t - 1) / 2) ** 2 / 9) ** -5 * mpmath.gamma(5) / (mpmath.gamma(4.5) * 2 * mpmath.sqrt(9 * mpmath.pi))
        ),
        [-mpmath.inf, 1, mpmath.inf],
    ),
    "triangular(0, 1, 4)": (lambda t: t / 2 if t < 1 else (4 - t) / 6, [0, 1, 4]),
}


@pytest.mark.parametrize("text", DENSITIES)
def test_matched_moments_are_those_of_the_density(text: str) -> None:
    density, points = DENSITIES[text]
    family = law(text)
    assert isinstance(family, Family)
    mean, variance = (float(exact.enclose(moment)) for moment in moments(family, bind(family).named, Place({}, {})))
    assert float(mpmath.quad(density, points)) == pytest.approx(1, abs=1e-9)
    assert float(mpmath.quad(lambda t: t * density(t), points)) == pytest.approx(mean, abs=1e-8)
    assert float(mpmath.quad(lambda t: (t - mean) ** 2 * density(t), points)) == pytest.approx(variance, abs=1e-7)


def test_every_matched_family_is_tested() -> None:
    matched = {name for name, signature in SIGNATURES.items() if signature.exactness == "matched"}
    assert matched == {text.split("(")[0] for text in DENSITIES}


@pytest.mark.parametrize(
    "text", ["uniform(2, 1)", "exponential(0)", "gamma(-1, 1)", "triangular(0, 5, 4)", "student_t(2, 0, 1)"]
)
def test_parameters_of_densities_are_checked(text: str) -> None:
    family = law(text)
    assert isinstance(family, Family)
    with pytest.raises(Fault):
        moments(family, bind(family).named, Place({}, {}))
