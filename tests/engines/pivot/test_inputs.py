"""Programs followed once for all inputs: the same joints as value by value, and refusals where inputs are compared with each other."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from flint import arb

import seepage
from seepage.engines.outcome import Budget
from seepage.engines.pivot.densities import probability_of
from seepage.engines.pivot.inputs import masses_by_inputs
from seepage.engines.pivot.paths import paths_of
from seepage.engines.select import FIRST_BITS, solve
from seepage.exact import Number, precision
from seepage.laws.forms import Beyond, Polynomial
from seepage.semantics.core import CoreProgram
from seepage.semantics.slice import sink, slice_program
from seepage.semantics.unroll import unroll

Masses = Mapping[tuple[Number, ...], arb]

TWO = "a ~ uniform_int(0, 2)  b ~ flip(1/3)  u ~ laplace(0, 1)  v ~ laplace(1, 2)\n"
THREE = f"{TWO}w ~ laplace(0, 1)\nd[1] := a + u  d[2] := b + v  d[3] := w - a\n"
PROGRAMS = {
    "the greatest of two": f"{TWO}o := a + u > b + v",
    "a sum, and one input twice": f"{TWO}o := if u + a + b > 1 then 1 else if v - 2 * a > u then 2 else 3",
    "a statistic of inputs": f"{TWO}s := if a > b then a * a else 5\no := s + u > v",
    "argmax": f"{THREE}o := argmax(d)",
    "a scan": f"{THREE}o := 1  best := d[1]\nfor i in 2..3 {{ if d[i] > best {{ o := i  best := d[i] }} }}",
    "the first above": f"{THREE}o := 3\nif d[1] > v {{ o := 1 }} else {{ if d[3] > v {{ o := 2 }} }}",
    "an input told where noise says so": f"{TWO}o := if a + u > 1 then a + 2 * b else -1",
    "bounded noise": "a ~ uniform_int(0, 2)  b ~ flip(1/2)  u ~ uniform(-1, 1)  v ~ exponential(1)\n"
    "o := if a + u > b - v then 1 else if u > a - 1 then 2 else 3",
    "scaled noise": f"{TWO}o := 3 * a - 2 * u < b + 4 * v",
    "coins behind noise": f"{TWO}o := 0\nif a + u > b + v {{ c ~ flip(1/4)  o := c + 1 }}",
    "noise that is drawn again": f"{TWO}o := a + u > 1\nu ~ laplace(0, 3)\no := o + (b + u > 0)",
    "an absolute value": f"{TWO}o := abs(a - 1 + u) > 1",
    "noise that is no input's": f"{TWO}o := if u > 0 then a else b",
}


def sliced(text: str) -> CoreProgram:
    return sink(slice_program(unroll(seepage.parse(text).checked), ("a", "b", "o")))


def together(core: CoreProgram) -> Masses:
    return masses_by_inputs(core, ("a", "b", "o"), {}, Budget(), solve, 0).masses


def one_by_one(core: CoreProgram) -> Masses:
    found: dict[tuple[Number, ...], arb] = {}
    for path in paths_of(core, ("a", "b", "o"), {}, Budget(), FIRST_BITS):
        values: list[Number] = []
        for value in path.values.values():
            assert not isinstance(value, Polynomial)
            values.append(value)
        found[tuple(values)] = found.get(tuple(values), arb(0)) + probability_of(path)
    return {values: mass for values, mass in found.items() if not mass.is_zero()}


@pytest.mark.parametrize("text", PROGRAMS.values(), ids=PROGRAMS)
def test_the_joint_is_that_of_each_value_alone(text: str) -> None:
    core = sliced(text)
    with precision(FIRST_BITS):
        found, known = together(core), one_by_one(core)
        total = sum(found.values(), arb(0))

        assert found.keys() == known.keys()
        assert all(abs(found[each] - known[each]) < 1e-20 for each in known)
        assert abs(total - 1) < 1e-20


NOT_KNOWN = "a comparison of values that are not known"


@pytest.mark.parametrize(
    ("choice", "why"),
    [
        ("o := if u > v and a > b then 1 else 0", NOT_KNOWN),
        ("o := if u > v then a == 1 else 0", NOT_KNOWN),
        ("o := if u > v then 0 else a != b", NOT_KNOWN),
        ("o := if u + a == u + b then 1 else u > v", NOT_KNOWN),
        ("o := (a - 1) * (u + b) > 0", "not linear"),
        ("o := u > v and max(a, b) > 1", NOT_KNOWN),
        ("o := a * b + u * v > 1", "not linear"),
    ],
)
def test_inputs_that_are_compared_or_multiplied_are_not_followed_together(choice: str, why: str) -> None:
    core = sliced(TWO + choice)

    with precision(FIRST_BITS), pytest.raises(Beyond, match=why):
        together(core)


@pytest.mark.parametrize(
    "text",
    [
        f"{TWO}o := a > b",
        f"{TWO}observe a + u > 1\no := b + v > 0",
        f"{TWO}o := floor(a + u)",
        f"{TWO}o := a + u",
    ],
    ids=["no noise", "an observation of noise", "rounded", "continuous"],
)
def test_other_programs_are_refused(text: str) -> None:
    with precision(FIRST_BITS), pytest.raises(Beyond):
        together(sliced(text))
