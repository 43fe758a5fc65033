"""What does not need a loop that is too long to unroll is answered as if the loop were not there."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import assume, given, reject, settings
from hypothesis import strategies as st
from program_runs import TooManyRuns, joint, runs
from random_programs import VARIABLES, programs

import seepage
from seepage.pipeline import Options, analyze, check
from seepage.semantics.needed import needed_for
from seepage.semantics.unroll import unroll
from seepage.source import SourceFile

LOOP = "for i in 1..1000000000 { o := o + 1 }\n"
COIN = "z ~ bernoulli(1/3)\no := 0\n"


def test_a_measure_that_does_not_need_the_loop_has_its_number() -> None:
    program = seepage.parse(COIN + LOOP)

    assert program.measure("E(z)").exact == Fraction(1, 3)
    with pytest.raises(seepage.MeasureError, match="iterations"):
        program.measure("E(o)")
    with pytest.raises(seepage.MeasureError, match="iterations"):
        program.measure("E(z | o == 0)")


def test_an_analysis_answers_all_that_does_not_need_it() -> None:
    text = COIN + LOOP + "show E(z)\nshow E(o)\nrequire P(z == 1) <= 1/2\nshow E(z * o)\nshow Var(z)\n"

    found = analyze(check(SourceFile("needed.seep", text)), Options())

    assert [answer.span for answer in found.answers] == sorted(answer.span for answer in found.answers)
    numbers = [None if answer.result is None else answer.result.exact for answer in found.answers]
    assert numbers == [Fraction(1, 3), None, Fraction(1, 3), None, Fraction(2, 9)]
    assert found.answers[2].verdict == "holds"
    (told,) = found.diagnostics
    assert text[told.span.start : told.span.end] == "for i in 1..1000000000"


def test_what_is_observed_after_the_loop_counts_for_all() -> None:
    program = seepage.parse(COIN + LOOP + "observe z == 1 or o > 5\n")

    with pytest.raises(seepage.MeasureError, match="iterations"):
        program.measure("E(z)")


def test_an_observation_apart_from_it_still_holds() -> None:
    program = seepage.parse("y ~ bernoulli(1/4)\n" + COIN + LOOP + "if y == 1 { observe z == 1 }\n")

    # P(z = 1, passes) = 1/3, P(z = 0, passes) = 2/3 * 3/4 = 1/2.
    assert program.measure("E(z)").exact == Fraction(2, 5)


def test_a_loop_that_observes_is_needed_by_all() -> None:
    program = seepage.parse(COIN + "for i in 1..1000000000 { observe o + i > 0 }\n")

    with pytest.raises(seepage.MeasureError, match="iterations"):
        program.measure("E(z)")


def test_what_is_needed_is_found_through_branches_bounds_and_indices() -> None:
    text = """const n = 3
a[0] := 1
k ~ uniform_int(0, 1)
if k == 1 { b := a[k] } else { c := 1 }
d := c
for i in 1..n { e := e + b }
x ~ uniform_int(0, a[0] + 1)
"""
    checked = check(SourceFile("needed.seep", text))

    def kept(*names: str) -> list[str]:
        return [text[item.span.start : item.span.end][:1] for item in needed_for(checked, names).tree.items]

    assert kept("d") == ["c", "a", "k", "i", "d"]
    assert kept("e") == ["c", "a", "k", "i", "f"]
    assert kept("x") == ["c", "a", "x"]
    assert kept() == ["c"]


@settings(max_examples=150, deadline=None, derandomize=True)
@given(programs(), st.lists(st.sampled_from(VARIABLES), min_size=1, max_size=2, unique=True).map(tuple))
def test_what_is_needed_has_the_joint_of_the_program(text: str, asked: tuple[str, ...]) -> None:
    checked = check(SourceFile("needed.seep", text))

    needed = unroll(needed_for(checked, [name.partition("[")[0] for name in asked]))

    try:
        found = runs(unroll(checked), most=150)
    except TooManyRuns:
        reject()
    assume(found)
    assert joint(runs(needed), asked) == joint(found, asked)
