"""The fix that takes statements and declarations away, with their line where nothing else stands on it."""

from __future__ import annotations

from collections.abc import Iterable

from seepage.diagnostics import Edit, Fix
from seepage.source import Span

_BLANK = " \t"


def remove(title: str, spans: Iterable[Span], text: str) -> Fix:
    """Return the fix that removes whole statements or declarations, each with the ``;`` after it and the ``///`` lines above it."""
    edits = tuple(Edit(removed(span, text), "") for span in sorted(set(spans)))
    return Fix(title, edits, automatic=False)


def removed(span: Span, text: str) -> Span:
    """Return what goes with a statement: the ``;`` after it, and its whole line with its documentation if it stands alone."""
    start, end = span.start, span.end
    while end < len(text) and text[end] in _BLANK:
        end += 1
    if end < len(text) and text[end] == ";":
        end += 1
        while end < len(text) and text[end] in _BLANK:
            end += 1
    else:
        end = span.end
    line = text.rfind("\n", 0, start) + 1
    after = end
    while after < len(text) and text[after] in _BLANK:
        after += 1
    if text[line:start].strip(_BLANK) or (after < len(text) and text[after] not in "\r\n"):
        return Span(start, end)
    while line and text[text.rfind("\n", 0, line - 1) + 1 : line].lstrip(_BLANK).startswith("///"):
        line = text.rfind("\n", 0, line - 1) + 1
    newline = text.find("\n", after)
    return Span(line, len(text) if newline < 0 else newline + 1)
