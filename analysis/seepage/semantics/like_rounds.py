"""Loops of known length whose rounds are alike: two rounds stand for all of them, so that a million cost what two do.

The rounds of ``for i in a..b`` are *alike* if the text of a round reads ``i`` only to name elements ``o[i]`` that this round alone writes, and nothing goes from
one round to the next: what a round reads of what the loop writes, the same round surely wrote before. Then any two rounds are the same program up to the
names of what they write, and the joint law of any of them with what comes before the loop is that of as many others.

Two rounds are unrolled, not one, as only two show whether rounds share a draw that was made before the loop: then they are no independent parts
(:mod:`seepage.semantics.separation`), and by likeness no two rounds are. The first stands for all rounds but one, the second for that one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from seepage.data_classes import dataclass
from seepage.exact import Number, to_fraction
from seepage.semantics.checked import Checked
from seepage.semantics.core import CoreProgram
from seepage.semantics.expressions import arguments_of, nodes
from seepage.semantics.needed import is_declaration, needed_for, observes, reads_of, writes_of
from seepage.semantics.static import quiet_value
from seepage.semantics.unroll import unroll
from seepage.syntax.tree import (
    Assign,
    Cell,
    Expression,
    Family,
    For,
    If,
    Index,
    Item,
    Module,
    Name,
    Placed,
    Sample,
    Table,
)
from seepage.syntax.tree import Number as Literal

_FEWEST = 200
"""Rounds of a loop from which they are counted; fewer are followed one by one, which may give a formula."""


def with_counted_rounds(checked: Checked, names: Iterable[str]) -> CoreProgram | None:
    """Return what some names need of a program, with two rounds in place of all of each long loop whose rounds are alike.

    Args:
        checked: without errors in names.
        names: of variables, and of arrays as a whole; nothing else may be asked of what is returned.

    Returns:
        the core program with its ``rounds``; None where no long loop has like rounds, and where something is observed.

    Raises:
        Fault: as :func:`seepage.semantics.unroll.unroll`.
    """
    if not any(isinstance(item, For) for item in checked.tree.items):
        return None
    asked = frozenset(names)
    needed = needed_for(checked, asked)
    items = needed.tree.items
    if any(map(observes, items)):
        return None
    mentions = Counter(
        name for item in items if not is_declaration(item) for name in {*writes_of(item), *reads_of(item)}
    )
    loops: dict[int, _Loop] = {}
    for number, item in enumerate(items):
        if isinstance(item, For) and (found := _Loop.of(item, checked.symbols.consts)) is not None:
            alone = all(mentions[name] == 1 for name in found.elements | found.others)
            if alone and found.count >= _FEWEST and not asked & found.others and found.is_alike():
                loops[number] = found
    if not loops:
        return None
    shortened = tuple(loops[number].shortened() if number in loops else item for number, item in enumerate(items))
    core = unroll(replace(needed, tree=replace(needed.tree, items=shortened)))
    rounds: dict[str, int] = {}
    for loop in loops.values():
        for array in loop.elements:
            if core.arrays.get(array) != (loop.low, loop.low + 1):
                return None  # what a round writes there, the text alone does not say
            first, second = (f"{array}[{index}]" for index in core.arrays[array])
            rounds.update({first: loop.count - 1, second: 1})
    return replace(core, rounds=rounds)


@dataclass(frozen=True, slots=True)
class _Loop:
    """A loop between known bounds.

    Attributes:
        item: the loop.
        low: the first value of its variable.
        count: how many rounds it has.
        elements: arrays of which it writes elements.
        others: variables that it writes.
    """

    item: For
    low: int
    count: int
    elements: frozenset[str]
    others: frozenset[str]

    @classmethod
    def of(cls, item: For, constants: Mapping[str, Number]) -> _Loop | None:
        """Return what is known of a loop, None where its bounds are no integers that are known."""
        low, high = (_integer(bound, item.start, constants) for bound in (item.low, item.high))
        if low is None or high is None:
            return None
        inside = (part for part in Module((item,), item.span).walk() if isinstance(part, Placed))
        targets = [part.node.target for part in inside if isinstance(part.node, Assign | Sample)]
        elements = frozenset(target.array for target in targets if isinstance(target, Index))
        others = frozenset(target.id for target in targets if isinstance(target, Name))
        return cls(item, low, high - low + 1, elements, others)

    def shortened(self) -> For:
        """Return the loop with its first two rounds only."""
        low, high = (
            Literal(Fraction(value), bound.span)
            for value, bound in ((self.low, self.item.low), (self.low + 1, self.item.high))
        )
        return replace(self.item, low=low, high=high)

    def is_alike(self) -> bool:
        """Tell whether its rounds are alike."""
        return bool(self.elements) and self._through(self.item.block.items, frozenset()) is not None

    def _through(self, items: Sequence[Item], assigned: frozenset[str]) -> frozenset[str] | None:
        """Return what a round surely has assigned after some statements, None where these may differ from round to round."""
        for item in items:
            match item:
                case Placed(node=Assign(target=target, value=value)):
                    after = self._assigned(target, (value,), assigned)
                case Placed(node=Sample(target=target, distribution=Family() | Table() as law)):
                    after = self._assigned(target, arguments_of(law), assigned)
                case For(name=name, low=low, high=high, block=block) if self._reads((low, high), assigned):
                    within = self._through(block.items, assigned | {name})
                    after = None if within is None else assigned
                case If() if type(item) is If:
                    after = self._branches(item, assigned)
                case _:
                    return None
            if after is None:
                return None
            assigned = after
        return assigned

    def _assigned(
        self, target: Name | Index, read: Iterable[Expression], assigned: frozenset[str]
    ) -> frozenset[str] | None:
        if not self._reads(read, assigned):
            return None
        if isinstance(target, Name):
            return assigned | {target.id}
        return assigned | {target.array} if self._is_own(target) else None

    def _branches(self, item: If, assigned: frozenset[str]) -> frozenset[str] | None:
        if not self._reads((arm.condition for arm in item.arms), assigned):
            return None
        ends = [self._through(arm.block.items, assigned) for arm in item.arms]
        ends.append(assigned if item.otherwise is None else self._through(item.otherwise.items, assigned))
        known = [end for end in ends if end is not None]
        return frozenset.intersection(*known) if len(known) == len(ends) else None

    def _reads(self, expressions: Iterable[Expression], assigned: frozenset[str]) -> bool:
        """Tell whether expressions have the same meaning in each round."""
        written, named, own = self.elements | self.others, 0, 0
        for node in (node for expression in expressions for node in nodes(expression)):
            match node:
                case Cell():
                    return False
                case Name(id=name):
                    named += name == self.item.name
                    if name in written and name not in assigned:
                        return False
                case Index(array=array):
                    if array in written:
                        if array not in assigned or not self._is_own(node):
                            return False
                        own += 1
        return named == own  # the variable of the loop names elements of the round, and nothing else

    def _is_own(self, element: Index) -> bool:
        return isinstance(element.index, Name) and element.index.id == self.item.name


def _integer(bound: Expression, start: int, constants: Mapping[str, Number]) -> int | None:
    value = quiet_value(bound, start, constants)
    fraction = None if value is None else to_fraction(value)
    return None if fraction is None or fraction.denominator != 1 else int(fraction)
