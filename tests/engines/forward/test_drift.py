"""Bounds of what long runs of a loop leave behind, against walks that are followed here for thousands of rounds."""

from __future__ import annotations

import random
from collections.abc import Mapping
from fractions import Fraction

import pytest
from tests.engines.forward.loop_programs import looped

from seepage.engines.forward.drift import Drift, drift_of
from seepage.semantics.core import CoreWhile

Moves = Mapping[int, Fraction]


def drift(before: str, condition: str, body: str, names: tuple[str, ...]) -> Drift | None:
    """Return how the loop of a program drifts."""
    core = looped(before, condition, body)
    loop = next(each for each in core.statements if isinstance(each, CoreWhile))
    return drift_of(loop, names, core, {})


def ends_of_walk(start: int, moves: Moves) -> list[tuple[float, int]]:
    """Return the chances of the ends of a walk down to 0, with the largest of the absolute values of its place and of twice its rounds."""
    inside, ended = {start: 1.0}, list[tuple[float, int]]()
    for rounds in range(1, 1_500):
        after: dict[int, float] = {}
        for place, weight in inside.items():
            for move, chance in moves.items():
                if place + move <= 0:
                    ended.append((weight * float(chance), max(abs(place + move), 2 * rounds)))
                else:
                    after[place + move] = after.get(place + move, 0.0) + weight * float(chance)
        inside = {place: weight for place, weight in after.items() if weight > 1e-20}
    return ended


def of_worst_part(ends: list[tuple[float, int]], part: float, order: int) -> float:
    """Return the moment over the part of the runs that ends furthest away."""
    total = 0.0
    for chance, size in sorted(ends, key=lambda each: -each[1]):
        taken = min(chance, part)
        total, part = total + taken * size**order, part - taken
    return total


@pytest.mark.parametrize("seed", range(4))
def test_no_part_of_a_random_walk_is_further_away_than_its_bounds(seed: int) -> None:
    chance = random.Random(seed)
    sizes = chance.sample([-3, -2, -1, 1, 2], 3)
    weights = [chance.randint(1, 3) * (8 if size < 0 else 1) for size in sizes]
    moves = {size: Fraction(weight, sum(weights)) for size, weight in zip(sizes, weights, strict=True)}
    table = ", ".join(f"{size}: {share}" for size, share in moves.items())
    start = chance.randint(1, 6)
    found = drift(f"x := {start}\nn := 0\nd := 0", "x > 0", f"n := n + 2\nd ~ {{{table}}}\nx := x + d", ("n", "x"))
    assert found is not None
    ends = ends_of_walk(start, moves)
    for part in (Fraction(1), Fraction(1, 100), Fraction(1, 10**6)):
        bounds = found.moments({"x": start, "n": 0}, part)
        for order, bound in enumerate(bounds, 1):
            right = of_worst_part(ends, float(part), order)
            assert right <= bound <= 200**order * right


WALK = "up ~ flip(1/4)\nx := if up then x + 1 else x - 1\nn := n + 1"
READ = {
    "both ends": ("x := 2\nn := 0\nup := 0", "x > 0 and x < 50", WALK),
    "a difference": ("x := 2\ny := 0\nn := 0\nup := 0", "x > y", "up ~ flip(1/4)\nif up { x := x + 1 } else { y := y + 1 }\nn := n + 1"),
    "downwards": ("x := -2\nn := 0\nup := 0", "x <= 0", "up ~ flip(3/4)\nx := if up then x + 1 else x - 1\nn := n + 1"),
    "not": ("x := 2\nn := 0\nup := 0", "not (x <= 0)", WALK),
    "a flag": ("x := 2\nn := 0\nup := 0", "not up", "up ~ flip(1/100)\nx := x + 7\nn := n - 1"),
    "the worse branch falls": ("x := 2\nn := 0\nup := 0", "x > 0", WALK + "\nif n > 5 { x := x - 1 }"),
    "another part of the condition": ("x := 2\nn := 0\nup := 0", "n >= 0 and x > 0", WALK + "\nn := min(max(x, 0), 5)"),
    "what is small anyway": ("x := 2\nn := 0\nup := 0", "x > 0", WALK + "\nn := min(max(x, 0), 5)"),
}  # fmt: skip


@pytest.mark.parametrize("read", READ)
def test_loops_that_lead_to_their_ends_are_read(read: str) -> None:
    before, condition, body = READ[read]
    assert drift(before, condition, body, ("n", "x", "y") if "y :=" in before else ("n", "x")) is not None


NOT_PROVED = {
    "fair": ("x > 0", WALK.replace("1/4", "1/2")),
    "upwards": ("x > 0", WALK.replace("1/4", "2/3")),
    "no end below": ("x != 0", WALK),
    "the worse branch rises": ("x > 0", WALK + "\nif n > 5 { x := x + 2 }"),
    "the move grows": ("x > 0", "up ~ flip(1/4)\nx := if up then 2 * x else x - 1\nn := n + 1"),
    "the chance falls": ("x > 0", "up ~ flip(1/(n + 2))\nx := if up then x - 1 else x + 1\nn := n + 1"),
    "what is left doubles": ("x > 0", WALK + "\nn := 2 * n"),
    "what is left is squared": ("x > 0", WALK + "\nn := n * n"),
    "many paths": ("x > 0", "up ~ {0: 3/4, 1: 1/4}\nx := if up then x + 1 else x - 1\n" * 16 + "n := n + 1"),
    "doubling many times": ("x > 0", WALK + "\nn := n + n" * 200),
}


@pytest.mark.parametrize("case", NOT_PROVED)
def test_no_bound_is_told_where_none_is_proved(case: str) -> None:
    condition, body = NOT_PROVED[case]
    assert drift("x := 2\nn := 0\nup := 0", condition, body, ("n", "x")) is None
