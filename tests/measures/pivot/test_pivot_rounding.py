"""Rounded continuous values (``floor``, ``ceil``, ``%``), against sums over cells of differences of distribution functions."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import product

import mpmath
import pytest
from mpmath import mpf

import seepage
from seepage.measures.result import Certainty, Result

Below = Callable[[mpf], mpf]
"""A distribution function."""

Chances = dict[tuple[int, int], mpf]
"""Of a secret and an output."""

CELLS = range(-60, 91)


def normal(variance: float) -> Below:
    return lambda t: mpmath.ncdf(t / mpmath.sqrt(variance))


def laplace(scale: float) -> Below:
    return lambda t: mpmath.exp(t / scale) / 2 if t < 0 else 1 - mpmath.exp(-t / scale) / 2


def uniform(low: float, high: float) -> Below:
    return lambda t: min(max((t - low) / mpf(high - low), mpf(0)), mpf(1))


def exponential(rate: float) -> Below:
    return lambda t: 1 - mpmath.exp(-rate * t) if t > 0 else mpf(0)


def rounded(secrets: Iterable[int], below: Below, step: mpf | int = 1) -> Chances:
    """Return the chances of s and floor((s + n) / step), s equally likely."""
    values, known = list(secrets), lru_cache(None)(below)
    found = {}
    for s, k in product(values, CELLS):
        chance = (known(mpf(k + 1) * step - s) - known(mpf(k) * step - s)) / len(values)
        if chance > 0:
            found[s, k] = chance
    return found


def h(chances: Iterable[mpf]) -> mpf:
    return mpmath.fsum(-p * mpmath.log(p) for p in chances if p > 0)


def over(joint: Chances, place: int) -> dict[int, mpf]:
    found: dict[int, mpf] = {}
    for key, p in joint.items():
        found[key[place]] = found.get(key[place], mpf(0)) + p
    return found


def information(joint: Chances) -> mpf:
    return h(over(joint, 0).values()) + h(over(joint, 1).values()) - h(joint.values())


def measured(text: str, measure: str) -> Result:
    found = seepage.parse(text).measure(measure, unit="nats")
    assert found.certainty in (Certainty.CERTIFIED, Certainty.EXACT)
    return found


def holds(found: Result, truth: mpf, width: float = 1e-9) -> bool:
    return bool(found.lower - 1e-12 <= truth <= found.upper + 1e-12 and found.upper - found.lower <= width)


NOISES = {
    "normal(0, variance = 4)": normal(4),
    "laplace(0, 3/2)": laplace(1.5),
    "laplace(0, 1 / log(2))": laplace(1 / math.log(2)),
    "exponential(1/2)": exponential(0.5),
    "gamma(5/2, 2)": lambda t: mpmath.gammainc(2.5, 0, 2 * t, regularized=True) if t > 0 else mpf(0),
    "uniform(-1, 3/2)": uniform(-1, 1.5),
}


@pytest.mark.parametrize("noise", NOISES)
def test_information_and_guessing_behind_rounded_noise(noise: str) -> None:
    text = f"s ~ uniform_int(0, 4)\nn ~ {noise}\no := floor(s + n)"
    joint = rounded(range(5), NOISES[noise])
    assert holds(measured(text, "I(s; o)"), information(joint))
    assert holds(measured(text, "H(o)"), h(over(joint, 1).values()))
    outputs = over(joint, 1)
    best = mpmath.fsum(max(joint.get((s, k), mpf(0)) for s in range(5)) for k in outputs)
    assert holds(measured(text, "V(s | o)"), best)


@pytest.mark.parametrize("noise", NOISES)
def test_means_and_chances_of_rounded_values(noise: str) -> None:
    text = f"s ~ uniform_int(0, 4)\nn ~ {noise}\no := floor(s + n)"
    outputs = over(rounded(range(5), NOISES[noise]), 1)
    mean = mpmath.fsum(k * p for k, p in outputs.items())
    assert holds(measured(text, "E(o)"), mean, 1e-6)
    assert holds(measured(text, "Var(o)"), mpmath.fsum(k * k * p for k, p in outputs.items()) - mean**2, 1e-6)
    assert holds(measured(text, "P(o >= 2)"), mpmath.fsum(p for k, p in outputs.items() if k >= 2))
    below = rounded(range(5), NOISES[noise])
    posterior = below.get((1, 2), mpf(0)) / outputs[2]
    assert holds(measured(text, "P(s == 1 | o == 2)"), posterior)


def test_ceil_rounds_up_and_remainders_are_what_is_left() -> None:
    text = "x ~ uniform(0, 5/2)\nup := ceil(x)\nleft := floor(x) % 2\npart := x % 1"
    assert holds(measured(text, "H(up)"), h([mpf(2) / 5, mpf(2) / 5, mpf(1) / 5]))
    assert holds(measured(text, "P(left == 1)"), mpf(2) / 5)
    assert holds(measured(text, "P(part < 1/4)"), mpf(3) / 10)
    assert holds(measured(text, "I(up; left)"), h([mpf(2) / 5, mpf(3) / 5]))


def test_a_step_other_than_one() -> None:
    text = "s ~ uniform_int(0, 4)\nn ~ normal(0, variance = 1)\no := floor((s + n) * 2) / 2"
    joint = rounded(range(5), normal(1), mpf(1) / 2)
    assert holds(measured(text, "I(s; o)"), information(joint))


def test_sums_of_noise_are_rounded_together() -> None:
    text = "s ~ uniform_int(0, 2)\nn ~ normal(0, variance = 1)\nm ~ normal(0, variance = 3)\no := floor(2*s - n + m)"
    joint = rounded([0, 2, 4], normal(4))
    assert holds(measured(text, "I(s; o)"), information(joint))


def test_a_sum_of_two_laplace_variables_is_rounded() -> None:
    """The chance of a cell is a convolution: its distribution function is known in closed form for scales a and b."""

    def below(t: mpf) -> mpf:
        if t > 0:
            return 1 - below(-t)
        a, b = mpf(1), mpf(2)
        return (a * a * mpmath.exp(t / a) - b * b * mpmath.exp(t / b)) / (2 * (a * a - b * b))

    text = "s ~ uniform_int(0, 1)\nn ~ laplace(0, 1)\nm ~ laplace(0, 2)\no := floor(3*s + n + m)"
    joint = {(s, k): p for (s, k), p in rounded([0, 3], below).items()}
    assert holds(measured(text, "I(s; o)"), information(joint))


def test_a_continuous_secret_tells_its_integer_part() -> None:
    text = "s ~ normal(1/3, variance = 2)\no := floor(s)"
    cells = [normal(2)(k + 1 - mpf(1) / 3) - normal(2)(k - mpf(1) / 3) for k in range(-30, 31)]
    assert holds(measured(text, "I(s; o)"), h(cells))
    assert holds(measured(text, "H(o)"), h(cells))


def test_a_continuous_secret_behind_noise_and_rounding() -> None:
    text = "s ~ uniform(0, 2)\nn ~ laplace(0, 1/8)\no := floor(s + n)"
    below = laplace(0.125)

    def given(s: mpf, k: int) -> mpf:
        return below(k + 1 - s) - below(k - s)

    cells, places = range(-4, 6), [0, 1, 2]
    chances = [mpmath.quad(lambda s, k=k: given(s, k) / 2, places) for k in cells]
    left = mpmath.quad(lambda s: h(given(s, k) for k in cells) / 2, places)
    assert holds(measured(text, "I(s; o)"), h(chances) - left, 1e-8)


def test_loss_with_a_delta_and_excess() -> None:
    text = "s ~ uniform_int(0, 1)\nn ~ laplace(0, 2)\no := floor(s + n)"
    rows = [{k: 2 * p for (s, k), p in rounded([0, 1], laplace(2)).items() if s == side} for side in (0, 1)]
    factor = mpmath.exp(mpf(1) / 4)
    excess = max(
        mpmath.fsum(max(p - factor * b.get(k, 0), mpf(0)) for k, p in a.items()) for a, b in (rows, rows[::-1])
    )
    assert holds(measured(text, "Delta(s -> o, eps = 1/4)"), excess)
    found = measured(text, "DP(s -> o, delta = 1/20)")
    assert any(
        abs(mpmath.fsum(max(p - mpmath.exp(found.value) * b.get(k, 0), mpf(0)) for k, p in a.items()) - mpf(1) / 20)
        < 1e-9
        for a, b in (rows, rows[::-1])
    )


def test_values_rounded_twice_depend_on_each_other() -> None:
    text = "x ~ normal(0, variance = 9)\na := floor(x)\nb := floor(x / 2)"
    halves = [normal(9)(mpf(2 * k + 2)) - normal(9)(mpf(2 * k)) for k in range(-40, 41)]
    assert holds(measured(text, "I(a; b)"), h(halves))
    assert holds(
        measured(text, "P(a == 2*b)"),
        mpmath.fsum(normal(9)(mpf(2 * k + 1)) - normal(9)(mpf(2 * k)) for k in range(-40, 41)),
    )


def test_guards_before_and_after_rounding() -> None:
    text = "x ~ normal(0, variance = 4)\nif x > 1/2 { o := floor(x) } else { o := -1 }\nobserve x < 3"
    below = normal(4)
    cells = [below(mpf(1) / 2), below(mpf(1)) - below(mpf(1) / 2), below(2) - below(1), below(3) - below(2)]
    assert holds(measured(text, "H(o)"), h([p / mpmath.fsum(cells) for p in cells]))


def test_what_is_left_out_stays_in_the_bounds_after_a_rare_observation() -> None:
    text = "x ~ normal(0, variance = 1)\no := floor(x)\nobserve o >= 12"
    cells = [(mpmath.erfc(k / mpmath.sqrt(2)) - mpmath.erfc((k + 1) / mpmath.sqrt(2))) / 2 for k in range(12, 30)]
    found = measured(text, "P(o == 12)")
    assert holds(found, cells[0] / mpmath.fsum(cells))


def test_densities_beside_what_is_left_out_are_refused() -> None:
    text = "x ~ normal(0, variance = 1)\ny ~ normal(x, variance = 1)\nz ~ normal(0, variance = 1)\no := floor(z + x)\nobserve y == 2"
    with pytest.raises(seepage.MeasureError):
        seepage.parse(text).measure("H(o)")


def test_an_observed_rounded_value_is_an_interval() -> None:
    text = "s ~ uniform_int(0, 4)\nn ~ normal(0, variance = 4)\nx := s + n\nobserve floor(x) == 3"
    below = normal(4)
    weights = [below(mpf(4 - s)) - below(mpf(3 - s)) for s in range(5)]
    chances = [w / mpmath.fsum(weights) for w in weights]
    assert holds(measured(text, "H(s)"), h(chances))
    assert holds(measured(text, "E(s)"), mpmath.fsum(s * p for s, p in enumerate(chances)))
    density = [mpmath.npdf(mpf(3 - s) / 2) - mpmath.npdf(mpf(4 - s) / 2) for s in range(5)]
    assert holds(measured(text, "E(n)"), 2 * mpmath.fsum(density) / mpmath.fsum(weights))


@pytest.mark.parametrize(
    "output",
    [
        "max(-2, min(5, floor(s + n)))",
        "-min(2, max(-5, -floor(s + n)))",
        "min(10, max(-4, 2*floor(s + n))) / 2",
        "max(-2, -max(-5, ceil(-s - n)))",
    ],
)
def test_clamping_a_rounded_value_leaves_nothing_out(output: str) -> None:
    """Tails of the noise are in the first and the last value, so that the loss has an upper bound."""
    below, text = laplace(1.5), f"s ~ uniform_int(0, 1)\nn ~ laplace(0, 3/2)\no := {output}"

    def row(s: int) -> list[mpf]:
        inner = [below(mpf(k + 1 - s)) - below(mpf(k - s)) for k in range(-1, 5)]
        return [below(mpf(-1 - s)), *inner, 1 - below(mpf(5 - s))]

    loss = max(abs(mpmath.log(p / q)) for p, q in zip(row(0), row(1), strict=True))
    assert holds(measured(text, "DP(s -> o)"), loss)
    joint = {(s, k): p / 2 for s in (0, 1) for k, p in enumerate(row(s))}
    assert holds(measured(text, "I(s; o)"), information(joint))


@pytest.mark.parametrize(
    ("condition", "low", "high"),
    [
        ("floor(n) >= 1", 1, 99),
        ("3 > ceil(n)", -99, 2),
        ("floor(2*n) / 2 == -1/2", -0.5, 0),
        ("1 - floor(n) != 1", None, None),
        ("floor(floor(n) / 2) == 1", 2, 4),
        ("floor(n) > 1/2 and ceil(n) <= 3", 1, 3),
    ],
)
def test_conditions_on_rounded_values(condition: str, low: float | None, high: float | None) -> None:
    below, text = laplace(2), f"n ~ laplace(0, 2)\nif {condition} {{ o := 1 }} else {{ o := 0 }}"
    inside = below(mpf(0)) + 1 - below(mpf(1)) if low is None or high is None else below(mpf(high)) - below(mpf(low))
    assert holds(measured(text, "P(o == 1)"), inside)


def test_means_of_continuous_values_beside_rounded_ones() -> None:
    """E(s · floor(s)) is Σ k (φ(k) − φ(k + 1)) = Σ φ(k)."""
    text = "s ~ normal(0, variance = 1)\no := floor(s)"
    assert holds(measured(text, "E(s * o)"), mpmath.fsum(mpmath.npdf(k) for k in range(-20, 21)))
    inside = mpmath.ncdf(2) - mpmath.ncdf(1)
    mean = (mpmath.npdf(1) - mpmath.npdf(2)) / inside
    assert holds(measured(text, "E(s | o == 1)"), mean)
    square = 1 + (mpmath.npdf(1) - 2 * mpmath.npdf(2)) / inside
    assert holds(measured(text, "Var(s | o == 1)"), square - mean**2)


def test_what_rounding_leaves_open_of_a_continuous_secret() -> None:
    text = "s ~ normal(0, variance = 1)\no := floor(s)"
    cells = [mpmath.ncdf(k + 1) - mpmath.ncdf(k) for k in range(-20, 20)]
    assert holds(measured(text, "H(s | o)"), mpmath.log(2 * mpmath.pi * mpmath.e) / 2 - h(cells))


def test_means_beside_infinite_supports_and_laplace_noise() -> None:
    text = "n ~ poisson(3)\nl ~ laplace(1, 1)\no := l * (n + 1)"
    assert holds(measured(text, "E(o)"), mpf(4))
    assert holds(measured(text, "Var(o)"), mpf(3 * 19 - 16))  # E(l²) = 3, E((n + 1)²) = 19


@pytest.mark.parametrize(
    ("tail", "shifts"),
    [
        ("m := s - m + n\no := floor(m)", (0, 1)),
        ("if s == 1 { c := 3 }\no := floor(c + n)", (0, 3)),
        ("w := c + n\nc := s\no := floor(w) + 2 * c", (0, 0)),
        ("i ~ uniform_int(0, 1)\nw := a[i] + a[1 - i]\na[0] := 5\na[1] := 7\no := floor(w + 2 * s + n)", (0, 2)),
    ],
)
def test_variables_are_0_before_they_are_assigned(tail: str, shifts: tuple[int, int]) -> None:
    """Against the cells of n moved by what the program adds to it for each s; the third output holds s beside a cell that s does not move."""
    found = seepage.parse(f"s ~ bernoulli(1/2)\nn ~ normal(0, 1)\n{tail}\n").measure("I(s; o)", unit="nats")
    told = 2 if "2 * c" in tail else 0
    below = normal(1)
    joint: Chances = {
        (s, k + told * s): (below(mpf(k + 1 - shifts[s])) - below(mpf(k - shifts[s]))) / 2
        for s in (0, 1)
        for k in CELLS
    }
    truth = h(over(joint, 0).values()) + h(over(joint, 1).values()) - h(joint.values())
    assert found.certainty is Certainty.CERTIFIED
    assert found.lower - 1e-12 <= truth <= found.upper + 1e-12
    assert found.upper - found.lower < 1e-9
