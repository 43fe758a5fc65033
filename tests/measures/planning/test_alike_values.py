"""Capacities of channels between values that only have names, against closed forms and the search over priors."""

from __future__ import annotations

import math

import pytest

import seepage

from ...semantics.test_symmetry import EQUIVARIANT, HEAD

SYMMETRIC = """
param eps in [0, 20] = 14
const q = {q}
secret x
output y
x ~ uniform_int(1, q)
lie ~ flip(q / (q - 1 + exp(eps)))
u ~ uniform_int(1, q)
y := if lie then u else x
"""


def capacity(q: int, eps: float) -> float:
    """Return the capacity of a channel that keeps a value by e^eps : 1 against each other one."""
    kept, other = math.exp(eps) / (q - 1 + math.exp(eps)), 1 / (q - 1 + math.exp(eps))
    return math.log2(q) + kept * math.log2(kept) + (q - 1) * other * math.log2(other)


@pytest.mark.parametrize("q", [100, 2_925, 10**6, 2**40])
@pytest.mark.parametrize("eps", [1, 14])
def test_a_symmetric_channel_of_any_size(q: int, eps: int) -> None:
    program = seepage.parse(SYMMETRIC.format(q=q))
    found = program.measure("C(x -> y)", params={"eps": eps})

    assert found.lower - 1e-9 <= capacity(q, eps) <= found.upper + 1e-9
    assert found.upper - found.lower < 1e-9
    assert found.witness == f"prior uniform over {q} values"


def test_loss_information_and_guesses_of_two_thousand_reports() -> None:
    q, program = 2_925, seepage.parse(SYMMETRIC.format(q=2_925))
    kept = math.exp(14) / (q - 1 + math.exp(14))

    assert program.measure("DP(x -> y)").value == pytest.approx(14, rel=1e-12)
    assert program.measure("I(x; y)").value == pytest.approx(capacity(q, 14), rel=1e-12)
    assert program.measure("V(x | y)").value == pytest.approx(kept, rel=1e-12)
    assert program.measure("Guess(x | y)").value == pytest.approx(kept + (1 - kept) * (q + 2) / 2, rel=1e-12)


@pytest.mark.parametrize("body", EQUIVARIANT.values(), ids=EQUIVARIANT.keys())
def test_the_information_at_equal_chances_is_what_the_search_over_priors_finds(body: str) -> None:
    program = seepage.parse(f"{HEAD}{body}\n")

    assert program.measure("C(x -> y)").value == pytest.approx(program.measure("I(x; y)").value, abs=1e-9)


def test_a_capacity_with_a_value_that_is_treated_otherwise_is_no_information_at_equal_chances() -> None:
    text = SYMMETRIC.format(q=100) + "z := if x == 1 then 0 else y\n"
    program = seepage.parse(text.replace("output y", "output z"))

    assert program.measure("C(x -> z)").lower > program.measure("I(x; z)").upper - 1e-9
