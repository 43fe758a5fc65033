"""Programs made of parts, from matrices."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction

import pytest
from hypothesis import strategies as st
from tests.measures.planning.brute_force import Pair

import seepage
from seepage.measures.planning import estimate
from seepage.measures.planning.reductions import parts_by_tables


def shares(draw: st.DrawFn, count: int, least: int = 0) -> list[Fraction]:
    """Draw chances that sum to 1."""
    weights = draw(st.lists(st.integers(least, 4), min_size=count, max_size=count).filter(any))
    return [Fraction(weight, sum(weights)) for weight in weights]


@st.composite
def pairs(draw: st.DrawFn, most_inputs: int = 3, most_outputs: int = 3) -> Pair:
    """Draw a secret and a channel; every value of the secret is possible."""
    inputs, outputs = draw(st.integers(2, most_inputs)), draw(st.integers(2, most_outputs))
    return Pair(shares(draw, inputs, 1), [shares(draw, outputs) for _ in range(inputs)])


def table(chances: Sequence[Fraction]) -> str:
    """Return a law over numbers from 0."""
    return f"categorical({', '.join(map(str, chances))})"


def release(x: str, y: str, rows: Sequence[Sequence[Fraction]]) -> str:
    """Return statements that send a number through a channel."""
    arms = [f"if {x} == {number} {{ {y} ~ {table(row)} }}" for number, row in enumerate(rows)]
    return " else ".join(arms)


def of_pairs(every: Sequence[Pair]) -> str:
    """Return a program of independent pairs ``x[i]``, ``y[i]``."""
    lines = ["secret x", "output y"]
    for number, pair in enumerate(every):
        lines += [f"x[{number}] ~ {table(pair.prior)}", release(f"x[{number}]", f"y[{number}]", pair.rows)]
    return "\n".join(lines)


def of_one_secret(prior: Sequence[Fraction], channels: Sequence[Sequence[Sequence[Fraction]]]) -> str:
    """Return a program of one secret ``x`` and outputs ``y[i]`` that are independent given it."""
    lines = ["secret x", "output y", f"x ~ {table(prior)}"]
    lines += [release("x", f"y[{number}]", rows) for number, rows in enumerate(channels)]
    return "\n".join(lines)


@contextmanager
def taken_apart() -> Iterator[None]:
    """Have the planner take apart what it would answer by one law, small as it is."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(estimate, "SMALL", -1.0)
        patch.setattr(estimate, "LARGE", -1.0)
        patch.setattr(parts_by_tables, "_FEW_DRAWS", -1)
        patch.setattr(parts_by_tables, "_FEW_NAMES", 0)
        yield


def measured(text: str, measure: str) -> seepage.Result:
    """Return a measure of a program, taken apart, and check that it agrees with one law."""
    with taken_apart():
        return seepage.parse(text).measure(measure)
