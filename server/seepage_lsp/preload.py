"""Loads the library while nobody waits for it."""

from __future__ import annotations

import gc
import importlib
import threading

# What the first opened document, the first hover and the first finished analysis need.
_MODULES = (
    "seepage_lsp.features.diagnostics",
    "seepage_lsp.features.code_lens",
    "seepage_lsp.features.hover",
    "seepage.pipeline",
)


def preload() -> None:
    """Import the library on a thread of its own; whoever needs it earlier imports it as well and shares the work."""
    threading.Thread(target=_load, name="seepage-preload", daemon=True).start()


def _load() -> None:
    from seepage.semantics.check import check
    from seepage.source import SourceFile

    check(SourceFile("", "x := 1"))  # builds the parser
    for name in _MODULES:
        importlib.import_module(name)
    # What is loaded stays: a full collection that looked at all of it would take longer than a key press may.
    gc.freeze()
