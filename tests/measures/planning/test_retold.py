"""Outputs that are others plus something are told by the differences: the same numbers, of parts."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.measures.planning.programs import measured

import seepage

MEASURES = ("I(x; y)", "H(x | y)", "V(x | y)", "Guess(x | y)", "C(x -> y)", "DP(x -> y)", "Lmin(x -> y)", "Delta(x -> y, eps=1/3)", "I(x[1]; y)",
            "H(y | x)", "I(x; y | x[0] + hidden > 0)", "DP(x -> y, distance=1)")  # fmt: skip
_ATOMS = ("x[0]", "x[1]", "hidden", "y[0]", "y[1]", "y[2]", "x[0] * hidden", "2 * x[1]", "1", "later", "(y[0] - y[1])")


@given(
    st.lists(st.tuples(st.sampled_from((" + ", " - ", " xor ")), st.lists(st.sampled_from(_ATOMS), min_size=1, max_size=3)), min_size=3, max_size=3),
    st.sampled_from(MEASURES),
    st.booleans(),
)  # fmt: skip
@settings(max_examples=15, deadline=None)
def test_of_random_programs_nothing_is_changed(
    outputs: list[tuple[str, list[str]]], measure: str, is_overwritten: bool
) -> None:
    lines = ["secret x", "output y", "x[0] ~ flip(1/3)", "x[1] ~ uniform_int(0, 2)", "hidden ~ flip(1/4)"]
    for number, (operator, atoms) in enumerate(outputs):
        parts = [f"({atom} > 0)" for atom in atoms] if operator == " xor " else atoms  # 'xor' takes truths
        lines.append(f"y[{number}] := {operator.join(parts)}")
    lines += ["later := x[1]"] + (["y[0] := y[0] * hidden"] if is_overwritten else [])
    text = "\n".join(lines)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("seepage.measures.planning.planner.REDUCTIONS", ())
        whole = seepage.parse(text).measure(measure)
    found = measured(text, measure)
    assert found.lower <= whole.upper
    assert whole.lower <= found.upper


def test_a_gray_code_of_thirty_two_bits() -> None:
    text = "secret h\noutput o\nfor i in 0..31 { h[i] ~ flip(1/3) }\no[0] := h[0]\nfor i in 1..31 { o[i] := h[i] xor h[i-1] }"
    program = seepage.parse(text)
    bits = 32 * (math.log2(3) - 2 / 3)
    assert program.measure("I(h; o)").value == pytest.approx(bits, abs=1e-9)
    assert program.measure("V(h | o)").value == 1


@pytest.mark.parametrize(("noise", "measure"), [("laplace(q[i], 4)", "I(q; {})"), ("normal(q[i], 4)", "V(q | {})")])
def test_running_sums_tell_what_their_terms_do(noise: str, measure: str) -> None:
    text = f"secret q\noutput v, s\nfor i in 1..4 {{ q[i] ~ uniform_int(0, 2); v[i] ~ {noise} }}\ns[1] := v[1]\nfor i in 2..4 {{ s[i] := s[i-1] + v[i] }}"
    program = seepage.parse(text)
    sums, terms = (program.measure(measure.format(seen)) for seen in ("s", "v"))
    assert sums.lower <= terms.upper
    assert terms.lower <= sums.upper
    assert sums.upper - sums.lower <= 1e-6
