"""One code-server and one browser for all tests of the extension, on a machine without Python on PATH and without a package index."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.editors.installed import VSIX, vscode
from tests.editors.required import have
from tests.editors.vscode.browser import Browser, Page
from tests.editors.vscode.journeys import EXAMPLE, LENS
from tests.editors.vscode.probing import SCHEME, VARIABLE, Probe, pack_probe
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

    def open_virtual(self, name: str) -> tuple[Page, Probe]:
        """Open a window on the folder ``name`` of the probe's file system, which the machine has not; its files lie in :meth:`virtual`."""
        file = self.home / f"{name}.code-workspace"
        file.write_text(json.dumps({"folders": [{"uri": f"{SCHEME}:/{name}"}]}), encoding="utf-8")
        page = self.browser.open(name, self.window.on_workspace(file))
        probe = Probe(self.probes / name, self.virtual(name))
        # VS Code at times opens a workspace file that it sees for the first time without its folders; it has them after a reload.
        for _ in range(3):
            if probe.begins(within=30.0):
                break
            page.reload()
        return page, probe

    def virtual(self, name: str) -> Path:
        """Return where the probe's file system keeps the files of a folder: no path that it tells anyone."""
        return self.probes / "virtual" / name


@pytest.fixture(scope="session")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    """Start everything once."""
    home = tmp_path_factory.mktemp("vscode")
    with begin(home, workspace(home / "project"), NO_INDEX) as session:
        yield session


@contextlib.contextmanager
def begin(home: Path, folder: Path, environment: dict[str, str], *, trusting: bool = True) -> Iterator[Session]:
    """Run code-server and a browser, without Python on PATH, until the context ends; ``environment`` adds to and replaces variables."""
    parts = have(vscode)
    given = {
        VARIABLE: str(home / "probes"),
        "PATH": path_without_python(parts, home / "bin"),
        **FROM_COMMAND_LINE,
        **environment,
    }
    extensions = (VSIX, *(pack_probe(parts, home / f"{name}.vsix", name) for name in ("probe", "python")))
    with (
        code_server(parts, folder, home, extensions, given, SETTINGS, trusting=trusting) as window,
        Browser(parts, home / "failed") as browser,
    ):
        yield Session(window, browser, home / "probes", home)


@pytest.fixture(scope="session")
def project(session: Session) -> tuple[Page, Probe]:
    """The window on a copy of the examples, with the environment of this checkout; the extension was activated before any was open."""
    page, probe = session.open(session.window.folder)
    probe.activation = probe.ask("activate")
    return page, probe


@pytest.fixture(scope="session")
def keep() -> Callable[[Page, Path, str], None]:
    """Keep a picture of a window for people to look at: in SEEPAGE_SCREENS, else in the home of the session."""

    def take(page: Page, home: Path, name: str) -> None:
        folder = Path(os.environ.get("SEEPAGE_SCREENS") or home / "screens")
        folder.mkdir(parents=True, exist_ok=True)
        page.screenshot(folder / f"{name}.png")

    return take


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
