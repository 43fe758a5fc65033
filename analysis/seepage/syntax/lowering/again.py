"""The core of a text after a change, from the core before: only groups are lowered that are new, or name something that means something else now."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import field
from itertools import accumulate, chain

from seepage.data_classes import dataclass
from seepage.source import Span
from seepage.syntax.lowering.facts import Facts, Path
from seepage.syntax.lowering.groups import Group, Grouping, Shapes, Writes, declared, said
from seepage.syntax.lowering.jumps import Readings
from seepage.syntax.lowering.statements import Lowering
from seepage.syntax.lowering.writing import LIMIT
from seepage.syntax.raw import RawHeader, RawLeaf
from seepage.syntax.strip import Strip
from seepage.syntax.tree import Item, Module, start_of

TRIALS = 8


@dataclass(frozen=True, slots=True)
class Divided:
    """A text in groups.

    Attributes:
        groups: in the order of the text.
        writers: by how many groups each path is written.
        facts: what the names mean.
        items: the core, constant arrays that are read at random indices first.
        tables: how many items these are.
        fresh: how many names were made that no text has.
        is_settled: whether it was found out what is written: arrays that are copied in a circle grow with each look; and whether groups have to do
            with each other by names only.
        starts: the numbers of the items of the text with which the groups begin, and that behind them.
        places: the same of the core.
    """

    groups: tuple[Group, ...]
    writers: Mapping[tuple[str, Path], int]
    facts: Facts
    items: Strip[Item]
    tables: int
    fresh: int
    is_settled: bool
    starts: Sequence[int] = field(init=False)
    places: Sequence[int] = field(init=False)

    def __post_init__(self) -> None:
        """Add up the groups."""
        object.__setattr__(self, "starts", (0, *accumulate([one.count for one in self.groups])))
        object.__setattr__(self, "places", (*accumulate([one.size for one in self.groups], initial=self.tables),))


@dataclass(frozen=True, slots=True)
class Version:
    """What a text says: its tree as written, what its pieces say, and where those start that say nothing, as something in them is wrong."""

    tree: Module
    readings: Readings
    operators: Mapping[int, Span | None]
    unread: Sequence[int] = ()


def divide(
    now: Version, facts: Facts, tables: Callable[[Facts], list[Item]], move: Callable[[Item, int], Item]
) -> Divided:
    """Lower a whole text, of which constants, enumerations and procedures are known."""
    work = Lowering(facts, now.readings, now.operators, unread=now.unread)
    grouping = Grouping(work, now.tree.items, facts)
    written: dict[int, Writes] = {}
    facts.shapes = Shapes()
    is_settled = False
    for _ in range(TRIALS):
        before, written = written, {}
        at = work.fresh = work.steps = 0
        while at < len(now.tree.items):
            count, written[at] = grouping.trial(at)
            at += count
        shapes = facts.shapes = Shapes()
        for name, paths in _by_name(one for some in written.values() for one in some).items():
            shapes.put(name, paths)
        is_settled = before == written
        if is_settled:
            break
    groups: list[Group] = []
    items: list[Item] = []
    at = work.fresh = work.steps = 0
    while at < len(now.tree.items):
        group, made = grouping.lowered(at, written.get(at, ()))
        groups.append(group)
        items += made
        at += group.count
    writers = Counter(one for group in groups for one in group.writes)
    facts.looked_up = dict.fromkeys(name for group in groups for name in group.looked_up)
    first = tables(facts)
    is_settled = is_settled and all(one.is_by_name for one in groups)
    return Divided(tuple(groups), writers, facts, Strip.of((*first, *items), move), len(first), work.fresh, is_settled)


@dataclass(slots=True)
class _Again:
    """One change: the groups ``[first, last)`` of the version before are replaced by those of the items ``[begin, end)``."""

    old: Divided
    now: Version
    facts: Facts
    first: int
    last: int
    begin: int
    end: int
    shift: int  # by how many items the groups behind stand elsewhere
    fresh: int = 0
    again: list[int] = field(default_factory=list)  # old groups that are lowered again, where they stand

    def at(self, number: int) -> int:
        """Return the number of the item with which an old group begins now."""
        return self.old.starts[number] + (self.shift if number >= self.last else 0)

    def named(self, names: set[str]) -> Iterator[int]:
        """Yield the old groups outside that name one of some names, and are not among those that are lowered again."""
        again = set(self.again)
        for number in _naming(self.old.groups, names):
            if not self.first <= number < self.last and number not in again:
                yield number


def divide_again(
    before: Version,
    old: Divided,
    now: Version,
    declare: Callable[[Sequence[Item], Readings], Facts],
    tables: Callable[[Facts], list[Item]],
    moved: int,
) -> Divided | None:
    """Return what :func:`divide` does, None where only that can tell.

    Args:
        before: the version before.
        old: that one in groups.
        now: this version.
        declare: notes the constants, enumerations and procedures among some items.
        tables: makes the items of constant arrays that are read at random indices.
        moved: how many characters longer the text is than before.
    """
    work = _changed(before, old, now)
    if work is None:
        return None
    new = now.tree.items
    declaring = [number for number, group in enumerate(old.groups) if group.declares and not _in(work, number)]
    of_groups = [new[work.at(number) : work.at(number) + old.groups[number].count] for number in declaring]
    of_groups.insert(bisect_left(declaring, work.first), new[work.begin : work.end])
    work.facts = declare([*chain.from_iterable(of_groups)], now.readings)
    changed = _redeclared(work, before)
    work.again = [number for number, group in enumerate(old.groups) if not group.is_placed and not _in(work, number)]
    work.again += sorted({*work.named(changed), *_beside_unread(work, before, now)} - {*work.again})
    written = _settled(work)
    if written is None:
        return None
    return _spliced(work, written, changed, tables, moved)


def _beside_unread(work: _Again, before: Version, now: Version) -> Iterator[int]:
    """Yield the groups outside before what says nothing, now or before: it may be a part of them."""
    old = work.old
    for start in before.unread:
        item = bisect_right(before.tree.items, start, key=start_of) - 1
        number = bisect_right(old.starts, max(item, 0)) - 1
        if number < len(old.groups) and not _in(work, number):
            yield number
    for start in now.unread:
        item = max(bisect_right(now.tree.items, start, key=start_of) - 1, 0)
        if not work.begin <= item < work.end:
            number = bisect_right(old.starts, item - (work.shift if item >= work.end else 0)) - 1
            if number < len(old.groups) and not _in(work, number):
                yield number


def _by_name(writes: Iterable[tuple[str, Path]]) -> dict[str, dict[Path, None]]:
    found: dict[str, dict[Path, None]] = {}
    for name, path in writes:
        found.setdefault(name, {})[path] = None
    return found


def _in(work: _Again, number: int) -> bool:
    return work.first <= number < work.last


def _changed(before: Version, old: Divided, now: Version) -> _Again | None:
    """Find the groups that a change touches; the one before may take what follows it now."""
    were, are = before.tree.items, now.tree.items
    if not old.is_settled or not isinstance(were, Strip) or not isinstance(are, Strip):
        return None
    head, tail = are.shared(were)
    if head + tail == 0:
        return None
    starts = old.starts
    first = max(bisect_right(starts, head) - 2, 0)
    last = bisect_left(starts, len(were) - tail)
    shift = len(are) - len(were)
    return _Again(old, now, old.facts, first, last, starts[first], starts[last] + shift, shift, old.fresh)


def _redeclared(work: _Again, before: Version) -> set[str]:
    """Return the names that a change gives another meaning."""
    old, new = work.old.facts, work.facts
    changed = {
        name
        for some, others in ((old.constants, new.constants), (old.tables, new.tables))
        for name in {*some, *others}
        if some.get(name) != others.get(name)
    }
    inside = {name for number in range(work.first, work.last) for name in work.old.groups[number].declares}
    for item in work.now.tree.items[work.begin : work.end]:
        inside |= declared([*said(item, work.now.readings)])
    for name in inside:
        if name in old.procedures and name in new.procedures:
            one, other = old.procedures[name], new.procedures[name]
            same = one.arguments == other.arguments and _says(one.items, before) == _says(other.items, work.now)
            changed |= set() if same else {name}
        elif (
            old.enumerations.get(name) != new.enumerations.get(name)
            or (name in old.members) != (name in new.members)
            or (name in old.procedures) != (name in new.procedures)
        ):
            changed.add(name)
    return changed


def _says(items: Sequence[Item], version: Version) -> list[RawLeaf | RawHeader]:
    return [one for item in items for one in said(item, version.readings)]


def _settled(work: _Again) -> dict[int, Writes] | None:
    """Find what the groups that are lowered again write, by the number of their first items; None if that is not found.

    Groups outside of them are lowered again, too, if they name something that has other elements or fields than before.
    """
    while True:
        written = _tried(work)
        if written is None:
            return None
        names = {name for number in _replaced(work) for name, _ in work.old.groups[number].writes}
        names |= {name for writes in written.values() for name, _ in writes}
        before, here = (
            work.old.facts.shapes,
            Counter(one for at in _replaced(work) for one in work.old.groups[at].writes),
        )
        is_elsewhere = {
            name: any(work.old.writers[name, path] > here[name, path] for path in before.get(name, ()))
            for name in names
        }
        shared = {name for name, is_so in is_elsewhere.items() if is_so}
        paths = _by_name(one for one in _all_writes(work, written, shared) if one[0] in names)
        changed = {name for name in names if [*paths.get(name, ())] != [*before.get(name, ())]}
        # What others write only because it was written, too, may be gone with it: they are looked at together.
        changed |= {name for name, _ in _gone(work, written)}
        more = [*work.named(changed)]
        if not more:
            shapes = work.facts.shapes = Shapes(before)
            for name in names:
                shapes.put(name, paths.get(name, ()))
            return written
        work.again = sorted([*work.again, *more])


def _replaced(work: _Again) -> list[int]:
    """Return the numbers of the old groups that are lowered again or gone."""
    return [*range(work.first, work.last), *work.again]


def _gone(work: _Again, written: Mapping[int, Writes]) -> Iterator[tuple[str, Path]]:
    """Yield what groups wrote, and those in their place do not write, or fewer of them."""
    inside = Counter(one for at, writes in written.items() if work.begin <= at < work.end for one in writes)
    yield from Counter(one for group in work.old.groups[work.first : work.last] for one in group.writes) - inside
    for number in work.again:
        now = written[work.at(number)]
        yield from (one for one in work.old.groups[number].writes if one not in now)


def _all_writes(work: _Again, written: Mapping[int, Writes], names: set[str]) -> Iterator[tuple[str, Path]]:
    """Yield what groups write that are lowered again, or name one of some names, in the order of the text."""
    others = {number: work.old.groups[number].writes for number in _naming(work.old.groups, names)}
    others |= {number: written[work.at(number)] for number in work.again}
    ahead = sorted(number for number in others if number < work.first)
    behind = sorted(number for number in others if number >= work.last)
    yield from chain.from_iterable(others[number] for number in ahead)
    yield from chain.from_iterable(written[at] for at in sorted(written) if work.begin <= at < work.end)
    yield from chain.from_iterable(others[number] for number in behind)


def _naming(groups: Sequence[Group], names: Set[str]) -> list[int]:
    """Return the numbers of the groups that name one of some names."""
    return [number for number, group in enumerate(groups) if not group.mentions.isdisjoint(names)] if names else []


def _tried(work: _Again) -> dict[int, Writes] | None:
    """Look again and again until groups write what they wrote the last time."""
    lowering = Lowering(work.facts, work.now.readings, work.now.operators, unread=work.now.unread)
    grouping = Grouping(lowering, work.now.tree.items, work.facts)
    before: dict[int, Writes] = {}
    for _ in range(TRIALS):
        lowering.fresh, lowering.steps = work.fresh, 0
        work.facts.shapes = _shapes(work, before)
        written: dict[int, Writes] = {}
        for number in [one for one in work.again if one < work.first]:
            _, written[work.at(number)] = grouping.trial(work.at(number))
        at = work.begin
        while at < work.end or _overruns(work, at):
            count, written[at] = grouping.trial(at)
            at += count
        for number in [one for one in work.again if one >= work.last]:
            _, written[work.at(number)] = grouping.trial(work.at(number))
        if written == before:
            return written
        before = written
    return None


def _shapes(work: _Again, written: Mapping[int, Writes]) -> Shapes:
    """Return the paths that other groups write, and those that the groups at hand wrote the last time."""
    old = work.old
    shapes = Shapes(old.facts.shapes)
    gone = Counter(one for number in _replaced(work) for one in old.groups[number].writes)
    paths = {name: dict(old.facts.shapes.get(name, {})) for name, _ in gone}
    for (name, path), count in gone.items():
        if old.writers[name, path] == count:
            paths[name].pop(path, None)
    for name, path in (one for writes in written.values() for one in writes):
        paths.setdefault(name, dict(old.facts.shapes.get(name, {})))[path] = None
    for name, some in paths.items():
        shapes.put(name, some)
    return shapes


def _overruns(work: _Again, at: int) -> bool:
    """Tell whether groups have taken more than was to be replaced, and replace what they took with the rest of its group."""
    while at > work.end and work.last < len(work.old.groups):
        work.end += work.old.groups[work.last].count
        work.last += 1
    work.again = [one for one in work.again if not _in(work, one)]
    return at < work.end


def _spliced(
    work: _Again, written: Mapping[int, Writes], changed: set[str], tables: Callable[[Facts], list[Item]], moved: int
) -> Divided | None:
    old, facts = work.old, work.facts
    lowering = Lowering(facts, work.now.readings, work.now.operators, unread=work.now.unread)
    lowering.fresh = work.fresh
    grouping = Grouping(lowering, work.now.tree.items, facts)
    inside: list[Group] = []
    made: list[Item] = []
    at = work.begin
    while at < work.end:
        group, some = grouping.lowered(at, written[at])
        inside.append(group)
        made += some
        at += group.count
    items = old.items.spliced(old.places[work.first], old.places[work.last], made, moved)
    groups = [*old.groups[: work.first], *inside, *old.groups[work.last :]]
    behind, longer = len(inside) - (work.last - work.first), len(items) - len(old.items)
    again: list[Group] = []
    grown = 0
    for number in sorted(work.again):
        group, some = grouping.lowered(work.at(number), written[work.at(number)])
        begin = old.places[number] + grown + (longer if number >= work.last else 0)
        items = items.spliced(begin, begin + old.groups[number].size, some, 0)
        grown += group.size - old.groups[number].size
        groups[number + (behind if number >= work.last else 0)] = group
        again.append(group)
    writers = Counter(old.writers)
    for number in _replaced(work):
        writers.subtract(old.groups[number].writes)
    for group in (*inside, *again):
        writers.update(group.writes)
    facts.looked_up = dict.fromkeys(name for group in groups if group.looked_up for name in group.looked_up)
    count = old.tables
    if [*facts.looked_up] != [*old.facts.looked_up] or not changed.isdisjoint(facts.looked_up):
        first = tables(facts)
        items, count = items.spliced(0, old.tables, first, 0), len(first)
    if sum([one.steps for one in groups]) > LIMIT or not all(one.is_by_name for one in (*inside, *again)):
        return None
    return Divided(tuple(groups), writers, facts, items, count, lowering.fresh, True)
