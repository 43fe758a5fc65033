"""Array elements that are surely missing, or not assigned yet: reads with a static index that lies beyond everything that is written so far.

Loops are not unrolled: the indices of a loop are bounded by intervals, so that only what is surely wrong is reported here. The
rest is found when the program is unrolled.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from typing import assert_never

from seepage import rules
from seepage.data_classes import dataclass
from seepage.diagnostics import Diagnostic, Edit, Fix, Label
from seepage.exact import Number
from seepage.semantics.checked import Symbols
from seepage.semantics.expressions import arguments_of, nodes
from seepage.semantics.memo import Memo
from seepage.semantics.runs import Stretch
from seepage.semantics.static import quiet_value
from seepage.semantics.units import Units
from seepage.source import Span
from seepage.syntax.fixes import replacement
from seepage.syntax.tree import (
    Assign,
    Binary,
    Conditional,
    Expression,
    For,
    If,
    Index,
    Item,
    Leaf,
    Module,
    Name,
    Observe,
    Placed,
    Sample,
    While,
    blocks_of,
)

Range = tuple[int, int]


@dataclass(frozen=True, slots=True)
class _Place:
    """Where something stands: ``span`` counts from the start of the text, or of a unit of a run."""

    span: Span
    stretch: Stretch | None = None
    unit: int = 0

    def within(self, units: Units) -> Span:
        """Return where that is in the text."""
        return self.span if self.stretch is None else self.span.shift(units.inside(self.stretch)[self.unit].start)


@dataclass(frozen=True, slots=True)
class _Read:
    """A read of elements: the range of its index, surely reached at both ends, and how many writes of the array may come before it."""

    node: Index
    place: _Place
    range: Range
    before: int


@dataclass(frozen=True, slots=True)
class _Elements:
    """What the items of a run write and read where these constants are known: with the number of the unit, and places from its start."""

    constants: Mapping[str, Number]
    uses: tuple[tuple[str, int, Span, Range | None, Index | None], ...]


@dataclass(slots=True)
class _Uses:
    """Ranges of written indices (None: unknown) with their places, in the order of the text, and reads."""

    constants: Mapping[str, Number]
    units: Units
    written: dict[str, list[Range | None]] = field(default_factory=dict)
    places: dict[str, list[_Place]] = field(default_factory=dict)
    read: list[_Read] = field(default_factory=list)
    loops: dict[str, Range] = field(default_factory=dict)


def missing_elements(tree: Module, symbols: Symbols, units: Units) -> Iterator[Diagnostic]:
    """Yield an error for each static read, and each declared secret or output, of an element that surely nothing writes.

    A read of an element that is written later only is a warning, where something else of the array is written before; else
    :mod:`seepage.semantics.flow` tells it.
    """
    if not units.written.elements:
        return  # nothing to compare reads with
    uses = _Uses(symbols.consts, units)
    _collect(tree.items, uses, in_branch=False)
    told: set[tuple[str, int]] = set()  # elements that are read too early, each said where it is read first
    for read in uses.read:
        array = read.node.array
        ranges = uses.written.get(array)
        if ranges is None or array not in symbols.variables:
            continue
        ends = tuple(dict.fromkeys(read.range))
        missing = next((index for index in ends if _surely_missing(index, ranges)), None)
        if missing is not None:
            yield _missing(array, missing, read.place.within(units), ranges, symbols)
            continue
        early = next((index for index in ends if _surely_missing(index, ranges[: read.before])), None)
        if early is not None and read.before and (array, early) not in told:
            told.add((array, early))
            yield _too_early(early, read, uses)
    declared = [(one.name, one.span) for one in symbols.secrets] + [(one.name, one.span) for one in symbols.outputs]
    for name, span in declared:
        array, bracket, rest = name.partition("[")
        ranges = uses.written.get(array) if array in symbols.variables else None
        if bracket and ranges and rest[:-1].lstrip("-").isdecimal() and _surely_missing(int(rest[:-1]), ranges):
            found = _missing(array, int(rest[:-1]), span, ranges, symbols)
            whole = Fix(f"declare all of '{array}'", (Edit(span, array),))  # the size stands there in other languages
            yield found if found.fixes else replace(found, fixes=(whole,))


def _surely_missing(index: int, ranges: list[Range | None]) -> bool:
    return all(one is not None and not one[0] <= index <= one[1] for one in ranges)


def _missing(array: str, index: int, span: Span, ranges: list[Range | None], symbols: Symbols) -> Diagnostic:
    known = [one for one in ranges if one is not None]
    low, high = min(one[0] for one in known), max(one[1] for one in known)
    elements = f"the element {low} only" if low == high else f"elements between {low} and {high}"
    message = f"no statement writes '{array}[{index}]': '{array}' has {elements}"
    labels = (Label(symbols.variables[array].spans[0], f"'{array}' is written here"),)
    fixes: tuple[Fix, ...] = ()
    if low == 0 <= high + 1 + index < high + 1:  # elsewhere, negative indices count from the end
        message = f"{message}; indices do not count from the end"
        fixes = replacement(f"write '{array}[{high + 1 + index}]'", span, f"{array}[{high + 1 + index}]")
    return Diagnostic(rules.MISSING_ELEMENT, span, message, labels=labels, fixes=fixes, subject=array)


def _too_early(index: int, read: _Read, uses: _Uses) -> Diagnostic:
    array = read.node.array
    writes = list(zip(uses.written[array], uses.places[array], strict=True))[read.before :]
    labels = tuple(
        Label(place.within(uses.units), "assigned here first") for found, place in writes if found == (index, index)
    )[:1]
    message = f"'{array}[{index}]' is read before it is assigned, and is 0 here"
    return Diagnostic(
        rules.READ_BEFORE_ASSIGNMENT, read.place.within(uses.units), message, labels=labels, subject=array
    )


def _collect(items: Sequence[Item], uses: _Uses, in_branch: bool) -> None:
    if in_branch or uses.loops:
        for item in _with_elements(items, uses.units):
            _item(item, uses, in_branch)
        return
    for part in uses.units.parts(items):
        if not isinstance(part, Stretch):
            _item(part, uses, in_branch)
        elif _has_elements(part, uses.units):
            _of_run(part, uses)


_ELEMENTS = Memo[_Elements]()  # that a run writes and reads


def _of_run(part: Stretch, uses: _Uses) -> None:
    """Note what a run writes and reads, as it was found when that was looked for first."""
    known = _ELEMENTS.of(part.run)
    if known is None or known.constants != uses.constants:
        known = _ELEMENTS.keep(part.run, _Elements(dict(uses.constants), tuple(_found(part, uses))))
    for array, unit, span, found, node in known.uses:
        place = _Place(span, part, unit)
        writes = uses.written.get(array)
        if node is None:
            uses.written.setdefault(array, []).append(found)
            uses.places.setdefault(array, []).append(place)
        elif found is not None:
            uses.read.append(_Read(node, place, found, 0 if writes is None else len(writes)))


def _found(part: Stretch, uses: _Uses) -> Iterator[tuple[str, int, Span, Range | None, Index | None]]:
    """Yield what a run writes and reads; of a statement reads come first, of a loop writes, as an earlier round comes before, too."""
    numbers = {entry.start: number for number, entry in enumerate(uses.units.inside(part))}
    for item in uses.units.items(part):
        inside = _Uses(uses.constants, uses.units)
        _item(item, inside, in_branch=False)
        writes: list[tuple[str, int, Span, Range | None, Index | None]] = []
        for array, ranges in inside.written.items():
            for found, place in zip(ranges, inside.places[array], strict=True):
                unit, span = _from_unit(place, numbers)
                writes.append((array, unit, span, found, None))
        reads = [(one.node.array, *_from_unit(one.place, numbers), one.range, one.node) for one in inside.read]
        yield from (*writes, *reads) if isinstance(item, For) else (*reads, *writes)


def _from_unit(place: _Place, numbers: Mapping[int, int]) -> tuple[int, Span]:
    """Return the unit that holds a place, and the place from its start."""
    start = max(one for one in numbers if one <= place.span.start)
    return numbers[start], place.span.shift(-start)


def _item(item: Item, uses: _Uses, in_branch: bool) -> None:
    at = uses.units.at
    match item:
        case Placed(node=node, start=start):
            facts = at[id(item)].facts
            if facts.is_element or facts.indexed:
                _leaf(node, start, uses, in_branch)
        case If(arms=arms, otherwise=otherwise):
            for arm in arms:
                facts = at[id(arm)].facts
                if facts.indexed:
                    _reads((arm.condition,), arm.start, uses, in_branch or arm is not arms[0])
                _collect(arm.block.items, uses, in_branch=True)
            if otherwise is not None:
                _collect(otherwise.items, uses, in_branch=True)
        case For():
            _loop(item, uses, in_branch)
        case While(arm=arm):
            if at[id(arm)].facts.indexed:
                _reads((arm.condition,), arm.start, uses, in_branch)
            for block in blocks_of(item):
                _collect(block.items, uses, in_branch=True)
        case _:
            assert_never(item)


def _with_elements(items: Sequence[Item], units: Units) -> Iterator[Item]:
    """Yield the items of a block without those of runs that have nothing to do with arrays."""
    for part in units.parts(items):
        if not isinstance(part, Stretch):
            yield part
        elif _has_elements(part, units):
            yield from units.items(part)


def _has_elements(part: Stretch, units: Units) -> bool:
    return bool(part.run.says.indexed) or not units.written.elements.isdisjoint(part.run.says.targets)


def _leaf(node: Leaf, start: int, uses: _Uses, in_branch: bool) -> None:
    match node:
        case Assign(target=target, value=value):
            _reads((value,), start, uses, in_branch)
            _write(target, start, uses)
        case Sample(target=target, distribution=distribution):
            _reads(tuple(arguments_of(distribution)), start, uses, in_branch)
            _write(target, start, uses)
        case Observe(condition=condition):
            _reads((condition,), start, uses, in_branch)
        case _:
            pass


def _loop(item: For, uses: _Uses, in_branch: bool) -> None:
    low, high = (quiet_value(bound, item.start, uses.constants) for bound in (item.low, item.high))
    known = isinstance(low, int) and isinstance(high, int)
    first, around = len(uses.read), uses.loops
    if isinstance(low, int) and isinstance(high, int):
        if high < low:
            return
        uses.loops = {**around, item.name: (low, high)}
    _collect(item.block.items, uses, in_branch or not known)
    uses.loops = around  # also where a loop inside of another has its variable by mistake
    if not around:  # an earlier iteration comes before, too
        uses.read[first:] = [
            replace(one, before=len(uses.written.get(one.node.array, ()))) for one in uses.read[first:]
        ]


def _write(target: Name | Index, start: int, uses: _Uses) -> None:
    if isinstance(target, Index):
        uses.written.setdefault(target.array, []).append(_range(target.index, start, uses))
        uses.places.setdefault(target.array, []).append(_Place(target.span.shift(start)))


def _reads(expressions: tuple[Expression, ...], start: int, uses: _Uses, in_branch: bool) -> None:
    if in_branch:
        return  # the branch may be statically false for some iterations
    for expression in expressions:
        if any(isinstance(node, Conditional) or _is_lazy(node) for node in nodes(expression)):
            continue  # a part may never be evaluated
        for node in nodes(expression):
            if isinstance(node, Index):
                found = _range(node.index, start, uses)
                if found is not None:
                    uses.read.append(
                        _Read(node, _Place(node.span.shift(start)), found, len(uses.written.get(node.array, ())))
                    )


def _is_lazy(node: Expression) -> bool:
    return isinstance(node, Binary) and node.operator in ("and", "or")


def _range(index: Expression, start: int, uses: _Uses) -> Range | None:
    """Return the ends of an index's values, both reached: a constant, or a loop variable plus or minus a constant."""
    value = quiet_value(index, start, uses.constants)
    if isinstance(value, int):
        return (value, value)
    if isinstance(index, Name):
        return uses.loops.get(index.id)
    if isinstance(index, Binary) and index.operator in ("+", "-") and isinstance(index.left, Name):
        around, shift = uses.loops.get(index.left.id), quiet_value(index.right, start, uses.constants)
        if around is not None and isinstance(shift, int):
            shift = shift if index.operator == "+" else -shift
            return (around[0] + shift, around[1] + shift)
    return None
