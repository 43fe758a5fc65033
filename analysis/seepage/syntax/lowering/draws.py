"""Draws: laws of numbers as they stand, the others written out; draws given an event, and what an attacker chooses."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

from seepage.rules import (
    NOT_SUPPORTED,
    WRONG_ARGUMENTS,
    WRONG_RESULTS,
)
from seepage.syntax.lowering.calls import arguments_of, inlined
from seepage.syntax.lowering.choices import choice, elements
from seepage.syntax.lowering.data import table_of
from seepage.syntax.lowering.facts import Environment, Refused
from seepage.syntax.lowering.forms import folded, number, replace_item, respanned
from seepage.syntax.lowering.laws import Weighted, array_law, name_of, scalar_law
from seepage.syntax.lowering.rows import drawn as row_drawn
from seepage.syntax.lowering.vectors import is_vector_law, vector_drawn
from seepage.syntax.lowering.writing import Writing
from seepage.syntax.raw import (
    Raw,
    RawLeaf,
    RawTable,
)
from seepage.syntax.tree import (
    Call,
    Index,
    Item,
    Name,
    Placed,
)
from seepage.syntax.vocabulary.array_laws import ARRAY_LAWS


def sample(work: Writing, item: Placed, reading: RawLeaf, env: Environment) -> list[Item]:
    """Return what a draw becomes."""
    if reading.given is not None:
        return given(work, item, reading, reading.given, env)
    drawn = cast("Raw", reading.value)
    values = work.values
    if (table := table_of(drawn, work.facts, env)) is not None:
        return row_drawn(work, item, reading, table, env)
    name = name_of(drawn)
    if name is not None and name in work.facts.procedures:
        return inlined(work, item, reading, work.facts.procedures[name], arguments_of(drawn), env)
    if is_vector_law(work, drawn, env):
        return vector_drawn(work, item, reading, env)
    if name in ARRAY_LAWS:
        return numbered(work, item, reading, array_law(values, drawn, env), env)
    if name == "negative_binomial":
        return waiting(work, item, reading, env)
    if not work.touches(reading, env) and all(isinstance(one, Name) for one in reading.targets):
        work.target(reading.targets[0], env)
        return [item] if work.readings.get(item.start) is reading else work.converted(reading, item)
    if len(reading.targets) != 1:
        raise Refused(WRONG_RESULTS, reading.span, f"found one value for {len(reading.targets)} targets")
    law = scalar_law(values, drawn, env)
    target = work.target(reading.targets[0], env)
    return work.converted(replace(reading, targets=(target,), value=law), item)


def given(work: Writing, item: Placed, reading: RawLeaf, condition: Raw, env: Environment) -> list[Item]:
    """Return a draw among the values for which a condition holds; in it the targets have these values."""
    drawn = sample(work, item, replace(reading, given=None), env)
    held = RawLeaf("observe", condition.span, value=work.values.scalar(condition, env))
    return [work.local([*drawn, *work.converted(held, item)], item, reading.span, "")]


def waiting(work: Writing, item: Placed, reading: RawLeaf, env: Environment) -> list[Item]:
    """Draw the failures before the r-th success as the sum of those before each."""
    values = work.values
    call = cast("Raw", reading.value)
    arguments = arguments_of(call)
    if len(arguments) != 2 or len(reading.targets) != 1:
        raise Refused(WRONG_ARGUMENTS, call.span, "expected 'negative_binomial(r, p)'")
    times = values.known(arguments[0], env)
    if times is None or not 1 <= times <= 100:
        raise Refused(WRONG_ARGUMENTS, arguments[0].span, "expected a static whole number from 1 to 100")
    chance = values.scalar(arguments[1], env)
    made: list[Item] = []
    parts: list[Raw] = []
    for _ in range(times):
        name = work.new("wait")
        law = Call("geometric", (cast("Any", chance),), call.span, call.span)
        leaf = RawLeaf("sample", reading.span, targets=(Name(name, reading.targets[0].span),), value=law)
        made += work.converted(leaf, replace_item(item, name))
        parts.append(Name(name, reading.span))
    target = work.target(reading.targets[0], env)
    leaf = RawLeaf("assign", reading.span, targets=(target,), value=folded("+", parts))
    return [*made, *work.converted(leaf, item)]


def numbered(work: Writing, item: Placed, reading: RawLeaf, weighted: Weighted, env: Environment) -> list[Item]:
    """Draw the number of an array of values, then assign each of them."""
    base, path = work.place(reading.targets[0], env)
    if len(reading.targets) != 1:
        raise Refused(WRONG_RESULTS, reading.span, f"found one array for {len(reading.targets)} targets")
    if base is None or path is None:
        raise Refused(NOT_SUPPORTED, reading.span, "an array is drawn into a variable without a random index")
    span = cast("Raw", reading.value).span
    number_name = work.new("which")
    entries = tuple((number(at, span), weight) for at, (_, weight) in enumerate(weighted))
    table = cast("Raw", respanned(RawTable(entries, span), span))
    leaf = RawLeaf("sample", reading.span, targets=(Name(number_name, span),), value=table)
    made = work.converted(leaf, replace_item(item, number_name))
    for at in range(len(weighted[0][0])):
        looked = work.new("row")
        for chosen, (row, _) in enumerate(weighted):
            made += work.put(item, looked, (chosen,), row[at])
        made += work.put(item, base, (*path, at), Index(looked, Name(number_name, span), span, span))
    return made


def choose(work: Writing, item: Placed, reading: RawLeaf, env: Environment) -> list[Item]:
    """Return what the attacker chooses; a choice that may not stand here is told of elsewhere, and binds its names."""
    if item.start in work.facts.misplaced:
        return work.harmless(item)
    work.transformed.add(item.start)
    targets = [work.target(each, env) for one in reading.targets for each in elements(work.values, one, env)]
    return [Placed(choice(work.values, reading, one, env), item.start, item.documentation) for one in targets]
