"""A text with its tree, and the same after a change at the cost of the change.

Everything that a piece says is a function of its text, so pieces that a change leaves alone keep what was read of them; where
pieces and comments start is looked for again only around the change; and of the tree, whose leaves are those of the pieces, only the
top-level items around the change are put together anew (:mod:`seepage.syntax.again`). Values throughout: an older text stays what it was.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import replace
from operator import attrgetter

from seepage.data_classes import dataclass
from seepage.diagnostics import Diagnostic, Edit
from seepage.files import NO_FOLDER, AnyFiles
from seepage.rules import TEXT_TOO_LARGE
from seepage.source import MAX_TEXT, Span
from seepage.syntax.again import assemble_again
from seepage.syntax.assemble import MAX_FINDINGS, Assembled, assemble
from seepage.syntax.comments import Blanked, blank_comments, reblank
from seepage.syntax.keyword_names import keywords_once
from seepage.syntax.layout import Layout
from seepage.syntax.lowering.lower import in_core
from seepage.syntax.offers import with_offers
from seepage.syntax.piece import ParsedPiece, parse_piece
from seepage.syntax.pieces import Piece, PieceKind, cut, recut
from seepage.syntax.strip import Strip
from seepage.syntax.tree import Module, ParseResult


@dataclass(frozen=True, slots=True)
class ParsedText:
    """A text and what the parser made of it.

    Attributes:
        text: the text.
        blanked: the text without comments.
        pieces: the text cut up; none of a text that is too large.
        read: what each piece says.
        assembled: the tree, with what the next version of the text may use again.
        result: the tree, and every fault of the text in its order.
        files: where the files are that it names.
    """

    text: str
    blanked: Blanked
    pieces: Strip[Piece]
    read: tuple[ParsedPiece, ...]
    assembled: Assembled
    result: ParseResult
    files: AnyFiles = NO_FOLDER

    def edit(self, change: Edit, files: AnyFiles | None = None) -> ParsedText:
        """Return the text after a change, among the same files or others: what :func:`parse_text` makes of it, at the cost of the change.

        Raises:
            ValueError: if the change reaches past the end of the text.
        """
        span, inserted = change.span, change.replacement
        files = self.files if files is None else files
        if span.end > len(self.text):
            raise ValueError(f"the text has {len(self.text)} characters, the change ends at {span.end}")
        text = self.text[: span.start] + inserted + self.text[span.end :]
        if max(len(self.text), len(text)) > MAX_TEXT:
            return parse_text(text, files)
        moved = len(text) - len(self.text)
        blanked, begin, end = reblank(self.blanked, text, Span(span.start, span.start + len(inserted)), moved)
        renewed = recut(self.pieces, blanked.text, begin, end, moved)
        first, last, made = renewed
        pieces = self.pieces.spliced(first, last, made, moved)
        read = (*self.read[:first], *map(_read, made), *self.read[last:])
        layout = Layout(blanked)
        again = assemble_again(self.assembled, self.pieces, pieces, read, layout, renewed, moved)
        if again is None:
            again = assemble(pieces, read, layout)
        return _parsed(text, blanked, pieces, read, again, files, self.result.context)

    def becoming(self, text: str, files: AnyFiles | None = None) -> ParsedText:
        """Return another text, by the one change that leads there, among the same files or others; cheap where both begin and end alike."""
        shorter = min(len(self.text), len(text))
        start = _equal(shorter, lambda count: self.text[:count] == text[:count])
        after = _equal(shorter - start, lambda count: self.text[len(self.text) - count :] == text[len(text) - count :])
        return self.edit(Edit(Span(start, len(self.text) - after), text[start : len(text) - after]), files)


def parse_text(text: str, files: AnyFiles = NO_FOLDER) -> ParsedText:
    """Parse a text: a tree always, with every fault of the text in its order; never raises. ``files`` is where those are that it names."""
    if len(text) > MAX_TEXT:
        message = f"the file has {len(text):,} characters, at most {MAX_TEXT:,} are read"
        too_large = Diagnostic(TEXT_TOO_LARGE, Span(0, 0), message)
        result = ParseResult(Module((), Span(0, len(text))), (too_large,))
        return ParsedText(text, Blanked(text, ()), Strip.of((), _moved), (), Assembled(result.tree, []), result, files)
    blanked = blank_comments(text)
    pieces = cut(blanked.text)
    read = tuple(map(_read, pieces))
    return _parsed(text, blanked, Strip.of(pieces, _moved), read, assemble(pieces, read, Layout(blanked)), files)


def _parsed(
    text: str,
    blanked: Blanked,
    pieces: Strip[Piece],
    read: tuple[ParsedPiece, ...],
    made: Assembled,
    files: AnyFiles,
    before: object | None = None,
) -> ParsedText:
    tree, found, context = made.tree, made.found, None
    if any(map(_extends, read)):
        tree, found, context = in_core(made, pieces, read, text, files, before)
    diagnostics = sorted([*blanked.diagnostics, *found], key=lambda one: (one.span.start, one.span.end))
    listed = _listed(keywords_once(diagnostics, text), made.unlisted)
    offered = with_offers(listed, text, Layout(blanked), pieces)
    result = ParseResult(tree, offered, context)
    return ParsedText(text, blanked, pieces, read, made, result, files)


_NOTHING = ParsedPiece(None, ())
_extends = attrgetter("extends")


def _read(piece: Piece) -> ParsedPiece:
    return parse_piece(piece.text) if piece.kind in _SAYING else _NOTHING


_SAYING = (PieceKind.LEAF, PieceKind.HEADER, PieceKind.ELSE)


def _moved(piece: Piece, offset: int) -> Piece:
    return Piece(piece.kind, piece.start + offset, piece.end + offset, piece.text, piece.fresh)


def _equal(most: int, is_equal: Callable[[int], bool]) -> int:
    """Return the largest count up to ``most`` of characters in which two texts are equal."""
    return bisect_left(range(1, most + 1), True, key=lambda count: not is_equal(count))


def _listed(diagnostics: list[Diagnostic], unlisted: int) -> tuple[Diagnostic, ...]:
    """Return as many findings as anybody reads, the last one with a note on the rest."""
    rest = len(diagnostics) + unlisted - MAX_FINDINGS
    if rest <= 0:
        return tuple(diagnostics)
    last = diagnostics[MAX_FINDINGS - 1]
    noted = replace(last, notes=(*last.notes, f"{rest:,} more findings are not listed"))
    return (*diagnostics[: MAX_FINDINGS - 1], noted)
