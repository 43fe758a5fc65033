"""What a person does in the window, and what is then to be seen there."""

from __future__ import annotations

import os
import shutil
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.editors.installed import REPOSITORY
from tests.editors.vscode.browser import Page
from tests.editors.vscode.conftest import Session
from tests.editors.vscode.probing import Probe

pytestmark = pytest.mark.timeout(300)

EXAMPLE = REPOSITORY / "examples" / "randomized-response-single.seep"
LENS = ".codelens-decoration"
STATUS = ".statusbar-item"
NOTE = ".notification-toast"
THEMES = {"Default Light Modern": "light", "Default Dark Modern": "dark", "Default High Contrast": "dark"}
# What is left of these values in the sum of their squares takes many seconds to find.
TAKES_LONG = """secret s
output o
o := 0
for i in 1..40 {
    s[i] ~ uniform_int(0, 300)
    o := o + s[i]^2
}
"""
# The pictures of budgets' marks in the gutter, as far as they are in sight.
MARKS = """() => [...document.querySelectorAll(".margin-view-overlays .cgmr, .glyph-margin-widgets .cgmr")]
  .map((one) => getComputedStyle(one).backgroundImage.match(/(holds|violated|unknown)-(light|dark)/)?.[0]).filter(Boolean)"""


@pytest.fixture
def program(project: tuple[Page, Probe], request: pytest.FixtureRequest) -> Iterator[str]:
    """A copy of an example with a name of its own, open in the editor; closed afterwards, since every open program is analysed anew."""
    page, probe = project
    name = request.node.name.removeprefix("test_")[:40] + ".seep"
    shutil.copy(EXAMPLE, probe.folder / name)
    probe.ask("open", file=name)
    page.see(".tab.active", name)
    page.see(LENS, "0.16")
    yield name
    probe.ask("command", name="workbench.action.revertAndCloseActiveEditor")


@pytest.fixture
def look(
    session: Session, request: pytest.FixtureRequest, keep: Callable[[Page, Path, str], None]
) -> Callable[[Page, str], None]:
    """Keep a picture of a window for people to look at."""
    return lambda page, name: keep(page, session.home, f"{request.node.name}-{name}")


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
    page.press("Control+.")
    page.see(".action-widget", "declare 'param qq'")
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


def test_the_panel_opens_beside_the_program(
    project: tuple[Page, Probe], program: str, look: Callable[[Page, str], None]
) -> None:
    page, probe = project

    page.run("Seepage: Open Leakage Panel")

    page.see(".tab", "Leakage")
    assert "exact" in page.see_inside("0.16")
    look(page, "panel")
    probe.ask("command", name="workbench.action.closeEditorsInOtherGroups")


def test_a_click_on_a_lens_opens_the_panel_at_its_measure(
    project: tuple[Page, Probe], program: str, look: Callable[[Page, str], None]
) -> None:
    page, probe = project
    page.press("Control+End")

    page.click(f"{LENS} a", "0.84 bits")  # above 'show H(r | o)'

    page.see(".tab", "Leakage")
    assert "H(r | o) over its parameters" in page.see_inside("H(r | o) over its parameters")
    look(page, "panel")
    probe.ask("command", name="workbench.action.closeEditorsInOtherGroups")


def test_a_click_on_a_lens_in_the_group_of_the_panel_shows_both_the_program_and_its_numbers(
    project: tuple[Page, Probe], program: str, look: Callable[[Page, str], None]
) -> None:
    page, probe = project
    page.run("Seepage: Open Leakage Panel")
    page.see_inside("0.16")
    other = "in-the-group-of-the-panel.seep"
    (probe.folder / other).write_text("secret s\noutput o\ns ~ uniform_int(0, 4)\no := s\n", encoding="utf-8")
    probe.ask("command", name="workbench.action.focusSecondEditorGroup")
    probe.ask("open", file=other)

    page.click(f"{LENS} a", "2.32 bits")  # log2(5)

    assert other in page.see_inside("2.32")
    assert any(other in tab for tab in page.all(".tab.active"))
    look(page, "panel")
    probe.ask("command", name="workbench.action.closeAllEditors")


def test_a_pinned_panel_stays_with_its_program_until_a_lens_of_another_is_clicked(
    project: tuple[Page, Probe], program: str, look: Callable[[Page, str], None]
) -> None:
    page, probe = project
    page.run("Seepage: Open Leakage Panel")
    page.see_inside("0.16")
    page.click_inside("button", "Pin")
    page.wait(
        "() => document.activeElement?.tagName === 'IFRAME'"
    )  # the click has brought the panel's group to the front
    other = "beside-a-pinned-panel.seep"
    (probe.folder / other).write_text("secret s\noutput o\ns ~ uniform_int(0, 4)\no := s\n", encoding="utf-8")
    probe.ask("command", name="workbench.action.focusFirstEditorGroup")
    probe.ask("open", file=other)
    page.see(LENS, "2.32 bits")  # log2(5)
    assert other not in page.see_inside(program)

    page.click(f"{LENS} a", "2.32 bits")

    assert other in page.see_inside("2.32")
    look(page, "turned")
    page.click_inside("button", "Pin")
    probe.ask("command", name="workbench.action.closeAllEditors")


def test_no_third_group_is_made_where_program_and_panel_share_the_right_one(
    project: tuple[Page, Probe], program: str
) -> None:
    page, probe = project
    page.run("Seepage: Open Leakage Panel")
    page.see_inside("0.16")
    probe.ask("command", name="workbench.action.focusSecondEditorGroup")
    probe.ask("open", file=EXAMPLE.name)
    page.see(LENS, "0.16")

    page.run("Seepage: Open Leakage Panel")

    page.see_inside(EXAMPLE.name)
    assert len(page.all(".editor-group-container")) == 2
    assert {tab.strip() for tab in page.all(".tab.active")} == {"Leakage", EXAMPLE.name}
    probe.ask("command", name="workbench.action.closeAllEditors")


def test_a_measure_is_plotted_in_the_panel(project: tuple[Page, Probe], program: str) -> None:
    page, probe = project

    page.run("Seepage: Plot Measure")
    page.pick("H(o)")

    page.see(".tab", "Leakage")
    page.see_inside("H(o) over its parameters")
    probe.ask("command", name="workbench.action.closeEditorsInOtherGroups")


def test_the_status_opens_a_menu_of_what_can_be_done(
    project: tuple[Page, Probe], program: str, look: Callable[[Page, str], None]
) -> None:
    page, _ = project

    page.click(f"{STATUS} a", "Seepage: exact")

    page.see(".quick-input-list .monaco-list-row", "Open the Leakage panel")
    look(page, "menu")
    page.pick("Analyse this program")
    page.see(LENS, "0.16")


def test_a_measure_is_derived_beside_the_program(
    project: tuple[Page, Probe], program: str, look: Callable[[Page, str], None]
) -> None:
    page, probe = project

    page.run("Seepage: Open Leakage Panel")
    page.see_inside("Derivation of I(r; o)")

    page.run("Seepage: Explain Measure")
    page.pick("H(r | o)")

    assert "bernoulli(p)" in page.see_inside("Derivation of H(r | o)")
    assert any(program in tab for tab in page.all(".tab.active"))
    assert len(page.all(".editor-group-container")) == 2
    look(page, "derivation")
    probe.ask("command", name="workbench.action.closeEditorsInOtherGroups")


def test_marks_follow_the_theme(project: tuple[Page, Probe], program: str, look: Callable[[Page, str], None]) -> None:
    page, probe = project
    page.press("Control+End")

    for theme, kind in THEMES.items():
        probe.ask("setting", section="workbench", key="colorTheme", value=theme)
        page.wait(f"() => ({MARKS})().includes('holds-{kind}')")
        look(page, theme.removeprefix("Default ").lower().replace(" ", "-"))
    probe.ask("setting", section="workbench", key="colorTheme", value=None)
    page.wait(f"() => ({MARKS})().includes('holds-light')")


def test_a_restart_leaves_one_server_and_its_numbers(project: tuple[Page, Probe], program: str) -> None:
    page, probe = project
    before = servers(probe.folder)

    page.run("Seepage: Restart Language Server")
    page.run("Seepage: Restart Language Server")

    after = eventually(lambda: servers(probe.folder), lambda found: len(found) == 1 and found != before)
    assert len(before) == 1
    assert before != after
    page.see(LENS, "0.16")


def test_a_server_that_is_killed_comes_back(project: tuple[Page, Probe], program: str) -> None:
    page, probe = project
    (before,) = servers(probe.folder)

    os.kill(before, signal.SIGKILL)

    eventually(lambda: servers(probe.folder), lambda found: len(found) == 1 and found != [before])
    page.see(LENS, "0.16")
    page.see(STATUS, "Seepage: exact")
    assert page.all(NOTE) == []


def test_a_reload_leaves_no_server_behind(project: tuple[Page, Probe], program: str) -> None:
    page, probe = project
    (before,) = servers(probe.folder)

    page.reload()

    eventually(lambda: servers(probe.folder), lambda found: before not in found)
    page.open_file(EXAMPLE.name)
    page.see(LENS, "0.16")
    assert len(servers(probe.folder)) == 1


def test_set_up_information_names_the_server_and_what_it_says_of_itself(
    project: tuple[Page, Probe], look: Callable[[Page, str], None]
) -> None:
    page, probe = project

    page.run("Seepage: Show Setup Information")

    page.see(".tab.active", "set-up")
    text = probe.ask("text", until="Examination")
    assert "'.venv' of the workspace" in text
    assert "seepage-lsp" in text
    assert "the extension's own environment: none" in text
    look(page, "information")


def test_the_walkthrough_opens(project: tuple[Page, Probe], look: Callable[[Page, str], None]) -> None:
    page, _ = project
    page.open_file(EXAMPLE.name)
    page.see(LENS, "0.16")

    page.run("Seepage: Open Walkthrough")

    page.see(".gettingStartedContainer", "See what your programs leak")
    page.see(".gettingStartedContainer", "Set up the analysis")
    look(page, "walkthrough")
    done = ".getting-started-step:has(.codicon-getting-started-step-checked)"
    page.see(done, "Set up the analysis")  # both have happened before the walkthrough was opened
    page.see(done, "Read the numbers")


def test_without_python_the_program_is_coloured_and_one_message_after_the_other_says_what_helps(
    session: Session, look: Callable[[Page, str], None]
) -> None:
    folder = session.home / "bare"
    folder.mkdir()
    shutil.copy(EXAMPLE, folder)
    old = session.home / "old-python"
    old.write_text("#!/bin/sh\necho python 3 9\n", encoding="utf-8")
    old.chmod(0o755)
    page, probe = session.open(folder)
    page.open_file(EXAMPLE.name)

    assert "Set Up" in page.see(NOTE, "highlighted but not analysed")
    assert (
        page.evaluate(
            "() => new Set([...document.querySelectorAll('.view-line span span')].map((one) => one.className)).size"
        )
        > 3
    )
    page.see(STATUS, "Seepage: no analysis")
    look(page, "not-set-up")

    page.click(f"{NOTE} .monaco-button", "Set Up")
    assert "Get Python" in page.see(NOTE, "no Python was found")
    look(page, "no-python")
    page.run("Seepage: Open Leakage Panel")
    page.see_inside("no Python was found")

    probe.ask("setting", section="seepage", key="server.python", value=str(old))
    page.run("Seepage: Set Up the Analysis")
    assert "Choose Python" in page.see(NOTE, "found Python 3.9")

    probe.ask("setting", section="seepage", key="server.python", value=str(REPOSITORY / ".venv" / "bin" / "python"))
    page.see_no_more(STATUS, "Seepage: no analysis")
    page.see(LENS, "0.16")
    assert "no Python" not in (shown := page.see_inside("0.16"))
    assert "not analysed" not in shown
    look(page, "set-up")
    page.close()


def test_an_interpreter_that_is_chosen_in_the_python_extension_brings_its_server(
    session: Session, look: Callable[[Page, str], None]
) -> None:
    folder = session.home / "interpreter"
    folder.mkdir()
    shutil.copy(EXAMPLE, folder)
    page, probe = session.open(folder)
    page.open_file(EXAMPLE.name)
    page.see(STATUS, "Seepage: no analysis")
    python = REPOSITORY / ".venv" / "bin" / "python"

    probe.ask("command", name="seepage-probe.chooseInterpreter", arguments=[str(python)])

    page.see(LENS, "0.16")
    page.run("Seepage: Show Setup Information")
    assert f"* Python extension: {python}" in probe.ask("text", until="Examination")
    look(page, "chosen")
    page.close()


def test_without_a_network_the_set_up_says_so_and_can_be_tried_again(
    session: Session, look: Callable[[Page, str], None]
) -> None:
    folder = session.home / "offline"
    folder.mkdir()
    shutil.copy(EXAMPLE, folder)
    python = session.home / "some-python"
    python.symlink_to(Path(os.path.realpath(REPOSITORY / ".venv" / "bin" / "python")))
    page, probe = session.open(folder)
    page.open_file(EXAMPLE.name)
    probe.ask("setting", section="seepage", key="server.python", value=str(python))

    page.run("Seepage: Set Up the Analysis")

    assert "Try Again" in page.see(NOTE, "could not reach the package index", limit=120)
    look(page, "no-network")
    page.close()


def test_nothing_of_ours_is_in_the_log_of_errors(project: tuple[Page, Probe]) -> None:
    page, _ = project

    assert [line for line in page.said() if "seepage" in line.lower()] == []


def servers(folder: Path) -> list[int]:
    """Return the processes of language servers that were started from a folder's environment."""
    command = str(folder / ".venv" / "bin" / "seepage-lsp")
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                words = (entry / "cmdline").read_bytes().decode(errors="replace").split("\0")
                state = (entry / "stat").read_text().rpartition(")")[2].split()[0]
            except OSError:
                continue  # it has ended meanwhile
            if command in words and state != "Z":
                found.append(int(entry.name))
    return sorted(found)


def eventually(look: Callable[[], list[int]], good: Callable[[list[int]], bool], limit: float = 60) -> list[int]:
    """Look until what is seen is good; return what is seen last."""
    deadline = time.monotonic() + limit
    while not good(found := look()) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert good(found), found
    return found
