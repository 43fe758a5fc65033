"""Lines that join by accident: no newline ends a statement, so a line that begins with ``-``, ``(`` or ``[`` continues the one above."""

from __future__ import annotations

from itertools import pairwise

from seepage.diagnostics import Diagnostic
from seepage.rules import JOINED_LINES
from seepage.source import Span
from seepage.syntax.layout import Layout
from seepage.syntax.pieces import Piece
from seepage.syntax.tokens import OPERAND_ENDS, scan

_CONTINUING = ("MINUS", "LPAR", "LSQB")


def continuations(text: str) -> tuple[tuple[int, str], ...]:
    """Return where a token of a piece may continue an expression that is complete, and how that reads; a function of its text."""
    if "\n" not in text and "\r" not in text:
        return ()
    found: list[tuple[int, str]] = []
    depth = 0
    for previous, token in pairwise(scan(text)):
        depth += {"LPAR": 1, "LSQB": 1, "LBRACE": 1, "RPAR": -1, "RSQB": -1, "RBRACE": -1}.get(previous.type, 0)
        is_complete = not depth and previous.type in OPERAND_ENDS
        gap = text[previous.end : token.start]
        if is_complete and token.type in _CONTINUING and ("\n" in gap or "\r" in gap):
            found.append((token.start, f"{previous.value} {token.value}"))
    return tuple(found)


def joined_lines(piece: Piece, places: tuple[tuple[int, str], ...], layout: Layout) -> Diagnostic | None:
    """Report the first line of a leaf that joins the line above and is not indented as a continuation would be."""
    for start, words in places:
        at = piece.start + start
        if layout.column(at) <= layout.indent(piece.start):
            message = f"the line continues the statement above, which reads '{words} …'; indent it if that is meant"
            return Diagnostic(JOINED_LINES, Span(at, at + 1), message)
    return None
