"""The widget of notebooks without the notebook: what its page sends comes in as lines of JSON, what it sends goes out so, first its page.

``python -m tests.editors.play.widget_in_lines PROGRAM``
"""

from __future__ import annotations

import json
import sys
from typing import Any

import seepage
from seepage_lsp.notebook import panel


def main(path: str) -> None:
    """Pass messages on until the page is gone."""
    shown: Any = panel(seepage.load(path))

    def out(message: object) -> None:
        print(json.dumps(message), flush=True)

    shown.send = out
    out(shown._esm)
    for line in sys.stdin:
        shown._received(shown, json.loads(line), [])
    shown.close()


if __name__ == "__main__":
    main(sys.argv[1])
