"""What is odd in procedures by themselves, whatever their arguments: variables that nothing reads, statements without effect, decided conditions.

A procedure is looked at as a program that shows what it returns. What was found is kept for the next version of the text, as long as the procedure,
those that it calls and what is declared are the same.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TypeAlias

from seepage.data_classes import dataclass
from seepage.diagnostics import Diagnostic
from seepage.semantics.checked import Symbols
from seepage.semantics.memo import Memo
from seepage.semantics.units import Units
from seepage.source import SourceFile, Span
from seepage.syntax.fixes import shifted
from seepage.syntax.lowering.bodies import Body, Calls, body, calls_of
from seepage.syntax.lowering.facts import Procedure, Refused
from seepage.syntax.lowering.lower import Lowered
from seepage.syntax.tree import is_made

Lint: TypeAlias = Callable[[Body], Iterable[Diagnostic]]
_MOST = 100  # procedures of a text that are looked at
_LARGEST = 1_000  # statements of one that is, with those of its calls in their places


@dataclass(frozen=True, slots=True)
class _Known:
    """What was found in one procedure.

    Attributes:
        text: of the procedure.
        calls: what it calls.
        rests_on: what else it was found with.
        found: the findings, with places from the start of the procedure.
    """

    text: str
    calls: Calls
    rests_on: object
    found: tuple[Diagnostic, ...]


_FOUND = Memo[Mapping[str, _Known]]()  # in procedures, by their names


def extent(procedure: Procedure) -> Span:
    """Return where a procedure stands."""
    last = procedure.items[-1] if procedure.items else None
    return Span(procedure.header.start, max(procedure.header.end, 0 if last is None else last.span.end))


def procedures_here(lowered: Lowered) -> list[Procedure]:
    """Return the procedures of a text itself, those of modules apart."""
    own = [each for each in lowered.facts.procedures.values() if each.header.start < len(lowered.text)]
    return own[:_MOST]


def procedure_lints(
    lowered: Lowered, symbols: Symbols, source: SourceFile, units: Units, lint: Lint
) -> Iterator[Diagnostic]:
    """Yield what is odd in the procedures of a text.

    Args:
        lowered: the text, in which nothing is wrong.
        symbols: its names.
        source: the text.
        units: keeps what was found.
        lint: tells what is odd in a procedure by itself.
    """
    before = _FOUND.of(units) or {}
    procedures = procedures_here(lowered)
    texts = {one.name: source[extent(one)] for one in procedures}
    facts = lowered.facts
    around = facts.constants, facts.tables, facts.enumerations, facts.imported, tuple(symbols.params)
    same = {name: known for name, known in before.items() if known.text == texts.get(name)}
    calls = {one.name: same[one.name].calls if one.name in same else calls_of(lowered, one) for one in procedures}
    after: dict[str, _Known] = {}
    sizes = _sizes(calls)
    for one in procedures:
        rests_on = ([texts.get(name, name) for name in _reached(one.name, calls)], around)
        known = same.get(one.name)
        if known is None or known.rests_on != rests_on:
            found = tuple(_found(lowered, one, lint)) if sizes[one.name] <= _LARGEST else ()
            known = _Known(texts[one.name], calls[one.name], rests_on, found)
        after[one.name] = known
        yield from (shifted(each, one.header.start) for each in known.found)
    _FOUND.keep(units, after)


def _reached(name: str, calls: Mapping[str, Calls]) -> list[str]:
    """Return the procedures that one calls, itself or through others."""
    seen: set[str] = set()
    waiting = [*calls[name].called]
    while waiting:
        each = waiting.pop()
        if each not in seen:
            seen.add(each)
            waiting += calls[each].called if each in calls else ()
    return sorted(seen)


def _sizes(calls: Mapping[str, Calls]) -> Mapping[str, int]:
    """Return how many statements procedures have, with those of each that they call in the place of each call; others, and the same again, count once."""
    found: dict[str, int] = {}

    def size(name: str, around: frozenset[str]) -> int:
        if name not in calls or name in around:
            return 1
        if name not in found:
            inside = around | {name}
            of_calls = sum(count * size(each, inside) for each, count in calls[name].called.items())
            found[name] = calls[name].statements + of_calls
        return found[name]

    for name in calls:
        size(name, frozenset())
    return found


def _found(lowered: Lowered, procedure: Procedure, lint: Lint) -> Iterator[Diagnostic]:
    try:
        alone = body(lowered, procedure)
    except Refused:
        return
    if alone.wrong:
        return  # something else stands in the place of a statement
    here, own = extent(procedure), re.compile(rf"\b{re.escape(procedure.name)}\.(\w+)(@0)?")
    for each in lint(alone):
        if (is_made(each.subject) and each.subject not in alone.own) or not here.contains(each.span.start):
            continue
        # A variable of a procedure cannot be asked for in the program.
        fixes = tuple(fix for fix in each.fixes if all(here.contains(edit.span.start) for edit in fix.edits))
        named = replace(
            each,
            message=own.sub(r"\1", each.message),
            labels=tuple(replace(label, message=own.sub(r"\1", label.message)) for label in each.labels),
            notes=tuple(own.sub(r"\1", note) for note in each.notes),
            fixes=tuple(replace(fix, title=own.sub(r"\1", fix.title)) for fix in fixes),
            subject=own.sub(r"\1", each.subject),
        )
        yield shifted(named, -procedure.header.start)


def starts_in(procedures: Iterable[Procedure]) -> Callable[[int], bool]:
    """Return what tells whether something that starts at a place stands in a procedure."""
    extents = [extent(one) for one in procedures]
    return lambda start: any(one.contains(start) for one in extents)
