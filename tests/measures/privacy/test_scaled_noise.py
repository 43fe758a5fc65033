"""Noise that parameters multiply, against the same noise with its scale written into its law, and against integrals over its density."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from seepage import parse

PROGRAM = """param w in {domain} = {value}
secret s
output o
s ~ uniform_int(0, 3)
n ~ {law}
m ~ laplace(1, 3)
o := {output}
"""
SPELLINGS = [
    ("[1, 2]", "laplace(0, 3)", "s + w*n", "laplace(0, 3*w)"),
    ("[1, 2]", "laplace(0, 3)", "s - n*w/2", "laplace(0, 3*w/2)"),
    ("[1, 2]", "laplace(0, 3)", "s + w*(w*n)", "laplace(0, 3*w^2)"),
    ("[-2, -1]", "laplace(0, 3)", "s + w*n", "laplace(0, -3*w)"),
    ("[1, 2]", "laplace(0, 3)", "w*s + n", "laplace(0, 3/w)"),
    ("[1, 2]", "laplace(0, 3)", "w*s*(w + 1) - n/w", "laplace(0, 3/(w^2*(w + 1)))"),
    ("[-2, -1]", "laplace(0, 3)", "n + w*s", "laplace(0, -3/w)"),
    ("(0, 2]", "laplace(0, 3)", "w*(s + n)", "laplace(0, 3)"),
    ("[1, 2]", "normal(0, 9)", "s + w*n", "normal(0, 9*w^2)"),
    ("[1, 2]", "normal(0, std=3)", "w*s + n", "normal(0, std=3/w)"),
]


def asked(output: str, law: str, domain: str, value: str = "1") -> str:
    return PROGRAM.format(domain=domain, value=value, law=law, output=output)


@pytest.mark.family(every=4)
@pytest.mark.parametrize(("domain", "law", "output", "same"), SPELLINGS)
def test_a_multiple_of_noise_is_noise_of_another_scale(domain: str, law: str, output: str, same: str) -> None:
    """Also over ranges, where budgets are decided that have no single number."""
    value = "-1" if domain.startswith("[-") else "1"
    questions = ("DP(s -> o, distance=1)", "Delta(s -> o, eps=1/4, distance=1)")
    spelled, plain = (parse(asked(*each, domain, value)) for each in ((output, law), ("s + n", same)))

    for question in questions:
        one, other = spelled.measure(question), plain.measure(question)
        assert (one.lower, one.upper) == pytest.approx((other.lower, other.upper), rel=1e-12)
        assert (one.formula is None) == (other.formula is None)
        budget = f"require {question} <= {other.upper * 1.5 if math.isfinite(other.upper) else 5} over w in {domain}\n"
        verdicts = [
            parse(asked(*each, domain, value) + budget).analyze(seconds=20).answers[-1].verdict
            for each in ((output, law), ("s + n", same))
        ]
        assert verdicts[0] == verdicts[1] != "cannot tell"


def information(density: Callable[[np.ndarray], np.ndarray], factor: float) -> float:
    """Return ``I(s; factor·s + n)`` in bits of four equally likely values, as a sum over a fine grid."""
    grid = np.linspace(-60, 70, 1_300_001)
    rows = [density(grid - factor * value) for value in range(4)]
    mean = sum(rows) / 4
    told = sum(np.where(row > 0, row * np.log2(np.maximum(row, 1e-300) / np.maximum(mean, 1e-300)), 0) for row in rows)
    return float(np.sum(told) / 4 * (grid[1] - grid[0]))


@pytest.mark.parametrize(
    ("law", "density"),
    [
        ("laplace(0, 3/2)", lambda x: np.exp(-np.abs(x) / 1.5) / 3),
        ("normal(0, 4)", lambda x: np.exp(-x * x / 8) / math.sqrt(8 * math.pi)),
    ],
)
def test_a_budget_holds_as_far_as_the_least_noise_lets_it(
    law: str, density: Callable[[np.ndarray], np.ndarray]
) -> None:
    """Of ``w*s + n`` the largest w tells most: the number there decides."""
    told = information(density, 2)
    budgets = [f"require I(s; o) <= {told * by:.9f} bits over w in [1, 2]\n" for by in (1.0001, 0.9999)]

    verdicts = [
        parse(asked("w*s + n", law, "[1, 2]") + budget).analyze(seconds=20).answers[-1].verdict for budget in budgets
    ]

    assert verdicts == ["holds", "violated"]


@pytest.mark.parametrize(
    ("domain", "output", "loss"),
    [("[-1, 2]", "s + w*n", 1 / 3), ("[0, 2]", "w*s + n", 1 / 3), ("[1, 2]", "w*s + n + n", 1 / 6)],
)
def test_of_unknown_sign_or_read_twice_noise_stays_what_it_is(domain: str, output: str, loss: float) -> None:
    """At w = 1 the loss is one over the scale of what is added; a formula that held there alone would mislead."""
    found = parse(asked(output, "laplace(0, 3)", domain)).measure("DP(s -> o, distance=1)")

    assert found.lower <= loss * (1 + 1e-12)
    assert found.upper >= loss * (1 - 1e-12)
    assert found.upper == pytest.approx(loss, rel=1e-9)
    assert found.formula is None or "w" in str(found.formula)
