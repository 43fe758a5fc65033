"""Blank out comments, so that what follows sees code only, at the same places.

``//`` (and, reported, the ``#`` of other languages) to the end of the line, ``/* … */`` nested, ``///`` documentation. Line ends stay where they are.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from seepage.data_classes import dataclass
from seepage.diagnostics import Diagnostic, Edit, Fix
from seepage.rules import COMMENT_FOR_DIVISION, TURNED_TEXT, UNKNOWN_CHARACTER, UNTERMINATED_COMMENT
from seepage.source import Span
from seepage.syntax.fixes import shifted

_OPENING = re.compile(r"//|/\*|#|\"[^\"\r\n]*\"")
_INSIDE = re.compile(r"/\*|\*/")
_LINE_END = re.compile(r"[\r\n]")
_NOT_LINE_END = re.compile(r"[^\r\n]")
_NUMBER_ONLY = re.compile(r"(?://=?|#)[ \t]*[0-9]+[ \t]*(?:[-+*/%^)<>=][ \t]*[-+*/%^()<>=0-9 \t]*)?\Z")
_OPERAND_BEFORE = re.compile(r"[\w)\]][ \t]?\Z")
_MARK = "\N{ZERO WIDTH NO-BREAK SPACE}"  # of byte order, at the start of a file
_NEAR = 2
_MOST_MARKS = 1_000  # that one fix removes
_TURNING = re.compile("[\u202a-\u202e\u2066-\u2069]")
_DOCUMENTATION = re.compile(r"///(?!/)[ \t]?([^\r\n]*)")


class Comment(NamedTuple):
    """A comment at its place: the text of one that begins with ``///``, and what is wrong with it."""

    start: int
    end: int
    documentation: str | None
    diagnostic: Diagnostic | None


@dataclass(frozen=True, slots=True)
class Blanked:
    """Text without comments, as long as before.

    Attributes:
        text: comments and a byte order mark are spaces.
        comments: in their order.
    """

    text: str
    comments: tuple[Comment, ...]

    @property
    def documentation(self) -> Mapping[int, str]:
        """The text of each ``///`` comment, by the offset of its first slash."""
        return {one.start: one.documentation for one in self.comments if one.documentation is not None}

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """Comments that do not end, or that are none."""
        return tuple(one.diagnostic for one in self.comments if one.diagnostic is not None)


def blank_comments(text: str) -> Blanked:
    """Replace every comment by as many spaces; never fails."""
    comments = tuple(_comments(text, 0))
    return Blanked(_blank(text, comments, 0, len(text)), comments)


class Reblanked(NamedTuple):
    """The text after a change, and where it can differ from the one before: from ``begin`` to ``end`` (in the text after)."""

    blanked: Blanked
    begin: int
    end: int


def reblank(before: Blanked, text: str, changed: Span, moved: int) -> Reblanked:
    """Blank the comments of a text that was changed, looking for them only where the change can matter.

    Args:
        before: the comments before the change.
        text: the text after the change.
        changed: where it was changed: the range that is new.
        moved: how much further to the right what follows the change stands than before.
    """
    old = before.comments
    if changed.start == 0 and (
        text.startswith(_MARK) or before.text.startswith(" ")
    ):  # a byte order mark may come or go
        blanked = blank_comments(text)
        return Reblanked(blanked, 0, len(text))
    kept = bisect_left(old, changed.start, key=_end_of)  # those that end before the change
    begin = max(changed.start - 1, 0)  # the change can complete a '//' or '/*'
    if kept < len(old):
        begin = min(begin, old[kept].start)
    # What stands before a comment has a say in whether it looks like a division.
    begin = max(begin - _NEAR, old[kept - 1].end if kept else 0)
    made: list[Comment] = []
    following = bisect_left(old, changed.end - moved, key=_start_of)
    end = changed.end
    if (line := _quoted_line(text, changed)) is not None:  # what a quote opens or closes ends with its line
        begin = max(min(begin, line.start), old[kept - 1].end if kept else 0)
        end = max(end, line.end)
    for comment in _comments(text, begin):
        while following < len(old) and old[following].start + moved < comment.start:
            following += 1
        is_old = following < len(old) and old[following].start + moved == comment.start
        if is_old and comment.start >= end + _NEAR:
            break
        made.append(comment)
        end = max(end, comment.end)
    else:
        following = len(old)
    if following:
        end = max(end, old[following - 1].end + moved)
    rest = [_moved(one, moved) for one in old[following:]] if moved else old[following:]
    comments = (*old[:kept], *made, *rest)
    end = min(end, len(text))
    blank = before.text[:begin] + _blank(text, made, begin, end) + before.text[end - moved :]
    return Reblanked(Blanked(blank, comments), begin, end)


def _quoted_line(text: str, changed: Span) -> Span | None:
    """Return the lines that a change touches if a quote stands in them."""
    start = max(text.rfind("\n", 0, changed.start), text.rfind("\r", 0, changed.start)) + 1
    found = _LINE_END.search(text, changed.end)
    end = len(text) if found is None else found.start()
    return Span(start, end) if '"' in text[start:end] else None


def _start_of(comment: Comment) -> int:
    return comment.start


def _end_of(comment: Comment) -> int:
    return comment.end


def _moved(comment: Comment, offset: int) -> Comment:
    found = comment.diagnostic and shifted(comment.diagnostic, offset)
    return Comment(comment.start + offset, comment.end + offset, comment.documentation, found)


def _blank(text: str, comments: Sequence[Comment], begin: int, end: int) -> str:
    """Return a range of the text without the comments, all of which lie in it."""
    parts: list[str] = []
    at = begin
    if at == 0 and text.startswith(_MARK):
        parts.append(" ")
        at = 1
    for comment in comments:
        parts.append(text[at : comment.start])
        inside = text[comment.start : comment.end]
        parts.append(_NOT_LINE_END.sub(" ", inside) if inside.startswith("/*") else " " * len(inside))
        at = comment.end
    parts.append(text[at:end])
    return "".join(parts)


def _comments(text: str, at: int) -> Iterator[Comment]:
    """Yield the comments from an offset on that is in none."""
    from_here = at
    while (opening := _OPENING.search(text, from_here)) is not None:
        start = opening.start()
        if opening.group()[0] == '"':  # no comment begins inside
            from_here = opening.end()
            continue
        documentation: str | None = None
        found: Diagnostic | None = None
        if opening.group() == "//":
            line_end = _LINE_END.search(text, start)
            end = line_end.start() if line_end else len(text)
            if _NUMBER_ONLY.match(text, start, end) and _OPERAND_BEFORE.search(text, max(at, start - _NEAR), start):
                found = _division(start, end)
            if (documented := _DOCUMENTATION.match(text, start, end)) is not None:
                documentation = documented.group(1).rstrip()
        elif opening.group() == "#":
            line_end = _LINE_END.search(text, start)
            end = line_end.start() if line_end else len(text)
            found = _hash(text, start, end)
        else:
            closed = _comment_end(text, start)
            end = len(text) if closed is None else closed
            if closed is None:
                found = _unterminated(start, len(text))
        if found is None and (turning := _TURNING.search(text, start, end)) is not None:
            found = _turned(turning, text, end)
        yield Comment(start, end, documentation, found)
        at = from_here = end


def _comment_end(text: str, start: int) -> int | None:
    """Return where the comment that opens at ``start`` ends, comments inside it counted."""
    depth = 0
    for mark in _INSIDE.finditer(text, start):
        depth += 1 if mark.group() == "/*" else -1
        if depth == 0:
            return mark.end()
    return None


def _division(start: int, end: int) -> Diagnostic:
    message = "'//' begins a comment; integer division is 'floor(a / b)'"
    return Diagnostic(COMMENT_FOR_DIVISION, Span(start, end), message)


def _turned(first: re.Match[str], text: str, end: int) -> Diagnostic:
    """Say that a comment turns the direction of the text, at the first mark of those that do."""
    places = [found.span() for found in islice(_TURNING.finditer(text, first.start(), end), _MOST_MARKS)]
    message = f"the comment holds a '{unicodedata.name(first.group()).lower()}': what is shown here is not what is read"
    fix = Fix("remove the marks that turn the text", tuple(Edit(Span(*place), "") for place in places), automatic=False)
    return Diagnostic(TURNED_TEXT, Span(*first.span()), message, fixes=(fix,))


def _hash(text: str, start: int, end: int) -> Diagnostic:
    """Report a comment of other languages; between things without a blank it may have been meant as an operator."""
    begins = start == 0 or text[start - 1] in "\r\n"
    number = _NUMBER_ONLY.match(text, start, end)
    apart = begins or (not number and text[start - 1].isspace() and (start + 1 == end or text[start + 1].isspace()))
    span = Span(start, start + 1)
    message = "the character '#' has no meaning here; comments begin with '//'"
    fix = Fix("write '//'", (Edit(span, "//"),), automatic=apart)
    return Diagnostic(UNKNOWN_CHARACTER, span, message, fixes=(fix,))


def _unterminated(start: int, end: int) -> Diagnostic:
    return Diagnostic(
        UNTERMINATED_COMMENT,
        Span(start, start + 2),
        "the comment never ends: a '*/' is missing",
        notes=("comments nest: each '/*' needs its own '*/'",),
        fixes=(Fix("end the comment at the end of the file", (Edit(Span(end, end), " */"),)),),
    )
