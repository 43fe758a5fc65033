"""The modules that Seepage brings along."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from pathlib import Path

SCHEME = "seep:"
SHIPPED = ("seep:mechanisms",)


def shipped_file(path: str) -> Path:
    """Return the file of one of :data:`SHIPPED`."""
    return Path(str(files("seepage.mechanisms").joinpath(f"{path.removeprefix(SCHEME)}.seep")))


@cache
def shipped_text(path: str) -> str:
    """Return the text of one of :data:`SHIPPED`."""
    return shipped_file(path).read_text("utf-8")
