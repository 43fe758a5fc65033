"""Declarations at the top, in groups: parameters, constants, secrets, outputs, each with its comments."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from seepage.diagnostics import Edit
from seepage.semantics.checked import Checked
from seepage.source import Span
from seepage.symbols.names import tree_of
from seepage.syntax.comments import Blanked, blank_comments
from seepage.syntax.tree import Const, Item, Output, Param, Placed, Secret
from seepage_lsp.features.rewriting import (
    checked_after,
    line_after,
    line_end,
    line_start,
    smallest_edit,
    with_comments,
)

# As the first program of the page on the language has them. Each declaration holds for the whole file, wherever it stands.
_GROUPS = (Param, Const, Secret, Output)
_ALIKE = ((Param, Const), (Secret, Output))  # stand together, without an empty line


def organized(checked: Checked) -> Edit | None:
    """Return the edit that brings declarations to the top; None where they are there, or where it is not clear what belongs to them.

    The order within a group stays, as does the order of statements; what the file begins with, up to its first empty line, stays above.
    """
    items, wanted = tree_of(checked).items, _wanted(checked)
    if checked.has_errors or list(items[: len(wanted)]) == wanted or not _lies_apart(items, wanted):
        return None
    apart = _on_lines_of_their_own(checked)
    text, moved = apart.source.text, _wanted(apart)
    blanked = blank_comments(text)
    chunks = {item.start: _chunk(text, blanked, item) for item in moved}
    if any(chunk is None for chunk in chunks.values()):
        return None
    known = {start: chunk for start, chunk in chunks.items() if chunk is not None}
    after = _assembled(apart, moved, known)
    return smallest_edit(checked.source.text, after) if _says_the_same(checked, wanted, after) else None


def _wanted(checked: Checked) -> list[Placed]:
    """Return the declarations in the order in which they are to stand."""
    declared = [item for item in tree_of(checked).items if isinstance(item, Placed)]
    return [item for group in _GROUPS for item in declared if isinstance(item.node, group)]


def _on_lines_of_their_own(checked: Checked) -> Checked:
    """Return the program with a line break around each declaration that shares a line, unless a comment stands there, too."""
    text, items = checked.source.text, tree_of(checked).items
    parts, at = list[str](), 0
    for before, after in pairwise(items):
        between = text[before.span.end : after.span.start]
        if between.strip().strip(";").strip() or "\n" in between or "\r" in between:
            continue
        if _group(before) is not None or _group(after) is not None:
            parts += (text[at : before.span.end], line_end(text))
            at = after.span.start
    return checked_after(checked, "".join((*parts, text[at:]))) if parts else checked


def _group(item: Item) -> type[object] | None:
    return next((one for one in _GROUPS if isinstance(item, Placed) and isinstance(item.node, one)), None)


def _lies_apart(items: Sequence[Item], wanted: list[Placed]) -> bool:
    """Tell whether the declarations stand in another order than is wanted; equal ones are told apart by their places."""
    first = [item for item in items[: len(wanted)] if isinstance(item, Placed)]
    return [item.start for item in first] != [item.start for item in wanted]


def _chunk(text: str, blanked: Blanked, item: Placed) -> Span | None:
    """Return the lines of a declaration with the comments above them; None if it shares a line with something else."""
    start, end = line_start(text, item.span.start), line_after(text, item.span.end)
    around = blanked.text[start : item.span.start] + blanked.text[item.span.end : end]
    if around.strip().strip(";").strip():
        return None
    # A comment that begins on these lines must end there.
    if any(one.start < end < one.end for one in blanked.comments):
        return None
    return Span(with_comments(text, blanked, start), end)


def _assembled(checked: Checked, wanted: list[Placed], chunks: dict[int, Span]) -> str:
    text = checked.source.text
    newline = line_end(text)
    groups: list[str] = []
    for alike in _ALIKE:
        parts = [
            text[chunks[item.start].start : chunks[item.start].end] for item in wanted if isinstance(item.node, alike)
        ]
        whole = "".join(part if part.endswith(("\n", "\r")) else part + newline for part in parts)
        groups += [whole] if whole else []
    kept = (_start(checked, item) for item in tree_of(checked).items if _group(item) is None)
    first = min((*(chunk.start for chunk in chunks.values()), *kept), default=0)
    head, rest, at = text[:first], list[str](), first
    for chunk in sorted(chunks.values()):
        rest.append(text[at : chunk.start])
        at = chunk.end
    rest.append(text[at:])
    below = _joined(rest, newline)
    return head + newline.join(groups) + (newline + below if below.strip() else below)


def _start(checked: Checked, item: Item) -> int:
    start = line_start(checked.source.text, item.span.start)
    return with_comments(checked.source.text, blank_comments(checked.source.text), start)


def _joined(parts: list[str], newline: str) -> str:
    """Join what stood around the declarations, with one empty line at most where one was taken out."""
    whole = ""
    for part in parts:
        if whole.endswith((newline * 2,)) or not whole:
            while part.startswith(newline):
                part = part[len(newline) :]
        whole += part
    return whole


def _says_the_same(checked: Checked, wanted: list[Placed], after: str) -> bool:
    """Tell whether a text has the declarations in their order and the same statements, with the same documentation and no error."""
    made = checked_after(checked, after)
    statements = [item for item in tree_of(checked).items if _group(item) is None]
    expected: list[Item] = [*wanted, *statements]
    return (
        not made.has_errors
        and list(made.tree.items) == expected
        and [_documentation(item) for item in made.tree.items] == [_documentation(item) for item in expected]
    )


def _documentation(item: Item) -> str:
    return item.documentation if isinstance(item, Placed) else ""
