"""Which variables can have to do with each other: a graph of names that over-approximates every dependence of every run.

One node a variable, arrays as wholes. A variable depends on what its assignments read and on the conditions around them, an observation on
what it reads and on the conditions around it. The order of statements does not count, so that loops need no iteration.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import field

from seepage.data_classes import dataclass
from seepage.semantics.memo import Memo
from seepage.semantics.runs import Stretch
from seepage.semantics.units import Units, units_of
from seepage.syntax.tree import Assign, For, If, Item, Module, Observe, Placed, Sample, While, blocks_of


@dataclass(slots=True)
class Influence:
    """The graph.

    Attributes:
        reads: for each assigned name the names it depends on directly.
        random: names that some statement samples.
        observed: for each observation the names it depends on directly.
    """

    reads: dict[str, frozenset[str]] = field(default_factory=dict)
    random: set[str] = field(default_factory=set)
    observed: list[frozenset[str]] = field(default_factory=list)

    def add(self, other: Influence, around: Sequence[str] = ()) -> None:
        """Add another graph, of statements under conditions on the names ``around``."""
        reads = {name: one.union(around) for name, one in other.reads.items()} if around else other.reads
        both = self.reads.keys() & reads.keys()
        joined = {name: self.reads[name] | reads[name] for name in both}
        self.reads.update(reads)
        self.reads.update(joined)
        self.random |= other.random
        self.observed += [one.union(around) for one in other.observed] if around else other.observed


_OF_RUN = Memo[Influence]()  # what the assignments of a run depend on


def influence(tree: Module, units: Units | None = None) -> Influence:
    """Return the graph of a file."""
    graph = Influence()
    _parts(tree.items, (), graph, units_of(tree) if units is None else units)
    return graph


def _parts(items: Sequence[Item], around: tuple[str, ...], graph: Influence, units: Units) -> None:
    """Add the items of a block, run by run: what a run adds is a function of its units, and kept with it."""
    for part in units.parts(items):
        if not isinstance(part, Stretch):
            _collect((part,), around, graph, units)
        else:
            known = _OF_RUN.of(part.run)
            if known is None:
                known = _OF_RUN.keep(part.run, Influence())
                _collect(units.items(part), (), known, units)
            graph.add(known, around)


def _collect(items: Sequence[Item], around: tuple[str, ...], graph: Influence, units: Units) -> None:
    at = units.at
    for item in items:
        match item:
            case Placed(node=Assign() | Sample() as node):
                facts = at[id(item)].facts
                assert facts.target is not None
                reads = graph.reads.get(facts.target, frozenset())
                graph.reads[facts.target] = reads.union(facts.reads, around)
                if isinstance(node, Sample):
                    graph.random.add(facts.target)
            case Placed(node=Observe()):
                graph.observed.append(frozenset((*at[id(item)].facts.reads, *around)))
            case If(arms=arms, otherwise=otherwise):
                conditions = tuple(dict.fromkeys(name for arm in arms for name in at[id(arm)].facts.reads))
                inside = tuple(dict.fromkeys((*around, *conditions)))
                for block in (*(arm.block for arm in arms), *(() if otherwise is None else (otherwise,))):
                    _parts(block.items, inside, graph, units)
            case For(block=block):
                _parts(block.items, around, graph, units)
            case While(arm=arm):
                inside = tuple(dict.fromkeys((*around, *at[id(arm)].facts.reads)))
                for block in blocks_of(item):
                    _parts(block.items, inside, graph, units)
                graph.observed.append(frozenset(inside))  # runs that never end are left out
            case _:
                pass


def sources(names: Iterable[str], graph: Influence) -> set[str]:
    """Return names with everything they depend on, directly or not."""
    found = set(names)
    stack = list(found)
    while stack:
        reads = graph.reads.get(stack.pop())
        if reads is not None and not reads <= found:
            new = reads - found
            found |= new
            stack.extend(new)
    return found


def related(names: Iterable[str], graph: Influence) -> set[str]:
    """Return all names that can be statistically dependent on one of ``names``, through what they are computed from and what is observed.

    Names outside are independent of ``names`` given the observations: no source of randomness is common to both, and no
    observation depends on sources of both.
    """
    if not graph.observed:
        return sources(names, graph)
    readers: dict[str, list[str]] = {}
    for name, reads in graph.reads.items():
        for one in reads:
            readers.setdefault(one, []).append(name)
    observers: dict[str, list[frozenset[str]]] = {}
    for observation in graph.observed:
        for one in observation:
            observers.setdefault(one, []).append(observation)
    found: set[str] = set()  # related names
    moved: set[str] = (
        set()
    )  # what depends on their sources of randomness: an observation of it relates all that it reads
    to_find, to_move = list(names), list[str]()
    while to_find or to_move:
        if to_find:
            name = to_find.pop()
            if name not in found:
                found.add(name)
                to_find.extend(graph.reads.get(name, ()))
                if name in graph.random:
                    to_move.append(name)
            continue
        name = to_move.pop()
        if name not in moved:
            moved.add(name)
            to_move.extend(readers.get(name, ()))
            for observation in observers.pop(name, ()):
                to_find.extend(observation)
    return found
