"""Names of variables that an analysis made, and how people are told of them: nobody wrote them."""

from __future__ import annotations

import re

MADE = "@"
"""What each of them has: no name of the language holds it. Behind it stands what the variable is, before it of which one."""

_NAME = re.compile(r"((?<!\w)[^\W\d]\w*+(?:\[[^\[\]@]*+\])?+|)@([^\W\d]+)(\d*)")


def spoken(text: str) -> str:
    """Return a text with made names in words, as ``rest of x`` for ``x@rest`` and ``term 2 of x`` for ``x@term2``."""
    return _NAME.sub(lambda found: _words(*found.groups()), text) if MADE in text else text


def _words(of: str, what: str, number: str) -> str:
    return f"{what}{number and ' '}{number}{of and ' of '}{of}"
