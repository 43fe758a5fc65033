"""Sums that a program makes term by term."""

from __future__ import annotations

import pytest

import seepage
from seepage.engines.outcome import Budget, DiscreteJoint
from seepage.engines.select import solve
from seepage.exact import Number
from seepage.semantics.accumulation import accumulation
from seepage.semantics.core import CoreProgram
from seepage.semantics.unroll import unroll

DRAWS = "a ~ uniform_int(0, 2)\nb ~ flip(1/3)\n"


def core_of(text: str) -> CoreProgram:
    return unroll(seepage.parse(text).checked)


SUMS = {
    "t := 0\nt := t + a\nt := t + b\n": 2,
    "t := 5\nt := a + t\nif b { t := t - a } else { t := t + 1 }\n": 3,
    "t := t + a\nt := t + b\nt := t + a*b\n": 3,
    "t := a\nt := t + b\nt := t + a\n": 3,
    "t := a + (b - a*b) + 5\n": 3,
    "t := 0\nt := (a + t) + b\nif b { t := t - (a - 1) }\n": 4,
    "t := 0\nfor i in 1..4 { c ~ flip(1/2); t := t + (c and b) }\n": 4,
}
OTHER = [
    "t := 0\nt := t + a\n",
    "t := a\n",
    "t := a + b\nt := a + b\n",
    "t := 0\nt := t + a\nu := t\nt := t + b\n",
    "t := 0\nt := t + a\nt := 2*t + b\n",
    "t := 0\nt := t + a\nif t > 1 { t := t + b }\n",
    "t := 0\nt := t + a\nt := 0\nt := t + b\n",
    "t := t + a\nt := 0\nt := t + b\nt := t + a\n",
    "t := 0\nt := t + a\nt := t + t\n",
]


@pytest.mark.parametrize("body", SUMS)
def test_the_sum_is_still_made_of_its_terms(body: str) -> None:
    core = core_of(DRAWS + body)
    found = accumulation(core, "t")

    assert found is not None
    assert len(found.terms) == SUMS[body]
    before, after = (solved(each, ("a", "b", "t")) for each in (core, found.core))
    assert before == after
    start = 5 if "5" in body else 0
    for total, *terms in solved(found.core, ("t", *found.terms)):
        assert total == start + sum(int(str(term)) for term in terms)


def solved(core: CoreProgram, names: tuple[str, ...]) -> dict[tuple[Number, ...], str]:
    joint = solve(core, names, {}, Budget())
    assert isinstance(joint, DiscreteJoint)
    return {values: str(mass) for values, mass in joint.masses.items()}


@pytest.mark.parametrize("body", OTHER)
def test_what_is_read_or_assigned_otherwise_is_no_such_sum(body: str) -> None:
    assert accumulation(core_of(DRAWS + body), "t") is None
