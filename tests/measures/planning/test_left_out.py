"""What is left out of a question must have a meaning all the same: a program in which something has no value has no numbers."""

from __future__ import annotations

import pytest

import seepage

PROGRAM = """
secret s
output o, p
for i in 1..{n} {{ s[i] ~ flip(1/2); l ~ flip(1/4); o[i] := s[i] xor l }}
for i in 1..3 {{ w[i] ~ uniform_int(0, 2) }}
p := {p}
"""
MEASURES = ["I(s; o, p)", "V(s | o, p)", "Guess(s | o, p)", "Hmin(s | o, p)", "DP(s -> o, p)", "Lmin(s -> o, p)",
            "C(s -> o, p)", "H(s | o, p)", "H(s[1] | p)", "I(s[1]; o, p)"]  # fmt: skip


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("p", ["1/w[1]", "(w[1] + 1)/(w[2] - 1)", "log(w[3])"])
@pytest.mark.parametrize("n", [2, 30])
def test_what_has_no_value_in_a_part_that_tells_nothing_is_told(n: int, p: str, measure: str) -> None:
    with pytest.raises(seepage.MeasureError) as told:
        seepage.parse(PROGRAM.format(n=n, p=p)).measure(measure)

    assert told.value.diagnostic.rule.name == "undefined-value"


@pytest.mark.parametrize("measure", MEASURES)
def test_what_has_a_value_there_is_left_out(measure: str) -> None:
    found, alone = (seepage.parse(PROGRAM.format(n=30, p=p)).measure(measure) for p in ("w[1] + w[2]*w[3]", "0"))

    assert found.lower <= alone.upper
    assert alone.lower <= found.upper


def test_what_a_sum_is_made_of_must_have_values_too() -> None:
    text = "secret s\noutput c\nc := 0\nfor i in 1..30 { s[i] ~ flip(1/2); l ~ flip(1/4); c := c + (s[i] xor l) }\nw ~ flip(1/2)\nc := c + 1/w\n"
    for measure in ("V(s | c)", "H(s | c)", "Guess(s | c)", "DP(s -> c, distance=1)"):
        with pytest.raises(seepage.MeasureError):
            seepage.parse(text).measure(measure)


def test_outputs_that_are_drawn_alike_and_constant_tell_nothing() -> None:
    text = "secret s\noutput a, b\nfor i in 1..20 { s[i] ~ flip(1/2); if s[i] { n ~ flip(1/3) } }\na ~ flip(0)\nb ~ flip(0)\n"
    for measure in ("I(s; a, b)", "DP(s -> a, b)", "Cmin(s -> a, b)"):
        found = seepage.parse(text).measure(measure)
        assert (found.lower, found.upper) == (0, 0)
