"""Formatting of whole documents and ranges."""

from __future__ import annotations

from lsprotocol import types

from seepage.syntax.printer import format_range, format_text
from seepage_lsp.features.edits import text_edits
from seepage_lsp.workspace import Snapshot


def formatting(snapshot: Snapshot) -> list[types.TextEdit]:
    """Return the edits that bring a document into the one style; none if it has syntax errors or is too long to be checked."""
    if snapshot.is_too_long:
        return []
    return text_edits(snapshot, format_text(snapshot.lines.text).edits)


def range_formatting(snapshot: Snapshot, asked: types.Range) -> list[types.TextEdit]:
    """Return the edits on the lines of a range; around syntax errors only the blanks inside of whole statements."""
    if snapshot.is_too_long:
        return []
    return text_edits(snapshot, format_range(snapshot.lines.text, snapshot.lines.span(asked)))
