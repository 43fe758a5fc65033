"""``make screenshots``: pictures of real VS Code for ``docs/images/`` and the walkthrough, and how long a first use takes. Look at the pictures before you commit them."""

from __future__ import annotations

import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.editors import first_use
from tests.editors.installed import REPOSITORY, VSIX, Missing, VSCode, install, vscode
from tests.editors.panel.using import use_panel
from tests.editors.plans import FORMULA
from tests.editors.vscode.browser import Browser, Page
from tests.editors.vscode.probing import VARIABLE, Probe, pack_probe
from tests.editors.vscode.running import code_server, path_without_python, workspace

IMAGES = REPOSITORY / "docs" / "images"
WALKTHROUGH = REPOSITORY / "vscode-extension" / "images" / "walkthrough"
LENS = ".codelens-decoration"
NOTE = ".notification-toast"
STATUS = ".statusbar-item"
HOVER = ".monaco-hover:not(.hidden) .hover-contents"
WIDTH = 1280
_TRIES = 60  # at a hover, of which parts are computed when it is first asked for
# A hover fades in: a picture is taken when it is there in full.
SOLID = """() => [...document.querySelectorAll(".monaco-hover:not(.hidden)")].some((one) => getComputedStyle(one).opacity === "1")"""
SETTINGS: dict[str, object] = {
    "editor.fontFamily": "'DejaVu Sans Mono', monospace",
    "editor.fontSize": 14,
    "editor.lineNumbers": "on",
    "editor.stickyScroll.enabled": False,
    "editor.scrollbar.vertical": "hidden",
    "editor.hover.delay": 100,
    "editor.matchBrackets": "never",
    "editor.occurrencesHighlight": "off",
    "workbench.activityBar.location": "hidden",
    "workbench.secondarySideBar.defaultVisibility": "hidden",
    "workbench.sideBar.location": "right",
    "breadcrumbs.enabled": False,
    "window.commandCenter": False,
    "workbench.layoutControl.enabled": False,
    "chat.disableAIFeatures": True,
    "workbench.reduceMotion": "on",
}


def main() -> None:
    """Install what is missing, and take the pictures."""
    try:
        install()
        parts = vscode()
    except Missing as why:
        sys.exit(f"cannot open VS Code: {why}")
    IMAGES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="screenshots-") as name:
        take(parts, Path(name))
    with tempfile.TemporaryDirectory(prefix="screenshots-") as name:
        take_panel(parts, Path(name))
    first_use.record(parts)


def take_panel(parts: VSCode, folder: Path) -> None:
    """Take pictures of the Leakage panel, light and dark."""
    use_panel(parts, folder)
    for place in (IMAGES, WALKTHROUGH):
        shutil.copy(folder / "light.png", place / "panel.png")
    shutil.copy(folder / "dark.png", IMAGES / "panel-dark.png")


@dataclass(frozen=True, slots=True)
class Picture:
    """A file, and the part of the window that it shows, in pixels; all of it if there is no part."""

    file: Path
    part: dict[str, int] | None = None


def take(parts: VSCode, data: Path) -> None:
    """Take all pictures in one code-server, whose data is in ``data``."""
    folder = programs(data / "seepage")
    environment = {
        VARIABLE: str(data / "probes"),
        "PATH": path_without_python(parts, data / "bin"),
        "VSCODE_CLI": "1",
    }
    extensions = (VSIX, pack_probe(parts, data / "probe.vsix"))
    with (
        code_server(parts, folder, data, extensions, environment, SETTINGS) as window,
        Browser(parts, data / "failed") as browser,
    ):
        page, probe = browser.open("seepage", window.address), Probe(data / "probes" / "seepage", folder)
        page.press("Control+b")
        for picture in scenes(page, probe):
            page.screenshot(picture.file, picture.part)
        page.close()
        page = browser.open("new", window.on(one_program(data / "new")))
        page.resize(WIDTH, 480)
        page.press("Control+b")
        page.screenshot(first_sight(page).file)


def programs(folder: Path) -> Path:
    """Fill a folder with the examples; two have budgets that are too small, for a squiggle and a mark."""
    workspace(folder)
    change(folder / "randomized-response-single.seep", "<= 0.2 bits", "<= 0.1 bits")
    change(folder / "gaussian-mechanism.seep", "<= 0.15 bits", "<= 0.1 bits")
    return folder


def one_program(folder: Path) -> Path:
    """Make a folder with one program, and no analysis for it."""
    folder.mkdir()
    shutil.copy(REPOSITORY / "examples" / "password-check.seep", folder)
    return folder


def scenes(page: Page, probe: Probe) -> Iterator[Picture]:
    """Show in a window on :func:`programs` one thing after the other, and tell the pictures that are to be taken of it before it goes on.

    The window is as high as what it shows.
    """
    page.resize(WIDTH, 640)
    hover_of_an_answer(page, probe)
    yield Picture(IMAGES / "randomized-response-hover.png")
    yield Picture(WALKTHROUGH / "hover.png", {"x": 6, "y": 220, "width": 980, "height": 370})
    leave(page, probe)
    page.resize(WIDTH, 800)
    hover_of_the_mechanism(page, probe)
    yield Picture(IMAGES / "gaussian-mechanism-hover.png")
    leave(page, probe)
    page.resize(WIDTH, 590)
    fixes(page, probe)
    yield Picture(IMAGES / "quick-fix.png")
    leave(page, probe)
    page.resize(WIDTH, 470)
    template(page)
    yield Picture(IMAGES / "template.png")
    yield Picture(WALKTHROUGH / "program.png", {"x": 6, "y": 40, "width": 760, "height": 350})
    leave(page, probe)
    page.resize(WIDTH, 540)
    in_the_dark(page, probe)
    yield Picture(IMAGES / "high-contrast.png")


def leave(page: Page, probe: Probe) -> None:
    """Close the program, whatever was changed in it."""
    page.move_away()
    page.press("Escape")
    probe.ask("command", name="workbench.action.revertAndCloseActiveEditor")


def first_sight(page: Page) -> Picture:
    """Open the program of :func:`one_program`: the set-up is offered."""
    page.open_file("password-check.seep")
    page.see(NOTE, "Set Up")
    return Picture(IMAGES / "set-up.png")


def hover_of_an_answer(page: Page, probe: Probe) -> None:
    """Point at the output of one randomized answer, in a program whose budget is violated."""
    page.open_file("randomized-response-single.seep")
    page.see(LENS, "violated")
    page.see(STATUS, "Seepage: exact")
    probe.ask("hover", file="randomized-response-single.seep", find="o := r }", until=FORMULA)
    page.press("Control+Home")
    hover(page, "{ o := r }", "o")


def hover_of_the_mechanism(page: Page, probe: Probe) -> None:
    """Point at a measure of the Gaussian mechanism, at the end of its program."""
    page.open_file("gaussian-mechanism.seep")
    probe.ask("lenses", file="gaussian-mechanism.seep", until="violated")
    page.press("Control+End")
    page.see(LENS, "violated")
    page.see(STATUS, "Seepage: certified")
    hover(page, "show I(inc[1]; out)", "I(inc")


def fixes(page: Page, probe: Probe) -> None:
    """Mistype an assignment, and open what helps."""
    page.open_file("monty-hall.seep")
    page.see(LENS, "0.667")
    probe.ask("select", file="monty-hall.seep", find="stay := car", by=":=")
    page.type("=")
    page.wait("() => document.querySelector('.squiggly-error') !== null")
    page.see(LENS, "stale")  # before the menu: VS Code asks for no lenses while the text has not the focus
    page.press("Control+.")
    page.see(".action-widget", ":=")


def template(page: Page) -> None:
    """Make a new program from a template."""
    page.run("Seepage: New File from Template")
    page.see(".quick-input-widget", "New Seep program")
    page.type("Dining")  # the list is longer than a low window
    page.pick("Dining cryptographers")
    page.see(LENS, "0.811 bits leak")
    page.see(STATUS, "Seepage: exact")
    page.press("Escape", "Control+End")


def in_the_dark(page: Page, probe: Probe) -> None:
    """Look at a whole program in high contrast."""
    probe.ask("setting", section="workbench", key="colorTheme", value="Default High Contrast")
    page.open_file("password-check.seep")
    page.see(LENS, "holds")
    page.see(STATUS, "Seepage: exact")
    page.wait("() => document.body.querySelector('.monaco-workbench.hc-black') !== null")
    page.press("Control+End")


def hover(page: Page, line: str, on: str) -> None:
    """Rest the mouse on a text until its hover is there in full."""
    for _ in range(_TRIES):
        page.point_at(line, on)
        page.wait(
            f"() => document.querySelector('{HOVER}')?.textContent.trim() && !document.querySelector('{HOVER}').textContent.includes('Loading')"
        )
        page.wait(SOLID)
        if not any("is on its way" in told for told in page.all(HOVER)):
            return
        page.move_away()
        time.sleep(1)  # a hover that is shown does not learn what was computed meanwhile


def change(file: Path, before: str, after: str) -> None:
    """Replace a text in a file."""
    text = file.read_text(encoding="utf-8")
    if before not in text:
        raise ValueError(f"'{before}' is not in {file.name}")
    file.write_text(text.replace(before, after), encoding="utf-8")


if __name__ == "__main__":
    main()
