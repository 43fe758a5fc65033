"""Losses of many inputs by what the outputs depend on, against chances of that written out by hand."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import Any

import mpmath
import pytest

from seepage import parse

COUNTED = """for k in 0..2 { c[k] := 0 }
for i in 1..5 {
    v[i] ~ uniform_int(0, 2)
    c[v[i]] := c[v[i]] + 1
}
"""
WINNER = (
    COUNTED
    + """for k in 0..2 { n[k] ~ laplace(0, 2); d[k] := c[k] + n[k] }
w := if d[0] >= d[1] and d[0] >= d[2] then 0 else if d[1] >= d[2] then 1 else 2
"""
)


@lru_cache
def greatest(count: int, others: tuple[int, int]) -> Any:
    """Return the chance that one count is greater than two others behind Laplace noise of scale 2."""

    def density(x: Any) -> Any:
        return math.exp(-abs(x) / 2) / 4

    def at_most(x: Any) -> Any:
        return math.exp(x / 2) / 2 if x < 0 else 1 - math.exp(-x / 2) / 2

    def integrand(x: Any) -> Any:
        return density(x - count) * at_most(x - others[0]) * at_most(x - others[1])

    return mpmath.fp.quad(integrand, [-90, *sorted({count, *others}), 90])


def chance(counts: tuple[int, ...], winner: int) -> Any:
    first, second = sorted(count for k, count in enumerate(counts) if k != winner)
    return greatest(counts[winner], (first, second))


def test_a_noisy_winner_of_many_votes_has_the_loss_of_its_counts() -> None:
    found = parse(WINNER).measure("DP(v -> w, distance=1)")

    tallies = [c for c in product(range(6), repeat=3) if sum(c) == 5]
    laws = {c: [chance(c, w) for w in range(3)] for c in tallies}
    near = [(a, b) for a in tallies for b in tallies if sum(abs(x - y) for x, y in zip(a, b, strict=True)) == 2]
    truth = max(mpmath.log(p / q) for a, b in near for p, q in zip(laws[a], laws[b], strict=True))
    assert found.lower - 1e-9 <= truth <= found.upper + 1e-9
    assert found.upper - found.lower < 1e-9


def test_the_worst_inputs_are_told_as_they_are_named() -> None:
    witness = parse(WINNER).measure("DP(v -> w, distance=1)").witness

    one, rest = witness.split(" against ")
    other = rest.split(", at ")[0]
    values = [[int(each) for each in side.removeprefix("v = (").removesuffix(")").split(", ")] for side in (one, other)]
    assert [len(side) for side in values] == [5, 5]
    assert sum(a != b for a, b in zip(*values, strict=True)) == 1


@pytest.mark.parametrize(
    ("output", "measure", "truth"),
    [
        # Two counts, each moved by 1 behind noise of scale 2, and a clamp that keeps the ends.
        ("n ~ discrete_laplace(2)\no := min(max(c[0] + n, 0), 5)", "DP(v -> o, distance=1)", Fraction(1, 2)),
        ("n ~ discrete_laplace(2)\no := min(max(c[0] + n, 0), 5)", "DP(v -> o, distance=2)", Fraction(1)),
        ("n ~ discrete_laplace(2)\no := min(max(c[0] + n, 0), 5)", "DP(v -> o)", Fraction(5, 2)),
        ("o ~ flip((c[0] + 1) / 7)", "Delta(v -> o, distance=1, eps=0)", Fraction(1, 7)),
        ("o ~ flip((c[0] + 1) / 7)", "Delta(v -> o, eps=0)", Fraction(5, 7)),
    ],
)
def test_neighbours_are_those_of_the_inputs(output: str, measure: str, truth: Fraction) -> None:
    found = parse(COUNTED + output).measure(measure)

    assert found.lower <= truth <= found.upper
    assert found.upper - found.lower < 1e-12


@pytest.mark.parametrize("seen", ["v[1]", "v[1] + 3 * c[0]", "if c[0] > 2 then v[2] else 0"])
def test_an_output_that_shows_an_input_is_not_asked_by_counts(seen: str) -> None:
    text = f"{COUNTED}o := {seen}\n"

    assert parse(text).measure("DP(v -> o, distance=1)").upper == math.inf


def test_the_longest_run_of_many_bits_stands_for_them() -> None:
    # One bit between two runs of five and six makes one of twelve: no sum of the bits tells that, and the bits have too many pairs of neighbours.
    bits = "for i in 1..12 { v[i] ~ uniform_int(0, 1) }\nr := 0\nm := 0\n"
    runs = "for i in 1..12 { r := if v[i] then r + 1 else 0\nm := max(m, r) }\n"
    program = parse(f"secret v\noutput o\n{bits}{runs}n ~ laplace(0, 1)\no := m + n\n")

    found = program.measure("Delta(v -> o, eps=1/4, distance=1)")

    assert math.isclose(found.number, 1 - math.exp((1 / 4 - 6) / 2), rel_tol=1e-12)
