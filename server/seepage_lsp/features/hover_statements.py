"""Hovers of statements: ``observe``, ``if``, ``~`` and ``for``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from seepage.exact import to_fraction
from seepage.measures.digits import FEW_DIGITS
from seepage.measures.facts import PassingFacts
from seepage.report.statements import (
    describe_branches,
    describe_law,
    describe_loop,
    describe_observe,
    exactness_text,
    spread_text,
)
from seepage.semantics.checked import Checked, Kind
from seepage.semantics.expressions import plain_names
from seepage.semantics.law_values import standard_deviation
from seepage.semantics.static import quiet_value
from seepage.source import Span
from seepage.symbols.names import reading_at, tree_of
from seepage.syntax.comments import blank_comments
from seepage.syntax.raw import RawHeader
from seepage.syntax.tree import Expression, Family, For, If, Item, Observe, Placed, Sample, While, blocks_of
from seepage.syntax.vocabulary.table import WORDS, headline
from seepage.syntax.walk import nodes
from seepage_lsp.features.answers import passing_of
from seepage_lsp.features.laws import named_law
from seepage_lsp.workspace import Snapshot

_ELSE = re.compile(r"\belse\b")
_MOST_LOOPS = 2_000  # times that an inner loop is reached, counted while someone waits


def statement_at(snapshot: Snapshot, checked: Checked, offset: int) -> tuple[Span, str, bool] | None:
    """Return the part of a statement around an offset that is hovered, what is said of it, and whether that has numbers of an analysis."""
    item = innermost(tree_of(checked).items, offset)
    match item:
        case Placed(node=Observe()):
            return item.span, *_observe(snapshot, checked, item)
        case Placed(node=Sample() as sample):
            return item.span, _sample(checked, item, sample), False
        case For(header=header) if header.contains(offset):
            return header, _for(checked, item), False
        case If() if _is_branch(checked, item):
            arm = next((arm for arm in item.arms if arm.header.contains(offset)), None)
            place = arm.header if arm is not None else _else(checked, item, offset)
            return None if place is None else (place, *_if(snapshot, checked, item))
        case _:
            return None


def _is_branch(checked: Checked, item: If) -> bool:
    """Tell whether a header with a block is an ``if``: the headers of ``while``, ``repeat``, ``never`` and ``def`` have the same form."""
    reading = reading_at(checked, item.arms[0].start)
    return not isinstance(reading, RawHeader) or reading.keyword in ("if", "else if")


def innermost(items: Sequence[Item], offset: int) -> Item | None:
    """Return the statement whose own part, outside of the statements inside of it, holds an offset."""
    for item in items:
        if not item.span.contains(offset):
            continue
        match item:
            case Placed():
                return item
            case For(block=block):
                return innermost(block.items, offset) or item
            case If() | While():
                blocks = blocks_of(item)
                inside = (innermost(block.items, offset) for block in blocks if block.span.contains(offset))
                return next((one for one in inside if one is not None), item)
    return None


def _else(checked: Checked, item: If, offset: int) -> Span | None:
    """Return the place of the ``else`` at an offset: between two blocks of a chain."""
    blanked = blank_comments(checked.source.text).text
    starts = [arm.header.start for arm in item.arms[1:]]
    if item.otherwise is not None:
        starts.append(item.otherwise.span.start)
    for arm, start in zip(item.arms, starts, strict=False):
        match = _ELSE.search(blanked, arm.block.span.end, start)
        if match is not None and match.start() <= offset <= match.end():
            return Span(*match.span())
    return None


def _observe(snapshot: Snapshot, checked: Checked, item: Placed) -> tuple[str, bool]:
    assert isinstance(item.node, Observe)
    condition = item.node.condition
    facts = passing_of(snapshot, item.span)
    source = snapshot.finished.source if snapshot.finished is not None else None
    said = describe_observe(checked.source[condition.span.shift(item.start)], facts, source, _digits(snapshot))
    return _with_exactness(said, checked, item.span, (condition,)), facts is not None


def _if(snapshot: Snapshot, checked: Checked, item: If) -> tuple[str, bool]:
    arms: list[tuple[str, PassingFacts | None]] = [
        (checked.source[arm.condition.span.shift(arm.start)], passing_of(snapshot, arm.header)) for arm in item.arms
    ]
    if item.otherwise is not None:
        arms.append(("", passing_of(snapshot, item.otherwise.span)))
    source = snapshot.finished.source if snapshot.finished is not None else None
    said = describe_branches(arms, source, _digits(snapshot))
    for arm in item.arms:
        said = _with_exactness(said, checked, arm.header, (arm.condition,))
    return said, any(facts is not None for _, facts in arms)


def _digits(snapshot: Snapshot) -> int:
    return snapshot.settings.digits or FEW_DIGITS


def _with_exactness(said: str, checked: Checked, span: Span, conditions: tuple[Expression, ...]) -> str:
    verdict = exactness(checked, span, conditions)
    return f"{said}\n\n{verdict}" if verdict and verdict not in said else said


def exactness(checked: Checked, span: Span, expressions: tuple[Expression, ...], *, continuous: bool = False) -> str:
    """Return the verdict on a part of the program; nothing is said of what is discrete."""
    reasons = [
        one for one in checked.classification.inexact if span.start <= one.span.start and one.span.end <= span.end
    ]
    names = {name for expression in expressions for name in plain_names(expression)}
    reads = any(checked.kinds.get(name) in (Kind.CONTINUOUS, Kind.MIXED) for name in names)
    return exactness_text(reasons, continuous=continuous or reads)


def _sample(checked: Checked, item: Placed, node: Sample) -> str:
    families = [one for one in nodes(node.distribution) if isinstance(one, Family)]
    meanings = [headline(WORDS[one.name]) for one in families if one.name in WORDS]
    spreads = (standard_deviation(one, item.start, checked.symbols.consts) for one in families)
    meanings += [spread_text(spread) for spread in spreads if spread is not None]
    law = named_law(checked.source.text, node.distribution, item.start)
    continuous = any(_is_continuous(one) for one in families)
    verdict = exactness(checked, item.span, (), continuous=continuous)
    meaning = "\n\n".join(dict.fromkeys(meanings))
    return describe_law(checked.source[node.target.span.shift(item.start)], law, meaning, verdict)


def _is_continuous(family: Family) -> bool:
    word = WORDS.get(family.name)
    return getattr(word, "kind", None) == "continuous"


def _for(checked: Checked, item: For) -> str:
    outer = [
        one
        for one in tree_of(checked).walk()
        if isinstance(one, For) and one is not item and one.block.span.contains(item.span.start)
    ]
    ranges = list(islice(_ranges(checked, [*outer, item], {}), _MOST_LOOPS + 1))
    known = None if any(one is None for one in ranges) or len(ranges) > _MOST_LOOPS else ranges
    return describe_loop(item.name, None if known is None else [one for one in known if one is not None])


def rounds(checked: Checked, loop: For) -> int | None:
    """Return how often a loop runs whose ends are whole numbers that are known without other loops; None elsewhere."""
    ends = [_integer(checked, one, loop.start, {}) for one in (loop.low, loop.high)]
    low, high = ends
    return None if low is None or high is None else max(high - low + 1, 0)


def _ranges(checked: Checked, loops: list[For], values: dict[str, int]) -> Iterator[range | None]:
    """Yield the range of the last of nested loops for each choice of the variables of the others; None where it is not known."""
    loop, *inner = loops
    ends = [_integer(checked, one, loop.start, values) for one in (loop.low, loop.high)]
    low, high = ends
    if low is None or high is None:
        yield None
        return
    here = range(low, high + 1)
    if not inner:
        yield here
        return
    for value in here:
        yield from _ranges(checked, inner, {**values, loop.name: value})


def _integer(checked: Checked, expression: Expression, start: int, values: dict[str, int]) -> int | None:
    value = quiet_value(expression, start, {**checked.symbols.consts, **values})
    fraction = None if value is None else to_fraction(value)
    return int(fraction) if fraction is not None and fraction.denominator == 1 else None


def loop_range(checked: Checked, offset: int, name: str) -> str | None:
    """Return what is said of a loop variable that stands at an offset."""
    loops = [
        one
        for one in tree_of(checked).walk()
        if isinstance(one, For) and one.name == name and one.span.start <= offset <= one.span.end
    ]
    return _for(checked, max(loops, key=lambda one: one.span.start)) if loops else None
