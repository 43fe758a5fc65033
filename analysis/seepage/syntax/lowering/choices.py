"""What attackers choose, ``attacker g in 0..9``: where it may stand, from which values, and that what was seen stays as it was."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any, cast

from seepage.diagnostics import Advice, Diagnostic, Edit, Fix, Label
from seepage.rules import MISPLACED_CHOICE, NOT_SUPPORTED, SEEN_OUTPUT_CHANGES, WRONG_ARGUMENTS
from seepage.source import Span
from seepage.syntax import convert
from seepage.syntax.fixes import replacement
from seepage.syntax.lowering.facts import Environment, Refused
from seepage.syntax.lowering.forms import static
from seepage.syntax.lowering.values import Values
from seepage.syntax.raw import Raw, RawElement, RawHeader, RawLeaf, RawRun, RawSet
from seepage.syntax.tree import (
    Argument,
    Assign,
    Choice,
    For,
    If,
    Index,
    Item,
    Module,
    Name,
    Number,
    Output,
    Placed,
    Sample,
    Secret,
    Target,
    array_of,
    blocks_of,
    start_of,
)

_AT_THE_END = Advice(
    "what is seen at the end only is computed in another variable, and assigned to the output after the last choice"
)
_MOST_CHOICES = 10_000  # of one statement
Readings = Mapping[int, RawLeaf | RawHeader]

_OUTSIDE = {
    "while": "outside of while and repeat",
    "repeat": "outside of while and repeat",
    "never": "outside of while and repeat",
    "def": "outside of procedures",
}


def has_choices(readings: Readings) -> bool:
    """Tell whether an attacker chooses anything in a text."""
    return any(isinstance(one, RawLeaf) and one.keyword == "attacker" for one in readings.values())


def choice(values: Values, reading: RawLeaf, target: Raw, env: Environment) -> Sample:
    """Return the choice of one variable.

    Raises:
        Refused: if the values are not known before the analysis, or there are none.
    """
    domain = reading.value
    assert domain is not None
    found: dict[Fraction, Number] = {}
    for one in _members(values, domain, env):
        known = static(values.resolved(one, env))
        if known is None:
            raise Refused(WRONG_ARGUMENTS, one.span, "what an attacker chooses from must be known before the analysis")
        found.setdefault(known, Number(known, domain.span))
    if not found:
        raise Refused(WRONG_ARGUMENTS, domain.span, "found nothing to choose from")
    zero = convert.zero(target.span.end)
    written = convert.leaf(RawLeaf("assign", reading.span, targets=(target,), value=zero), None, [])
    assert isinstance(written, Assign)
    arguments = tuple(Argument(None, one, one.span) for one in found.values())
    return Sample(written.target, Choice("attacker", arguments, domain.span, domain.span), reading.span)


def elements(values: Values, target: Raw, env: Environment) -> Iterator[Raw]:
    """Yield the variables that a target stands for: of ``g[1..3]`` each element, which is a choice of its own.

    Raises:
        Refused: if an end is not known before the analysis, or there are too many.
    """
    if not isinstance(target, RawElement):
        yield target
        return
    steps = [[*values.domain(one, env)] if isinstance(one, RawRun) else [one] for one in target.subscripts]
    if prod(map(len, steps)) > _MOST_CHOICES:
        raise Refused(NOT_SUPPORTED, target.span, f"these are more than {_MOST_CHOICES:,} choices")
    if not all(steps):
        raise Refused(
            WRONG_ARGUMENTS, target.span, "found no element to choose: a range goes from the lesser number on"
        )
    for subscripts in product(*steps):
        if isinstance(target.base, Name) and len(subscripts) == 1:
            yield Index(target.base.id, cast("Any", subscripts[0]), target.base.span, target.span)
        else:
            yield RawElement(target.base, subscripts, target.span)


def _members(values: Values, domain: Raw, env: Environment) -> Iterator[Raw]:
    if not isinstance(domain, RawSet):
        yield from values.domain(domain, env)
        return
    for member in domain.members:
        if isinstance(member, RawRun):
            yield from values.domain(member, env)
        elif (several := values.entries(member, env)) is not None:
            yield from several.values()
        else:
            yield values.scalar(member, env)


def with_fixes(found: Diagnostic, items: Sequence[Item], readings: Readings, text: str) -> Diagnostic:
    """Return what is wrong with a choice or an output that one has seen, with the fix that its place in the text allows.

    Args:
        found: the finding.
        items: of the whole text, as they are written.
        readings: what each piece says.
        text: the whole text.
    """
    around = list(_around(items, found.span.start))
    if found.rule is MISPLACED_CHOICE and around:
        if text.startswith("attacker", found.span.start):
            return replace(found, fixes=_asked_before(around, found.span, text))
        if isinstance(around[-1], Placed) and isinstance(readings.get(found.span.start), RawLeaf):
            is_value = cast("RawLeaf", readings[found.span.start]).keyword in ("assign", "sample")
            return replace(found, fixes=replacement("remove it", found.span, "skip")) if is_value else found
    if found.rule is SEEN_OUTPUT_CHANGES:
        loop = next((one for one in reversed(around) if isinstance(one, For)), None)
        written = text[found.span.start : found.span.end]
        name = re.match(r"\w+(?=\s*(:=|~))", written)
        if loop is not None and name is not None and len(re.findall(rf"\b{name[0]}\b", written)) == 1:
            element = f"{name[0]}[{loop.name}]"
            place = Span(found.span.start, found.span.start + len(name[0]))
            return replace(found, fixes=replacement(f"write '{element}'", place, element))
    return found


def _asked_before(around: Sequence[Item], span: Span, text: str) -> tuple[Fix, ...]:
    """Return the fix that moves a choice before the branch or loop that it stands in."""
    *outer, leaf = around
    number = next((at for at, one in enumerate(outer) if isinstance(one, If)), None)
    if number is None or not isinstance(leaf, Placed) or any(isinstance(one, For) for one in outer[number:]):
        return ()
    at = start_of(outer[number])
    indent = text[text.rfind("\n", 0, at) + 1 : at]
    line = f"{text[span.start : span.end]}\n{indent if not indent.strip() else ''}"
    return (Fix("let the attacker choose before, in any case", (Edit(Span(at, at), line), Edit(span, "skip"))),)


def _around(items: Sequence[Item], start: int) -> Iterator[Item]:
    """Yield the items that hold the piece which starts at an offset, from the outermost on, itself at last."""
    while items:
        found = next((one for one in items if start_of(one) <= start < one.span.end), None)
        if found is None:
            return
        yield found
        items = [one for block in blocks_of(found) for one in block.items]


def in_blocks(items: Sequence[Item], readings: Readings, word: str = "") -> Iterator[tuple[int, Diagnostic]]:
    """Yield the choices that stand in loops of unknown length and in procedures, by where they start.

    Args:
        items: as they are written.
        readings: what each piece says.
        word: the header that they stand below, if it is one of these.
    """
    for item in items:
        match item:
            case Placed(start=start):
                reading = readings.get(start)
                if word and isinstance(reading, RawLeaf) and reading.keyword == "attacker":
                    message = f"being asked would tell the attacker something: 'attacker' stands {_OUTSIDE[word]}"
                    yield start, Diagnostic(MISPLACED_CHOICE, reading.span.shift(start), message)
            case If(arms, otherwise):
                header = readings.get(arms[0].start)
                inner = header.keyword if isinstance(header, RawHeader) and header.keyword in _OUTSIDE else word
                for arm in arms:
                    yield from in_blocks(arm.block.items, readings, inner)
                if otherwise is not None:
                    yield from in_blocks(otherwise.items, readings, inner)
            case For(block=block):
                yield from in_blocks(block.items, readings, word)


def misused(module: Module) -> Iterator[Diagnostic]:
    """Yield what is wrong with the choices of a text in the words of the core, in which loops are written out where they can be."""
    leaves = list(_leaves(module.items))
    names = {_spelled(target) for one, _ in leaves if _is_choice(one) and (target := _written(one)) is not None}
    for leaf, is_certain in leaves:
        if _is_choice(leaf):
            if not is_certain:
                message = "being asked would tell the attacker something: 'attacker' stands outside of branches that are not decided by constants"
                yield Diagnostic(MISPLACED_CHOICE, leaf.span, message)
        elif (target := _written(leaf)) is not None and _spelled(target) in names:
            name = _spelled(target)
            yield Diagnostic(MISPLACED_CHOICE, leaf.span, f"the attacker chooses '{name}', which has no other value")
        elif isinstance(leaf.node, Secret | Output):
            yield from _declared(leaf, names)
    yield from _changed(leaves)


def _declared(leaf: Placed, names: set[str]) -> Iterator[Diagnostic]:
    assert isinstance(leaf.node, Secret | Output)
    what = "secret" if isinstance(leaf.node, Secret) else "output"
    for target in leaf.node.targets:
        name = _spelled(target)
        if name in names or any(array_of(one) == name for one in names):
            message = f"the attacker chooses '{name}', and so knows it: it is no {what}"
            yield Diagnostic(MISPLACED_CHOICE, target.span.shift(leaf.start), message)


def _changed(leaves: Iterable[tuple[Placed, bool]]) -> Iterator[Diagnostic]:
    """Yield where an output is assigned that a choice has seen."""
    leaves = list(leaves)
    outputs = {_spelled(target) for one, _ in leaves if isinstance(one.node, Output) for target in one.node.targets}
    shown: dict[str, None] = {}
    seen: dict[str, Placed] = {}
    for leaf, _ in leaves:
        if _is_choice(leaf):
            for name in shown:
                seen.setdefault(name, leaf)
            continue
        target = _written(leaf)
        if target is None:
            continue
        name, array = _spelled(target), _array(target)
        if name not in outputs and array not in outputs and not any(array_of(one) == name for one in outputs):
            continue
        touched = [one for one in seen if one in (name, array) or (name == array and array_of(one) == array)]
        if touched:
            asked = seen[touched[0]]
            message = f"a choice has seen '{touched[0]}', which must not change later: use one element for each round"
            labels = (Label(asked.span, "the choice that has seen it"),)
            yield Diagnostic(SEEN_OUTPUT_CHANGES, leaf.span, message, labels, (_AT_THE_END,))
        shown[name] = None


def _is_choice(leaf: Placed) -> bool:
    return isinstance(leaf.node, Sample) and isinstance(leaf.node.distribution, Choice)


def _written(leaf: Placed) -> Target | None:
    return leaf.node.target if isinstance(leaf.node, Assign | Sample) else None


def _spelled(target: Target) -> str:
    """Return a variable's name; of an element whose index is not known, that of its array."""
    match target:
        case Name(name):
            return name
        case Index(array, Number(index)):
            return f"{array}[{index}]"
        case Index(array):
            return array


def _array(target: Target) -> str:
    return target.array if isinstance(target, Index) else array_of(target.id)


def _leaves(items: Sequence[Item], is_certain: bool = True) -> Iterator[tuple[Placed, bool]]:
    """Yield the leaves in order, and whether each runs in any case."""
    for item in items:
        if isinstance(item, Placed):
            yield item, is_certain
        for block in blocks_of(item):
            yield from _leaves(block.items, is_certain and isinstance(item, For))
