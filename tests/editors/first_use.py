"""``python -m tests.editors.first_use``: from nothing to a number on screen, step by step, in VS Code, in Neovim and in ``seepage play``; writes ``docs/first-use.md``.

Nothing is asserted of the seconds: they tell of one machine and its network.
"""

from __future__ import annotations

import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.editors import installed
from tests.editors.installed import REPOSITORY, VSIX, VSCode, new_neovim, vscode
from tests.editors.neovim.probing import run_plan
from tests.editors.plans import Step
from tests.editors.terminal import shown
from tests.editors.vscode.browser import Browser
from tests.editors.vscode.running import code_server

PAGE = REPOSITORY / "docs" / "first-use.md"
EXAMPLE = REPOSITORY / "examples" / "randomized-response-single.seep"
JOURNEY = REPOSITORY / "tests" / "editors" / "play" / "journey.mjs"
LENS = ".codelens-decoration"
NOTE = ".notification-toast"
LIMIT = 600.0  # seconds for a step: packages come over the network
LEAK, FUNCTION_LEAK = "0.16 bits leak", "0.0204"
FUNCTION = """SECRET = [4, 0, 7]


def opens(code):
    for digit, wanted in zip(code, SECRET):
        if digit != wanted:
            return False
    return True
"""


@dataclass(slots=True)
class Walk:
    """A way to a number: its heading, what is to be known of it, and what was done on it in how many seconds."""

    name: str
    about: str
    steps: list[tuple[str, float]] = field(default_factory=list)

    @contextmanager
    def step(self, what: str) -> Iterator[None]:
        """Measure what is done inside, and keep it if it came to its end."""
        started = time.monotonic()
        yield
        self.steps.append((what, time.monotonic() - started))


def record(parts: VSCode) -> None:
    """Use Seepage for the first time in each way, and write down what happened when."""
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory(prefix="first-use-") as name:
        data = Path(name)
        walks = [in_vscode(parts, data / "vscode"), *in_a_terminal(data / "terminal")]
    PAGE.write_text(text(walks, load), encoding="utf-8")


def folder_with_both(folder: Path) -> Path:
    """Make a folder with a program and a Python file."""
    folder.mkdir(parents=True)
    shutil.copy(EXAMPLE, folder)
    (folder / "lock.py").write_text(FUNCTION, encoding="utf-8")
    return folder


def in_vscode(parts: VSCode, data: Path) -> Walk:
    """Open a program, press the one button, and go on to a Python function."""
    walk = Walk(
        "VS Code",
        "From a clean VS Code with the extension. The extension brings the analysis; Python is on the machine.",
    )
    folder = folder_with_both(data / "programs")
    with (
        code_server(parts, folder, data, (VSIX,), {"VSCODE_CLI": "1"}) as window,
        Browser(parts, data / "failed") as browser,
    ):
        with walk.step("open the folder"):
            page = browser.open("first", window.address)
        with walk.step("open a program: it is coloured, and a message offers the set-up"):
            page.open_file(EXAMPLE.name)
            page.see(NOTE, "Set Up")
        with walk.step(
            "press *Set Up*, and wait: Python is found, an environment made, the analysis installed and examined"
        ):
            page.click(f"{NOTE} .monaco-button", "Set Up")
            page.see_no_more(".statusbar-item", "no analysis")
            page.see(".statusbar-item", "Seepage: exact", LIMIT)
        with walk.step("read the number above the program's secret"):
            page.see(LENS, f"{LEAK} · exact")
        with walk.step("open a Python file, and put the cursor into the function"):
            page.open_file("lock.py")
            page.press("Control+End", "ArrowUp")
        with walk.step("*Seepage: Mark Python Function*, and read the number above it"):
            page.run("Seepage: Mark Python Function")
            page.see(LENS, FUNCTION_LEAK)
    return walk


def in_a_terminal(data: Path) -> list[Walk]:
    """Install the package in an environment of its own, and go on from there in Neovim, in the browser, and on the command line."""
    wheel = next((REPOSITORY / "vscode-extension" / "server").glob("seepage-*.whl"))
    made, programs = Walk("", ""), data / "environment" / "bin"
    with made.step("`python3 -m venv .venv`"):
        _run(sys.executable, "-m", "venv", str(data / "environment"))
    with made.step("`.venv/bin/pip install seepage`, and add `.venv/bin` to `PATH`"):
        _run(str(programs / "pip"), "install", "--quiet", "--disable-pip-version-check", str(wheel))
    return [
        in_neovim(programs, folder_with_both(data / "neovim"), list(made.steps)),
        in_the_browser(programs, folder_with_both(data / "play"), list(made.steps)),
        on_the_command_line(programs, folder_with_both(data / "alone"), list(made.steps)),
    ]


def in_neovim(programs: Path, folder: Path, made: list[tuple[str, float]]) -> Walk:
    """Open a program, and a Python file with a mark, in Neovim set up as its page shows."""
    walk = Walk("Neovim", "A clean Neovim 0.11 with the lines of [its page](editors/neovim.md) in `init.lua`.", made)
    plan: list[Step] = [
        {"do": "open", "file": EXAMPLE.name, "name": "open a program: it is coloured, and the server starts"},
        {"do": "lenses", "until": LEAK, "name": "read the number above the program's secret"},
    ]
    setup = shown("neovim.md", "lua")
    _carry_out(walk, run_plan(new_neovim(), setup, plan, programs))
    with walk.step("`seepage mark lock.py::opens`, for a Python function"):
        _run(str(programs / "seepage"), "mark", f"{folder / 'lock.py'}::opens")
    plan = [
        {"do": "write", "file": "lock.py", "text": (folder / "lock.py").read_text(encoding="utf-8")},
        {"do": "open", "file": "lock.py", "name": "open its file: a server for marks starts"},
        {"do": "lenses", "until": FUNCTION_LEAK, "name": "read the number above the function"},
    ]
    _carry_out(walk, run_plan(new_neovim(), f'{setup}\nvim.lsp.enable("seepage_python")', plan, programs))
    return walk


def _carry_out(walk: Walk, done: list[Step]) -> None:
    for step in done:
        if step["do"] == "failed" or step.get("until", "") not in json.dumps(step["answer"], ensure_ascii=False):
            raise RuntimeError(f"the plan failed: {step}")
        if "name" in step:
            walk.steps.append((step["name"], step["seconds"]))


def in_the_browser(programs: Path, folder: Path, made: list[tuple[str, float]]) -> Walk:
    """Open the page of a folder, and wait for the number of its program."""
    about = "A Python function has no page of its own: the page shows programs of Seep."
    walk = Walk("`seepage play`", about, made)
    parts, report = installed.browser(), folder / "report.json"
    command = [str(programs / "seepage"), "play", str(folder), "--no-browser"]
    started = time.monotonic()
    serving = subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env={**os.environ, "XDG_STATE_HOME": str(folder)}
    )
    try:
        assert serving.stdout is not None
        address = re.search(r"http://\S+", serving.stdout.readline())
        assert address is not None
        walk.steps.append(
            ("`seepage play` in the folder of a program: the address is there", time.monotonic() - started)
        )
        given = {
            "modules": str(parts.modules),
            "executablePath": str(parts.chromium),
            "address": address[0],
            "folder": str(folder),
            "report": str(report),
            "pictures": str(folder),
            "once": True,
        }
        _run(str(parts.node), str(JOURNEY), json.dumps(given))
    finally:
        serving.terminate()
        serving.wait(20)
    found = json.loads(report.read_text(encoding="utf-8"))
    if "failure" in found:
        raise RuntimeError(found["failure"])
    walk.steps.append(("the page is there, and the number in its panel", found["seconds"]))
    return walk


def on_the_command_line(programs: Path, folder: Path, made: list[tuple[str, float]]) -> Walk:
    """Check a program, and mark and check a Python function."""
    walk = Walk("The command line", "For both kinds of file.", made)
    seepage = str(programs / "seepage")
    with walk.step(f"`seepage check {EXAMPLE.name}`: the table of leaks"):
        _run(seepage, "check", str(folder / EXAMPLE.name))
    with walk.step("`seepage mark lock.py::opens`, for a Python function"):
        _run(seepage, "mark", f"{folder / 'lock.py'}::opens")
    with walk.step("`seepage check lock.py`: the table of leaks"):
        _run(seepage, "check", str(folder / "lock.py"))
    return walk


def _run(*command: str) -> None:
    subprocess.run(command, check=True, capture_output=True, timeout=LIMIT, cwd=tempfile.gettempdir())


def text(walks: list[Walk], load: float) -> str:
    """Return the page; ``load`` is how many processes wanted to run when it began."""
    return f"""# First use

From nothing to a number on screen, step by step, as `make screenshots` measured it last
({platform.system()}, {os.cpu_count()} processors, Python {platform.python_version()}, packages from an index in the network; {load:.0f} processes of others wanted to run at the start,
which makes all seconds longer). The program is [randomized response](../examples/randomized-response-single.seep), the Python function that of [the five minutes](python-in-five-minutes.md).
{"".join(map(_section, walks))}"""


def _section(walk: Walk) -> str:
    rows = "\n".join(f"| {number} | {what} | {seconds:.1f} |" for number, (what, seconds) in enumerate(walk.steps, 1))
    total = sum(seconds for _, seconds in walk.steps)
    return f"""
## {walk.name}

{walk.about} {len(walk.steps)} steps, {total:.0f} seconds.

| | what | seconds |
| --- | --- | --- |
{rows}
"""


if __name__ == "__main__":
    record(vscode())
