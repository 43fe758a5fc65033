"""What is printed, where it is asked for."""

from __future__ import annotations

import ast
from dataclasses import replace

from seepage.python import constants
from seepage.python.calling import Named
from seepage.python.run import Run
from seepage.python.values import Object, Ref, Value
from seepage.python.world import World, push


def printed(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
    """Follow 'print'."""
    whole = world.frames.setdefault(0, {}).get("printed ")
    if "file" in named and isinstance(whole, Ref):
        return push(
            world, run.refuse(node, "what is printed to a file is not analysed where it is asked what is printed")
        )
    if isinstance(whole, Ref):
        settled = [_as_it_is(world, run, run.settle(world, value, "printed")) for value in values]
        one: Value = settled[0] if len(settled) == 1 else run.allocate(world, Object("tuple", tuple(settled)))
        found = world.heap[whole.id]
        world.heap[whole.id] = replace(found, cells=(*found.cells, one))
    return push(world, constants.none_value(run))


def _as_it_is(world: World, run: Run, value: Value) -> Value:
    """Return a value that no later statement changes."""
    if not isinstance(value, Ref):
        return value
    found = world.heap[value.id]
    return run.allocate(world, replace(found, cells=tuple(_as_it_is(world, run, cell) for cell in found.cells)))
