"""Statements of the language -> statements of the core, block by block."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from seepage.diagnostics import Diagnostic
from seepage.rules import (
    BUDGET_EXCEEDED,
    MISPLACED_DISTRIBUTION,
    MISPLACED_JUMP,
    WRONG_ARGUMENTS,
    WRONG_RESULTS,
)
from seepage.source import Span
from seepage.syntax.expressions import expression
from seepage.syntax.fixes import replacement, shifted
from seepage.syntax.lowering.calls import assign_call
from seepage.syntax.lowering.draws import choose, sample
from seepage.syntax.lowering.facts import Environment, Refused
from seepage.syntax.lowering.forms import folded, negation, respanned, static
from seepage.syntax.lowering.jumps import JUMPS, Jumps, leaves_block
from seepage.syntax.lowering.laws import name_of
from seepage.syntax.lowering.loops import counted, endless
from seepage.syntax.lowering.measured import measured
from seepage.syntax.lowering.writing import LIMIT, Writing, place_of
from seepage.syntax.raw import (
    Raw,
    RawHeader,
    RawInterval,
    RawLeaf,
)
from seepage.syntax.tree import (
    Arm,
    Block,
    Boolean,
    For,
    If,
    Index,
    Item,
    Name,
    Placed,
    start_of,
)
from seepage.syntax.vocabulary.distributions import DISTRIBUTIONS
from seepage.syntax.vocabulary.functions import FUNCTIONS


class Lowering(Writing):
    """The work at hand, block by block."""

    __slots__ = ()

    # --- blocks -------------------------------------------------------------------------------------------------------

    def block(self, items: Sequence[Item], env: Environment, jumps: Jumps) -> list[Item]:
        """Return the statements of a block in the core."""
        made: list[Item] = []
        at = 0
        while at < len(items):
            item = items[at]
            taken, lowered = self.taken(items, at, env, jumps)
            at += taken
            made += lowered
            if self.gone:
                return made
            if not any(self.leads_away(one, jumps) for one in items[at - taken : at]) or at >= len(items):
                continue
            rest = self.block(items[at:], env, jumps)
            made += self._guarded(made, rest, lowered, jumps, item)
            return made
        return made

    def _guarded(self, made: list[Item], rest: list[Item], lowered: list[Item], jumps: Jumps, item: Item) -> list[Item]:
        """Return what follows a statement that may leave the block: it runs where none of the flags is up."""
        if not rest:
            return []
        if isinstance(item, Placed):
            return []  # nothing runs behind a jump
        flags = [one for one in jumps.flags() if one in self.raised]
        if not flags:
            return rest
        self.used.update(flags)
        start, span = place_of(item)
        tests = [negation(Name(one, span)) for one in flags]
        condition = expression(folded("and", tests), [])
        header = span.shift(start)
        arm = Arm(condition, Block(tuple(rest), header), start, header)
        return [If((arm,), None, header)]

    def leads_away(self, item: Item, jumps: Jumps) -> bool:
        """Tell whether a statement may leave the block that it stands in, by a jump that may stand there."""
        return bool(jumps.flags()) and leaves_block(item, self.readings)

    def taken(self, items: Sequence[Item], at: int, env: Environment, jumps: Jumps) -> tuple[int, list[Item]]:
        """Return how many items belong to the statement at a place, and what they become."""
        item = items[at]
        self.steps += 1
        self.gone = False
        try:
            if self.steps > LIMIT:
                message = f"limit reached: more than {LIMIT:,} statements"
                raise Refused(BUDGET_EXCEEDED, place_of(item)[1], message)
            if (refused := self.facts.refused.get(start_of(item))) is not None:
                raise refused
            match item:
                case Placed():
                    lowered = self.leaf(item, env, jumps)
                    reading = self.readings.get(item.start)
                    self.gone = isinstance(reading, RawLeaf) and reading.keyword in JUMPS
                    return 1, lowered
                case For():
                    lowered = counted(self, item, env, jumps)
                    self.gone = False
                    return 1, lowered
                case If():
                    word = self.word(item)
                    if word in ("while", "repeat"):
                        loop = endless(self, items, at, env, jumps)
                        self.gone = False
                        return loop
                    if word == "def":
                        return 1, []
                    if word == "never":
                        raise Refused(MISPLACED_JUMP, self.header_span(item), "'never' follows no 'while' or 'repeat'")
                    return 1, self.branch(item, env, jumps)
                case _:
                    return 1, [item]
        except Refused as refused:
            self.gone = False
            start, _ = place_of(item)
            self.note(refused.placed(start))
            return 1, self.harmless(item)

    # --- leaves -------------------------------------------------------------------------------------------------------

    def leaf(self, item: Placed, env: Environment, jumps: Jumps) -> list[Item]:
        """Return what a leaf becomes."""
        reading = self.readings.get(item.start)
        if not isinstance(reading, RawLeaf):
            return [item]
        match reading.keyword:
            case "break" | "continue" | "return":
                return self.jump(item, reading, env, jumps)
            case "until":
                raise Refused(MISPLACED_JUMP, reading.span, "'until' follows no 'repeat'")
            case "attacker":
                return choose(self, item, reading, env)
            case "enum" | "import" | "table":
                return []
            case "const" if reading.name is not None and reading.name.value in self.facts.tables:
                return []
            case "assign":
                return self.assign(item, reading, env)
            case "sample":
                return sample(self, item, reading, env)
            case _:
                return self.other(item, reading, env)

    def other(self, item: Placed, reading: RawLeaf, env: Environment) -> list[Item]:
        """Return what a declaration or observation becomes."""
        if not self.touches(reading, env):
            return [item]
        values = self.values
        match reading.keyword:
            case "secret" | "output":
                targets = tuple(one for target in reading.targets for one in self.declared(target, env))
                changed = replace(reading, targets=targets)
            case "show" | "require":
                value = measured(values, cast("Raw", reading.value), env)
                bound = None if reading.bound is None else values.scalar(reading.bound, env)
                ranges = tuple(
                    replace(one, interval=cast("RawInterval", self.within(one.interval, env))) for one in reading.ranges
                )
                changed = replace(reading, value=value, bound=bound, ranges=ranges)
            case "param":
                default = None if reading.value is None else values.scalar(reading.value, env)
                changed = replace(reading, value=default, interval=self.within(reading.interval, env))
            case "observe" | "const" if reading.value is not None:
                changed = replace(reading, value=values.scalar(reading.value, env))
            case _:
                return [item]
        return self.converted(changed, item)

    def within(self, interval: RawInterval | None, env: Environment) -> RawInterval | None:
        """Return an interval whose ends are expressions of the core."""
        if interval is None:
            return None
        low, high = (self.values.scalar(one, env) for one in (interval.low, interval.high))
        return replace(interval, low=low, high=high)

    def declared(self, target: Raw, env: Environment) -> list[Raw]:
        """Return the variables that a name stands for in a declaration."""
        values = self.values
        several = values.entries(target, env)
        if several is None:
            name, parts = values.place(target, env)
            path = values.path(parts, env)
            if path is not None:
                return [values.target(name, path, target.span)]
            if isinstance(target, Name | Index):
                return [target]
            message = f"a declaration names elements that are known before the run, and that statements assign: '{name}' has none such here"
            raise Refused(WRONG_ARGUMENTS, target.span, message)
        if not all(isinstance(one, Name | Index) for one in several.values()):
            return [Name(values.place(target, env)[0], target.span)]  # a constant or an enumeration, as the check tells
        if isinstance(target, Name) and not self.facts.is_special(target.id):
            return [target]
        return [cast("Raw", respanned(one, target.span)) for one in several.values()]

    def assign(self, item: Placed, reading: RawLeaf, env: Environment) -> list[Item]:
        """Return what an assignment becomes."""
        value = cast("Raw", reading.value)
        if (name := name_of(value)) in self.facts.procedures and name is not None:
            return assign_call(self, item, reading, name, env)
        if len(reading.targets) != 1:
            message = f"found one value for {len(reading.targets)} targets"
            raise Refused(WRONG_RESULTS, reading.span, message)
        if name in DISTRIBUTIONS and name not in FUNCTIONS:
            message = f"'{name}' is a distribution; '~' samples it, ':=' assigns values"
            operator = Span(reading.targets[0].span.end, value.span.start)
            raise Refused(MISPLACED_DISTRIBUTION, reading.span, message, replacement("write '~'", operator, " ~ "))
        values = self.values
        several = values.entries(value, env)
        if several is not None and not (isinstance(value, Index) and isinstance(reading.targets[0], Index)):
            base, path = self.place(reading.targets[0], env)
            if base is not None and path is not None:
                return self.copied(item, base, path, several)
        target = self.target(reading.targets[0], env)
        if not self.touches(reading, env):
            return [item]
        changed = replace(reading, targets=(target,), value=values.scalar(value, env))
        return self.converted(changed, item)

    def jump(self, item: Placed, reading: RawLeaf, env: Environment, jumps: Jumps) -> list[Item]:
        """Return what 'break', 'continue' or 'return' becomes: its flag goes up."""
        word = reading.keyword
        flag = {"break": jumps.breaks, "continue": jumps.continues, "return": jumps.returns}[word]
        if flag is None:
            if word == "return":
                message = "'return' stands in no procedure; 'output x' declares what the attacker sees"
                raise Refused(MISPLACED_JUMP, reading.span, message)
            raise Refused(MISPLACED_JUMP, reading.span, f"'{word}' stands in no loop")
        made: list[Item] = []
        if word == "return":
            for (name, path), value in zip(jumps.results, reading.values, strict=False):
                several = self.values.entries(value, env)
                entries = {(): self.values.scalar(value, env)} if several is None else several
                for rest, one in entries.items():
                    made += self.put(item, name, (*path, *rest), one)
        self.raised.add(flag)
        return [*made, *self.put(item, flag, (), Boolean(True, reading.span))]

    # --- blocks with headers ------------------------------------------------------------------------------------------

    def branch(self, item: If, env: Environment, jumps: Jumps) -> list[Item]:
        """Return a branch, without the arms that loop variables rule out."""
        arms: list[Arm] = []
        otherwise = item.otherwise
        for arm in item.arms:
            reading = self.readings.get(arm.start)
            condition, decided = arm.condition, None
            if isinstance(reading, RawHeader) and reading.condition is not None:
                if reading.keyword in ("while", "repeat", "never", "def"):
                    raise Refused(MISPLACED_JUMP, reading.span, f"'{reading.keyword}' continues no branch")
                if env or self.is_new(reading.condition):
                    core = self.values.scalar(reading.condition, env)
                    decided = static(self.values.resolved(reading.condition, env)) if env else None
                    found: list[Diagnostic] = []
                    condition = expression(core, found)
                    for one in found:
                        self.note(shifted(one, arm.start))
            if decided == 0:
                continue
            inner = self.block(arm.block.items, env, jumps)
            block = Block(tuple(inner), arm.block.span)
            if decided is not None:
                otherwise_made = inner
                return self._with_rest(arms, otherwise_made, block, item)
            arms.append(Arm(condition, block, arm.start, arm.header))
        self.gone = False
        rest = [] if otherwise is None else self.block(otherwise.items, env, jumps)
        if not arms:
            return rest
        self.gone = False
        last = None if otherwise is None else Block(tuple(rest), otherwise.span)
        return [If(tuple(arms), last, item.span)]

    def _with_rest(self, arms: list[Arm], inner: list[Item], block: Block, item: If) -> list[Item]:
        self.gone = self.gone and not arms
        return [If(tuple(arms), block, item.span)] if arms else inner
