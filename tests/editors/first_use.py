"""``python -m tests.editors.first_use``: from a clean VS Code to a number on screen, step by step; writes ``docs/first-use.md``.

Nothing is asserted of the seconds: they tell of one machine and its network.
"""

from __future__ import annotations

import os
import platform
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.editors.installed import REPOSITORY, VSIX, VSCode, vscode
from tests.editors.vscode.browser import Browser
from tests.editors.vscode.running import code_server

PAGE = REPOSITORY / "docs" / "first-use.md"
EXAMPLE = REPOSITORY / "examples" / "randomized-response-single.seep"
LENS = ".codelens-decoration"
NOTE = ".notification-toast"
SET_UP_LIMIT = 600.0  # seconds: packages come over the network


def record(parts: VSCode) -> None:
    """Use the extension for the first time, and write down what happened when."""
    steps: list[tuple[str, float]] = []
    load = os.getloadavg()[0]

    @contextmanager
    def step(what: str) -> Iterator[None]:
        started = time.monotonic()
        yield
        steps.append((what, time.monotonic() - started))

    with tempfile.TemporaryDirectory(prefix="first-use-") as name:
        data = Path(name)
        folder = data / "programs"
        folder.mkdir()
        shutil.copy(EXAMPLE, folder)
        with (
            code_server(parts, folder, data, (VSIX,), {"VSCODE_CLI": "1"}) as window,
            Browser(parts, data / "failed") as browser,
        ):
            with step("open the folder"):
                page = browser.open("first", window.address)
            with step("open a program: it is coloured, and a message offers the set-up"):
                page.open_file(EXAMPLE.name)
                page.see(NOTE, "Set Up")
            with step(
                "press *Set Up*, and wait: Python is found, an environment made, the analysis installed and examined"
            ):
                page.click(f"{NOTE} .monaco-button", "Set Up")
                page.see_no_more(".statusbar-item", "no analysis")
                page.see(".statusbar-item", "Seepage: exact", SET_UP_LIMIT)
            with step("read the number above the program's secret"):
                page.see(LENS, "0.16 bits leak · exact")
    PAGE.write_text(text(steps, load), encoding="utf-8")


def text(steps: list[tuple[str, float]], load: float) -> str:
    """Return the page; ``load`` is how many processes wanted to run when it began."""
    rows = "\n".join(f"| {number} | {what} | {seconds:.1f} |" for number, (what, seconds) in enumerate(steps, 1))
    total = sum(seconds for _, seconds in steps)
    return f"""# First use in VS Code

From a clean VS Code with the extension to a number on screen, as `make screenshots` measured it last: {len(steps)} steps, one button, {total:.0f} seconds
({platform.system()}, {os.cpu_count()} processors, Python {platform.python_version()}, packages from an index in the network; {load:.0f} processes of others wanted to run at the start).

| | what | seconds |
| --- | --- | --- |
{rows}
"""


if __name__ == "__main__":
    record(vscode())
