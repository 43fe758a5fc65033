"""What the server loads while nobody waits."""

from __future__ import annotations

import gc
import sys

from seepage_lsp.preload import _MODULES, _load


def test_what_is_loaded_is_left_out_of_collections() -> None:
    before = gc.get_freeze_count()

    try:
        _load()

        assert set(_MODULES) <= sys.modules.keys()
        assert gc.get_freeze_count() > before + 10_000
    finally:
        gc.unfreeze()
