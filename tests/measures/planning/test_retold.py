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


@given(
    st.lists(st.tuples(st.sampled_from(("t", "u", "n", "y")), st.sampled_from((" + ", " - ", " xor ")),
                       st.lists(st.sampled_from(("x[0]", "x[1]", "n", "t", "u", "y[0]", "y[1]", "2 * u", "t * n")), min_size=1, max_size=3)),
             min_size=4, max_size=9),
    st.sampled_from(("I(x; y)", "V(x | y)", "DP(x -> y)", "H(x | y)")),
)  # fmt: skip
@settings(max_examples=15, deadline=None)
def test_sums_may_be_made_in_variables_that_are_overwritten(
    steps: list[tuple[str, str, list[str]]], measure: str
) -> None:
    lines = ["secret x", "output y", "x[0] ~ flip(1/3)", "x[1] ~ flip(1/4)", "n ~ flip(2/5)", "t := 0", "u := x[0]"]
    outputs = 0
    for name, operator, atoms in [*steps, *[("y", " + ", ["t", "u"]), ("y", " - ", ["u", "n"])]]:
        parts = [f"({atom} > 0)" for atom in atoms] if operator == " xor " else atoms
        target = f"y[{outputs}]" if name == "y" else name
        lines.append("n ~ flip(2/5)" if name == "n" else f"{target} := {operator.join(parts)}")
        outputs += name == "y"
    text = "\n".join(lines)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("seepage.measures.planning.planner.REDUCTIONS", ())
        whole = seepage.parse(text).measure(measure)
    found = measured(text, measure)
    assert found.lower <= whole.upper
    assert whole.lower <= found.upper


@pytest.mark.parametrize(
    "order",
    [
        "c := sum(a)\no := sum(a) + n\n",
        "o := n + sum(a)\nc := sum(a)\n",
        "t := n\nfor i in 1..20 { t := t + a[i] }\no := t\nc := sum(a)\n",
    ],
)
def test_a_noisy_count_tells_nothing_beside_the_count(order: str) -> None:
    text = "secret s\noutput c, o\nfor i in 1..20 { s[i] ~ flip(1/4) a[i] ~ flip(if s[i] then 3/4 else 1/4) }\nn ~ laplace(0, 2)\n"
    found = seepage.parse(text + order).measure("I(s; c, o)")
    alone = [math.comb(20, k) * (3 / 8) ** k * (5 / 8) ** (20 - k) for k in range(21)]
    left = 0.0  # of the count, given how many of the people have the value: a sum of two binomial ones
    for people in range(21):
        given_people = [0.0] * 21
        for one in range(people + 1):
            for other in range(21 - people):
                chance = math.comb(people, one) * (3 / 4) ** one * (1 / 4) ** (people - one)
                chance *= math.comb(20 - people, other) * (1 / 4) ** other * (3 / 4) ** (20 - people - other)
                given_people[one + other] += chance
        left += math.comb(20, people) * (1 / 4) ** people * (3 / 4) ** (20 - people) * bits(given_people)
    assert found.value == pytest.approx(bits(alone) - left, abs=1e-9)


def bits(masses: list[float]) -> float:
    return -sum(mass * math.log2(mass) for mass in masses if mass)


@pytest.mark.parametrize("steps", [4, 12])
def test_sums_that_run_through_one_variable_are_releases(steps: int) -> None:
    text = f"secret q\noutput s\nt := 0\nfor i in 1..{steps} {{ q[i] ~ flip(1/2) n ~ laplace(0, 2) t := t + q[i] + n s[i] := t }}\n"
    one = seepage.parse("secret q\noutput v\nq ~ flip(1/2)\nv ~ laplace(q, 2)\n").measure("I(q; v)").value
    assert one is not None
    found = seepage.parse(text).measure("I(q; s)")
    assert found.value == pytest.approx(steps * one, abs=1e-9)
    assert found.upper - found.lower < 1e-9


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
