"""The extension's own environment, made by an older version of it: what renews it, and what leaves it in use."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.editors.installed import REPOSITORY, SERVER
from tests.editors.vscode.browser import Page
from tests.editors.vscode.conftest import Session, begin

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
OLD = {"folder": "server-01d", "wheel": "seepage-0.0.1-py3-none-any.whl 0123456789abcdef", "python": "python3"}
SET_UP_LIMIT = 300.0  # seconds: nothing comes over a network, but much is unpacked


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    """A machine with an environment of an older version; its pip finds packages in the folder ``wheels`` only, which is not there yet."""
    home = tmp_path_factory.mktemp("upgrade")
    folder = home / "programs"
    folder.mkdir()
    shutil.copy(EXAMPLE, folder)
    install_old(storage(home))
    index = {
        "PIP_CONFIG_FILE": os.devnull,
        "PIP_NO_INDEX": "1",
        "PIP_FIND_LINKS": str(home / "wheels"),
        "PIP_NO_COMPILE": "1",  # what is imported is compiled then
    }
    with begin(home, folder, index) as session:
        yield session


def test_an_older_environment_stays_in_use_until_a_new_one_works_and_is_then_left(
    session: Session, keep: Callable[[Page, Path, str], None]
) -> None:
    place = storage(session.home)
    python = session.home / "python" / "python3"
    python.parent.mkdir()
    python.symlink_to(os.path.realpath(sys.executable))
    page, probe = session.open(session.window.folder)
    page.open_file(EXAMPLE.name)
    assert "Get Python" in page.see(NOTE, "the earlier one stays in use: no Python was found")
    page.see(LENS, "0.16 bits leak")
    assert in_use(place) == OLD

    # The renewal breaks off midway: an environment was made, but what belongs into it cannot be had.
    probe.ask("setting", section="seepage", key="server.python", value=str(python), everywhere=True)
    assert "Show Log" in page.see(
        NOTE, "the earlier one stays in use: pip could not install the analysis", SET_UP_LIMIT
    )
    keep(page, session.home, "upgrade-failed")
    assert in_use(place) == OLD
    assert [entry.name for entry in place.glob("server-*")] == [OLD["folder"]]
    page.run("Seepage: Analyse Now")
    page.see(LENS, "0.16 bits leak")
    page.see(STATUS, "Seepage: exact")

    # The next start finds everything, and renews it without being asked.
    fetch_packages(session.home / "wheels")
    page.reload()
    page.open_file(EXAMPLE.name)
    page.see(NOTE, "updating the analysis")
    wait_until_renewed(place)
    page.see_no_more(NOTE, "updating the analysis")
    page.see(LENS, "0.16 bits leak")
    page.see(STATUS, "Seepage: exact")
    page.run("Seepage: Show Setup Information")
    told = probe.ask("text", until="Examination")
    assert f"{in_use(place)['folder']}/bin/seepage-lsp, from the extension's own environment" in told
    assert f"own environment: {place / in_use(place)['folder']}, up to date" in told
    assert page.all(NOTE) == []
    keep(page, session.home, "upgrade-done")
    page.close()


def storage(home: Path) -> Path:
    """Return where VS Code lets the extension keep things."""
    return home / "user" / "User" / "globalStorage" / "seepage.seepage"


def install_old(to: Path) -> None:
    """Leave what an older version of the extension would have: its server is this checkout's."""
    scripts = to / OLD["folder"] / "bin"
    scripts.mkdir(parents=True)
    for name in ("seepage-lsp", "seepage"):
        (scripts / name).write_text(f'#!/bin/sh\nexec {SERVER.parent / name} "$@"\n', encoding="utf-8")
        (scripts / name).chmod(0o755)
    (to / "server.json").write_text(json.dumps(OLD), encoding="utf-8")


def in_use(place: Path) -> dict[str, str]:
    """Return what the extension notes of the environment in use."""
    noted: dict[str, str] = json.loads((place / "server.json").read_text(encoding="utf-8"))
    return noted


def wait_until_renewed(place: Path) -> None:
    """Wait until another environment is in use."""
    deadline = time.monotonic() + SET_UP_LIMIT
    while in_use(place) == OLD:
        assert time.monotonic() < deadline, "it was not renewed"
        time.sleep(0.1)


def fetch_packages(to: Path) -> None:
    """Get all that the wheel of the extension needs, as pip does for people."""
    (wheel,) = (REPOSITORY / "vscode-extension" / "server").glob("*.whl")
    part = to.with_suffix(".part")
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--only-binary", ":all:"]
    subprocess.run([*pip, "--dest", str(part), str(wheel)], check=True)
    part.rename(to)
