"""Rényi's divergence of two laws, against its definition over tables of chances."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

import pytest

import seepage


def truth(p: Sequence[float], q: Sequence[float], alpha: float) -> float:
    """By the definition (van Erven and Harremoës 2014), in bits."""
    shared = [(a, b) for a, b in zip(p, q, strict=True) if a > 0 and b > 0]
    if not shared or (alpha >= 1 and len(shared) < sum(a > 0 for a in p)):
        return math.inf
    if alpha == 1:
        return sum(a * math.log2(a / b) for a, b in shared)
    return math.log2(sum(a**alpha * b ** (1 - alpha) for a, b in shared)) / (alpha - 1)


def chances(drawn: random.Random) -> list[int]:
    weights = [drawn.choice((0, 1, 2, 5)) for _ in range(4)]
    return weights if any(weights) else [1, 0, 0, 0]


@pytest.mark.parametrize("seed", range(12))
def test_random_laws_have_the_divergence_of_the_definition(seed: int) -> None:
    drawn = random.Random(seed)
    p, q = chances(drawn), chances(drawn)
    laws = [
        ", ".join(f"{value}: {weight}/{sum(weights)}" for value, weight in enumerate(weights)) for weights in (p, q)
    ]
    program = seepage.parse(f"x ~ {{{laws[0]}}}\ny ~ {{{laws[1]}}}\n")
    shares = [[weight / sum(weights) for weight in weights] for weights in (p, q)]

    for alpha, value in (("1/3", 1 / 3), ("1", 1.0), ("3/2", 1.5), ("2", 2.0), ("log(20)", math.log(20))):
        found = program.measure(f"Dalpha(x || y, alpha={alpha})")
        assert found.value == pytest.approx(truth(shares[0], shares[1], value), abs=1e-9), (p, q, alpha)
        assert found.certainty == "exact"


def test_it_adds_up_over_independent_pairs_and_takes_events() -> None:
    program = seepage.parse("a ~ flip(1/3)\nb ~ uniform_int(0, 2)\nc ~ flip(1/4)\nd ~ binomial(2, 1/3)\n")
    of_a = truth([2 / 3, 1 / 3], [3 / 4, 1 / 4], 3)
    of_b = truth([1 / 3] * 3, [4 / 9, 4 / 9, 1 / 9], 3)

    assert program.measure("Dalpha(a, b || c, d, alpha=3)").value == pytest.approx(of_a + of_b)
    assert program.measure("Dalpha(b | b < 2 || b, alpha=3)").value == pytest.approx(math.log2(3 / 2))


def test_it_is_of_irrational_chances_and_of_a_law_from_itself() -> None:
    program = seepage.parse("a ~ flip(exp(-1))\nb ~ flip(1/2)\n")
    chance = math.exp(-1)

    found = program.measure("Dalpha(a || b, alpha=2)")
    assert found.value == pytest.approx(math.log2(2 * (chance**2 + (1 - chance) ** 2)))
    assert program.measure("Dalpha(a || a, alpha=7)").value == 0
    assert program.measure("Dalpha(a || a, alpha=7)").certainty == "exact"


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("Dalpha(a || b)", "without an order"),
        ("Dalpha(a || b, alpha=0)", "expected a number above 0"),
        ("Dalpha(a, b || b, alpha=2)", "compares 2 with 1"),
        ("Dalpha(a || n, alpha=2)", "discrete laws with finitely many values"),
        ("Dalpha(a || g, alpha=2)", "discrete laws with finitely many values"),
    ],
)
def test_what_it_is_not_of_is_told(asked: str, said: str) -> None:
    program = seepage.parse("a ~ flip(1/3)\nb ~ flip(1/2)\nn ~ normal(0, 1)\ng ~ geometric(1/2)\n")

    with pytest.raises(seepage.MeasureError, match=said):
        program.measure(asked)
