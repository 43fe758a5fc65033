"""Blocks by their braces, and without them by lines: what stands on the line of a header, or indented under it; what is said of what stands in and between them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from seepage.data_classes import dataclass
from seepage.diagnostics import Diagnostic
from seepage.rules import DECLARATION_IN_BLOCK, EXTRA_BRACE, SEMICOLON_BEFORE_ELSE
from seepage.source import Span
from seepage.syntax.fixes import replacement
from seepage.syntax.layout import Layout
from seepage.syntax.pieces import Piece, PieceKind


@dataclass(frozen=True, slots=True)
class Block:
    """Where a block without braces ends, and whether it stands on the line of its header."""

    end: int
    on_one_line: bool


def braces(pieces: Sequence[Piece]) -> tuple[int, int]:
    """Count the blocks that nothing closes and the ``}`` that close nothing."""
    depth = extra = 0
    leaf = PieceKind.LEAF
    for piece in [one for one in pieces if one[0] is not leaf]:
        if piece.opens:
            depth += 1
        elif piece.kind is PieceKind.CLOSE:
            if depth:
                depth -= 1
            else:
                extra += 1
    return depth, extra


def block_after(pieces: Sequence[Piece], number: int, layout: Layout, whole: bool) -> Block | None:
    """Return the block of the header with this number, None if nothing belongs to it.

    Args:
        pieces: what the file is cut into.
        number: of the header.
        layout: the lines of the file.
        whole: whether all that follows on the line of the header belongs to it, as behind a colon, or one statement only.
    """
    header = pieces[number]
    following = number + 1
    if following >= len(pieces):
        return None
    if layout.are_on_one_line(header.end, pieces[following].start):
        return _on_line(pieces, following, layout, whole)
    indent = layout.indent(header.start)
    end = None
    depth = 0
    for at in range(following, len(pieces)):
        piece = pieces[at]
        if layout.begins_line(piece.start) and layout.column(piece.start) <= indent:
            break
        depth += piece.opens
        depth -= piece.kind is PieceKind.CLOSE
        if depth < 0:
            break
        end = piece.end
    return None if end is None else Block(end, on_one_line=False)


def _on_line(pieces: Sequence[Piece], first: int, layout: Layout, whole: bool) -> Block | None:
    if pieces[first].kind is not PieceKind.LEAF:
        return None
    at = first
    while at + 1 < len(pieces) and layout.are_on_one_line(pieces[at].end, pieces[at + 1].start):
        following = pieces[at + 1].kind
        if following is not PieceKind.SEPARATOR and not (whole and following is PieceKind.LEAF):
            break
        at += 1
        if following is PieceKind.SEPARATOR and not whole:
            break
    return Block(pieces[at].end, on_one_line=True)


# --- what is said of them ---------------------------------------------------------------------------------------------

_DECLARATION = re.compile(r"(param|const|secret|output|show|require)\b|(def|enum|table|import)\s+[\w\"]")


def declares(piece: Piece) -> bool:
    """Tell whether a piece stands outside of blocks."""
    return piece.kind in (PieceKind.LEAF, PieceKind.HEADER) and _DECLARATION.match(piece.text) is not None


def declared_inside(piece: Piece) -> Diagnostic:
    """Return what is said of a declaration inside of a block."""
    keyword = piece.first_word
    message = f"found the declaration '{keyword}' inside a block; move it out, it applies to the whole file"
    return Diagnostic(DECLARATION_IN_BLOCK, Span(piece.start, piece.start + len(keyword)), message)


def ends_before(semicolon: Span, what: str, word: str) -> Diagnostic:
    """Return what is said of a ``;`` right before a word that goes on with a statement."""
    message = f"the ';' ends the {what}, so '{word}' cannot follow; remove it"
    fixes = replacement("remove the ';'", semicolon, "", automatic=True)
    return Diagnostic(SEMICOLON_BEFORE_ELSE, semicolon, message, fixes=fixes)


def closes_nothing(piece: Piece) -> Diagnostic:
    """Return what is said of a brace too many."""
    span = Span(piece.start, piece.end)
    fixes = replacement("remove the '}'", span, "")
    return Diagnostic(EXTRA_BRACE, span, "the '}' closes nothing: no block is open here", fixes=fixes)


def shortened(text: str) -> str:
    """Return a text on one line, of at most 40 characters."""
    words = " ".join(text.split())
    return words if len(words) <= 40 else f"{words[:39]}…"
