"""Long sums written term by term mean the same, and keep fewer values alive."""

from __future__ import annotations

import pytest

from seepage import parse
from seepage.semantics.core import CoreAssign
from seepage.semantics.split import split_sums
from seepage.semantics.unroll import unroll

DRAWN = "".join(f"{name} ~ uniform_int(0, {top})\n" for name, top in (("x", 2), ("y", 1), ("u", 3), ("v", 1)))


def lines(text: str) -> int:
    core = split_sums(unroll(parse(text).checked))
    return sum(isinstance(each, CoreAssign) for each in core.statements)


@pytest.mark.parametrize(
    ("value", "count"),
    [
        ("x + y + u - v", 4),
        ("-(x - y) + u - (v + 2)", 5),
        ("(x + y + u) / 4", 4),
        ("floor((x - y + 3 * u) / 2) % 3", 4),
        ("x + y", 1),
        ("x + x + x", 1),  # nothing can be forgotten in between
        ("z + x + y + u", 1),  # the counter itself is read
        ("if x == 0 then x + y + u else 0", 1),  # need not be evaluated
        ("x == 1 and x + y + u > 2", 1),
    ],
)
def test_a_sum_is_split_where_each_term_can_be_forgotten(value: str, count: int) -> None:
    text = f"{DRAWN}z := 1\nz := {value}\n"

    assert lines(text) == count + 1
    assert parse(text).measure("I(x, v; z)").value == pytest.approx(
        parse(f"{DRAWN}z := 1\n{alone(value)}").measure("I(x, v; z)").value
    )


def alone(value: str) -> str:
    """Return an assignment that is not split: the sum stands where it need not be evaluated."""
    return f"z := if true or x == 9 then {value} else 0\n" if "z +" not in value else f"z := {value}\n"


def test_a_sum_of_many_noises_is_convolved() -> None:
    # The sum of 40 draws has 41 values; together they have 2^40.
    drawn = "".join(f"t{i} ~ bernoulli(1/3)\n" for i in range(40))
    result = parse(drawn + "o := (" + " + ".join(f"t{i}" for i in range(40)) + ") / 40\n").measure("E(o)")

    assert result.value == pytest.approx(1 / 3)
