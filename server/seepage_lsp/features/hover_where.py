"""What hovers of statements say of where it leaks: what is told up to a statement, and without it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lsprotocol import types

from seepage.report.marks import escaped, inline_code
from seepage.semantics.checked import Checked
from seepage.source import Span
from seepage.symbols.names import occurrence_at, tree_of
from seepage.syntax.tree import Assign, If, Item, Observe, Placed, Sample
from seepage_lsp.asked_once import wheres_wanted
from seepage_lsp.features.hover_statements import innermost
from seepage_lsp.workspace import Snapshot

_DIFFER = "_Numbers of programs with one statement changed: they do not add up._"


def asks_where(snapshot: Snapshot, position: types.Position) -> bool:
    """Tell whether the hover at a position says where it leaks."""
    checked, offset = snapshot.checked, snapshot.lines.offset(position)
    return checked is not None and statement_of(checked, offset) is not None


def statement_of(checked: Checked, offset: int) -> Span | None:
    """Return the place of the statement that is changed when it is asked where it leaks, if an offset is on its own words: its target, or no name."""
    item = innermost(tree_of(checked).items, offset)
    if item is None or not _is_changed(item) or (isinstance(item, If) and not _in_header(item, offset)):
        return None
    named = occurrence_at(checked, offset)
    if named is not None and not (isinstance(item, Placed) and _is_target(item, named[0])):
        return None
    return item.span


def _is_changed(item: Item) -> bool:
    return isinstance(item, If) or (isinstance(item, Placed) and isinstance(item.node, Assign | Sample | Observe))


def _in_header(item: If, offset: int) -> bool:
    return any(arm.header.contains(offset) for arm in item.arms)


def _is_target(item: Placed, name: Span) -> bool:
    node = item.node
    return isinstance(node, Assign | Sample) and node.target.span.shift(item.start).start == name.start


def where_section(snapshot: Snapshot, checked: Checked, offset: int) -> str:
    """Return what is said of the statement at an offset, as Markdown behind a line; empty where nothing is."""
    place = statement_of(checked, offset)
    if place is None:
        return ""
    told = [line for measure in wheres_wanted(snapshot) for line in _lines(snapshot, measure, place)]
    if not told:
        return ""
    note = [_DIFFER] if any(line.startswith("`") for line in told) else []
    return "\n\n---\n\n" + "\n\n".join(["**Where it leaks**", *told, *note])


def _lines(snapshot: Snapshot, measure: str, place: Span) -> Iterator[str]:
    answer = snapshot.wheres.get(measure)
    if answer is None:
        yield f"_{inline_code(measure)} is on its way: look again in a moment_"
        return
    statements: list[dict[str, Any]] = answer.get("statements", [])
    for each in statements:
        if each["span"] == [place.start, place.end] and each["told"]:
            yield f"{inline_code(measure)}: {escaped(each['told'])}"
