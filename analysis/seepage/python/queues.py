"""``collections.deque``: lists with two ends, which may hold so many elements at most."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TypeAlias

from seepage.python import constants, sequences
from seepage.python.calling import Builtin, Named
from seepage.python.run import Run
from seepage.python.terms import constant
from seepage.python.values import INT, NONE, Num, Object, Ref, Unknown, Value
from seepage.python.world import World, push

_Cells: TypeAlias = tuple[Value, ...]


def _deque(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
    bound = values[1] if len(values) > 1 else named.get("maxlen", constants.none_value(run))
    parts = sequences.parts_of(run, node, values[0], world) if values else []
    if parts is None:
        return push(world, Unknown())
    most = bound.known if isinstance(bound, Num) and bound.kinds in (INT, NONE) else None
    if not isinstance(bound, Num) or most is None or (isinstance(most, int) and most < 0):
        return push(world, run.refuse(node, "the greatest length of a queue must be known before the run"))
    shape = (most,) if isinstance(most, int) and bound.kinds == INT else ()
    return push(world, run.allocate(world, Object("deque", _kept(tuple(parts), shape, at_left=False), (), shape)))


def _kept(cells: _Cells, shape: tuple[int, ...], *, at_left: bool) -> _Cells:
    """Return what a queue of some greatest length keeps: what was put in last, at this end."""
    if not shape or len(cells) <= shape[0]:
        return cells
    return cells[: shape[0]] if at_left else cells[len(cells) - shape[0] :]


def _changed(
    change: Callable[[Run, ast.AST, Object, list[Value], World], _Cells | None], *, at_left: bool = False
) -> Callable[[Run, ast.AST, Ref, list[Value], Named, World], list[World]]:
    """Return a method that changes a queue and gives ``None``."""

    def follow(run: Run, node: ast.AST, owner: Ref, values: list[Value], named: Named, world: World) -> list[World]:
        found = world.heap[owner.id]
        if sequences.WALKED in found.keys:
            return push(world, run.refuse(node, sequences.CHANGED))
        cells = change(run, node, found, values, world)
        if cells is None:
            return push(world, Unknown())
        world.heap[owner.id] = replace(found, cells=_kept(cells, found.shape, at_left=at_left))
        return push(world, constants.none_value(run))

    return follow


def _put(run: Run, node: ast.AST, found: Object, values: list[Value], world: World) -> _Cells | None:
    return (*found.cells, run.settle(world, values[0], "item"))


def _put_left(run: Run, node: ast.AST, found: Object, values: list[Value], world: World) -> _Cells | None:
    return (run.settle(world, values[0], "item"), *found.cells)


def _all(run: Run, node: ast.AST, found: Object, values: list[Value], world: World) -> _Cells | None:
    parts = sequences.parts_of(run, node, values[0], world)
    return None if parts is None else (*found.cells, *parts)


def _all_left(run: Run, node: ast.AST, found: Object, values: list[Value], world: World) -> _Cells | None:
    parts = sequences.parts_of(run, node, values[0], world)
    return None if parts is None else (*reversed(parts), *found.cells)


def _rotate(run: Run, node: ast.AST, owner: Ref, values: list[Value], named: Named, world: World) -> list[World]:
    base, depth = world.code, world.depth
    by = values[0] if values else constant(1, INT, 1)
    if not isinstance(by, Num) or by.kinds != INT or sequences.WALKED in world.heap[owner.id].keys:
        return push(world, run.refuse(node, "this 'rotate' is not analysed"))
    ends: list[World] = []
    for one, known in run.split(world, by, "by how much it rotates"):
        found = one.heap[owner.id]
        at = -int(known) % len(found.cells) if isinstance(known, int) and found.cells else 0
        one.heap[owner.id] = replace(found, cells=(*found.cells[at:], *found.cells[:at]))
        ends += push(one, constants.none_value(run))
    return run.join(base, depth, ends) if ends else [world]


def _taken(place: int) -> Callable[[Run, ast.AST, Ref, list[Value], Named, World], list[World]]:
    def follow(run: Run, node: ast.AST, owner: Ref, values: list[Value], named: Named, world: World) -> list[World]:
        found = world.heap[owner.id]
        if sequences.WALKED in found.keys:
            return push(world, run.refuse(node, sequences.CHANGED))
        cells = list(found.cells)
        if not cells:
            run.raise_(world, "IndexError")
            return []
        value = cells.pop(place)
        world.heap[owner.id] = replace(found, cells=tuple(cells))
        return push(world, value)

    return follow


QUEUE_FUNCTIONS: Mapping[str, Builtin] = {"collections.deque": _deque}
QUEUE_METHODS: Mapping[str, Callable[[Run, ast.AST, Ref, list[Value], Named, World], list[World]]] = {
    "deque.append": _changed(_put),
    "deque.appendleft": _changed(_put_left, at_left=True),
    "deque.extend": _changed(_all),
    "deque.extendleft": _changed(_all_left, at_left=True),
    "deque.clear": _changed(lambda run, node, found, values, world: ()),
    "deque.pop": _taken(-1),
    "deque.popleft": _taken(0),
    "deque.rotate": _rotate,
}
