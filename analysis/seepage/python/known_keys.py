"""Keys of dictionaries and sets: numbers, codes of texts, and tuples of such."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from fractions import Fraction

from seepage import exact
from seepage.python.run import Run
from seepage.python.terms import constant, truth_of
from seepage.python.values import BOOL, INT, NONE, TEXT, Class, Num, Object, Ref, Unknown, Value
from seepage.python.world import World

NO_ORDER = "the order of a set is not known; sort it"


_FRACTION = "a key that is a fraction is not analysed"


COUNTER = Class("Counter", (), {}, sort="default")


def is_member(found: Object) -> bool:
    """Whether an object is a member of an enumeration, which is its own key."""
    return found.type is not None and found.type.sort == "enum"


def key_of(run: Run, world: World, value: Value) -> object | None:
    """Return a known value as a key: a number, the code of a text, or a tuple of such."""
    if isinstance(value, Num):
        known = run.refreshed(world, value).known
        if isinstance(known, Fraction | exact.Irrational) and "float" in value.kinds:
            return None
        return bool(known) if value.kinds == BOOL and known is not None else known
    if isinstance(value, Ref) and is_member(world.heap[value.id]):
        return value
    if isinstance(value, Ref) and world.heap[value.id].sort == "tuple":
        parts = [key_of(run, world, cell) for cell in world.heap[value.id].cells]
        return None if None in parts else tuple(parts)
    return None


def keys(run: Run, node: ast.AST, value: Value, world: World) -> list[tuple[World, object]] | None:
    """Return a world for each value that a key can have; None, and a fault, where it is none."""
    value = run.as_number(world, value)
    match value:
        case Num():
            values = run.refreshed(world, value).support.values
            if "float" in value.kinds and (values is None or not all(isinstance(each, int) for each in values)):
                run.refuse(node, _FRACTION)
                return None
            split = run.split(world, value, "the key")
            if not split:
                world.pop()
                return None
            return [(one, bool(known) if value.kinds == BOOL else known) for one, known in split]
        case Ref(at) if is_member(world.heap[at]):
            return [(world, value)]
        case Ref(at) if world.heap[at].sort == "tuple":
            found: list[tuple[World, tuple[object, ...]]] = [(world, ())]
            for cell in world.heap[at].cells:
                after: list[tuple[World, tuple[object, ...]]] = []
                for one, parts in found:
                    split_ = keys(run, node, cell, one)
                    if split_ is None:
                        return None
                    after += [(each, (*parts, part)) for each, part in split_]
                found = after
            return list(found)
        case Ref(at) if world.heap[at].sort in ("list", "dict", "set"):
            run.raise_(world, "TypeError")
            return []
        case Unknown():
            return None
        case _:
            run.refuse(node, "this key is not analysed")
            return None


def value_of(run: Run, key: object, world: World) -> Value:
    """Return a key as the value that it is."""
    match key:
        case bool():
            return truth_of(key)
        case int():
            return constant(key, INT)
        case Fraction() if key in run.codes.names:
            return constant(key, TEXT if run.codes.names[key][0] == "str" else NONE)
        case Ref():
            return key
        case tuple():
            return run.allocate(world, Object("tuple", tuple(value_of(run, part, world) for part in key)))
        case _:
            return Unknown()


def set_of_keys(run: Run, world: World, found: Iterable[object]) -> Object:
    """Return a set; the first of equal keys stays, and one order stands for all."""
    ordered = sorted(dict.fromkeys(found), key=repr)
    return Object("set", tuple(value_of(run, key, world) for key in ordered), tuple(ordered))


def viewed(run: Run, found: Object, world: World) -> list[Value]:
    """Return the keys, values or items of a dictionary as they are now."""
    (owner,) = found.cells
    assert isinstance(owner, Ref)
    of = world.heap[owner.id]
    if found.keys == ("values",):
        return list(of.cells)
    names = [value_of(run, key, world) for key in of.keys]
    if found.keys == ("keys",):
        return names
    return [run.allocate(world, Object("tuple", pair)) for pair in zip(names, of.cells, strict=True)]
