"""The examples in Vim with ALE, set up as the documentation shows."""

from __future__ import annotations

from typing import Any

import pytest
from tests.editors import sessions
from tests.editors.installed import vim
from tests.editors.plans import USE_THE_EXAMPLES, WRITE_MANY_SCRIPTS, answers_by_name, without_lenses
from tests.editors.required import have
from tests.editors.terminal import shown
from tests.editors.vim.probing import run_plan

pytestmark = pytest.mark.timeout(900)


@pytest.fixture(scope="module")
def answers() -> dict[str, Any]:
    # ALE takes columns in units of the protocol for bytes: behind an emoji it asks about another place of the line.
    plan = [
        step
        for step in [*USE_THE_EXAMPLES, *WRITE_MANY_SCRIPTS]
        if "behind emoji" not in step.get("name", "") or step["do"] != "hover"
    ]
    return answers_by_name(run_plan(have(vim), shown("vim.md", "vim"), without_lenses(plan)))


def test_findings_follow_the_text(answers: dict[str, Any]) -> None:
    sessions.saw_findings_follow_the_text(answers)


def test_hovers_show_the_numbers(answers: dict[str, Any]) -> None:
    sessions.saw_hovers(answers)
    sessions.saw_numbers_of_budgets_in_hovers(answers)


def test_the_text_is_kept_behind_emoji(answers: dict[str, Any]) -> None:
    sessions.kept_the_text_behind_emoji(answers)
