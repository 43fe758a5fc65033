"""The leakage table and posteriors of secrets in independent parts: no joint of everything is needed for them."""

from __future__ import annotations

from fractions import Fraction
from math import isclose, log2

import pytest

import seepage
from seepage.exploration import Explored

COARSENED = """
secret age, zip
output age_group, zip_prefix
age ~ uniform_int(18, 80)
zip ~ uniform_int(10000, 99999)
age_group := floor(age / 10)
zip_prefix := floor(zip / 100)
"""
PUBLISHED = """
const n = 40
secret q
output o
for i in 1..n { q[i] ~ flip(1/2); lie ~ flip(1/4); o[i] := q[i] xor lie }
"""
ASKED_AGAIN = """
const k = 30
secret x
output o
x ~ flip(1/2)
for i in 1..k { lie ~ flip(1/4); o[i] := x xor lie }
"""
TOLD = 1 - (-1 / 4 * log2(1 / 4) - 3 / 4 * log2(3 / 4))  # bits of one answer


def test_the_row_of_a_secret_leaves_out_what_says_nothing_of_it() -> None:
    age = seepage.parse(COARSENED).analyze().table[0]

    assert age.note == ""
    assert age.worst is not None
    assert age.worst.output == "age_group = 8"  # 80 alone
    assert isclose(age.worst.divergence.upper, log2(63))
    assert age.guess_after is not None
    assert age.guess_after.exact == Fraction(8, 63)


def test_the_worst_outputs_of_parts_are_the_tuple_of_the_parts_worst_ones() -> None:
    (row,) = seepage.parse(PUBLISHED).analyze().table

    assert row.note == ""
    assert row.worst is not None
    assert row.least_left is not None
    assert isclose(row.worst.divergence.upper, 40 * TOLD)  # each answer tells the same
    assert isclose(row.least_left.entropy.upper, 40 * (1 - TOLD))
    assert row.worst.output.startswith("o[1] = 0, o[2] = 0")
    assert row.worst.output.endswith("… (40 outputs)")
    assert row.guess_after is not None
    assert row.guess_after.exact == Fraction(3, 4) ** 40


def test_the_worst_output_of_a_repeated_release_is_a_count() -> None:
    (row,) = seepage.parse(ASKED_AGAIN).analyze().table

    assert row.worst is not None
    assert row.worst.output in ("number of 1 in o = 0", "number of 1 in o = 30")
    lying = Fraction(1, 3**30 + 1)  # all thirty answers are lies
    divergence = 1 + float(lying) * log2(lying) + float(1 - lying) * log2(1 - lying)
    assert isclose(row.worst.divergence.upper, divergence)


@pytest.mark.parametrize("output", ["age_group, zip_prefix", "age_group"])
def test_a_posterior_lists_the_outputs_that_tell_something(output: str) -> None:
    found = Explored(seepage.parse(COARSENED).checked).posterior("age", output, {}, 60)

    assert [seen.output.value for seen in found.outputs] == ["1", "2", "3", "4", "5", "6", "7", "8"]
    assert ("zip_prefix" in found.note) == ("zip_prefix" in output)
    assert found.outputs[-1].posterior[-1].probability.exact == 1
