"""The tree after a change, from the tree before: only the top-level items around the change are assembled anew.

What the assembler knows where a top-level item begins on a line of its own is nothing, as long as all braces have partners; so items before stay
as they are, those behind are moved, and the answer is that of assembling the whole.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from seepage.source import Span
from seepage.syntax.assemble import Assembled, assemble_part
from seepage.syntax.fixes import shifted
from seepage.syntax.layout import Layout
from seepage.syntax.piece import ParsedPiece
from seepage.syntax.pieces import Piece, Recut
from seepage.syntax.tree import Arm, Block, For, If, Item, Module, Placed

_TRIES = 4  # of growing the part that is assembled anew


def assemble_again(
    before: Assembled,
    old: Sequence[Piece],
    pieces: Sequence[Piece],
    read: Sequence[ParsedPiece],
    layout: Layout,
    change: Recut,
    moved: int,
) -> Assembled | None:
    """Return what assembling the whole would, None where only that can tell.

    Args:
        before: the tree before the change, in which all braces have partners.
        old: the pieces before.
        pieces: the pieces now.
        read: what each of them says.
        layout: the lines of the file now.
        change: which pieces are new, and for which ones they stand.
        moved: how much further to the right what stands behind the change is than before.
    """
    items = before.tree.items
    if not before.is_regular or not old or change.first >= len(old):
        return None
    head = _head(items, old, layout, change.first)
    begin = 0 if head == 0 else bisect_left(old, items[head].span.start, key=_start_of)
    # One item behind the change, too: comments above it are no pieces, and may document it.
    changed_to = old[change.last].start if change.last < len(old) else old[-1].end
    tail = bisect_left(items, changed_to, key=_start) + 1
    shift = change.first + len(change.made) - change.last
    for _ in range(_TRIES):
        tail = _boundary(items, tail, layout, moved)
        behind = bisect_left(old, items[tail].span.start, key=_start_of) if tail < len(items) else len(old)
        end = behind + shift
        part = assemble_part(pieces[begin:end], read[begin:end], layout, before.placed[begin : change.first])
        if part is not None:
            break
        if tail >= len(items):
            return None
        tail += tail - head
    else:
        return None
    start = pieces[begin].start if begin else 0
    stop = old[behind].start if behind < len(old) else None
    if tail < len(items) and stop is None:
        return None
    found = [one for one in before.found if begin and one.span.start < start]
    found += part.found
    if stop is not None:
        found += [shifted(one, moved) for one in before.found if one.span.start >= stop]
    rest: Sequence[Item] = items[tail:]
    tree = Module(
        (*items[:head], *part.tree.items, *(moved_items(rest, moved) if moved else rest)), Span(0, len(layout.text))
    )
    kept = before.placed[behind:] if not moved else (None,) * (len(old) - behind)
    return Assembled(tree, found, (*before.placed[:begin], *part.placed, *kept), is_regular=True)


def _start_of(piece: Piece) -> int:
    return piece.start


def _start(item: Item) -> int:
    return item.start if isinstance(item, Placed | For) else item.span.start


def _head(items: Sequence[Item], old: Sequence[Piece], layout: Layout, first: int) -> int:
    """Return the number of a top-level item before the change, not the last one, that begins a line; 0 for the start of the file.

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


def moved_items(items: Sequence[Item], offset: int) -> tuple[Item, ...]:
    """Return items further to the right; blocks nest no deeper than the parser allows."""
    make = tuple.__new__
    return tuple(
        [
            make(Placed, (item[0], item[1] + offset, item[2])) if type(item) is Placed else _moved(item, offset)
            for item in items
        ]
    )


def _moved(item: Item, offset: int) -> Item:
    match item:
        case If(arms=arms, otherwise=otherwise, span=span):
            made = [
                Arm(arm.condition, _moved_block(arm.block, offset), arm.start + offset, arm.header.shift(offset))
                for arm in arms
            ]
            rest = None if otherwise is None else _moved_block(otherwise, offset)
            return If(tuple(made), rest, span.shift(offset))
        case For(name, low, high, block, start, name_span, header, span):
            inner = _moved_block(block, offset)
            return For(name, low, high, inner, start + offset, name_span, header.shift(offset), span.shift(offset))
        case Placed(node, start, documentation):
            return Placed(node, start + offset, documentation)


def _moved_block(block: Block, offset: int) -> Block:
    return Block(moved_items(block.items, offset), block.span.shift(offset))
