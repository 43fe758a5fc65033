"""What changes of a text have in common: line ends, the smallest edit, lines with their comments, checks that nothing was lost."""

from __future__ import annotations

from dataclasses import replace

from seepage.diagnostics import Edit
from seepage.semantics.check import check
from seepage.semantics.checked import Checked
from seepage.source import Span
from seepage.syntax.comments import Blanked


def line_end(text: str) -> str:
    """Return how lines of a text end."""
    return "\r\n" if "\r\n" in text else "\n"


def smallest_edit(before: str, after: str) -> Edit:
    """Return the one edit that makes the second text of the first, without what they share at both ends."""
    most = min(len(before), len(after))
    start = next((at for at in range(most) if before[at] != after[at]), most)
    most -= start
    same = next((at for at in range(most) if before[-1 - at] != after[-1 - at]), most)
    # No edit begins or ends inside of a line end of two characters, which has no position.
    if start and before[start - 1] == "\r":
        start -= 1
    end = len(before) - same
    if same and end and before[end - 1 : end + 1] == "\r\n":
        same -= 1
    return Edit(Span(start, len(before) - same), after[start : len(after) - same])


def line_start(text: str, offset: int) -> int:
    """Return the start of the line that holds an offset."""
    return max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1


def line_after(text: str, offset: int) -> int:
    """Return the start of the line after the one that holds an offset; the end of the text if there is none."""
    ends = [at for at in (text.find("\n", offset), text.find("\r", offset)) if at >= 0]
    if not ends:
        return len(text)
    end = min(ends)
    return end + (2 if text.startswith("\r\n", end) else 1)


def with_comments(text: str, blanked: Blanked, start: int) -> int:
    """Return the start of the lines of comments right above the line that starts at an offset; that line's start if there are none."""
    while start:
        above = line_start(text, start - (2 if text.endswith("\r\n", 0, start) else 1))
        line = text[above:start]
        if not line.strip() or blanked.text[above:start].strip():
            break
        start = above
    return start


def checked_after(checked: Checked, text: str) -> Checked:
    """Return the check of another text of the same program."""
    return check(replace(checked.source, text=text))


def is_no_worse(before: Checked, after: Checked) -> bool:
    """Tell whether a change brought no errors."""
    return sum(one.is_error for one in after.diagnostics) <= sum(one.is_error for one in before.diagnostics)
