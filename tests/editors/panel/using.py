"""Has a person's way through the panel taken in Chromium, and returns what was seen; pictures are for people to look at.

``python -m tests.editors.panel.using FOLDER`` leaves the pictures in a folder.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.editors.installed import REPOSITORY, SERVER, VSCode, vscode

HERE = Path(__file__).parent
EXTENSION = REPOSITORY / "vscode-extension"


def use_panel(parts: VSCode, folder: Path) -> dict[str, Any]:
    """Return what the panel showed on the way; raise ``RuntimeError`` where the way ended early.

    Args:
        parts: of VS Code, of which Node and Chromium are used.
        folder: for pictures and the report.
    """
    build = [str(parts.node), "build.mjs", "--panel"]
    subprocess.run(build, cwd=EXTENSION, check=True, capture_output=True)
    report = folder / "report.json"
    given = {
        "modules": str(parts.modules),
        "executablePath": str(parts.chromium),
        "server": str(SERVER),
        "extension": str(EXTENSION),
        "examples": str(REPOSITORY / "examples"),
        "report": str(report),
        "pictures": str(folder),
    }
    command = [str(parts.node), str(HERE / "journey.mjs"), json.dumps(given)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if not report.exists():
        raise RuntimeError(f"the way through the panel did not start: {done.stderr[-2000:]}")
    found: dict[str, Any] = json.loads(report.read_text(encoding="utf-8"))
    if "failure" in found:
        raise RuntimeError(f"{found['failure']}\nin the console: {found['errors']}")
    return found


if __name__ == "__main__":
    pictures = Path(sys.argv[1])
    pictures.mkdir(parents=True, exist_ok=True)
    print(json.dumps({name: seen for name, seen in use_panel(vscode(), pictures).items() if name != "saved"}, indent=1))
