"""Functions of numpy, other than random ones and those of single numbers."""

from __future__ import annotations

import ast
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from seepage.python import arithmetic, arrays, expressions, random_calls, subscripts
from seepage.python.builtin_functions import BUILTIN_FUNCTIONS
from seepage.python.calling import Builtin, Named
from seepage.python.run import Run
from seepage.python.terms import binary, choice, constant, literal, number
from seepage.python.values import (
    BOOL,
    FLOAT,
    INT,
    NUMERIC,
    Library,
    Num,
    Object,
    Range,
    Ref,
    Unknown,
    Value,
    may_share,
)
from seepage.python.world import World, push


def _array(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
    if set(named) - {"dtype"} or ("dtype" in named and named["dtype"] not in _PLAIN_TYPES):
        return push(world, run.refuse(node, "arrays of such a type are not analysed"))
    if isinstance(values[0], Ref) and world.heap[values[0].id].sort == "array":
        cells, shape = list(world.heap[values[0].id].cells), world.heap[values[0].id].shape
    else:
        flat, shape = _flat(run, node, values[0], world)
        if flat is None:
            return push(world, Unknown())
        cells = flat
    typed = _typed(cells, named.get("dtype"))
    if typed is None:
        return push(world, run.refuse(node, "an array of numbers of one type is analysed; convert them before"))
    return push(world, run.allocate(world, Object("array", tuple(typed), (), shape)))


def _asarray(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
    if not named and isinstance(values[0], Ref) and world.heap[values[0].id].sort == "array":
        return push(world, values[0])
    return _array(run, node, values, named, world)


def _typed(cells: Sequence[Value], of: Value | None) -> list[Value] | None:
    """Return the cells of an array of a type; None if they are not kept as they are."""
    kinds = frozenset[str]().union(*map(_kinds, cells))
    if of is None and (not kinds & NUMERIC or (kinds & FLOAT and any(len(_kinds(cell)) > 1 for cell in cells))):
        return list(cells) if kinds <= NUMERIC or not kinds & NUMERIC else None
    if of is None and kinds <= NUMERIC:
        widest = FLOAT if kinds & FLOAT else INT if kinds & INT else BOOL
        return [replace(cell, kinds=widest) if isinstance(cell, Num) else cell for cell in cells]
    if not kinds <= NUMERIC or (of in _WHOLE_TYPES and kinds & FLOAT):
        return None
    return [
        replace(cell, kinds=INT if of in _WHOLE_TYPES else FLOAT) if isinstance(cell, Num) else cell for cell in cells
    ]


def _kinds(cell: Value) -> frozenset[str]:
    return cell.kinds if isinstance(cell, Num) else FLOAT


_WHOLE_TYPES = (Library("builtins.int"), Library("numpy.int64"))
_PLAIN_TYPES = (*_WHOLE_TYPES, Library("builtins.float"), Library("numpy.float64"))


def _flat(run: Run, node: ast.AST, value: Value, world: World) -> tuple[list[Value] | None, tuple[int, ...]]:
    if not isinstance(value, Ref | Range):
        return [value], ()
    if isinstance(value, Ref) and world.heap[value.id].sort not in ("list", "tuple", "array"):
        run.refuse(node, "an array of what is no list is not analysed; make it a list")
        return None, ()
    parts = subscripts.parts_of(run, node, value, world)
    if parts is None:
        return None, ()
    rows = [_flat(run, node, part, world) for part in parts]
    shapes = {shape for _, shape in rows}
    if len(shapes) > 1 or any(cells is None for cells, _ in rows):
        run.refuse(node, "rows of an array must have one length")
        return None, ()
    inner = shapes.pop() if shapes else ()
    return [cell for cells, _ in rows for cell in (cells or [])], (len(parts), *inner)


def _filled(value: int) -> Builtin:
    def follow(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
        shape = random_calls.shape_of_size(run, node, values[0], world)
        if shape is None or ("dtype" in named and named["dtype"] not in _PLAIN_TYPES):
            return push(
                world, Unknown() if shape is None else run.refuse(node, "arrays of such a type are not analysed")
            )
        kinds = INT if named.get("dtype") in _WHOLE_TYPES else FLOAT
        cells = (constant(value, kinds, value),) * math.prod(shape)
        return push(world, run.allocate(world, Object("array", cells, (), shape)))

    return follow


def _arange(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
    ends: list[World] = []
    for one in BUILTIN_FUNCTIONS["builtins.range"](run, node, values, {}, world):
        top = one.pop()
        if isinstance(top, Range):
            cells = tuple(constant(each, INT, each) for each in top.indices)
            top = run.allocate(one, Object("array", cells, (), (len(cells),)))
        ends += push(one, top)
    return ends


def _whole(function: Builtin) -> Builtin:
    """Return a reduction over all cells of an array; with an axis it is refused."""

    def follow(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
        if named or len(values) != 1:
            return push(world, run.refuse(node, "a reduction along an axis is not analysed"))
        ends: list[World] = []
        for one in _asarray(run, node, values, {}, world):
            made = one.pop()
            if isinstance(made, Ref):
                made = run.allocate(one, Object("list", one.heap[made.id].cells))
                ends += function(run, node, [made], {}, one)
            else:
                ends += push(one, Unknown())
        return ends

    return follow


def _mean(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
    parts = subscripts.parts_of(run, node, values[0], world)
    if parts is None:
        return push(world, Unknown())
    if not parts:
        return push(world, run.refuse(node, "the mean of nothing is not analysed"))
    ends: list[World] = []
    for one in BUILTIN_FUNCTIONS["builtins.sum"](run, node, values, {}, world):
        ends += arithmetic.operation(run, node, ast.Div(), [one.pop(), constant(len(parts), INT, len(parts))], one)
    return ends


def _clip(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
    if len(values) != 3 or named:
        return push(world, run.refuse(node, "this call of 'clip' is not analysed"))

    def one_cell(one: World, cells: list[Value]) -> list[World]:
        ends = []
        for inner in BUILTIN_FUNCTIONS["builtins.max"](run, node, [cells[0], cells[1]], {}, one):
            ends += BUILTIN_FUNCTIONS["builtins.min"](run, node, [inner.pop(), cells[2]], {}, inner)
        return ends

    if any(isinstance(value, Ref) for value in values):
        return arrays.broadcast(run, node, values, world, one_cell)
    return one_cell(world, values)


def _where(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
    if len(values) != 3:
        return push(world, run.refuse(node, "'where' with one argument is not analysed"))

    def one_cell(one: World, cells: list[Value]) -> list[World]:
        held = expressions.truth(run, node, cells[0], one)
        a, b = run.as_number(one, cells[1]), run.as_number(one, cells[2])
        if held is None or not isinstance(a, Num) or not isinstance(b, Num):
            return push(one, Unknown())
        if not may_share(a.kinds | b.kinds):
            return push(one, run.refuse(node, "an array of floats and texts is not analysed"))
        return push(one, number(choice(held.expression, a.expression, b.expression), a.kinds | b.kinds, one.known))

    return arrays.broadcast(run, node, values, world, one_cell)


def _argmax(name: str) -> Builtin:
    def follow(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
        parts = subscripts.parts_of(run, node, values[0], world)
        if parts is None or named:
            return push(
                world, Unknown() if parts is None else run.refuse(node, "a reduction along an axis is not analysed")
            )
        plain = [run.as_number(world, part) for part in parts]
        numbers = [each for each in plain if isinstance(each, Num) and each.is_number]
        if len(numbers) != len(parts) or not numbers:
            return push(world, run.refuse(node, "numbers are expected here"))
        best, top = literal(0), numbers[0].expression
        for place, each in enumerate(numbers[1:], 1):
            better = binary("<" if name == "min" else ">", each.expression, top)
            best, top = choice(better, literal(place), best), choice(better, each.expression, top)
        return push(world, number(best, INT, world.known))

    return follow


NUMPY_FUNCTIONS: Mapping[str, Builtin] = {
    "numpy.array": _array,
    "numpy.asarray": _asarray,
    "numpy.zeros": _filled(0),
    "numpy.ones": _filled(1),
    "numpy.arange": _arange,
    "numpy.sum": _whole(BUILTIN_FUNCTIONS["builtins.sum"]),
    "numpy.max": _whole(BUILTIN_FUNCTIONS["builtins.max"]),
    "numpy.min": _whole(BUILTIN_FUNCTIONS["builtins.min"]),
    "numpy.mean": _whole(_mean),
    "numpy.any": _whole(BUILTIN_FUNCTIONS["builtins.any"]),
    "numpy.all": _whole(BUILTIN_FUNCTIONS["builtins.all"]),
    "numpy.clip": _clip,
    "numpy.where": _where,
    "numpy.argmax": _whole(_argmax("max")),
    "numpy.argmin": _whole(_argmax("min")),
    "statistics.mean": _mean,
}
