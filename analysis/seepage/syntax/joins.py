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


def joined_lines(piece: Piece, layout: Layout) -> Diagnostic | None:
    """Report the first line of a leaf that joins the line above and is not indented as a continuation would be."""
    if "\n" not in piece.text and "\r" not in piece.text:
        return None
    depth = 0
    for previous, token in pairwise(scan(piece.text)):
        depth += {"LPAR": 1, "LSQB": 1, "LBRACE": 1, "RPAR": -1, "RSQB": -1, "RBRACE": -1}.get(previous.type, 0)
        if depth or token.type not in _CONTINUING or previous.type not in OPERAND_ENDS:
            continue
        at = piece.start + token.start
        if layout.begins_line(at) and layout.column(at) <= layout.indent(piece.start):
            message = f"the line continues the statement above, which reads '{previous.value} {token.value} …'; indent it if that is meant"
            return Diagnostic(JOINED_LINES, Span(at, at + 1), message)
    return None
