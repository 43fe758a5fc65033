"""Whether a read that no assignment comes before in the text meets a variable that is not assigned: in a loop, an earlier iteration may have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import Literal, TypeAlias

from seepage.data_classes import dataclass
from seepage.exact import Number
from seepage.semantics.expressions import children
from seepage.semantics.static import quiet_value
from seepage.syntax.tree import (
    Assign,
    Binary,
    Block,
    Conditional,
    Expression,
    For,
    If,
    Index,
    Item,
    Name,
    Placed,
    Sample,
    While,
    blocks_of,
)

Meeting: TypeAlias = Literal["never", "perhaps", "surely"]


@dataclass(frozen=True, slots=True)
class Guard:
    """What is reached only if a condition, with spans relative to ``start``, has a value."""

    condition: Expression
    start: int
    holds: bool


@dataclass(slots=True)
class Surroundings:
    """The loops and conditions around a place, from the outermost one to the innermost one."""

    parts: list[Guard | For | While] = field(default_factory=list)
    _assigned: dict[int, frozenset[str]] = field(default_factory=dict)

    def meets_nothing(
        self, node: Name | Index, expression: Expression, start: int, constants: Mapping[str, Number]
    ) -> Meeting:
        """Tell whether a variable has no value where it is read, of one that no statement before assigns.

        ``surely``: whenever the read is reached first. So it is outside of loops that assign the variable, and in those whose first
        iteration surely gets there. ``never``: the first iteration assigns the variable, and does not get there.

        Args:
            node: what is read, in ``expression``, whose spans are relative to ``start``.
            constants: the numbers that are known, constants of the program.
        """
        name = node.id if isinstance(node, Name) else node.array
        parts = [*self.parts, *_lazily(expression, node, start)]
        assigning = [
            at for at, part in enumerate(self.parts) if isinstance(part, For | While) and name in self._names(part)
        ]
        if not assigning:
            return "surely"
        if all(_reached(parts[assigning[0] :], constants, first_of_all=True)):
            return "surely"
        for at in reversed(assigning):
            loop = parts[at]
            assigns = isinstance(loop, For | While) and name in _assigned_at_first(loop, constants)
            if assigns and False in _reached(parts[at:], constants, first_of_all=False):
                return "never"
        return "perhaps"

    def _names(self, loop: For | While) -> frozenset[str]:
        """Return the names that a loop assigns in some iterations."""
        if id(loop) not in self._assigned:
            self._assigned[id(loop)] = frozenset(assigned(_body(loop)))
        return self._assigned[id(loop)]


def _reached(
    parts: Sequence[Guard | For | While], constants: Mapping[str, Number], *, first_of_all: bool
) -> Iterator[bool | None]:
    """Yield of each part in a loop, the first of the parts, whether the loop's first iteration gets through it; None if that is not known.

    ``first_of_all`` says that the loops inside are in their first iteration, too; else they are in any.
    """
    known = dict(constants)
    for number, part in enumerate(parts):
        if isinstance(part, Guard):
            value = quiet_value(part.condition, part.start, known)
            yield (value == 1) is part.holds if value in (0, 1) else None
            continue
        if isinstance(part, While):
            continue  # its condition is the next part
        low, high = (quiet_value(bound, part.start, known) for bound in (part.low, part.high))
        if number:
            yield low <= high if isinstance(low, int) and isinstance(high, int) else None
        known.pop(part.name, None)
        if isinstance(low, int) and (first_of_all or not number):
            known[part.name] = low


def _lazily(expression: Expression, node: Expression, start: int) -> tuple[Guard, ...]:
    """Return the conditions in an expression under which a part of it is evaluated."""
    waiting: list[tuple[Expression, tuple[Guard, ...]]] = [(expression, ())]
    while waiting:
        part, guards = waiting.pop()
        if part is node:
            return guards
        match part:
            case Conditional(condition, consequent, alternative):
                waiting.append((condition, guards))
                waiting.append((consequent, (*guards, Guard(condition, start, True))))
                waiting.append((alternative, (*guards, Guard(condition, start, False))))
            case Binary(operator="and" | "or" as operator, left=left, right=right):
                waiting.append((left, guards))
                waiting.append((right, (*guards, Guard(left, start, operator == "and"))))
            case _:
                waiting.extend((inner, guards) for inner in children(part))
    return ()


def _body(loop: For | While) -> Block:
    return loop.block if isinstance(loop, For) else loop.arm.block


def _assigned_at_first(loop: For | While, constants: Mapping[str, Number]) -> frozenset[str]:
    """Return the names that the first iteration of a loop assigns, however branches go that its number does not decide."""
    if isinstance(loop, While):
        return _assigned_surely(loop.arm.block, constants)
    low = quiet_value(loop.low, loop.start, constants)
    return _assigned_surely(loop.block, constants if low is None else {**constants, loop.name: low})


def _assigned_surely(block: Block, known: Mapping[str, Number]) -> frozenset[str]:
    names = set(_targets(block.items))
    for item in block.items:
        if isinstance(item, If):
            names |= frozenset.intersection(*(_assigned_surely(way, known) for way in _ways(item, known)))
    return frozenset(names)


def _ways(item: If, known: Mapping[str, Number]) -> Iterator[Block]:
    """Yield the blocks of a branch that may be entered, an empty one if none may be."""
    for arm in item.arms:
        value = quiet_value(arm.condition, arm.start, known)
        if value != 0:
            yield arm.block
        if value == 1:
            return
    yield Block((), item.span) if item.otherwise is None else item.otherwise


def _targets(items: Sequence[Item] | Iterator[Item]) -> Iterator[str]:
    for item in items:
        if isinstance(item, Placed) and isinstance(item.node, Assign | Sample):
            target = item.node.target
            yield target.id if isinstance(target, Name) else target.array


def assigned(block: Block) -> Iterator[str]:
    """Yield the names that a block assigns, arrays by their own name, with repetitions."""
    return _targets(_inside(block))


def _inside(block: Block) -> Iterator[Item]:
    """Yield the items of a block and of the blocks in it."""
    waiting = [block]
    while waiting:
        for item in waiting.pop().items:
            yield item
            waiting.extend(blocks_of(item))
