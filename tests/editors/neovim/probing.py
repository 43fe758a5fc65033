"""Carries out a plan in Neovim without a screen, and returns what its client received."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from pathlib import Path
from typing import Any, TypeAlias

from tests.editors.installed import SERVER
from tests.editors.vscode.running import workspace

Step: TypeAlias = dict[str, Any]
HERE = Path(__file__).parent
LIMIT = 180.0  # seconds for a whole plan


def run_plan(nvim: Path, plan: list[Step]) -> list[Step]:
    """Return the steps of ``plan`` in order, each with its ``answer``; the server is found on PATH."""
    with tempfile.TemporaryDirectory(prefix="seepage-neovim-") as name:
        data = Path(name)
        folder = workspace(data / "project")
        (data / "plan.json").write_text(json.dumps(plan), encoding="utf-8")
        report = data / "report.json"
        environment = {
            **os.environ,
            "PATH": f"{SERVER.parent}{os.pathsep}{os.environ['PATH']}",
            "SEEPAGE_PROBE_PLAN": str(data / "plan.json"),
            "SEEPAGE_PROBE_REPORT": str(report),
            "XDG_STATE_HOME": str(data / "state"),
            "XDG_CACHE_HOME": str(data / "cache"),
        }
        command = [
            str(nvim),
            "--clean",
            "--headless",
            "-u",
            str(HERE / "init.lua"),
            "-c",
            f"luafile {HERE / 'probe.lua'}",
        ]
        done = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, timeout=LIMIT, check=False
        )
        if not report.exists():
            raise RuntimeError(f"Neovim wrote no report: {done.stderr[-2000:]}")
        answers: list[Step] = json.loads(report.read_text(encoding="utf-8"))
        return answers
