"""What a person does with a program in the window, and what is then to be seen there."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable

import pytest
from tests.editors.vscode.browser import Page
from tests.editors.vscode.journeys import HEAT, LENS, MARKS, STATUS, TAKES_LONG, THEMES
from tests.editors.vscode.probing import Probe

pytestmark = pytest.mark.timeout(900)

COMMITTER = ("-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")


def test_opening_a_program_shows_what_leaks_and_marks_its_budget(
    project: tuple[Page, Probe], program: str, look: Callable[[Page, str], None]
) -> None:
    page, _ = project

    assert "exact" in page.see(LENS, "0.16")  # I(r; o) at p = 1/2, eps = 1 is 0.16005846201683 bits
    page.press("Control+End")
    page.see(LENS, "holds")
    assert page.wait(f"() => {{ const found = ({MARKS})(); return found.length > 0 && found; }}") == ["holds-light"]
    page.see(STATUS, "Seepage: exact")
    look(page, "opened")


def test_an_error_is_shown_while_typing_and_mended_by_a_quick_fix(
    project: tuple[Page, Probe], program: str, look: Callable[[Page, str], None]
) -> None:
    page, probe = project
    probe.ask("select", file=program, find="o := r }", by="r")

    page.type("qq")
    page.wait("() => document.querySelector('.squiggly-error') !== null")
    look(page, "error")
    probe.ask("diagnostics", file=program, until="'qq'")
    page.press_until("Control+.", ".action-widget", "declare 'param qq'")
    look(page, "fixes")
    page.click(".action-widget .monaco-list-row", "declare 'param qq'")

    page.wait("() => document.querySelector('.squiggly-error') === null")
    assert "param qq" in probe.ask("text", until="param qq")


def test_saving_brings_the_numbers_up_to_date_and_the_mark_of_an_overdrawn_budget(
    project: tuple[Page, Probe], program: str, look: Callable[[Page, str], None]
) -> None:
    page, probe = project
    probe.ask("select", file=program, find="<= 0.2 bits", by="0.2")

    page.type("0.1")
    page.see(LENS, "stale")
    page.press("Control+s")
    page.see(LENS, "violated")

    assert page.wait(f"() => ({MARKS})().includes('violated-light')")
    look(page, "violated")


@pytest.mark.variation(of="test_opening_a_program_shows_what_leaks_and_marks_its_budget")
def test_a_text_that_is_changed_on_disk_is_analysed_as_if_it_had_been_saved_here(
    project: tuple[Page, Probe], program: str
) -> None:
    page, probe = project
    file = probe.folder / program

    file.write_text(file.read_text(encoding="utf-8").replace("<= 0.2 bits", "<= 0.1 bits"), encoding="utf-8")

    page.see(LENS, "violated")
    page.see_no_more(LENS, "stale")
    # One key more, and the text is one that nobody has saved.
    probe.ask("select", file=program, find="<= 0.1 bits", by="1")
    page.type("3")
    page.see(LENS, "stale")
    assert "0.16 bits leak · exact · stale" in str(probe.ask("lenses", file=program))
    page.press("Control+z")
    page.see_no_more(LENS, "stale")


@pytest.mark.variation(of="test_opening_a_program_shows_what_leaks_and_marks_its_budget")
def test_a_leak_that_grew_since_the_last_commit_has_a_lens_and_its_statement_heat_in_the_gutter(
    project: tuple[Page, Probe], program: str, look: Callable[[Page, str], None]
) -> None:
    page, probe = project
    for words in (("init", "-q"), ("add", program), (*COMMITTER, "commit", "-q", "-m", "first")):
        subprocess.run(("git", *words), cwd=probe.folder, check=True, capture_output=True)

    try:
        probe.ask("replace", file=program, find="if t { o := r } else { o := !r }", by="o := r")
        probe.ask("save", file=program)
        page.see(LENS, "grew by 0.839942 bits since HEAD")  # all of 1 bit, after 1 - h(1/(e + 1)) = 0.160058
        page.press("Control+End")
        page.see(LENS, "holds in HEAD")  # the budget, which is violated now
        assert page.evaluate(HEAT) == []
        page.run("Seepage: Show or Hide Where It Leaks")
        # Without that assignment nothing is told; the draw of t decides nothing any more.
        assert page.wait(f"() => {{ const found = ({HEAT})(); return found.length > 0 && found; }}") == [
            "high-light o := r"
        ]
        look(page, "grew-and-hot")
        page.run("Seepage: Show or Hide Where It Leaks")
        page.wait(f"() => ({HEAT})().length === 0")
    finally:
        shutil.rmtree(probe.folder / ".git")


def test_a_hover_tells_formula_and_number(
    project: tuple[Page, Probe], program: str, look: Callable[[Page, str], None]
) -> None:
    page, _ = project
    page.press("Control+Home")
    page.point_at("{ o := r }", "o")

    text = page.see(".monaco-hover:not(.hidden) .hover-contents", "H(o)")

    assert "exact" in text
    look(page, "hover")
    page.move_away()


@pytest.mark.variation(of="test_opening_a_program_shows_what_leaks_and_marks_its_budget")
def test_a_new_program_from_a_template_has_numbers_at_once(
    project: tuple[Page, Probe], look: Callable[[Page, str], None]
) -> None:
    page, probe = project

    page.run("Seepage: New File from Template")
    page.pick("Dining cryptographers")

    page.see(LENS, "0.811")
    assert "xor" in probe.ask("text", until="xor")
    look(page, "template")
    probe.ask("command", name="workbench.action.revertAndCloseActiveEditor")


@pytest.mark.variation(of="test_opening_a_program_shows_what_leaks_and_marks_its_budget")
def test_the_editor_carries_on_documentation_and_indents_blocks(project: tuple[Page, Probe]) -> None:
    page, probe = project
    probe.ask("command", name="workbench.action.files.newUntitledFile", arguments=[{"languageId": "seep"}])
    page.see(".tab.active", "Untitled")

    page.type("/// one")
    page.press("Enter")
    page.type("two")
    assert probe.ask("text", until="two") == "/// one\n/// two"

    page.press("Control+a", "Delete")
    page.type("if t {")
    page.press("Enter")
    page.type("skip")
    assert probe.ask("text", until="skip") == "if t {\n    skip\n}"
    probe.ask("command", name="workbench.action.revertAndCloseActiveEditor")


@pytest.mark.variation(of="test_opening_a_program_shows_what_leaks_and_marks_its_budget")
def test_parameters_are_set_for_the_workspace_and_the_numbers_follow(
    project: tuple[Page, Probe], program: str, look: Callable[[Page, str], None]
) -> None:
    page, probe = project

    page.run("Seepage: Set Parameters")
    page.pick("eps")
    page.see(".quick-input-widget", "eps in [0, 10]")
    page.press("Control+a")
    page.type("20")
    page.see(".quick-input-widget", "outside of [0, 10]")
    look(page, "outside")
    page.press("Control+a")
    page.type("10")
    page.press("Enter")

    page.see(LENS, "0.999")  # I(r; o) at eps = 10 is 0.9993 bits
    assert probe.ask("settings", section="seepage", key="parameters") == {"eps": "10"}
    page.run("Seepage: Set Parameters")
    page.pick("Defaults for all")
    page.see(LENS, "0.16")


@pytest.mark.variation(of="test_opening_a_program_shows_what_leaks_and_marks_its_budget")
def test_an_analysis_that_takes_long_is_cancelled_and_can_be_run_again(
    project: tuple[Page, Probe], look: Callable[[Page, str], None]
) -> None:
    page, probe = project
    name = "takes-long.seep"
    (probe.folder / name).write_text(TAKES_LONG, encoding="utf-8")
    probe.ask("open", file=name)
    page.see(LENS, "computing")
    page.see(STATUS, "Seepage: computing")
    look(page, "computing")

    page.run("Seepage: Cancel Analysis")

    page.see(LENS, "cancelled")
    page.see_no_more(LENS, "computing")
    page.see_no_more(STATUS, "Seepage: computing")
    look(page, "cancelled")
    probe.ask("replace", file=name, find="1..40", by="1..1")
    page.run("Seepage: Analyse Now")
    page.see(LENS, "8.23 bits leak · exact")  # all: log2(301) = 8.2336
    page.see_no_more(LENS, "cancelled")
    probe.ask("save", file=name)  # what is on disk is analysed anew where an editor is left without saving
    probe.ask("command", name="workbench.action.closeActiveEditor")


@pytest.mark.variation(of="test_opening_a_program_shows_what_leaks_and_marks_its_budget")
def test_the_status_opens_a_menu_of_what_can_be_done(
    project: tuple[Page, Probe], program: str, look: Callable[[Page, str], None]
) -> None:
    page, _ = project

    page.click(f"{STATUS} a", "Seepage: exact")

    page.see(".quick-input-list .monaco-list-row", "Open the Leakage panel")
    look(page, "menu")
    page.pick("Analyse this program")
    page.see(LENS, "0.16")


@pytest.mark.variation(of="test_opening_a_program_shows_what_leaks_and_marks_its_budget")
def test_marks_follow_the_theme(project: tuple[Page, Probe], program: str, look: Callable[[Page, str], None]) -> None:
    page, probe = project
    page.press("Control+End")

    for theme, kind in THEMES.items():
        probe.ask("setting", section="workbench", key="colorTheme", value=theme)
        page.wait(f"() => ({MARKS})().includes('holds-{kind}')")
        look(page, theme.removeprefix("Default ").lower().replace(" ", "-"))
    probe.ask("setting", section="workbench", key="colorTheme", value=None)
    page.wait(f"() => ({MARKS})().includes('holds-light')")


@pytest.mark.variation(of="test_opening_a_program_shows_what_leaks_and_marks_its_budget")
def test_a_half_open_range_has_no_bracket_painted_as_unmatched_and_a_condition_no_dots(
    project: tuple[Page, Probe], look: Callable[[Page, str], None]
) -> None:
    page, probe = project
    file = "half-open.seep"
    text = "param p in (0, 1] = 1/4\nparam q in [0, 1) = 1/4\nsecret r\noutput o\n"
    text += "r ~ flip(1/2)\nn ~ flip(p)\no := r xor n\nshow H(r | o)\nz := (1 + 2\n"
    (probe.folder / file).write_text(text, encoding="utf-8")
    probe.ask("open", file=file)

    # The bracket of the last line is one: so it is known that they are painted.
    page.wait("() => document.querySelectorAll('.unexpected-closing-bracket, .squiggly-error').length > 0")
    look(page, "with an error")
    (probe.folder / file).write_text(text.replace("z := (1 + 2\n", ""), encoding="utf-8")

    assert "0.81" in page.see(LENS, "0.81")  # h(1/4) = 0.8113 bits
    assert page.wait("() => document.querySelectorAll('.bracket-highlighting-0').length > 0")
    assert page.wait("() => document.querySelectorAll('.unexpected-closing-bracket').length === 0")
    assert page.wait("() => document.querySelectorAll('.squiggly-hint').length === 0")
    look(page, "half-open")


@pytest.mark.variation(of="test_opening_a_program_shows_what_leaks_and_marks_its_budget")
def test_budgets_are_run_and_shown_like_tests(
    project: tuple[Page, Probe], program: str, look: Callable[[Page, str], None]
) -> None:
    page, probe = project
    tests = ".test-explorer .monaco-list-row"
    page.run("Testing: Focus on Test Explorer View")
    page.see(tests, program)

    page.run("Test: Run Tests in Current File")

    page.wait("() => document.querySelector('.test-explorer .codicon-testing-passed-icon') !== null")
    page.click(tests, program)
    page.press("ArrowRight")
    page.see(tests, "I(r; o) <= 0.2 bits")
    look(page, "tests")

    probe.ask("select", file=program, find="<= 0.2 bits", by="0.2")
    page.type("0.1")
    page.press("Control+s")
    page.run("Test: Run Tests in Current File")

    page.wait("() => document.querySelector('.test-explorer .codicon-testing-failed-icon') !== null")
    page.see(tests, "I(r; o) <= 0.1 bits")
    look(page, "failed-test")
    probe.ask("command", name="workbench.action.closePanel")
    probe.ask("command", name="workbench.view.explorer")
