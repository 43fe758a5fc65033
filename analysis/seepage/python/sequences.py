"""Sequences and iterators: their elements, and how far what is walked over was walked."""

from __future__ import annotations

import ast
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

from seepage import exact
from seepage.python import arrays, constants, known_keys
from seepage.python.run import Run
from seepage.python.terms import constant
from seepage.python.values import INT, TEXT, Class, Num, Object, Range, Ref, Unknown, Value, as_of_numpy
from seepage.python.world import World

AS_ASKED = "what is computed element by element, as it is asked for, is analysed in loops and where all elements are taken, as in 'sum(…)'; make it a list"


_AS_ASKED = frozenset({"generator", "expression", "map", "filter"})


def members_name(kind: Class) -> str:
    """Return the name, none of Python, that holds the members of an enumeration."""
    return f"members of {kind.name}"


def member(kind: Class, name: str, world: World) -> Value | None:
    """Return the member of an enumeration that has a name; None if there is none."""
    held = world.frames[0].get(members_name(kind))
    found = world.heap[held.id] if isinstance(held, Ref) else None
    return found.cells[found.keys.index(name)] if found is not None and name in found.keys else None


def members_of(kind: Class, world: World) -> list[Value] | None:
    """Return the members of an enumeration, each once; None if a class is none."""
    held = world.frames[0].get(members_name(kind))
    return list(dict.fromkeys(world.heap[held.id].cells)) if isinstance(held, Ref) else None


CHANGED = "what is changed in length while it is walked over is not analysed"


WALKED = "walked"
"""The key of a queue while it is walked over, when it may not change."""


SPENT = Object("iterator", (), ("spent",))


LEFT = Object("iterator", (), ("left",))


def parts_of(run: Run, node: ast.AST, value: Value, world: World) -> list[Value] | None:
    """Return the parts of a sequence; None, and a fault, if it is none."""
    match value:
        case Range(indices):
            if len(indices) > 20_000:
                run.refuse(node, "a range of more than 20,000 numbers is not analysed")
                return None
            return [constant(each, INT) for each in indices]
        case Ref(at):
            found = world.heap[at]
            if found.sort == "dict":
                return [known_keys.value_of(run, key, world) for key in found.keys]
            if found.sort == "view":
                return known_keys.viewed(run, found, world)
            if found.sort == "set" and len(found.cells) > 1:
                run.refuse(node, known_keys.NO_ORDER)
                return None
            if is_as_asked(value, world):
                run.refuse(node, AS_ASKED)
                return None
            if found.sort == "iterator":
                world.heap[at] = SPENT
                return walked(run, node, found, world)
            if found.sort == "array" and len(found.shape) > 1:
                return [arrays.row(run, value, index, world) for index in range(found.shape[0])]
            if found.sort == "record" and (found.type is None or found.type.sort != "tuple"):
                run.refuse(
                    node, "this object is no sequence, or one whose elements are not asked for here; make it a list"
                )
                return None
            return [as_of_numpy(cell, found.sort == "array") for cell in found.cells]
        case Class() if (members := members_of(value, world)) is not None:
            return members
        case Num() if (text := constants.text_of(run, value)) is not None:
            return [constants.text_value(run, sign) for sign in text]
        case Unknown():
            return None
        case _:
            run.refuse(node, "only sequences whose length is known are analysed here")
            return None


def walked(run: Run, node: ast.AST, found: Object, world: World) -> list[Value] | None:
    """Return what ``enumerate``, ``zip``, ``reversed`` and ``map`` give, as their lists are now."""
    if found.keys == ("spent",):
        return []
    inner = [iterators(cell, world) for cell in found.cells]
    if found.keys == ("left",):
        run.refuse(node, "what was walked over in part before is not analysed; make it a list")
        return None
    if len(set().union(*inner)) < sum(map(len, inner)):
        run.refuse(node, "what is walked over twice at once is not analysed; make it a list")
        return None
    lists = [parts_of(run, node, cell, world) for cell in found.cells]
    known = [each for each in lists if each is not None]
    if len(known) != len(lists):
        return None
    pairs: list[tuple[Value, ...]]
    match found.keys:
        case ("reversed", length):  # of a list: its end is the one that it had when this was made
            assert length is None or isinstance(length, int)
            return known[0][:length][::-1] if length is None or length <= len(known[0]) else []
        case ("entries", *keys):
            if keys_of(found.cells[0], world) != tuple(keys):
                run.refuse(node, CHANGED)
                return None
            return known[0]
        case ("elements", int(place)):
            return known[0][place:]
        case ("chain",):
            return [part for each in known for part in each]
        case ("pairwise",):
            pairs = list(pairwise(known[0]))
        case ("enumerate", int(start)):
            pairs = [(constant(start + at, INT), part) for at, part in enumerate(known[0])]
        case _:
            pairs = list(zip(*known, strict=False))
            for each, parts in zip(inner, known, strict=True):
                if len(parts) > len(pairs):
                    world.heap.update(dict.fromkeys(each, LEFT))
    return [run.allocate(world, Object("tuple", pair)) for pair in pairs]


def texts_of(run: Run, value: Value, world: World) -> list[tuple[World, Value]]:
    """Return a world for each value of a text that is random, or that is walked over; any other value as it is."""
    if isinstance(value, Ref) and world.heap[value.id].sort == "iterator":
        found_ = [world]
        for place, cell in enumerate(world.heap[value.id].cells):
            after: list[World] = []
            for one, known in ((two, text) for each in found_ for two, text in texts_of(run, cell, each)):
                inside = one.heap[value.id]
                cells = (*inside.cells[:place], known, *inside.cells[place + 1 :])
                one.heap[value.id] = replace(inside, cells=cells)
                after.append(one)
            found_ = after
        return [(one, value) for one in found_]
    value = run.refreshed(world, value) if isinstance(value, Num) else value
    if not isinstance(value, Num) or value.kinds != TEXT or value.known is not None:
        return [(world, value)]
    found = run.split(world, value, "this text")
    if not found:  # told
        return [(world, world.pop())]
    return [(one, constant(Fraction(known), TEXT)) for one, known in found if not isinstance(known, exact.Irrational)]


def changing(values: Value, world: World) -> Ref | None:
    """Return an object that is walked over if its elements are read one by one, as they are then."""
    if isinstance(values, Ref) and world.heap[values.id].sort in ("list", "array", "dict", "view", "deque"):
        return values
    return None


def keys_of(value: Value | None, world: World) -> tuple[object, ...]:
    """Return the keys of a dictionary, or of that of a view; nothing of others."""
    if not isinstance(value, Ref):
        return ()
    found = world.heap[value.id]
    if found.sort == "view":
        return keys_of(found.cells[0], world)
    return found.keys if found.sort == "dict" else ()


def opened(run: Run, value: Value, world: World) -> Value:
    """Return what an iterator reads: of a dictionary its entries, which may not change from now on."""
    if not isinstance(value, Ref) or world.heap[value.id].sort not in ("dict", "view"):
        return value
    return run.allocate(world, Object("iterator", (value,), ("entries", *keys_of(value, world))))


def is_as_asked(value: Value, world: World) -> bool:
    """Whether the elements of a value are computed as they are asked for."""
    if not isinstance(value, Ref) or world.heap[value.id].sort != "iterator":
        return False
    found = world.heap[value.id]
    return found.keys[0] in _AS_ASKED or (found.keys[0] == "enumerate" and is_as_asked(found.cells[0], world))


def iterators(value: Value, world: World) -> set[int]:
    """Return the numbers of the iterators from which the elements of a value come, its own among them."""
    if not isinstance(value, Ref) or world.heap[value.id].sort != "iterator":
        return set()
    return {value.id}.union(*(iterators(cell, world) for cell in world.heap[value.id].cells))


def is_taken(value: Value, world: World) -> bool:
    """Whether a value is an iterator of which it is known how far it was taken."""
    return isinstance(value, Ref) and world.heap[value.id].keys[:1] in (("elements",), ("spent",))


def take(run: Run, node: ast.AST, value: Ref, world: World) -> Value | None:
    """Return the next element of an iterator, which goes on by one; None where there is none."""
    found = world.heap[value.id]
    if found == SPENT:
        return None
    place = found.keys[1]
    assert isinstance(place, int)
    parts = parts_of(run, node, found.cells[0], world)
    if parts is None:
        return Unknown()
    if place >= len(parts):
        world.heap[value.id] = SPENT
        return None
    world.heap[value.id] = replace(found, keys=("elements", place + 1))
    return parts[place]


def first_parts_of(run: Run, node: ast.AST, value: Value, world: World) -> list[Value] | None:
    """Return the parts of a sequence that are read up to one that decides: what is left of an iterator is not known."""
    read = iterators(value, world)
    parts = parts_of(run, node, value, world)
    world.heap.update(dict.fromkeys(read, LEFT))
    return parts
