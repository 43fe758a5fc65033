"""Chances of events of a noisy place, against integrals in polar coordinates and the law of one coordinate."""

from __future__ import annotations

import math
import random

import pytest
from scipy.integrate import quad
from scipy.special import k1

import seepage


def beyond(distance: float, scale: float) -> float:
    """Return the chance that one coordinate is beyond a number, by its density |t| K₁(|t|/s)/(π s²)."""
    tail, _ = quad(lambda t: t * k1(t) / math.pi, abs(distance) / scale, math.inf, epsabs=1e-13, epsrel=1e-12)
    return float(tail if distance > 0 else 1 - tail)


@pytest.mark.parametrize("seed", range(6))
def test_an_event_of_one_combination_is_of_one_coordinate(seed: int) -> None:
    chance = random.Random(seed)
    weights = [chance.randint(1, 4) for _ in range(3)]
    places = [(chance.randint(-3, 3), chance.randint(-3, 3)) for _ in range(3)]
    p, q, scale = chance.randint(-2, 2), chance.randint(1, 3), chance.randint(1, 3)
    low, high = sorted(chance.sample(range(-6, 7), 2))
    program = seepage.parse(
        f"s ~ weights([{', '.join(map(str, weights))}])\n"
        f"x := [{', '.join(str(x) for x, _ in places)}]\ny := [{', '.join(str(y) for _, y in places)}]\n"
        f"a, b ~ planar_laplace(x[s], y[s], {scale})\n"
    )
    inside = [
        beyond((low - p * x - q * y) / math.hypot(p, q), scale)
        - beyond((high - p * x - q * y) / math.hypot(p, q), scale)
        for x, y in places
    ]
    shares = [each / sum(weights) for each in weights]

    within = program.measure(f"P({p} * a + {q} * b > {low} and not ({-2 * q} * b <= {2 * p} * a - {2 * high}))")
    outside = program.measure(f"P(s == 1 and ({p} * a + {q} * b < {low} or {p} * a + {q} * b >= {high}))")

    assert within.certainty is seepage.Certainty.CERTIFIED
    assert float(within) == pytest.approx(sum(w * each for w, each in zip(shares, inside, strict=True)), abs=1e-11)
    assert float(outside) == pytest.approx(shares[1] * (1 - inside[1]), abs=1e-11)


def test_a_combination_may_differ_between_discrete_values() -> None:
    program = seepage.parse("s ~ bernoulli(1/3)\na, b ~ planar_laplace(0, 0, 2)\n")

    found = program.measure("P((s + 1) * a - s * b > 2)")

    expected = 2 / 3 * beyond(2, 2) + 1 / 3 * beyond(2 / math.sqrt(5), 2)
    assert float(found) == pytest.approx(expected, abs=1e-11)


def test_a_disc_around_the_place_has_the_law_of_the_radius() -> None:
    program = seepage.parse("s ~ bernoulli(1/4)\na, b ~ planar_laplace(4 * s, -s, 2)\n")
    ring = "(a - 4 * s)^2 + (b + s)^2"

    def within(radius: float) -> float:
        return 1 - (1 + radius / 2) * math.exp(-radius / 2)

    assert float(program.measure(f"P({ring} <= 9)")) == pytest.approx(within(3), abs=1e-14)
    assert float(program.measure(f"P({ring} > 2 and {ring} < 25 or s == 1)")) == pytest.approx(
        1 / 4 + 3 / 4 * (within(5) - within(math.sqrt(2))), abs=1e-14
    )
    assert float(program.measure(f"P({ring} < -1)")) == 0
    assert float(program.measure("P(a == 1)")) == 0


@pytest.mark.parametrize("event", ["a * b < 1", "a < 1 and b < 1", "a^2 + b^2 < 1", "abs(a) < 1", "a^2 < 1"])
def test_other_regions_are_refused(event: str) -> None:
    program = seepage.parse("s ~ bernoulli(1/4)\na, b ~ planar_laplace(4 * s, 0, 2)\n")

    with pytest.raises(seepage.MeasureError) as caught:
        program.measure(f"P({event})")

    assert caught.value.diagnostic.rule.code == "SEEP901"
