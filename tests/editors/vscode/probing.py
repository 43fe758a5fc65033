"""Has the test-only extension carry out a plan in a real window, and returns what VS Code answered."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any, TypeAlias

from tests.editors.installed import REPOSITORY, VSIX, VSCode
from tests.editors.vscode.running import code_server, workspace

Step: TypeAlias = dict[str, Any]
HERE = Path(__file__).parent
LIMIT = 240.0  # seconds for a whole plan


def run_plan(parts: VSCode, plan: list[Step], settings: dict[str, object] | None = None) -> list[Step]:
    """Return the steps of ``plan`` in order, each with its ``answer``."""
    with tempfile.TemporaryDirectory(prefix="seepage-vscode-") as name:
        data = Path(name)
        folder = workspace(data / "project")
        (data / "plan.json").write_text(json.dumps(plan), encoding="utf-8")
        report = data / "report.json"
        environment = {"SEEPAGE_PROBE_PLAN": str(data / "plan.json"), "SEEPAGE_PROBE_REPORT": str(report)}
        extensions = (VSIX, _pack_probe(parts, data / "probe.vsix"))
        with code_server(parts, folder, data, extensions, environment, settings) as window:
            return _connect_until(
                report,
                [str(parts.node), str(HERE / "connect.mjs"), str(parts.modules), str(parts.chromium), window.address],
            )


def _pack_probe(parts: VSCode, to: Path) -> Path:
    vsce = REPOSITORY / "vscode-extension" / "node_modules" / "@vscode" / "vsce" / "vsce"
    options = ["package", "--no-dependencies", "--allow-missing-repository", "--skip-license", "--out", str(to)]
    subprocess.run([str(parts.node), str(vsce), *options], cwd=HERE / "probe", check=True, capture_output=True)
    return to


def _connect_until(report: Path, browser: list[str]) -> list[Step]:
    process = subprocess.Popen(browser, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True)
    try:
        deadline = time.monotonic() + LIMIT
        while not report.exists():
            if process.poll() is not None:
                raise RuntimeError(
                    f"the browser ended: {(process.stderr.read() if process.stderr else b'').decode()[-2000:]}"
                )
            if time.monotonic() > deadline:
                raise RuntimeError(f"VS Code did not finish the plan within {LIMIT:.0f} s")
            time.sleep(0.1)
        answers: list[Step] = json.loads(report.read_text(encoding="utf-8"))
        return answers
    finally:
        os.killpg(process.pid, 15)
        process.wait(20)
