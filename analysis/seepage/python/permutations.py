"""Samples and shuffles: elements of a sequence in an order that is drawn."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from seepage.python import indices
from seepage.python.run import Run
from seepage.python.terms import between, constant
from seepage.python.values import INT, Function, Method, Num, Object, Ref, Value, may_share
from seepage.python.world import World, push

_OBJECTS = "a sample or shuffle of these objects is not analysed, as they differ in their parts or others hold them, too; shuffle indices"


def index(run: Run, world: World, count: int) -> Num:
    """Draw a place."""
    if count == 1:
        return constant(0, INT)
    return run.draw(world, "index", f"uniform_int(0, {count - 1})", INT, between(0, count - 1))


def without_replacement(
    run: Run, node: ast.AST, parts: Sequence[Value], count: int, world: World, sort: str, *, in_place: bool = False
) -> list[World]:
    """Put an ordered sample of elements on top.

    Args:
        run: the translation.
        node: the call.
        parts: what is drawn from.
        count: of how many.
        world: before.
        sort: of what comes out, ``list`` or ``array``.
        in_place: whether it takes the place of the elements, so that nothing but it holds them.
    """
    plain = [run.as_number(world, part) for part in parts]
    numbers = [each for each in plain if isinstance(each, Num)]
    if len(numbers) == len(parts) and may_share(frozenset[str]().union(*(each.kinds for each in numbers))):
        cells: Sequence[Value] = _drawn(run, numbers, count, world)
    else:
        if not _moves(run, plain, world, in_place=in_place):
            return push(world, run.refuse(node, _OBJECTS))
        places = _drawn(run, [constant(at, INT) for at in range(len(plain))], count, world)
        cells = [_at(run, place, dict(enumerate(plain)), world) for place in places]
    return push(world, run.allocate(world, Object(sort, tuple(cells), (), (count,) if sort == "array" else ())))


def _drawn(run: Run, parts: Sequence[Num], count: int, world: World) -> list[Num]:
    """Swap a random one of those that are left to each place."""
    left = list(parts)
    for place in range(min(count, len(left) - 1)):
        drawn = index(run, world, len(left) - place)
        first = _settled(run, indices.picked(drawn, dict(enumerate(left[place:])), world), world)
        kept: list[Num] = []
        for offset in range(1, len(left) - place):
            moved = {at: left[place] if at == offset else left[place + offset] for at in range(len(left) - place)}
            kept.append(_settled(run, indices.picked(drawn, moved, world), world))
        left[place:] = [first, *kept]
    return left[:count]


def _settled(run: Run, value: Num, world: World) -> Num:
    settled = run.settle(world, value, "item")
    assert isinstance(settled, Num)
    return settled


def _at(run: Run, place: Num, parts: dict[int, Value], world: World) -> Value:
    """Return the element at a place: numbers are picked, objects made anew of parts that are."""
    values = list(parts.values())
    if all(each == values[0] for each in values):
        return values[0]
    numbers = {at: part for at, part in parts.items() if isinstance(part, Num)}
    if len(numbers) == len(parts):
        place = run.refreshed(world, place)
        return run.settle(world, indices.picked(place, numbers, world), "item")
    objects = {at: world.heap[part.id] for at, part in parts.items() if isinstance(part, Ref)}
    first = next(iter(objects.values()))
    cells = [
        _at(run, place, {at: found.cells[cell] for at, found in objects.items()}, world)
        for cell in range(len(first.cells))
    ]
    return run.allocate(world, replace(first, cells=tuple(cells)))


def _moves(run: Run, parts: Sequence[Value], world: World, *, in_place: bool) -> bool:
    """Whether objects may be made anew of their parts: they are alike, and nobody can tell one from its copy."""
    if not _alike(parts, world):
        return False
    held = Counter[int]()
    if in_place:
        waiting: list[Value] = [*world.temps, *(each for frame in world.frames.values() for each in frame.values())]
        while waiting:
            match waiting.pop():
                case Ref(at):
                    held[at] += 1
                    waiting += world.heap[at].cells if held[at] == 1 else ()
                case Method(Ref() as owner, _):
                    waiting.append(owner)
                case Function(defaults=defaults, owner=owner_):
                    waiting += [*defaults.values(), *([] if owner_ is None else [owner_])]
                case _:
                    pass
    return all(_is_alone(run, part, world, held if in_place else None) for part in parts)


def _is_alone(run: Run, part: Value, world: World, held: Counter[int] | None) -> bool:
    """Whether a value is never changed, or, where it is counted who holds it, held by one alone."""
    if not isinstance(part, Ref):
        return True
    found = world.heap[part.id]
    is_kept = found.sort == "tuple" or (found.type is not None and _is_never_written(run, found))
    is_held = held is not None and held[part.id] == 1 and found.sort in ("list", "record", "dict")
    return (is_kept or is_held) and all(_is_alone(run, cell, world, held) for cell in found.cells)


def _is_never_written(run: Run, found: Object) -> bool:
    kind = found.type
    if found.sort != "record" or kind is None or kind.sort not in ("tuple", "data"):
        return False
    return kind.is_frozen or not any(
        isinstance(one, ast.Attribute) and one.attr in kind.fields and not isinstance(one.ctx, ast.Load)
        for one in ast.walk(run.module.tree)
    )


def _alike(parts: Sequence[Value], world: World) -> bool:
    """Whether values have one structure, and numbers in the same places of it that one variable can hold."""
    if all(part == parts[0] for part in parts):
        return True
    if all(isinstance(part, Num) for part in parts):
        return may_share(frozenset[str]().union(*(part.kinds for part in parts if isinstance(part, Num))))
    if not all(isinstance(part, Ref) for part in parts):
        return False
    objects = [world.heap[part.id] for part in parts if isinstance(part, Ref)]
    first = objects[0]
    if any((one.sort, one.keys, one.type, len(one.cells)) != _form(first) for one in objects):
        return False
    return first.sort in ("list", "tuple", "record", "dict") and all(
        _alike(cells, world) for cells in zip(*(one.cells for one in objects), strict=True)
    )


def _form(found: Object) -> tuple[object, ...]:
    return found.sort, found.keys, found.type, len(found.cells)
