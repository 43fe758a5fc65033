"""Cut text into pieces: leaf statements and declarations, headers with their ``{``, ``else … {``, ``}``.

Works on text without comments (:mod:`seepage.syntax.comments`). No newline ends a statement and semicolons are optional, so
starts are found by what no expression can hold: a keyword that opens a statement, a name after a complete operand, and, for the
recovery of statements that are cut off, a target before ``:=`` or ``~``. ``if`` and ``else`` belong to a conditional expression
where an operand is due and where a ``then`` is open; ``{`` belongs to a table where an operand is due.
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from seepage.syntax.tokens import OPENERS, OPERAND_ENDS, Token, scan
from seepage.syntax.words import MEASURES


class PieceKind(Enum):
    """What a piece is; its first token tells."""

    LEAF = "leaf"
    HEADER = "header"
    ELSE = "else"
    CLOSE = "}"
    STRAY = "{"
    SEPARATOR = ";"


class Piece(NamedTuple):
    """A piece of the text; it starts with its first token and ends with its last one."""

    kind: PieceKind
    start: int
    end: int
    text: str

    @property
    def opens(self) -> bool:
        """Whether it ends with the brace of a block."""
        return self.kind in _OPENING_KINDS and self.text.endswith("{")


_OPENING_KINDS = (PieceKind.HEADER, PieceKind.ELSE, PieceKind.STRAY)
_KINDS = {
    "IF": PieceKind.HEADER,
    "FOR": PieceKind.HEADER,
    "WHILE": PieceKind.HEADER,
    "ELSE": PieceKind.ELSE,
    "LBRACE": PieceKind.STRAY,
    "RBRACE": PieceKind.CLOSE,
    "SEMICOLON": PieceKind.SEPARATOR,
}
_WITH_SEMICOLONS = ("SHOW", "REQUIRE")
_LONGEST_TARGET = 1_000  # tokens to look back for the start of a target, so that bad text takes linear time


def cut(text: str) -> list[Piece]:
    """Cut text without comments into pieces, in order; every token is in exactly one of them."""
    tokens = scan(text)
    starts = _Cutter(text, tokens).starts()
    bounds = [*(index for index, _ in starts), len(tokens)]
    pieces: list[Piece] = []
    for (first, kind), following in zip(starts, bounds[1:], strict=True):
        start, end = tokens[first].start, tokens[following - 1].end
        pieces.append(Piece(kind, start, end, text[start:end]))
    return pieces


class _Cutter:
    """One walk over the tokens; its state is that of the piece being read."""

    def __init__(self, text: str, tokens: list[Token]) -> None:
        self.text = text
        self.tokens = tokens
        self.found: list[tuple[int, PieceKind]] = []
        self.reading = False
        self.start(0, False)

    def start(self, index: int, assigned: bool) -> None:
        """Forget the piece before; the next one starts at token ``index``."""
        self.first = index
        self.kind = PieceKind.LEAF
        self.assigned = assigned
        self.brackets: list[str] = []
        self.opened = index  # where the last bracket was opened
        self.ifs: list[int] = []  # conditional expressions that wait for their 'then'
        self.thens = 0  # those that wait for their 'else'

    def starts(self) -> list[tuple[int, PieceKind]]:
        """Return the index of the first token of each piece, with its kind."""
        for index, token in enumerate(self.tokens):
            if self.reading and self.ends_before(index, token):
                self.reading = False
            if self.reading:
                self.take(index, token.type)
            else:
                self.open(index, token.type)
        return self.found

    def open(self, index: int, type_: str) -> None:
        self.start(index, False)
        self.kind = _KINDS.get(type_, PieceKind.LEAF)
        self.found.append((index, self.kind))
        self.reading = self.kind in (PieceKind.LEAF, PieceKind.HEADER, PieceKind.ELSE)
        if type_ in ("LPAR", "LSQB"):
            self.brackets.append(type_)

    def ends_before(self, index: int, token: Token) -> bool:
        """Tell whether the piece that is being read cannot hold this token."""
        type_ = token.type
        previous = self.tokens[index - 1]
        complete = previous.type in OPERAND_ENDS
        if self.kind is PieceKind.ELSE and index == self.first + 1:
            return type_ not in ("IF", "LBRACE")
        if type_ in OPENERS:
            return True
        match type_:
            case "NAME":
                if not complete or self.brackets:
                    return False
                return self.kind is PieceKind.LEAF or self.on_later_line(previous, token)
            case "SEMICOLON":
                return not self.is_inside_measure()
            case "RBRACE":
                return "LBRACE" not in self.brackets
            case "ELSE":
                return self.thens == 0
            case "IF":
                return complete and not self.brackets
            case "LBRACE":
                return self.kind is PieceKind.LEAF and complete and not self.ifs
            case _:
                return False

    def is_inside_measure(self) -> bool:
        """Tell whether a ``;`` here separates the sides of a measure (which may stand in the wrong place)."""
        if not self.brackets:
            return False
        before = self.tokens[self.opened - 1]
        return self.tokens[self.first].type in _WITH_SEMICOLONS or (
            self.brackets[-1] == "LPAR" and before.type == "NAME" and before.value in MEASURES
        )

    def take(self, index: int, type_: str) -> None:
        match type_:
            case "LPAR" | "LSQB":
                self.brackets.append(type_)
                self.opened = index
            case "RPAR" | "RSQB":
                if self.brackets and self.brackets[-1] != "LBRACE":
                    self.brackets.pop()
            case "LBRACE":
                self.take_brace(type_)
            case "RBRACE":
                while self.brackets.pop() != "LBRACE":
                    pass
            case "IF" if self.kind is PieceKind.LEAF:
                self.ifs.append(index)
            case "THEN":
                self.thens += 1
                if self.ifs:
                    self.ifs.pop()
            case "ELSE":
                self.thens -= 1
            case "ASSIGN" | "TILDE":
                self.take_assignment(index)

    def take_brace(self, type_: str) -> None:
        if self.kind is PieceKind.LEAF and self.ifs:
            # What looked like a conditional expression, for want of an operand before it, heads a block.
            self.found.append((self.ifs[-1], PieceKind.HEADER))
            self.reading = False
        elif self.kind is PieceKind.LEAF:
            self.brackets.append(type_)
        else:
            self.reading = False

    def take_assignment(self, index: int) -> None:
        """Start a piece at the target before ``:=`` or ``~`` if what stands before it is another statement, cut off."""
        target = self.target_before(index)
        if target is not None and (self.assigned or self.on_later_line(self.tokens[target - 1], self.tokens[target])):
            self.found.append((target, PieceKind.LEAF))
            self.start(target, True)
        self.assigned = True

    def target_before(self, index: int) -> int | None:
        """Return where a name, or a name with an index, ends right before ``index``; not at the start of the piece."""
        at = index - 1
        if self.tokens[at].type == "RSQB":
            depth = 0
            lowest = max(self.first, at - _LONGEST_TARGET)
            while at > lowest:
                depth += {"RSQB": 1, "LSQB": -1}.get(self.tokens[at].type, 0)
                at -= 1
                if depth == 0:
                    break
        # A keyword there is meant as a name; that is reported with the statement.
        return at if at > self.first and self.tokens[at].value.isidentifier() else None

    def on_later_line(self, before: Token, token: Token) -> bool:
        gap = self.text[before.end : token.start]
        return "\n" in gap or "\r" in gap
