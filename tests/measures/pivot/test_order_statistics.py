"""The greatest or least of several Laplace values, against quadrature of densities that are written here."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise

import pytest

import seepage

MAXIMUM = """
const n = 3
secret q
output m
for i in 1..n { q[i] ~ uniform_int(0, 1); v[i] ~ laplace(q[i], 2) }
m := max(v[1], v[2], v[3])
"""
UNLIKE = """
secret s
output m
s ~ bernoulli(2/5)
u ~ laplace(s, 1)
v ~ laplace(-2*s, 3)
m := if u < 2*v + 1 then 2*v else u
"""
NEAR = """
secret s
output m
s ~ flip(1/2)
u ~ laplace(s, 1)
v ~ laplace(2*s, 2)
m := if u < v + 1 and u > v - 1 then u else 100
"""
B = 2.0
_STEPS = 40
INPUTS = [(0, 0, 0), (0, 0, 1), (0, 1, 1), (1, 1, 1)]


def below(z: float, scale: float = B) -> float:
    half = math.exp(-abs(z) / scale) / 2
    return half if z < 0 else 1 - half


def laplace(z: float, scale: float = B) -> float:
    return math.exp(-abs(z) / scale) / (2 * scale)


def greatest(q: Sequence[int], z: float) -> float:
    """The density of the greatest value."""
    others = [[below(z - each) for at, each in enumerate(q) if at != own] for own in range(len(q))]
    return math.fsum(laplace(z - own) * math.prod(rest) for own, rest in zip(q, others, strict=True))


def mass(*functions: Callable[[float], float]) -> float:
    """Integrate the greatest of functions by Simpson's rule, between whole numbers and the places where another one becomes the greatest."""

    def leader(z: float) -> int:
        return max(range(len(functions)), key=lambda at: functions[at](z))

    cuts = [float(each) for each in (*range(-80, -8, 8), *range(-8, 12), *range(12, 100, 8))]
    for at in range(-8 * 8, 8 * 8):
        low, high = at / 8 + 1e-12, (at + 1) / 8 - 1e-12
        first = leader(low)
        if first != leader(high):
            for _ in range(60):
                middle = (low + high) / 2
                low, high = (middle, high) if leader(middle) == first else (low, middle)
            cuts.append(low)
    total = 0.0
    for low, high in pairwise(sorted(cuts)):
        of, width = functions[leader((low + high) / 2)], (high - low) / _STEPS
        inner = math.fsum(of(low + at * width) * (4 if at % 2 else 2) for at in range(1, _STEPS))
        total += (of(low) + inner + of(high)) * width / 3
    return total


def test_losses_and_chances_of_the_greatest_of_three() -> None:
    program = seepage.parse(MAXIMUM)

    loss, one = program.measure("DP(q -> m)"), program.measure("DP(q -> m, distance=1)")
    chance = program.measure("V(q | m)")

    assert loss.certainty == one.certainty == chance.certainty == "certified"
    assert loss.value == pytest.approx(3 / B, abs=1e-12)
    assert one.value == pytest.approx(1 / B, abs=1e-12)
    told = mass(*(partial(greatest, q) for q in INPUTS)) / 8
    assert chance.value == pytest.approx(told, abs=2e-7)


@pytest.mark.variation(of="test_losses_and_chances_of_the_greatest_of_three")
def test_the_least_of_three_tells_as_much() -> None:
    """It is the greatest of the mirrored values."""
    program = seepage.parse(MAXIMUM.replace("max(", "min("))

    assert program.measure("V(q | m)").value == pytest.approx(0.1531810908867823, abs=1e-12)
    assert program.measure("DP(q -> m, distance=1)").value == pytest.approx(1 / B, abs=1e-12)


@pytest.mark.variation(of="test_losses_and_chances_of_the_greatest_of_three")
def test_the_excess_of_the_greatest_of_three() -> None:
    found = seepage.parse(MAXIMUM).measure("Delta(q -> m, eps=1/2)")

    def gap(one: Sequence[int], other: Sequence[int], z: float) -> float:
        return greatest(one, z) - math.exp(1 / 2) * greatest(other, z)

    excesses = [
        mass(partial(gap, INPUTS[one], INPUTS[other]), lambda _: 0.0) for one, other in ((0, 3), (3, 0), (0, 2))
    ]
    assert found.certainty == "certified"
    assert found.value == pytest.approx(max(excesses), abs=2e-7)


def test_comparisons_of_multiples_with_unlike_noise() -> None:
    def density(s: int, z: float) -> float:
        doubled = laplace(z / 2 + 2 * s, 3) / 2 * below(z + 1 - s, 1)
        return doubled + laplace(z - s, 1) * below((z - 1) / 2 + 2 * s, 3)

    found = seepage.parse(UNLIKE).measure("V(s | m)")

    told = mass(lambda z: 3 * density(0, z) / 5, lambda z: 2 * density(1, z) / 5)
    assert found.certainty == "certified"
    assert found.value == pytest.approx(told, abs=2e-7)


def test_a_value_that_is_told_where_another_one_is_near() -> None:
    """Windows with two ends, and an atom beside the density."""

    def density(s: int, z: float) -> float:
        return laplace(z - s, 1) * (below(z + 1 - 2 * s, 2) - below(z - 1 - 2 * s, 2))

    found = seepage.parse(NEAR).measure("V(s | m)")

    laws = [partial(density, s) for s in (0, 1)]
    told = mass(*laws) / 2 + max(1 - mass(law) for law in laws) / 2
    assert found.certainty == "certified"
    assert found.value == pytest.approx(told, abs=2e-7)
