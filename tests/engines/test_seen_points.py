"""Places behind planar Laplace noise that is seen at a point: posteriors against weights e^(−r/scale) of all places."""

from __future__ import annotations

import math
import random

import pytest

import seepage


def _posterior(seed: int) -> tuple[str, dict[tuple[int, int], float], tuple[str, str]]:
    """Return a program of random places and scale, its posterior by enumeration, and the point that is seen."""
    chance = random.Random(seed)
    weights = [chance.randint(1, 4) for _ in range(3)]
    scale, a, b = chance.randint(1, 3), chance.randint(-3, 5), chance.randint(-3, 5)
    text = f"x ~ weights({weights})\ny ~ uniform_int(0, 2)\nox, oy ~ planar_laplace(x, y - x, {scale})\n"
    found = {
        (x, y): weights[x] * math.exp(-math.hypot(x - a / 2, y - x - b) / scale) for x in range(3) for y in range(3)
    }
    total = sum(found.values())
    return text, {key: value / total for key, value in found.items()}, (f"{a}/2", str(b))


@pytest.mark.parametrize("seed", range(4))
def test_posteriors_are_the_weights_of_the_distances(seed: int) -> None:
    text, posterior, (a, b) = _posterior(seed)
    asked = seepage.parse(text)
    observed = seepage.parse(f"{text}observe ox == {a} and {b} == oy\n")
    event = f"ox == {a} and oy == {b}"

    entropy = -sum(p * math.log2(p) for p in posterior.values())
    assert asked.measure(f"H(x, y | {event})", unit="bits").value == pytest.approx(entropy, abs=1e-12)
    assert observed.measure("H(x, y)", unit="bits").value == pytest.approx(entropy, abs=1e-12)
    assert observed.measure("V(x, y)").value == pytest.approx(max(posterior.values()), abs=1e-12)
    for (x, y), chance in posterior.items():
        assert asked.measure(f"P(x == {x} and y == {y} | {event})").value == pytest.approx(chance, abs=1e-12)


def test_what_is_written_after_it_is_seen_is_not_what_was_seen() -> None:
    program = seepage.parse("x ~ flip(1/2)\na, b ~ planar_laplace(x, 0, 1)\nobserve a == 0 and b == 0\na := 7\n")

    for measure in ("P(x)", "P(x and a == 7)"):
        assert program.measure(measure).value == pytest.approx(1 / (1 + math.e), abs=1e-12)
    assert program.measure("P(a == 0)").value == 0


@pytest.mark.parametrize(
    "text",
    [
        "x ~ flip(1/2)\na, b ~ planar_laplace(x, 0, 1)\nobserve a == 0\n",
        "x ~ flip(1/2)\na, b ~ planar_laplace(x, 0, 1)\nobserve a == x and b == 0\n",
    ],
)
def test_other_observations_are_refused(text: str) -> None:
    with pytest.raises(seepage.MeasureError) as caught:
        seepage.parse(text).measure("H(x)")

    assert caught.value.diagnostic.rule.code == "SEEP901"
