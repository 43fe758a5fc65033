"""Assignments of what has one value in all runs become numbers: against every run of random programs, and where branches and random indices write."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from tests.semantics.program_runs import TooManyRuns, runs
from tests.semantics.random_programs import programs

from seepage.semantics.check import check
from seepage.semantics.constants import with_constants
from seepage.semantics.core import CoreAssign, CoreProgram
from seepage.semantics.slice import slice_program
from seepage.semantics.unroll import unroll
from seepage.source import SourceFile
from seepage.syntax.tree import Number


def core_of(text: str) -> CoreProgram:
    return unroll(check(SourceFile("test.seep", text)))


@settings(max_examples=150, deadline=None, derandomize=True)
@given(programs())
def test_all_runs_stay_what_they_are(text: str) -> None:
    core = core_of(text)
    try:
        found = runs(core, most=150)
    except TooManyRuns:
        return

    assert runs(with_constants(core), most=150) == found


def test_a_chain_becomes_numbers_of_which_each_stands_alone() -> None:
    core = with_constants(core_of("x0 := 1\n" + "".join(f"x{i} := x{i - 1} + 1\n" for i in range(1, 40))))

    assert [each.value.value for each in core.statements if isinstance(each, CoreAssign) and isinstance(each.value, Number)] == list(range(1, 41))  # fmt: skip
    assert len(slice_program(core, ("x39",)).statements) == 1


@pytest.mark.parametrize(
    "text",
    [
        "x := 1\nb ~ bernoulli(1/2)\nif b { x := 2 }\ny := x\n",
        "x := 1\nx ~ bernoulli(1/2)\ny := x\n",
        "x[1] := 1\nx[2] := 5\nk ~ uniform_int(1, 2)\nx[k] := 7\ny := x[1]\n",
        "x[1] := 1\nx[2] := 0\nk ~ uniform_int(1, 2)\nx[k] ~ bernoulli(1/2)\ny := x[1]\n",
        "param p in [0, 1]\nx := p\ny := x\n",
        "x := 1\ny := 1 / (x - 1)\n",
    ],
)
def test_what_differs_between_runs_or_has_no_value_stays(text: str) -> None:
    core = core_of(text)

    assert with_constants(core).statements[-1] == core.statements[-1]
