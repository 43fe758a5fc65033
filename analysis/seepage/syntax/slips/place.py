"""What slips are told of the place where reading stopped, and what they all ask of its tokens."""

from __future__ import annotations

from collections.abc import Sequence

from seepage.data_classes import dataclass
from seepage.source import Span
from seepage.syntax.tokens import CLOSERS, Token


@dataclass(frozen=True, slots=True)
class Place:
    """Where reading stopped: the tokens of the piece, the index of the one that does not fit, and the brackets open there."""

    tokens: list[Token]
    index: int
    expected: frozenset[str]
    brackets: tuple[Token, ...]

    @property
    def token(self) -> Token:
        """The token that does not fit; an empty one past the end."""
        if self.index < len(self.tokens):
            return self.tokens[self.index]
        end = self.tokens[-1].end
        return Token("$END", "", end, end)

    @property
    def previous(self) -> Token:
        """The token before, or an empty one at the start."""
        return self.tokens[self.index - 1] if self.index else Token("", "", 0, 0)

    @property
    def head(self) -> str:
        """The terminal that the piece begins with."""
        return self.tokens[0].type


def span_of(token: Token) -> Span:
    """Return the place of a token."""
    return Span(token.start, token.end)


def spelled(tokens: list[Token]) -> str:
    """Return tokens as they are written, with one blank where there is white space."""
    ends = [tokens[0].start, *(one.end for one in tokens)] if tokens else []
    return "".join(f"{' ' if end < one.start else ''}{one.value}" for end, one in zip(ends, tokens, strict=False))


def depths(tokens: list[Token]) -> list[int] | None:
    """Return how many brackets are open around each token, themselves not counted; None if they do not match."""
    open_: list[str] = []
    found: list[int] = []
    for token in tokens:
        if token.type in CLOSERS.values() and (not open_ or CLOSERS[open_.pop()] != token.type):
            return None
        found.append(len(open_))
        if token.type in CLOSERS:
            open_.append(token.type)
    return None if open_ else found


def between_commas(tokens: Sequence[Token]) -> list[list[Token]]:
    """Return the parts of a list."""
    parts: list[list[Token]] = [[]]
    depth = 0
    for token in tokens:
        depth += {"LPAR": 1, "LSQB": 1, "LBRACE": 1, "RPAR": -1, "RSQB": -1, "RBRACE": -1}.get(token.type, 0)
        if token.type == "COMMA" and not depth:
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


def partners(tokens: Sequence[Token]) -> dict[int, int]:
    """Return where the partner of each bracket is that has one, of opening and of closing ones; in one pass, for loops over tokens."""
    open_: list[int] = []
    found: dict[int, int] = {}
    for number, token in enumerate(tokens):
        if token.type in CLOSERS:
            open_.append(number)
        elif open_ and token.type in CLOSERS.values():
            opening = open_.pop()
            if CLOSERS[tokens[opening].type] == token.type:
                found[opening], found[number] = number, opening
            else:  # nor is one closed that is around it
                open_.clear()
    return found
