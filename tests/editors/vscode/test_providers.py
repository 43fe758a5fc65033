"""The examples in real VS Code, with the packed extension: what its own providers answer while a user works; at last, that all of it left no errors."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.editors.installed import REPOSITORY
from tests.editors.plans import MECHANISM, ONE_ANSWER, USE_THE_EXAMPLES, answers_by_name, beyond_hints, errors, titles
from tests.editors.vscode.browser import Page
from tests.editors.vscode.probing import Probe

pytestmark = pytest.mark.timeout(900)


@pytest.fixture(scope="module")
def answers(project: tuple[Page, Probe]) -> dict[str, Any]:
    _, probe = project
    told = answers_by_name(probe.carry_out(USE_THE_EXAMPLES))
    probe.ask("command", name="seepage.restartServer")
    again = probe.ask("lenses", file=MECHANISM, until="holds", unless="computing")
    return {**told, "lenses after a restart": again}


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


def test_activation_happened_before_any_program_was_open(project: tuple[Page, Probe]) -> None:
    activation = project[1].activation

    assert activation["before"] is False  # so that the milliseconds below are those of loading and activating
    print(f"activation: {activation['milliseconds']:.0f} ms")


def test_words_of_the_editor_are_those_of_the_language(project: tuple[Page, Probe]) -> None:
    _, probe = project
    (probe.folder / "words.seep").write_text("größe_1 ~ bernoulli(1.5e-3)\nκ[2] := größe_1\n", encoding="utf-8")

    assert probe.ask("words", file="words.seep") == ["größe_1", "bernoulli", "1.5e-3", "κ", "2"]


def test_every_command_that_the_extension_names_is_there(project: tuple[Page, Probe]) -> None:
    manifest = json.loads((REPOSITORY / "vscode-extension" / "package.json").read_text(encoding="utf-8"))
    named = {command["command"] for command in manifest["contributes"]["commands"]}

    assert named <= set(project[1].ask("commands"))


@pytest.mark.variation(of="test_an_unknown_name_is_found_at_its_place_while_typing")
def test_the_task_checks_all_programs_and_its_findings_reach_the_problems(project: tuple[Page, Probe]) -> None:
    _, probe = project
    for example in probe.folder.glob("*.seep"):  # a check of all examples is no part of the editor, and takes a minute
        if example.name not in (ONE_ANSWER, MECHANISM):
            example.unlink()
    broken = probe.folder / "broken.seep"
    broken.write_text("secret x\noutput o\nx ~ flip(1/2)\no := y\n", encoding="utf-8")

    assert probe.ask("task", name="check all programs") == {"ended": 1}
    found = probe.ask("problems", file=broken.name, until="SEEP101")

    assert [(one["code"], one["line"]) for one in found if one["code"] == "SEEP101"] == [("SEEP101", 3)]
    broken.unlink()


def test_nothing_of_ours_is_in_the_log_of_errors(project: tuple[Page, Probe]) -> None:
    page, _ = project

    lines = [line.replace("seepage-editors", "") for line in page.said()]  # the folder that VS Code itself lies in
    assert [line for line in lines if "seepage" in line.lower()] == []
