"""Displays of lists and tuples."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from seepage.python import (
    following,
    iteration,
    sequences,
)
from seepage.python.run import Run
from seepage.python.values import (
    Object,
    Unknown,
    Value,
)
from seepage.python.world import World


def display(run: Run, node: ast.List | ast.Tuple, elements: Sequence[ast.expr], world: World) -> list[World]:
    """Put a list or a tuple on top."""
    sort = "list" if isinstance(node, ast.List) else "tuple"
    worlds = [world]
    counts = {id(world): 0}
    for element in elements:
        after: list[World] = []
        for one in worlds:
            count = counts[id(one)]
            inner = element.value if isinstance(element, ast.Starred) else element
            ends = following.evaluate(run, inner, one)
            if inner is not element:
                ends = [after for each in ends for after in iteration.drained(run, element, each.pop(), each)]
            for result in ends:
                value = result.pop()
                parts: list[Value] | None = [value]
                if isinstance(element, ast.Starred):
                    parts = sequences.parts_of(run, element, value, result)
                parts = [Unknown()] if parts is None else parts
                result.temps += [run.settle(result, part, "item") for part in parts]
                counts[id(result)] = count + len(parts)
                after.append(result)
        worlds = after
    for one in worlds:
        cells = one.take(counts[id(one)])
        one.temps.append(run.allocate(one, Object(sort, tuple(cells))))
    return worlds
