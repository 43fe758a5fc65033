"""Parameters that enter probabilities through names given to them: the same program, followed for all values at once."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.engines.random_programs import core_of, paths
from tests.measures.formulas.formula_reading import read_text
from tests.measures.ranges.range_answers import answer

import seepage
from seepage.diagnostics import Fault
from seepage.measures.formulas.inlining import inlined
from seepage.semantics.core import CoreProgram

VARIABLES = ("x", "y", "z", "w")
variables = st.sampled_from(VARIABLES)
small = st.integers(0, 3)
conditions = st.one_of(
    st.builds("{} == {}".format, variables, small),
    st.builds("{} < {} or {} > t".format, variables, small, variables),
)
values = st.one_of(
    st.builds("{} + t".format, variables),
    st.builds("{} * t".format, variables),
    st.builds("1 / (3 + {} * t)".format, variables),
    st.builds("1 / ({} - {})".format, variables, small),
    st.builds("(if {} then {} else t)".format, conditions, variables),
    st.builds("{} + {}".format, variables, variables),
    st.builds("{}".format, small),
)
simple = st.one_of(
    st.builds("{} := {}".format, variables, values),
    st.builds("{} := {}".format, variables, values),
    st.builds("{} ~ bernoulli(max(0, min(1, {} / 5)))".format, variables, variables),
    st.builds("{0} ~ bernoulli(1 / (1 + {1} * {1}))".format, variables, variables),
    st.builds("observe({})".format, conditions),
)
blocks = st.lists(simple, min_size=1, max_size=3).map("\n".join)
branches = st.builds("if {} {{ {} }} else {{ {} }}".format, conditions, blocks, st.one_of(blocks, st.just("skip")))
bodies = st.lists(st.one_of(simple, branches), min_size=1, max_size=6).map("\n".join)
START = "param t\nx ~ bernoulli(1/3)\ny ~ uniform_int(0, 2)\nz := t\nw := t / 4\n"


def law_of(core: CoreProgram, t: Fraction) -> dict[tuple[object, ...], Fraction] | None:
    """Return what every path has at its end, None for a program with a fault."""
    found: dict[tuple[object, ...], Fraction] = {}
    try:
        for state, weight in paths(core.statements, {"t": t, **dict.fromkeys(VARIABLES, Fraction(0))}):
            end = tuple(state[name] for name in VARIABLES)
            found[end] = found.get(end, Fraction(0)) + weight
    except Fault:
        return None
    return found


@given(bodies, st.sampled_from([Fraction(1), Fraction(2), Fraction(1, 3), Fraction(0), Fraction(-1)]))
def test_a_program_means_the_same(body: str, t: Fraction) -> None:
    core = core_of(START + body)

    assert law_of(inlined(core), t) == law_of(core, t)


@pytest.mark.parametrize(
    ("body", "left"),
    [
        ("w := exp(t * x)\no ~ flip(w / (w + 1))", "w"),
        ("a := exp(t)\nb := a + 1\no ~ flip(if x then a / b else 1/2)", "a"),
        ("w := 1 / t\no ~ flip(if x then w else 1/2)", ""),  # where t = 0 no run gets to the draw
        ("w := 1 / t\nobserve(x == 1)\no ~ flip(w)", ""),  # nor to the observation
        ("if x { w := 1 / (1 + exp(t)) } else { w := exp(t) / (1 + exp(t)) }\no ~ flip(w)", "w"),
        ("w := exp(t * x)\nx := 0\no ~ flip(w / (w + 1))", ""),  # x is another one now
    ],
)
def test_names_are_replaced_where_nothing_is_lost(body: str, left: str) -> None:
    found = seepage.parse(f"param t in [1, 2] = 1\nx ~ flip(1/3)\n{body}\n").measure("E(o)").notes

    assert any("t = 1" in note for note in found) is not bool(left)


def chances(eps: Any, options: int) -> list[list[Any]]:
    """Return the exponential mechanism on a line."""
    rows = [[mpmath.exp(-eps * abs(s - o) / 2) for o in range(options)] for s in range(options)]
    return [[each / mpmath.fsum(row) for each in row] for row in rows]


LINE = """param eps in (0, 5] = 1
s ~ uniform_int(0, 3)
for k in 0..3 { w[k] := exp(-eps * abs(s - k) / 2) }
t := w[0] + w[1] + w[2] + w[3]
o ~ {0: w[0]/t, 1: w[1]/t, 2: w[2]/t, 3: w[3]/t}
"""


@pytest.mark.parametrize("eps", ["1/10", "1", "4"])
def test_the_exponential_mechanism_has_formulas(eps: str) -> None:
    at = mpmath.mpf(Fraction(eps).numerator) / Fraction(eps).denominator
    rows = chances(at, 4)
    program = seepage.parse(LINE)

    guessed, mean = program.measure("V(s | o)"), program.measure("E(o | s == 1)")

    assert guessed.formula is not None
    assert mean.formula is not None
    best = mpmath.fsum(max(column) for column in zip(*rows, strict=True)) / 4
    middle = mpmath.fsum(o * each for o, each in enumerate(rows[1]))
    assert abs(read_text(guessed.formula, {"eps": Fraction(eps)}) - best) < 1e-12
    assert abs(read_text(mean.formula, {"eps": Fraction(eps)}) - middle) < 1e-12


def test_the_exponential_mechanism_is_private_over_a_range() -> None:
    losses = [
        max(mpmath.log(a / b) for one in (0, 2) for a, b in zip(rows[one], rows[1], strict=True))
        for rows in (chances(mpmath.mpf(eps), 4) for eps in (1, 5))
    ]

    assert answer(LINE, "DP(s -> o, distance=1) <= eps over eps in (0, 5]") == ("holds", "")
    assert answer(LINE, "DP(s -> o) <= 3 * eps over eps in (0, 5]") == ("holds", "")
    assert answer(LINE, f"DP(s -> o, distance=1) <= {float(losses[1]) + 1e-6} over eps in (0, 5]")[0] == "holds"
    assert answer(LINE, f"DP(s -> o, distance=1) <= {float(losses[0]) - 1e-6} over eps in (0, 1]")[0] == "violated"
