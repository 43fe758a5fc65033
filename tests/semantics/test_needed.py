"""What does not need a loop that is too long to unroll is answered as if the loop were not there."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import assume, given, reject, settings
from hypothesis import strategies as st
from tests.semantics.program_runs import TooManyRuns, joint, runs
from tests.semantics.random_programs import VARIABLES, programs

import seepage
from seepage.diagnostics import Fault
from seepage.exploration import Explored
from seepage.pipeline import Options, analyze, check
from seepage.semantics.needed import needed_for, unroll_part
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


@settings(max_examples=40, deadline=None, derandomize=True)
@given(programs(), st.sampled_from(VARIABLES), st.integers(0, 6))
def test_what_can_be_unrolled_has_the_joint_of_the_program(text: str, grown: str, line: int) -> None:
    """The loop that is too long stands anywhere in a program; what does not depend on it is the same whatever it would do."""
    statements = check(SourceFile("needed.seep", text)).tree.items
    place = statements[min(line, len(statements) - 1)].span.start
    whole, shorter = (
        f"{text[:place]}{each}\n{text[place:]}"
        for each in (f"for i9 in 1..1000000000 {{ {grown} := 1 }}", f"{grown} := 1")
    )

    part = unroll_part(check(SourceFile("needed.seep", whole)))

    assert grown.partition("[")[0] in part.left_out
    known = tuple(name for name in VARIABLES if name.partition("[")[0] not in part.left_out and name in part.variables)
    assert not set(part.left_out) & {name.partition("[")[0] for name in part.variables}
    try:
        found = runs(unroll(check(SourceFile("needed.seep", shorter))), most=150)
    except TooManyRuns:
        reject()
    assume(found and known)
    assert joint(runs(part), known) == joint(found, known)


def test_the_table_and_facts_tell_what_does_not_need_the_loop() -> None:
    text = (
        "param p in [0, 1] = 1/4\nsecret s\nsecret final z\noutput o\n"
        "s ~ bernoulli(p)\nt ~ bernoulli(1/3)\nif t { o := s } else { o := !s }\n"
        "z := 0\nfor i in 1..1000000000 { z := z + s }\nshow H(z)\n"
    )
    checked = check(SourceFile("needed.seep", text))

    found = analyze(checked, Options())

    leak, unknown = found.table
    assert leak.information is not None
    h = [-sum(x * math.log2(x) for x in (q, 1 - q)) for q in (7 / 12, 1 / 3)]  # P(o = 1) = 1/4 * 1/3 + 3/4 * 2/3
    assert leak.information.value == pytest.approx(h[0] - h[1], abs=1e-12)
    assert leak.information.formula is not None
    assert unknown.information is None
    assert "iterations" in unknown.note
    entropy = found.variables["o"].entropy
    assert entropy is not None
    assert entropy.value == pytest.approx(h[0], abs=1e-12)
    assert "iterations" in found.variables["z"].note
    assert found.variables["z"].entropy is None
    assert [facts.measures for facts in found.parameters] == [("I(s; o)",)]
    explored = Explored(checked)
    assert explored.measure("I(s; o)", {"p": 0}, "bits", 10.0).value == 0
    with pytest.raises(Fault, match="iterations"):
        explored.measure("H(z)", {}, "bits", 10.0)


def test_a_table_takes_all_outputs_or_none() -> None:
    text = f"secret z\noutput o, z2\n{COIN}z2 := z\n{LOOP}"

    rows = analyze(check(SourceFile("needed.seep", text)), Options()).table

    together, o, z2 = rows
    assert (together.output, together.information) == ("all outputs", None)
    assert (o.output, o.information) == ("o", None)
    assert z2.information is not None
    assert z2.information.value == pytest.approx(math.log2(3) - 2 / 3, abs=1e-12)


def test_an_observation_that_needs_the_loop_leaves_nothing() -> None:
    text = f"secret z\noutput y\n{COIN}y := z\n{LOOP}observe o > z\nshow H(y)\n"

    found = analyze(check(SourceFile("needed.seep", text)), Options())

    assert [row.information for row in found.table] == [None]
    assert [facts.entropy for facts in found.variables.values()] == [None] * 3
    assert [answer.result for answer in found.answers] == [None]
