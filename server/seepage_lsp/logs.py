"""The server's own log, on standard error or in a file; what is for the user goes to the client as ``window/logMessage``."""

from __future__ import annotations

import logging
import sys

_NAMES = ("seepage_lsp", "seepage")


def start_log(level: str, file: str | None) -> None:
    """Log from a level on.

    Raises:
        OSError: if the file cannot be opened.
    """
    handler = logging.StreamHandler(sys.stderr) if file is None else logging.FileHandler(file, encoding="utf-8")
    form = "%(message)s" if file is None else "%(asctime)s %(levelname)s %(name)s: %(message)s"
    logging.basicConfig(level=logging.WARNING, handlers=[handler], format=form)
    for name in _NAMES:
        logging.getLogger(name).setLevel(level.upper())
    # pygls reports what clients do wrong, which is answered, as errors of its own.
    logging.getLogger("pygls").setLevel(logging.CRITICAL)
    logging.getLogger("asyncio").setLevel(logging.ERROR)
