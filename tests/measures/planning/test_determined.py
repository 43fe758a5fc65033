"""Outputs that are computed of other outputs tell nothing more, and are left out."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.measures.planning.programs import measured

import seepage

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
