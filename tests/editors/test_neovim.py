"""The examples in Neovim: what its own client receives while a user works."""

from __future__ import annotations

from typing import Any

import pytest
from tests.editors.installed import neovim
from tests.editors.neovim.probing import run_plan
from tests.editors.plans import USE_THE_EXAMPLES, answers_by_name, beyond_hints, errors, titles
from tests.editors.required import have

pytestmark = pytest.mark.timeout(300)


@pytest.fixture(scope="module")
def answers() -> dict[str, Any]:
    nvim = have(neovim)
    return answers_by_name(run_plan(nvim, USE_THE_EXAMPLES))


def test_lenses_tell_the_leak_and_that_it_is_exact(answers: dict[str, Any]) -> None:
    shown = titles(answers["lenses of one answer"])

    assert "0.16" in shown  # I(r; o) at p = 1/2, eps = 1 is 0.16005846201683 bits
    assert "exact" in shown
    assert "holds" in shown


def test_hovers_tell_entropy_formula_and_documentation(answers: dict[str, Any]) -> None:
    assert "H(o)" in "\n".join(answers["hover on o"])
    assert "eps" in "\n".join(answers["hover on o"])
    assert "The true answer." in "\n".join(answers["hover on r"])


def test_findings_follow_the_text(answers: dict[str, Any]) -> None:
    assert beyond_hints(answers["findings at first"]) == []
    assert [finding["covers"] for finding in errors(answers["findings when broken"])] == ["answer"]
    assert beyond_hints(answers["findings when mended"]) == []


def test_an_overdrawn_budget_is_an_error_at_the_budget(answers: dict[str, Any]) -> None:
    found = errors(answers["findings when overdrawn"])

    assert len(found) == 1
    assert found[0]["covers"].startswith("require I(r; o) <= 0.1")
    assert "violated" in titles(answers["lenses when overdrawn"])


def test_the_continuous_case_study_has_its_numbers(answers: dict[str, Any]) -> None:
    shown = titles(answers["lenses of the mechanism"])

    assert "0.1009" in shown or "0.101" in shown  # I(inc[1]; out) is 0.10095447828860 nats
    assert errors(answers["findings of the mechanism"]) == []
