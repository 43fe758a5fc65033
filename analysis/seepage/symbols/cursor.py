"""The tokens before a cursor, back to the start of its statement: what stands there while it is being typed."""

from __future__ import annotations

import re

from seepage.data_classes import dataclass
from seepage.semantics.checked import Checked
from seepage.symbols.names import tree_of
from seepage.syntax.comments import blank_comments
from seepage.syntax.pieces import PieceKind, cut
from seepage.syntax.tokens import Token, scan
from seepage.syntax.tree import If, Placed

_WORD_BEFORE = re.compile(r"\w*\Z")


@dataclass(frozen=True, slots=True)
class Before:
    """What stands before a cursor.

    Attributes:
        kind: of the piece that the cursor continues, None at the start of the file.
        tokens: of that piece, without the word that is being typed; their offsets count from its start.
        word: the part of a word right before the cursor.
        starts_line: whether the word begins its line.
    """

    kind: PieceKind | None
    tokens: tuple[Token, ...]
    word: str
    starts_line: bool


def before(checked: Checked, offset: int) -> Before | None:
    """Return what stands before an offset; None inside a comment."""
    text = checked.source.text
    match = _WORD_BEFORE.search(text, max(0, offset - 200), offset)
    assert match is not None
    word = match.group()
    blanked = blank_comments(text).text
    end = offset - len(word)
    if _in_comment(text, offset):
        return None
    start = max((one for one in _starts(checked) if one < max(end, 1)), default=0)
    pieces = cut(blanked[start:end])
    line = max(blanked.rfind("\n", 0, end), blanked.rfind("\r", 0, end)) + 1
    starts_line = not blanked[line:end].strip()
    if not pieces:
        return Before(None, (), word, starts_line)
    last = pieces[-1]
    return Before(last.kind, tuple(scan(last.text)), word, starts_line)


def _starts(checked: Checked) -> list[int]:
    """Return where statements and headers start."""
    found: list[int] = []
    for item in tree_of(checked).walk():
        if isinstance(item, If):
            found += [arm.start for arm in item.arms[:1]]
        else:
            found.append(item.start if isinstance(item, Placed) else item.span.start)
    return found


def _in_comment(text: str, offset: int) -> bool:
    """Tell whether a comment holds an offset; one that ends there does if it ends its line, or never ends."""
    for comment in blank_comments(text).comments:
        if comment.start >= offset:
            return False
        inside = text[comment.start : offset]
        if text.startswith("//", comment.start):
            if "\n" not in inside and "\r" not in inside:
                return True
        elif offset < comment.end or (offset == comment.end and not text.endswith("*/", 0, comment.end)):
            return True
    return False
