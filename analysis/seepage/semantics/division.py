"""How the statements of a file are divided into runs, at the cost of what changed since the version before.

Blocks of two versions share what a change leaves alone (:mod:`seepage.syntax.strip`), and the runs there stay; what stands between is divided
anew, with the units that are still there, which are found from both ends.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from itertools import compress, count
from operator import is_, not_

from seepage.data_classes import dataclass
from seepage.semantics import runs as sizing
from seepage.semantics.facts import facts_of
from seepage.semantics.runs import Part, Run, Runs, Stretch, shape_of, size_of, summary
from seepage.semantics.unit import GAP, Entry, Key, Unit, entries_of, key_of, new_units
from seepage.syntax.strip import Strip
from seepage.syntax.tree import For, If, Item, Module, Placed, While, blocks_of


@dataclass(frozen=True, slots=True)
class Divided:
    """The units of a file, and its runs; ``changes``: since the version before, new units and those that they replace."""

    tree: Module
    units: Sequence[Unit]
    runs: Runs
    changes: Sequence[tuple[Sequence[Unit], Sequence[Unit]]] = ()


def divided(tree: Module) -> Divided:
    """Divide a file."""
    return _redivided(tree, new_units(entries_of(tree.items)))


def divided_after(tree: Module, before: Divided) -> Divided | None:
    """Divide the next version of a file; None if there is no room for the labels of new units."""
    division = _Division(before.units, before.runs)
    try:
        division.block(tree.items, before.tree.items)
    except _NoRoom:
        return None
    runs = division.runs()
    if len(runs.stretches) > 2 * len(division.units) // sizing.MOST + 2 * len(runs.loose) + 64:  # worn by many changes
        runs = _redivided(tree, division.units).runs
    return Divided(tree, division.units, runs, division.changes)


def _redivided(tree: Module, units: list[Unit]) -> Divided:
    division = _Division((), Runs())
    division.units = units
    division.divide_block(tree.items, 0, {})
    return Divided(tree, units, division.runs())


class _NoRoom(Exception):
    """No labels are left between two units."""


@dataclass(slots=True)
class _Division:
    """One walk over a file and, as far as it has them, the units of the version before."""

    old_units: Sequence[Unit]
    old: Runs
    units: list[Unit] = field(default_factory=list)
    passed: int = 0  # units of the version before
    blocks: dict[int, Sequence[Part]] = field(default_factory=dict)
    stretches: list[Stretch] = field(default_factory=list)
    loose: dict[int, Entry] = field(default_factory=dict)
    changes: list[tuple[Sequence[Unit], Sequence[Unit]]] = field(default_factory=list)

    def runs(self) -> Runs:
        """Return the runs that were found."""
        return Runs(self.blocks, self.stretches, self.loose)

    def stretch(self, run: Run, items: Sequence[Item], begin: int, first: int, parts: list[Part]) -> None:
        """Add a run."""
        stretch = Stretch(run, items, begin, first)
        self.stretches.append(stretch)
        parts.append(stretch)

    # --- what stays ---------------------------------------------------------------------------------------------------

    def block(self, items: Sequence[Item], old: Sequence[Item]) -> None:
        """Divide a block that stood there before, its items between those of the version before and those behind being new."""
        before = self.old.blocks.get(id(old), ())
        shared = items.shared(old) if isinstance(items, Strip) and isinstance(old, Strip) else (0, 0)
        head, begin = _within(before, shared[0])
        tail, length = _within(before[: head - 1 if head else None : -1], shared[1])
        end, last = len(items) - length, len(before) - tail
        parts: list[Part] = []
        self.keep(before[:head], items, 0, parts)
        self.change(items, begin, end, before[head:last], parts)
        self.keep(before[last:], items, end, parts)
        if parts:
            self.blocks[id(items)] = parts

    def keep(self, kept: Sequence[Part], items: Sequence[Item], begin: int, parts: list[Part]) -> None:
        """Add parts of the version before, which are the items from ``begin`` on."""
        for part in kept:
            if isinstance(part, Stretch):
                run = part.run
                self.stretch(run, items, begin, len(self.units), parts)
                self.units += run.units
                self.passed += len(run.units)
                begin += run.count
            else:
                self.inside(items[begin], part, parts)
                begin += 1

    def inside(self, item: Item, old: Item, parts: list[Part]) -> None:
        """Add an item that is too large for a run, and had the same headers."""
        parts.append(item)
        match item, old:
            case For(), For():
                self.header(item)
                self.block(item.block.items, old.block.items)
            case If(), If():
                for arm, old_arm in zip(item.arms, old.arms, strict=True):
                    self.header(arm)
                    self.block(arm.block.items, old_arm.block.items)
                if item.otherwise is not None and old.otherwise is not None:
                    self.block(item.otherwise.items, old.otherwise.items)
            case While(), While():
                self.header(item.arm)
                for block, old_block in zip(blocks_of(item), blocks_of(old), strict=True):
                    self.block(block.items, old_block.items)
            case _:
                raise AssertionError("only branches and loops are too large for a run")

    def header(self, entry: Entry) -> None:
        """Add a header that was there before."""
        self.loose[len(self.units)] = entry
        self.units.append(self.old_units[self.passed])
        self.passed += 1

    # --- what changed -------------------------------------------------------------------------------------------------

    def change(self, items: Sequence[Item], begin: int, end: int, old: Sequence[Part], parts: list[Part]) -> None:
        """Divide the items ``[begin, end)``, which stand for some parts of the version before."""
        if begin == end and not old:
            return
        if len(old) == 1 and end - begin == 1 and _are_alike(items[begin], old[0]):
            assert not isinstance(old[0], Stretch)
            self.inside(items[begin], old[0], parts)
            return
        starts: dict[Unit, Run] = {}
        passed = self.passed + sum(self.units_in(part, starts) for part in old)
        replaced = self.old_units[self.passed : passed]
        first = len(self.units)
        self.units += self.matched(entries_of(items[begin:end]), replaced, passed)
        self.passed = passed
        self.divide(items, begin, end, first, starts, parts)

    def units_in(self, part: Part, starts: dict[Unit, Run]) -> int:
        """Return how many units a part had, and note with which of them its runs start."""
        if isinstance(part, Stretch):
            starts[part.run.units[0]] = part.run
            return len(part.run.units)
        match part:
            case Placed():
                return 1
            case _:
                headers = len(part.arms) if isinstance(part, If) else 1
                inside = (one for block in blocks_of(part) for one in self.old.parts(block.items))
                return headers + sum(self.units_in(one, starts) for one in inside)

    def matched(self, entries: Sequence[Entry], replaced: Sequence[Unit], passed: int) -> list[Unit]:
        """Return old units for the entries at both ends that are as they were, and new ones between."""
        keys, old_keys = [key_of(entry) for entry in entries], [unit.key for unit in replaced]
        first = _count_same(keys, old_keys)
        most = min(len(keys), len(old_keys)) - first
        last = min(most, _count_same(keys[::-1], old_keys[::-1])) if most else 0
        gone, made = replaced[first : len(replaced) - last], range(first, len(keys) - last)
        if len(gone) == len(made):
            labels: Sequence[int] = [unit.label for unit in gone]
        else:
            before = replaced[first - 1] if first else self.units[-1] if self.units else None
            behind = passed - last
            labels = _labels(before, self.old_units[behind] if behind < len(self.old_units) else None, len(made))
        new = [Unit(keys[i], label, facts_of(entries[i])) for i, label in zip(made, labels, strict=True)]
        self.changes.append((new, gone))
        return [*replaced[:first], *new, *replaced[len(replaced) - last :]]

    def divide(
        self, items: Sequence[Item], begin: int, end: int, first: int, starts: Mapping[Unit, Run], parts: list[Part]
    ) -> int:
        """Divide the items ``[begin, end)`` from the unit ``first`` on; return the number of the unit after them."""
        while begin < end:
            run = self.again(items, begin, end, first, starts) or self.made(items, begin, end, first, starts)
            if run is None:
                parts.append(items[begin])
                first = self.divide_inside(items[begin], first, starts)
                begin += 1
            else:
                self.stretch(run, items, begin, first, parts)
                first += len(run.units)
                begin += run.count
        return first

    def again(self, items: Sequence[Item], begin: int, end: int, first: int, starts: Mapping[Unit, Run]) -> Run | None:
        """Return the run of the version before that stands here."""
        run = starts.get(self.units[first])
        if run is None or run.units != tuple(self.units[first : first + len(run.units)]) or begin + run.count > end:
            return None
        inside = items[begin : begin + run.count]
        return run if shape_of(inside) == run.shape else None

    def made(self, items: Sequence[Item], begin: int, end: int, first: int, starts: Mapping[Unit, Run]) -> Run | None:
        """Return a new run, up to the next old one; None if the first item is too large for any."""
        size, stop = 0, begin
        while stop < end and size < sizing.MOST and (stop == begin or self.units[first + size] not in starts):
            added = size_of(items[stop])
            if size + added > sizing.MOST:
                break
            size += added
            stop += 1
        if stop == begin:
            return None
        inside = items[begin:stop]
        units = tuple(self.units[first : first + size])
        return Run(units, shape_of(inside), len(inside), summary(inside, units))

    def divide_inside(self, item: Item, first: int, starts: Mapping[Unit, Run]) -> int:
        """Divide the blocks of an item that is too large for a run."""
        match item:
            case For(block=block):
                self.loose[first] = item
                return self.divide_block(block.items, first + 1, starts)
            case If(arms=arms, otherwise=otherwise):
                for arm in arms:
                    self.loose[first] = arm
                    first = self.divide_block(arm.block.items, first + 1, starts)
                return first if otherwise is None else self.divide_block(otherwise.items, first, starts)
            case While(arm=arm):
                self.loose[first] = arm
                first += 1
                for block in blocks_of(item):
                    first = self.divide_block(block.items, first, starts)
                return first
            case Placed():
                raise AssertionError("a leaf fits into any run")

    def divide_block(self, items: Sequence[Item], first: int, starts: Mapping[Unit, Run]) -> int:
        """Divide a block."""
        parts: list[Part] = []
        first = self.divide(items, 0, len(items), first, starts, parts)
        if parts:
            self.blocks[id(items)] = parts
        return first


def _within(parts: Iterator[Part] | Sequence[Part], most: int) -> tuple[int, int]:
    """Return how many parts the first ``most`` items hold whole, and how many items these are."""
    items = 0
    number = 0
    for part in parts:
        size = part.run.count if isinstance(part, Stretch) else 1
        if items + size > most:
            break
        items, number = items + size, number + 1
    return number, items


def _are_alike(item: Item, old: Part) -> bool:
    """Tell whether an item and one of the version before have the same headers, and differ inside of their blocks at most."""
    match item, old:
        case For(), For():
            return item.low is old.low and item.high is old.high and item.name == old.name
        case If(), If():
            same = len(item.arms) == len(old.arms) and (item.otherwise is None) == (old.otherwise is None)
            return same and all(map(is_, map(key_of, item.arms), map(key_of, old.arms)))
        case While(), While():
            return item.arm.condition is old.arm.condition and (item.never is None) == (old.never is None)
        case _:
            return False


def _count_same(some: Sequence[Key], others: Sequence[Key]) -> int:
    same = map(is_, some, others)
    return next(compress(count(), map(not_, same)), min(len(some), len(others)))


def _labels(before: Unit | None, behind: Unit | None, number: int) -> list[int]:
    """Return labels between those of two units.

    Raises:
        _NoRoom: if there are none.
    """
    room = GAP * (number + 1)
    if behind is not None:
        high = behind.label
        low = high - room if before is None else before.label
    else:
        low = 0 if before is None else before.label
        high = low + room
    step = (high - low) // (number + 1)
    if not step:
        raise _NoRoom
    return [low + step * (i + 1) for i in range(number)]
