"""A statement or header, with what passes of the check keep with it from one version of a text to the next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import TypeAlias

from seepage.data_classes import dataclass
from seepage.semantics.facts import Facts, facts_of
from seepage.syntax.tree import Arm, Expression, For, If, Item, Leaf, Placed, While

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
        remembered: what passes keep with it (:mod:`seepage.semantics.memo`); places in it are relative to its piece.
    """

    key: Key
    label: int
    facts: Facts
    remembered: dict[object, object] = field(default_factory=dict, repr=False)


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
