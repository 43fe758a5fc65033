"""Privacy of channels in which many inputs have the same row, against all pairs of inputs, one by one."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import chain, combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.measures.random_channels import Matrix, program

import seepage

ROWS = [[Fraction(1, 2), Fraction(1, 2), Fraction(0)], [Fraction(1, 4), Fraction(1, 4), Fraction(1, 2)]]
ROWS += [[Fraction(1, 8), Fraction(3, 8), Fraction(1, 2)]]
PARITY = "x ~ uniform_int(1, 100000)\nb ~ bernoulli(1/4)\nif b { y := x % 2 } else { y := 0 }"


def excess(row: Sequence[Fraction], other: Sequence[Fraction], factor: Fraction) -> Fraction:
    """Return the greatest W(S|x) − factor·W(S|x′) over all sets S of outputs, by looking at each."""
    sets = chain.from_iterable(combinations(range(len(row)), size) for size in range(len(row) + 1))
    return max(sum((row[y] - factor * other[y] for y in chosen), Fraction(0)) for chosen in sets)


def worst(rows: Matrix, distance: int, factor: Fraction) -> Fraction:
    """Return the greatest excess over all ordered pairs at most ``distance`` apart."""
    inputs = range(len(rows))
    return max(excess(rows[i], rows[j], factor) for i in inputs for j in inputs if abs(i - j) <= distance)


@given(st.lists(st.integers(0, 2), min_size=2, max_size=9), st.integers(1, 9), st.sampled_from([Fraction(1), 2, 3]))
@settings(max_examples=25)
def test_delta_is_that_of_all_pairs_however_often_rows_repeat(
    kinds: list[int], distance: int, factor: Fraction
) -> None:
    rows = [ROWS[kind] for kind in kinds]
    channel = program(rows)

    near = channel.measure(f"Delta(x -> y, eps=log({factor}), distance={distance})")

    assert near.exact == worst(rows, distance, Fraction(factor))
    assert channel.measure(f"Delta(x -> y, eps=log({factor}))").exact == worst(rows, len(rows), Fraction(factor))


@given(st.lists(st.integers(0, 1), min_size=4, max_size=4), st.integers(1, 2))
@settings(max_examples=10)
def test_tuples_that_differ_in_few_places_are_compared_by_their_rows(kinds: list[int], distance: int) -> None:
    """Two bits choose the row: pairs at Hamming distance 1 or 2."""
    rows = [ROWS[kind] for kind in kinds]
    branches = [
        f"if a == {n // 2} and b == {n % 2} {{ y ~ categorical({', '.join(map(str, rows[n]))}) }}" for n in range(4)
    ]
    text = "a ~ flip(1/2)\nb ~ flip(1/2)\ny := 0\n" + "\n".join(branches)
    pairs = [(i, j) for i in range(4) for j in range(4) if (i ^ j).bit_count() <= distance]
    expected = max(excess(rows[i], rows[j], Fraction(1)) for i, j in pairs)

    assert seepage.parse(text).measure(f"Delta(a, b -> y, eps=0, distance={distance})").exact == expected


@pytest.mark.parametrize("distance", ["", ", distance=50000"])
def test_a_hundred_thousand_inputs_with_two_rows_are_compared(distance: str) -> None:
    """Even inputs always give 0, odd ones give 1 a quarter of the time: δ = 1/4 at ε = 0."""
    found = seepage.parse(PARITY).measure(f"Delta(x -> y, eps=0{distance})")

    assert found.exact == Fraction(1, 4)


def test_equal_rows_of_which_a_part_is_cut_are_still_compared() -> None:
    """What the cut left out may differ: the excess of equal rows is not known to be 0, but is nearly."""
    found = seepage.parse("x ~ uniform_int(1, 4)\nn ~ poisson(3)\ny := n + 0 * x").measure("Delta(x -> y, eps=0)")

    assert found.lower == 0
    assert found.upper < 1e-6


@pytest.mark.parametrize("measure", ["DP(x -> y)", "DP(x -> y, delta=1/10)", "Delta(x -> y, eps=0)"])
def test_a_loss_of_nothing_names_two_different_values(measure: str) -> None:
    found = program([ROWS[1], ROWS[1], ROWS[1]]).measure(measure)

    assert found.value == 0
    one, other = found.witness.split(", at")[0].split(" against ")
    assert one != other
