"""Markdown as plain text, for editors that show hovers without formatting."""

from __future__ import annotations

import re

_CODE = re.compile(r"(`[^`]*`)")
_BOLD = re.compile(r"\*\*(.+?)\*\*")
_EMPHASIS = re.compile(r"(?<!\w)_(.+?)_(?!\w)", re.DOTALL)


def plain(markdown: str) -> str:
    """Take the marks of the Markdown that reports use away: bold, emphasis, code, forced line breaks and rules."""
    pieces = _CODE.split(markdown)
    # Bold and emphasis may hold code, so their marks go first, with the code's text hidden from the search.
    hidden = "".join(f"\0{index}\0" if index % 2 else piece for index, piece in enumerate(pieces))
    shown = re.sub(
        r"\0(\d+)\0", lambda match: pieces[int(match[1])].strip("`"), _EMPHASIS.sub(r"\1", _BOLD.sub(r"\1", hidden))
    )
    lines = [line.rstrip() for line in shown.split("\n")]
    return "\n".join("" if line == "---" else line for line in lines)
