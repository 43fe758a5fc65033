"""Statements that nothing asked for depends on: strong liveness, backwards, loops to a fixpoint and never unrolled.

A variable is live where its value can still reach an output, a secret, a shown measure or an observation. What an assignment reads is live
only if its target is, so that a chain of variables that feed nothing but each other is found whole (Giegerich, Möncke and Wilhelm 1981,
"faint" variables). Arrays are followed as wholes and never overwritten.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import assert_never

from seepage.data_classes import dataclass
from seepage.semantics.checked import Symbols
from seepage.semantics.measure_names import names_in
from seepage.semantics.memo import Memo
from seepage.semantics.runs import Stretch
from seepage.semantics.unit import Unit
from seepage.semantics.units import Units
from seepage.syntax.tree import Block, For, If, Item, Module, Observe, Placed, While, array_of


def asked_names(symbols: Symbols) -> frozenset[str]:
    """Return the variables that are declared as secret or output or stand in a measure, arrays by their own names."""
    declared = [one.name for one in symbols.secrets] + [one.name for one in symbols.outputs]
    measures = [one.node.measure for one in symbols.shows] + [one.node.measure for one in symbols.requires]
    asked = [array_of(name) for name in declared] + [name for one in measures for _, name in names_in(one)]
    return frozenset(name for name in asked if name in symbols.variables)


def idle_units(tree: Module, symbols: Symbols, units: Units) -> set[Unit]:
    """Return the units of the assignments and samplings on which no output, secret, shown measure or observation depends."""
    asked = asked_names(symbols)
    # Each assignment of a secret counts: the first one may be what is meant, and a second one may be an error.
    kept = frozenset(array_of(one.name) for one in symbols.secrets)
    walk = _Walk(units, kept, set(asked))
    walk.parts(tree.items)
    return walk.idle


@dataclass(frozen=True, slots=True)
class _Liveness:
    """A visit of a run: a function of what is live after it, and of the names that are kept, of those that it mentions.

    Attributes:
        live: the names that are live after it.
        kept: the names all of whose assignments count.
        born: the names that are live before it and not after it.
        dead: the names that are live after it only.
        idle: its units that assign what nobody needs.
        effect: whether one of its items has an effect.
    """

    live: frozenset[str]
    kept: frozenset[str]
    born: frozenset[str]
    dead: frozenset[str]
    idle: Sequence[Unit]
    effect: bool


_LIVENESS = Memo[_Liveness]()  # of a run, at its latest visit


@dataclass(slots=True)
class _Walk:
    """The live names at the place of the walk, with undoing as in :class:`seepage.semantics.state.State`; loop heads only grow."""

    units: Units
    kept: frozenset[str]
    live: set[str]
    useful: set[Unit] = field(default_factory=set)  # assignments that something needs, on some visit of theirs
    idle: set[Unit] = field(default_factory=set)
    loops: int = 0  # how many are around
    heads: dict[int, set[str]] = field(default_factory=dict)
    journal: list[dict[str, bool]] = field(default_factory=list)

    def mark(self, name: str, live: bool) -> None:
        """Make a name live or dead."""
        before = name in self.live
        if before == live:
            return
        if self.journal:
            self.journal[-1].setdefault(name, before)
        if live:
            self.live.add(name)
        else:
            self.live.discard(name)

    def mark_all(self, born: frozenset[str], dead: frozenset[str]) -> None:
        """Make names live that are not, and others dead that are live."""
        if self.journal:
            before = self.journal[-1]
            for name in born - before.keys():
                before[name] = False
            for name in dead - before.keys():
                before[name] = True
        self.live |= born
        self.live -= dead

    def undo(self) -> dict[str, bool]:
        """Take back all changes since the last entry of the journal and return what was live then, of the names that changed."""
        before = self.journal.pop()
        now = {name: name in self.live for name in before}
        for name, live in before.items():
            if live:
                self.live.add(name)
            else:
                self.live.discard(name)
        return now

    def parts(self, items: Sequence[Item]) -> bool:
        """Follow the items of a block backwards, run by run; tell whether one of them has an effect."""
        effect = False
        for part in reversed(self.units.parts(items)):
            if isinstance(part, Stretch):
                effect = self.stretch(part) or effect
            else:
                effect = self.block((part,)) or effect
        return effect

    def stretch(self, stretch: Stretch) -> bool:
        """Follow a run; not at once in a loop, where heads keep what they learnt and units are idle only if they always are."""
        if self.loops:
            return self.block(self.units.items(stretch))
        run = stretch.run
        live = self.live.intersection(run.says.mentioned)
        kept = self.kept & run.says.targets
        known = _LIVENESS.of(run)
        if known is None or known.live != live or known.kept != kept:
            self.journal.append({})
            effect = self.block(self.units.items(stretch))
            before = self.undo()
            born = frozenset(name for name, is_live in before.items() if is_live)
            idle = [unit for unit in run.units if unit in self.idle]
            dead = frozenset(before.keys() & live) - born
            known = _LIVENESS.keep(run, _Liveness(frozenset(live), kept, born - live, dead, idle, effect))
        self.mark_all(known.born, known.dead)
        self.idle.update(known.idle)
        return known.effect

    def block(self, items: Sequence[Item]) -> bool:
        """Follow items backwards; tell whether one of them has an effect."""
        at = self.units.at
        effect = False
        for item in reversed(items):
            match item:
                case Placed(node=Observe()):
                    self.read(at[id(item)].facts.reads)
                    effect = True
                case Placed():
                    unit = at[id(item)]
                    facts = unit.facts
                    if facts.target is None:
                        continue
                    if facts.target not in self.live and facts.target not in self.kept:
                        if unit not in self.useful:
                            self.idle.add(unit)
                    else:
                        self.useful.add(unit)
                        self.idle.discard(unit)
                        if not facts.is_element:
                            self.mark(facts.target, live=False)
                        self.read(facts.reads)
                        effect = True
                case If():
                    effect = self.branch(item) or effect
                case For():
                    effect = self.loop(item.block) or effect
                case While():
                    effect = self.endless(item) or effect
                case _:
                    assert_never(item)
        return effect

    def read(self, names: tuple[str, ...]) -> None:
        """Make live what a statement reads."""
        if not self.live.issuperset(names):
            for name in names:
                self.mark(name, live=True)

    def branch(self, item: If) -> bool:
        """Follow the arms of a branch; its conditions are live if something in an arm has an effect."""
        blocks = [*(arm.block.items for arm in item.arms), item.otherwise.items if item.otherwise else ()]
        effect, outcomes = False, list[dict[str, bool]]()
        for block in blocks:
            self.journal.append({})
            effect = self.parts(block) or effect
            outcomes.append(self.undo())
        for name in dict.fromkeys(name for outcome in outcomes for name in outcome):
            before = name in self.live
            self.mark(name, any(outcome.get(name, before) for outcome in outcomes))
        if effect:
            for arm in item.arms:
                self.read(self.units.of(arm).facts.reads)
        return effect

    def endless(self, item: While) -> bool:
        """Follow a loop that ends by chance: runs that never end are an effect, so that its condition is always needed."""
        if item.never is not None:
            self.journal.append({})
            self.parts(item.never.items)
            for name, live in self.undo().items():
                self.mark(name, live=live or name in self.live)
        self.read(self.units.of(item.arm).facts.reads)
        self.loop(item.arm.block)
        return True

    def loop(self, block: Block) -> bool:
        """Follow a loop until what is live at its head does not grow; it may have no iteration."""
        head = self.heads.setdefault(id(block), set())
        self.loops += 1
        while True:
            for name in head:
                self.mark(name, live=True)
            self.journal.append({})
            effect = self.parts(block.items)
            grown = {name for name, live in self.undo().items() if live and name not in self.live}
            if not grown:
                self.loops -= 1
                return effect
            head |= grown
