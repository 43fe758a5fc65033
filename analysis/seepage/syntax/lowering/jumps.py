"""``break``, ``continue`` and ``return`` in the core: flags that they raise, and that guard what follows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from seepage.data_classes import dataclass
from seepage.syntax.lowering.facts import Path
from seepage.syntax.raw import RawHeader, RawLeaf
from seepage.syntax.tree import Assign, Block, For, If, Item, Name, Placed, While, blocks_of

Readings = Mapping[int, RawLeaf | RawHeader]
JUMPS = ("break", "continue", "return")


@dataclass(slots=True)
class Jumps:
    """Where ``break``, ``continue`` and ``return`` lead in the block at hand: the flags that they raise; None where they may not stand."""

    breaks: str | None = None
    continues: str | None = None
    returns: str | None = None
    results: tuple[tuple[str, Path], ...] = ()
    named: str = ""

    def flags(self) -> list[str]:
        """Return the flags that there are."""
        return [one for one in (self.breaks, self.continues, self.returns) if one is not None]

    def inside(self, breaks: str | None, continues: str | None) -> Jumps:
        """Return where they lead in a loop that stands here."""
        return replace(self, breaks=breaks, continues=continues)


def leaves_block(item: Item, readings: Readings, in_loop: bool = False) -> bool:
    """Tell whether a statement, as it is written, may leave the block that it stands in; ``in_loop``: one in a loop of that block."""
    match item:
        case Placed(start=start):
            reading = readings.get(start)
            words = ("return",) if in_loop else JUMPS
            return isinstance(reading, RawLeaf) and reading.keyword in words
        case For(block=block):
            return any(leaves_block(one, readings, True) for one in block.items)
        case If() | While():
            reading = readings.get(item.span.start)
            word = reading.keyword if isinstance(reading, RawHeader) else "if"
            if word == "def":
                return False
            inside = in_loop or word in ("while", "repeat")
            return any(leaves_block(one, readings, inside) for block in blocks_of(item) for one in block.items)


def has_jumps(items: Iterable[Item], readings: Readings) -> bool:
    """Tell whether something in the block of a loop leaves a round."""
    return any(leaves_block(one, readings) for one in items)


def without(items: Sequence[Item], flags: set[str]) -> list[Item]:
    """Leave out assignments of flags that nothing reads."""
    if not flags:
        return list(items)
    made: list[Item] = []
    for item in items:
        match item:
            case Placed(Assign(Name(name))) if name in flags:
                continue
            case If(arms, otherwise):
                kept = tuple(replace(arm, block=_block_without(arm.block, flags)) for arm in arms)
                rest = None if otherwise is None else _block_without(otherwise, flags)
                made.append(replace(item, arms=kept, otherwise=rest))
            case While(arm, never):
                rest = None if never is None else _block_without(never, flags)
                made.append(While(replace(arm, block=_block_without(arm.block, flags)), rest, item.span))
            case For(block=block):
                made.append(replace(item, block=_block_without(block, flags)))
            case _:
                made.append(item)
    return made


def _block_without(block: Block, flags: set[str]) -> Block:
    return replace(block, items=tuple(without(block.items, flags)))
