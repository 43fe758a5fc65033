"""What is known of each statement, kept from one version of a text to the next.

A *unit* is a leaf, the header of a loop or an arm of a branch. Its tree is the one of its piece, with relative positions, and an edit
elsewhere leaves it the same object: so its facts (names, calls) and what the walk along the flow made of it need no second look. Units
that an edit leaves alone are found again from both ends of the file.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from seepage.semantics.facts import Facts, facts_of
from seepage.source import Span
from seepage.syntax.tree import Arm, Expression, For, If, Item, Leaf, Module, Placed, Target

if TYPE_CHECKING:
    from seepage.semantics.visits import Visit

Entry: TypeAlias = Placed | Arm | For
Key: TypeAlias = Leaf | Expression

_GAP = 1 << 128  # between the labels of neighbours at first: room for so many halvings


@dataclass(slots=True, eq=False)
class Unit:
    """A statement or header with what is remembered of it: a cache of functions of what it reads.

    Attributes:
        key: the node of its piece by which it is found again.
        label: its place among the units of a file: labels grow along the text, and stay as they are when the text changes.
        facts: what it says by itself.
        visits: the latest visits of the walk along the flow.
        inverse: the variable of which an assigned value is an injective function, if it was asked for.
    """

    key: Key
    label: int
    facts: Facts
    visits: tuple[Visit, ...] = ()
    inverse: tuple[Target | None] | None = None


@dataclass(frozen=True, slots=True)
class Units:
    """The units of a file in the order of the text, and where they stand.

    ``at`` finds the unit of a leaf, arm or loop by its identity.
    """

    entries: Sequence[Entry]
    units: Sequence[Unit]
    keys: Sequence[Key]
    at: dict[int, Unit] = field(repr=False)

    def of(self, entry: Entry) -> Unit:
        """Return the unit of a leaf, an arm or a loop of this very tree."""
        return self.at[id(entry)]

    def declarations(self) -> list[Placed]:
        """Return the declarations of the file, in the order of the text."""
        return [
            entry
            for entry, unit in zip(self.entries, self.units, strict=True)
            if unit.facts.is_declaration and isinstance(entry, Placed)
        ]

    def place(self, label: int) -> Span:
        """Return where the unit with a label stands."""
        entry = self.entries[bisect_left(self.units, label, key=_label)]
        return entry.header if isinstance(entry, Arm) else entry.span


def _label(unit: Unit) -> int:
    return unit.label


def units_of(tree: Module, before: Units | None = None) -> Units:
    """Return the units of a tree; those of the version before that are still there are the same objects."""
    entries: list[Entry] = []
    _list(tree.items, entries)
    keys = [entry.node if type(entry) is Placed else _key(entry) for entry in entries]
    if before is None:
        units = [Unit(key, _GAP * i, facts_of(entry)) for i, (key, entry) in enumerate(zip(keys, entries, strict=True))]
    else:
        units = _matched(entries, keys, before)
    return Units(entries, units, keys, dict(zip(map(id, entries), units, strict=True)))


def _list(items: Sequence[Item], entries: list[Entry]) -> None:
    """Append the entries of items in the order of the text; blocks nest no deeper than the parser allows."""
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


def _key(entry: Entry) -> Key:
    match entry:
        case Placed(node=node):
            return node
        case Arm(condition=condition):
            return condition
        case For(low=low):
            return low


def _matched(entries: Sequence[Entry], keys: Sequence[Key], before: Units) -> list[Unit]:
    """Return old units for the entries at both ends that are as they were, and new ones between."""
    first = _count_same(keys, before.keys)
    most = min(len(keys), len(before.keys)) - first
    last = min(most, _count_same(keys[::-1], before.keys[::-1])) if most else 0
    made = range(first, len(keys) - last)
    replaced = before.units[first : len(before.units) - last]
    labels = _labels_between(before, first, last, len(made))
    if labels is None:
        return [Unit(key, _GAP * i, facts_of(entry)) for i, (key, entry) in enumerate(zip(keys, entries, strict=True))]
    if len(replaced) == len(made):
        labels = [unit.label for unit in replaced]
    new = [Unit(keys[i], label, facts_of(entries[i])) for i, label in zip(made, labels, strict=True)]
    return [*before.units[:first], *new, *before.units[len(before.units) - last :]]


def _count_same(some: Sequence[Key], others: Sequence[Key]) -> int:
    count = 0
    for one, other in zip(some, others, strict=False):
        if one is not other:
            break
        count += 1
    return count


def _labels_between(before: Units, first: int, last: int, count: int) -> list[int] | None:
    """Return labels between those of two old units, None if there is no room."""
    low = before.units[first - 1].label if first else -_GAP * (count + 1)
    high = before.units[len(before.units) - last].label if last else low + _GAP * (count + 1)
    step = (high - low) // (count + 1)
    return [low + step * (i + 1) for i in range(count)] if step else None
