"""Runs: some thirty neighbours of a block that are passed over as one where nothing that they look at has changed.

A key press changes one statement, and what the passes of the check make of a statement is a function of the names that it mentions. So each pass
asks a *summary* of many statements first, and remembers what it made of a whole run. Like a unit, a run holds no positions, and is the same
object from one version of the text to the next; a :class:`Stretch` says where one stands.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, TypeAlias

from seepage.semantics.facts import Facts
from seepage.syntax.tree import Expression, For, If, Item, Module, Name, Number, Observe, Placed

if TYPE_CHECKING:
    from seepage.semantics.effects import Liveness
    from seepage.semantics.influence import Influence
    from seepage.semantics.units import Unit
    from seepage.semantics.visits import RunVisit

MOST = 32  # units of a run


@dataclass(frozen=True, slots=True)
class Summary:
    """What the units of a run say together.

    Attributes:
        mentioned: the names that they read or assign, each once.
        reads: the names that they read.
        targets: the names that they assign.
        plain: the names that are read as numbers, without the variables of loops in the run where those are in scope.
        indexed: the names that are read as arrays.
        loops: the variables of its loops.
        bounds: the names that are bounds of its loops.
        is_sound: whether nothing is wrong with them as long as the names are what they are read as; a declaration is not judged here.
        declarations: the numbers of its declarations, from its first unit.
        formulas: the numbers of its units with formulas.
        observed: the names that its observations read, None without observations.
    """

    mentioned: tuple[str, ...]
    reads: frozenset[str]
    targets: frozenset[str]
    plain: frozenset[str]
    indexed: frozenset[str]
    loops: frozenset[str]
    bounds: frozenset[str]
    is_sound: bool
    declarations: tuple[int, ...]
    formulas: tuple[int, ...]
    observed: frozenset[str] | None


@dataclass(slots=True, eq=False)
class Run:
    """Neighbours in a block: a cache of functions of what they read.

    Attributes:
        units: all units in it, those of inner blocks included.
        shape: how the inner blocks lie around the units; empty where there are none.
        count: how many items it has.
        says: what the units say together.
        visits: the latest visits of the walk along the flow.
        liveness: the latest visit of the walk against the flow.
        influence: what its assignments depend on, if it was asked for.
    """

    units: tuple[Unit, ...]
    shape: str
    count: int
    says: Summary
    visits: tuple[RunVisit, ...] = ()
    liveness: Liveness | None = None
    influence: Influence | None = None


@dataclass(frozen=True, slots=True)
class Stretch:
    """A run at its place: its items, and the number of its first unit in the file."""

    run: Run
    items: Sequence[Item]
    first: int

    @property
    def start(self) -> int:
        """Where its first item starts."""
        return self.items[0].span.start

    def starts(self) -> tuple[int, ...]:
        """Return where each of its units starts, from its own start: what it says has places of its own only where these are the same."""
        begin = self.start
        found: list[int] = []
        _starts(self.items, begin, found)
        return tuple(found)


Part: TypeAlias = Stretch | Item


@dataclass(frozen=True, slots=True)
class Runs:
    """How the blocks of a file are divided.

    Attributes:
        blocks: the parts of each block that is, by the identity of its items; other blocks are small, or empty.
        stretches: all runs, in the order of the text.
        loose: the numbers of the units that are in no run: the headers of items that are too large for one.
    """

    blocks: Mapping[int, Sequence[Part]] = field(default_factory=dict)
    stretches: Sequence[Stretch] = ()
    loose: Sequence[int] = ()

    def parts(self, items: Sequence[Item]) -> Sequence[Part]:
        """Return the parts of the items of a block."""
        return self.blocks.get(id(items), items)


def runs_of(tree: Module, units: Sequence[Unit], before: Runs | None) -> Runs:
    """Divide a file into runs; those of the version before of which all units are still there are the same objects."""
    starts = {} if before is None else {stretch.run.units[0]: stretch.run for stretch in before.stretches}
    found = _divided(tree, units, starts)
    worn = len(found.stretches) > 2 * len(units) // MOST + 2 * len(found.loose) + 64  # by many changes
    return _divided(tree, units, {}) if worn and before is not None else found


def _divided(tree: Module, units: Sequence[Unit], starts: Mapping[Unit, Run]) -> Runs:
    division = _Division(units, starts)
    division.block(tree.items, 0)
    return Runs(division.blocks, division.stretches, division.loose)


@dataclass(slots=True)
class _Division:
    units: Sequence[Unit]
    starts: Mapping[Unit, Run]
    blocks: dict[int, Sequence[Part]] = field(default_factory=dict)
    stretches: list[Stretch] = field(default_factory=list)
    loose: list[int] = field(default_factory=list)

    def block(self, items: Sequence[Item], first: int) -> int:
        """Divide the items of a block whose first unit has the number ``first``; return the number of the unit after it."""
        if not items:
            return first
        parts: list[Part] = []
        begin = 0
        while begin < len(items):
            stretch = self.again(items, begin, first) or self.made(items, begin, first)
            if stretch is None:
                parts.append(items[begin])
                first = self.inside(items[begin], first)
                begin += 1
            else:
                parts.append(stretch)
                self.stretches.append(stretch)
                first += len(stretch.run.units)
                begin += stretch.run.count
        self.blocks[id(items)] = parts
        return first

    def again(self, items: Sequence[Item], begin: int, first: int) -> Stretch | None:
        """Return the run of the version before that stands here."""
        run = self.starts.get(self.units[first])
        if run is None or run.units != tuple(self.units[first : first + len(run.units)]):
            return None
        inside = items[begin : begin + run.count]
        if len(inside) != run.count or (run.shape and run.shape != _shape(inside)):
            return None
        return Stretch(run, inside, first)

    def made(self, items: Sequence[Item], begin: int, first: int) -> Stretch | None:
        """Return a new run, up to the next old one; None if the first item is too large for any."""
        size, end = 0, begin
        while end < len(items) and size < MOST and (end == begin or self.units[first + size] not in self.starts):
            added = _size(items[end])
            if size + added > MOST:
                break
            size += added
            end += 1
        if end == begin:
            return None
        inside = items[begin:end]
        shape = "" if all(type(item) is Placed for item in inside) else _shape(inside)
        units = tuple(self.units[first : first + size])
        return Stretch(Run(units, shape, len(inside), _summary(inside, units)), inside, first)

    def inside(self, item: Item, first: int) -> int:
        """Divide the blocks of an item that is too large for a run."""
        match item:
            case For(block=block):
                self.loose.append(first)
                return self.block(block.items, first + 1)
            case If(arms=arms, otherwise=otherwise):
                for arm in arms:
                    self.loose.append(first)
                    first = self.block(arm.block.items, first + 1)
                return first if otherwise is None else self.block(otherwise.items, first)
            case Placed():
                raise AssertionError("a leaf fits into any run")


def _size(item: Item) -> int:
    """Return how many units an item has, if that is not more than fit into a run."""
    match item:
        case Placed():
            return 1
        case For(block=block):
            return 1 + _size_of(block.items)
        case If(arms=arms, otherwise=otherwise):
            inside = sum(_size_of(arm.block.items) for arm in arms[: MOST + 1])
            return len(arms) + inside + (0 if otherwise is None else _size_of(otherwise.items))


def _size_of(items: Sequence[Item]) -> int:
    return len(items) if len(items) > MOST else sum(map(_size, items))


def _shape(items: Sequence[Item]) -> str:
    """Return how blocks lie around units: one letter a unit, and brackets."""
    letters: list[str] = []
    for item in items:
        if type(item) is Placed:
            letters.append("p")
        elif type(item) is For:
            letters.append(f"f{_shape(item.block.items)})")
        elif type(item) is If:
            for arm in item.arms:
                letters.append(f"a{_shape(arm.block.items)})")
            letters.append(";" if item.otherwise is None else f"{_shape(item.otherwise.items)};")
    return "".join(letters)


def _starts(items: Sequence[Item], begin: int, found: list[int]) -> None:
    for item in items:
        match item:
            case Placed(start=start):
                found.append(start - begin)
            case For(start=start, block=block):
                found.append(start - begin)
                _starts(block.items, begin, found)
            case If(arms=arms, otherwise=otherwise):
                for arm in arms:
                    found.append(arm.start - begin)
                    _starts(arm.block.items, begin, found)
                if otherwise is not None:
                    _starts(otherwise.items, begin, found)


def _summary(items: Sequence[Item], units: Sequence[Unit]) -> Summary:
    facts = [unit.facts for unit in units]
    scopes = _Scopes(iter(facts))
    scopes.block(items, frozenset())
    reads = dict.fromkeys(chain.from_iterable(one.reads for one in facts))
    targets = [one.target for one in facts if one.target is not None]
    return Summary(
        tuple(dict.fromkeys(chain(reads, targets))),
        frozenset(reads),
        frozenset(targets),
        frozenset(scopes.plain),
        frozenset().union(*(one.indexed for one in facts)),
        frozenset(scopes.loops),
        frozenset(scopes.bounds),
        scopes.is_sound,
        tuple(number for number, one in enumerate(facts) if one.is_declaration),
        tuple(number for number, one in enumerate(facts) if one.formulas),
        frozenset(scopes.observed) if scopes.observes else None,
    )


@dataclass(slots=True)
class _Scopes:
    """The names of a run as far as they depend on the loops in it."""

    facts: Iterator[Facts]
    plain: set[str] = field(default_factory=set)
    loops: set[str] = field(default_factory=set)
    bounds: set[str] = field(default_factory=set)
    observed: set[str] = field(default_factory=set)
    observes: bool = False
    is_sound: bool = True

    def block(self, items: Sequence[Item], scope: frozenset[str]) -> None:
        """Visit items in the order of the text, with the variables of the loops around."""
        for item in items:
            match item:
                case Placed(node=node):
                    facts = self.unit(scope)
                    if isinstance(node, Observe):
                        self.observes = True
                        self.observed.update(facts.reads)
                case For(name=name, low=low, high=high, block=block):
                    self.unit(scope)
                    self.bound(low)
                    self.bound(high)
                    self.is_sound = self.is_sound and name not in scope
                    self.loops.add(name)
                    self.block(block.items, scope | {name})
                case If(arms=arms, otherwise=otherwise):
                    for arm in arms:
                        self.unit(scope)
                        self.block(arm.block.items, scope)
                    if otherwise is not None:
                        self.block(otherwise.items, scope)

    def unit(self, scope: frozenset[str]) -> Facts:
        """Add the next unit."""
        facts = next(self.facts)
        self.is_sound = self.is_sound and (facts.is_sound or facts.is_declaration)
        self.plain.update(facts.plain - scope if scope else facts.plain)
        return facts

    def bound(self, bound: Expression) -> None:
        """Add a bound: a whole number, or a name that has to be one."""
        match bound:
            case Number(value=value) if value.denominator == 1:
                pass
            case Name(id=name):
                self.bounds.add(name)
            case _:
                self.is_sound = False
