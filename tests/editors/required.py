"""What the editor tests share: a missing editor fails in continuous integration, and is told elsewhere."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TypeVar

import pytest
from tests.editors.installed import SERVER, Missing

T = TypeVar("T")


def have(part: Callable[[], T]) -> T:
    """Return the editor's part; without it, fail where ``CI`` is set and say why nothing runs elsewhere."""
    try:
        if not SERVER.exists():
            raise Missing(f"{SERVER} is not there; 'make test' makes it")
        return part()
    except Missing as why:
        if os.environ.get("CI"):
            pytest.fail(str(why))
        pytest.skip(str(why))
