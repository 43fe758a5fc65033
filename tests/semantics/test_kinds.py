"""Kinds hold on every run: what is called boolean is 0 or 1, and certain findings are true of some run."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, reject, settings
from tests.semantics.program_runs import TooManyRuns, runs_of_text
from tests.semantics.random_programs import VARIABLES, programs

from seepage import rules
from seepage.semantics.check import check
from seepage.semantics.checked import Kind
from seepage.source import SourceFile


@settings(max_examples=200, deadline=None, derandomize=True)
@given(programs())
def test_a_boolean_variable_is_0_or_1_on_every_run(text: str) -> None:
    checked = check(SourceFile("test.seep", text))
    try:
        found = runs_of_text(checked.tree, most=200)
    except TooManyRuns:
        reject()
    assume(found)
    arrays = {name: name.partition("[")[0] for name in VARIABLES}
    boolean = [name for name in VARIABLES if checked.kinds.get(arrays[name]) is Kind.BOOLEAN]

    assert all(state.get(name, 0) in (0, 1) for state, _ in found for name in boolean)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("x := 1", Kind.BOOLEAN),
        ("x := 2", Kind.DISCRETE),
        ("b ~ bernoulli(1/2)\nx := 1 - b", Kind.BOOLEAN),
        ("b ~ bernoulli(1/2)\nx := b * b", Kind.BOOLEAN),
        ("b ~ bernoulli(1/2)\nx := b + b", Kind.DISCRETE),
        ("x ~ {0: 1/2, 1: 1/2}", Kind.BOOLEAN),
        ("x ~ categorical(1/2, 1/2)", Kind.BOOLEAN),
        ("x ~ uniform_int(0, 1)", Kind.BOOLEAN),
        ("x ~ normal(0, 1)", Kind.CONTINUOUS),
        ("x ~ normal(3, 0)", Kind.DISCRETE),
        ("x ~ uniform(1, 1)", Kind.BOOLEAN),
        ("x ~ laplace(3, 0)", Kind.DISCRETE),
        ("y ~ normal(0, 1)\nx ~ laplace(y, 0)", Kind.CONTINUOUS),
        ("param p in [0, 1]\nx ~ laplace(0, p)", Kind.CONTINUOUS),
        ("x ~ 1/2*normal(0, 1) + 1/2*{0: 1}", Kind.MIXED),
        ("b ~ bernoulli(1/2)\ny ~ normal(0, 1)\nx := b * y", Kind.MIXED),
        ("y ~ normal(0, 1)\nx := floor(y)", Kind.DISCRETE),
        ("y ~ normal(0, 1)\nx := y > 0", Kind.BOOLEAN),
        ("x ~ normal(0, 1)\nx := 1", Kind.BOOLEAN),
        ("b ~ bernoulli(1/2)\nif b { x ~ normal(0, 1) } else { x ~ normal(1, 2) }", Kind.CONTINUOUS),
        ("b ~ bernoulli(1/2)\nif b { x ~ normal(0, 1) }", Kind.MIXED),
        ("for i in 1..3 { x ~ normal(0, 1) }", Kind.CONTINUOUS),
        ("for i in 1..3 { x := y; y ~ normal(0, 1) }", Kind.MIXED),
        ("for i in 1..3 { for j in i..2 { x ~ normal(0, 1) } }", Kind.MIXED),
        ("for i in 1..0 { x ~ normal(0, 1) }", Kind.BOOLEAN),
    ],
)
def test_the_kind_of_x_at_the_end(text: str, kind: Kind) -> None:
    assert check(SourceFile("test.seep", text)).kinds["x"] is kind


def test_deeply_nested_loops_are_followed_quickly() -> None:
    depth = 60
    text = "".join(f"for i{k} in 1..2 {{ " for k in range(depth)) + "z := y; y := x; x ~ normal(0, 1)" + " }" * depth

    checked = check(SourceFile("test.seep", text))

    assert checked.kinds["z"] is Kind.MIXED
    assert {one.rule for one in checked.diagnostics} == {rules.READ_BEFORE_ASSIGNMENT}


def test_a_loop_whose_values_leave_the_range_of_a_boolean_is_followed_to_an_end() -> None:
    text = (
        "b := 0\nm[0] := 0\nm[1] := 0\na ~ categorical(1/2, 0, 1/2)\nm[0] ~ uniform_of(m[1], m[0])\n"
        "for i in 1..2 { m[if 2 == a then 0 else 1] := (if b != b then 3 else 0) }\n"
    )

    assert not [one for one in check(SourceFile("test.seep", text)).diagnostics if one.is_error]
