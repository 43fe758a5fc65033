"""One code-server and one browser for all tests of the extension, on a machine without Python on PATH and without a package index."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.editors.installed import VSIX, vscode
from tests.editors.required import have
from tests.editors.vscode.browser import Browser, Page
from tests.editors.vscode.probing import VARIABLE, Probe, pack_probe
from tests.editors.vscode.running import Window, code_server, path_without_python, workspace

SETTINGS: dict[str, object] = {
    "editor.hover.delay": 100,
    "breadcrumbs.enabled": False,
    "chat.disableAIFeatures": True,
    "workbench.reduceMotion": "on",
    "workbench.secondarySideBar.defaultVisibility": "hidden",
    "window.commandCenter": False,
}
# Nothing listens there: an installation ends as it does without a network, and at once.
NO_INDEX = {"PIP_INDEX_URL": "http://127.0.0.1:9/simple", "PIP_CONFIG_FILE": os.devnull}
# Without this, the server would take PATH from the person's shell.
FROM_COMMAND_LINE = {"VSCODE_CLI": "1"}


@dataclass(frozen=True, slots=True)
class Session:
    """What runs: the server, the browser, and the folder in which probes are reached."""

    window: Window
    browser: Browser
    probes: Path
    home: Path

    def open(self, folder: Path) -> tuple[Page, Probe]:
        """Open a window on a folder; its name must be its own."""
        page = self.browser.open(folder.name, self.window.on(folder))
        return page, Probe(self.probes / folder.name, folder)


@pytest.fixture(scope="session")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    """Start everything once."""
    parts = have(vscode)
    home = tmp_path_factory.mktemp("vscode")
    environment = {
        VARIABLE: str(home / "probes"),
        "PATH": path_without_python(parts, home / "bin"),
        **NO_INDEX,
        **FROM_COMMAND_LINE,
    }
    extensions = (VSIX, pack_probe(parts, home / "probe.vsix"))
    project = workspace(home / "project")
    with (
        code_server(parts, project, home, extensions, environment, SETTINGS) as window,
        Browser(parts, home / "failed") as browser,
    ):
        yield Session(window, browser, home / "probes", home)


@pytest.fixture(scope="session")
def project(session: Session) -> tuple[Page, Probe]:
    """The window on a copy of the examples, with the environment of this checkout; the extension was activated before any was open."""
    page, probe = session.open(session.window.folder)
    probe.activation = probe.ask("activate")
    return page, probe
