"""Outputs that are computed of other outputs tell nothing more, and are left out."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.measures.planning.programs import measured

import seepage
from seepage.semantics.check import check
from seepage.semantics.core_kinds import may_be_continuous
from seepage.semantics.unroll import unroll
from seepage.source import SourceFile

MEASURES = ("I(x; y, z)", "H(x | y, z)", "V(x | y, z)", "Guess(x | y, z)", "C(x -> y, z)", "DP(x -> y, z)", "Lmin(x -> y, z)",
            "Delta(x -> y, z, eps=1/3)", "H(y, z)", "Renyi(x -> y, z, alpha=2)", "I(z; x)")  # fmt: skip
_VALUES = (
    "y[0] + y[1]",
    "if y[0] == 1 then y[1] else 2",
    "max(y[0], y[1])",
    "x[0] + y[1]",
    "y[0] xor hidden",
    "z[0] * y[1]",
)


@given(st.lists(st.sampled_from(_VALUES), min_size=1, max_size=2), st.sampled_from(MEASURES), st.booleans())
@settings(max_examples=40, deadline=None)
def test_of_random_programs_nothing_is_changed(values: list[str], measure: str, seen_late: bool) -> None:
    outputs = [f"z[{number + 1}] := {value}" for number, value in enumerate(values)]
    again = ["y[0] := 1 - y[0]"] if seen_late else []
    text = "\n".join(
        [
            "secret x\noutput y, z\nhidden ~ flip(1/3)\nz[0] := 1",
            *(f"x[{i}] ~ flip({i + 1}/4)\nlie{i} ~ flip(1/{i + 5})\ny[{i}] := x[{i}] xor lie{i}" for i in (0, 1)),
            *outputs,
            *again,
        ]
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("seepage.measures.planning.planner.REDUCTIONS", ())
        whole = seepage.parse(text).measure(measure)
    found = measured(text, measure)
    assert found.lower <= whole.upper
    assert whole.lower <= found.upper


def test_a_count_beside_all_answers_tells_no_more() -> None:
    text = "secret q\noutput o, c\nfor i in 1..40 { q[i] ~ flip(1/2); lie ~ flip(1/4); o[i] := q[i] xor lie; c := c + o[i] }"
    found = seepage.parse(text).measure("I(q; o, c)")
    assert found.lower <= 7.548875021634685 <= found.upper
    assert found.upper - found.lower < 1e-9


_TWO = "x ~ uniform(0, 1)\ny ~ uniform(0, 2)\n"


@pytest.mark.parametrize(
    "function", ["x + y", "x * y", "2 * x - 1", "max(x, y)", "if x > 1/2 then y else 0", "x ^ 2 + y"]
)
def test_a_function_with_a_density_leaves_no_joint_density(function: str) -> None:
    """The three lie on a surface with a positive chance: the entropy is -∞, and no finite number may be told for sure."""
    found = seepage.parse(f"{_TWO}z := {function}").measure("H(x, y, z)")
    assert found.lower == -math.inf


@pytest.mark.parametrize(
    "function", ["floor(3 * x)", "x > 1/2", "if x > y then 1 else 7", "bit", "bit + 2 * (x > 1/3)"]
)
def test_a_discrete_function_of_what_has_a_density_changes_nothing(function: str) -> None:
    """H(x, y) is log 2, whatever is told with it; a bit beside it is one bit more."""
    bits, others = (1, "bit, ") if "bit" in function else (0, "")
    found = seepage.parse(f"{_TWO}bit ~ flip(1/2)\nz := {function}").measure(f"H(x, y, {others}z)")
    assert found.lower - 1e-9 <= 1 + bits <= found.upper + 1e-9
    assert found.upper - found.lower < 1e-6


def test_a_function_with_a_density_tells_nothing_more_of_another() -> None:
    found = seepage.parse(f"{_TWO}z := x * y\nbit := x > 1/2").measure("I(bit; x, y, z)")
    assert (found.lower, found.upper) == pytest.approx((1, 1), abs=1e-12)


@pytest.mark.parametrize(("value", "dense"), [
    ("floor(x)", False), ("x >= 1", False), ("b + 1", False), ("x", True), ("if b == 1 then x else 0", True),
    ("max(b, x)", True),
    ("p * x", True), ("p * b", False), ("if p > 1 then x else 0", True), ("floor(x) * b", False),
])  # fmt: skip
def test_what_may_have_a_density_is_told_from_above(value: str, dense: bool) -> None:
    text = f"param p in [0, 2] = 1\nx ~ normal(0, 1)\nb ~ flip(1/2)\nz := {value}"
    assert may_be_continuous(unroll(check(SourceFile("t.seep", text))), "z") is dense
