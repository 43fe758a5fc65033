"""What the server loads while nobody waits."""

from __future__ import annotations

import gc
import sys

from seepage_lsp.preload import _MODULES, _load


def test_what_is_loaded_is_left_out_of_collections() -> None:
    gc.unfreeze()  # what tests before this one left out

    try:
        _load()

        assert set(_MODULES) <= sys.modules.keys()
        assert gc.get_freeze_count() > 10_000
    finally:
        gc.unfreeze()
