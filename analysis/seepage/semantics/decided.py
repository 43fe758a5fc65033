"""Conditions that are decided without running: observations that always or never hold, branches that no run takes, loops that never run."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache

from seepage import rules
from seepage.diagnostics import Diagnostic, Edit, Fix, Label, Tag
from seepage.exact import show
from seepage.semantics.checked import Symbols
from seepage.semantics.evaluate import spelled
from seepage.semantics.expressions import without_parentheses
from seepage.semantics.first_reads import assigned
from seepage.semantics.flow import Flow
from seepage.semantics.ranges import FALSE, TRUE, Range
from seepage.semantics.removal import remove
from seepage.semantics.runs import Stretch
from seepage.semantics.static import quiet_value
from seepage.semantics.units import Units
from seepage.source import SourceFile, Span
from seepage.syntax.tree import Boolean, Expression, For, If, Item, Module, Observe, Placed, While, blocks_of, start_of

_WORD = re.compile(r"\w+")
_FADED = (Tag.UNNECESSARY,)


def decided(
    tree: Module,
    symbols: Symbols,
    flow: Flow,
    source: SourceFile,
    units: Units,
    is_hidden: Callable[[int], bool] = lambda start: False,
) -> Iterator[Diagnostic]:
    """Yield what the ranges of conditions decide, and the loops that never run; ``is_hidden`` tells by their starts of which nothing is said."""
    ranges = flow.decided
    if not ranges:
        for loop in units.loops():
            if not is_hidden(loop.start):
                yield from _loop(loop, symbols, source)
        return
    starts = sorted(place.start for place in ranges)
    for item in _deciding(tree.items, starts, units):
        if is_hidden(start_of(item)):
            continue
        match item:
            case Placed(node=Observe(condition=condition)):
                yield from _observation(item, condition, ranges.get(item.span))
            case If():
                yield from _branch(item, ranges)
            case For():
                yield from _loop(item, symbols, source)
            case While(arm=arm):
                if ranges.get(arm.header) == FALSE:
                    message = f"the loop never runs: '{_text(arm.condition)}' is false on every run that gets here"
                    yield Diagnostic(rules.LOOP_NEVER_RUNS, arm.header, message)
            case _:
                pass


def _deciding(items: Sequence[Item], starts: Sequence[int], units: Units) -> Iterator[Item]:
    """Yield the loops, and what else stands around places, with all around those."""
    for part in units.parts(items):
        if isinstance(part, Stretch):
            if part.run.says.loops or _are_between(starts, part.start, part.end):
                yield from Module(part.items, Span(part.start, part.end)).walk()
            continue
        yield part
        match part:
            case _:
                for block in blocks_of(part):
                    yield from _deciding(block.items, starts, units)


def _are_between(starts: Sequence[int], low: int, high: int) -> bool:
    return bisect_left(starts, low) < bisect_left(starts, high)


def _observation(item: Placed, condition: Expression, found: Range | None) -> Iterator[Diagnostic]:
    text = _text(condition)
    if found == TRUE:
        message = f"the observation always holds: '{text}' is true on every run that gets here"
        yield Diagnostic(rules.ALWAYS_OBSERVED, item.span, message, tags=_FADED)
    elif found == FALSE and not isinstance(without_parentheses(condition), Boolean):
        message = f"the observation never holds: '{text}' is false on every run that gets here"
        yield Diagnostic(rules.NEVER_OBSERVED, item.span, message)


def _branch(item: If, ranges: Mapping[Span, Range]) -> Iterator[Diagnostic]:
    """Yield the blocks of a branch that no run enters: those whose condition is false, and all after one that is true."""
    always: Label | None = None
    for arm in item.arms:
        found = ranges.get(arm.header)
        place = arm.condition.span.shift(arm.start)
        if always is not None:
            yield _unreachable(arm.block.span, "an earlier condition is always true", always)
        elif found == FALSE:
            label = Label(place, f"'{_text(arm.condition)}' is false on every run that gets here")
            yield _unreachable(arm.block.span, f"'{_text(arm.condition)}' is never true", label)
        elif found == TRUE:
            always = Label(place, f"'{_text(arm.condition)}' is true on every run that gets here")
    if always is not None and item.otherwise is not None:
        yield _unreachable(item.otherwise.span, "an earlier condition is always true", always)


def _unreachable(span: Span, why: str, label: Label) -> Diagnostic:
    message = f"no run takes this branch: {why}"
    return Diagnostic(rules.UNREACHABLE_BRANCH, span, message, labels=(label,), tags=_FADED)


def _loop(item: For, symbols: Symbols, source: SourceFile) -> Iterator[Diagnostic]:
    low, high = (quiet_value(bound, item.start, symbols.consts) for bound in (item.low, item.high))
    if isinstance(low, int) and isinstance(high, int) and high < low:
        low_place, high_place = item.low.span.shift(item.start), item.high.span.shift(item.start)
        swap = Fix("swap the bounds", (Edit(low_place, spelled(item.high)), Edit(high_place, spelled(item.low))))
        gone = remove("remove the loop", (item.span,), source.text)
        fixes = (swap,) if _is_needed(item, symbols, source) else (swap, gone)
        message = f"the loop never runs: its last value {show(high)} is below its first value {show(low)}"
        yield Diagnostic(rules.LOOP_NEVER_RUNS, low_place.cover(high_place), message, fixes=fixes)


def _is_needed(loop: For, symbols: Symbols, source: SourceFile) -> bool:
    """Tell whether a loop has the only assignments of a variable that is named elsewhere; without it the name would be unknown."""
    everywhere, inside = _words(source.text), Counter(_WORD.findall(source[loop.span]))
    return any(
        everywhere[name] > inside[name]
        and all(loop.span.contains(span.start) for span in symbols.variables[name].spans)
        for name in dict.fromkeys(assigned(loop.block))
        if name in symbols.variables
    )


@lru_cache(maxsize=1)
def _words(text: str) -> Counter[str]:
    """Count the words of a text, once for all loops in it."""
    return Counter(_WORD.findall(text))


def _text(expression: Expression) -> str:
    text = spelled(without_parentheses(expression))
    return text if len(text) <= 60 else text[:57] + "…"
