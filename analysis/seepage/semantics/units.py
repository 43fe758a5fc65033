"""What is known of each statement, kept from one version of a text to the next.

A *unit* is a leaf, the header of a loop or an arm of a branch. Its tree is the one of its piece, with relative positions, and an edit
elsewhere leaves it the same object: so its facts (names, calls) and what the walk along the flow made of it need no second look. Units
that an edit leaves alone are found again from both ends of the file.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence, Set
from dataclasses import field
from operator import attrgetter

from seepage.data_classes import dataclass
from seepage.semantics.division import Divided, divided, divided_after
from seepage.semantics.runs import Part, Runs, Stretch
from seepage.semantics.unit import Entry, Unit, entries_of
from seepage.source import Span
from seepage.syntax.tree import Arm, For, Item, Module, Placed, blocks_of


@dataclass(frozen=True, slots=True)
class Written:
    """What statements assign.

    Attributes:
        labels: by name, in the order of first assignments, the labels of the units that assign it.
        arrays: the names whose first assignment is that of an element.
        elements: the names of which some statement assigns an element.
        names: the names that are assigned.
        clashes: for each name that is assigned both as a number and as an array, the label of the first unit that differs from the very
            first.
    """

    labels: dict[str, list[int]]
    arrays: frozenset[str]
    elements: frozenset[str]
    names: frozenset[str]
    clashes: dict[str, int]


@dataclass(slots=True, eq=False)
class Units:
    """The units of a file in the order of the text, and where they stand.

    Of a large file a key press looks at few statements; which leaf, arm or loop a unit is of is found where it is asked for.

    Attributes:
        divided: the units, and the runs of them.
        written: what statements assign.
        remembered: what passes keep with the file (:mod:`seepage.semantics.memo`), for its next version, too.
    """

    divided: Divided
    written: Written
    remembered: dict[object, object] = field(default_factory=dict, repr=False)
    at: dict[int, Unit] = field(
        default_factory=dict, repr=False
    )  # by the identity of entries, as far as they are known
    _entries: dict[int, Sequence[Entry]] = field(
        default_factory=dict, repr=False
    )  # by the number of the first; all under -1

    @property
    def units(self) -> Sequence[Unit]:
        """All units."""
        return self.divided.units

    @property
    def runs(self) -> Runs:
        """How they are divided."""
        return self.divided.runs

    @property
    def entries(self) -> Sequence[Entry]:
        """All leaves, arms and loops."""
        if -1 not in self._entries:
            entries = entries_of(self.divided.tree.items)
            self.at.update(zip(map(id, entries), self.units, strict=True))
            self._entries[-1] = entries
        return self._entries[-1]

    def of(self, entry: Entry) -> Unit:
        """Return the unit of a leaf, an arm or a loop of this very tree."""
        if id(entry) not in self.at:
            assert self.entries  # which finds all
        return self.at[id(entry)]

    def inside(self, stretch: Stretch) -> Sequence[Entry]:
        """Return the leaves, arms and loops of a run."""
        first = stretch.first
        if first not in self._entries:
            entries = entries_of(stretch.items)
            self.at.update(zip(map(id, entries), stretch.run.units, strict=True))
            self._entries[first] = entries
        return self._entries[first]

    def items(self, stretch: Stretch) -> Sequence[Item]:
        """Return the items of a run, so that their units can be asked for."""
        self.inside(stretch)
        return stretch.items

    def declarations(self) -> list[Placed]:
        """Return the declarations of the file, in the order of the text."""
        return [
            entry
            for stretch in self.runs.stretches
            for number in stretch.run.says.declarations
            if isinstance(entry := self.inside(stretch)[number], Placed)
        ]

    def parts(self, items: Sequence[Item]) -> Sequence[Part]:
        """Return the items of a block as runs where they are divided into such."""
        return self.runs.parts(items)

    def assigning(self, items: Sequence[Item], names: Set[str]) -> Iterator[Placed]:
        """Yield the statements among items, and in their blocks, that assign one of some names."""
        for part in self.parts(items):
            match part:
                case Stretch(run=run):
                    if not names.isdisjoint(run.says.targets):
                        units = zip(self.inside(part), run.units, strict=True)
                        yield from (one for one, unit in units if type(one) is Placed and unit.facts.target in names)
                case Placed():
                    if self.of(part).facts.target in names:
                        yield part
                case _:
                    for block in blocks_of(part):
                        yield from self.assigning(block.items, names)

    def loop_names(self) -> frozenset[str]:
        """Return the names of all variables of loops."""
        inside = frozenset[str]().union(*(stretch.run.says.loops for stretch in self.runs.stretches))
        return inside.union(entry.name for entry in self.runs.loose.values() if isinstance(entry, For))

    def loops(self, around: Set[str] | None = None) -> list[For]:
        """Return all loops, or at least those that hold an assignment of one of some names."""
        runs = [
            stretch
            for stretch in self.runs.stretches
            if stretch.run.says.loops and (around is None or not around.isdisjoint(stretch.run.says.targets))
        ]
        entries = [*(entry for stretch in runs for entry in self.inside(stretch)), *self.runs.loose.values()]
        return [entry for entry in entries if isinstance(entry, For)]

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
        number = bisect_left(self.units, label, key=_label)
        if number in self.runs.loose:
            return self.runs.loose[number]
        stretches = self.runs.stretches
        stretch = stretches[bisect_right(stretches, number, key=_first) - 1]
        return self.inside(stretch)[number - stretch.first]

    def place(self, label: int) -> Span:
        """Return where the unit with a label stands."""
        entry = self.entry(label)
        return entry.header if isinstance(entry, Arm) else entry.span


_label = attrgetter("label")
_first = attrgetter("first")


def units_of(tree: Module, before: Units | None = None) -> Units:
    """Return the units of a tree; those of the version before that are still there are the same objects."""
    after = None if before is None else divided_after(tree, before.divided)
    if before is None or after is None:
        after = divided(tree)
        return _known(Units(after, _written(after.units)))
    same = all(_writes(new) == _writes(gone) for new, gone in after.changes)
    return _known(Units(after, before.written if same else _written(after.units), dict(before.remembered)))


def _known(units: Units) -> Units:
    """Return units with those of headers outside of runs found, as no run finds them."""
    units.at.update((id(entry), units.units[number]) for number, entry in units.runs.loose.items())
    return units


def _writes(units: Sequence[Unit]) -> list[tuple[int, str, bool]]:
    return [(one.label, one.facts.target, one.facts.is_element) for one in units if one.facts.target is not None]


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
    return Written(labels, frozenset(arrays), frozenset(elements), frozenset(labels), clashes)
