"""The formatter: the one style of Seep, reached by changing white space and ``;`` only.

Everything else stays as it is written: words, parentheses, comments, the order of things. So the tree stays the same, documentation included,
and formatting twice is formatting once. The style:

- four blanks a block; one statement a line; at most one empty line, none at the start of a file or block, none at its end;
- ``;`` stays only between short statements that are written on one line, and a loop or a chain of branches that is written on one line
  with ``;`` between the statements of each block stays there, if it fits into :data:`WIDTH`; else each statement has its line;
- ``{`` ends the line of its header, and ``else`` follows the ``}`` of the branch before it;
- line breaks inside a statement stay (tables, lists of measures), the lines after them are indented; not so a line that the parser warns of
  since it joins the statement above perhaps by accident: that one stays as far left as its statement, so that it is still warned of;
- a comment on a line of its own stays on one, one behind code stays there, two blanks behind it.

Lines end as most of them do that end outside of comments; a byte order mark stays.

What stands between two atoms (tokens and comments) is one *gap*. The formatter looks at each gap once and says what stands there, so that its
work is a list of edits, and a part of a file is formatted by a part of the list.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import field
from itertools import pairwise

from seepage.data_classes import dataclass
from seepage.diagnostics import Diagnostic, Edit
from seepage.source import Span
from seepage.syntax.comments import Comment
from seepage.syntax.incremental import ParsedText, parse_text
from seepage.syntax.joins import joints
from seepage.syntax.layout import Layout
from seepage.syntax.pieces import Piece, PieceKind
from seepage.syntax.spacing import COMMENTS, OPENING, Atom, Sort, atoms_of, blanks

WIDTH = 100
_INDENT = 4

_LINE_END = re.compile(r"\r\n|\r|\n")
_MARK = "\ufeff"
_LIKE_DIVISION = re.compile(r"[\w)\]][ \t]?//[ \t]*[0-9]+[ \t]*")  # reported by the parser while it stands so close


_FIRST_BEYOND_SYNTAX = "SEEP100"


@dataclass(frozen=True, slots=True)
class Formatted:
    """What formatting says of a text: the edits that bring it into the one style, or the errors for which it is left alone."""

    edits: tuple[Edit, ...]
    errors: tuple[Diagnostic, ...]


def format_text(text: str) -> Formatted:
    """Return how to format a whole text; a text with syntax errors is left alone."""
    parsed = parse_text(text)
    errors = tuple(filter(_is_of_syntax, parsed.result.diagnostics))
    return Formatted((), errors) if errors else Formatted(tuple(_Layout(parsed).edits()), ())


def _is_of_syntax(finding: Diagnostic) -> bool:
    """Tell whether a finding is a syntax error; a table that is not found, say, is no matter of style."""
    return finding.is_error and finding.rule.code < _FIRST_BEYOND_SYNTAX


def format_range(text: str, span: Span) -> tuple[Edit, ...]:
    """Return the edits of the formatter inside the lines of a range.

    In a text with syntax errors only blanks inside of statements without errors are touched: where lines belong is not known.
    """
    lines = _lines_of(text, span)
    parsed = parse_text(text)
    errors = [one.span for one in parsed.result.diagnostics if _is_of_syntax(one)]
    layout = _Layout(parsed)
    edits = layout.edits() if not errors else layout.edits_inside_pieces(errors)
    first = _line_start(text, span.start)
    return tuple(
        kept
        for edit in edits
        if lines.start <= edit.span.start
        if (upper := _to_line(text, edit, lines.end)) is not None
        if (kept := _from_line(text, upper, first)) is not None
    )


def _to_line(text: str, edit: Edit, last: int) -> Edit | None:
    """Return the part of an edit up to the end of a line; None if nothing of it is there.

    Of one that goes on below, only empty lines that it adds are kept: without them a comment at the end of the range would document what follows.
    """
    if edit.span.end <= last:
        return edit
    ends = [match.end() for match in _LINE_END.finditer(edit.replacement)]
    below = len(_LINE_END.findall(text, edit.span.start, edit.span.end))
    if edit.span.start >= last or edit.replacement.strip() or len(ends) <= below:
        return None
    return Edit(Span(edit.span.start, last), edit.replacement[: ends[-1]])


def _from_line(text: str, edit: Edit, first: int) -> Edit | None:
    """Return the part of an edit of white space from the start of a line on; None if nothing of it is there.

    Line ends above are kept, as many as there are. An edit that joins the line with the one above is whole: it has no such part.
    """
    if edit.span.start >= first:
        return edit
    if edit.span.end < first:
        return None
    above = len(_LINE_END.findall(text, edit.span.start, first))
    ends = [match.end() for match in _LINE_END.finditer(edit.replacement)]
    if not ends or edit.replacement.strip():
        return edit
    part = Edit(Span(first, edit.span.end), edit.replacement[ends[min(above, len(ends)) - 1] :])
    return None if text[first : edit.span.end] == part.replacement else part


def applied(text: str, edits: Sequence[Edit]) -> str:
    """Return the text with edits made, which come in order and do not overlap."""
    parts: list[str] = []
    at = 0
    for edit in edits:
        parts += (text[at : edit.span.start], edit.replacement)
        at = edit.span.end
    return "".join((*parts, text[at:]))


def _lines_of(text: str, span: Span) -> Span:
    """Return a range widened to whole lines, with the white space before them."""
    start = _line_start(text, span.start)
    while start and text[start - 1].isspace():
        start -= 1
    end = _LINE_END.search(text, span.end)
    return Span(start, len(text) if end is None else end.end())


def _line_start(text: str, at: int) -> int:
    return max(text.rfind("\n", 0, at), text.rfind("\r", 0, at)) + 1


@dataclass(slots=True)
class _Line:
    """The line that is being written.

    Attributes:
        depth: of the blocks around it.
        indent: how many blanks it begins with.
        has_code: whether it holds more than comments.
        brackets: those that are open in the statement, as the indents of their lines.
        detached: the end of a ``;`` that is dropped where it began a line, while its line lasts: what stood above it, or behind it on its
            line, documents nothing, so an empty line takes its place.
    """

    depth: int = 0
    indent: int = 0
    has_code: bool = False
    brackets: list[int] = field(default_factory=list)
    detached: int | None = None

    def begin(self, atom: Atom, inside: bool) -> None:
        """Begin a line with an atom; ``inside`` a statement or header its lines are indented further."""
        self.has_code = False
        self.indent = _INDENT * self.depth
        if inside and self.brackets:
            self.indent = self.brackets[-1] + (0 if atom.sort is Sort.CLOSING else _INDENT)
        elif inside and atom.sort is not Sort.BEGIN:
            self.indent += _INDENT

    def enter(self, atom: Atom) -> None:
        """Write an atom."""
        self.has_code = self.has_code or atom.sort not in COMMENTS
        if atom.sort in OPENING:
            self.brackets.append(self.indent)
        elif atom.sort is Sort.CLOSING and self.brackets:
            self.brackets.pop()
        elif atom.sort is Sort.BEGIN:
            self.depth += 1


class _Layout:
    """A text cut into atoms, and which pieces share a line."""

    def __init__(self, parsed: ParsedText) -> None:
        text = parsed.text
        self.text = text
        self.line_end = _line_end(text, parsed.blanked.comments)
        self.pieces = parsed.pieces
        self.atoms = _atoms(text, self.pieces, parsed.blanked.comments)
        self.by_piece: list[list[Atom]] = [[] for _ in self.pieces]
        for atom in self.atoms:
            if atom.piece is not None:
                self.by_piece[atom.piece].append(atom)
        self.broken = {number for number, one in enumerate(self.pieces) if self._is_broken(one.start, one.end)}
        layout = Layout(parsed.blanked)
        broken = [self.pieces[number] for number in self.broken]
        self.unclear = {
            at for piece in broken for at, _ in joints(piece, layout)
        }  # where lines perhaps join by accident
        self.joined: set[int] = set()  # pieces that stand on the line of the piece before them
        self.kept: set[int] = set()  # separators that stay

    # --- what shares a line -------------------------------------------------------------------------------------------

    def _join(self) -> None:
        chains = _chains(self.pieces)
        at, depth = 0, 0
        while at < len(self.pieces):
            piece = self.pieces[at]
            last = at
            if at in chains and self._stays_on_line(at, chains[at]):
                last = chains[at] if self._join_all(at, chains[at], depth) else at
            elif piece.kind is PieceKind.LEAF:
                last = self._group_end(at)
                self._join_all(at, last, depth)
            if last == at:
                depth += 1 if piece.opens else -1 if piece.kind is PieceKind.CLOSE else 0
            at = last + 1

    def _join_all(self, first: int, last: int, depth: int) -> bool:
        """Put pieces on one line if they fit there, and tell whether they do."""
        if self._width(first, last) + _INDENT * depth > WIDTH:
            return False
        self.joined.update(range(first + 1, last + 1))
        self.kept.update(number for number in range(first, last) if self._separates(number))
        return True

    def _separates(self, number: int) -> bool:
        """Tell whether a piece is the first ``;`` between two statements."""
        if self.pieces[number].kind is not PieceKind.SEPARATOR or number == 0:
            return False
        before = self.pieces[number - 1]
        following = self._following(number)
        return (
            not before.opens
            and before.kind is not PieceKind.SEPARATOR
            and following is not None
            and self.pieces[following].kind is not PieceKind.CLOSE
        )

    def _following(self, number: int) -> int | None:
        """Return the next piece that is no separator."""
        return next(
            (at for at in range(number + 1, len(self.pieces)) if self.pieces[at].kind is not PieceKind.SEPARATOR), None
        )

    def _stays_on_line(self, first: int, last: int) -> bool:
        """Tell whether a loop or chain of branches is written on one line, with ``;`` where it is due."""
        if any(self._breaks(number) for number in range(first, last + 1)):
            return False
        for number in range(first + 1, last + 1):
            piece, before = self.pieces[number], self.pieces[number - 1]
            if piece.kind is PieceKind.ELSE:
                if self._is_commented(number) and self._is_broken(before.end, piece.start):
                    return False
                continue
            if self._is_broken(before.end, piece.start):
                return False
            starts = piece.kind in (PieceKind.LEAF, PieceKind.HEADER)
            if starts and not before.opens and before.kind is not PieceKind.SEPARATOR:
                return False
        return True

    def _group_end(self, first: int) -> int:
        """Return the last of the statements that are written on the line of the first one, with ``;`` between them."""
        last = first
        while not self._breaks(last):
            following = self._following(last)
            if following is None or following == last + 1 or self.pieces[following].kind is not PieceKind.LEAF:
                break
            if self._breaks(following) or self._is_broken(self.pieces[last].end, self.pieces[following].start):
                break
            last = following
        return last

    def _breaks(self, number: int) -> bool:
        """Tell whether a line break inside a piece stays."""
        if number not in self.broken:
            return False
        return any(self._stays_broken(before, after) for before, after in pairwise(self.by_piece[number])) or any(
            self._is_broken(atom.start, atom.end) for atom in self.by_piece[number]
        )

    def _stays_broken(self, before: Atom, after: Atom) -> bool:
        """Tell whether there is a line break between two atoms of a piece, and one that stays."""
        if before.piece not in self.broken:
            return False
        if before.sort is Sort.LINE_COMMENT:
            return True
        assert before.piece is not None
        piece = self.pieces[before.piece]
        is_else = piece.kind is PieceKind.ELSE and before.start == piece.start
        closes_up = after.sort is Sort.BEGIN or (
            is_else and after.sort not in COMMENTS and after.start not in self.unclear
        )
        return not closes_up and self._is_broken(before.end, after.start)

    def _is_commented(self, number: int) -> bool:
        """Tell whether a comment stands before a piece."""
        return bool(self.text[self.pieces[number - 1].end : self.pieces[number].start].strip(" \t\n\r\f\v;"))

    def _is_broken(self, start: int, end: int) -> bool:
        return _LINE_END.search(self.text, start, end) is not None

    def _width(self, first: int, last: int) -> int:
        """Return how long a line is that holds these pieces with the comments between them."""
        width = 0
        before: Atom | None = None
        for atom in self._between(self.pieces[first].start, self.pieces[last].end):
            kind = None if atom.piece is None else self.pieces[atom.piece].kind
            if atom.piece is not None and kind is PieceKind.SEPARATOR and not self._separates(atom.piece):
                continue
            if before is not None:
                width += len(blanks(before.sort, atom.sort))
            width += atom.end - atom.start
            before = atom
        return width

    def _between(self, start: int, end: int) -> list[Atom]:
        """Return the atoms in a part of the text, comments included."""
        first = bisect_left(self.atoms, start, key=lambda atom: atom.start)
        return self.atoms[first : bisect_left(self.atoms, end, key=lambda atom: atom.start)]

    # --- gaps ---------------------------------------------------------------------------------------------------------

    def edits(self) -> Iterator[Edit]:
        """Yield what has to change, in the order of the text; the text has no errors."""
        self._join()
        line = _Line()
        before: Atom | None = None
        begin = len(self.text) - len(self.text.removeprefix(_MARK))
        token_end = 0  # of the last token, dropped ones included
        for atom in self.atoms:
            kind = None if atom.piece is None else self.pieces[atom.piece].kind
            begins = kind is not None and (token_end == 0 or self._is_broken(token_end, atom.start))
            token_end = token_end if kind is None else atom.end
            if kind is PieceKind.SEPARATOR and atom.piece not in self.kept:
                line.detached = atom.end if begins else line.detached
                continue
            if kind is PieceKind.CLOSE:
                line.depth -= 1
            yield from self._edit(begin if before is None else before.end, atom.start, self._gap(before, atom, line))
            line.enter(atom)
            before = atom
        yield from self._edit(begin if before is None else before.end, len(self.text), self.line_end if before else "")

    def edits_inside_pieces(self, errors: Sequence[Span]) -> Iterator[Edit]:
        """Yield what has to change between neighbours on one line in statements and headers that no error touches."""
        for number, atoms in enumerate(self.by_piece):
            piece = self.pieces[number]
            if any(error.start <= piece.end and piece.start <= error.end for error in errors):
                continue
            for before, after in pairwise(atoms):
                if not self._is_broken(before.end, after.start):
                    yield from self._edit(before.end, after.start, self._blanks(before, after))

    def _edit(self, start: int, end: int, gap: str) -> Iterator[Edit]:
        if self.text[start:end] != gap:
            yield Edit(Span(start, end), gap)

    def _gap(self, before: Atom | None, atom: Atom, line: _Line) -> str:
        """Return what stands before an atom, and begin its line if it begins one."""
        if before is None:
            return ""
        lines = self._lines_between(before, atom, line)
        if line.detached is not None and (atom.piece is not None or self._is_broken(line.detached, atom.end)):
            line.detached = None
        if not lines:
            return self._blanks(before, atom)
        if before.sort is Sort.BEGIN or atom.sort is Sort.END:
            lines = 1  # no empty lines at the ends of a block
        inside = atom.piece is not None and atom.piece == before.piece
        line.begin(atom, inside=inside and atom.start not in self.unclear)
        return self.line_end * lines + " " * line.indent

    def _lines_between(self, before: Atom, atom: Atom, line: _Line) -> int:
        """Return how many line ends stand between two atoms: none, one, or two for an empty line."""
        if line.detached is not None:
            return 2
        written = min(2, len(_LINE_END.findall(self.text, before.end, atom.start)))
        if atom.piece is not None and atom.piece == before.piece:
            return 1 if self._stays_broken(before, atom) else 0
        if before.sort is Sort.LINE_COMMENT:
            return max(1, written)
        if atom.piece is None:
            return written
        if atom.piece in self.joined or (before.sort is Sort.BEGIN and atom.sort is Sort.END):
            return 0
        if self.pieces[atom.piece].kind is PieceKind.ELSE:
            return written if before.sort in COMMENTS else 0
        if before.sort in COMMENTS and not written and not line.has_code and atom.sort is not Sort.END:
            return 0
        return max(1, written)

    def _blanks(self, before: Atom, atom: Atom) -> str:
        """Return what stands between two atoms on one line."""
        if atom.sort is Sort.LINE_COMMENT and _LIKE_DIVISION.fullmatch(self.text, before.end - 1, atom.end):
            return " "
        return blanks(before.sort, atom.sort)


def _line_end(text: str, comments: Sequence[Comment]) -> str:
    """Return how most lines of a text end, of those that do so outside of comments if there are any: comments keep theirs."""
    ends = Counter(_LINE_END.findall(text))
    inside = Counter(end for comment in comments for end in _LINE_END.findall(text, comment.start, comment.end))
    return max((ends - inside) or ends or ("\n",), key=lambda end: ends[end] - inside[end])


def _chains(pieces: Sequence[Piece]) -> dict[int, int]:
    """Return the first and the last piece of every loop and chain of branches."""
    ends: dict[int, int] = {}
    opened: list[int] = []
    closed: int | None = None  # the chain that the piece before closed
    for number, piece in enumerate(pieces):
        before, closed = closed, None
        if piece.opens:
            opened.append(before if piece.kind is PieceKind.ELSE and before is not None else number)
        elif piece.kind is PieceKind.CLOSE and opened:
            closed = opened.pop()
            ends[closed] = number
    return ends


def _atoms(text: str, pieces: Sequence[Piece], comments: Sequence[Comment]) -> list[Atom]:
    """Return every token and comment of a text, in order."""
    atoms: list[Atom] = []
    following = 0
    for number, piece in enumerate(pieces):
        for index, atom in enumerate(atoms_of(piece, number)):
            while following < len(comments) and comments[following].start < atom.start:
                atoms.append(_commented(text, comments[following], number if index else None))
                following += 1
            atoms.append(atom)
    return [*atoms, *(_commented(text, comment, None) for comment in comments[following:])]


def _commented(text: str, comment: Comment, piece: int | None) -> Atom:
    if text.startswith("//", comment.start):
        return Atom(Sort.LINE_COMMENT, comment.start, comment.start + len(_comment_text(text, comment)), piece)
    return Atom(Sort.COMMENT, comment.start, comment.end, piece)


def _comment_text(text: str, comment: Comment) -> str:
    """Return a comment without the blanks behind it."""
    return text[comment.start : comment.end].rstrip(" \t\f\v")
