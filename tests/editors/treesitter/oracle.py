"""What our own parser says of a text, in the terms that a grammar has."""

from __future__ import annotations

from collections.abc import Iterator

from seepage import rules
from seepage.diagnostics import Diagnostic, Severity
from seepage.source import SourceFile
from seepage.syntax.comments import Comment, blank_comments
from seepage.syntax.extended import parts_of
from seepage.syntax.lexical import prepare
from seepage.syntax.parse import parse
from seepage.syntax.piece import parse_piece
from seepage.syntax.pieces import PieceKind, cut
from seepage.syntax.raw import Raw, RawHeader, RawLeaf, RawMember, children
from seepage.syntax.tokens import Token, scan
from seepage.syntax.tree import Binary, Conditional, Unary

# What says that a text cannot be read. The other rules find fault with what it says: a law, a measure, a declaration or a 'break' in the
# wrong place, and what is too long or too deep.
UNREADABLE = frozenset(
    {
        rules.UNKNOWN_CHARACTER,
        rules.UNTERMINATED_COMMENT,
        rules.MALFORMED_NUMBER,
        rules.UNEXPECTED,
        rules.CUT_OFF,
        rules.SINGLE_EQUALS,
        rules.COMPARISON_CHAIN,
        rules.KEYWORD_AS_NAME,
        rules.NO_STATEMENT,
        rules.MISSING_BRACE,
        rules.EXTRA_BRACE,
        rules.MISPLACED_ELSE,
        rules.SEMICOLON_BEFORE_ELSE,
        rules.MISPLACED_JUMP,
    }
)
_JUMPS = ("break", "continue", "return")


def errors(text: str) -> list[Diagnostic]:
    """Return the errors that our parser finds in a text, of whatever kind."""
    found = parse(SourceFile("text.seep", text)).diagnostics
    return [one for one in found if one.rule.severity is Severity.ERROR]


def is_unreadable(text: str, found: list[Diagnostic]) -> bool:
    """Tell whether errors in a text say that it cannot be read; a jump that stands in no loop can be."""
    return any(
        one.rule in UNREADABLE
        and not (one.rule is rules.MISPLACED_JUMP and text.startswith(_JUMPS, one.span.start, one.span.end))
        and not (one.rule is rules.NO_STATEMENT and _reads(text[one.span.start : one.span.end]))
        for one in found
    )


def _reads(statement: str) -> bool:
    """Tell whether a statement of another language can be read here, such as ``x := (a, b)``, though it means nothing."""
    piece = parse_piece(statement)
    return piece.raw is not None and not any(one.rule in UNREADABLE for one in piece.diagnostics)


def tokens(text: str) -> Iterator[Token]:
    """Yield the terminals of a text that can be read, those of words that are keywords where they stand among them."""
    for piece in cut(blank_comments(text).text):
        made, _, _ = prepare(scan(piece.text))
        for token in made:
            yield token._replace(start=piece.start + token.start, end=piece.start + token.end)


def operations(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield what computes in a text that can be read, in no order: the operator, and where its operation begins and ends."""
    for piece in cut(blank_comments(text).text):
        if piece.kind is not PieceKind.SEPARATOR and (raw := parse_piece(piece.text).raw) is not None:
            stack = list(_expressions(raw))
            while stack:
                one = stack.pop()
                stack.extend(children(one))
                if (operator := _operator(one)) is not None:
                    yield operator, piece.start + one.span.start, piece.start + one.span.end


def _expressions(raw: RawLeaf | RawHeader) -> Iterator[Raw]:
    yield from parts_of(raw)
    if isinstance(raw, RawLeaf):
        for interval in (raw.interval, *(one.interval for one in raw.ranges)):
            yield from () if interval is None else (interval.low, interval.high)


def _operator(raw: Raw) -> str | None:
    match raw:
        case Binary(operator=operator) | Unary(operator=operator):
            return operator
        case RawMember():
            return "in"
        case Conditional():
            return "if"
        case _:
            return None


def comments(text: str) -> tuple[Comment, ...]:
    """Return the comments of a text."""
    return blank_comments(text).comments
