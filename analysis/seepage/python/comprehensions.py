"""Comprehensions: a scope of their own; what a condition tells of each element is kept as long as there are few ways."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import TypeAlias

from seepage.python import any_order, assignments, following, iteration, keyed, sequences, truths
from seepage.python.run import Run
from seepage.python.values import TEXT, Num, Object, Range, Ref, Scope, Unknown, Value
from seepage.python.world import Then, World, push

MOST_WAYS = 64
Comprehension: TypeAlias = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
_Inner: TypeAlias = Callable[[World], list[World]]
_SORTS: dict[type[ast.expr], str] = {ast.ListComp: "list", ast.SetComp: "set", ast.DictComp: "dict"}


def comprehension(run: Run, node: Comprehension, world: World) -> list[World]:
    """Evaluate a comprehension; that of a generator to what computes its elements as they are asked for."""
    base, depth, mark = world.code, world.depth, len(run.abrupt)
    if any(one.is_async for one in node.generators):
        return push(world, run.refuse(node, "'async for' is not analysed"))
    if isinstance(node, ast.SetComp):
        any_order.mark_comprehension(run, node)
    found: list[World] = []
    for one in following.evaluate(run, node.generators[0].iter, world):
        first = one.pop()
        if isinstance(node, ast.GeneratorExp):
            keys = ("expression", node, run.frames[-1])
            may_fail = not (
                isinstance(first, Ref | Range | Unknown) or (isinstance(first, Num) and first.kinds == TEXT)
            )
            if may_fail:
                first = run.refuse(node, "a generator of what may be no sequence is not analysed")
            made = (
                Unknown()
                if isinstance(first, Unknown)
                else run.allocate(one, Object("iterator", (sequences.opened(run, first, one),), keys))
            )
            found += push(one, made)
            continue
        place = len(one.temps)
        one.temps.append(run.allocate(one, Object(_SORTS[type(node)], ())))
        found += _loops(run, node, first, run.frames[-1], one, lambda inner, at=place: _put(run, node, at, inner))  # type: ignore[misc]
    return run.join(base, depth, found, run.abrupt[mark:])


def elements(run: Run, node: ast.GeneratorExp, first: Value, frame: int, world: World, handed: Then) -> list[World]:
    """Follow the comprehension of a generator: each of its elements is handed on."""

    def inner(one: World) -> list[World]:
        return [
            after
            for each in following.evaluate(run, node.elt, one)
            for after in handed(each, run.settle(each, each.pop(), "item"))
        ]

    mark = len(run.abrupt)
    ends = _loops(run, node, first, frame, world, inner)
    for one in run.abrupt[mark:]:
        one.outcome = "raise RuntimeError" if one.outcome == "raise StopIteration" else one.outcome
    return ends


def _put(run: Run, node: ast.expr, place: int, world: World) -> list[World]:
    """Evaluate what a comprehension makes of one round, and put it into what it builds."""
    after: list[World] = []
    parts = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]  # type: ignore[attr-defined]
    for one in following.all_of(run, parts, world):
        values, built = one.take(len(parts)), one.temps[place]
        if isinstance(node, ast.ListComp):
            iteration.append(run, one, place, values[0])
            after.append(one)
        elif isinstance(built, Ref) and not any(isinstance(value, Unknown) for value in values):
            after += keyed.store(run, node, built, values[0], values[-1], one)
        else:
            one.temps[place] = Unknown()
            after.append(one)
    return after


def _loops(run: Run, node: Comprehension, first: Value, frame: int, world: World, inner: _Inner) -> list[World]:
    """Follow all ``for`` of a comprehension that stands in a frame."""
    number = run.next()
    targets = {each.id for one in node.generators for each in ast.walk(one.target) if isinstance(each, ast.Name)}
    run.scopes[number] = Scope(frozenset(targets), frame, transparent=True)
    world.frames[number] = {}
    run.frames.append(number)
    ends = _loop(run, list(node.generators), first, world, inner)
    run.frames.pop()
    if not any(isinstance(each, ast.Lambda | ast.GeneratorExp) for each in ast.walk(node) if each is not node):
        for one in ends:
            one.frames.pop(number, None)
    return ends


def _loop(run: Run, generators: Sequence[ast.comprehension], values: Value, world: World, inner: _Inner) -> list[World]:
    generator, *rest = generators

    def each(one: World, value: Value) -> list[World]:
        after: list[World] = []
        for bound in assignments.assign(run, generator.target, value, one):
            after += _filtered(run, generator, rest, bound, inner)
        return after

    return iteration.walk(run, generator.iter, values, world, each, MOST_WAYS)[0]


def _filtered(
    run: Run, generator: ast.comprehension, rest: Sequence[ast.comprehension], world: World, inner: _Inner
) -> list[World]:
    going, out = [world], list[World]()
    for condition in generator.ifs:
        pairs = [pair for one in going for pair in truths.held_in(run, condition, one, apart=True)]
        going = [one for one, held in pairs if held]
        out += [one for one, held in pairs if not held]
    for one in going:
        if rest:
            for each in following.evaluate(run, rest[0].iter, one):
                out += _loop(run, rest, each.pop(), each, inner)
        else:
            out += inner(one)
    return out
