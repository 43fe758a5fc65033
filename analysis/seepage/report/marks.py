"""Texts of programs inside Markdown: values may be any text, names those of Python, so neither must have a mark that does something."""

from __future__ import annotations

import re

_MARKS = re.compile(r"[\\`*_\[\]<>|~&$]")
_FENCES = re.compile(r"`++")


def escaped(text: str) -> str:
    """Return a sentence on one line in which nothing is a mark of Markdown."""
    return _MARKS.sub(lambda found: f"\\{found[0]}", " ".join(text.split()))


def inline_code(text: str) -> str:
    """Return a text as code on one line, whatever is in it."""
    line = " ".join(text.split())
    fence = "`" * (1 + max((len(each[0]) for each in _FENCES.finditer(line)), default=0))
    space = " " if len(fence) > 1 or not line else ""
    return f"{fence}{space}{line}{space}{fence}"
