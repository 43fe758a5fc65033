"""Items further to the right: what stands behind a change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from seepage.syntax.strip import Strip
from seepage.syntax.tree import Arm, Block, For, If, Item, Placed, While


def in_order(items: Sequence[Item]) -> Strip[Item]:
    """Return the items of a block, or of a file, so that a change does not pay for those that it only moves."""
    return Strip.of(items, moved_item)


def moved_item(item: Item, offset: int) -> Item:
    """Return an item further to the right; the items in it are moved when they are asked for."""
    match item:
        case Placed(node, start, documentation):
            return Placed(node, start + offset, documentation)
        case If(arms=arms, otherwise=otherwise, span=span):
            rest = None if otherwise is None else _moved_block(otherwise, offset)
            moved = tuple([moved_arm(arm, offset) for arm in arms])
            return replace(item, arms=moved, otherwise=rest, span=span.shift(offset))
        case For(name, low, high, block, start, name_span, header, span):
            inner = _moved_block(block, offset)
            return For(name, low, high, inner, start + offset, name_span, header.shift(offset), span.shift(offset))
        case While(arm, never, span):
            rest = None if never is None else _moved_block(never, offset)
            return While(moved_arm(arm, offset), rest, span.shift(offset))


def moved_arm(arm: Arm, offset: int) -> Arm:
    """Return an arm further to the right."""
    return Arm(arm.condition, _moved_block(arm.block, offset), arm.start + offset, arm.header.shift(offset))


def _moved_block(block: Block, offset: int) -> Block:
    items = block.items if isinstance(block.items, Strip) else in_order(block.items)
    return Block(items.moved(offset), block.span.shift(offset))
