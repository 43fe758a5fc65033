"""``make editor``: opens the examples in VS Code in a browser, with Seepage installed; Ctrl-C ends it."""

from __future__ import annotations

import signal
import sys
import tempfile
from pathlib import Path

from tests.editors.installed import VSIX, Missing, install, vscode
from tests.editors.vscode.running import code_server, workspace


def main() -> None:
    """Install what is missing, start code-server on a copy of the examples, say where it is, and wait."""
    try:
        install()
        parts = vscode()
    except Missing as why:
        sys.exit(f"cannot open VS Code: {why}")
    with tempfile.TemporaryDirectory(prefix="seepage-editor-") as name:
        data = Path(name)
        with code_server(parts, workspace(data / "examples"), data, (VSIX,), port=_port()) as window:
            print(
                f"VS Code with the examples: {window.address}\nA copy, so change what you like. Ctrl-C ends it.",
                flush=True,
            )
            signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
            try:
                signal.pause()
            except KeyboardInterrupt:
                print()


def _port() -> int:
    return int(sys.argv[1]) if len(sys.argv) > 1 else 8123


if __name__ == "__main__":
    main()
