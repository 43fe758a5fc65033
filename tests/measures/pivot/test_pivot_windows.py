"""Guards that tie a variable of any explicit law to normal noise, against quadrature with thirty digits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import mpmath
import pytest
from mpmath import mpf

import seepage
from seepage.measures.result import Certainty, Result

Density = Callable[[mpf], mpf]

STUDENT = mpmath.gamma(3) / mpmath.gamma(mpf(5) / 2) / mpmath.sqrt(5 * mpmath.pi)
LAWS: dict[str, tuple[Density, list[mpf]]] = {
    "laplace(0, 1)": (lambda x: mpmath.exp(-abs(x)) / 2, [mpf(p) for p in (-60, -5, 0, 5, 60)]),
    "exponential(2)": (lambda x: 2 * mpmath.exp(-2 * x), [mpf(p) for p in (0, 1, 4, 40)]),
    "gamma(1/2, 1)": (
        lambda x: mpmath.exp(-x) / mpmath.sqrt(mpmath.pi * x),
        [mpf(p) for p in (0, 1e-6, 0.01, 1, 5, 60)],
    ),
    "student_t(5, 0, 1)": (
        lambda x: STUDENT * (1 + x * x / 5) ** -3,
        [-mpmath.inf, mpf(-20), mpf(-3), mpf(0), mpf(3), mpf(20), mpmath.inf],
    ),
    "uniform(-1, 2)": (lambda x: mpf(1) / 3, [mpf(-1), mpf(0), mpf(2)]),
}


def measured(text: str, measure: str, unit: Literal["bits", "nats"] = "nats") -> Result:
    found = seepage.parse(text).measure(measure, unit=unit)
    assert found.certainty is not Certainty.APPROXIMATE
    return found


def holds(found: Result, truth: mpf, width: float = 1e-9) -> bool:
    return bool(found.lower - 1e-10 <= truth <= found.upper + 1e-10 and found.upper - found.lower <= width)


@pytest.mark.family(every=4)
@pytest.mark.parametrize("law", list(LAWS))
def test_what_noise_lets_pass_has_its_mean_variance_and_entropy(law: str) -> None:
    density, places = LAWS[law]
    window: Density = lambda x: mpmath.ncdf(2 * (x - 1))  # x + N(0, 1/4) > 1
    chance = mpmath.quad(lambda x: density(x) * window(x), places)
    means = [mpmath.quad(lambda x, k=k: x**k * density(x) * window(x), places) / chance for k in (1, 2)]
    kept: Density = lambda x: density(x) * window(x) / chance
    entropy = mpmath.quad(lambda x: -kept(x) * mpmath.log(kept(x)) if kept(x) > 0 else mpf(0), places)
    text = f"x ~ {law}\nn ~ normal(0, 1/4)\n"

    assert holds(measured(text, "P(x + n > 1)"), chance)
    assert holds(measured(text, "E(x | x + n > 1)"), means[0])
    seen = text + "observe(x + n > 1)\n"
    assert holds(measured(seen, "Var(x)"), means[1] - means[0] ** 2)
    assert holds(measured(seen, "H(x)"), entropy, 1e-8)


def test_intervals_and_several_noises_weigh_a_variable_too() -> None:
    density, places = LAWS["exponential(2)"]
    between: Density = lambda x: mpmath.ncdf(1 - x) - mpmath.ncdf(-x)
    chance = mpmath.quad(lambda x: density(x) * between(x), places)
    mean = mpmath.quad(lambda x: x * density(x) * between(x), places) / chance
    text = "x ~ exponential(2)\nn ~ normal(0, 1)\n"

    assert holds(measured(text, "E(x | x + n > 0 and x + n < 1)"), mean)

    both: Density = lambda x: mpmath.ncdf(x) * mpmath.ncdf(1 - x / 2)
    chance = mpmath.quad(lambda x: density(x) * both(x), places)
    mean = mpmath.quad(lambda x: x * density(x) * both(x), places) / chance
    twice = text + "m ~ normal(0, 1)\nobserve(x + n > 0)\nobserve(x/2 + m < 1)\n"

    assert holds(measured(twice, "E(x)"), mean)


def test_what_is_behind_other_noise_after_such_a_guard_is_known() -> None:
    density, places = LAWS["laplace(0, 1)"]
    chance = mpmath.quad(lambda x: density(x) * mpmath.ncdf(x), places)
    above = mpmath.quad(lambda x: density(x) * mpmath.ncdf(x) * mpmath.ncdf(x - 1), places) / chance
    text = "x ~ laplace(0, 1)\nn ~ normal(0, 1)\nm ~ normal(0, 1)\nobserve(x + n > 0)\no := x + m\n"

    assert holds(measured(text, "P(o > 1)"), above)


def test_the_posterior_of_a_bit_given_an_event_is_compared_with_its_prior() -> None:
    density, places = LAWS["laplace(0, 1)"]
    chances = [mpmath.quad(lambda x, s=s: density(x) * mpmath.ncdf(2 * (x + s - 1)), places) for s in (0, 1)]
    posterior = [chance / sum(chances) for chance in chances]
    truth = sum(p * mpmath.log(2 * p) for p in posterior)
    text = "s ~ bernoulli(1/2)\nx ~ laplace(0, 1)\nn ~ normal(0, 1/4)\no := s + x + n\n"

    assert holds(measured(text, "KL(s | o > 1 || s)"), truth)


@pytest.mark.parametrize("noise", ["normal(0, 1/4)", "normal(0, 1)"])
def test_the_excess_behind_a_sum_of_noises_is_an_integral(noise: str) -> None:
    spread = mpf(1) / 2 if "/" in noise else mpf(1)
    law: Density = lambda y: mpmath.ncdf(y / spread) - mpmath.ncdf((y - 1) / spread)  # uniform on [0, 1] + noise
    factor = mpmath.exp(mpf(1) / 2)
    gain: Density = lambda y: law(y - 1) - factor * law(y)
    cut = mpmath.findroot(gain, (0.5, 2), solver="anderson")
    truth = mpmath.quad(gain, [cut, 2, 4, 12])
    text = f"s ~ bernoulli(1/2)\na ~ uniform(0, 1)\nb ~ {noise}\no := s + a + b\n"

    assert holds(measured(text, "Delta(s -> o, eps=1/2)"), truth)


def test_a_normal_variable_behind_two_noises_is_known() -> None:
    both: Density = lambda x: mpmath.npdf(x) * mpmath.ncdf(x) * mpmath.ncdf(1 - x / 2)
    chance = mpmath.quad(both, [-12, 0, 12])
    mean = mpmath.quad(lambda x: x * both(x), [-12, 0, 12]) / chance
    text = "x ~ normal(0, 1)\nn ~ normal(0, 1)\nm ~ normal(0, 1)\nobserve(x + n > 0)\nobserve(x/2 + m < 1)\n"

    assert holds(measured(text, "E(x)"), mean)
