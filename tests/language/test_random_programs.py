"""Random programs with loops, jumps, procedures, arrays, records and symbols have the law of nested enumeration."""

from __future__ import annotations

import os
import random
from fractions import Fraction

import pytest
from tests.language.random_language import Impossible, TooLarge
from tests.language.random_making import random_program

import seepage

SEEDS = range(16_000 if os.environ.get("SEEPAGE_DEEP") == "1" else 60)  # two thirds of them have runs that end


@pytest.mark.family(every=2)
@pytest.mark.parametrize("seed", SEEDS)
def test_random_programs_have_the_law_of_nested_enumeration(seed: int) -> None:
    model = random_program(random.Random(seed))
    try:
        law = model.law()
    except TooLarge:
        return
    except Impossible:
        law = {}
    program = seepage.parse(model.text)
    errors = [one.message for one in program.diagnostics if one.is_error]
    if any("too large to stand in an expression" in each for each in errors):  # one in some 300 calls others so deeply
        return
    assert not errors, model.text
    if not law:
        with pytest.raises(seepage.MeasureError):
            program.measure("P(x == 0)")
        return

    mean = sum((weight * (9 * x + 3 * y + z) for (x, y, z), weight in law.items()), Fraction(0))
    assert program.measure("E(9*x + 3*y + z)").exact == mean, model.text
    (x, y, z), likeliest = max(law.items(), key=lambda entry: (entry[1], entry[0]))
    assert program.measure(f"P(x == {x} and y == {y} and z == {z})").exact == likeliest, model.text
    one = sum((weight for (value, _, _), weight in law.items() if value == 1), Fraction(0))
    assert program.measure("P(x == 1)").exact == one, model.text
