"""Blocks by their braces, and without them by lines: what stands on the line of a header, or indented under it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

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
