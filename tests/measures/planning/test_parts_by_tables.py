"""Parts that only values show: numbers from closed forms and from enumeration of a single part."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from math import isclose, log, log2

import pytest

import seepage
from seepage.measures.planning.plan import Step

PEOPLE = """
secret q
output o
u ~ uniform_int(1, 3)
for i in 1..30 {{
    q[i] ~ bernoulli(1/2)
    t[i] ~ bernoulli(3/4)
    w[i] := if u > {least} then q[1] else q[i]
    o[i] := if t[i] then w[i] else not w[i]
}}
"""
BOUNDED = """
secret q
output o
for i in 1..12 { q[i] ~ uniform_int(0, 3); t[i] ~ bernoulli(3/4); o[i] := if t[i] then q[i] else 3 - q[i] }
ok := 1
for i in 1..12 { ok := ok and q[i] < 3 }
observe ok
"""
LINKED = """
param p in [0, 1] = {p}
secret q
output o
link ~ bernoulli(p)
for i in 1..24 {{
    q[i] ~ bernoulli(1/2)
    t[i] ~ bernoulli(3/4)
    w[i] := if link then q[1] else q[i]
    o[i] := if t[i] then w[i] else not w[i]
}}
"""


def h(p: float) -> float:
    return -p * log2(p) - (1 - p) * log2(1 - p)


def is_by_tables(plan: Iterable[Step]) -> bool:
    return any(
        (each.name == "parts proved by tables" and each.outcome == "answered") or is_by_tables(each.steps)
        for each in plan
    )


@pytest.mark.parametrize(
    ("measure", "right"),
    [
        ("I(q; o)", 30 * (1 - h(1 / 4))),
        ("H(q | o)", 30 * h(1 / 4)),
        ("V(q | o)", 0.75**30),
        ("Lmin(q -> o)", 30 * log2(1.5)),
        ("DP(q -> o, distance=1)", log(3)),
        ("DP(q -> o, distance=2)", 2 * log(3)),
        ("C(q -> o)", 30 * (1 - h(1 / 4))),
        ("I(q; o | o[3])", 29 * (1 - h(1 / 4))),
    ],
)
def test_a_branch_that_is_never_taken_joins_no_parts(measure: str, right: float) -> None:
    found = seepage.parse(PEOPLE.format(least=3)).measure(measure)

    assert isclose(found.number, right, rel_tol=1e-12)
    assert is_by_tables(found.plan)


def test_a_branch_that_may_be_taken_joins_them() -> None:
    try:
        found = seepage.parse(PEOPLE.format(least=2)).measure("V(q | o)")
    except seepage.MeasureError:
        return
    assert found.value is None or not isclose(found.value, 0.75**30, rel_tol=1e-3)


def test_an_observation_of_a_long_conjunction_concerns_each_part_by_itself() -> None:
    runs = [(q, t, q if t else 3 - q) for q, t in product(range(3), range(2))]
    weights = {(q, o): (0.75 if t else 0.25) / 3 for q, t, o in runs}
    seen: dict[int, float] = {}
    for (_, o), mass in weights.items():
        seen[o] = seen.get(o, 0.0) + mass
    one = sum(mass * log2(mass * 3 / seen[o]) for (_, o), mass in weights.items())
    right = sum(max(mass for (_, o), mass in weights.items() if o == value) for value in seen)
    program = seepage.parse(BOUNDED)

    information, guess = program.measure("I(q; o)"), program.measure("V(q | o)")

    assert isclose(information.number, 12 * one, rel_tol=1e-12)
    assert isclose(guess.number, right**12, rel_tol=1e-12)
    assert any("also under what is observed: 'ok'" in step.told for step in information.plan)


def test_what_holds_at_a_value_of_a_parameter_only_has_no_formula() -> None:
    never = seepage.parse(LINKED.format(p=0)).measure("V(q | o)")

    assert isclose(never.number, 0.75**24, rel_tol=1e-12)
    assert never.formula is None


def test_outputs_that_values_cut_off_tell_nothing() -> None:
    text = "secret s\noutput o\n" + "".join(
        f"s[{i}] ~ bernoulli(1/3)\nn[{i}] ~ bernoulli(1/2)\no[{i}] := if s[{i}] > 1 then s[{i}] else n[{i}]\n"
        for i in range(24)
    )
    for measure in ("I(s; o)", "DP(s -> o)", "Lmin(s -> o)", "C(s -> o)"):
        found = seepage.parse(text).measure(measure)
        assert (found.lower, found.upper) == (0, 0)
