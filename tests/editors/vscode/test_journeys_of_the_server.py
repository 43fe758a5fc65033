"""What is seen of the server: that it starts, restarts, ends, and what helps where there is none."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.editors.installed import REPOSITORY
from tests.editors.vscode.browser import Page
from tests.editors.vscode.conftest import Session
from tests.editors.vscode.journeys import EXAMPLE, LENS, NOTE, STATUS, eventually, servers
from tests.editors.vscode.probing import Probe

pytestmark = [
    pytest.mark.timeout(900),
    pytest.mark.variation(
        of="tests/editors/vscode/test_journeys.py::test_opening_a_program_shows_what_leaks_and_marks_its_budget"
    ),
]


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
