"""Loops in the core: rounds one after the other where their number is known, else loops that end by chance."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

from seepage.data_classes import dataclass
from seepage.diagnostics import Diagnostic
from seepage.rules import MISPLACED_ELSE, MISPLACED_JUMP, NOT_SUPPORTED
from seepage.source import Span
from seepage.syntax.expressions import expression
from seepage.syntax.fixes import shifted
from seepage.syntax.lowering.facts import Environment, Refused
from seepage.syntax.lowering.forms import folded, negation, number
from seepage.syntax.lowering.jumps import JUMPS, Jumps, has_jumps, without
from seepage.syntax.lowering.writing import Writing
from seepage.syntax.raw import Raw, RawHeader, RawLeaf
from seepage.syntax.tree import (
    Arm,
    Assign,
    Block,
    Boolean,
    Expression,
    For,
    If,
    Item,
    Name,
    Placed,
    While,
    blocks_of,
    start_of,
)

MOST_ROUNDS = 20_000  # of a loop that is written out


# --- loops with known ends --------------------------------------------------------------------------------------------


def counted(work: Writing, item: For, env: Environment, jumps: Jumps) -> list[Item]:
    """Return a loop as it is where nothing in it is new, else its rounds one after the other."""
    leaves = has_jumps(item.block.items, work.readings)
    # What choices have seen is told from rounds that are written out.
    is_plain = not env and not leaves and not work.calls and not work.facts.has_choices
    if not work.is_trial and is_plain and not is_new_block(work, item.block.items):
        return [item]
    header = item.header.shift(-item.start)
    ends = _ends(work, item, env)
    if ends is None:
        if not work.is_trial and not is_new_block(work, item.block.items) and not env:
            return [item]
        raise Refused(NOT_SUPPORTED, header, "the ends of this loop must be known before the analysis")
    if ends[1] - ends[0] >= MOST_ROUNDS:
        raise Refused(NOT_SUPPORTED, header, f"more than {MOST_ROUNDS:,} rounds are not in the language yet")
    broken = work.new("broken") if leaves else None
    made: list[Item] = []
    for value in range(ends[0], ends[1] + 1):
        skipped = work.new("skipped") if leaves else None
        bound = {**env, item.name: number(value, item.name_span)}
        body = _round(work, item.block.items, bound, jumps.inside(broken, skipped), item.start, item.name_span)
        outer = _raised(work, broken, jumps.returns)
        if outer and value > ends[0]:
            condition = expression(folded("and", [negation(Name(one, header)) for one in outer]), [])
            arm = Arm(condition, Block(tuple(body), item.header), item.start, item.header)
            body = [If((arm,), None, item.header)]
        made += body
    return _with_flag(work, made, broken, item.start, item.name_span)


def _ends(work: Writing, item: For, env: Environment) -> tuple[int, int] | None:
    """Return the first and the last value of the variable of a loop, where both are known."""
    reading = work.readings.get(item.start)
    low: Raw = item.low
    high: Raw = item.high
    if isinstance(reading, RawHeader) and reading.low is not None and reading.high is not None:
        low, high = reading.low, reading.high
    ends = work.values.known(low, env), work.values.known(high, env)
    return None if ends[0] is None or ends[1] is None else (ends[0], ends[1])


def _round(work: Writing, items: Sequence[Item], env: Environment, inner: Jumps, start: int, span: Span) -> list[Item]:
    """Return one round of a loop, with the flag of its ``continue`` down at first."""
    body = work.block(items, env, inner)
    return _with_flag(work, body, inner.continues, start, span)


def _raised(work: Writing, *flags: str | None) -> list[str]:
    """Return those of some flags that go up somewhere, which are read from here on."""
    found = [one for one in flags if one is not None and one in work.raised]
    work.used.update(found)
    return found


def _with_flag(work: Writing, items: list[Item], flag: str | None, start: int, span: Span) -> list[Item]:
    """Return statements with a flag down at first, or without the flag if nothing reads it."""
    if flag is None:
        return items
    if flag not in work.used:
        return without(items, {flag})
    return [_flag(work, flag, False, start, span), *items]


def _flag(work: Writing, name: str, value: bool, start: int, span: Span) -> Item:
    """Return the assignment of a flag, placed at a span of the piece that starts there."""
    work.facts.shapes.setdefault(name, {})[()] = None
    return Placed(Assign(Name(name, span), Boolean(value, span), span), start, "")


def is_new_block(work: Writing, items: Sequence[Item]) -> bool:
    """Tell whether anything in a block is beyond the core."""
    for start in _pieces(items):
        reading = work.readings.get(start)
        if isinstance(reading, RawLeaf):
            if reading.keyword in (*JUMPS, "until", "attacker", "enum", "table", "import") or work.touches(reading, {}):
                return True
            if len(reading.targets) > 1 and reading.keyword in ("assign", "sample"):
                return True
            if reading.keyword == "assign" and work.values.entries(cast("Raw", reading.value), {}) is not None:
                return True
        elif isinstance(reading, RawHeader):
            parts = [one for one in (reading.condition, reading.low, reading.high) if one is not None]
            if reading.keyword in ("while", "repeat", "never", "def") or any(work.is_new(one) for one in parts):
                return True
    return False


def _pieces(items: Sequence[Item]) -> Iterator[int]:
    """Yield where the pieces of a block start, as it is written."""
    stack: list[Item] = list(items)
    while stack:
        item = stack.pop()
        match item:
            case Placed(start=start) | For(start=start):
                yield start
            case If(arms=arms):
                yield from (arm.start for arm in arms)
            case While(arm=arm):
                yield arm.start
        stack += [one for block in blocks_of(item) for one in block.items]


# --- loops that end by chance -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Written:
    """A loop that ends by chance as it is written: its header with the block, ``until`` and ``never``, and how many items these are."""

    header: If
    word: str
    until: Placed | None
    never: If | None

    @property
    def taken(self) -> int:
        """How many items of the block around it these are."""
        return 1 + (self.until is not None) + (self.never is not None)


def _written(work: Writing, items: Sequence[Item], at: int) -> _Written:
    header = cast("If", items[at])
    word, until, never = work.word(header), None, None
    behind = items[at + 1] if at + 1 < len(items) else None
    reading = work.readings.get(behind.start) if isinstance(behind, Placed) else None
    if word == "repeat" and isinstance(reading, RawLeaf) and reading.keyword == "until":
        until = cast("Placed", behind)
        behind = items[at + 2] if at + 2 < len(items) else None
    if isinstance(behind, If) and work.word(behind) == "never":
        never = behind
    return _Written(header, word, until, never)


def endless(work: Writing, items: Sequence[Item], at: int, env: Environment, jumps: Jumps) -> tuple[int, list[Item]]:
    """Return a loop that ends by chance with the parts of it that follow its block, and how many items those are.

    ``repeat c until b`` is ``while`` of a flag that each round sets to ``not b``.
    """
    loop = _written(work, items, at)
    arm = loop.header.arms[0]
    head = work.header_span(loop.header)
    _check(work, loop, head, start_of(items[at + 1]) if at + 1 < len(items) else None)
    leaves = has_jumps(arm.block.items, work.readings)
    broken, skipped = (work.new("broken"), work.new("skipped")) if leaves else (None, None)
    body = _round(work, arm.block.items, env, jumps.inside(broken, skipped), arm.start, head)
    ended = _raised(work, broken, jumps.returns)
    first: list[Item] = []
    if loop.word == "repeat":
        again = work.new("again")
        first = [_flag(work, again, True, arm.start, head)]
        body += _until(work, loop, again, ended, env)
        condition: Expression = Name(again, head)
    else:
        condition = _condition(work, loop.header, ended, env)
    never = None
    if loop.never is not None:
        inner = loop.never.arms[0].block
        never = Block(tuple(work.block(inner.items, env, jumps)), inner.span)
    end = items[at + loop.taken - 1].span.end
    made = While(
        Arm(condition, Block(tuple(body), arm.block.span), arm.start, arm.header),
        never,
        Span(loop.header.span.start, end),
    )
    return loop.taken, [*first, *_with_flag(work, [made], broken, arm.start, head)]


def _check(work: Writing, loop: _Written, head: Span, following: int | None) -> None:
    """Tell of a ``repeat`` without ``until``, if nothing that is wrong may be one, and of what would continue a branch."""
    start, end = loop.header.arms[0].start, loop.header.span.end
    is_unread = any(end <= at and (following is None or at < following) for at in work.unread)
    if loop.word == "repeat" and loop.until is None and not is_unread:
        message = "'repeat' needs 'until' with a condition behind its block"
        work.note(Diagnostic(MISPLACED_JUMP, head.shift(start), message))
    for header in (loop.header, loop.never):
        if header is None or (len(header.arms) == 1 and header.otherwise is None):
            continue
        first, *others = blocks_of(header)
        at = Span(first.span.end, others[0].span.start)
        work.note(
            Diagnostic(MISPLACED_ELSE, at, f"the 'else' belongs to no 'if': it follows the '}}' of '{loop.word}'")
        )


def _condition(work: Writing, header: If, ended: Sequence[str], env: Environment) -> Expression:
    """Return the condition of a ``while``, which does not hold once a round has left the loop."""
    arm = header.arms[0]
    reading = work.readings[arm.start]
    assert isinstance(reading, RawHeader)
    found: list[Diagnostic] = []
    condition: Raw = Boolean(True, reading.span)
    if reading.condition is not None:
        try:
            condition = work.values.scalar(reading.condition, env)
        except Refused as refused:
            work.note(refused.placed(arm.start))
    tests = [*(negation(Name(one, reading.span)) for one in ended), condition]
    made = expression(folded("and", tests), found)
    for one in found:
        work.note(shifted(one, arm.start))
    return made


def _until(work: Writing, loop: _Written, again: str, ended: Sequence[str], env: Environment) -> list[Item]:
    """Return what ends a round of ``repeat``: its flag stays up as long as neither the condition holds nor a jump has left the loop."""
    if loop.until is None:
        return []
    reading = work.readings[loop.until.start]
    assert isinstance(reading, RawLeaf)
    try:
        condition = work.values.scalar(cast("Raw", reading.value), env)
    except Refused as refused:
        work.note(refused.placed(loop.until.start))
        return []
    tests = [*(negation(Name(one, reading.span)) for one in ended), negation(condition)]
    return work.put(loop.until, again, (), folded("and", tests))
