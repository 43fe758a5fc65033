"""A statement or header, and what is remembered of it from one version of a text to the next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from seepage.semantics.facts import Facts, facts_of
from seepage.source import Span
from seepage.syntax.tree import Arm, Expression, For, If, Item, Leaf, Placed, Target, While

if TYPE_CHECKING:
    from seepage.semantics.visits import Visit

Entry: TypeAlias = Placed | Arm | For
Key: TypeAlias = Leaf | Expression

GAP = 1 << 128  # between the labels of neighbours at first: room for so many halvings


@dataclass(slots=True, eq=False)
class Unit:
    """A statement or header with what is remembered of it: a cache of functions of what it reads.

    Attributes:
        key: the node of its piece by which it is found again.
        label: its place among the units of a file: labels grow along the text, and stay as they are when the text changes.
        facts: what it says by itself.
        visits: the latest visits of the walk along the flow.
        inverse: the variable of which an assigned value is an injective function, if it was asked for.
        names: the names that stand in it, if they were asked for, with places relative to its piece.
        words: what else in it is coloured, likewise, for :mod:`seepage.symbols.classify`.
    """

    key: Key
    label: int
    facts: Facts
    visits: tuple[Visit, ...] = ()
    inverse: tuple[Target | None] | None = None
    names: Sequence[tuple[Span, str]] | None = None
    words: Sequence[tuple[Span, object]] | None = None


def new_units(entries: Sequence[Entry]) -> list[Unit]:
    """Return units for all entries of a file."""
    return [Unit(key_of(entry), GAP * i, facts_of(entry)) for i, entry in enumerate(entries)]


def key_of(entry: Entry) -> Key:
    """Return the node by which the unit of an entry is found again."""
    match entry:
        case Placed(node=node):
            return node
        case Arm(condition=condition):
            return condition
        case For(low=low):
            return low


def entries_of(items: Sequence[Item]) -> list[Entry]:
    """Return the leaves, arms and loops among items in the order of the text."""
    entries: list[Entry] = []
    _list(items, entries)
    return entries


def _list(items: Sequence[Item], entries: list[Entry]) -> None:
    """Append the entries of items; blocks nest no deeper than the parser allows."""
    for item in items:
        if type(item) is Placed:
            entries.append(item)
        elif isinstance(item, For):
            entries.append(item)
            _list(item.block.items, entries)
        elif isinstance(item, If):
            for arm in item.arms:
                entries.append(arm)
                _list(arm.block.items, entries)
            if item.otherwise is not None:
                _list(item.otherwise.items, entries)
        elif isinstance(item, While):
            entries.append(item.arm)
            _list(item.arm.block.items, entries)
            if item.never is not None:
                _list(item.never.items, entries)
