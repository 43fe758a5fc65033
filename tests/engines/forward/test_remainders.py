"""What parts behind the whole number values may have, against runs that are drawn; and what follows for the privacy loss."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import pytest

import seepage
from seepage.engines.forward.remainders import parts_after
from seepage.semantics.check import check
from seepage.semantics.unroll import unroll
from seepage.source import SourceFile

LAWS = ("discrete_laplace(2)", "poisson(3)", "uniform_int(-2, 5)", "flip(1/3)", "{1/2: 1/3, 3: 1/3, 4/3: 1/3}")


def expression(chosen: random.Random, depth: int) -> str:
    """Return a random expression over the variables a, b and c."""
    if depth == 0:
        return chosen.choice(["a", "b", "c", "1/7", "3", "5/2", "c/4"])
    x, y = expression(chosen, depth - 1), expression(chosen, depth - 1)
    forms = [
        "({x} + {y})",
        "({x} - {y})",
        "-({x})",
        "max({x}, {y})",
        "min({x}, {y})",
        "abs({x})",
        "floor({x})",
        "({x} * 3)",
        "({x} * {y})",
        "({x} % 2)",
        "(if a > b then {x} else {y})",
        "(({x} > 1) + {y})",
    ]
    return chosen.choice(forms).format(x=x, y=y)


@pytest.mark.parametrize("seed", range(20))
def test_no_drawn_run_has_a_part_that_is_left_out(seed: int) -> None:
    chosen = random.Random(seed)
    drawn = "\n".join(f"{name} ~ {chosen.choice(LAWS)}" for name in "abc")
    text = f"{drawn}\nx := {expression(chosen, 3)}\nif b > 1 {{ x := x + {expression(chosen, 1)} }}\ny := x - {expression(chosen, 1)}\n"
    core = unroll(check(SourceFile("random.seep", text)))

    parts = parts_after(core, {})

    runs = seepage.parse(text).sample(200, seed)
    for name in ("x", "y"):
        known = parts[name]
        if known is not None:
            for value in runs[name]:
                assert any(math.isclose((value - float(part) + 0.5) % 1, 0.5, abs_tol=1e-6) for part in known), (
                    text,
                    value,
                )


def test_parts_of_sums_and_choices() -> None:
    text = "a ~ poisson(1)\nb ~ flip(1/2)\ny := 3\nx := max(a, 0) + (if b then y/7 else 1/2) - 1\nz := a * 1/3\n"

    parts = parts_after(unroll(check(SourceFile("sums.seep", text))), {})

    assert parts["x"] == frozenset({Fraction(3, 7), Fraction(1, 2)})
    assert parts["z"] is None


@pytest.mark.parametrize(
    ("output", "loss"),
    [
        ("min(max(x + n, 0), 9) + min(max(x/7 + m, 0), 9)", math.inf),  # 8/7 is possible for x = 1, and never for x = 0
        ("max(x + n, 0) + max(x/7 + m, 0)", math.inf),
        ("max(x + n, 0) + max(x + m, 0)", None),  # both clamp to whole numbers: 2 behind two draws of noise at most
    ],
)
def test_an_output_of_clamped_sums_that_one_input_never_has(output: str, loss: float | None) -> None:
    text = (
        f"secret x\noutput o\nx ~ uniform_int(0, 1)\nn ~ discrete_laplace(1)\nm ~ discrete_laplace(1)\no := {output}\n"
    )

    found = seepage.parse(text).measure("DP(x -> o)")

    if loss is None:
        assert 1.0 <= found.lower <= found.upper <= 2.0 + 1e-9
    else:
        assert (found.lower, found.upper, found.certainty.value) == (math.inf, math.inf, "exact")
