"""Which programs only copy and compare the values of a variable."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

import pytest

import seepage
from seepage.engines.outcome import Budget, DiscreteJoint
from seepage.engines.select import solve
from seepage.exact import Number
from seepage.semantics.symmetry import renamable
from seepage.semantics.unroll import unroll

HEAD = "secret x\noutput y\nx ~ uniform_int(1, 3)\nu ~ uniform_int(1, 3)\nt ~ bernoulli(1/3)\n"

EQUIVARIANT = {
    "a symmetric channel": "y := if t then u else x",
    "by statements": "if t { y := u } else { y := x }",
    "compared": "y := x == u",
    "compared, then copied": "if x != u { y := x } else { z ~ uniform_int(1, 3); y := z }",
    "sometimes nothing": "if t { y := x }",
    "a number outside of the range": "y := if x == u then 7 else x",
    "compared with a number outside": "v := if t then 9 else x; y := v == 9",
    "observed": "observe x != u; y := if t then u else x",
    "a chain": "a := x; b := a; y := if b == u then a else u",
    "in a loop": "for i in 1..3 { w ~ uniform_int(1, 3); if w == x { y := 1 + 1 } }\ny := if y == 2 then 5 else 6",
}
OTHER = {
    "added to": "y := x + u",
    "compared by size": "y := x < u",
    "compared with one of the values": "y := x == 2",
    "one of the values in its place": "y := if t then 2 else x",
    "the chance of a coin": "z ~ bernoulli(x/4); y := z",
    "the range of a draw": "z ~ uniform_int(1, x); y := z",
    "a draw of another law": "z ~ uniform_int(1, 2); y := if t then z else x",
    "drawn once more": "if t { x ~ uniform_int(1, 3) }\ny := x",
    "an index": "a[1] := 1; a[2] := 2; a[3] := 5; y := a[x]",
    "compared with what is compared by size": "y := if u > 1 then x == u else 0",
    "a condition by itself": "y := if x - u == 0 then 1 else 0",
}


def found(body: str, start: str = "x") -> bool:
    core = unroll(seepage.parse(f"{HEAD}{body}\n").checked)
    return renamable(core.statements, start, ("x", "y"), {}) is not None


@pytest.mark.parametrize("body", EQUIVARIANT.values(), ids=EQUIVARIANT.keys())
def test_renaming_the_values_leaves_the_law_as_it_is(body: str) -> None:
    core = unroll(seepage.parse(f"{HEAD}{body}\n").checked)
    one = renamable(core.statements, "x", ("x", "y"), {})
    joint = solve(core, ("x", "y"), {}, Budget())

    assert one is not None
    assert isinstance(joint, DiscreteJoint)
    masses = {values: Fraction(str(mass)) for values, mass in joint.masses.items()}
    for renamed in permutations((1, 2, 3)):
        names: dict[Number, Number] = dict(zip((1, 2, 3), renamed, strict=True))
        again: dict[tuple[Number, ...], Fraction] = {}
        for values, mass in masses.items():
            called = tuple(
                names.get(value, value) if name in one.variables else value
                for name, value in zip(joint.variables, values, strict=True)
            )
            again[called] = again.get(called, Fraction(0)) + mass
        assert again == masses


@pytest.mark.parametrize("body", OTHER.values(), ids=OTHER.keys())
def test_values_that_are_looked_at_in_another_way_are_not_alike(body: str) -> None:
    assert not found(body)


def test_what_may_be_read_before_it_is_assigned_is_no_name_where_0_is_one() -> None:
    text = "secret x\noutput y\nx ~ uniform_int({}, 3)\nt ~ bernoulli(1/3)\nif t {{ y := x }}\n"
    core, other = (unroll(seepage.parse(text.format(low)).checked) for low in (0, 1))

    assert renamable(core.statements, "x", ("x", "y"), {}) is None
    assert renamable(other.statements, "x", ("x", "y"), {}) is not None


def test_a_draw_that_some_runs_do_not_make_has_no_uniform_law() -> None:
    text = "secret x\noutput y\nt ~ bernoulli(1/3)\nif t { x ~ uniform_int(1, 3) }\ny := x\n"
    core = unroll(seepage.parse(text).checked)

    assert renamable(core.statements, "x", ("x", "y"), {}) is None
