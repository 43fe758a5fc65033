"""Markdown as plain text, for editors that show hovers without formatting."""

from __future__ import annotations

import re

# Marks that are written as characters, and addresses between brackets, come before code, so that they are hidden from the search for marks too.
_HIDDEN = re.compile(r"(\\[!-/:-@\[-`{-~]|\\\n|(?<!`)`++[^`]*+`++|<https?://[^<>\s]++>)")
_BOLD = re.compile(r"\*\*([^*\n]++)\*\*")
_EMPHASIS = re.compile(r"(?<![\w_])_([^_]++(?:(?<=\w)_(?=\w)[^_]*+)*+)_(?!\w)|(?<!\*)\*([^*\n]++)\*(?!\*)")
_PLACE = re.compile(r"\0(\d++)\0")


def plain(markdown: str) -> str:
    """Take the marks of the Markdown that reports use away: bold, emphasis, code, escapes, addresses, forced line breaks and rules."""
    pieces = _HIDDEN.split(markdown.replace("\0", ""))
    # Bold and emphasis may hold code, so their marks go first, with the code's text hidden from the search.
    hidden = "".join(f"\0{index}\0" if index % 2 else piece for index, piece in enumerate(pieces))
    bare = _EMPHASIS.sub(lambda found: found[1] or found[2], _BOLD.sub(r"\1", hidden))
    shown = _PLACE.sub(lambda found: _bare(pieces[int(found[1])]), bare)
    lines = [line.rstrip() for line in shown.split("\n")]
    return "\n".join("" if line == "---" else line for line in lines)


def _bare(piece: str) -> str:
    return piece[1:] if piece.startswith("\\") else piece.strip("`<>" if piece.startswith("<") else "`")
