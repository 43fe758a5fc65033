"""Runs: some thirty neighbours of a block that are passed over as one where nothing that they look at has changed.

A key press changes one statement, and what the passes of the check make of a statement is a function of the names that it mentions. So each pass
asks a *summary* of many statements first, and remembers what it made of a whole run. Like a unit, a run holds no positions, and is the same
object from one version of the text to the next; a :class:`Stretch` says where one stands.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from itertools import chain
from typing import TypeAlias

from seepage.data_classes import dataclass
from seepage.semantics.facts import Facts
from seepage.semantics.unit import Entry, Unit
from seepage.syntax.tree import Expression, For, If, Item, Name, Number, Observe, Placed, While, blocks_of

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
        endless: whether some of its loops end by chance.
        bounds: the names that are bounds of its loops.
        is_sound: whether nothing is wrong with them as long as the names are what they are read as; a declaration is not judged here.
        declarations: the numbers of its declarations, from its first unit.
        formulas: the numbers of its units with formulas.
        observed: the names that its observations read, None without observations.
        foreign: the names that have letters beyond ASCII.
    """

    mentioned: tuple[str, ...]
    reads: frozenset[str]
    targets: frozenset[str]
    plain: frozenset[str]
    indexed: frozenset[str]
    loops: frozenset[str]
    endless: bool
    bounds: frozenset[str]
    is_sound: bool
    declarations: tuple[int, ...]
    formulas: tuple[int, ...]
    observed: frozenset[str] | None
    foreign: frozenset[str]


@dataclass(slots=True, eq=False)
class Run:
    """Neighbours in a block: a cache of functions of what they read.

    Attributes:
        units: all units in it, those of inner blocks included.
        shape: how the inner blocks lie around the units; empty where there are none.
        count: how many items it has.
        says: what the units say together.
        remembered: what passes keep with it (:mod:`seepage.semantics.memo`).
    """

    units: tuple[Unit, ...]
    shape: str
    count: int
    says: Summary
    remembered: dict[object, object] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True)
class Stretch:
    """A run at its place: it stands for some items of a block from number ``begin`` on; ``first`` is the number of its first unit in the file."""

    run: Run
    block: Sequence[Item]
    begin: int
    first: int

    @property
    def items(self) -> Sequence[Item]:
        """Its items."""
        return self.block[self.begin : self.begin + self.run.count]

    @property
    def start(self) -> int:
        """Where its first item starts."""
        return self.block[self.begin].span.start

    @property
    def end(self) -> int:
        """Where its last item ends."""
        return self.block[self.begin + self.run.count - 1].span.end

    def starts(self) -> tuple[int, ...]:
        """Return where each of its units starts, from its own start: what it says has places of its own only where these are the same."""
        begin = self.start
        found: list[int] = []
        _starts(self.items, begin, found)
        return tuple(found)


Part: TypeAlias = Stretch | Item


@dataclass(frozen=True, slots=True)
class Runs:
    """How the blocks of a file are divided (:mod:`seepage.semantics.division`).

    Attributes:
        blocks: the parts of each block that is, by the identity of its items; other blocks are small, or empty.
        stretches: all runs, in the order of the text.
        loose: by the number of their unit, the headers of items that are too large for a run.
    """

    blocks: Mapping[int, Sequence[Part]] = field(default_factory=dict)
    stretches: Sequence[Stretch] = ()
    loose: Mapping[int, Entry] = field(default_factory=dict)

    def parts(self, items: Sequence[Item]) -> Sequence[Part]:
        """Return the parts of the items of a block."""
        return self.blocks.get(id(items), items)


def size_of(item: Item) -> int:
    """Return how many units an item has, if that is not more than fit into a run."""
    match item:
        case Placed():
            return 1
        case For(block=block):
            return 1 + _size_of(block.items)
        case If(arms=arms, otherwise=otherwise):
            inside = sum(_size_of(arm.block.items) for arm in arms[: MOST + 1])
            return len(arms) + inside + (0 if otherwise is None else _size_of(otherwise.items))
        case While():
            return 1 + sum(_size_of(block.items) for block in blocks_of(item))


def _size_of(items: Sequence[Item]) -> int:
    return len(items) if len(items) > MOST else sum(map(size_of, items))


def shape_of(items: Sequence[Item]) -> str:
    """Return how blocks lie around the units of items; nothing where there are none."""
    return "" if all(type(item) is Placed for item in items) else _shape(items)


def _shape(items: Sequence[Item]) -> str:
    """Return how blocks lie around units: one letter a unit, and brackets."""
    letters: list[str] = []
    for item in items:
        if type(item) is Placed:
            letters.append("p")
        elif type(item) is For:
            letters.append(f"f{_shape(item.block.items)})")
        elif isinstance(item, If):
            for arm in item.arms:
                letters.append(f"a{_shape(arm.block.items)})")
            letters.append(";" if item.otherwise is None else f"{_shape(item.otherwise.items)};")
        elif type(item) is While:
            letters.append(f"w{_shape(item.arm.block.items)})")
            letters.append(";" if item.never is None else f"{_shape(item.never.items)};")
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
            case While(arm=arm):
                found.append(arm.start - begin)
                for block in blocks_of(item):
                    _starts(block.items, begin, found)


def summary(items: Sequence[Item], units: Sequence[Unit]) -> Summary:
    """Return what the units of some items say together."""
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
        scopes.endless,
        frozenset(scopes.bounds),
        scopes.is_sound,
        tuple(number for number, one in enumerate(facts) if one.is_declaration),
        tuple(number for number, one in enumerate(facts) if one.formulas),
        frozenset(scopes.observed) if scopes.observes else None,
        frozenset(name for name in chain(reads, targets, scopes.loops) if not name.isascii()),
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
    endless: bool = False
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
                case While():
                    self.endless = True
                    self.unit(scope)
                    for block in blocks_of(item):
                        self.block(block.items, scope)

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
