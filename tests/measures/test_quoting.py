"""One number is told only where it stands for all between the bounds, or was computed of normal laws in place of the exact one."""

from __future__ import annotations

import pytest

import seepage
from seepage.measures.result import Certainty
from seepage.report.json import result_json
from seepage.report.numbers import equation_text
from seepage.source import SourceFile

SHARED = """secret q output v
for i in 1..3 { q[i] ~ bernoulli(1/2) n[i] ~ laplace(0, 5) } m ~ laplace(0, 5) v[4] := q[1] + m
v[1] := q[1] + q[2] + n[1]  v[2] := q[2] + q[3] + n[2]  v[3] := q[1] - q[3] + n[3]"""


def test_bounds_of_a_stand_in_have_no_middle_to_quote() -> None:
    found = seepage.parse(SHARED).measure("V(q | v)")

    assert found.certainty is Certainty.APPROXIMATE
    assert found.value is None
    assert equation_text(found).startswith("V(q | v): 0.125 ≤ V ≤ 1 · approximate")
    with pytest.raises(ValueError, match="no single number is known"):
        _ = found.number


def test_a_number_of_normal_laws_in_place_of_others_is_an_estimate() -> None:
    text = "x ~ normal(0, 1)\ny ~ normal(0, 1)\nz := exp(x * y) * y\no := z + y\n"
    found = seepage.parse(text).measure("H(o)")

    assert found.certainty is Certainty.APPROXIMATE
    assert (found.value is not None) == found.estimated


def test_bounds_around_0_are_not_exact() -> None:
    found = seepage.parse("a ~ bernoulli(1/3)\nb ~ bernoulli(1/3)\n").measure("H(a) - H(b)")

    assert found.lower < 0 < found.upper
    assert found.certainty is Certainty.CERTIFIED
    assert found.value == 0


@pytest.mark.parametrize("measure", ["P(a)", "H(a)"])
def test_what_doubles_do_not_hold_is_written_out(measure: str) -> None:
    text = "a ~ bernoulli(1/10^435)\n"
    told = result_json(seepage.parse(text).measure(measure), SourceFile("a", text))

    assert isinstance(told["value"], str)
    assert told["value"].endswith(("e-435", "e-432"))
