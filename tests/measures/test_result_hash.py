"""Results are values: equal ones stand for each other in sets and as keys."""

from __future__ import annotations

from dataclasses import replace

import pytest

import seepage
from seepage.measures.result import Result

DISCRETE = "param p in (0, 1) = 1/3\nsecret s\noutput o\ns ~ flip(1/2)\nn ~ flip(p)\no := s xor n"
GAUSSIAN = "secret s\noutput o\ns ~ normal(0, 1)\nn ~ laplace(0, 1)\no := s + n"
ASKED = ((DISCRETE, "I(s; o)"), (DISCRETE, "Lmin(s -> o)"), (GAUSSIAN, "I(s; o)"))


@pytest.mark.parametrize(("program", "measure"), ASKED)
def test_equal_results_hash_equal(program: str, measure: str) -> None:
    found = seepage.parse(program).measure(measure)
    same = replace(found, params=dict(found.params))

    assert found == same
    assert hash(found) == hash(same)
    assert {found: "kept"}[same] == "kept"


def test_results_at_other_parameters_stay_apart_in_sets() -> None:
    program = seepage.parse(DISCRETE)
    first: Result = program.measure("H(s)")
    second = replace(first, params={"p": "2/3"})

    assert first != second
    assert len({first, second}) == 2
