"""A secret that is assigned again is told once, however many elements it has, and takes no number that does not read it."""

from __future__ import annotations

import pytest

import seepage
from seepage import rules

SHUFFLE = (
    "secret a\noutput o\nfor i in 0..3 { a[i] := i }\n"
    "for i in 0..2 { j ~ uniform_int(0, 3)\nt := a[i]\na[i] := a[j]\na[j] := t }\n"
    "k ~ bernoulli(1/4)\nc := k\no := a[0]\n"
)


def test_a_shuffle_has_one_finding_and_numbers_of_all_that_it_leaves_alone() -> None:
    program = seepage.parse(f"{SHUFFLE}show I(a[0]; o)\nshow P(k)\nshow I(k; c)\n")

    analysis = program.analyze()

    told = [one for one in analysis.diagnostics if one.rule is rules.SECRET_ASSIGNED_TWICE]
    assert [one.message for one in told] == [
        "secret 'a' is assigned more than once, in 4 of its elements: say 'secret initial' or 'secret final'"
    ]
    assert [one.result is None for one in analysis.answers] == [True, False, False]
    assert analysis.answers[1].result is not None
    assert analysis.answers[1].result.number == 0.25


@pytest.mark.parametrize("which", ["initial", "final"])
def test_each_of_the_fixes_gives_it_a_number(which: str) -> None:
    """The last value of the first cell is what is shown; its first value is 0."""
    text = SHUFFLE.replace("secret a", f"secret {which} a")

    found = seepage.parse(text).measure("I(a[0]; o)")

    assert (found.lower > 0.5) == (which == "final")
    assert found.number == pytest.approx(seepage.parse(text).measure("H(o)").number if which == "final" else 0)
