"""Blank out comments, so that what follows sees code only, at the same places.

``//`` to the end of the line, ``/* … */`` nested, ``///`` documentation. Line ends stay where they are.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from seepage.diagnostics import Diagnostic, Edit, Fix
from seepage.rules import COMMENT_FOR_DIVISION, UNTERMINATED_COMMENT
from seepage.source import Span

_OPENING = re.compile(r"//|/\*")
_INSIDE = re.compile(r"/\*|\*/")
_LINE_END = re.compile(r"[\r\n]")
_NOT_LINE_END = re.compile(r"[^\r\n]")
_NUMBER_ONLY = re.compile(r"//[ \t]*[0-9]+[ \t]*\Z")
_OPERAND_BEFORE = re.compile(r"[\w)\]][ \t]?\Z")
_NEAR = 2
_DOCUMENTATION = re.compile(r"///(?!/)[ \t]?([^\r\n]*)")


@dataclass(frozen=True, slots=True)
class Blanked:
    """Text without comments, as long as before.

    Attributes:
        text: comments and a byte order mark are spaces.
        documentation: the text of each ``///`` comment, by the offset of its first slash.
        diagnostics: comments that do not end.
    """

    text: str
    documentation: Mapping[int, str]
    diagnostics: tuple[Diagnostic, ...]


def blank_comments(text: str) -> Blanked:
    """Replace every comment by as many spaces; never fails."""
    parts: list[str] = []
    documentation: dict[int, str] = {}
    diagnostics: list[Diagnostic] = []
    at = 0
    if text.startswith("\N{ZERO WIDTH NO-BREAK SPACE}"):
        parts.append(" ")
        at = 1
    while (opening := _OPENING.search(text, at)) is not None:
        start = opening.start()
        if opening.group() == "//":
            found = _LINE_END.search(text, start)
            end = found.start() if found else len(text)
            if _NUMBER_ONLY.match(text, start, end) and _OPERAND_BEFORE.search(text, max(at, start - _NEAR), start):
                diagnostics.append(_division(start, end))
            if (documented := _DOCUMENTATION.match(text, start, end)) is not None:
                documentation[start] = documented.group(1).rstrip()
        else:
            closed = _comment_end(text, start)
            end = len(text) if closed is None else closed
            if closed is None:
                diagnostics.append(_unterminated(start, len(text)))
        parts.append(text[at:start])
        parts.append(_NOT_LINE_END.sub(" ", text[start:end]))
        at = end
    parts.append(text[at:])
    return Blanked("".join(parts), documentation, tuple(diagnostics))


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


def _unterminated(start: int, end: int) -> Diagnostic:
    return Diagnostic(
        UNTERMINATED_COMMENT,
        Span(start, start + 2),
        "the comment never ends: a '*/' is missing",
        notes=("comments nest: each '/*' needs its own '*/'",),
        fixes=(Fix("end the comment at the end of the file", (Edit(Span(end, end), " */"),)),),
    )
