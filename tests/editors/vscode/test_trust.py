"""Folders that are not trusted, and folders that are not on this machine: what runs there, and what must not."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.editors.installed import REPOSITORY, SERVER
from tests.editors.vscode.browser import Page
from tests.editors.vscode.conftest import NO_INDEX, Session, begin

pytestmark = [
    pytest.mark.timeout(900),
    pytest.mark.variation(
        of="tests/editors/vscode/test_journeys.py::test_opening_a_program_shows_what_leaks_and_marks_its_budget"
    ),
]

EXAMPLE = REPOSITORY / "examples" / "randomized-response-single.seep"
LENS = ".codelens-decoration"
STATUS = ".statusbar-item"
NOTE = ".notification-toast"
COLOURS = "() => new Set([...document.querySelectorAll('.view-line span span')].map((one) => one.className)).size"
TRUST = ".workspace-trust-editor .monaco-button"


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    """A machine that trusts nothing yet."""
    home = tmp_path_factory.mktemp("trust")
    folder = home / "strange"
    folder.mkdir()
    with begin(home, folder, NO_INDEX, trusting=False) as session:
        yield session


@pytest.fixture
def look(
    session: Session, request: pytest.FixtureRequest, keep: Callable[[Page, Path, str], None]
) -> Callable[[Page, str], None]:
    """Keep a picture of a window for people to look at."""
    return lambda page, name: keep(page, session.home, f"{request.node.name}-{name}")


def test_nothing_of_a_folder_runs_before_it_is_trusted_and_the_server_starts_when_it_is(
    session: Session, look: Callable[[Page, str], None]
) -> None:
    folder = session.window.folder
    shutil.copy(EXAMPLE, folder)
    ran = session.home / "ran"
    trap(folder / ".venv" / "bin" / "seepage-lsp", ran)
    trap(folder / "tools" / "seepage-lsp", ran)
    trap(folder / "tools" / "python", ran)
    settings = {"seepage.server.path": str(folder / "tools" / "seepage-lsp"), "seepage.server.python": "tools/python"}
    (folder / ".vscode").mkdir()
    (folder / ".vscode" / "settings.json").write_text(json.dumps(settings), encoding="utf-8")

    page, probe = session.open(folder)
    assert probe.ask("trusted") is False
    page.open_file(EXAMPLE.name)
    assert "Set Up" in page.see(NOTE, "this folder is not trusted")
    page.see(STATUS, "Seepage: no analysis")
    assert page.evaluate(COLOURS) > 3
    look(page, "untrusted")
    # The Python that the folder names is none to set up with. (Of tasks, VS Code itself asks for trust first.)
    page.run("Seepage: Set Up the Analysis")
    page.see(NOTE, "no Python was found")
    page.run("Seepage: Restart Language Server")
    assert not ran.exists()

    # A server of the person's own is no matter of trust.
    probe.ask("setting", section="seepage", key="server.path", value=str(SERVER), everywhere=True)
    page.see(LENS, "0.16 bits leak")
    assert not ran.exists()
    probe.ask("setting", section="seepage", key="server.path", value=None, everywhere=True)
    page.see(STATUS, "Seepage: no analysis")

    page.evaluate("() => { window.stillTheSame = true; return true; }")
    page.run("Workspaces: Manage Workspace Trust")
    look(page, "asked")
    page.click(TRUST, "Trust")
    page.open_file(EXAMPLE.name)
    page.see(LENS, "0.16 bits leak")
    page.see(STATUS, "Seepage: exact")
    assert probe.ask("trusted") is True
    assert page.evaluate("() => window.stillTheSame")
    assert ran.read_text(encoding="utf-8").splitlines() == [str(folder / "tools" / "seepage-lsp")]
    look(page, "trusted")
    page.close()


def test_a_folder_that_is_not_on_this_machine_is_coloured_and_analysed_as_it_is_open(
    session: Session, look: Callable[[Page, str], None]
) -> None:
    files = session.virtual("elsewhere")
    files.mkdir(parents=True)
    shutil.copy(EXAMPLE, files)
    page, probe = session.open_virtual("elsewhere")

    probe.ask("open", file=EXAMPLE.name)  # VS Code finds files by name where it can search them
    assert "Set Up" in page.see(NOTE, "this folder is not on this machine")
    assert page.evaluate(COLOURS) > 3
    page.see(STATUS, "Seepage: no analysis")
    look(page, "highlighted")

    probe.ask("setting", section="seepage", key="server.path", value=str(SERVER), everywhere=True)
    page.see(LENS, "0.16 bits leak")
    page.see(STATUS, "Seepage: exact")
    # What is analysed is the text that is open, before and after it is saved.
    probe.ask("select", file=EXAMPLE.name, find="<= 0.2 bits", by="0.2")
    page.type("0.1")
    page.see(LENS, "stale")
    page.press("Control+s")
    page.see(LENS, "violated")
    look(page, "analysed")
    probe.ask("setting", section="seepage", key="server.path", value=None, everywhere=True)
    page.close()


def trap(file: Path, ran: Path) -> None:
    """Make a program that leaves a line with its name when it is run, and is then the language server."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f'#!/bin/sh\necho "$0" >> {ran}\nexec {SERVER} "$@"\n', encoding="utf-8")
    file.chmod(0o755)
