"""Infinite discrete supports beside continuous values, against sums over far more values and trapezoidal sums over a fine grid."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from functools import partial

import numpy as np
import pytest

import seepage
from seepage.engines.outcome import Budget, MixtureJoint
from seepage.engines.soga.transformer import run
from seepage.measures.enclosure import Enclosure
from seepage.measures.gaussian.divergence import divergence
from seepage.measures.gaussian.entropy import conditional_entropy, entropy
from seepage.measures.gaussian.guessing import expected_gain
from seepage.measures.gaussian.information import mutual_information
from seepage.measures.gaussian.moments import expectation, variance
from seepage.measures.guessing.gains import Tries

from ..programs import core_of

# Trapezoidal sums of entire functions that vanish at the ends err by far less than the rounding of floats.
GRID = np.arange(-60, 260, 1 / 32)
ROUNDING = 1e-11


def _normal(mean: float, variance: float = 1.0) -> np.ndarray:
    return np.exp(-((GRID - mean) ** 2) / (2 * variance)) / math.sqrt(2 * math.pi * variance)


def _poisson(rate: float) -> Iterator[tuple[int, float]]:
    return ((k, math.exp(k * math.log(rate) - rate - math.lgamma(k + 1))) for k in range(200))


def _geometric(p: float) -> Iterator[tuple[int, float]]:
    return ((k, p * (1 - p) ** k) for k in range(120))


def _sum(densities: Iterable[np.ndarray]) -> np.ndarray:
    return sum(densities, np.zeros_like(GRID))


def _entropy(density: np.ndarray) -> float:
    inside = density[density > 0]
    return float(-(inside * np.log(inside)).sum() / 32)


def _assert_encloses(program: str, measure: str, value: float, width: float = 1e-8) -> None:
    found = seepage.parse(program).measure(f"{measure}", unit="nats")
    assert found.certainty == "certified"
    assert found.lower - ROUNDING <= value <= found.upper + ROUNDING
    assert found.upper - found.lower <= width


COUNT = "k ~ poisson(3)\no ~ normal(k, 1)\n"
CHANNEL = "k ~ geometric(1/2)\nx ~ normal(2 * k, 1)\no ~ normal(x, 4)\n"


def _count() -> dict[int, np.ndarray]:
    return {k: weight * _normal(k) for k, weight in _poisson(3)}


@pytest.mark.parametrize(
    ("measure", "value"),
    [
        ("E(o)", lambda: 3.0),
        ("Var(o)", lambda: 4.0),
        ("H(o)", lambda: _entropy(_sum(_count().values()))),
        ("I(k; o)", lambda: _entropy(_sum(_count().values())) - 0.5 * math.log(2 * math.pi * math.e)),
        ("V(k | o)", lambda: float(np.max(np.array(list(_count().values())), axis=0).sum() / 32)),
    ],
)
def test_a_count_behind_noise(measure: str, value: Callable[[], float]) -> None:
    # The greatest of several densities has kinks, where a trapezoidal sum errs by the square of the step.
    kink = 1e-4 if measure.startswith("V") else 0.0
    found = seepage.parse(COUNT).measure(measure, unit="nats")
    assert found.lower - ROUNDING - kink <= value() <= found.upper + ROUNDING + kink
    assert found.upper - found.lower <= 1e-8


def test_a_count_given_what_is_seen() -> None:
    weights = {k: weight * math.exp(-((1 - k) ** 2) / 2) for k, weight in _poisson(3)}
    whole = sum(weights.values())
    shares = [weight / whole for weight in weights.values() if weight > 0]
    _assert_encloses(COUNT, "P(k == 0 | o == 1)", weights[0] / whole)
    _assert_encloses(COUNT, "E(k | o == 1)", sum(k * weight for k, weight in weights.items()) / whole)
    _assert_encloses(COUNT, "H(k | o == 1)", -sum(share * math.log(share) for share in shares))


def test_a_rare_observation_widens_the_window() -> None:
    weights = {k: weight * math.exp(-((40 - k) ** 2) / 2) for k, weight in _poisson(3)}
    mean = sum(k * weight for k, weight in weights.items()) / sum(weights.values())
    _assert_encloses(COUNT, "E(k | o == 40)", mean)


def test_continuous_values_around_draws() -> None:
    density = _sum(weight * _normal(2 * k, 5) for k, weight in _geometric(1 / 2))
    noise = 0.5 * math.log(2 * math.pi * math.e * 4)
    _assert_encloses(CHANNEL, "I(x; o)", _entropy(density) - noise)
    own = _entropy(_sum(weight * _normal(2 * k) for k, weight in _geometric(1 / 2)))
    _assert_encloses(CHANNEL, "H(x | o)", own - (_entropy(density) - noise))
    _assert_encloses(
        CHANNEL, "P(x > 3)", sum(w * math.erfc((3 - 2 * k) / math.sqrt(2)) / 2 for k, w in _geometric(1 / 2))
    )


def test_moments_after_a_continuous_value_was_seen() -> None:
    # x given o = 3 and k: mean 2k + (3 − 2k)/5, variance 4/5
    weights = {k: w * math.exp(-((3 - 2 * k) ** 2) / 10) for k, w in _geometric(1 / 2)}
    whole = sum(weights.values())
    mean = sum(w * (2 * k + (3 - 2 * k) / 5) for k, w in weights.items()) / whole
    square = sum(w * (4 / 5 + (2 * k + (3 - 2 * k) / 5) ** 2) for k, w in weights.items()) / whole
    _assert_encloses(CHANNEL, "E(x | o == 3)", mean)
    _assert_encloses(CHANNEL, "Var(x | o == 3)", square - mean**2)


def test_a_variance_that_depends_on_a_draw() -> None:
    program = "k ~ poisson(3)\no ~ normal(0, 1 + k)\n"
    _assert_encloses(program, "Var(o)", 4.0)
    found = seepage.parse(program).measure("H(o)", unit="nats")
    truth = _entropy(_sum(weight * _normal(0, 1 + k) for k, weight in _poisson(3)))
    assert found.lower == -math.inf  # a narrow density in the tail could have any entropy
    assert truth - ROUNDING <= found.upper <= truth + 1e-8
    _assert_encloses(
        program, "I(k; o)", truth - sum(w * 0.5 * math.log(2 * math.pi * math.e * (1 + k)) for k, w in _poisson(3))
    )


def test_what_was_cut_off_may_be_of_any_shape() -> None:
    program = "k ~ geometric(1/2)\nif k > 60 { x ~ normal(0, 1/10^k) } else { x ~ normal(0, 1) }\no := x + k\n"
    found = seepage.parse(program).measure("H(x)")
    assert found.lower == -math.inf
    assert "any shape" in found.notes[0]


def test_both_kinds_in_one_mixture() -> None:
    program = "x ~ 1/2 * poisson(3) + 1/2 * normal(0, 1)\no ~ normal(x, 1)\n"
    atoms = [w / 2 for _, w in _poisson(3) if w > 0]
    own = -sum(w * math.log(w) for w in atoms) + 0.5 * (0.5 * math.log(2 * math.pi * math.e) + math.log(2))
    _assert_encloses(program, "H(x)", own)
    _assert_encloses(program, "Var(x)", 0.5 * (3 + 9) + 0.5 - 1.5**2)


@pytest.mark.parametrize(
    "program",
    [
        # Followed runs have a density at 1000, the run k = 1000 has an atom there, which outweighs them.
        "k ~ geometric(1/2)\nx ~ normal(0, 1)\nb ~ flip(1/2)\nif b { y := k } else { y := x }\nobserve(y == 1000)",
        # Only runs that are cut off make fewer observations.
        "k ~ geometric(1/2)\nx ~ normal(0, 1)\nb := k < 300\nif k < 200 { observe(x == 0) }",
        # The density at 0 grows with k.
        "k ~ geometric(1/2)\nb ~ flip(1/2)\nx ~ normal(0, 1 / 8^k)\nobserve(x == b)",
        "k ~ geometric(1/2)\nx ~ normal(1, 1)\nb ~ flip(1/2)\nobserve(x * 1/(1 + k) == b)",
        # What is left of b = 1 lies beyond every window.
        "k ~ geometric(1/2)\nb ~ flip(1/2)\nobserve(k >= 300 * b)\nx ~ normal(0, 1)\nobserve(x == b)",
        "k ~ geometric(1/2)\nb ~ flip(1/2)\nx ~ normal(0, 1)\no := x + k\nobserve(o - x == 0 or b)\nobserve(o == 3)",
    ],
)
def test_densities_that_nothing_bounds_are_refused(program: str) -> None:
    with pytest.raises(seepage.MeasureError) as caught:
        seepage.parse(program).measure("P(b == 1)")
    assert caught.value.diagnostic.rule.code == "SEEP901"
    assert "infinite support" in caught.value.diagnostic.message


def test_an_observed_draw_and_an_observed_value() -> None:
    program = "k ~ poisson(3)\nobserve(k > 3)\no ~ normal(k, 1)\n"
    weights = {k: w * math.exp(-((4 - k) ** 2) / 2) for k, w in _poisson(3) if k > 3}
    _assert_encloses(program, "E(k | o == 4)", sum(k * w for k, w in weights.items()) / sum(weights.values()))


def test_divergences_have_an_upper_bound_only_where_all_is_discrete() -> None:
    weights = {k: w * math.exp(-((1 - k) ** 2) / 2) for k, w in _poisson(3) if w > 0}
    whole = sum(weights.values())
    prior = dict(_poisson(3))
    truth = sum(w / whole * math.log(w / whole / prior[k]) for k, w in weights.items() if w > 0)
    _assert_encloses(COUNT, "KL(k | o == 1 || k)", truth)
    found = seepage.parse(COUNT).measure("KL(o | k == 1 || o)")
    assert (found.lower, found.upper) == (0, math.inf)
    assert seepage.parse(COUNT).measure("KL(o || k)").lower == math.inf


def test_a_window_leaves_out_what_it_says() -> None:
    whole = run(core_of(COUNT), ("k", "o"), {}, Budget(tail_bits=200))
    few = run(core_of(COUNT), ("k", "o"), {}, Budget(tail_bits=8))
    assert few.cut is not None
    assert len(few.components) < len(whole.components)
    kept = {component.values[0] for component in few.components}
    left_out = [component for component in whole.components if component.values[0] not in kept]
    lost = sum(float(component.weight) for component in left_out)
    assert lost <= float(few.cut.mass) <= 4 * 2**-8
    surprise = sum(-float(c.weight) * math.log(float(c.weight)) for c in left_out)
    assert surprise <= float(few.cut.entropy)
    first, second = few.cut.moments["o"]
    # |o| <= k + |noise|, with E|noise| = √(2/π)
    means = [float(component.mean[0]) for component in left_out]
    weights = [float(component.weight) for component in left_out]
    assert sum(w * m for w, m in zip(weights, means, strict=True)) <= float(first)
    assert sum(w * (m * m + 1) for w, m in zip(weights, means, strict=True)) <= float(second)


PROGRAMS = {
    "shift": "k ~ geometric(1/3)\nb ~ flip(1/3)\nx ~ normal(k + b, 1)\ny ~ normal(x, 1 + b)",
    "spread": "k ~ poisson(2)\nb ~ flip(1/3)\nx ~ normal(b, 1 + k)\ny := 2 * x - k",
    "choice": "k ~ geometric(1/2)\nb := k > 1\nif b { x ~ normal(0, 1/4) } else { x := 3 }\ny ~ normal(x, 1)",
    "parts": "k ~ poisson(1)\nb ~ flip(1/2)\nx ~ 1/3 * discrete_laplace(1) + 2/3 * normal(k, 2)\ny ~ normal(x - b, 1/2)",
    "sign": "k ~ geometric(1/2)\nx ~ normal(0, 1)\nb := x > 1\ny ~ normal(k, 1)",
    "seen": "k ~ geometric(1/3)\nb ~ flip(1/3)\nx ~ normal(k + b, 1)\ny ~ normal(x, 1 + b)\nobserve(y == 2)",
}


@pytest.mark.family(every=3)
@pytest.mark.parametrize("bits", [2, 7])
@pytest.mark.parametrize("text", PROGRAMS.values(), ids=PROGRAMS.keys())
def test_bounds_at_a_coarse_cut_hold_what_a_fine_cut_finds(text: str, bits: int) -> None:
    core = core_of(text)
    coarse, fine = (run(core, ("k", "b", "x", "y"), {}, Budget(tail_bits=each)) for each in (bits, 16))
    assert coarse.cut is not None
    budget = Budget()
    measures: tuple[Callable[[MixtureJoint], Enclosure], ...] = (
        lambda joint: entropy(joint, ("x",)),
        lambda joint: entropy(joint, ("y", "k")),
        lambda joint: conditional_entropy(joint, ("x",), ("y",)),
        lambda joint: conditional_entropy(joint, ("k", "b"), ("y",)),
        lambda joint: mutual_information(joint, ("x",), ("y",)),
        lambda joint: mutual_information(joint, ("k",), ("y",)),
        lambda joint: mutual_information(joint, ("k",), ("y",), ("b",)),
        lambda joint: expected_gain(joint, ("k",), ("y",), Tries(1), budget),
        *(partial(expectation, variable=name) for name in ("k", "x", "y")),
        *(partial(variance, variable=name) for name in ("k", "x", "y")),
        lambda joint: divergence(joint, ("y",), joint, ("x",)),
    )
    for measure in measures:
        bounds, known = measure(coarse), measure(fine)
        assert bounds.lower <= known.upper
        assert known.lower <= bounds.upper


LOSSES = ["DP(s -> o)", "DP(s -> o, delta=1/10)", "Delta(s -> o, eps=1)"]
CAPACITIES = ["Cmin(s -> o)", "C(s -> o)"]
HIDDEN, TOLD = "s ~ flip(1/2)\nk ~ poisson(3)", "k ~ poisson(3)\ns := k"


@pytest.mark.parametrize(
    ("secret", "measure"),
    [*((HIDDEN, each) for each in CAPACITIES), *((TOLD, each) for each in (*LOSSES, *CAPACITIES))],
)
def test_a_channel_is_not_taken_for_the_part_that_was_followed(secret: str, measure: str) -> None:
    with pytest.raises(seepage.MeasureError) as caught:
        seepage.parse(f"{secret}\nn ~ normal(0, 1)\no := s + k + n\n").measure(measure)
    assert caught.value.diagnostic.rule.code == "SEEP901"


def test_losses_behind_counts_without_end_and_noise_are_bounded_by_those_behind_the_noise() -> None:
    program = seepage.parse(f"{HIDDEN}\nn ~ normal(0, 1)\no := s + k + n\n")
    places = np.arange(-10.0, 50.0, 1e-3)
    chances = [math.exp(-3) * 3**k / math.factorial(k) for k in range(40)]
    laws = [
        sum(chance * np.exp(-((places - s - k) ** 2) / 2) for k, chance in enumerate(chances)) / math.sqrt(2 * math.pi)
        for s in (0, 1)
    ]

    def excess(epsilon: float) -> float:
        pairs = (laws, laws[::-1])
        return max(float(np.maximum(p - math.exp(epsilon) * q, 0).sum() * 1e-3) for p, q in pairs)

    delta, loss = program.measure("Delta(s -> o, eps=1)"), program.measure("DP(s -> o, delta=1/10)")

    assert delta.lower <= excess(1) <= delta.upper < 0.127  # behind the noise alone it is 0.12694
    assert excess(loss.upper) <= 0.1
    assert program.measure("DP(s -> o)").upper == math.inf
