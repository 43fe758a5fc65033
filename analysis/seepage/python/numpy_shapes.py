"""Functions of numpy that put the elements of arrays into other shapes, or together."""

from __future__ import annotations

import ast
import math
from collections.abc import Mapping
from dataclasses import replace

from seepage.python import arrays, numpy_functions, truths
from seepage.python.calling import Builtin, Named
from seepage.python.random_calls import shape_of_size
from seepage.python.run import Run
from seepage.python.terms import binary, constant, number
from seepage.python.values import FLOAT, INT, Num, Object, Ref, Unknown, Value
from seepage.python.world import World, push


def _array_of(run: Run, node: ast.AST, value: Value, world: World) -> Ref | None:
    """Return an array, or the array that a list makes; None, and a fault, where it makes none."""
    if isinstance(value, Ref) and world.heap[value.id].sort == "array":
        return value
    (one,) = numpy_functions.NUMPY_FUNCTIONS["numpy.array"](run, node, [value], {}, world)
    made = one.pop()
    return made if isinstance(made, Ref) else None


def _reshape(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
    owner = _array_of(run, node, values[0], world)
    sizes = values[1] if len(values) == 2 else run.allocate(world, Object("tuple", tuple(values[1:])))
    parts = world.heap[sizes.id].cells if isinstance(sizes, Ref) else (sizes,)
    known = [part.known for part in parts if isinstance(part, Num)]
    whole = [each for each in known if isinstance(each, int)]
    if owner is None or len(whole) < len(parts) or whole.count(-1) > 1:
        return push(world, run.refuse(node, "the shape must be known before the run"))
    cells = world.heap[owner.id].cells
    rest = math.prod(each for each in whole if each != -1)
    shape = tuple(len(cells) // rest if each == -1 and rest else each for each in whole)
    if math.prod(shape) != len(cells) or any(each < 0 for each in shape):
        run.raise_(world, "ValueError")
        return []
    if not arrays.is_in_order(world.heap[owner.id]):
        return push(
            world,
            run.refuse(
                node, "whether another shape of this part of an array shares its elements is not analysed; copy it"
            ),
        )
    return push(world, arrays.view(run, owner, range(len(cells)), shape, world))


def _ravel(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
    return _reshape(run, node, [values[0], constant(-1, INT)], named, world)


def _flatten(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
    owner = _array_of(run, node, values[0], world)
    if owner is None:
        return push(world, Unknown())
    found = world.heap[owner.id]
    return push(world, run.allocate(world, replace(found, keys=(), shape=(len(found.cells),))))


def _concatenate(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
    held = world.heap[values[0].id] if isinstance(values[0], Ref) else None
    if held is None or held.sort not in ("list", "tuple"):
        return push(world, run.refuse(node, "arrays are put together that stand in a list or a tuple"))
    owners = [_array_of(run, node, cell, world) for cell in held.cells]
    found = [world.heap[owner.id] for owner in owners if owner is not None]
    if (
        len(found) < len(owners)
        or not found
        or len({one.shape[1:] for one in found}) > 1
        or not all(one.cells for one in found)
    ):
        return push(
            world,
            run.refuse(node, "arrays of other shapes, or without elements, are put together; that is not analysed"),
        )
    shape = (sum(one.shape[0] for one in found), *found[0].shape[1:])
    whole = run.allocate(world, Object("list", tuple(cell for one in found for cell in one.cells)))
    made = _array_of(run, node, whole, world)
    return push(world, Unknown() if made is None else arrays.view(run, made, range(math.prod(shape)), shape, world))


def _count_nonzero(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
    owner = _array_of(run, node, values[0], world)
    total: Num = constant(0, INT, 0)
    for cell in world.heap[owner.id].cells if owner is not None else ():
        held = truths.truth(run, node, cell, world)
        if held is None:
            return push(world, Unknown())
        settled = run.settle(world, number(binary("+", total.expression, held.expression), INT, world.known), "count")
        assert isinstance(settled, Num)
        total = settled
    return push(world, Unknown() if owner is None else total)


def _eye(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
    shape = shape_of_size(run, node, values[0], world)
    if shape is None or len(shape) != 1:
        return push(world, Unknown() if shape is None else run.refuse(node, "the size must be a known number"))
    size = shape[0]
    cells = tuple(
        constant(int(row == column), FLOAT, float(row == column)) for row in range(size) for column in range(size)
    )
    return push(world, run.allocate(world, Object("array", cells, (), (size, size))))


SHAPE_FUNCTIONS: Mapping[str, Builtin] = {
    "numpy.concatenate": _concatenate,
    "numpy.count_nonzero": _count_nonzero,
    "numpy.eye": _eye,
    "numpy.identity": _eye,
    "numpy.ravel": _ravel,
    "numpy.reshape": _reshape,
    "numpy.ndarray.flatten": _flatten,
}
