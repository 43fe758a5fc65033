"""Cut text into pieces: leaf statements and declarations, headers with their ``{``, ``else … {``, ``}``.

Works on text without comments (:mod:`seepage.syntax.comments`). No newline ends a statement and semicolons are optional, so
starts are found by what no expression can hold: a keyword that opens a statement, a name after a complete operand, and, for the
recovery of statements that are cut off, a target before ``:=`` or ``~`` (or ``=``, where it is a slip for those). ``if`` and
``else`` belong to a conditional expression where an operand is due and where a ``then`` is open; ``{`` belongs to a table where an
operand is due.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from typing import NamedTuple

from seepage.syntax.contextual import HEADS, NEVER_GIVEN
from seepage.syntax.tokens import OPENERS, OPERAND_ENDS, SYMBOLS, Token, scan
from seepage.syntax.vocabulary.measures import MEASURES


class PieceKind(Enum):
    """What a piece is; its first token tells."""

    LEAF = "leaf"
    HEADER = "header"
    ELSE = "else"
    CLOSE = "}"
    STRAY = "{"
    SEPARATOR = ";"


class Piece(NamedTuple):
    """A piece of the text; it starts with its first token and ends with its last one.

    ``fresh``: nothing before its start has a say in how the text is cut from there on. Not so for a piece whose start was revealed
    later, by a ``:=``, ``~`` or ``{`` behind it.
    """

    kind: PieceKind
    start: int
    end: int
    text: str
    fresh: bool = True

    @property
    def opens(self) -> bool:
        """Whether it ends with the brace of a block."""
        return self.kind in _OPENING_KINDS and self.text.endswith("{")

    @property
    def first_word(self) -> str:
        """The word that it begins with, if any: it may be nothing but a blank that is no white space of the language."""
        return self.text[: next((at for at, one in enumerate(self.text) if not _IN_WORD(one)), None)]


_IN_WORD = re.compile(r"\w").match
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
_ADDING = ("PLUS", "MINUS", "STAR", "SLASH")
_KEEPING = ("def", "enum", "table", "attacker", "import", "return", "until")
_LINKS = ("from", "as", "weight")
_WITH_SEMICOLONS = ("SHOW", "REQUIRE")
# Inside a leaf these neither end it nor change what may follow.
_QUIET = frozenset(SYMBOLS.values()) - {
    "SEMICOLON",
    "LPAR",
    "RPAR",
    "LSQB",
    "RSQB",
    "LBRACE",
    "RBRACE",
    "ASSIGN",
    "TILDE",
    "EQUAL",
}
_QUIET |= {"STRING", "NUMBER", "BAD_NUMBER", "UNKNOWN", "AND", "OR", "XOR", "NOT", "TRUE", "FALSE", "INF", "IN"}
# What shows that an `if` after a complete statement heads a block, and is no part of `a if b else c`.
_NEVER_CONDITIONS = OPENERS | {"IF", "LBRACE", "RBRACE", "ASSIGN", "TILDE", "SEMICOLON"}


def cut(text: str) -> list[Piece]:
    """Cut text without comments into pieces, in order; every token is in exactly one of them."""
    return _Cutter(text, 0).pieces(len(text), _never)


def recut(pieces: Sequence[Piece], text: str, begin: int, end: int, moved: int) -> Recut:
    """Cut a text that was cut into ``pieces`` before a change, only where the change can matter.

    How a piece is cut depends on its text, on the rest of the line where it starts, and on the indentation of that line.

    Args:
        pieces: those of the text before.
        text: the text after, without comments.
        begin: the texts are equal before this offset.
        end: and from this offset on, in the text after.
        moved: how much further to the right that part stands than before.
    """
    line = max((at.end() for at in _LINE_END.finditer(text, max(begin - _WINDOW, 0), begin)), default=0)
    # Two pieces before, as no token of the first one looks that far ahead.
    first = max(bisect_left(pieces, line, key=_start_of) - 3, 0)
    while first > 0 and not pieces[first].fresh:
        first -= 1
    following = _LINE_END.search(text, end)
    cutter = _Cutter(text, pieces[first].start if first else 0)
    if following is None:
        return Recut(first, len(pieces), cutter.pieces(len(text), _never))

    def number(start: int) -> int | None:
        """Return the number of the piece from whose start on everything is as before."""
        found = bisect_left(pieces, start - moved, key=_start_of)
        same = found < len(pieces) and pieces[found].start == start - moved and pieces[found].fresh
        return found if same else None

    made = cutter.pieces(following.end(), number)
    return Recut(first, len(pieces) if cutter.stopped is None else cutter.stopped, made)


class Recut(NamedTuple):
    """The pieces ``made`` stand for those with the numbers ``[first, last)``."""

    first: int
    last: int
    made: list[Piece]


def _never(start: int) -> None:
    return None


def _start_of(piece: Piece) -> int:
    return piece.start


_WINDOW = 500  # characters that are looked at at once, and the rest of their last line
_LINE_END = re.compile(r"\r\n?|\n")


def _scanned(text: str, begin: int) -> Iterator[list[Token]]:
    """Yield the tokens from ``begin`` on by whole lines, scanned when they are asked for."""
    while begin < len(text):
        line_end = _LINE_END.search(text, begin + _WINDOW)
        end = line_end.start() if line_end else len(text)
        yield scan(text, begin, end)
        begin = end


class _Cutter:
    """One walk over the tokens; its state is that of the piece being read."""

    def __init__(self, text: str, offset: int) -> None:
        self.text = text
        self.offset = offset
        self.tokens: list[Token] = []
        self.found: list[tuple[int, PieceKind, bool]] = []
        self.reading = False
        self.stopped: int | None = None
        self.start(0, False)

    def start(self, index: int, assigned: bool) -> None:
        """Forget the piece before; the next one starts at token ``index``."""
        self.first = index
        self.kind = PieceKind.LEAF
        self.assigned = assigned
        self.brackets: list[str] = []
        self.places: list[int] = []  # where each of them stands
        self.matched: int | None = None  # where the '[' stands that the last ']' closes
        self.opened = index  # where the last bracket was opened
        self.ifs: list[int] = []  # conditional expressions that wait for their 'then'
        self.margin: int | None = None  # how far the line is indented where the piece starts, once it is asked for
        self.thens = 0  # those that wait for their 'else'
        self.given: int | None = None  # where a `given` stands
        self.equal = False  # whether a '=' outside brackets was read: a slip for ':=' after a name

    def pieces(self, end: int, known: Callable[[int], int | None]) -> list[Piece]:
        """Return the pieces, up to the first fresh start from ``end`` on that is known, which goes to ``stopped``."""
        self.walk(end, known)
        bounds = [*(index for index, _, _ in self.found), len(self.tokens)]
        pieces: list[Piece] = []
        for (first, kind, fresh), following in zip(self.found, bounds[1:], strict=True):
            start, stop = self.tokens[first].start, self.tokens[following - 1].end
            pieces.append(Piece(kind, start, stop, self.text[start:stop], fresh))
        return pieces

    def walk(self, end: int, known: Callable[[int], int | None]) -> None:
        """Find where pieces start."""
        for lines in _scanned(self.text, self.offset):
            before = len(self.tokens)
            self.tokens.extend(lines)
            for index, token in enumerate(lines, before):
                type_ = token.type
                if self.reading:
                    if type_ in _QUIET and self.kind is PieceKind.LEAF:
                        continue
                    if not self.ends_before(index, token):
                        self.take(index, type_)
                        continue
                    self.reading = False
                if token.start >= end and (number := known(token.start)) is not None:
                    self.stopped = number
                    del self.tokens[index:]
                    return
                self.open(index, type_)

    def open(self, index: int, type_: str) -> None:
        kind = _KINDS.get(type_, PieceKind.LEAF)
        self.found.append((index, kind, True))
        self.reading = kind in (PieceKind.LEAF, PieceKind.HEADER, PieceKind.ELSE)
        if not self.reading:
            return  # one token, which needs no state
        self.start(index, False)
        self.kind = kind
        if type_ in ("LPAR", "LSQB"):
            self.push(index, type_)

    def push(self, index: int, type_: str) -> None:
        self.brackets.append(type_)
        self.places.append(index)

    def ends_before(self, index: int, token: Token) -> bool:
        """Tell whether the piece that is being read cannot hold this token."""
        type_ = token.type
        previous = self.tokens[index - 1]
        complete = previous.type in OPERAND_ENDS
        if self.kind is PieceKind.ELSE and index == self.first + 1:
            return type_ not in ("IF", "LBRACE", "COLON")
        if previous.type == "COLON" and self.is_in_header() and type_ not in ("LBRACE", "RBRACE"):
            return self.on_later_line(previous, token)  # the ':' of other languages in the place of the brace
        if previous.type == "COLON" and self.tokens[self.first].value == "def" and not self.brackets:
            return type_ != "LBRACE"  # likewise
        if type_ == "FOR" and self.brackets and (not self.on_later_line(previous, token) or self.is_indented(index)):
            return False
        if type_ in OPENERS:
            return True
        match type_:
            case "NAME":
                if not complete or self.brackets:
                    return token.value in HEADS and self.heads_line(index)
                if self.keeps(index, token):
                    return False
                if self.is_list() and not self.on_later_line(previous, token):
                    # Else a comma is missing, or a ':=' or '~' is still to come.
                    return token.value in HEADS and self.is_led_on(index)
                return self.kind is PieceKind.LEAF or self.on_later_line(previous, token)
            case "SEMICOLON":
                return not (self.is_inside_measure() or self.is_in_counted_loop())
            case "RBRACE":
                return "LBRACE" not in self.brackets
            case "ELSE":
                return self.thens == 0 and not self.ifs
            case "IF":
                heads = index == self.first + 1 and self.tokens[self.first].value in ("return", "until")
                if heads or self.given == index - 1:
                    return self.on_later_line(previous, token)
                return complete and not self.brackets and not self.is_conditional(index)
            case "LBRACE":
                if self.is_new_header(index) or self.is_enum(index):
                    return False
                return self.kind is PieceKind.LEAF and complete and not self.ifs
            case _:
                return False

    def heads_line(self, index: int) -> bool:
        """Tell whether a word heads a statement where an operand is due: the statement before is cut off.

        Two operands beside each other are in no expression. A word alone, or with a brace, may be a name at the end of one, indented as the
        rest of a statement is.
        """
        if not self.on_later_line(self.tokens[index - 1], self.tokens[index]):
            return False
        following = self.next_on_line(index)
        if following is None:
            return self.tokens[index].value in ("break", "continue") and not self.is_indented(index)
        if following.type == "LBRACE":
            return self.kind is PieceKind.LEAF and not self.is_indented(index)
        return self.is_led_on(index)

    def is_led_on(self, index: int) -> bool:
        """Tell whether an operand or a block stands behind a word on its line, which it does behind no name in a list."""
        following = self.next_on_line(index)
        return following is not None and (
            following.type in ("NUMBER", "STRING", "LBRACE")
            or (following.type == "NAME" and following.value not in (*_LINKS, "given"))
        )

    def next_on_line(self, index: int) -> Token | None:
        """Return what stands behind a token on its line."""
        following = self.tokens[index + 1] if index + 1 < len(self.tokens) else None
        return None if following is None or self.on_later_line(self.tokens[index], following) else following

    def is_inside_measure(self) -> bool:
        """Tell whether a ``;`` here separates the sides of a measure (which may stand in the wrong place)."""
        if not self.brackets or self.opened == self.first:
            return False
        before = self.tokens[self.opened - 1]
        return self.tokens[self.first].type in _WITH_SEMICOLONS or (
            self.brackets[-1] == "LPAR" and before.type == "NAME" and before.value in MEASURES
        )

    def is_in_counted_loop(self) -> bool:
        """Tell whether the parentheses of ``for (…; …; …)`` are open, as other languages write loops."""
        return (
            self.tokens[self.first].type == "FOR"
            and bool(self.brackets)
            and self.places[0] == self.first + 1
            and self.brackets[0] == "LPAR"
        )

    def is_in_header(self) -> bool:
        """Tell whether a header is being read and no bracket is open in it."""
        return self.kind is not PieceKind.LEAF and not self.brackets

    def is_list(self) -> bool:
        """Tell whether a list of names is being read."""
        return self.tokens[self.first].type in ("SECRET", "OUTPUT")

    def is_conditional(self, index: int) -> bool:
        """Tell whether the ``if`` belongs to ``a if b else c`` of other languages: such an ``else`` heads no block."""
        if not (self.assigned or (self.equal and self.tokens[self.first].type == "NAME")):
            return False
        for at in range(index, len(self.tokens) - 1):
            token, following = self.tokens[at], self.tokens[at + 1]
            if following.type == "ELSE":
                return not self.on_later_line(token, following)
            if following.type in _NEVER_CONDITIONS or self.on_later_line(token, following):
                return False
        return False

    def take(self, index: int, type_: str) -> None:
        match type_:
            case "LPAR" | "LSQB":
                self.push(index, type_)
                self.opened = index
            case "RPAR" | "RSQB":
                self.matched = None
                if self.brackets and self.brackets[-1] != "LBRACE":
                    place = self.places.pop()
                    self.matched = place if self.brackets.pop() == "LSQB" else None
            case "LBRACE":
                self.take_brace(index, type_)
            case "RBRACE":
                while self.brackets.pop() != "LBRACE":
                    pass
                del self.places[len(self.brackets) :]
            case "IF" if self.brackets and self.tokens[index - 1].type in OPERAND_ENDS:
                pass
            case "IF" if self.kind is PieceKind.LEAF:
                self.ifs.append(index)
            case "THEN":
                self.thens += 1
                if self.ifs:
                    self.ifs.pop()
            case "ELSE" if self.thens:
                self.thens -= 1
            case "ELSE" if self.ifs:
                self.ifs.pop()
            case "ASSIGN" | "TILDE":
                self.take_assignment(index)
            case "EQUAL":
                self.take_equal(index)

    def keeps(self, index: int, token: Token) -> bool:
        """Tell whether a name after a complete operand belongs to the piece all the same: what a word that is no reserved one heads."""
        first, before = self.tokens[self.first], self.tokens[index - 1]
        same = not self.on_later_line(before, token)
        if first.type == "NAME" and same:
            if first.value == "import" and not self.names_file(index):
                return False
            if index == self.first + 1 and first.value in _KEEPING:
                return True
            if first.value in ("import", "table") and (token.value in _LINKS or before.value in _LINKS):
                return True
        if first.type in ("SHOW", "REQUIRE") and index == self.first + 2 and before.value in ("max", "min") and same:
            return True
        if token.value == "given" and self.given is None and self.assigned and self.draws(index):
            self.given = index
            following = (
                self.tokens[index + 1] if index + 1 < len(self.tokens) else None
            )  # the rest of the line is there
            return following is not None and following.type not in NEVER_GIVEN
        return before.value == "given" and self.given == index - 1 and same

    def names_file(self, index: int) -> bool:
        """Tell whether a text in quotes stands on the line: other imports are those of other languages."""
        end = min((at for mark in "\n\r" if (at := self.text.find(mark, self.tokens[index].start)) >= 0), default=None)
        rest = self.tokens[self.first :]
        return any(token.type == "STRING" and (end is None or token.start < end) for token in rest)

    def draws(self, index: int) -> bool:
        return any(token.type == "TILDE" for token in self.tokens[self.first : index])

    def is_new_header(self, index: int) -> bool:
        """Tell whether a ``{`` opens the block of ``repeat``, ``never`` or ``def f(…)``."""
        first = self.tokens[self.first]
        if first.type != "NAME" or self.brackets:
            return False
        if first.value in ("repeat", "never"):
            return index == self.first + 1
        return first.value == "def" and self.tokens[index - 1].type == "RPAR" and index > self.first + 3

    def is_enum(self, index: int) -> bool:
        return self.tokens[self.first].value == "enum" and index == self.first + 2

    def take_brace(self, index: int, type_: str) -> None:
        if self.kind is PieceKind.LEAF and not self.brackets and self.is_new_header(index):
            at = max(number for number, found in enumerate(self.found) if found[0] == self.first)
            self.found[at] = (self.first, PieceKind.HEADER, self.found[at][2])
            self.reading = False
            return
        is_set = self.tokens[index - 1].type == "IN"
        if is_set or (self.kind is not PieceKind.LEAF and self.brackets):
            self.push(index, type_)
            return
        if self.kind is PieceKind.LEAF and self.ifs:
            # What looked like a conditional expression, for want of an operand before it, heads a block.
            self.found.append((self.ifs[-1], PieceKind.HEADER, False))
            self.reading = False
        elif self.kind is PieceKind.LEAF:
            self.push(index, type_)
        else:
            self.reading = False

    def take_assignment(self, index: int) -> None:
        """Start a piece at the target before ``:=`` or ``~`` if what stands before it is another statement, cut off."""
        target = self.target_before(index)
        if target is not None and (self.assigned or self.begins_statement(target)):
            self.begin(target)
        self.assigned = True

    def take_equal(self, index: int) -> None:
        """Start a piece at the target before a ``=`` that is a slip for ``:=``, after a statement that is cut off.

        Where it can name an argument or give the value of a declaration it is none; in the middle of an expression, it is one for
        ``:=`` rather than for ``==`` only if the line is not indented as a continuation would be.
        """
        self.equal = self.equal or not self.brackets
        adds = (
            self.is_in_header() and self.tokens[index - 1].type in _ADDING
        )  # the '+=' of other languages, behind their ':'
        target = self.target_before(index - adds)
        if target is None or self.tokens[target].type != "NAME" or not self.begins_statement(target):
            return
        before = self.tokens[target - 1]
        if before.type in ("PARAM", "CONST") or (self.brackets and before.type in ("COMMA", "LPAR")):
            return
        if before.type in OPERAND_ENDS or self.is_in_header() or not self.is_indented(target):
            self.begin(target)

    def begin(self, target: int) -> None:
        self.found.append((target, PieceKind.LEAF, False))
        self.start(target, True)

    def begins_statement(self, target: int) -> bool:
        """Tell whether a target can begin a statement: on a line of its own, or where the brace of a header is due."""
        before = self.tokens[target - 1]
        if self.is_in_header() and (before.type in OPERAND_ENDS or before.type in ("COLON", "THEN")):
            return True
        if self.is_list() and before.type in OPERAND_ENDS:
            return True
        return self.on_later_line(before, self.tokens[target])

    def is_indented(self, index: int) -> bool:
        """Tell whether the token that begins a line stands right of the beginning of the line where the piece starts."""
        if self.margin is None:
            self.margin = self.indent(self.tokens[self.first].start)
        return self.indent(self.tokens[index].start) > self.margin

    def indent(self, at: int) -> int:
        start = self.text.rfind("\n", 0, at) + 1
        start = max(self.text.rfind("\r", start, at) + 1, start)
        line = self.text[start:at]
        return len(line) - len(line.lstrip())

    def target_before(self, index: int) -> int | None:
        """Return where a name, or a name with an index, ends right before ``index``; not at the start of the piece."""
        at = index - 1
        if self.tokens[at].type == "RSQB":
            if self.matched is None:
                return None
            at = self.matched - 1
        # A keyword there is meant as a name; that is reported with the statement.
        return at if at > self.first and self.tokens[at].value.isidentifier() else None

    def on_later_line(self, before: Token, token: Token) -> bool:
        gap = self.text[before.end : token.start]
        return "\n" in gap or "\r" in gap
