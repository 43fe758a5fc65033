"""What stands between two neighbours on one line of formatted text: a blank, two, or nothing.

One blank around operators, ``:=`` and ``~``; none around ``^`` and the point of a field, inside of brackets, after a sign, around the ``=`` of a named
argument, between a name and its bracket, and around the ``/`` of a fraction of two numbers (``1/2``) where that is how it reads.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, auto
from itertools import accumulate
from typing import NamedTuple

from seepage.syntax.pieces import Piece, PieceKind
from seepage.syntax.tokens import OPERAND_ENDS, SYMBOLS, Token, scan


class Sort(Enum):
    """What an atom is, as far as its neighbours care."""

    WORD = auto()  # a keyword, name or number
    OPERATOR = auto()  # with a blank on both sides
    TIGHT = auto()  # an operator without blanks
    SIGN = auto()  # stands directly before its operand
    OPENING = auto()  # ( or [ or the { of a table, with a blank before it if something stands there
    ATTACHED = auto()  # an opening bracket that belongs to the name before it
    CLOSING = auto()
    COMMA = auto()  # what follows the word before it directly, and is followed by a blank
    BEGIN = auto()  # the { of a block
    END = auto()  # the } of a block
    COMMENT = auto()  # /* … */
    LINE_COMMENT = auto()  # // …


class Atom(NamedTuple):
    """A token or comment of the text; ``piece`` is the number of the piece that holds it, None between pieces."""

    sort: Sort
    start: int
    end: int
    piece: int | None


OPENING = (Sort.OPENING, Sort.ATTACHED)
COMMENTS = (Sort.COMMENT, Sort.LINE_COMMENT)


def blanks(before: Sort, after: Sort) -> str:
    """Return what stands between two atoms on one line."""
    if after is Sort.LINE_COMMENT:
        return "  "
    if before in OPENING or before in (Sort.TIGHT, Sort.SIGN):
        return " " if before not in OPENING and after is Sort.COMMENT else ""
    if after in (Sort.CLOSING, Sort.COMMA, Sort.ATTACHED) or (before is Sort.BEGIN and after is Sort.END):
        return ""
    return "" if after is Sort.TIGHT and before is not Sort.COMMENT else " "


def atoms_of(piece: Piece, number: int) -> list[Atom]:
    """Return the atoms of a piece without its comments."""
    tokens = scan(piece.text)
    if piece.kind is PieceKind.CLOSE:
        sorts = [Sort.END]
    else:
        depths = accumulate(_BRACKETS.get(token.type, 0) for token in tokens)
        sorts = [_sort(tokens, index, depth) for index, depth in enumerate(depths)]
        _attach_observed(tokens, sorts)
        _tighten_range(tokens, sorts)
        if piece.opens:
            sorts[-1] = Sort.BEGIN
    return [
        Atom(sort, piece.start + token.start, piece.start + token.end, number)
        for sort, token in zip(sorts, tokens, strict=True)
    ]


_BRACKETS = {"LPAR": 1, "LSQB": 1, "LBRACE": 1, "RPAR": -1, "RSQB": -1, "RBRACE": -1}
_OPERATORS = frozenset(
    SYMBOLS[sign]
    for sign in (":=", "~", "->", "||", "|", "==", "!=", "<=", ">=", "<", ">", "=", "..", "+", "-", "*", "/", "%", "^")
)
_BINARY_WORDS = frozenset({"AND", "OR", "XOR", "THEN", "ELSE"})


def _sort(tokens: Sequence[Token], index: int, depth: int) -> Sort:
    type_ = tokens[index].type
    before = tokens[index - 1].type if index else ""
    match type_:
        case "LPAR" | "LSQB":
            return Sort.ATTACHED if before == "NAME" else Sort.OPENING
        case "LBRACE":
            return Sort.OPENING
        case "RPAR" | "RSQB" | "RBRACE":
            return Sort.CLOSING
        case "COMMA" | "SEMICOLON" | "COLON":
            return Sort.COMMA
        case "CARET" | "DOT":
            return Sort.TIGHT
        case "BANG":
            return Sort.SIGN
        case "MINUS":
            return Sort.OPERATOR if before in OPERAND_ENDS else Sort.SIGN
        case "SLASH":
            return Sort.TIGHT if _is_fraction(tokens, index) else Sort.OPERATOR
        case "EQUAL":
            # A declaration's '=' stands outside of brackets, that of a named argument inside.
            return Sort.TIGHT if depth else Sort.OPERATOR
        case _:
            return Sort.OPERATOR if type_ in _OPERATORS else Sort.WORD


def _is_fraction(tokens: Sequence[Token], index: int) -> bool:
    """Tell whether this is ``1/2`` and read as one number: not the ends of ``2^-1 / 2``, ``x / 1 / 2`` or ``1 / 2^3``."""
    if index + 1 == len(tokens) or tokens[index - 1].type != "NUMBER" or tokens[index + 1].type != "NUMBER":
        return False
    at = index - 2
    while at >= 0 and tokens[at].type in ("MINUS", "BANG"):
        at -= 1
    before = tokens[at].type if at >= 0 else ""
    after = tokens[index + 2].type if index + 2 < len(tokens) else ""
    return before not in ("CARET", "SLASH", "PERCENT") and after != "CARET"


def _attach_observed(tokens: Sequence[Token], sorts: list[Sort]) -> None:
    """``observe(b)`` where the parentheses hold all that is observed, ``observe (a) and b`` where they do not."""
    if len(tokens) < 2 or tokens[0].type != "OBSERVE" or tokens[1].type != "LPAR":
        return
    depth = 0
    for index, token in enumerate(tokens):
        depth += _BRACKETS.get(token.type, 0)
        if index and depth == 0:
            if index == len(tokens) - 1:
                sorts[1] = Sort.ATTACHED
            return


def _tighten_range(tokens: Sequence[Token], sorts: list[Sort]) -> None:
    """``1..n``, but ``1 .. n - 1``: the dots bind loosest."""
    for index, token in enumerate(tokens):
        if (
            token.type == "DOTS"
            and not _joins_operands(tokens[:index], sorts)
            and not _joins_operands(tokens[index + 1 :], sorts[index + 1 :])
        ):
            sorts[index] = Sort.TIGHT


def _joins_operands(tokens: Sequence[Token], sorts: Sequence[Sort]) -> bool:
    depth = 0
    for token, sort in zip(tokens, sorts, strict=False):
        depth += _BRACKETS.get(token.type, 0) if sort is not Sort.BEGIN else 0
        if depth == 0 and (sort in (Sort.OPERATOR, Sort.TIGHT) or token.type in _BINARY_WORDS):
            return True
    return False
