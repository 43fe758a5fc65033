"""The examples in an old and a new Neovim, set up as the documentation shows: what their own clients receive while a user works."""

from __future__ import annotations

from typing import Any

import pytest
from tests.editors import sessions
from tests.editors.installed import compiler, neovim, new_neovim
from tests.editors.neovim.probing import run_plan
from tests.editors.plans import ONE_ANSWER, USE_THE_EXAMPLES, WRITE_MANY_SCRIPTS, Step, answers_by_name
from tests.editors.required import have
from tests.editors.terminal import shown

pytestmark = pytest.mark.timeout(900)

# The grammar for tree-sitter, in a loop, and in the first example before, while and after that is broken.
READ_BY_THE_GRAMMAR: list[Step] = [
    {"do": "open", "file": "randomized-response.seep"},
    {"do": "grammar", "find": "    r[i]", "name": "grammar of a block"},
    {"do": "open", "file": ONE_ANSWER},
    {"do": "grammar", "find": "bernoulli(p)", "name": "grammar of a law"},
    {"do": "replace", "find": "o := r }", "by": "o := := r }"},
    {"do": "grammar", "find": "secret r", "name": "grammar when broken"},
    {"do": "replace", "find": "o := := r }", "by": "o := r }"},
    {"do": "grammar", "find": "secret r", "name": "grammar when mended"},
    {"do": "save"},
]

# The page shows the set-up of the new one first.
WITH_GRAMMAR, GRAMMAR = "0.11", 3
VERSIONS = {WITH_GRAMMAR: (new_neovim, 0), "0.7": (neovim, 1)}


OLD = pytest.param("0.7", marks=pytest.mark.variation(of="test_findings_follow_the_text"))


@pytest.fixture(scope="module", params=[WITH_GRAMMAR, OLD])
def answers(request: pytest.FixtureRequest) -> dict[str, Any]:
    part, which = VERSIONS[request.param]
    setup = shown("neovim.md", "lua", which)
    plan = [*USE_THE_EXAMPLES, *WRITE_MANY_SCRIPTS]
    if request.param == WITH_GRAMMAR:
        have(compiler)
        setup = f"vim.fn.system([==[\n{shown('neovim.md', 'sh')}]==])\n{setup}{shown('neovim.md', 'lua', GRAMMAR)}"
        plan = [*READ_BY_THE_GRAMMAR, *plan]
    return answers_by_name(run_plan(have(part), setup, plan))


def test_findings_follow_the_text(answers: dict[str, Any]) -> None:
    sessions.saw_findings_follow_the_text(answers)


def test_hovers_tell_entropy_and_documentation(answers: dict[str, Any]) -> None:
    sessions.saw_hovers(answers)


def test_lenses_tell_the_leak_and_that_it_is_exact(answers: dict[str, Any]) -> None:
    sessions.saw_lenses(answers)


def test_places_are_kept_behind_emoji(answers: dict[str, Any]) -> None:
    sessions.kept_its_place_behind_emoji(answers)


@pytest.mark.parametrize("answers", [WITH_GRAMMAR], indirect=True)
def test_the_grammar_colours_folds_and_finds_the_place_that_is_broken(answers: dict[str, Any]) -> None:
    block = answers["grammar of a block"]

    assert block["highlights"]
    assert block["fold"] == 1
    assert answers["grammar of a law"]["colours"] == ["function.call"]
    assert not answers["grammar of a law"]["error"]
    assert answers["grammar when broken"]["error"]
    assert not answers["grammar when mended"]["error"]
