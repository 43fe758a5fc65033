"""Arrays of numpy: cell by cell, with the type that they keep."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import product

from seepage.python.run import Run
from seepage.python.terms import constant
from seepage.python.values import (
    BOOL,
    FLOAT,
    INT,
    Class,
    Function,
    Library,
    Method,
    Num,
    Object,
    Range,
    Ref,
    Value,
)
from seepage.python.world import World, push


def array_field(run: Run, node: ast.AST, owner: Ref, name: str, world: World) -> Value:
    """Return the shape, the size, the number of axes or the transposed array of one axis or two."""
    found = world.heap[owner.id]
    if name == "T":  # shares its elements with the array, so that neither is written any more
        world.heap[owner.id] = replace(found, keys=("view",))
    match name:
        case "shape":
            cells = tuple(constant(each, INT) for each in found.shape)
            return run.allocate(world, Object("tuple", cells))
        case "size":
            return constant(len(found.cells), INT)
        case "ndim":
            return constant(len(found.shape), INT)
        case _ if len(found.shape) == 1:
            return run.allocate(world, replace(found, keys=("view",)))
        case _ if len(found.shape) == 2:
            rows, columns = found.shape
            turned = tuple(found.cells[row * columns + column] for column in range(columns) for row in range(rows))
            return run.allocate(world, Object("array", turned, ("view",), (columns, rows)))
        case _:
            return run.refuse(node, "a transposed array is not analysed")


def row(run: Run, found: Object, index: int, world: World) -> Ref:
    """Return a row, which shares its elements with the array."""
    size = len(found.cells) // found.shape[0]
    return run.allocate(
        world, Object("array", found.cells[index * size : (index + 1) * size], ("view",), found.shape[1:])
    )


KEPT = (
    "an array keeps its type: a fraction is cut to a whole number in one of whole numbers; make it an array of floats"
)


def is_kept(array: Object, values: Sequence[Value]) -> bool:
    """Whether values may be written into an array as they are."""
    kinds = frozenset[str]().union(*(cell.kinds if isinstance(cell, Num) else FLOAT for cell in array.cells))
    new = frozenset[str]().union(*(value.kinds if isinstance(value, Num) else FLOAT for value in values))
    return not array.cells or bool(kinds & FLOAT) or new <= kinds | (BOOL if kinds & INT else frozenset())


def broadcast(
    run: Run,
    node: ast.AST,
    values: Sequence[Value],
    world: World,
    then: Callable[[World, list[Value]], list[World]],
) -> list[World]:
    """Apply an operation cell by cell, as numpy broadcasts shapes."""
    shapes = [_shape(run, world, value) for value in values]
    if any(shape is None for shape in shapes):
        return push(world, run.refuse(node, "this operation on an array and this value is not analysed"))
    shape = broadcast_shape([each for each in shapes if each is not None])
    if shape is None:
        run.raise_(world, "ValueError")
        return []
    worlds, count = [world], 0
    for position in product(*(range(each) for each in shape)):
        after: list[World] = []
        for one in worlds:
            cells = [_cell(one, value, own or (), position) for value, own in zip(values, shapes, strict=True)]
            for result in then(one, cells):
                result.temps.append(run.settle(result, result.pop(), "cell"))
                after.append(result)
        worlds, count = after, count + 1
    for one in worlds:
        cells_ = one.take(count)
        one.temps.append(run.allocate(one, Object("array", tuple(cells_), (), shape)))
    return worlds


def _shape(run: Run, world: World, value: Value) -> tuple[int, ...] | None:
    match value:
        case Ref(at):
            found = world.heap[at]
            if found.sort == "array":
                return found.shape
            if found.sort in ("list", "tuple") and all(not isinstance(cell, Ref) for cell in found.cells):
                return (len(found.cells),)
            return None
        case Range() | Function() | Library() | Class() | Method():
            return None
        case _:
            return ()


def broadcast_shape(shapes: Sequence[tuple[int, ...]]) -> tuple[int, ...] | None:
    """Return the shape of arrays put together, None if they do not fit."""
    rank = max((len(shape) for shape in shapes), default=0)
    found: list[int] = []
    for axis in range(rank):
        sizes = {shape[axis - rank + len(shape)] for shape in shapes if axis - rank + len(shape) >= 0} - {1}
        if len(sizes) > 1:
            return None
        found.append(sizes.pop() if sizes else 1)
    return tuple(found)


def _cell(world: World, value: Value, shape: tuple[int, ...], position: tuple[int, ...]) -> Value:
    if not isinstance(value, Ref):
        return value
    at = 0
    for size, index in zip(shape, position[len(position) - len(shape) :], strict=True):
        at = at * size + (index if size > 1 else 0)
    return world.heap[value.id].cells[at]
