"""Comprehensions: a scope of their own; what a condition tells of each element is kept as long as there are few ways."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from seepage.python import assignments, expressions, subscripts
from seepage.python.run import Run
from seepage.python.values import Object, Scope, Unknown, Value
from seepage.python.world import World

MOST_WAYS = 64


def comprehension(run: Run, node: ast.ListComp | ast.GeneratorExp, world: World) -> list[World]:
    """Evaluate a comprehension to a list."""
    base, depth, mark = world.code, world.depth, len(run.abrupt)
    if any(one.is_async for one in node.generators):
        world.temps.append(run.refuse(node, "'async for' is not analysed"))
        return [world]
    found: list[World] = []
    for one in expressions.evaluate(run, node.generators[0].iter, world):
        first = one.pop()
        number = run.next()
        targets = {
            inner.id for each in node.generators for inner in ast.walk(each.target) if isinstance(inner, ast.Name)
        }
        run.scopes[number] = Scope(frozenset(targets), run.frames[-1], transparent=True)
        one.frames[number] = {}
        one.temps.append(run.allocate(one, Object("list", ())))
        run.frames.append(number)
        ends = _loop(run, node, list(node.generators), first, one)
        run.frames.pop()
        for end in ends:
            _drop(run, node, number, end)
        found += ends
    return run.join(base, depth, found, run.abrupt[mark:])


def _drop(run: Run, node: ast.AST, number: int, world: World) -> None:
    if not any(isinstance(inner, ast.Lambda) for inner in ast.walk(node)):
        world.frames.pop(number, None)


def _loop(
    run: Run,
    node: ast.ListComp | ast.GeneratorExp,
    generators: Sequence[ast.comprehension],
    values: Value,
    world: World,
) -> list[World]:
    """Follow one ``for`` of a comprehension; the list so far is on top of each world."""
    base, depth, mark = world.code, world.depth, len(run.abrupt)
    generator, *rest = generators
    parts = subscripts.parts_of(run, generator.iter, values, world)
    if parts is None:
        return _unknown(world, 1)
    world.temps.insert(len(world.temps) - 1, values)  # what is walked over lives as long as the loop
    shared = subscripts.changing(values, world)
    worlds = [world]
    for place in range(len(parts)):
        after: list[World] = []
        for one in worlds:
            now = parts if shared is None else subscripts.parts_of(run, generator.iter, shared, one) or []
            if len(now) != len(parts):
                run.refuse(generator.iter, subscripts.CHANGED)
                return _unknown(one)
            for bound in assignments.assign(run, generator.target, now[place], one):
                after += _filtered(run, node, generator, rest, bound)
        worlds = after
        if len(worlds) > MOST_WAYS:
            worlds = run.join(base, depth, worlds, run.abrupt[mark:])
    for one in worlds:
        del one.temps[-2]
    return worlds


def _unknown(world: World, above: int = 2) -> list[World]:
    """Put an unknown list in place of what a loop has built, and of what it walks over."""
    del world.temps[len(world.temps) - above :]
    world.temps.append(Unknown())
    return [world]


def _filtered(
    run: Run,
    node: ast.ListComp | ast.GeneratorExp,
    generator: ast.comprehension,
    rest: Sequence[ast.comprehension],
    world: World,
) -> list[World]:
    going, out = [world], []
    for condition in generator.ifs:
        pairs = [pair for one in going for pair in expressions.held_in(run, condition, one, apart=True)]
        going = [one for one, held in pairs if held]
        out += [one for one, held in pairs if not held]
    for one in going:
        if rest:
            for inner in expressions.evaluate(run, rest[0].iter, one):
                out += _loop(run, node, rest, inner.pop(), inner)
            continue
        for inner in expressions.evaluate(run, node.elt, one):
            value = inner.pop()
            built = inner.temps[-1]
            if isinstance(value, Unknown) or isinstance(built, Unknown):
                inner.temps[-1] = Unknown()
            else:
                value = run.settle(inner, value, "item")
                found = inner.heap[built.id]  # type: ignore[union-attr]
                inner.heap[built.id] = Object("list", (*found.cells, value))  # type: ignore[union-attr]
            out.append(inner)
    return out
