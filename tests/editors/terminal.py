"""Editors of the terminal: each carries out a plan by a probe in its own language, set up as the documentation shows."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

from tests.docs.blocks import blocks
from tests.editors.installed import REPOSITORY, SERVER
from tests.editors.plans import Step
from tests.editors.vscode.running import workspace

LIMIT = 600.0  # seconds for a whole plan


def shown(page: str, language: str, which: int = 0, holding: str = "") -> str:
    """Return a set-up from ``docs/editors/``: the block of this language and number on a page, of those that hold some text."""
    return [block.text for block in blocks(f"docs/editors/{page}", language) if holding in block.text][which]


def run_plan(
    setup: str, command: Callable[[str], list[str]], plan: list[Step], programs: Path = SERVER.parent
) -> list[Step]:
    """Return the steps of ``plan`` in order, each with its ``answer``.

    ``command`` gets the name of a file with the set-up. The server is found on PATH, in the folder ``programs``, and the repository in ``~/seepage``, as the
    documentation says; nothing else of this user's home is seen.
    """
    with tempfile.TemporaryDirectory(prefix="seepage-editor-") as name:
        data = Path(name)
        home, folder = data / "home", workspace(data / "project")
        (folder / ".git").mkdir()
        home.mkdir()
        (home / "seepage").symlink_to(REPOSITORY)
        (data / "setup").write_text(setup, encoding="utf-8")
        (data / "plan.json").write_text(json.dumps(plan), encoding="utf-8")
        report = data / "report.json"
        environment = {name: value for name, value in os.environ.items() if not name.startswith("XDG_")} | {
            "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
            "HOME": str(home),
            "LC_ALL": "C.UTF-8",
            "TERM": "dumb",
            "SEEPAGE_PROBE_PLAN": str(data / "plan.json"),
            "SEEPAGE_PROBE_REPORT": str(report),
        }
        done = subprocess.run(
            command(str(data / "setup")),
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=LIMIT,
            check=False,
        )
        if not report.exists():
            raise RuntimeError(f"the editor wrote no report: {done.stdout[-2000:]}\n{done.stderr[-2000:]}")
        answers: list[Step] = json.loads(report.read_text(encoding="utf-8"))
        return answers
