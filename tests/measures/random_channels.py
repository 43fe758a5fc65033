"""Channels as programs, and as matrices for oracles that know nothing of Seepage."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from hypothesis import strategies as st

import seepage

Matrix = Sequence[Sequence[Fraction]]


@st.composite
def matrices(draw: st.DrawFn, most_inputs: int = 4, most_outputs: int = 4) -> list[list[Fraction]]:
    """Draw a channel: rows of rational probabilities, some of them 0."""
    inputs, outputs = draw(st.integers(2, most_inputs)), draw(st.integers(2, most_outputs))
    rows = []
    for _ in range(inputs):
        weights = draw(st.lists(st.integers(0, 6), min_size=outputs, max_size=outputs).filter(any))
        rows.append([Fraction(weight, sum(weights)) for weight in weights])
    return rows


def program(rows: Matrix, prior: Sequence[Fraction] | None = None) -> seepage.Program:
    """Return a program in which ``x`` is the number of a row and ``y`` that of a column."""
    shares = prior or [Fraction(1, len(rows))] * len(rows)
    lines = ["secret x", "output y", f"x ~ categorical({', '.join(map(str, shares))})"]
    for number, row in enumerate(rows):
        head = (
            f"if x == {number}" if number == 0 else f"}} else if x == {number}" if number < len(rows) - 1 else "} else"
        )
        lines.append(f"{head} {{ y ~ categorical({', '.join(map(str, row))})")
    return seepage.parse("\n".join([*lines, "}"]))
