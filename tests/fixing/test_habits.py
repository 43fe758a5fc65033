"""Habits of other languages: each is told in the words of who has it, and following the fixes that are offered ends in a program without an error.

The table is ``tests/fixtures/habits/habits.toml``; what is meant by each line stands there, written by hand.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from seepage.diagnostics import Diagnostic
from seepage.fixing import with_fix
from seepage.rules import COMMENT_FOR_DIVISION
from seepage.semantics.check import check
from seepage.source import SourceFile

TABLE = Path(__file__).parents[1] / "fixtures" / "habits" / "habits.toml"
HABITS = tomllib.loads(TABLE.read_text(encoding="utf-8"))["habit"]
habits = pytest.mark.parametrize("habit", HABITS, ids=lambda habit: f"{habit['language']}: {habit['source']}"[:50])
MOST_STEPS = 12


def faults(text: str) -> list[Diagnostic]:
    """Return the errors of a text, and its comments that look like divisions."""
    found = check(SourceFile("habit.seep", text)).diagnostics
    return [one for one in found if one.is_error or one.rule is COMMENT_FOR_DIVISION]


def mended(text: str) -> str:
    """Apply the first fix of the first fault that has one, again and again."""
    for _ in range(MOST_STEPS):
        fix = next((one.fixes[0] for one in faults(text) if one.fixes), None)
        if fix is None:
            break
        text = with_fix(text, fix)
    return text


@habits
def test_a_habit_is_told_in_the_words_of_who_has_it(habit: dict[str, str]) -> None:
    assert habit["says"] in [one.message for one in faults(habit["source"])]


@habits
def test_following_the_fixes_ends_in_the_program_that_is_meant(habit: dict[str, str]) -> None:
    text = mended(habit["source"])

    assert text == habit["fixed"]
    assert faults(text) == []


def test_the_table_has_habits_of_many_languages() -> None:
    assert len(HABITS) >= 200
    languages = {habit["language"] for habit in HABITS}
    assert {"Python", "R", "C", "JavaScript", "WebPPL", "PSI", "PRISM", "Stan", "Dice", "mathematics"} <= languages
