"""The top level of a text as groups of statements that are lowered together, with what each of them depends on and adds.

What a group becomes is a function of what it says and of the facts about the names in it. So after a change only groups are lowered that are new,
or name something of which the facts are others now.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field

from seepage.data_classes import dataclass
from seepage.diagnostics import Diagnostic
from seepage.rules import BUDGET_EXCEEDED
from seepage.syntax.fixes import shifted
from seepage.syntax.lowering.facts import Facts, Path
from seepage.syntax.lowering.jumps import Jumps, Readings
from seepage.syntax.lowering.statements import Lowering
from seepage.syntax.raw import Raw, RawCall, RawClause, RawHeader, RawLeaf, RawSymbol, children
from seepage.syntax.tree import Arm, Call, For, If, Index, Item, Name, Placed, While, blocks_of, is_made, start_of

# What may stand in a text whose groups have to do with each other by names only.
_BY_NAME = frozenset(
    {"assign", "sample", "observe", "secret", "output", "show", "require", "const", "param", "enum", "skip"}
    | {"return", "break", "continue", "until", "if", "else if", "else", "for", "while", "repeat", "never", "def"}
)


Writes = tuple[tuple[str, Path], ...]


class _Paths(dict[Path, None]):
    """The paths behind one name; whatever is written is noted, also what was there."""

    __slots__ = ("_name", "_noted")

    def __init__(self, name: str, noted: dict[tuple[str, Path], None], paths: dict[Path, None]) -> None:
        super().__init__(paths)
        self._name, self._noted = name, noted

    def __setitem__(self, path: Path, value: None) -> None:
        self._noted[self._name, path] = None
        super().__setitem__(path, value)


class Shapes(dict[str, dict[Path, None]]):
    """Paths by name that are those of another version until they are written; ``noted`` is what was written since it was emptied."""

    __slots__ = ("_own", "noted")

    def __init__(self, before: dict[str, dict[Path, None]] | None = None) -> None:
        super().__init__(before or {})
        self.noted: dict[tuple[str, Path], None] = {}
        self._own: set[str] = set()

    def setdefault(self, name: str, default: dict[Path, None]) -> dict[Path, None]:
        """Return the paths behind a name to write to."""
        if name not in self._own:
            self._own.add(name)
            self[name] = _Paths(name, self.noted, self.get(name, default))
        return self[name]

    def settle(self) -> Writes:
        """Return what was written since nothing was noted, without the names that no text has: nobody else asks for them."""
        made = {name for name, _ in self.noted if is_made(name)}
        found = tuple(one for one in self.noted if one[0] not in made)
        for name in made:
            self.pop(name, None)
        self._own -= made
        return found

    def put(self, name: str, paths: Iterable[Path]) -> None:
        """Say which paths stand behind a name, if any; nothing is noted."""
        self._own.discard(name)
        found = dict.fromkeys(paths)
        if found:
            self[name] = found
        else:
            self.pop(name, None)


@dataclass(frozen=True, slots=True)
class Group:
    """Statements of the top level that are lowered together, wherever they stand.

    Attributes:
        count: how many items they are.
        size: how many items of the core they become.
        mentions: the names in them, and in the procedures that they name.
        declares: the constants, enumerations and procedures that they declare.
        writes: the paths that they write.
        looked_up: the constant arrays that they read at random indices.
        steps: how many statements were lowered.
        transformed: where pieces start that become something else, from the start of the group.
        found: what is wrong with them, likewise if it is placed.
        is_placed: whether all of that stands in the group itself, whatever else there is; others are lowered again after each change.
        has_symbols: whether a symbol may stand in them.
        has_rounds: whether a loop that ends by chance stands in them.
        is_by_name: whether it has to do with others by names only.
    """

    count: int
    size: int
    mentions: frozenset[str]
    declares: frozenset[str]
    writes: Writes
    looked_up: tuple[str, ...]
    steps: int
    transformed: frozenset[int]
    found: tuple[Diagnostic, ...]
    is_placed: bool
    has_symbols: bool
    has_rounds: bool
    is_by_name: bool


@dataclass(slots=True)
class Grouping:
    """Lowers groups, one after the other or some of them."""

    work: Lowering
    items: Sequence[Item]
    facts: Facts
    known: dict[str, frozenset[str]] = field(default_factory=dict)  # the names in each procedure, of others in it, too

    def trial(self, at: int) -> tuple[int, Writes]:
        """Collect what the group at a place writes; return how many items it has, too."""
        shapes = self._shapes()
        shapes.noted.clear()
        self.work.is_trial = True
        count, _ = self.work.taken(self.items, at, {}, Jumps())
        return count, shapes.settle()

    def lowered(self, at: int, written: Writes) -> tuple[Group, list[Item]]:
        """Lower the group at a place, of which trials found what it writes."""
        work, facts, shapes = self.work, self.facts, self._shapes()
        shapes.noted.clear()
        facts.looked_up.clear()
        work.is_trial, work.found, work.transformed, before = False, {}, set(), work.steps
        count, made = work.taken(self.items, at, {}, Jumps())
        written = tuple(dict.fromkeys((*written, *shapes.settle())))
        own = self.items[at : at + count]
        start, end = start_of(own[0]), own[-1].span.end
        readings = [one for item in own for one in said(item, work.readings)]
        names, has_symbols = _names(readings)
        mentions = names.union(*(self._inside(name) for name in names if name in facts.procedures))
        is_placed = all(
            start <= one.span.start and one.span.end <= end and not one.labels and one.rule is not BUDGET_EXCEEDED
            for one in work.found
        )
        group = Group(
            count,
            len(made),
            mentions,
            declared(readings),
            written,
            tuple(facts.looked_up),
            work.steps - before,
            frozenset(one - start for one in work.transformed),
            tuple(shifted(one, -start) if is_placed else one for one in work.found),
            is_placed,
            has_symbols or not (facts.members | facts.enumerations.keys()).isdisjoint(mentions - declared(readings)),
            any(isinstance(one, While) for one in deep(made)),
            all(map(is_by_name, readings)),
        )
        return group, made

    def _shapes(self) -> Shapes:
        assert isinstance(self.facts.shapes, Shapes)
        return self.facts.shapes

    def _inside(self, name: str) -> frozenset[str]:
        """Return the names in a procedure, and in those that it names."""
        if name in self.known:
            return self.known[name]
        self.known[name] = frozenset()  # of a procedure that names itself
        procedure = self.facts.procedures[name]
        names, _ = _names([one for item in procedure.items for one in said(item, self.work.readings)])
        self.known[name] = names.union(*(self._inside(one) for one in names if one in self.facts.procedures))
        return self.known[name]


def is_by_name(reading: RawLeaf | RawHeader) -> bool:
    """Tell whether a piece has to do with other groups by names only."""
    return reading.keyword in _BY_NAME


def deep(items: Sequence[Item]) -> Iterator[Item]:
    """Yield items and those in their blocks."""
    stack = [*items]
    while stack:
        item = stack.pop()
        yield item
        stack += [one for block in blocks_of(item) for one in block.items]


def said(item: Item, readings: Readings) -> Iterator[RawLeaf | RawHeader]:
    """Yield what the pieces of an item say, those in its blocks included."""
    stack: list[Item | Arm] = [item]
    while stack:
        one = stack.pop()
        match one:
            case If(arms, otherwise):
                stack += arms
                stack += () if otherwise is None else otherwise.items
                continue
            case For(block=block) | Arm(block=block):
                stack += block.items
            case Placed():
                pass
            case While():
                continue  # no text is written so: it is what others become
        reading = readings.get(one.start)
        if reading is not None:
            yield reading


def declared(readings: Sequence[RawLeaf | RawHeader]) -> frozenset[str]:
    """Return the constants, enumerations with their members and procedures that some pieces declare."""
    found = {one.name.value for one in readings if one.keyword in ("const", "enum", "def") and one.name is not None}
    return frozenset(found.union(name.value for one in readings if one.keyword == "enum" for name in one.names))


def _names(readings: Sequence[RawLeaf | RawHeader]) -> tuple[frozenset[str], bool]:
    """Return the names in pieces, and whether symbols stand in them."""
    found: set[str] = set()
    has_symbols = False
    stack: list[Raw] = []
    for reading in readings:
        found.update(one.value for one in (*reading.names, *(() if reading.name is None else (reading.name,))))
        if isinstance(reading, RawLeaf):
            ends = () if reading.interval is None else (reading.interval.low, reading.interval.high)
            parts = (*reading.targets, reading.value, reading.bound, reading.given, *reading.values, *ends)
        else:
            parts = (reading.condition, reading.low, reading.high)
        stack += [one for one in parts if one is not None]
    while stack:
        node = stack.pop()
        match node:
            case Name(id=name) | Index(array=name) | Call(function=name):
                found.add(name)
            case RawCall(name=token) | RawClause(name=token):
                found.add(token.value)
            case RawSymbol():
                has_symbols = True
            case _:
                pass
        stack.extend(children(node))
    return frozenset(found), has_symbols
