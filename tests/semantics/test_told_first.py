"""Programs in the order in which what some variables determine comes first: they mean the same, and their second part reads no randomness of the first."""

from __future__ import annotations

import random

import pytest

from seepage.engines.outcome import Budget, DiscreteJoint
from seepage.engines.select import solve
from seepage.semantics.check import check
from seepage.semantics.slice import determines
from seepage.semantics.statements import names_read, written_variables
from seepage.semantics.told_first import told_first
from seepage.semantics.unroll import unroll
from seepage.source import SourceFile

DRAWS = ["flip(1/3)", "uniform_int(0, 2)"]
VALUES = ["{one} + {other}", "{one} * {other}", "if {one} > 0 then {other} else 1", "{one}", "2"]


def statement(chance: random.Random, names: list[str], depth: int = 0) -> str:
    one, other, target = (chance.choice(names) for _ in range(3))
    kind = chance.random()
    if kind < 0.3:
        return f"{target} ~ {chance.choice(DRAWS)}\n"
    if kind < 0.8 or depth:
        return f"{target} := {chance.choice(VALUES).format(one=one, other=other)}\n"
    inner = [statement(chance, names, depth + 1) for _ in range(2)]
    return f"if {one} > 0 {{ {inner[0]} }} else {{ {inner[1]} }}\n"


def test_reordered_programs_mean_the_same() -> None:
    chance, seen = random.Random(5), 0
    for _ in range(200):
        names = ["x", "y", "u", "v"]
        text = "x := 0\ny := 1\nu := 2\nv := 0\n" + "".join(statement(chance, names) for _ in range(12))
        core = unroll(check(SourceFile("random.seep", text)))
        found = told_first(core, ("x", "u"))
        if found is None:
            continue
        ordered, at = found
        both = [solve(each, ("x", "y", "u", "v"), {}, Budget()) for each in (core, ordered)]
        assert isinstance(both[0], DiscreteJoint)
        assert isinstance(both[1], DiscreteJoint)
        assert both[0].masses == both[1].masses, text
        first, second = ordered.statements[:at], ordered.statements[at:]
        read = set(names_read(second)) & set(written_variables(first))
        seen += bool(read and second)
    assert seen > 20


@pytest.mark.parametrize(
    "text",
    [
        "x ~ flip(1/2)\nu ~ flip(1/2)\nobserve x or u\ny := x\n",
        "x ~ flip(1/2)\nif x { y := 1; u ~ flip(1/2) }\n",
    ],
)
def test_what_cannot_be_parted_is_left_alone(text: str) -> None:
    assert told_first(unroll(check(SourceFile("t.seep", text))), ("x",)) is None


def test_a_branch_on_chance_may_change_what_is_determined_before() -> None:
    core = unroll(check(SourceFile("t.seep", "x ~ flip(1/2)\ny := x\nu ~ flip(1/3)\nif u { y := 5 }\n")))

    found = told_first(core, ("x",))

    assert found is not None
    both = [solve(each, ("x", "y"), {}, Budget()) for each in (core, found[0])]
    assert isinstance(both[0], DiscreteJoint)
    assert isinstance(both[1], DiscreteJoint)
    assert both[0].masses == both[1].masses


def test_answers_in_between_come_behind_the_count() -> None:
    text = "c := 0\nfor i in 1..3 { x[i] ~ flip(1/2); lie ~ flip(1/4); o[i] := x[i] xor lie; c := c + x[i] }\n"

    found = told_first(unroll(check(SourceFile("t.seep", text))), ("x[1]", "x[2]", "x[3]"))

    assert found is not None
    ordered, at = found
    first = ordered.statements[:at]
    assert "c" in written_variables(first)
    assert determines(ordered, ("x[1]", "x[2]", "x[3]"), ("c",))
    assert not {"o[1]", "o[2]", "o[3]"} & set(written_variables(first))
