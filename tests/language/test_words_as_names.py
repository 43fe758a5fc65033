"""Words that are keywords only where they stand, as names beside themselves, and sets of nothing: every probability counted by hand."""

from __future__ import annotations

from fractions import Fraction

import pytest

import seepage

PROGRAMS = {
    # Of 0 … 3 only 4 · 1/4 is left.
    "const given = 1/4\nx ~ uniform_int(0, 3) given given * 4 == x\nshow P(x == 1)": 1,
    "const given = 1/4\nx ~ 3/4 * flip(0) + given * flip(1)\nshow P(x == 1)": Fraction(1, 4),
    # Left are 0 and 2.
    "x ~ uniform_int(0, 3) given if x > 1 then x == 2 else x == 0\nshow P(x == 2)": Fraction(1, 2),
    'import := "red"\nshow P(import == "red")': 1,
    'import[1] := "red"\nshow P(import[1] == "red")': 1,
    "x ~ flip(1/2)\nshow P(x in {})": 0,
    "x ~ flip(1/2)\ny := not x in {}\nshow P(y)": 1,
}


@pytest.mark.parametrize("text", PROGRAMS)
def test_the_probability_is_the_one_that_is_counted(text: str) -> None:
    (shown,) = seepage.parse(text).analyze().answers

    assert shown.result is not None
    assert shown.result.exact == PROGRAMS[text]
