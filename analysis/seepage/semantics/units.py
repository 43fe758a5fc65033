"""What is known of each statement, kept from one version of a text to the next.

A *unit* is a leaf, the header of a loop or an arm of a branch. Its tree is the one of its piece, with relative positions, and an edit
elsewhere leaves it the same object: so its facts (names, calls) and what the walk along the flow made of it need no second look. Units
that an edit leaves alone are found again from both ends of the file.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import compress, count
from operator import is_, not_
from typing import TYPE_CHECKING, TypeAlias

from seepage.semantics.facts import Facts, facts_of
from seepage.semantics.runs import Part, Runs, runs_of
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


@dataclass(frozen=True, slots=True)
class Written:
    """What statements assign.

    Attributes:
        labels: by name, in the order of first assignments, the labels of the units that assign it.
        arrays: the names whose first assignment is that of an element.
        elements: the names of which some statement assigns an element.
        clashes: for each name that is assigned both as a number and as an array, the label of the first unit that differs from the very
            first.
    """

    labels: dict[str, list[int]]
    arrays: frozenset[str]
    elements: frozenset[str]
    clashes: dict[str, int]


@dataclass(frozen=True, slots=True)
class Units:
    """The units of a file in the order of the text, and where they stand.

    ``at`` finds the unit of a leaf, arm or loop by its identity.
    """

    entries: Sequence[Entry]
    units: Sequence[Unit]
    keys: Sequence[Key]
    at: dict[int, Unit] = field(repr=False)
    runs: Runs
    written: Written

    def of(self, entry: Entry) -> Unit:
        """Return the unit of a leaf, an arm or a loop of this very tree."""
        return self.at[id(entry)]

    def declarations(self) -> list[Placed]:
        """Return the declarations of the file, in the order of the text."""
        found: list[Placed] = []
        for stretch in self.runs.stretches:
            for number in stretch.run.says.declarations:
                entry = self.entries[stretch.first + number]
                assert isinstance(entry, Placed)
                found.append(entry)
        return found

    def parts(self, items: Sequence[Item]) -> Sequence[Part]:
        """Return the items of a block as runs where they are divided into such."""
        return self.runs.parts(items)

    def reads(self) -> Iterator[frozenset[str]]:
        """Yield the names that units read, of each run and of each header outside of runs."""
        for stretch in self.runs.stretches:
            yield stretch.run.says.reads
        for number in self.runs.loose:
            yield frozenset(self.units[number].facts.reads)

    def unit(self, label: int) -> Unit:
        """Return the unit with a label."""
        return self.units[bisect_left(self.units, label, key=_label)]

    def entry(self, label: int) -> Entry:
        """Return the leaf, arm or loop that has the unit with a label."""
        return self.entries[bisect_left(self.units, label, key=_label)]

    def place(self, label: int) -> Span:
        """Return where the unit with a label stands."""
        entry = self.entry(label)
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
        written = _written(units)
    else:
        units, written = _matched(entries, keys, before)
    runs = runs_of(tree, units, None if before is None else before.runs)
    return Units(entries, units, keys, dict(zip(map(id, entries), units, strict=True)), runs, written)


def _written(units: Sequence[Unit]) -> Written:
    labels: dict[str, list[int]] = {}
    arrays: set[str] = set()
    elements: set[str] = set()
    clashes: dict[str, int] = {}
    for unit in units:
        name, is_element = unit.facts.target, unit.facts.is_element
        if name is None:
            continue
        if is_element:
            elements.add(name)
        if name not in labels:
            labels[name] = [unit.label]
            if is_element:
                arrays.add(name)
            continue
        labels[name].append(unit.label)
        if is_element != (name in arrays):
            clashes.setdefault(name, unit.label)
    return Written(labels, frozenset(arrays), frozenset(elements), clashes)


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


def _matched(entries: Sequence[Entry], keys: Sequence[Key], before: Units) -> tuple[list[Unit], Written]:
    """Return old units for the entries at both ends that are as they were, and new ones between; and what all of them assign."""
    first = _count_same(keys, before.keys)
    most = min(len(keys), len(before.keys)) - first
    last = min(most, _count_same(keys[::-1], before.keys[::-1])) if most else 0
    made = range(first, len(keys) - last)
    replaced = before.units[first : len(before.units) - last]
    labels = _labels_between(before, first, last, len(made))
    if labels is None:
        units = [Unit(key, _GAP * i, facts_of(entry)) for i, (key, entry) in enumerate(zip(keys, entries, strict=True))]
        return units, _written(units)
    if len(replaced) == len(made):
        labels = [unit.label for unit in replaced]
    new = [Unit(keys[i], label, facts_of(entries[i])) for i, label in zip(made, labels, strict=True)]
    units = [*before.units[:first], *new, *before.units[len(before.units) - last :]]
    return units, before.written if _writes(new) == _writes(replaced) else _written(units)


def _writes(units: Sequence[Unit]) -> list[tuple[int, str, bool]]:
    return [(one.label, one.facts.target, one.facts.is_element) for one in units if one.facts.target is not None]


def _count_same(some: Sequence[Key], others: Sequence[Key]) -> int:
    same = map(is_, some, others)
    return next(compress(count(), map(not_, same)), min(len(some), len(others)))


def _labels_between(before: Units, first: int, last: int, number: int) -> list[int] | None:
    """Return labels between those of two old units, None if there is no room."""
    room = _GAP * (number + 1)
    if last:
        high = before.units[len(before.units) - last].label
        low = before.units[first - 1].label if first else high - room
    else:
        low = before.units[first - 1].label if first else 0
        high = low + room
    step = (high - low) // (number + 1)
    return [low + step * (i + 1) for i in range(number)] if step else None
