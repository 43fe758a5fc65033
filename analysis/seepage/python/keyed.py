"""Dictionaries and sets: what is found by a key. A random key is followed for each of its values, so that keys are always known."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction

from seepage.python import constants, following, known_keys, sequences
from seepage.python.run import Run
from seepage.python.terms import binary, choice, constant, disjunction, literal, number, truth_of
from seepage.python.values import (
    BOOL,
    INT,
    WHOLE,
    Num,
    Object,
    Ref,
    Unknown,
    Value,
    may_be_of_numpy,
    may_share,
)
from seepage.python.world import World, push

EMPTY = {"builtins.list": "list", "builtins.dict": "dict", "builtins.set": "set"}
ZERO = {"builtins.int": INT, "builtins.float": frozenset({"float"}), "builtins.bool": BOOL}


def each_key(
    run: Run,
    node: ast.AST,
    key: Value,
    world: World,
    then: Callable[[World, object], list[World]],
    *,
    is_kept: bool = False,
) -> list[World]:
    """Go on for each value of a key, and put together what can be; an unknown key gives an unknown value.

    A key that ``is_kept`` is given back later, with the type that it has.
    """
    if is_kept and (fault := _not_kept(key, world)):
        return push(world, run.refuse(node, fault))
    base, depth, mark = world.code, world.depth, len(run.abrupt)
    found = known_keys.keys(run, node, key, world)
    if found is None:
        return push(world, Unknown())
    return run.join(base, depth, [end for one, known in found for end in then(one, known)], run.abrupt[mark:])


def _not_kept(key: Value, world: World) -> str:
    """Return why a key would be given back as another one, of another type; nothing if it would not."""
    if isinstance(key, Ref) and world.heap[key.id].sort == "tuple":
        return next(filter(None, (_not_kept(part, world) for part in world.heap[key.id].cells)), "")
    if isinstance(key, Num) and "float" in key.kinds:
        return "a float as a key is not analysed; make it an integer"
    if isinstance(key, Num) and key.kinds >= WHOLE:
        return "a key that is a truth or a number is not analysed; make it a number by 'int'"
    return ""


# --- one entry ----------------------------------------------------------------------------------------------------------


def entry(run: Run, node: ast.AST, owner: Ref, key: Value, world: World) -> list[World]:
    """Put the value of a key on top; without one, KeyError is raised."""
    found = world.heap[owner.id]
    if isinstance(key, Num) and found.type is None and known_keys.key_of(run, world, key) is None:
        made = _picked(run, found, key, world)
        if made is not None:
            return made
    is_kept = found.type is not None and found.type != known_keys.COUNTER
    return each_key(run, node, key, world, lambda one, known: _entry(run, node, owner, known, one), is_kept=is_kept)


def _entry(run: Run, node: ast.AST, owner: Ref, key: object, world: World) -> list[World]:
    found = world.heap[owner.id]
    if key in found.keys:
        return push(world, found.cells[found.keys.index(key)])
    if found.type is None:
        run.raise_(world, "KeyError")
        return []
    if found.type == known_keys.COUNTER:
        return push(world, constant(0, INT, 0))
    made = _fresh(run, node, found.type.name, world)
    put(run, owner, key, made, world)
    return push(world, made)


def _fresh(run: Run, node: ast.AST, path: str, world: World) -> Value:
    """Return what the factory of a dictionary with defaults makes."""
    if path in EMPTY:
        return run.allocate(world, Object(EMPTY[path], ()))
    if path in ZERO:
        return constant(0, ZERO[path], 0)
    return run.refuse(node, "a dictionary with such defaults is not analysed; 'int' and 'list' are")


def _picked(run: Run, found: Object, key: Num, world: World) -> list[World] | None:
    """Return the value of a random key as one expression, where all keys and values are plain; None where they are not."""
    values = run.refreshed(world, key).support.values
    if "float" in key.kinds and (values is None or not all(isinstance(each, int) for each in values)):
        return None
    known = [each for each in found.keys if isinstance(each, int | Fraction)]
    held = disjunction(binary("==", key.expression, literal(each)) for each in known)
    if len(known) != len(found.keys) or not known:
        return None
    cells = [cell if isinstance(cell, Num) else None for cell in found.cells]
    numbers = [cell for cell in cells if cell is not None]
    if len(numbers) != len(cells) or not may_share(frozenset[str]().union(*(cell.kinds for cell in numbers))):
        return None
    inside = run.need(world, number(held, BOOL, world.known), "KeyError")
    if inside is None:
        return []
    made = numbers[-1]
    for each, cell in reversed(list(zip(known[:-1], numbers[:-1], strict=True))):
        test = binary("==", key.expression, literal(each))
        made = Num(choice(test, cell.expression, made.expression), made.kinds | cell.kinds)
    found_ = number(made.expression, made.kinds, inside.known)
    return push(inside, replace(found_, of_numpy=may_be_of_numpy(*numbers)))


def store(run: Run, node: ast.AST, owner: Ref, key: Value, value: Value, world: World) -> list[World]:
    """Write an entry of a dictionary, or put a key into a set."""

    def written(one: World, known: object) -> list[World]:
        put(run, owner, known, value, one)
        return push(one, constants.none_value(run))

    ends = each_key(run, node, key, world, written, is_kept=True)
    for one in ends:
        one.pop()
    return ends


def put(run: Run, owner: Ref, key: object, value: Value, world: World) -> None:
    """Write an entry whose key is known, or put a known key into a set."""
    found = world.heap[owner.id]
    if found.sort == "set":
        world.heap[owner.id] = known_keys.set_of_keys(run, world, (*found.keys, key))
        return
    entries = dict(zip(found.keys, found.cells, strict=True)) | {key: run.settle(world, value, "item")}
    world.heap[owner.id] = replace(found, cells=tuple(entries.values()), keys=tuple(entries))


def remove(run: Run, node: ast.AST, owner: Ref, key: Value, world: World, *, missing: str = "KeyError") -> list[World]:
    """Take a key away and put its value on top; without one, an exception is raised, or None is on top if ``missing`` is empty."""

    def taken(one: World, known: object) -> list[World]:
        found = one.heap[owner.id]
        if known not in found.keys:
            if missing:
                run.raise_(one, missing)
                return []
            return push(one, constants.none_value(run))
        place = found.keys.index(known)
        value = found.cells[place]
        cells = (*found.cells[:place], *found.cells[place + 1 :])
        one.heap[owner.id] = replace(found, cells=cells, keys=(*found.keys[:place], *found.keys[place + 1 :]))
        return push(one, value)

    return each_key(run, node, key, world, taken)


# --- whole objects ----------------------------------------------------------------------------------------------------


def on_sets(run: Run, op: ast.operator | ast.cmpop, left: Ref, right: Ref, world: World) -> Value:
    """Apply an operator to two sets, whose keys are known."""
    a, b = world.heap[left.id].keys, world.heap[right.id].keys
    match op:
        case ast.BitOr():
            made = [*a, *(key for key in b if key not in a)]
        case ast.BitAnd():
            if {(type(key), key) for key in a if key in b} != {(type(key), key) for key in b if key in a}:
                return run.refuse(run.at, "which of True and 1 is in both sets is not analysed")
            made = [key for key in a if key in b]
        case ast.Sub():
            made = [key for key in a if key not in b]
        case ast.BitXor():
            made = [*(key for key in a if key not in b), *(key for key in b if key not in a)]
        case ast.LtE() | ast.Lt():
            return truth_of(set(a) <= set(b) if isinstance(op, ast.LtE) else set(a) < set(b))
        case ast.GtE() | ast.Gt():
            return truth_of(set(a) >= set(b) if isinstance(op, ast.GtE) else set(a) > set(b))
        case _:
            return run.refuse(run.at, "this operator of sets is not analysed")
    return run.allocate(world, known_keys.set_of_keys(run, world, made))


def as_set(run: Run, node: ast.AST, value: Value, world: World) -> list[World]:
    """Put the set of the elements of a value on top."""
    if isinstance(value, Ref) and world.heap[value.id].sort == "set":
        return push(world, run.allocate(world, world.heap[value.id]))
    parts = sequences.parts_of(run, node, value, world)
    if parts is None:
        return push(world, Unknown())
    return built(run, node, "set", [(part, part) for part in parts], world)


def built(run: Run, node: ast.AST, sort: str, pairs: Sequence[tuple[Value, Value]], world: World) -> list[World]:
    """Put a dictionary or a set of keys and values on top."""
    made, place = run.allocate(world, Object(sort, ())), len(world.temps)
    world.temps += [made, *(part for pair in pairs for part in pair)]
    worlds = [world]
    for at in range(place + 1, place + 1 + 2 * len(pairs), 2):
        worlds = [after for one in worlds for after in store(run, node, made, one.temps[at], one.temps[at + 1], one)]
    for one in worlds:
        del one.temps[place + 1 :]
    return worlds


def display(
    run: Run, node: ast.Dict | ast.Set, names: Sequence[ast.expr | None], parts: Sequence[ast.expr], world: World
) -> list[World]:
    """Put what a display of a dictionary, or of a set, writes on top."""
    if any(isinstance(part, ast.Starred) for part in parts):
        return push(world, run.refuse(node, "a starred value in a set is not analysed"))
    written = [part for name, value in zip(names, parts, strict=True) for part in (name, value) if part is not None]

    def make(one: World, values: list[Value]) -> list[World]:
        given, pairs = iter(values), list[tuple[Value, Value]]()
        for name in names:
            value = next(given)
            if name is not None:
                pairs.append((value, next(given)))
            elif isinstance(node, ast.Set):
                pairs.append((value, value))
            elif isinstance(value, Ref) and one.heap[value.id].sort == "dict":
                found = one.heap[value.id]
                pairs += [
                    (known_keys.value_of(run, key, one), cell)
                    for key, cell in zip(found.keys, found.cells, strict=True)
                ]
            else:
                return push(one, run.refuse(node, "what stands behind '**' must be a dictionary"))
        return built(run, node, "set" if isinstance(node, ast.Set) else "dict", pairs, one)

    spread = {
        id(value) for name, value in zip(names, parts, strict=True) if name is None and isinstance(node, ast.Dict)
    }
    ends: list[World] = []
    worlds = [world]
    for part in written:
        worlds = [after for one in worlds for after in following.evaluate(run, part, one)]
        for one in worlds:
            value = one.temps[-1]
            if id(part) in spread and isinstance(value, Ref):  # its entries are taken here
                one.temps[-1] = run.allocate(one, one.heap[value.id])
    for one in worlds:
        values = one.take(len(written))
        is_known = not any(isinstance(value, Unknown) for value in values)
        ends += make(one, values) if is_known else push(one, Unknown())
    return ends


def merged(run: Run, a: Object, b: Object, world: World) -> list[World]:
    """Put a dictionary with the entries of two on top."""
    if a.type is not None or b.type is not None:
        return push(world, run.refuse(run.at, "'|' of dictionaries with defaults is not analysed"))
    entries = dict(zip(a.keys, a.cells, strict=True)) | dict(zip(b.keys, b.cells, strict=True))
    return push(world, run.allocate(world, Object("dict", tuple(entries.values()), tuple(entries))))
