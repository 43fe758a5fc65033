"""A reduction that poses its own kind of question again comes to an end."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.measures.planning.test_statistic import question

from seepage.measures.planning import planner
from seepage.measures.planning.question import Question
from seepage.measures.planning.reductions import Reduced, Reduction

PROGRAM = "secret s\noutput o\ns ~ uniform_int(0, 4000)\ne ~ student_t(3, 0, 1)\nf ~ beta(1, 2)\no := s + e*f\n"


@pytest.mark.parametrize("relation", ["=", "<="])
def test_a_reduction_that_poses_its_own_question_again_is_left_alone_after_some_times(
    relation: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    applied = []

    def again(asked: Question) -> Reduced:
        applied.append(asked)
        return Reduced((replace(asked),), lambda claims: claims[0], "=" if relation == "=" else "<=", "it is the same")

    monkeypatch.setattr(planner, "REDUCTIONS", (Reduction("the same again", "none", again),))

    found = planner.answer(question(PROGRAM, "V(s)"), [])

    assert found.enclosure.exact is not None
    assert len(applied) <= 8


def test_arguments_are_read_once_for_all() -> None:
    asked = question(PROGRAM, "Delta(s -> o, eps=1/2, distance=3)")

    assert asked.states("eps")
    assert not asked.states("delta")
    assert asked.argument("distance") == 3
    assert asked.argument("delta") is None
