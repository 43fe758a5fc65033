"""Sums of two and more variables that are not normal, against convolutions by quadrature and closed forms."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial

import mpmath
import pytest
from flint import acb, arb
from mpmath import mpf

import seepage
from seepage import exact
from seepage.engines.pivot.segments import Placed
from seepage.engines.pivot.sums import Sum
from seepage.exact import enclose, precision
from seepage.laws.beta import Beta
from seepage.laws.exponential import Exponential
from seepage.laws.gamma import Gamma
from seepage.laws.laplace import Laplace
from seepage.laws.law import Law
from seepage.laws.triangular import Triangular
from seepage.laws.uniform import Uniform
from seepage.measures.result import Certainty, Result

Density = Callable[[mpf], mpf]

QUARTER = exact.div(1, 4)


def triangle(x: mpf) -> mpf:
    return 8 * x if 0 <= x <= 0.25 else 8 * (1 - x) / 3 if 0.25 < x <= 1 else mpf(0)


LAWS: dict[str, tuple[Law, Density]] = {
    "uniform": (Uniform(), lambda x: mpf(0 <= x <= 1)),
    "exponential": (Exponential(), lambda x: mpmath.exp(-x) if x >= 0 else mpf(0)),
    "laplace": (Laplace((2,)), lambda x: mpmath.exp(-abs(x) / 2) / 4),
    "triangular": (Triangular((QUARTER,)), triangle),
    "gamma": (Gamma((3,)), lambda x: x * x * mpmath.exp(-x) / 2 if x >= 0 else mpf(0)),
    "beta": (Beta((2, 3)), lambda x: 12 * x * (1 - x) ** 2 if 0 <= x <= 1 else mpf(0)),
}


def measured(text: str, measure: str) -> Result:
    found = seepage.parse(text).measure(measure, unit="nats")
    assert found.certainty is not Certainty.APPROXIMATE
    return found


def holds(found: Result, truth: mpf, width: float = 1e-10) -> bool:
    return bool(found.lower - 1e-10 <= truth <= found.upper + 1e-10 and found.upper - found.lower <= width)


def integral(f: Callable[[mpf], mpf], places: list[float]) -> mpf:
    return mpmath.quad(f, [mpf(place) for place in sorted(set(places))])


def entropy(density: Density, places: list[float]) -> mpf:
    def term(x: mpf) -> mpf:
        f = density(x)
        return -f * mpmath.log(f) if f > 0 else mpf(0)

    return integral(term, places)


@pytest.mark.family(every=5)
@pytest.mark.parametrize("one", list(LAWS))
@pytest.mark.parametrize("other", list(LAWS))
@pytest.mark.parametrize("scale", [mpf(1), mpf(-3) / 2])
def test_the_density_of_a_sum_is_the_convolution(one: str, other: str, scale: mpf) -> None:
    (law, f), (noise, g) = LAWS[one], LAWS[other]
    size = 1 if scale > 0 else exact.div(-3, 2)
    with precision(128), mpmath.workdps(30):
        total = Sum(parts=(Placed(law, 0, 1, *law.ends), Placed(noise, 0, size, *noise.ends)))
        for x in (-0.7, 0.1, 0.9, 1.7):
            kinks = [mpf(-90), mpf(0), mpf(0.25), mpf(1), x, x - scale, x - scale / 4, mpf(90)]
            convolved: Density = partial(lambda x, u: f(u) * g((x - u) / scale) / abs(scale), x)
            truth = integral(convolved, kinks)
            assert abs(mpf(float(total.density_at(arb(x)))) - truth) < 1e-12
        assert abs(float(total.probability(None, None)) - 1) < 1e-30
        low, high = exact.div(3, 10), exact.div(11, 10)
        inner = [float(edge) for edge in total.breaks if isinstance(edge, int | Fraction) and 0.3 < edge < 1.1]
        mass = integral(lambda x: mpf(float(total.density_at(arb(float(x))))), [0.3, *inner, 1.1])
        # Next to an end where it vanishes the density is known to be small only.
        assert abs(float(total.probability(low, high)) - mass) < 1e-6


@pytest.mark.parametrize("one", ["uniform", "exponential", "triangular", "gamma", "beta"])
@pytest.mark.parametrize("other", ["uniform", "gamma", "beta"])
def test_beside_its_end_the_density_of_a_sum_is_a_power_series(one: str, other: str) -> None:
    law, noise = LAWS[one][0], LAWS[other][0]
    with precision(128):
        total = Sum(parts=(Placed(law, 0, 1, *law.ends), Placed(noise, 0, 2, *noise.ends)))
        for side, end in ((-1, total.ends[0]), (1, total.ends[1])):
            if end is not None:
                d = arb(1) / 128
                near = total.near(side)(acb(d), acb(d).log(), False).real
                assert abs(float(near - total.density_at(enclose(end) - side * d).log())) < 1e-20


def test_a_bit_behind_two_laplace_noises_leaks_what_quadrature_says() -> None:
    # The sum of two Laplace variables of scale 1 has the density (1 + |x|) e^-|x| / 4.
    law: Density = lambda x: (1 + abs(x)) * mpmath.exp(-abs(x)) / 4
    text = "s ~ bernoulli(1/2)\na ~ laplace(0, 1)\nb ~ laplace(0, 1)\no := s + a + b\n"
    places = [-80.0, -20, -5, 0, 1, 5, 20, 80]
    mixed = entropy(lambda x: (law(x) + law(x - 1)) / 2, places)
    truth = mixed - entropy(law, places)

    assert holds(measured(text, "H(o)"), mixed)
    assert holds(measured(text, "I(s; o)"), truth)
    assert holds(measured(text, "V(s | o)"), integral(law, [-80.0, -10, 0, 0.5]))
    assert holds(measured(text, "P(o > 1)"), (integral(law, [1.0, 10, 80]) + mpf(1) / 2) / 2)
    # e^(1/2) f(y) = f(y - 1) at one place, beyond which the bet is won.
    gain: Density = lambda y: law(y - 1) - mpmath.exp(mpf(1) / 2) * law(y)
    cut = mpmath.findroot(gain, (0.6, 3), solver="anderson")
    assert holds(measured(text, "Delta(s -> o, eps=1/2)"), integral(gain, [float(cut), 3, 20, 80]), 1e-9)


def test_sums_of_uniform_variables_have_their_closed_entropies() -> None:
    assert holds(measured("x ~ uniform(0, 1)\ny ~ uniform(0, 1)\no := x + y\n", "H(o)"), mpf(1) / 2)
    # a trapezium of heights 1/2 over 1 and sides of length 1
    assert holds(measured("x ~ uniform(0, 1)\ny ~ uniform(0, 2)\no := x + y\n", "H(o)"), mpmath.log(2) + mpf(1) / 4)
    three = "x ~ uniform(0, 1)\ny ~ uniform(0, 1)\nz ~ uniform(0, 1)\no := x + y + z\n"

    def irwin_hall(x: mpf) -> mpf:
        return x * x / 2 if x <= 1 else (-2 * x * x + 6 * x - 3) / 2 if x <= 2 else (3 - x) ** 2 / 2

    assert holds(measured(three, "H(o)"), entropy(irwin_hall, [0.0, 1, 2, 3]))
    assert holds(measured(three, "P(o > 1/2)"), 1 - mpf(1) / 48)
    assert holds(measured("x ~ exponential(1)\ny ~ exponential(1)\no := x + y\n", "H(o)"), 1 + mpmath.euler)


@pytest.mark.parametrize(
    ("laws", "places"),
    [
        (("beta(2, 3)", "uniform(0, 1)"), [0.0, 1, 2]),
        (("uniform(0, 1)", "beta(2, 3)"), [0.0, 1, 2]),
    ],
)
def test_what_a_sum_tells_of_its_part_is_the_entropy_that_it_has_more_than_the_noise(
    laws: tuple[str, str], places: list[float]
) -> None:
    one, other = (LAWS[law.split("(")[0]] for law in laws)
    total = lambda x: integral(lambda u: one[1](u) * other[1](x - u), [-90.0, 0, 1, float(x), float(x - 1), 90])
    grid = mpmath.mp.dps
    mpmath.mp.dps = 12
    try:
        truth = entropy(total, places) - entropy(other[1], [-90.0, -10, 0, 1, 10, 90])
    finally:
        mpmath.mp.dps = grid
    found = measured(f"x ~ {laws[0]}\nn ~ {laws[1]}\no := x + n\n", "I(x; o)")

    assert abs(found.value - truth) < 1e-6
    assert found.upper - found.lower < 1e-9


def test_normal_noise_beside_two_others_and_guards_on_sums_are_known() -> None:
    law: Density = lambda x: (1 + abs(x)) * mpmath.exp(-abs(x)) / 4
    text = "a ~ laplace(0, 1)\nb ~ laplace(0, 1)\nn ~ normal(0, 1)\n"
    truth = integral(lambda x: law(x) * mpmath.ncdf(x - 1), [-80.0, -10, 0, 1, 10, 80])

    assert holds(measured(text + "o := a + b + n\n", "P(o > 1)"), truth)
    assert holds(
        measured(text, "E(a + b | a + b > 1)"),
        integral(lambda x: x * law(x), [1.0, 5, 80]) / integral(law, [1.0, 5, 80]),
    )
    clamped = text + "s ~ bernoulli(1/2)\no := min(max(s + a + b, 0), 1)\n"
    assert holds(measured(clamped, "P(o >= 1)"), (mpf(1) / 2 + integral(law, [1.0, 10, 80])) / 2)


def gammas(shape: int, rate: mpf) -> Density:
    """Return the density of a gamma variable of a rate plus one of rate 1, both of one shape: by Kummer's function."""

    def density(x: mpf) -> mpf:
        inner = mpmath.hyp1f1(shape, 2 * shape, (1 - rate) * x)
        return rate**shape * x ** (2 * shape - 1) * mpmath.exp(-x) * inner / mpmath.factorial(2 * shape - 1)

    return density


def irwin_hall(count: int) -> Density:
    def density(x: mpf) -> mpf:
        terms = ((-1) ** k * mpmath.binomial(count, k) * (x - k) ** (count - 1) for k in range(int(x) + 1))
        return mpmath.fsum(terms) / mpmath.factorial(count - 1)

    return density


TAIL = [0, 0.0001, 0.001, 0.01, 0.1, 0.5, 1, 2, 4, 8, 16, 32, 64, 128]


@pytest.mark.parametrize(
    ("laws", "density", "places"),
    [
        (["gamma(3, 2)", "gamma(3, 1)"], gammas(3, mpf(2)), TAIL),
        (["exponential(1)", "exponential(1 + 1/100)"], gammas(1, mpf(101) / 100), TAIL),
        (["exponential(1)", "exponential(1 + 1/1000000000)"], gammas(1, 1 + mpf(10) ** -9), TAIL),
        (["exponential(1)", "exponential(1000)"], gammas(1, mpf(1000)), TAIL),
        (["uniform(0, 1)"] * 6, irwin_hall(6), [0, 1, 2, 3, 4, 5, 6]),
    ],
)
def test_sums_whose_terms_nearly_cancel_have_their_entropy(
    laws: list[str], density: Density, places: list[float]
) -> None:
    parts = [f"x{at}" for at in range(len(laws))]
    lines = [f"{name} ~ {law}\n" for name, law in zip(parts, laws, strict=True)]
    text = "output o\n" + "".join(lines) + f"o := {' + '.join(parts)}\n"
    with mpmath.workdps(30):
        truth = entropy(density, places)
    assert holds(measured(text, "H(o)"), truth)


@pytest.mark.parametrize("radius", ["1e-6", "0.01", "0.2"])
@pytest.mark.parametrize("middle", ["1", "3", "40"])
def test_over_a_ball_the_density_of_a_sum_holds_its_values(middle: str, radius: str) -> None:
    with precision(128):
        half = Placed(Gamma((3,)), 0, exact.div(1, 2), 0, None)
        log = Sum(parts=(half, Placed(Gamma((3,)), 0, 1, 0, None))).log_within(0, None)
        ball = arb(middle, arb(radius))
        found = log(acb(ball, arb(0, arb(radius) / 4)), False).real
        for share in (-1, -0.5, 0.3, 1):
            place = mpf(middle) + share * mpf(radius)
            with mpmath.workdps(30):
                truth = mpmath.log(gammas(3, mpf(2))(place))
            assert found.overlaps(arb(str(truth)) + arb(0, 1e-25))
        assert found.rad() < 20 * float(radius)
