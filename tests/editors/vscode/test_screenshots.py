"""What ``make screenshots`` shows can be shown: its own steps, taken here, so that neither they nor what they wait for is lost."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.editors.installed import REPOSITORY
from tests.editors.take_screenshots import IMAGES, WALKTHROUGH, first_sight, one_program, programs, scenes
from tests.editors.vscode.conftest import Session

pytestmark = [
    pytest.mark.timeout(900),
    pytest.mark.variation(
        of="tests/editors/vscode/test_journeys.py::test_opening_a_program_shows_what_leaks_and_marks_its_budget"
    ),
]

BY_THE_PANEL = {IMAGES / "panel.png", IMAGES / "panel-dark.png", WALKTHROUGH / "panel.png"}


def test_every_picture_of_the_documentation_can_be_taken_anew(session: Session) -> None:
    page, probe = session.open(programs(session.home / "programs"))
    shown = {picture.file for picture in scenes(page, probe)}
    page.close()
    page, _ = session.open(one_program(session.home / "one-program"))
    shown.add(first_sight(page).file)
    page.close()

    assert shown | BY_THE_PANEL == pictures_in_use()


def pictures_in_use() -> set[Path]:
    """Return the pictures that the documentation and the walkthrough show."""
    pages = [REPOSITORY / "README.md", *(REPOSITORY / "docs").rglob("*.md")]
    extension = REPOSITORY / "vscode-extension"
    pages += [extension / "README.md", extension / "package.json"]
    return {
        (page.parent / name).resolve()
        for page in pages
        for name in re.findall(r"[\w./-]*images/[\w./-]*\.png", page.read_text(encoding="utf-8"))
        if not name.endswith("icon.png") and "://" not in name
    }
