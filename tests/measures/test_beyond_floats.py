"""Numbers that are larger than every float: no float is told for them, and their digits are in ``ends``."""

from __future__ import annotations

from decimal import Decimal

import pytest

import seepage

PROGRAM = "m ~ uniform_int(0, 1)\nx := m * exp(1000)\n"
# exp(1000) to 30 digits, by the sum of its series in 500-digit decimals.
EXP_1000 = Decimal("1.97007111401704699388887935224e434")


@pytest.mark.parametrize(
    ("measure", "truth"), [("E(x)", EXP_1000 / 2), ("Var(x)", EXP_1000 * EXP_1000 / 4), ("E(-x)", -EXP_1000 / 2)]
)
def test_no_float_is_told_for_a_number_that_none_holds(measure: str, truth: Decimal) -> None:
    found = seepage.parse(PROGRAM).measure(measure)

    lower, value, upper = found.ends
    assert found.value is None
    assert lower <= truth <= upper
    assert value is not None
    assert abs(Decimal(value) / truth - 1) < Decimal("1e-12")
    with pytest.raises(ValueError, match="larger than every float"):
        float(found)


def test_a_plot_draws_no_point_where_no_float_is() -> None:
    program = seepage.parse(f"param k in [1, 1000] = 1\n{PROGRAM.replace('1000', 'k')}")

    ((near, far),) = program.plot("E(x)", seepage.Axis("k", 1, 1000, 2)).rows
    assert near.value is not None
    assert (far.value, far.upper) == (None, float("inf"))
