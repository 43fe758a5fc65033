"""``C(x -> y, power=P)`` against closed forms, water-filling by bisection, and information of single laws of the input."""

from __future__ import annotations

import math
import random

import pytest

import seepage


def _program(lines: list[tuple[int, int]]) -> seepage.Program:
    """Outputs with a gain, behind normal noise of a variance."""
    text = "".join(
        f"x{n} ~ normal(0, 1)\nn{n} ~ normal(3, {variance})\no{n} := {gain} * x{n} + n{n} - 2\n"
        for n, (gain, variance) in enumerate(lines)
    )
    return seepage.parse(text)


def _filled(levels: list[float], power: float) -> float:
    low, high = min(levels), max(levels) + power
    for _ in range(200):
        water = (low + high) / 2
        low, high = (low, water) if sum(max(0.0, water - level) for level in levels) > power else (water, high)
    return sum(math.log2(max(1.0, low / level)) / 2 for level in levels)


@pytest.mark.parametrize("seed", range(20))
def test_power_is_shared_by_water_filling(seed: int) -> None:
    chance = random.Random(seed)
    lines = [(chance.choice([-3, -1, 1, 2]), chance.randint(1, 12)) for _ in range(chance.randint(1, 4))]
    power = chance.randint(1, 20)
    names = [", ".join(f"{letter}{n}" for n in range(len(lines))) for letter in "xo"]
    found = _program(lines).measure(f"C({names[0]} -> {names[1]}, power={power}/2)")
    assert found.value is not None

    assert found.certainty is seepage.Certainty.EXACT
    assert abs(found.value - _filled([variance / gain**2 for gain, variance in lines], power / 2)) < 1e-12


def test_whole_and_half_bits_are_exact() -> None:
    program = _program([(1, 1)])

    assert program.measure("C(x0 -> o0, power=3)").exact == 1
    assert program.measure("C(x0 -> o0, power=1)").exact == 0.5
    assert program.measure("C(x0 -> o0, power=0)").exact == 0
    assert program.measure("C(x0 -> o0, power=1)", unit="nats").value == pytest.approx(math.log(2) / 2, abs=1e-12)


_LAPLACE = "x ~ normal(0, {})\nl ~ laplace(0, 1)\nz ~ normal(0, 1)\no := 2 * x + l\nq := x + l + z"


@pytest.mark.parametrize("power", [1, 5])
def test_behind_other_noise_it_is_enclosed(power: int) -> None:
    """What a normal input of that variance tells is no more; between the ends stands the information at it, too."""
    program = seepage.parse(_LAPLACE.format(power))
    found = program.measure(f"C(x -> o, power={power})")
    assert found.lower is not None
    assert found.upper is not None

    entropy, received = 1 + math.log(2), 4 * power + 2
    assert found.lower == pytest.approx(math.log2(received / 2) / 2, abs=1e-9)
    assert found.upper == pytest.approx(
        (math.log(2 * math.pi * math.e * received) / 2 - entropy) / math.log(2), abs=1e-9
    )
    told = program.measure("I(x; o)")
    assert told.lower is not None
    assert told.lower <= found.upper
    both = program.measure(f"C(x -> q, power={power})")
    information = program.measure("I(x; q)")
    assert information.lower is not None
    assert both.upper is not None
    assert information.lower <= both.upper


def test_without_noise_it_is_infinite_and_of_noise_alone_nothing() -> None:
    program = seepage.parse("x ~ normal(0, 1)\nn ~ normal(0, 1)\no := 3 * x\nq := n + 0 * x")

    assert program.measure("C(x -> o, power=1)").lower == math.inf
    assert program.measure("C(x -> q, power=1)").exact == 0


@pytest.mark.parametrize(
    ("measure", "said"),
    [
        ("C(x -> o)", "as large as they like"),
        ("C(x -> o, power=-1)", "at least 0"),
        ("C(x -> k, power=1)", "not supported yet"),
        ("C(x, y -> o, r, power=1)", "not supported yet"),
        ("C(d -> e, power=1)", "not supported yet"),
        ("Cmin(x -> o, power=1)", "compares nothing"),
    ],
)
def test_what_is_not_computed_is_told(measure: str, said: str) -> None:
    program = seepage.parse(
        "x ~ normal(0, 1)\ny ~ normal(0, 1)\nn ~ normal(0, 1)\nd ~ flip(1/2)\n"
        "o := x + n\nk := min(x + n, 1)\nr := y + n\ne := d + n"
    )
    with pytest.raises((seepage.MeasureError, ValueError), match=said):
        program.measure(measure)
