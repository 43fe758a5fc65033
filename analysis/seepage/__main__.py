"""``python -m seepage``: the same as the command ``seepage``."""

from __future__ import annotations

from seepage.cli.start import main

if __name__ == "__main__":
    main()
