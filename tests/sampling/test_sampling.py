"""Runs drawn at random against the exact laws of small programs, and columns of values against exact evaluation run by run.

Frequencies are compared where a true deviation of five standard errors has a chance below one in a million; seeds are fixed, so that a test that
passes goes on to pass.
"""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.engines.random_programs import VARIABLES, core_of, paths, programs

import seepage
from seepage.deadline import Clock, using
from seepage.exact import Number, nearest_float
from seepage.sampling.expressions import Runs
from seepage.sampling.runs import some_run_passes
from seepage.semantics.evaluate import evaluate
from seepage.syntax.parse import parse_expression
from seepage.syntax.vocabulary.distributions import DISTRIBUTIONS

_SIZE = 20_000
_ERRORS = 5.0


def _far(count: int, size: int, chance: float) -> bool:
    """Tell whether a count is further from its expectation than chance explains."""
    return abs(count - size * chance) > _ERRORS * math.sqrt(size * chance * (1 - chance)) + 1e-9


@pytest.mark.parametrize("name", sorted(DISTRIBUTIONS))
def test_each_law_of_the_language_is_drawn_from(name: str) -> None:
    draw = DISTRIBUTIONS[name].example.splitlines()[0]
    program = seepage.parse(draw)
    values = program.sample(_SIZE, seed=1)["x"].astype(float)
    assert len(values) == _SIZE
    for share in (0.1, 0.3, 0.5, 0.7, 0.9):
        end = Fraction(f"{np.quantile(values, share):.4g}")
        chance = program.measure(f"P(x <= {end})")
        assert not _far(int((values <= float(end)).sum()), _SIZE, (chance.lower + chance.upper) / 2), (name, end)


@given(programs)
@settings(max_examples=40)
def test_random_programs_come_out_as_often_as_their_paths_say(text: str) -> None:
    masses: dict[tuple[Number, ...], Fraction] = {}
    for state, weight in paths(core_of(text).statements, {}):
        final = tuple(state.get(name, 0) for name in VARIABLES)
        masses[final] = masses.get(final, Fraction(0)) + weight
    total = sum(masses.values())
    program = seepage.parse(text)
    if total < Fraction(1, 50):
        return
    found = program.sample(4_000, seed=2)
    counts = Counter(zip(*(found[name].tolist() for name in VARIABLES), strict=True))
    assert set(counts) <= {final for final, weight in masses.items() if weight}
    for final, weight in masses.items():
        assert not _far(counts[final], 4_000, float(weight / total)), (text, final)


_leaves = st.sampled_from(["a", "b", "c", "1", "2", "1/3", "2^70", "w"])
_expressions = st.recursive(
    _leaves,
    lambda inner: st.one_of(
        st.builds("({} {} {})".format, inner, st.sampled_from(["+", "-", "*"]), inner),
        st.builds("({} {} {})".format, inner, st.sampled_from(["==", "!=", "<", "<=", ">", ">="]), inner),
        st.builds("(if {} > {} then {} else {})".format, inner, inner, inner, inner),
        st.builds("({0} != 0 and 1 / {0} > {1})".format, inner, inner),
        st.builds("({0} == 0 or {1} / {0} < 2)".format, inner, inner),
        st.builds("max({}, min({}, {}))".format, inner, inner, inner),
        st.builds("(not ({} > {}) xor {} < 2)".format, inner, inner, inner),
        st.builds("floor({} / 7)".format, inner),
        st.builds("(-{})".format, inner),
        st.builds("(floor({}) % 5)".format, inner),
    ),
    max_leaves=6,
)


@given(_expressions)
@settings(max_examples=300)
def test_columns_have_the_values_that_exact_evaluation_has(text: str) -> None:
    expression, findings = parse_expression(text)
    assert expression is not None, findings
    columns = {
        "a": np.array([0, 1, -3, 2, 5]),
        "b": np.array([2, 0, 7, -1, 5]),
        "c": np.array([Fraction(1, 2), 2**80, 0, Fraction(-7, 3), 1], dtype=object),
        "w": np.array([0.5, -1.25, 3.0, 0.0, 2.0]),
    }
    runs = Runs(5, {}, {}, dict(columns))
    found = runs.value(expression, np.arange(5))
    for row in range(5):
        right, value = nearest_float(evaluate(expression, runs.state(row))), found[row]
        number = float(value) if isinstance(value, float) else nearest_float(value)
        assert number == pytest.approx(right, rel=1e-9, abs=1e-9) or _near_a_step(text)


def _near_a_step(text: str) -> bool:
    """Tell whether a rounded third may fall on the other side of a comparison or a whole number than the exact one."""
    return "w" in text and "1/3" in text


def test_arrays_picked_at_random_loops_and_redrawn_values() -> None:
    text = (
        "for i in 0..3 { a[i] ~ uniform_int(0, i) }\n"
        "k ~ uniform_int(0, 3)\n"
        "picked := a[k]\n"
        "a[k] := 9\n"
        "rounds := 0\nface := 0\n"
        "while face != 6 { face ~ uniform_int(1, 6); rounds := rounds + 1 }\n"
        "n ~ uniform_int(-5, 5) given n > 2 or n == k\n"
    )
    found = seepage.parse(text).sample(_SIZE, seed=3)
    rows = np.arange(_SIZE)
    table = np.stack([found[f"a[{i}]"] for i in range(4)])
    assert (table[found["k"], rows] == 9).all()
    assert (found["picked"] <= found["k"]).all()
    assert (found["face"] == 6).all()
    assert not _far(int((found["rounds"] == 1).sum()), _SIZE, 1 / 6)
    assert not _far(int((found["rounds"] > 6).sum()), _SIZE, (5 / 6) ** 6)
    # Of n three values pass and one more that is k; for k = 3 that is one of the three.
    small = found["k"] < 3
    assert not _far(int((found["n"][small] == found["k"][small]).sum()), int(small.sum()), 1 / 4)
    assert set(found["n"][~small].tolist()) == {3, 4, 5}
    assert not _far(int(small.sum()), _SIZE, 3 / 4)


def test_wide_integers_symbols_and_fractions_stay_exact() -> None:
    text = 's ~ uniform_int(0, 2^80)\nt := s % 2^64\nc ~ uniform_of("red", "green")\nf := s / 3\n'
    found = seepage.parse(text).sample(200, seed=4)
    assert all(value % 2**64 == rest for value, rest in zip(found["s"], found["t"], strict=True))
    assert max(found["s"]) > 2**78
    assert set(found["c"]) == {"red", "green"}
    assert all(third * 3 == value for value, third in zip(found["s"], found["f"], strict=True))


def test_the_same_seed_gives_the_same_runs_and_few_runs_are_possible() -> None:
    program = seepage.parse("x ~ normal(0, 1)\ny ~ bernoulli(1/2)\nobserve y == 1")
    first, second = program.sample(7, seed=5), program.sample(7, seed=5)
    assert (first["x"] == second["x"]).all()
    assert len(set(first["x"].tolist())) == 7
    assert first["y"].tolist() == [1] * 7
    assert program.sample(0, seed=5)["x"].tolist() == []


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("x ~ uniform_int(0, 3)\ny := 1 / x", "SEEP401", 2),
        ("x ~ uniform_int(0, 3)\na[0] := 1\ny := a[x]", "SEEP405", 3),
        ("x ~ uniform_int(0, 3)\nif x { skip }", "SEEP404", 2),
        ("x ~ normal(0, 1)\nobserve x == 2", "SEEP902", 2),
        ("x := 1\nwhile x > 0 { x := x }", "SEEP902", 2),
        ("param p in [0, 1]\nx ~ bernoulli(p)", "SEEP505", 1),
        ("x ~ uniform_int(0, 3)\ny ~ bernoulli(x)", "SEEP422", 2),
        ("attacker g in 0..3\ny := g", "SEEP901", 1),
        ("x ~ uniform_int(0, 3", "SEEP011", 1),
    ],
)
def test_what_cannot_be_drawn_is_told_at_its_place(text: str, code: str, line: int) -> None:
    with pytest.raises(seepage.MeasureError) as caught:
        seepage.parse(text).sample(2_000, seed=6, seconds=10)
    assert (caught.value.diagnostic.rule.code, caught.value.line) == (code, line), caught.value.diagnostic.message


def test_a_negative_number_of_runs_is_refused() -> None:
    with pytest.raises(ValueError, match="found -1 runs"):
        seepage.parse("x := 1").sample(-1)


def test_a_python_function_is_sampled_by_calling_it(tmp_path: Path) -> None:
    (tmp_path / "m.py").write_text("import random\n\ndef f():\n    return random.random() < 0.5\n")
    with pytest.raises(ValueError, match="by calling it"):
        seepage.load(f"{tmp_path / 'm.py'}::f").sample(10)


@pytest.mark.parametrize("readings", range(1, 12))
def test_a_limit_that_ends_anywhere_in_a_loop_is_no_fault(readings: int) -> None:
    core = core_of("x := 0\nwhile x < 3 { u ~ flip(1/2) x := x + u }\n")
    ticks = iter(range(10_000))

    def clock() -> float:
        return 0.0 if next(ticks) < readings else 100.0

    with using(Clock(clock, clock)):
        assert some_run_passes(core, {}, 1.0) in (False, True)
