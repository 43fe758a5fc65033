"""Formatting while typing: the line that was ended, the block that was closed."""

from __future__ import annotations

from lsprotocol import types

from seepage.diagnostics import Edit
from seepage.source import Span
from seepage.syntax.comments import blank_comments
from seepage.syntax.printer import format_range
from seepage_lsp.features.edits import text_edits
from seepage_lsp.workspace import CHECKED_AT_ONCE, Snapshot

FIRST = "}"
_INDENT = 4


def on_type_formatting(snapshot: Snapshot, position: types.Position, typed: str) -> list[types.TextEdit]:
    """Return the edits after ``}`` or the end of a line was typed at a position; none in comments, and in texts too long to be quick."""
    text = snapshot.lines.text
    if len(text) > CHECKED_AT_ONCE:
        return []
    blanked = blank_comments(text).text
    offset = snapshot.lines.offset(position)
    if typed == FIRST:
        return text_edits(snapshot, _closed(text, blanked, offset))
    return text_edits(snapshot, _ended(snapshot, text, blanked, position.line))


def _closed(text: str, blanked: str, offset: int) -> tuple[Edit, ...]:
    """Format the block whose ``}`` stands before an offset."""
    if blanked[offset - 1 : offset] != "}":
        return ()
    depth = 0
    for at in range(offset - 1, -1, -1):
        depth += {"}": 1, "{": -1}.get(blanked[at], 0)
        if depth == 0:
            return _on_lines(text, Span(at, offset))
    return ()


def _ended(snapshot: Snapshot, text: str, blanked: str, line: int) -> list[Edit]:
    """Format the line above and indent the one that was begun; what comes after it stays."""
    starts = snapshot.lines.starts
    if not 0 < line < len(starts):
        return []
    above = Span(starts[line - 1], snapshot.lines.offset(snapshot.lines.line_end(line - 1)))
    edits = [edit for edit in _on_lines(text, above) if edit.span.end <= above.end]
    start, end = starts[line], snapshot.lines.offset(snapshot.lines.line_end(line))
    if text[start:end].strip() and not blanked[start:end].strip():
        return edits  # a comment goes on
    held = len(text[start:end]) - len(text[start:end].lstrip(" \t"))
    depth = blanked.count("{", 0, start) - blanked.count("}", 0, start)
    depth -= blanked[start + held : start + held + 1] == "}"
    indent = " " * (_INDENT * max(depth, 0))
    # Inside of brackets an author lays out as they like.
    if _is_open(blanked[:start]) or text[start : start + held] == indent:
        return edits
    return [*edits, Edit(Span(start, start + held), indent)]


def _on_lines(text: str, span: Span) -> tuple[Edit, ...]:
    first = max(text.rfind("\n", 0, span.start), text.rfind("\r", 0, span.start)) + 1
    return tuple(edit for edit in format_range(text, span) if first <= edit.span.end and edit.span.end <= span.end)


def _is_open(text: str) -> bool:
    """Tell whether some bracket other than that of a block is open at the end of a text."""
    return sum(text.count(one) for one in "([") > sum(text.count(one) for one in ")]")
