"""The examples in real VS Code, with the packed extension: what its own providers answer while a user works."""

from __future__ import annotations

from typing import Any

import pytest
from tests.editors.installed import vscode
from tests.editors.plans import MECHANISM, USE_THE_EXAMPLES, answers_by_name, beyond_hints, errors, titles
from tests.editors.required import have
from tests.editors.vscode.probing import run_plan

pytestmark = pytest.mark.timeout(300)

COMMANDS = [
    {"do": "command", "name": "seepage.restartServer"},
    {"do": "lenses", "file": MECHANISM, "until": "holds", "name": "lenses after a restart"},
]


@pytest.fixture(scope="module")
def answers() -> dict[str, Any]:
    parts = have(vscode)
    return answers_by_name(run_plan(parts, [*USE_THE_EXAMPLES, *COMMANDS]))


def test_lenses_tell_the_leak_and_that_it_is_exact(answers: dict[str, Any]) -> None:
    shown = titles(answers["lenses of one answer"])

    assert "0.16" in shown  # I(r; o) at p = 1/2, eps = 1 is 0.16005846201683 bits
    assert "exact" in shown
    assert "holds" in shown


def test_a_click_on_a_lens_calls_what_the_extension_registers(answers: dict[str, Any]) -> None:
    assert {lens["command"] for lens in answers["lenses of one answer"]} == {"seepage.showResult"}


def test_hover_on_an_output_tells_its_entropy_with_the_formula(answers: dict[str, Any]) -> None:
    text = "\n".join(answers["hover on o"])

    assert "H(o)" in text
    assert "eps" in text
    assert "exact" in text


def test_hover_on_a_secret_tells_what_leaks_and_its_documentation(answers: dict[str, Any]) -> None:
    text = "\n".join(answers["hover on r"])

    assert "The true answer." in text
    assert "0.16" in text


def test_examples_have_no_errors(answers: dict[str, Any]) -> None:
    assert beyond_hints(answers["findings at first"]) == []
    assert errors(answers["findings of the mechanism"]) == []


def test_an_unknown_name_is_found_at_its_place_while_typing(answers: dict[str, Any]) -> None:
    found = errors(answers["findings when broken"])

    assert [finding["covers"] for finding in found] == ["answer"]
    assert found[0]["code"].startswith("SEEP1")


def test_mending_takes_the_finding_away(answers: dict[str, Any]) -> None:
    assert beyond_hints(answers["findings when mended"]) == []


def test_an_overdrawn_budget_is_an_error_at_the_budget(answers: dict[str, Any]) -> None:
    found = errors(answers["findings when overdrawn"])

    assert [finding["code"][:5] for finding in found] == ["SEEP5"]
    assert found[0]["covers"].startswith("require I(r; o) <= 0.1")
    assert "violated" in titles(answers["lenses when overdrawn"])


def test_the_continuous_case_study_has_its_numbers(answers: dict[str, Any]) -> None:
    shown = titles(answers["lenses of the mechanism"])

    assert "0.1009" in shown or "0.101" in shown  # I(inc[1]; out) is 0.10095447828860 nats
    assert "incomes" in "\n".join(answers["hover on inc"])


def test_a_restart_brings_the_results_back(answers: dict[str, Any]) -> None:
    assert titles(answers["lenses after a restart"]) == titles(answers["lenses of the mechanism"])
