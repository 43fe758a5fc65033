"""Loads the library while nobody waits for it."""

from __future__ import annotations

import importlib
import threading

from seepage_lsp import garbage

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
    try:
        from seepage.semantics.check import check
        from seepage.source import SourceFile

        check(SourceFile("", "x := 1"))  # builds the parser
        for name in _MODULES:
            importlib.import_module(name)
    finally:
        garbage.resume()
