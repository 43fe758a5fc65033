"""``make screenshots``: pictures of the examples in real VS Code, for ``docs/images/``. Look at them before you commit them."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.editors.installed import REPOSITORY, VSIX, Missing, install, vscode
from tests.editors.vscode.running import code_server, workspace

IMAGES = REPOSITORY / "docs" / "images"
SCRIPT = Path(__file__).parent / "vscode" / "screenshots.mjs"
SETTINGS: dict[str, object] = {
    "editor.fontFamily": "'DejaVu Sans Mono', monospace",
    "editor.fontSize": 14,
    "editor.lineNumbers": "on",
    "editor.stickyScroll.enabled": False,
    "editor.hover.delay": 100,
    "workbench.activityBar.location": "hidden",
    "workbench.secondarySideBar.defaultVisibility": "hidden",
    "breadcrumbs.enabled": False,
    "window.commandCenter": False,
    "workbench.layoutControl.enabled": False,
}
# A budget that is too small gives a squiggle. The view is "from" the start or the end of the file; the mouse rests on the text "on" in
# the first such "line" in sight.
SHOTS: list[dict[str, object]] = [
    {
        "image": "randomized-response-hover.png",
        "file": "randomized-response-single.seep",
        "change": ["<= 0.2 bits", "<= 0.1 bits"],
        "from": "start",
        "ready": "violated",
        "line": "{ o := r }",
        "on": "o",
    },
    {
        "image": "gaussian-mechanism-hover.png",
        "file": "gaussian-mechanism.seep",
        "change": ["<= 0.15 bits", "<= 0.1 bits"],
        "from": "end",
        "ready": "violated",
        "line": "show I(inc[1]; out)",
        "on": "I(inc",
    },
]


def main() -> None:
    """Install what is missing, and take the pictures."""
    try:
        install()
        parts = vscode()
    except Missing as why:
        sys.exit(f"cannot open VS Code: {why}")
    IMAGES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="seepage-screenshots-") as name:
        data = Path(name)
        folder = workspace(data / "seepage")
        for shot in SHOTS:
            change(folder / str(shot["file"]), shot["change"])
        (data / "shots.json").write_text(json.dumps(SHOTS), encoding="utf-8")
        with code_server(parts, folder, data, (VSIX,), settings=SETTINGS) as window:
            command = [parts.node, SCRIPT, parts.modules, parts.chromium, window.address, data / "shots.json", IMAGES]
            subprocess.run([str(word) for word in command], check=True)


def change(file: Path, by: object) -> None:
    """Replace a text in a file once; a second time there is nothing to replace."""
    before, after = by if isinstance(by, list) else ("", "")
    text = file.read_text(encoding="utf-8")
    if before not in text and after not in text:
        raise ValueError(f"'{before}' is not in {file.name}")
    file.write_text(text.replace(before, after), encoding="utf-8")


if __name__ == "__main__":
    main()
