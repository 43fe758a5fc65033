"""The hierarchy of a file: declarations, first assignments, questions, and the blocks that hold them; what can be folded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Literal, assert_never

from seepage.data_classes import dataclass
from seepage.semantics.checked import Checked
from seepage.source import Span
from seepage.symbols.names import names_of, reading_at, tree_of
from seepage.symbols.written import Bound, Space, Written, base_of
from seepage.syntax.comments import blank_comments
from seepage.syntax.raw import RawHeader, RawLeaf
from seepage.syntax.tree import (
    Assign,
    Const,
    For,
    If,
    Index,
    Item,
    Name,
    Output,
    Param,
    Placed,
    Require,
    Sample,
    Secret,
    Show,
    Skip,
    Target,
    While,
    blocks_of,
)

Sort = Literal[
    "param", "const", "secret", "output", "variable", "array", "question", "block", "procedure", "enumeration", "member"
]


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of an outline: ``span`` is the whole thing, ``name_span`` what names it."""

    name: str
    sort: Sort
    detail: str
    span: Span
    name_span: Span
    children: tuple[Entry, ...] = ()


def outline(checked: Checked) -> tuple[Entry, ...]:
    """Return what stands at the top of a file, in the order of the text; blocks that define nothing are left out."""
    names = names_of(checked)
    if names is None:
        first = {symbol.spans[0].start for symbol in checked.symbols.variables.values() if symbol.spans}
    else:
        first = {places[0] for places in _definitions(names).values()}
    return _entries(checked, tree_of(checked).items, first)


def _definitions(names: Written) -> dict[Bound, list[int]]:
    """Return where statements assign each name, fields aside."""
    found: dict[Bound, list[int]] = {}
    for use in names.uses:
        if use.defines and use.bound.space in (Space.VARIABLE, Space.LOCAL):
            found.setdefault(use.bound, []).append(use.span.start)
    return found


def _entries(checked: Checked, items: Sequence[Item], first: set[int]) -> tuple[Entry, ...]:
    return tuple(entry for item in items for entry in _of_item(checked, item, first))


def _of_item(checked: Checked, item: Item, first: set[int]) -> Iterator[Entry]:
    match item:
        case Placed():
            yield from _of_leaf(checked, item, first)
        case For(block=block, span=span, header=header):
            inner = _entries(checked, block.items, first)
            if inner:
                yield Entry(_words(checked.source[header]), "block", "", span, header, inner)
        case While(arm=arm):
            inner = _entries(checked, [one for block in blocks_of(item) for one in block.items], first)
            if inner:
                yield Entry(_words(checked.source[arm.header]), "block", "", item.span, arm.header, inner)
        case If(arms=arms, otherwise=otherwise):
            for arm in arms:
                inner = _entries(checked, arm.block.items, first)
                reading = reading_at(checked, arm.start)
                if isinstance(reading, RawHeader) and reading.keyword == "def" and reading.name is not None:
                    place = Span(reading.name.start, reading.name.end).shift(arm.start)
                    detail = f"({', '.join(one.value for one in reading.names)})"
                    yield Entry(reading.name.value, "procedure", detail, item.span, place, inner)
                elif inner:
                    span = arm.header.cover(arm.block.span)
                    yield Entry(_words(checked.source[arm.header]), "block", "", span, arm.header, inner)
            if otherwise is not None and (inner := _entries(checked, otherwise.items, first)):
                yield Entry("else", "block", "", otherwise.span, otherwise.span, inner)
        case _:
            assert_never(item)


def _of_leaf(checked: Checked, item: Placed, first: set[int]) -> Iterator[Entry]:
    node, span = item.node, item.span
    reading = reading_at(checked, item.start)
    if isinstance(node, Skip) and isinstance(reading, RawLeaf):
        yield from _of_reading(checked, item, reading, first)
        return
    match node:
        case Param(name=name, name_span=place):
            yield Entry(name, "param", "param", span, place.shift(item.start))
        case Const(name=name, name_span=place):
            yield Entry(name, "const", "const", span, place.shift(item.start))
        case Secret(targets=targets) | Output(targets=targets):
            sort: Sort = "secret" if isinstance(node, Secret) else "output"
            for target in targets:
                place = target.span.shift(item.start)
                yield Entry(checked.source[place], sort, sort, span if len(targets) == 1 else place, place)
        case Show() | Require():
            yield Entry(_words(checked.source[span]) or "show", "question", "", span, span)
        case Assign(target=assigned) | Sample(target=assigned):
            yield from _of_target(checked, assigned, item, first)
        case _:
            pass


def _of_reading(checked: Checked, item: Placed, reading: RawLeaf, first: set[int]) -> Iterator[Entry]:
    """Yield what a leaf beyond the core defines or asks."""
    span = reading.span.shift(item.start)
    match reading.keyword:
        case "enum" | "param" | "const" | "table" as word if reading.name is not None:
            place = Span(reading.name.start, reading.name.end).shift(item.start)
            members = tuple(
                Entry(one.value, "member", "", (at := Span(one.start, one.end).shift(item.start)), at)
                for one in reading.names
            )
            yield Entry(reading.name.value, _SORTS[word], word, span, place, members)
        case "secret" | "output" as word:
            for target in reading.targets:
                place = target.span.shift(item.start)
                whole = span if len(reading.targets) == 1 else place
                yield Entry(checked.source[place], _SORTS[word], word, whole, place)
        case "show" | "require":
            yield Entry(_words(checked.source[span]), "question", "", span, span)
        case "assign" | "sample" | "attacker":
            for target in reading.targets:
                name, place = base_of(target), target.span.shift(item.start)
                if name is not None and place.start in first:
                    kind = checked.kinds.get(name)
                    sort: Sort = "variable" if isinstance(target, Name) else "array"
                    at = Span(place.start, place.start + len(name))
                    yield Entry(name, sort, "variable" if kind is None else kind.value, span, at)
        case _:
            pass


_SORTS: dict[str, Sort] = {
    "enum": "enumeration",
    "param": "param",
    "const": "const",
    "table": "const",
    "secret": "secret",
    "output": "output",
}


def _of_target(checked: Checked, target: Target, item: Placed, first: set[int]) -> Iterator[Entry]:
    name, place = (target.array, target.name_span) if isinstance(target, Index) else (target.id, target.span)
    place = place.shift(item.start)
    if place.start in first:
        kind = checked.kinds.get(name)
        sort: Sort = "array" if isinstance(target, Index) else "variable"
        yield Entry(name, sort, "variable" if kind is None else kind.value, item.span, place)


def _words(text: str) -> str:
    return " ".join(text.split())


# --- folding ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Fold:
    """A part of a file that can be hidden: from the end of its first line to its last."""

    span: Span
    is_comment: bool


def folds(checked: Checked) -> tuple[Fold, ...]:
    """Return blocks, statements of several lines and runs of comment lines, in the order of the text."""
    source = checked.source
    found = [Fold(span, False) for span in _foldable(checked) if _line(checked, span.start) < _line(checked, span.end)]
    blanked = blank_comments(source.text).text
    starts = [*source.line_starts, len(source.text) + 1]
    run: Span | None = None
    for start, after in pairwise(starts):
        end = min(after - 1, len(source.text))
        is_comment = not blanked[start:end].strip() and bool(source.text[start:end].strip())
        if is_comment:
            run = Span(start, end) if run is None else Span(run.start, end)
        if run is not None and (not is_comment or after == starts[-1]):
            if _line(checked, run.start) < _line(checked, run.end):
                found.append(Fold(run, True))
            run = None
    return tuple(sorted(found, key=lambda fold: (fold.span, fold.is_comment)))


def _foldable(checked: Checked) -> Iterator[Span]:
    for item in tree_of(checked).walk():
        match item:
            case Placed():
                yield item.span
            case For(block=block, header=header):
                yield header.cover(block.span)
            case If() | While():
                yield from (block.span for block in blocks_of(item))


def _line(checked: Checked, offset: int) -> int:
    return checked.source.position(offset)[0]
