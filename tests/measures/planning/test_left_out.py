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


BESIDE = """
secret m
output c, q
m ~ flip(1/2)
b ~ flip(1/3)
n ~ {law}
c := m xor b
{q}
"""
ALL_OF_BOTH = ["I(m; c, q)", "I(m; q)", "V(m | c, q)", "Lmin(m -> c, q)", "DP(m -> c, q)", "H(m | c, q)"]


@pytest.mark.parametrize("measure", ALL_OF_BOTH)
@pytest.mark.parametrize(
    ("law", "q"),
    [
        ("normal(0, 1)", "q := log(n)"),  # half of all runs have no value
        ("normal(0, 1)", "q := log(n) + b"),
        ("uniform(-1, 1)", "q := sqrt(n)"),
        ("normal(0, 1)", "q := n^(1/2)"),
        ("exponential(1)", "q := 1/max(1, n - 1) + log(max(0, n - 2))"),
        ("exponential(1)", "x := max(0, n - 1)\nq := 1/x"),
    ],
)
def test_what_has_no_value_for_some_continuous_values_is_told(law: str, q: str, measure: str) -> None:
    with pytest.raises(seepage.MeasureError):
        seepage.parse(BESIDE.format(law=law, q=q)).measure(measure)


@pytest.mark.parametrize("measure", ALL_OF_BOTH[:5])
@pytest.mark.parametrize(
    ("law", "q"),
    [
        ("exponential(1)", "q := log(2*n)"),
        ("uniform(1, 2)", "q := sqrt(n - 1) + 1/n"),
        ("normal(0, 1)", "q := 1/n"),  # 0 has no chance
        ("normal(0, 1)", "q := n^2"),
        ("normal(0, 1)", "q := if n > 0 then log(n) else 0"),
        ("normal(0, 1)", "if n > 0 { q := sqrt(n) } else { q := -1 }"),
        ("gamma(2, 1)", "q := n^(-1/2)"),
    ],
)
def test_functions_of_continuous_values_that_have_values_are_left_out(law: str, q: str, measure: str) -> None:
    found, alone = (seepage.parse(BESIDE.format(law=law, q=each)).measure(measure) for each in (q, "q := 0"))

    assert found.value == pytest.approx(alone.value, abs=1e-9)
