"""The examples in an old and a new Neovim, set up as the documentation shows: what their own clients receive while a user works."""

from __future__ import annotations

from typing import Any

import pytest
from tests.editors import sessions
from tests.editors.installed import neovim, new_neovim
from tests.editors.neovim.probing import run_plan
from tests.editors.plans import USE_THE_EXAMPLES, WRITE_MANY_SCRIPTS, answers_by_name
from tests.editors.required import have
from tests.editors.terminal import shown

pytestmark = pytest.mark.timeout(900)

# The page shows the set-up of the new one first.
VERSIONS = {"0.11": (new_neovim, 0), "0.7": (neovim, 1)}


@pytest.fixture(scope="module", params=VERSIONS)
def answers(request: pytest.FixtureRequest) -> dict[str, Any]:
    part, which = VERSIONS[request.param]
    setup = shown("neovim.md", "lua", which)
    return answers_by_name(run_plan(have(part), setup, [*USE_THE_EXAMPLES, *WRITE_MANY_SCRIPTS]))


def test_findings_follow_the_text(answers: dict[str, Any]) -> None:
    sessions.saw_findings_follow_the_text(answers)


def test_hovers_tell_entropy_and_documentation(answers: dict[str, Any]) -> None:
    sessions.saw_hovers(answers)


def test_lenses_tell_the_leak_and_that_it_is_exact(answers: dict[str, Any]) -> None:
    sessions.saw_lenses(answers)


def test_places_are_kept_behind_emoji(answers: dict[str, Any]) -> None:
    sessions.kept_its_place_behind_emoji(answers)
