"""Functions of numpy, other than random ones and those of single numbers."""

from __future__ import annotations

import ast
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

from seepage.python import arithmetic, arrays, random_calls, sequences, truths
from seepage.python.builtin_functions import BUILTIN_FUNCTIONS
from seepage.python.calling import Builtin, Named
from seepage.python.run import Run
from seepage.python.terms import binary, choice, constant, ends, literal, number
from seepage.python.terms import call as applied
from seepage.python.values import (
    BOOL,
    FLOAT,
    INT,
    NONE,
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
    parts = sequences.parts_of(run, node, value, world)
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
    """Return a reduction over all cells of an array, or over those of each column (``axis=0``) or row (``axis=1``) of one with two axes."""

    def follow(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
        axis = named.get("axis")
        ends: list[World] = []
        for one in _asarray(run, node, values[:1], {}, world):
            made = one.pop()
            if not isinstance(made, Ref):
                ends += push(one, Unknown())
            elif axis is None or (isinstance(axis, Num) and axis.kinds == NONE):
                whole = run.allocate(one, Object("list", one.heap[made.id].cells))
                ends += function(run, node, [whole], {}, one)
            else:
                ends += _along(run, node, function, one.heap[made.id], axis, one)
        return ends

    return follow


def _along(run: Run, node: ast.AST, function: Builtin, found: Object, axis: Value, world: World) -> list[World]:
    known = axis.known if isinstance(axis, Num) else None
    if known not in (0, 1, -1) or len(found.shape) != 2:
        return push(world, run.refuse(node, "a reduction along this axis is not analysed"))
    rows, columns = found.shape
    groups = [found.cells[at::columns] for at in range(columns)]
    if known != 0:
        groups = [found.cells[at * columns : (at + 1) * columns] for at in range(rows)]
    worlds = [world]
    for group in groups:
        after: list[World] = []
        for one in worlds:
            for done in function(run, node, [run.allocate(one, Object("list", group))], {}, one):
                done.temps.append(run.settle(done, done.pop(), "cell"))
                after.append(done)
        worlds = after
    for one in worlds:
        cells = one.take(len(groups))
        one.temps.append(run.allocate(one, Object("array", tuple(cells), (), (len(groups),))))
    return worlds


def _mean(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
    parts = sequences.parts_of(run, node, values[0], world)
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
        held = truths.truth(run, node, cells[0], one)
        a, b = run.as_number(one, cells[1]), run.as_number(one, cells[2])
        if held is None or not isinstance(a, Num) or not isinstance(b, Num):
            return push(one, Unknown())
        if not may_share(a.kinds | b.kinds):
            return push(one, run.refuse(node, "an array of floats and texts is not analysed"))
        return push(one, number(choice(held.expression, a.expression, b.expression), a.kinds | b.kinds, one.known))

    return arrays.broadcast(run, node, values, world, one_cell)


def _argmax(name: str) -> Builtin:
    def follow(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
        parts = sequences.parts_of(run, node, values[0], world)
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


def _full(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
    shape = random_calls.shape_of_size(run, node, values[0], world)
    value = run.as_number(world, values[1])
    if shape is None or isinstance(value, Unknown):
        return push(world, Unknown())
    cells = _typed([value], named.get("dtype")) if isinstance(value, Num) and value.is_number else None
    if cells is None or ("dtype" in named and named["dtype"] not in _PLAIN_TYPES):
        return push(world, run.refuse(node, "arrays of such a type are not analysed"))
    cell = run.settle(world, cells[0], "cell")
    return push(world, run.allocate(world, Object("array", (cell,) * math.prod(shape), (), shape)))


def _filled_like(value: int) -> Builtin:
    def follow(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
        ends: list[World] = []
        for one in _array(run, node, values, {}, world):
            made = one.pop()
            if isinstance(made, Ref):
                found = one.heap[made.id]
                kinds = _widest(found.cells)
                cells = (constant(value, kinds, value),) * len(found.cells)
                one.heap[made.id] = replace(found, cells=cells)
            ends += push(one, made)
        return ends

    return follow


def _widest(cells: Sequence[Value]) -> frozenset[str]:
    """Return the type of an array with such cells."""
    kinds = frozenset[str]().union(*map(_kinds, cells))
    return FLOAT if not cells or kinds & FLOAT else INT if kinds & INT else BOOL


def _of_type(run: Run, world: World, cells: Sequence[Value], shape: tuple[int, ...], kinds: frozenset[str]) -> Ref:
    """Return an array of numbers of one type."""
    typed = [replace(cell, kinds=kinds) if isinstance(cell, Num) else cell for cell in cells]
    settled = tuple(run.settle(world, cell, "cell") for cell in typed)
    return run.allocate(world, Object("array", settled, (), shape))


def _extreme(name: str) -> Builtin:
    def follow(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
        def one_cell(one: World, cells: list[Value]) -> list[World]:
            ends = BUILTIN_FUNCTIONS[f"builtins.{name}"](run, node, cells, {}, one)
            for each in ends:
                top = each.pop()
                each.temps.append(replace(top, kinds=_widest(cells)) if isinstance(top, Num) else top)
            return ends

        if any(isinstance(value, Ref) for value in values):
            return arrays.broadcast(run, node, values, world, one_cell)
        return one_cell(world, values)

    return follow


def _numbers(run: Run, node: ast.AST, value: Value, world: World) -> tuple[list[Num], tuple[int, ...]] | None:
    """Return the numbers of an array, or of lists, and its shape; None, and a fault, where it is none."""
    flat, shape = _flat(run, node, value, world)
    if isinstance(value, Ref) and world.heap[value.id].sort == "array":
        flat, shape = list(world.heap[value.id].cells), world.heap[value.id].shape
    plain = [run.as_number(world, cell) for cell in flat or []]
    found = [replace(cell, of_numpy=False) for cell in plain if isinstance(cell, Num) and cell.is_number]
    if flat is None or len(found) != len(plain):
        run.refuse(node, "numbers are expected here")
        return None
    return found, shape


def _total(run: Run, node: ast.AST, cells: list[Value], world: World) -> Num:
    """Return the sum of numbers."""
    (after,) = BUILTIN_FUNCTIONS["builtins.sum"](
        run, node, [run.allocate(world, Object("list", tuple(cells))), constant(0, INT, 0)], {}, world
    )
    total = after.pop()
    assert after is world
    assert isinstance(total, Num)
    return total


def _times(run: Run, node: ast.AST, a: Num, b: Num, world: World) -> Num:
    (after,) = arithmetic.operation(run, node, ast.Mult(), [a, b], world)
    made = after.pop()
    assert isinstance(made, Num)
    return made


def _cumsum(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
    found = _numbers(run, node, values[0], world)
    if found is None:
        return push(world, Unknown())
    sums: list[Value] = []
    for cell in found[0]:
        sums.append(run.settle(world, _total(run, node, [*sums[-1:], cell], world), "sum"))
    kinds = FLOAT if _widest(found[0]) == FLOAT else INT
    return push(world, _of_type(run, world, sums, (len(sums),), kinds))


def product(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
    """Follow ``a @ b`` and ``dot`` of arrays of one or two axes."""
    left, right = (_numbers(run, node, value, world) for value in values)
    if left is None or right is None:
        return push(world, Unknown())
    (a, first), (b, second) = left, right
    if not 1 <= len(first) <= 2 or not 1 <= len(second) <= 2 or _widest(a) == _widest(b) == BOOL:
        return push(world, run.refuse(node, "this product of arrays is not analysed"))
    inner, columns = first[-1], second[1] if len(second) == 2 else 1
    if inner != second[0]:
        run.raise_(world, "ValueError")
        return []
    cells: list[Value] = [
        _total(
            run,
            node,
            [_times(run, node, a[row * inner + at], b[at * columns + column], world) for at in range(inner)],
            world,
        )
        for row in range(first[0] if len(first) == 2 else 1)
        for column in range(columns)
    ]
    made = _of_type(run, world, cells, (*first[:-1], *second[1:]), FLOAT if FLOAT in (_widest(a), _widest(b)) else INT)
    return push(world, made if len(first) + len(second) > 2 else world.heap[made.id].cells[0])


def _norm(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
    found = _numbers(run, node, values[0], world)
    if found is None:
        return push(world, Unknown())
    squares: list[Value] = [_times(run, node, cell, cell, world) for cell in found[0]]
    return push(world, number(applied("sqrt", _total(run, node, squares, world).expression), FLOAT, world.known))


def _bincount(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
    found = _numbers(run, node, values[0], world)
    least = named.get("minlength", constant(0, INT))
    length = least.known if isinstance(least, Num) else None
    if found is None or not isinstance(length, int):
        return push(world, Unknown() if found is None else run.refuse(node, "'minlength' must be a known number"))
    low_high = [ends(run.refreshed(world, cell).support) for cell in found[0]]
    if any(not isinstance(low, int) or low < 0 or not isinstance(high, int) for low, high in low_high):
        return push(world, run.refuse(node, "'bincount' is analysed of whole numbers that are not below 0"))
    needed = max((high + 1 for _, high in low_high if isinstance(high, int)), default=0)
    if needed > length and any(low != high for low, high in low_high):
        told = f"the length that 'bincount' gives is random; give 'minlength={needed}'"
        return push(world, run.refuse(node, told))
    return push(world, _counts(run, node, found[0], max(length, needed), world))


def _counts(run: Run, node: ast.AST, cells: Sequence[Num], length: int, world: World) -> Ref:
    counted = [
        _total(
            run,
            node,
            [number(binary("==", cell.expression, literal(at)), INT, world.known) for cell in cells],
            world,
        )
        for at in range(length)
    ]
    return _of_type(run, world, counted, (length,), INT)


def _histogram(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
    bins = values[1] if len(values) > 1 else named.get("bins")
    found = _numbers(run, node, values[0], world)
    if found is None or not isinstance(bins, Ref | Range):
        return push(world, Unknown() if found is None else run.refuse(node, "'bins' must be a list of known edges"))
    edges = _numbers(run, node, bins, world)
    known = [Fraction(one.known) for one in edges[0] if isinstance(one.known, int | Fraction)] if edges else []
    if edges is None or len(known) != len(edges[0]) or len(known) < 2 or sorted(set(known)) != known:
        return push(world, run.refuse(node, "'bins' must be a list of known edges, in order"))
    counted: list[Value] = []
    for place, (low, high) in enumerate(pairwise(known)):
        last = place == len(known) - 2
        inside = [
            binary(
                "and",
                binary(">=", cell.expression, literal(low)),
                binary("<=" if last else "<", cell.expression, literal(high)),
            )
            for cell in found[0]
        ]
        counted.append(_total(run, node, [number(one, INT, world.known) for one in inside], world))
    counts = _of_type(run, world, counted, (len(counted),), INT)
    kept = _of_type(run, world, edges[0], edges[1], _widest(edges[0]))
    return push(world, run.allocate(world, Object("tuple", (counts, kept))))


def _sort(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
    found = _numbers(run, node, values[0], world)
    if found is None or len(found[1]) != 1:
        return push(world, Unknown() if found is None else run.refuse(node, "'sort' along an axis is not analysed"))
    kinds = _widest(found[0])
    whole = run.allocate(world, Object("list", tuple(replace(cell, kinds=kinds) for cell in found[0])))
    sorted_ = BUILTIN_FUNCTIONS["builtins.sorted"](run, node, [whole], {}, world)
    for one in sorted_:
        made = one.pop()
        cells = one.heap[made.id].cells if isinstance(made, Ref) else ()
        one.temps.append(run.allocate(one, Object("array", cells, (), (len(cells),))))
    return sorted_


def _statistics_mean(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
    """The mean of whole numbers is a whole number where it can be."""
    parts = sequences.parts_of(run, node, values[0], world) or []
    whole = not any(_kinds(part) & FLOAT for part in parts)
    ends = _mean(run, node, values, named, world)
    for one in ends:
        found = one.pop()
        one.temps.append(replace(found, kinds=INT | FLOAT) if whole and isinstance(found, Num) else found)
    return ends


def _median(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
    """The number in the middle, or the mean of the two that are."""
    ends: list[World] = []
    for one in BUILTIN_FUNCTIONS["builtins.sorted"](run, node, values, {}, world):
        made = one.pop()
        cells = one.heap[made.id].cells if isinstance(made, Ref) else ()
        if not cells:
            return push(
                one,
                Unknown() if isinstance(made, Unknown) else run.refuse(node, "the median of nothing is not analysed"),
            )
        middle = len(cells) // 2
        if len(cells) % 2:
            ends += push(one, cells[middle])
            continue
        for two in arithmetic.operation(run, node, ast.Add(), cells[middle - 1 : middle + 1], one):
            ends += arithmetic.operation(run, node, ast.Div(), [two.pop(), constant(2, INT, 2)], two)
    return ends


NUMPY_FUNCTIONS: Mapping[str, Builtin] = {
    "numpy.array": _array,
    "numpy.asarray": _asarray,
    "numpy.zeros": _filled(0),
    "numpy.ones": _filled(1),
    "numpy.full": _full,
    "numpy.zeros_like": _filled_like(0),
    "numpy.ones_like": _filled_like(1),
    "numpy.maximum": _extreme("max"),
    "numpy.minimum": _extreme("min"),
    "numpy.cumsum": _cumsum,
    "numpy.dot": product,
    "numpy.linalg.norm": _norm,
    "numpy.bincount": _bincount,
    "numpy.histogram": _histogram,
    "numpy.sort": _sort,
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
    "statistics.mean": _statistics_mean,
    "statistics.fmean": _mean,
    "statistics.median": _median,
}
