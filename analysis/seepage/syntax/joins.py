"""Lines that join by accident, as no newline ends a statement.

A line that begins with ``-``, ``(`` or ``[`` continues the one above; so does ``if`` below ``} else``.
"""

from __future__ import annotations

from collections.abc import Iterator
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
    tokens = scan(text)
    head = tokens[0].type
    if head in ("IF", "FOR", "WHILE"):
        return ()  # its brace is still to come, so no line of it can be taken for a statement
    for previous, token in pairwise(tokens if head != "ELSE" else tokens[:2]):
        depth += {"LPAR": 1, "LSQB": 1, "LBRACE": 1, "RPAR": -1, "RSQB": -1, "RBRACE": -1}.get(previous.type, 0)
        is_complete = not depth and previous.type in OPERAND_ENDS
        gap = text[previous.end : token.start]
        continues = (is_complete and token.type in _CONTINUING) or (head, token.type) == ("ELSE", "IF")
        if continues and ("\n" in gap or "\r" in gap):
            found.append((token.start, f"{previous.value} {token.value}"))
    return tuple(found)


def joints(piece: Piece, layout: Layout) -> Iterator[tuple[int, str]]:
    """Yield where a line of a piece joins the line above without being indented as a continuation would be, and how that reads."""
    return _unclear(piece, continuations(piece.text), layout)


def joined_lines(piece: Piece, places: tuple[tuple[int, str], ...], layout: Layout) -> Diagnostic | None:
    """Report the first line of a piece that joins the line above and is not indented as a continuation would be."""
    for at, words in _unclear(piece, places, layout):
        meant = "write both on one line" if words == "else if" else "indent it"
        message = f"the line continues the statement above, which reads '{words} …'; {meant} if that is meant"
        return Diagnostic(JOINED_LINES, Span(at, at + len(words.split()[-1])), message)
    return None


def _unclear(piece: Piece, places: tuple[tuple[int, str], ...], layout: Layout) -> Iterator[tuple[int, str]]:
    for start, words in places:
        at = piece.start + start
        if layout.column(at) <= layout.indent(piece.start):
            yield at, words
