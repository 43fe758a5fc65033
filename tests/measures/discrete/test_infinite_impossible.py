"""Observations that no run passes, beside an infinite law: there is no posterior, so no number and no verdict."""

from __future__ import annotations

import pytest

from seepage import parse
from seepage.program import MeasureError

PROGRAM = "param q in [0, 1] = 1/4\nsecret s\noutput o\ns ~ geometric(1/2)\nb ~ bernoulli(1/3)\no := s\n"
ASKED = "show H(s)\nrequire H(s) <= 3\nrequire H(s) <= 1\n"


@pytest.mark.parametrize(
    ("condition", "rule"),
    [
        ("b > 1", "SEEP410"),
        ("b > b", "SEEP410"),
        ("q > 1/2", "SEEP410"),
        ("s < 0", "SEEP402"),
        ("s < b - 1", "SEEP402"),
    ],
)
def test_beside_an_infinite_law_what_no_run_passes_leaves_no_number_and_no_verdict(condition: str, rule: str) -> None:
    asked = parse(f"{PROGRAM}observe {condition}\n{ASKED}")

    answers = asked.analyze().answers
    assert [each.result for each in answers] == [None, None, None]
    assert [each.verdict for each in answers] == [None, "cannot tell", "cannot tell"]
    with pytest.raises(MeasureError) as met:
        asked.measure("H(s)")
    assert met.value.diagnostic.rule.code == rule


def test_where_some_run_passes_the_measures_stay() -> None:
    # H(s) is 2 bits: 1/2 of the runs need one coin, and the others one and what is left.
    answers = parse(f"{PROGRAM}observe b > 0\n{ASKED}").analyze().answers

    assert [each.verdict for each in answers] == [None, "holds", "violated"]
