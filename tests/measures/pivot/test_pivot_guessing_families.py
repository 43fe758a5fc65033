"""The chance to guess which of several laws of different families was drawn, with scales, priors and clamps at random, against places of change and distribution functions."""

from __future__ import annotations

import os
import random
from fractions import Fraction

import pytest
from mpmath import mpf
from tests.measures.pivot.continuous_families import Family, chance_to_guess, drawn_family

import seepage
from seepage.measures.result import Certainty

DEEP = os.environ.get("SEEPAGE_DEEP") == "1"
PAIRS, TRIPLES, CLAMPED = (1500, 400, 400) if DEEP else (48, 9, 21)
DIGITS = mpf(10) ** -18  # what the oracle's places of change are good for
LIMITS = (Fraction(-1, 2), Fraction(4, 3))


def program(weights: list[Fraction], families: list[Family], seen: str) -> str:
    law = ", ".join(f"{d}: {weight}" for d, weight in enumerate(weights))
    draws = "".join(family.placed(f"x{d}", f"z{d}") for d, family in enumerate(families))
    last = len(families) - 1
    branches = " else ".join(f"{f'if d == {d} ' if d < last else ''}{{\no := x{d}\n}}" for d in range(len(families)))
    return f"d ~ {{{law}}}\n{draws}{branches}\nc := {seen}\n"


def drawn(seed: int, count: int) -> tuple[list[Fraction], list[Family]]:
    source = random.Random(seed)
    shares = [Fraction(source.randint(1, 5)) for _ in range(count)]
    return [share / sum(shares) for share in shares], [drawn_family(source) for _ in range(count)]


def check(text: str, variable: str, true: mpf, width: float) -> None:
    result = seepage.parse(text).measure(f"V(d | {variable})")
    assert result.certainty is Certainty.CERTIFIED, text
    assert mpf(result.lower) - DIGITS <= true <= mpf(result.upper) + DIGITS, text
    assert result.upper - result.lower < width, text


@pytest.mark.family(every=3)
@pytest.mark.parametrize("block", range(6))
def test_which_of_two_laws_it_was(block: int) -> None:
    for seed in range(block, PAIRS, 6):
        weights, families = drawn(seed, 2)
        check(program(weights, families, "o"), "o", chance_to_guess(weights, families), 1e-9)


@pytest.mark.parametrize("block", range(3))
def test_which_of_three_laws_it_was(block: int) -> None:
    for seed in range(block, TRIPLES, 3):
        weights, families = drawn(1_000_000 + seed, 3)
        check(program(weights, families, "o"), "o", chance_to_guess(weights, families), 1e-9)


@pytest.mark.parametrize("block", range(3))
def test_which_of_two_laws_it_was_seen_in_limits(block: int) -> None:
    for seed in range(block, CLAMPED, 3):
        weights, families = drawn(2_000_000 + seed, 2)
        text = program(weights, families, f"min({LIMITS[1]}, max({LIMITS[0]}, o))")
        check(text, "c", chance_to_guess(weights, families, LIMITS), 1e-9)
