"""Budgets over ranges of parameters that are compared with each other, against the programs written out by hand on grids."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.measures.ranges.range_answers import answer

HEAD = """param a in [0, 1] = 1/4
param b in [0, 1] = 1/3
t ~ bernoulli(a)
u ~ bernoulli(b)
"""


def test_the_lesser_of_a_parameter_and_its_complement_is_cut_where_they_meet() -> None:
    text = HEAD + "w ~ bernoulli(min(a, 1 - a))\no := w\n"

    assert answer(text, "P(o == 1) <= 1/2 over a in [0, 1]") == ("holds", "")
    assert answer(text, "P(o == 1) <= 0.49 over a in [0, 1]")[0] == "violated"


Chance = Callable[[Fraction, Fraction], Fraction]
ZERO, ONE = Fraction(0), Fraction(1)
PROGRAMS: dict[str, Chance] = {
    "o := if a < b then t else u": lambda a, b: a if a < b else b,
    "o := if a >= b then t else 0": lambda a, b: a if a >= b else ZERO,
    "o := if a + b > 1 then t else u": lambda a, b: a if a + b > 1 else b,
    "if a == b { o := 1 } else { o := t }": lambda a, b: ONE if a == b else a,
    "if a*b < 1/4 { o := t and u } else { o := t or u }": lambda a, b: a * b if a * b < Fraction(1, 4) else a + b - a * b,
    "w ~ bernoulli(max(a, b)); o := w": max,
    "w ~ bernoulli(min(a, 1 - b)); o := w": lambda a, b: min(a, 1 - b),
    "if a < b { if b < 1/2 { o := t } else { o := u } } else { o := 0 }": lambda a, b: (a if 2 * b < 1 else b) if a < b else ZERO,
}  # fmt: skip
ENDS = st.tuples(st.integers(0, 8), st.integers(0, 8)).map(lambda ends: tuple(sorted(Fraction(n, 8) for n in ends)))


@settings(max_examples=25, deadline=None)
@given(st.sampled_from(sorted(PROGRAMS)), ENDS, ENDS, st.sampled_from(["<=", ">="]), st.integers(0, 20))
def test_exact_values_on_a_grid_never_contradict_the_outcome(
    program: str, first: tuple[Fraction, Fraction], second: tuple[Fraction, Fraction], comparison: str, level: int
) -> None:
    bound = Fraction(level, 20)
    ranges = f"a in [{first[0]}, {first[1]}], b in [{second[0]}, {second[1]}]"
    verdict, message = answer(f"{HEAD}{program}\n", f"P(o == 1) {comparison} {bound} over {ranges}", seconds=4)

    def meets(a: Fraction, b: Fraction) -> bool:
        chance = PROGRAMS[program](a, b)
        return chance <= bound if comparison == "<=" else chance >= bound

    if verdict == "holds":
        steps = [Fraction(k, 16) for k in range(17)]
        points = [
            (first[0] + (first[1] - first[0]) * x, second[0] + (second[1] - second[0]) * y)
            for x in steps
            for y in steps
        ]
        assert all(meets(a, b) for a, b in points)
        diagonal = [Fraction(k, 64) for k in range(65)]
        assert all(meets(c, c) for c in diagonal if first[0] <= c <= first[1] and second[0] <= c <= second[1])
    elif verdict == "violated":
        a, b = (Fraction(part.rpartition("= ")[2]) for part in message.rpartition(" at ")[2].split(", "))
        assert first[0] <= a <= first[1]
        assert second[0] <= b <= second[1]
        assert not meets(a, b)
