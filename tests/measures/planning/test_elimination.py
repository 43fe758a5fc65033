"""Long tuples by elimination: against their joint law where that is small, and against closed forms where it is not."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.engines.factors import random_graphs
from tests.families import FULL
from tests.measures.planning.test_statistic import question

import seepage
from seepage.diagnostics import Fault
from seepage.measures.one_law import by_one_law
from seepage.measures.planning.elimination import applies, by_elimination
from seepage.measures.planning.refusal import Refusal

CHAIN = """x[0] ~ bernoulli(1/3)
for i in 1..{last} {{ if x[i-1] == 1 {{ x[i] ~ bernoulli(1/4) }} else {{ x[i] ~ bernoulli(3/4) }} }}
"""
MANY = max(60 if FULL else 30, settings().max_examples)

sides = random_graphs.asked
measures = st.one_of(
    st.builds("H({} | {})".format, sides.map(", ".join), sides.map(", ".join)),
    st.builds("H({} | x + y > 1)".format, sides.map(", ".join)),
    st.builds("I({}; {})".format, sides.map(", ".join), sides.map(", ".join)),
    st.builds("I({}; {} | k)".format, sides.map(", ".join), sides.map(", ".join)),
    st.builds("V({} | {})".format, sides.map(", ".join), sides.map(", ".join)),
    st.builds("Hmin({})".format, sides.map(", ".join)),
    st.builds("Lmin({} -> {})".format, sides.map(", ".join), sides.map(", ".join)),
)


def entropy(*chances: Fraction) -> float:
    return -sum(float(each) * math.log2(each) for each in chances if each)


def margin(number: float) -> float:
    return 1e-12 * max(1.0, abs(number))


@settings(max_examples=4 * MANY)
@given(random_graphs.programs, measures)
def test_measures_of_small_laws_are_those_of_the_law(text: str, measure: str) -> None:
    asked = question(text, measure)
    try:
        truth = by_one_law(asked.evaluation, asked.call).enclosure
    except Fault:
        return

    found = by_elimination(asked)

    if isinstance(found, Refusal):
        assert measure.startswith("I(")
        assert truth.exact == 0 or "near 0" in found.why
        return
    known = found.enclosure
    assert float(known.lower) <= float(truth.upper) + margin(float(truth.upper))
    assert float(truth.lower) <= float(known.upper) + margin(float(truth.lower))
    assert known.exact is None or truth.exact is None or known.exact == truth.exact


def test_a_long_chain() -> None:
    n = 60
    program = seepage.parse(CHAIN.format(last=n - 1))
    chance, expected, paths = (
        Fraction(1, 3),
        entropy(Fraction(1, 3), Fraction(2, 3)),
        {1: Fraction(1, 3), 0: Fraction(2, 3)},
    )
    for _ in range(n - 1):
        expected += entropy(Fraction(1, 4), Fraction(3, 4))
        chance = chance / 4 + (1 - chance) * Fraction(3, 4)
        paths = {
            1: max(paths[1] / 4, paths[0] * Fraction(3, 4)),
            0: max(paths[1] * Fraction(3, 4), paths[0] / 4),
        }

    assert program.measure("H(x)").value == pytest.approx(expected, rel=1e-12)
    assert program.measure("V(x)").exact == max(paths.values())
    assert program.measure("I(x; x[30])").value == pytest.approx(program.measure("H(x[30])").value, rel=1e-12)


def test_a_long_chain_whose_draws_all_stand_first_is_exact() -> None:
    steps = 900
    text = f"""x[0] ~ bernoulli(1/3)
for i in 1..{steps} {{ a[i] ~ bernoulli(1/4); b[i] ~ bernoulli(3/4) }}
for i in 1..{steps} {{ if x[i-1] {{ x[i] := a[i] }} else {{ x[i] := b[i] }} }}"""

    found = seepage.parse(text).measure("H(x)")

    truth = entropy(Fraction(1, 3), Fraction(2, 3)) + steps * entropy(Fraction(1, 4), Fraction(3, 4))
    assert found.certainty.value == "exact"
    assert found.value is not None
    assert abs(found.value - truth) < margin(truth)


def test_only_large_laws_of_many_draws_are_left_to_elimination() -> None:
    assert not applies(question(CHAIN.format(last=5), "H(x)"))
    assert applies(question(CHAIN.format(last=60), "H(x)"))
    assert not applies(question(CHAIN.format(last=60), "Guess(x)"))
    assert not applies(question(CHAIN.format(last=60), "H(x[3])"))
    assert not applies(question("for i in 0..59 { x[i] ~ normal(0, 1) }\n", "H(x)"))


def test_words_that_are_mixed_leak_whole_bits() -> None:
    text = "for i in 0..31 { h[i] ~ flip(1/2) }\nfor i in 0..15 { o[i] := h[i] xor h[i+16]; o[i+16] := o[i] }\n"

    for measure in ("I(h; o)", "Lmin(h -> o)"):
        asked = question(text, measure)
        found = by_elimination(asked)
        assert not isinstance(found, Refusal)
        assert found.enclosure.exact == 16


def test_irrational_chances() -> None:
    text = "x[0] ~ bernoulli(exp(-1))\nfor i in 1..5 { if x[i-1] == 1 { x[i] ~ bernoulli(exp(-1)) } else { x[i] ~ bernoulli(1/3) } }\n"

    for measure in ("H(x)", "I(x[0], x[1]; x[2], x[3])", "V(x | x[3])"):
        asked = question(text, measure)
        found, truth = by_elimination(asked), by_one_law(asked.evaluation, asked.call).enclosure
        assert not isinstance(found, Refusal)
        assert float(found.enclosure.value) == pytest.approx(float(truth.value), rel=1e-13)
