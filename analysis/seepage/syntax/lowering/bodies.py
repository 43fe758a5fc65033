"""Procedures by themselves: their statements where they stand in the text, for what is to be told there and not at a call."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from seepage.data_classes import dataclass
from seepage.diagnostics import Diagnostic
from seepage.source import Span
from seepage.syntax.lowering.calls import arguments_of
from seepage.syntax.lowering.facts import Environment, Facts, Procedure, Refused
from seepage.syntax.lowering.forms import number, static
from seepage.syntax.lowering.jumps import Jumps
from seepage.syntax.lowering.lower import Lowered
from seepage.syntax.lowering.procedures import called
from seepage.syntax.lowering.statements import Lowering
from seepage.syntax.raw import Raw, RawLeaf
from seepage.syntax.tree import Const, Item, Module, Name, Param, Placed, start_of


def call_at(lowered: Lowered, span: Span) -> RawLeaf | None:
    """Return what a statement says that stands there and calls a procedure as the whole of its value."""
    reading = lowered.linked.readings.get(span.start)
    if not isinstance(reading, RawLeaf) or reading.span.shift(span.start) != span:
        return None
    return reading if any(name in lowered.facts.procedures for name in called(reading)) else None


def procedures_of(lowered: Lowered, call: RawLeaf) -> Iterator[Procedure]:
    """Yield the procedures of this text that a statement calls, itself or through others; each once."""
    seen: dict[str, None] = {}
    waiting = [call]
    while waiting:
        for name in called(waiting.pop()):
            procedure = lowered.facts.procedures.get(name)
            if procedure is None or name in seen:
                continue
            seen[name] = None
            waiting += [reading for _, reading in _work(lowered).laws.leaves(procedure.items)]
            if procedure.header.start < len(lowered.text):
                yield procedure


@dataclass(frozen=True, slots=True)
class Body:
    """A procedure by itself.

    Attributes:
        tree: its statements in the words of the core, in their own places, with constants and parameters of the text around them.
        wrong: what is wrong with what they were made of.
        results: the variables that hold what it returns.
        own: its arguments and variables, as the tree names them.
    """

    tree: Module
    wrong: Sequence[Diagnostic]
    results: Sequence[str]
    own: Sequence[str]


def body(lowered: Lowered, procedure: Procedure, known: Mapping[str, Raw] | None = None) -> Body:
    """Return a procedure by itself; its arguments are unknown but for those ``known``."""
    work = _work(lowered)
    names = (*procedure.arguments, *work.laws.locals(procedure))
    env: Environment = {one: Name(f"{procedure.name}.{one}@0", Span(0, 0)) for one in names} | dict(known or {})
    results = tuple((f"{procedure.name}.result{at}@0", ()) for at in range(work.laws.width(procedure)))
    jumps = Jumps(returns=f"{procedure.name}.returned@0", results=results, named=procedure.name)
    work.calls = (procedure.name,)
    work.is_trial = True
    work.block(procedure.items, env, jumps)  # which notes the shapes of its arrays
    work.is_trial = False
    made = work.block(procedure.items, env, jumps)
    around = [one for one in lowered.tree.items if isinstance(one, Placed) and isinstance(one.node, Const | Param)]
    items: list[Item] = sorted([*around, *made], key=start_of)
    own = tuple(f"{procedure.name}.{one}@0" for one in names)
    return Body(Module(tuple(items), lowered.written.span), list(work.found), [name for name, _ in results], own)


@dataclass(frozen=True, slots=True)
class Calls:
    """What a procedure calls.

    Attributes:
        statements: how many it has itself.
        called: how many calls it has of each procedure.
    """

    statements: int
    called: Mapping[str, int]


def calls_of(lowered: Lowered, procedure: Procedure) -> Calls:
    """Return what a procedure calls itself."""
    leaves = [reading for _, reading in _work(lowered).laws.leaves(procedure.items)]
    names = (name for reading in leaves for name in called(reading) if name in lowered.facts.procedures)
    return Calls(len(leaves), Counter(names))


def is_call(lowered: Lowered, start: int) -> bool:
    """Tell whether what stands at a place of the text is a draw or an assignment, of which conditions in the core are made."""
    reading = lowered.linked.readings.get(start)
    return isinstance(reading, RawLeaf) and reading.keyword in ("assign", "sample")


def known_arguments(lowered: Lowered, procedure: Procedure, call: RawLeaf) -> dict[str, Raw]:
    """Return the arguments of a call that are numbers known before the analysis."""
    work, found = _work(lowered), dict[str, Raw]()
    written = set(work.laws.locals(procedure))
    arguments = arguments_of(call.value) if call.value is not None else []
    for name, argument in zip(procedure.arguments, arguments, strict=False):
        try:
            value = None if name in written else static(work.values.resolved(argument, {}))
        except Refused:
            continue
        if value is not None:
            found[name] = number(value, Span(0, 0))
    return found


def _work(lowered: Lowered) -> Lowering:
    """Return what lowers statements once more, with facts of its own."""
    facts: Facts = replace(
        lowered.facts,
        shapes={name: dict(paths) for name, paths in lowered.facts.shapes.items()},
        looked_up={},
        rows=dict(lowered.facts.rows),
        given_tables=set(),
    )
    return Lowering(facts, lowered.linked.readings, lowered.linked.operators, unread=lowered.unread)
