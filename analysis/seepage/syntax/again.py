"""The tree after a change, from the tree before: only the items around the change, of the innermost block that can be, are assembled anew.

What the assembler knows where an item begins on a line of its own is which blocks are open there, and how many of those nothing closes. Where
the change leaves both alone, items before stay as they are, those behind are moved, and the answer is that of assembling the whole.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import replace

from seepage.data_classes import dataclass
from seepage.diagnostics import Diagnostic, Edit
from seepage.source import Span
from seepage.syntax.assemble import Around, Assembled, assemble_part, is_balanced
from seepage.syntax.fixes import shifted
from seepage.syntax.layout import Layout
from seepage.syntax.moving import moved_arm
from seepage.syntax.piece import ParsedPiece
from seepage.syntax.pieces import Piece, PieceKind, Recut
from seepage.syntax.strip import Strip
from seepage.syntax.tree import Arm, Block, For, If, Item, Module, Placed

_TRIES = 4  # of growing the part that is assembled anew


@dataclass(frozen=True, slots=True)
class _Level:
    """A block around the change, or the file.

    Attributes:
        items: what is in it.
        block: None for the file.
        header: the number of the piece that opens it.
        item: the branch or loop whose block it is.
        number: of that item in the block around.
        arm: the number of the arm, that of the ``else`` after the last one.
    """

    items: Strip[Item]
    block: Block | None = None
    header: int = -1
    item: If | For | None = None
    number: int = 0
    arm: int = 0


@dataclass(frozen=True, slots=True)
class _Again:
    before: Assembled
    old: Strip[Piece]
    pieces: Strip[Piece]
    read: Sequence[ParsedPiece]
    layout: Layout
    change: Recut
    moved: int


def assemble_again(
    before: Assembled,
    old: Strip[Piece],
    pieces: Strip[Piece],
    read: Sequence[ParsedPiece],
    layout: Layout,
    change: Recut,
    moved: int,
) -> Assembled | None:
    """Return what assembling the whole would, None where only that can tell.

    Args:
        before: the tree before the change.
        old: the pieces before.
        pieces: the pieces now.
        read: what each of them says.
        layout: the lines of the file now.
        change: which pieces are new, and for which ones they stand.
        moved: how much further to the right what stands behind the change is than before.
    """
    if not before.is_regular or not old or change.first >= len(old):
        return None
    again = _Again(before, old, pieces, read, layout, change, moved)
    path = _path(again)
    for depth in range(len(path) - 1, -1, -1):
        if (made := _spliced(again, path[: depth + 1])) is not None:
            return made
    return None


def _path(again: _Again) -> list[_Level]:
    """Return the file and the blocks in it that hold the change and keep their braces, from the outside to the inside."""
    items = again.before.tree.items
    assert isinstance(items, Strip)
    path = [_Level(items)]
    begin, end = again.old[again.change.first].start, _changed_to(again)
    while (inner := _inner(path[-1].items, begin, end, again.old)) is not None:
        path.append(inner)
    return path


def _changed_to(again: _Again) -> int:
    return again.old[again.change.last].start if again.change.last < len(again.old) else again.old[-1].end


def _inner(items: Strip[Item], begin: int, end: int, old: Strip[Piece]) -> _Level | None:
    number = bisect_right(items, begin, key=_start) - 1
    item = items[number] if number >= 0 else None
    match item:
        case For(block=block) if _holds(block, begin, end):
            return _level(block, item.start, old, item, number)
        case If(arms=arms, otherwise=otherwise):
            for at, arm in enumerate(arms):
                if _holds(arm.block, begin, end):
                    return _level(arm.block, arm.start, old, item, number, at)
            if otherwise is not None and _holds(otherwise, begin, end):
                return _level(otherwise, otherwise.span.start, old, item, number, len(arms))
        case _:
            pass
    return None


def _level(block: Block, start: int, old: Strip[Piece], item: If | For, number: int, arm: int = 0) -> _Level | None:
    header = bisect_right(old, start, key=_start_of) - 1
    if not isinstance(block.items, Strip) or not old[header].opens:
        return None
    return _Level(block.items, block, header, item, number, arm)


def _holds(block: Block, begin: int, end: int) -> bool:
    return block.span.start < begin and end < block.span.end


def _stretched(block: Block, made: Strip[Item], moved: int) -> Block:
    return Block(made, Span(block.span.start, block.span.end + moved))


def _loop(loop: For, made: Strip[Item], moved: int) -> For:
    span = Span(loop.span.start, loop.span.end + moved)
    return replace(loop, block=_stretched(loop.block, made, moved), span=span)


def _branch(item: If, at: int, made: Strip[Item], moved: int) -> If:
    """Return a branch with other items in one of its blocks, the last one being that without a condition."""
    arms: list[Arm] = [*item.arms[:at]]
    rest = item.otherwise
    if at < len(item.arms):
        arms.append(replace(item.arms[at], block=_stretched(item.arms[at].block, made, moved)))
        arms += [moved_arm(arm, moved) for arm in item.arms[at + 1 :]]
        if rest is not None:
            assert isinstance(rest.items, Strip)
            rest = Block(rest.items.moved(moved), rest.span.shift(moved))
    elif rest is not None:
        rest = _stretched(rest, made, moved)
    return If(tuple(arms), rest, Span(item.span.start, item.span.end + moved))


def _spliced(again: _Again, path: Sequence[_Level]) -> Assembled | None:
    """Return the tree in which items of the innermost of these blocks are assembled anew."""
    before, old, pieces, layout = again.before, again.old, again.pieces, again.layout
    level, moved = path[-1], again.moved
    items = level.items
    head = _head(items, old, layout, again.change.first)
    begin = bisect_left(old, items[head].span.start, key=_start_of) if head else level.header + 1
    if level.block is not None and begin < len(pieces) and not layout.begins_line(pieces[begin].start):
        return None
    # One item behind the change, too: comments above it are no pieces, and may document it.
    tail = bisect_left(items, _changed_to(again), key=_start) + 1
    shift = again.change.first + len(again.change.made) - again.change.last
    for _ in range(_TRIES):
        tail = _boundary(items, tail, layout, moved)
        behind = _behind(again, level, tail)
        if behind is None:
            return None
        around = _around(again, path, begin)
        part = assemble_part(pieces[begin : behind + shift], again.read[begin : behind + shift], layout, around)
        if part is not None:
            break
        if tail >= len(items):
            return None
        tail += tail - head
    else:
        return None
    start = pieces[begin].start if level.block is None and begin else 0
    if level.block is not None:
        start = level.block.span.start + 1 if not head else items[head].span.start
    stop = old[behind].start if behind < len(old) else None
    if before.unclosed and not _leaves_open_blocks(again, begin, behind, start, stop, shift):
        return None
    tree = _rebuilt(path, items.spliced(head, tail, part.tree.items, moved), moved, len(layout.text))
    found = [_kept(one, stop, moved) for one in before.found if one.span.start < start]
    found += part.found
    if stop is not None:
        found += [shifted(one, moved) for one in before.found if one.span.start >= stop]
    closings = tuple(at if at < start else at + moved for at in before.closings)
    return replace(before, tree=tree, found=found, closings=closings)


def _start_of(piece: Piece) -> int:
    return piece.start


def _start(item: Item) -> int:
    return item.start if isinstance(item, Placed | For) else item.span.start


def _head(items: Sequence[Item], old: Sequence[Piece], layout: Layout, first: int) -> int:
    """Return the number of an item before the change, not the last one, that begins a line; 0 for the start of the block.

    The last one may be a branch that an ``else`` now continues.
    """
    head = max(bisect_right(items, old[first].start, key=_start) - 2, 0)
    while head and not layout.begins_line(_start(items[head])):
        head -= 1
    return head


def _boundary(items: Sequence[Item], tail: int, layout: Layout, moved: int) -> int:
    """Return the number of the first item from ``tail`` on that begins a line."""
    while tail < len(items) and not layout.begins_line(_start(items[tail]) + moved):
        tail += 1
    return min(tail, len(items))


def _behind(again: _Again, level: _Level, tail: int) -> int | None:
    """Return the number of the piece with which the items from ``tail`` on begin, or the block ends; None if that is not on its own line."""
    old = again.old
    if tail < len(level.items):
        behind = bisect_left(old, level.items[tail].span.start, key=_start_of)
        return behind if behind < len(old) else None
    if level.block is None:
        return len(old)
    close = bisect_left(old, level.block.span.end - 1, key=_start_of)
    closes = not again.before.unclosed and old[close].kind is PieceKind.CLOSE
    return close if closes and again.layout.begins_line(old[close].start + again.moved) else None


def _around(again: _Again, path: Sequence[_Level], begin: int) -> Around:
    """Return what the assembler knows before a piece."""
    opening = [(again.pieces[level.header], again.read[level.header]) for level in path[1:]]
    place = again.pieces[begin].start if begin < len(again.pieces) else len(again.layout.text)
    unclosed = again.before.unclosed - sum(at < place for at in again.before.closings)
    return Around(opening, unclosed, again.before.witness is not None)


def _leaves_open_blocks(again: _Again, begin: int, behind: int, start: int, stop: int | None, shift: int) -> bool:
    """Tell whether as many blocks as before wait for their ``}`` around a part, and indentation has the same say in where they end."""
    before = again.before
    if stop is None or any(start <= at <= stop for at in before.closings) or not is_balanced(again.old[begin:behind]):
        return False
    if before.witness is not None:
        return before.witness < start
    return again.layout.indented(again.pieces[max(begin - 1, 0) : behind + shift + 1]) is None


def _rebuilt(path: Sequence[_Level], items: Strip[Item], moved: int, length: int) -> Module:
    for level, outer in zip(reversed(path), reversed(path[:-1]), strict=False):
        match level.item:
            case For():
                item: Item = _loop(level.item, items, moved)
            case If():
                item = _branch(level.item, level.arm, items, moved)
            case None:
                raise AssertionError("only the file stands in nothing")
        items = outer.items.spliced(level.number, level.number + 1, (item,), moved)
    return Module(items, Span(0, length))


def _kept(one: Diagnostic, stop: int | None, moved: int) -> Diagnostic:
    """Return a finding that stands before a part; that a block is never closed is said there, and mended behind."""
    if stop is None or not moved or all(edit.span.end < stop for fix in one.fixes for edit in fix.edits):
        return one

    def place(span: Span) -> Span:
        return Span(*(at if at < stop else at + moved for at in (span.start, span.end)))

    fixes = tuple(
        replace(fix, edits=tuple(Edit(place(edit.span), edit.replacement) for edit in fix.edits)) for fix in one.fixes
    )
    return replace(
        one,
        span=place(one.span),
        labels=tuple(replace(label, span=place(label.span)) for label in one.labels),
        fixes=fixes,
    )
