"""Standard streams that the caller has closed (``>&-``): what goes there is refused and told, and no file that is opened later takes their places."""

from __future__ import annotations

import os
import sys
from typing import Literal, TextIO


def open_streams() -> None:
    """Open what is closed: input that cannot be read, output that cannot be written, and errors that nobody sees."""
    if sys.stdin is None:
        sys.stdin = _opened(0, os.O_WRONLY, "r")
    if sys.stdout is None:
        sys.stdout = _opened(1, os.O_RDONLY, "w")
    if sys.stderr is None:
        sys.stderr = _opened(2, os.O_WRONLY, "w")


def _opened(number: int, access: int, mode: Literal["r", "w"]) -> TextIO:
    descriptor = os.open(os.devnull, access)
    if descriptor != number:
        os.dup2(descriptor, number)
        os.close(descriptor)
    return open(number, mode, encoding="utf-8", closefd=False)
