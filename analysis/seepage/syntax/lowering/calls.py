"""Calls of procedures that draw, observe or give several results: their block in the place of the call, its variables being new ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, cast

from seepage.rules import (
    BUDGET_EXCEEDED,
    ENDLESS_RECURSION,
    MISPLACED_DISTRIBUTION,
    NOT_SUPPORTED,
    WRONG_RESULTS,
)
from seepage.source import Span
from seepage.syntax.lowering.facts import Environment, Inlined, Procedure, Refused
from seepage.syntax.lowering.forms import number, respanned, static
from seepage.syntax.lowering.jumps import Jumps, without
from seepage.syntax.lowering.values import Entries
from seepage.syntax.lowering.writing import LIMIT, Writing
from seepage.syntax.raw import (
    Raw,
    RawCall,
    RawLeaf,
)
from seepage.syntax.tree import (
    Arm,
    Block,
    Boolean,
    Call,
    For,
    If,
    Item,
    Leaf,
    Name,
    Placed,
    While,
)

MAX_INLINED = 100  # procedures with chance inside of each other


def assign_call(work: Writing, item: Placed, reading: RawLeaf, name: str, env: Environment) -> list[Item]:
    """Return what the assignment of results of a procedure becomes."""
    procedure = work.facts.procedures[name]
    call = cast("Raw", reading.value)
    if work.laws.draws(procedure) or work.laws.observes(procedure):
        operator = work.operators.get(item.start) or reading.span
        message = f"'{name}' draws or observes, so that it is a law; write '~' to draw from it"
        raise Refused(MISPLACED_DISTRIBUTION, operator, message)
    return inlined(work, item, reading, procedure, arguments_of(call), env)


def inlined(
    work: Writing, item: Placed, reading: RawLeaf, procedure: Procedure, arguments: list[Raw], env: Environment
) -> list[Item]:
    """Return the block of a procedure in the place of its call, its variables being new ones."""
    laws = work.laws
    call = cast("Raw", reading.value)
    laws.check(procedure, arguments, env, call.span)
    width = laws.width(procedure)
    if width != len(reading.targets):
        raise Refused(WRONG_RESULTS, reading.span, _do_not_fit(procedure.name, width, len(reading.targets)))
    is_law = laws.draws(procedure) or laws.observes(procedure)
    if not is_law and (len(work.calls) > 30 or procedure.name in work.calls):
        outer = laws.pure_call(procedure.name, arguments, env, call.span)
        return results(work, item, reading, outer, env)
    check_depth(work, procedure, arguments, env, call.span)
    number_of_call = work.fresh = work.fresh + 1
    outputs = tuple(f"{procedure.name}.result{at}@{number_of_call}" for at in range(width))
    asked = _asked(work, procedure, arguments, env)
    known = work.facts.inlined.get(asked)
    made: list[Item] = []
    if known is not None and work.is_trial:
        work.skipped += known.statements
        for name, paths in zip(outputs, known.shapes, strict=True):
            work.facts.shapes.setdefault(name, {}).update(dict.fromkeys(paths))
    elif known is not None and work.steps + known.statements > LIMIT:
        message = (
            f"limit reached: '{procedure.name}' becomes {known.statements:,} statements here, as each call in it is written out, more than "
            f"{LIMIT:,}; draw a value once where it is used twice, or write a loop"
        )
        raise Refused(BUDGET_EXCEEDED, call.span, message)
    else:
        before = work.steps + work.skipped
        made = _written_out(work, item, reading, procedure, arguments, env, outputs, number_of_call)
        shapes = [tuple(work.facts.shapes.get(name, ())) for name in outputs]
        work.facts.inlined[asked] = Inlined(work.steps + work.skipped - before, shapes)
    for target, name in zip(reading.targets, outputs, strict=True):
        several = work.values.entries(Name(name, call.span), {})
        if several is not None:
            made += array_result(work, item, target, several, env)
            continue
        meant = work.target(target, env)
        leaf = RawLeaf("assign", reading.span, targets=(meant,), value=Name(name, call.span))
        made += work.converted(leaf, item)
    return made


def _asked(work: Writing, procedure: Procedure, arguments: Sequence[Raw], env: Environment) -> tuple[object, ...]:
    """Return what the statements depend on that a call becomes, but for the names in them."""
    found: list[object] = [procedure.name]
    for argument in arguments:
        several = work.values.entries(argument, env)
        found.append(static(work.values.resolved(argument, env)) if several is None else tuple(several))
    return tuple(found)


def _written_out(
    work: Writing,
    item: Placed,
    reading: RawLeaf,
    procedure: Procedure,
    arguments: Sequence[Raw],
    env: Environment,
    outputs: Sequence[str],
    number_of_call: int,
) -> list[Item]:
    """Return the statements of a procedure, with new variables, which leave its results in ``outputs``."""
    inner: dict[str, Raw] = {}
    made: list[Item] = []
    call, laws, values = cast("Raw", reading.value), work.laws, work.values
    locals_ = laws.locals(procedure)
    for parameter, argument in zip(procedure.arguments, arguments, strict=True):
        several = values.entries(argument, env)
        name = f"{procedure.name}.{parameter}@{number_of_call}"
        inner[parameter] = Name(name, argument.span)
        known = None if parameter in locals_ else static(values.resolved(argument, env)) if several is None else None
        if known is not None:
            inner[parameter] = number(known, argument.span)
        elif several is not None:
            for path, one in several.items():
                made += work.put(item, name, path, one)
        else:
            made += work.put(item, name, (), values.scalar(argument, env))
    for local in locals_:
        if local not in inner:
            inner[local] = Name(f"{procedure.name}.{local}@{number_of_call}", call.span)
    returned = f"{procedure.name}.returned@{number_of_call}"
    jumps = Jumps(returns=returned, results=tuple((name, ()) for name in outputs), named=procedure.name)
    before, work.calls = work.calls, (*work.calls, procedure.name)
    try:
        body = work.block(procedure.items, inner, jumps)
    finally:
        work.calls = before
    body = without(body, {returned} - work.used)
    if returned in work.used:
        made += work.put(item, returned, (), Boolean(False, call.span))
    made += laws.resets(procedure, inner, item, work)
    made += body if before else [relocated(one, item, reading.span) for one in body]  # the outermost call moves all
    return [work.local(made, item, reading.span, procedure.name)] if laws.observes(procedure) else made


def check_depth(work: Writing, procedure: Procedure, arguments: Sequence[Raw], env: Environment, span: Span) -> None:
    """Refuse a procedure with chance that calls itself with arguments that are not known, or too deeply."""
    if procedure.name in work.calls and any(
        static(work.values.resolved(one, env)) is None for one in arguments if work.values.entries(one, env) is None
    ):
        message = (
            f"'{procedure.name}' calls itself with arguments that are not known before the analysis: "
            "write what it does again as a loop, 'repeat { … } until …'"
        )
        raise Refused(ENDLESS_RECURSION, span, message)
    if len(work.calls) >= MAX_INLINED:
        message = f"'{procedure.name}' is called more than {MAX_INLINED} deep: write what it does again as a loop, 'repeat {{ … }} until …'"
        raise Refused(ENDLESS_RECURSION, span, message)


def array_result(work: Writing, item: Placed, target: Raw, several: Entries, env: Environment) -> list[Item]:
    """Assign an array that a procedure returns."""
    base, path = work.place(target, env)
    if base is None or path is None:
        raise Refused(NOT_SUPPORTED, target.span, "an array is returned into a variable without a random index")
    return work.copied(item, base, path, several)


def results(work: Writing, item: Placed, reading: RawLeaf, results: tuple[Raw, ...], env: Environment) -> list[Item]:
    """Assign results to the targets of a statement, all at once."""
    made: list[Item] = []
    held = [work.new("result") for _ in results] if len(results) > 1 else []
    for name, value in zip(held, results, strict=False):
        made += work.put(item, name, (), value)
    for at, target in enumerate(reading.targets):
        value = Name(held[at], reading.span) if held else results[at]
        leaf = RawLeaf("assign", reading.span, targets=(work.target(target, env),), value=value)
        made += work.converted(leaf, item)
    return made


def _do_not_fit(name: str, width: int, targets: int) -> str:
    return (
        f"'{name}' gives {width} value{'s' if width != 1 else ''}, found {targets} target{'s' if targets != 1 else ''}"
    )


def arguments_of(raw: Raw) -> list[Raw]:
    """Return the arguments of a call; none of what is no call."""
    match raw:
        case Call(arguments=arguments):
            return list(arguments)
        case RawCall(groups=groups):
            return list(groups[0])
        case _:
            return []


def relocated(item: Item, at: Placed, span: Span) -> Item:
    """Return a statement of a procedure at the place of its call."""
    absolute = span.shift(at.start)

    def block(inside: Block) -> Block:
        return Block(tuple(relocated(one, at, span) for one in inside.items), absolute)

    def moved(arm: Arm) -> Arm:
        condition = cast("Any", respanned(arm.condition, span))
        return Arm(condition, block(arm.block), at.start, absolute)

    match item:
        case Placed(node):
            return Placed(cast("Leaf", respanned(node, span)), at.start, "")
        case If(arms, otherwise):
            rest = None if otherwise is None else block(otherwise)
            return replace(item, arms=tuple(map(moved, arms)), otherwise=rest, span=absolute)
        case While(arm, never):
            return While(moved(arm), None if never is None else block(never), absolute)
        case For():
            return item
