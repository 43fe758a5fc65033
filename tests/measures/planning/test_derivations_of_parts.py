"""Derivations of a program in independent parts: of one part, and how the parts add up."""

from __future__ import annotations

import seepage
from seepage.report.derivation import derivation_text

PUBLISHED = """
param eps in [0, 5] = 1
const n = 40
secret q
output o
for i in 1..n { q[i] ~ flip(1/2); truth ~ flip(exp(eps)/(1+exp(eps))); o[i] := if truth then q[i] else 1 - q[i] }
"""


def test_the_first_part_is_derived_and_the_sum_is_told() -> None:
    found = seepage.parse(PUBLISHED).explain("I(q; o)")

    assert found.measure == "I(q[1]; o[1])"
    assert found.notes[0].startswith("I(q; o) = 40·I(q[1]; o[1]), because the 40 parts, all alike, are independent (")
    assert not any(note.startswith("cut:") for note in found.notes)
    assert "⟨ 1/2·[q̲[1] = 1] + 1/2·[q̲[1] = 0] ⟩" in derivation_text(found)


def test_the_observations_that_were_looked_at_are_named() -> None:
    found = seepage.parse(PUBLISHED).explain("H(q | o[1] == 1 and q[3] == 0)")

    assert "also under what is observed: 'o[1] == 1', 'q[3] == 0'" in found.notes[0]
    assert found.notes[0].endswith("; the first one is derived")
