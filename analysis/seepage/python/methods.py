"""Methods of lists, dictionaries, arrays and texts."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import replace

from seepage.python import arguments, arithmetic, comparisons, constants, iteration, sequences, subscripts
from seepage.python.builtin_functions import BUILTIN_FUNCTIONS
from seepage.python.calling import Named
from seepage.python.keyed_functions import KEYED_METHODS
from seepage.python.numeric_functions import NUMERIC_FUNCTIONS, as_text
from seepage.python.plain import PLAIN_METHODS
from seepage.python.queues import QUEUE_METHODS
from seepage.python.run import Run
from seepage.python.terms import binary, constant, number, truth_of
from seepage.python.values import (
    INT,
    TEXT,
    WHOLE,
    Library,
    Num,
    Object,
    Ref,
    Unknown,
    Value,
)
from seepage.python.world import World, push


def method(
    run: Run, node: ast.AST, owner: Value, name: str, values: list[Value], named: Named, world: World
) -> list[World]:
    """Follow a call of a method of a list, a dictionary, an array or a text."""
    if isinstance(owner, Ref):
        found = world.heap[owner.id]
        key = f"{found.sort}.{name}"
        function = _METHODS.get(key)
        if function is not None:
            ended = arguments.misfit(run, node, key, len(values), named, world)
            if ended is not None:
                return ended
            return function(run, node, owner, values, named, world)
        if found.sort == "array" and name in arguments.ARRAY_METHODS:
            return run.hooks.call_library(run, node, f"numpy.{name}", [owner, *values], named, world)
        return push(world, run.refuse(node, f"'{name}' of this object is not analysed"))
    text = constants.text_of(run, owner)
    if text is not None and name == "join" and len(values) == 1 and not named:
        return _joined(run, node, text, values[0], world)
    if isinstance(owner, Num):
        key = "str" if owner.kinds == TEXT else "int" if owner.kinds <= WHOLE else ""
        of_value = PLAIN_METHODS.get(f"{key}.{name}")
        if of_value is not None:
            return of_value(run, node, [owner, *values], named, world)
    if isinstance(owner, Num) and owner.kinds == TEXT and owner.known is None:
        base, depth, mark = world.code, world.depth, len(run.abrupt)
        ends = []
        for one, known in run.split(world, owner, "this text"):
            ends += method(run, node, as_text(known), name, values, named, one)
        return run.join(base, depth, ends, run.abrupt[mark:]) if ends else [world]
    return push(world, run.refuse(node, f"'{name}' of this value is not analysed"))


def _joined(run: Run, node: ast.AST, text: str, values: Value, world: World) -> list[World]:
    parts = sequences.parts_of(run, node, values, world)
    if parts is None:
        return push(world, Unknown())
    if any(not isinstance(part, Num) or part.kinds != TEXT for part in parts):
        if any(isinstance(part, Num) and part.kinds & TEXT for part in parts):
            return push(world, run.refuse(node, "'join' of what may be no text is not analysed"))
        run.raise_(world, "TypeError")
        return []
    worlds = push(world, constants.text_value(run, ""))
    for place, part in enumerate(parts):
        after: list[World] = []
        for one in worlds:
            between = [constants.text_value(run, text)] if place else []
            ends = [one]
            for each in (*between, part):
                ends = [
                    end for two in ends for end in arithmetic.operation(run, node, ast.Add(), [two.pop(), each], two)
                ]
            for end in ends:
                end.temps.append(run.settle(end, end.pop(), "text"))
            after += ends
        worlds = after
    return worlds


_OnObject = Callable[[Run, ast.AST, Ref, list[Value], Named, World], list[World]]


def _append(run: Run, node: ast.AST, owner: Ref, values: list[Value], named: Named, world: World) -> list[World]:
    found = world.heap[owner.id]
    world.heap[owner.id] = replace(found, cells=(*found.cells, run.settle(world, values[0], "item")))
    return push(world, constants.none_value(run))


def _extend(run: Run, node: ast.AST, owner: Ref, values: list[Value], named: Named, world: World) -> list[World]:
    given = world.heap[values[0].id] if isinstance(values[0], Ref) else None
    if isinstance(values[0], Ref) and given is not None and given.sort == "iterator" and given.keys[0] != "reversed":
        return _extended_in_turns(run, node, owner, values[0], world)
    parts = sequences.parts_of(run, node, values[0], world)
    found = world.heap[owner.id]
    world.heap[owner.id] = replace(found, cells=(*found.cells, *(parts or ())))
    return push(world, constants.none_value(run))


def _extended_in_turns(run: Run, node: ast.AST, owner: Ref, source: Ref, world: World) -> list[World]:
    """Append what is computed as it is asked for: each element is in the list when the next is asked for."""
    place = len(world.temps)
    world.temps.append(owner)

    def kept(one: World, item: Value) -> list[World]:
        iteration.append(run, one, place, item)
        return [one]

    ends = iteration.walk(run, node, source, world, kept)[0]
    for one in ends:
        one.temps[place] = constants.none_value(run)
    return ends


def _place(run: Run, node: ast.AST, value: Value, length: int) -> int | None:
    known = value.known if isinstance(value, Num) else None
    if not isinstance(known, int):
        run.refuse(node, "the place must be known before the run")
        return None
    return known


def _pop(run: Run, node: ast.AST, owner: Ref, values: list[Value], named: Named, world: World) -> list[World]:
    if not world.heap[owner.id].cells:
        run.raise_(world, "IndexError")
        return []
    index = values[0] if values else constant(-1, INT)
    if not isinstance(index, Num):
        return push(world, run.refuse(node, "the place must be a number"))
    return subscripts.taken(run, node, owner, index, world)


def _found(run: Run, node: ast.AST, owner: Ref, value: Value, world: World) -> list[tuple[World, int]]:
    """Return the worlds in which an element is equal to a value, with the place of the first; without one, ValueError is raised."""
    found: list[tuple[World, int]] = []
    for place, cell in enumerate(world.heap[owner.id].cells):
        held = comparisons.compare(run, node, ast.Eq(), cell, value, world)
        yes, no = run.branch(world, held if isinstance(held, Num) else truth_of(True))
        if yes is not None:
            found.append((yes, place))
        if no is None:
            return found
        world = no
    run.raise_(world, "ValueError")
    return found


def _index(run: Run, node: ast.AST, owner: Ref, values: list[Value], named: Named, world: World) -> list[World]:
    if len(values) != 1 or named:
        return push(world, run.refuse(node, "'index' of a part is not analysed"))
    base, depth, mark = world.code, world.depth, len(run.abrupt)
    ends = [done for one, at in _found(run, node, owner, values[0], world) for done in push(one, constant(at, INT, at))]
    return run.join(base, depth, ends, run.abrupt[mark:])


def _remove(run: Run, node: ast.AST, owner: Ref, values: list[Value], named: Named, world: World) -> list[World]:
    base, depth, mark = world.code, world.depth, len(run.abrupt)
    ends: list[World] = []
    for one, at in _found(run, node, owner, values[0], world):
        found = one.heap[owner.id]
        one.heap[owner.id] = replace(found, cells=(*found.cells[:at], *found.cells[at + 1 :]))
        ends += push(one, constants.none_value(run))
    return run.join(base, depth, ends, run.abrupt[mark:])


def _clear(run: Run, node: ast.AST, owner: Ref, values: list[Value], named: Named, world: World) -> list[World]:
    world.heap[owner.id] = replace(world.heap[owner.id], cells=())
    return push(world, constants.none_value(run))


def _insert(run: Run, node: ast.AST, owner: Ref, values: list[Value], named: Named, world: World) -> list[World]:
    place, item = run.as_number(world, values[0]), run.settle(world, values[1], "item")
    if not isinstance(place, Num) or not place.kinds <= WHOLE:
        return push(world, run.refuse(node, "a place that may be no whole number is not analysed"))
    base, depth, ends = world.code, world.depth, list[World]()
    for one, at in run.split(world, place, "the place"):
        cells = list(one.heap[owner.id].cells)
        cells.insert(int(at) if isinstance(at, int) else 0, item)
        one.heap[owner.id] = replace(one.heap[owner.id], cells=tuple(cells))
        ends += push(one, constants.none_value(run))
    return run.join(base, depth, ends) if ends else [world]


def _object_copy(run: Run, node: ast.AST, owner: Ref, values: list[Value], named: Named, world: World) -> list[World]:
    found = world.heap[owner.id]
    return push(world, run.allocate(world, replace(found, keys=() if found.sort in ("array", "deque") else found.keys)))


def _reverse(run: Run, node: ast.AST, owner: Ref, values: list[Value], named: Named, world: World) -> list[World]:
    found = world.heap[owner.id]
    world.heap[owner.id] = replace(found, cells=found.cells[::-1])
    return push(world, constants.none_value(run))


def _list_sort(run: Run, node: ast.AST, owner: Ref, values: list[Value], named: Named, world: World) -> list[World]:
    found, mark, place = world.heap[owner.id], len(run.abrupt), len(world.temps)
    whole = run.allocate(world, found)
    world.temps += [owner, whole]
    world.heap[owner.id] = replace(found, cells=())  # as a key sees it
    ends = BUILTIN_FUNCTIONS["builtins.sorted"](run, node, [whole], named, world)
    for one in ends:
        made = one.pop()
        if one.heap[owner.id].cells:
            run.refuse(node, "a key that changes the list that is sorted is not analysed")
        if isinstance(made, Ref):
            one.heap[owner.id] = one.heap[made.id]
        del one.temps[place:]
        one.temps.append(constants.none_value(run))
    for one in run.abrupt[mark:]:
        one.heap[owner.id] = one.heap[whole.id]
    return ends


def _occurrences(run: Run, node: ast.AST, owner: Ref, values: list[Value], named: Named, world: World) -> list[World]:
    total: Num = constant(0, INT, 0)
    for cell in world.heap[owner.id].cells:
        held = comparisons.compare(run, node, ast.Eq(), cell, values[0], world)
        if not isinstance(held, Num):
            return push(world, Unknown())
        total = number(binary("+", total.expression, held.expression), INT, world.known)
    return push(world, total)


def _tolist(run: Run, node: ast.AST, owner: Ref, values: list[Value], named: Named, world: World) -> list[World]:
    found = world.heap[owner.id]
    if not found.shape:
        return push(world, _of_python(found.cells[0]))
    return push(world, _rows(run, [_of_python(cell) for cell in found.cells], found.shape, world))


def _of_python(cell: Value) -> Value:
    return replace(cell, of_numpy=False) if isinstance(cell, Num) else cell


def _rows(run: Run, cells: Sequence[Value], shape: Sequence[int], world: World) -> Ref:
    """Return a list of cells, or of lists of them."""
    if len(shape) == 1:
        return run.allocate(world, Object("list", tuple(cells)))
    size = len(cells) // shape[0] if shape[0] else 0
    rows = [_rows(run, cells[at * size : (at + 1) * size], shape[1:], world) for at in range(shape[0])]
    return run.allocate(world, Object("list", tuple(rows)))


def _astype(run: Run, node: ast.AST, owner: Ref, values: list[Value], named: Named, world: World) -> list[World]:
    match values:
        case [Library("builtins.int" | "numpy.int64")]:
            return NUMERIC_FUNCTIONS["builtins.int"](run, node, [owner], {}, world)
        case [Library("builtins.float" | "numpy.float64")]:
            return NUMERIC_FUNCTIONS["builtins.float"](run, node, [owner], {}, world)
        case _:
            return push(world, run.refuse(node, "arrays of such a type are not analysed"))


_METHODS: dict[str, _OnObject] = {
    "list.append": _append,
    "list.extend": _extend,
    "list.pop": _pop,
    "list.insert": _insert,
    "list.copy": _object_copy,
    "list.reverse": _reverse,
    "list.sort": _list_sort,
    "list.count": _occurrences,
    "tuple.count": _occurrences,
    "array.copy": _object_copy,
    "array.flatten": lambda run, node, owner, values, named, world: run.hooks.call_library(
        run, node, "numpy.ndarray.flatten", [owner], named, world
    ),
    "array.tolist": _tolist,
    "array.astype": _astype,
    "dict.copy": _object_copy,
    "set.copy": _object_copy,
    "list.index": _index,
    "tuple.index": _index,
    "list.remove": _remove,
    "list.clear": _clear,
    "deque.copy": _object_copy,
    "deque.count": _occurrences,
    "deque.index": _index,
    **KEYED_METHODS,
    **QUEUE_METHODS,
}
