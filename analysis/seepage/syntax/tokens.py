"""Text -> tokens: the one regular expression that reads Seep, comments already blanked.

The terminals are those of ``grammar.lark``; a test holds the two together. Whatever the text, every character that is no
white space is in exactly one token: what belongs to no terminal becomes ``UNKNOWN`` or ``BAD_NUMBER``.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from collections.abc import Iterator
from typing import NamedTuple

from seepage.syntax.comments import blank_comments
from seepage.syntax.vocabulary.keywords import KEYWORDS

# Keywords that begin a piece wherever they stand: no expression holds them.
OPENERS = frozenset({"PARAM", "CONST", "SECRET", "OUTPUT", "OBSERVE", "SKIP", "SHOW", "REQUIRE", "FOR", "WHILE"})
# After one of these an expression may be complete.
OPERAND_ENDS = frozenset(
    {"NAME", "NUMBER", "BAD_NUMBER", "STRING", "TRUE", "FALSE", "INF", "RPAR", "RSQB", "RBRACE", "BITS", "NATS", "SKIP"}
)

# What closes a bracket.
CLOSERS = {"LPAR": "RPAR", "LSQB": "RSQB", "LBRACE": "RBRACE"}

SYMBOLS = {
    ":=": "ASSIGN",
    "~": "TILDE",
    "->": "ARROW",
    "||": "BARS",
    "|": "BAR",
    "==": "EQ",
    "!=": "NE",
    "<=": "LE",
    ">=": "GE",
    "<": "LT",
    ">": "GT",
    "=": "EQUAL",
    "..": "DOTS",
    "+": "PLUS",
    "-": "MINUS",
    "*": "STAR",
    "/": "SLASH",
    "%": "PERCENT",
    "^": "CARET",
    "!": "BANG",
    "(": "LPAR",
    ")": "RPAR",
    "[": "LSQB",
    "]": "RSQB",
    "{": "LBRACE",
    "}": "RBRACE",
    ",": "COMMA",
    ";": "SEMICOLON",
    ":": "COLON",
    ".": "DOT",
}

# Signs and spaces beyond ASCII that people write, which end a word or number as others do: '3×4'.
_SIGNS = "≤≥≠×∙÷−–—←≔∼→∧∨⊕¬∞‖∣…" r"\xa0\u1680\u2000-\u200b\u2028\u2029\u202f\u205f\u3000\ufeff"
# A word may hold any other character beyond ASCII; what is no identifier is cut up afterwards.
_FOREIGN = rf"(?![{_SIGNS}])[\x80-\U0010ffff]"
_TOKEN = re.compile(
    rf"(?P<word>(?:[A-Za-z_]|{_FOREIGN})[A-Za-z0-9_]*(?:{_FOREIGN}[A-Za-z0-9_]*)*)"
    rf"|(?P<number>[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)(?P<tail>(?:[A-Za-z0-9_]|{_FOREIGN})+)?"
    r'|(?P<string>"[^"\n\r]*")'
    rf"|(?P<dot>(?<=[A-Za-z0-9_\]\x80-\U0010ffff])\.(?=[A-Za-z_]|{_FOREIGN}))"
    r"|(?P<symbol>:=|->|\|\||==|!=|<=|>=|\.\.|[~|<>=+\-*/%^!()\[\]{},;:])"
    r"|(?P<unknown>[^ \t\n\r\f\v])"
)


class Token(NamedTuple):
    """A token: its terminal, its value (names are NFKC-normalised) and its range."""

    type: str
    value: str
    start: int
    end: int

    @property
    def start_pos(self) -> int:
        """The start under the name that lark asks for."""
        return self.start

    @property
    def end_pos(self) -> int:
        """The end under the name that lark asks for."""
        return self.end

    @property
    def line(self) -> int:
        """Nothing: lines are no business of a piece; lark copies them."""
        return 0

    @property
    def column(self) -> int:
        """Nothing, like the line."""
        return 0

    @property
    def end_line(self) -> int:
        """Nothing, like the line."""
        return 0

    @property
    def end_column(self) -> int:
        """Nothing, like the line."""
        return 0


def scan(text: str, begin: int = 0, end: int = sys.maxsize) -> list[Token]:
    """Cut text without comments, or the part of it from ``begin`` to ``end``, into tokens; never fails.

    No token holds a line end, so that parts that meet there have the tokens of the whole.
    """
    tokens: list[Token] = []
    append = tokens.append
    for match in _TOKEN.finditer(text, begin, end):
        kind = match.lastgroup
        start, stop = match.span()
        value = match.group()
        if kind == "word":
            if value.isascii():
                append(Token(value.upper() if value in KEYWORDS else "NAME", value, start, stop))
            else:
                tokens.extend(_foreign_word(value, start))
        elif kind == "symbol":
            append(Token(SYMBOLS[value], value, start, stop))
        elif kind == "string":
            append(Token("STRING", value, start, stop))
        elif kind == "dot":
            append(Token("DOT" if tokens and tokens[-1].type in ("NAME", "RSQB") else "UNKNOWN", value, start, stop))
        elif kind == "number":
            append(Token("NUMBER", value, start, stop))
        elif kind == "tail":
            append(Token("BAD_NUMBER", value, start, stop))
        else:
            append(Token("UNKNOWN", value, start, stop))
    return tokens


def says_the_same(before: str, after: str) -> bool:
    """Tell whether two texts differ in comments and in the white space between tokens alone, so that programs mean the same."""
    one, other = (scan(blank_comments(text).text) for text in (before, after))
    return [token[:2] for token in one] == [token[:2] for token in other]


def _foreign_word(word: str, start: int) -> Iterator[Token]:
    """Cut a word with characters beyond ASCII into identifiers and characters that belong to none."""
    if word.isidentifier():
        yield _word(word, start)
        return
    at = 0
    while at < len(word):
        if not word[at].isidentifier():  # a sign, or a digit or mark that no letter leads
            yield Token("UNKNOWN", word[at], start + at, start + at + 1)
            at += 1
            continue
        end = at + 1
        while end < len(word) and ("_" + word[end]).isidentifier():
            end += 1
        yield _word(word[at:end], start + at)
        at = end


def _word(word: str, start: int) -> Token:
    name = unicodedata.normalize("NFKC", word)
    return Token(name.upper() if name in KEYWORDS else "NAME", name, start, start + len(word))
