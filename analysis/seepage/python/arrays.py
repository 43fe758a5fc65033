"""Arrays of numpy: cell by cell, with the type that they keep."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise, product

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
    Unknown,
    Value,
)
from seepage.python.world import World, push


def array_field(run: Run, owner: Ref, name: str, world: World) -> Value:
    """Return the shape, the size, the number of axes or the transposed array."""
    found = world.heap[owner.id]
    match name:
        case "shape":
            cells = tuple(constant(each, INT) for each in found.shape)
            return run.allocate(world, Object("tuple", cells))
        case "size":
            return constant(len(found.cells), INT)
        case "ndim":
            return constant(len(found.shape), INT)
        case _:
            turned = found.shape[::-1]
            sizes = [math.prod(found.shape[axis + 1 :]) for axis in range(len(found.shape))]
            places = [
                sum(at * size for at, size in zip(reversed(position), sizes, strict=True))
                for position in product(*(range(each) for each in turned))
            ]
            return view(run, owner, places, turned, world)


# --- arrays that share elements -----------------------------------------------------------------------------------------


def _storage(number: int, found: Object) -> tuple[int, Sequence[int]]:
    """Return whose elements an array has, by the number of that array, and at which places."""
    match found.keys:
        case ("view", int(root), tuple(places)):
            return root, places
        case _:
            return number, range(len(found.cells))


def is_in_order(found: Object) -> bool:
    """Whether the elements of an array lie one behind the other, so that another shape of them shares them."""
    _, places = _storage(0, found)
    return all(after == before + 1 for before, after in pairwise(places))


def view(run: Run, owner: Ref, places: Sequence[int], shape: tuple[int, ...], world: World) -> Ref:
    """Return what shares some elements with an array, in this order."""
    found = world.heap[owner.id]
    root, own = _storage(owner.id, found)
    kept = tuple(own[place] for place in places)
    return run.allocate(
        world, Object("array", tuple(found.cells[place] for place in places), ("view", root, kept), shape)
    )


def write(world: World, owner: Ref, cells: Sequence[Value]) -> None:
    """Give an array other elements, and with it all that share them."""
    root, places = _storage(owner.id, world.heap[owner.id])
    new = dict(zip(places, cells, strict=True))
    for number, found in list(world.heap.items()):
        if found.sort == "array":
            other, own = _storage(number, found)
            if other == root:
                changed = (new.get(place, cell) for place, cell in zip(own, found.cells, strict=True))
                world.heap[number] = replace(found, cells=tuple(changed))


def rows(run: Run, owner: Ref, kept: Sequence[int], world: World) -> Ref:
    """Return what shares rows with an array: those at some places of its first axis."""
    shape = world.heap[owner.id].shape
    axes = [kept, *(range(each) for each in shape[1:])]
    return view(run, owner, places_of(axes, shape), (len(kept), *shape[1:]), world)


def row(run: Run, owner: Ref, index: int, world: World) -> Ref:
    """Return a row, which shares its elements with the array."""
    shape = world.heap[owner.id].shape
    return view(run, owner, places_of([[index], *(range(each) for each in shape[1:])], shape), shape[1:], world)


def places_of(axes: Sequence[Sequence[int]], shape: Sequence[int]) -> list[int]:
    """Return the places in C order of elements at places along each axis."""
    found = [0]
    for kept, length in zip(axes, shape, strict=True):
        found = [before * length + place for before in found for place in kept]
    return found


def fitted(run: Run, value: Value, shape: tuple[int, ...], world: World) -> list[Value] | None:
    """Return a value as the elements of a shape, as numpy writes it there; None if it does not fit, and a fault if that is not certain."""
    own = _shape(run, world, value)
    if own is None or len(own) > len(shape):
        run.refuse(run.at, "what is written into an array is a number, a list of numbers, or an array of as many axes")
        return [Unknown() for _ in product(*(range(each) for each in shape))]
    if broadcast_shape([own, shape]) != shape:
        return None
    return [_cell(world, value, own, position) for position in product(*(range(each) for each in shape))]


def are_truths(cells: Sequence[Value]) -> bool:
    """Whether all elements are truth values."""
    return all(isinstance(cell, Num) and cell.kinds == BOOL for cell in cells)


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
