"""The modules that Seepage brings along."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

SCHEME = "seep:"
SHIPPED = ("seep:mechanisms",)


@cache
def shipped_text(path: str) -> str:
    """Return the text of one of :data:`SHIPPED`."""
    return files("seepage.mechanisms").joinpath(f"{path.removeprefix(SCHEME)}.seep").read_text("utf-8")
