"""Parts of objects: elements, slices, fields, and arrays cell by cell."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace

from seepage.python import (
    array_parts,
    arrays,
    constants,
    enums,
    following,
    indices,
    keyed,
    known_keys,
    own_methods,
    sequences,
)
from seepage.python.run import Run
from seepage.python.terms import binary, choice, disjunction, literal, number
from seepage.python.values import (
    WHOLE,
    Class,
    Num,
    Object,
    Range,
    Ref,
    Unknown,
    Value,
    may_share,
)
from seepage.python.world import World, push

# --- reading ----------------------------------------------------------------------------------------------------------


def read(run: Run, node: ast.Subscript, world: World) -> list[World]:
    """Read an element or a slice."""
    if isinstance(node.slice, ast.Slice):
        bounds = [part for part in (node.slice.lower, node.slice.upper, node.slice.step) if part is not None]
        return following.each(
            run, [node.value, *bounds], world, lambda one, values: _slice(run, node, node.slice, values, one)
        )
    return following.each(
        run, [node.value, node.slice], world, lambda one, values: element(run, node, values[0], values[1], one)
    )


def element(run: Run, node: ast.AST, owner: Value, index: Value, world: World) -> list[World]:
    """Put an element of a sequence or of a dictionary on top."""
    base, depth, mark = world.code, world.depth, len(run.abrupt)
    ends_ = [
        end for one, known in sequences.texts_of(run, owner, world) for end in _element(run, node, known, index, one)
    ]
    return run.join(base, depth, ends_, run.abrupt[mark:]) if len(ends_) > 1 else ends_


def _element(run: Run, node: ast.AST, owner: Value, index: Value, world: World) -> list[World]:
    if (own := own_methods.asked(run, node, "__getitem__", [owner, index], world)) is not None:
        return own
    index = run.as_number(world, index)
    if isinstance(owner, Class) and sequences.members_of(owner, world) is not None:
        return enums.by_name(run, node, owner, index, world)
    if isinstance(owner, Ref) and world.heap[owner.id].sort == "dict":
        return keyed.entry(run, node, owner, index, world)
    if isinstance(owner, Ref) and isinstance(index, Ref):
        if world.heap[owner.id].sort == "array":
            return array_parts.read(run, node, owner, index, world)
        return push(world, run.refuse(node, "an index must be a number"))
    if isinstance(owner, Ref) and world.heap[owner.id].sort in ("iterator", "view", "set"):
        run.raise_(world, "TypeError")
        return []
    if (
        isinstance(owner, Ref)
        and world.heap[owner.id].sort == "array"
        and isinstance(index, Num)
        and "bool" in index.kinds
    ):
        return push(world, run.refuse(node, indices.BY_TRUTH))
    parts = sequences.parts_of(run, node, owner, world)
    if parts is None or not isinstance(index, Num):
        if parts is not None and not isinstance(index, Unknown):
            run.refuse(node, "an index must be a number")
        return push(world, Unknown())
    worlds: list[World] = []
    for one, places in indices.indices(run, node, index, len(parts), world):
        worlds += indices.select(run, node, index, places, parts, one)
    return worlds


def _ends(run: Run, part: ast.Slice, values: Sequence[Value]) -> list[Value]:
    """Return beginning, end and step of a slice, of which those that stand in the text are given."""
    given = iter(values)
    return [constants.none_value(run) if each is None else next(given) for each in (part.lower, part.upper, part.step)]


def _slice(run: Run, node: ast.AST, part: ast.expr, values: list[Value], world: World) -> list[World]:
    assert isinstance(part, ast.Slice)
    owner, *bounds = values
    found: list[World] = []
    base, depth, mark = world.code, world.depth, len(run.abrupt)
    cuts = [
        (one, known, cut)
        for two, known in sequences.texts_of(run, owner, world)
        for one, cut in indices.bounds(run, node, _ends(run, part, bounds), two)
    ]
    for one, owner, cut in cuts:
        match owner:
            case Ref(at) if one.heap[at].sort in ("list", "tuple", "bytes"):
                sliced = one.heap[at]
                found += push(one, run.allocate(one, Object(sliced.sort, sliced.cells[cut])))
            case Ref(at) if one.heap[at].sort == "array" and one.heap[at].shape:
                found += push(one, arrays.rows(run, owner, range(one.heap[at].shape[0])[cut], one))
            case Range(whole):
                found += push(one, Range(whole[cut]))
            case Num() if (text := constants.text_of(run, owner)) is not None:
                found += push(one, constants.text_value(run, text[cut]))
            case _:
                found += push(one, run.refuse(node, "a slice of this value is not analysed"))
    if found or len(run.abrupt) > mark:
        return run.join(base, depth, found, run.abrupt[mark:])
    return push(world, Unknown())


# --- writing ----------------------------------------------------------------------------------------------------------


def store(run: Run, node: ast.Subscript, owner: Value, index: Value, value: Value, world: World) -> list[World]:
    """Write an element; returns the worlds that go on."""
    if (own := own_methods.asked(run, node, "__setitem__", [owner, index, value], world)) is not None:
        for one in own:
            one.pop()
        return own
    index = run.as_number(world, index)
    if not isinstance(owner, Ref):
        if not isinstance(owner, Unknown):
            run.refuse(node, "only elements of lists, arrays and dictionaries can be written")
        return [world]
    found = world.heap[owner.id]
    if found.sort == "dict":
        return keyed.store(run, node, owner, index, value, world)
    if found.sort in ("tuple", "bytes", "set", "view", "iterator"):
        run.raise_(world, "TypeError")
        return []
    if found.sort == "array" and (len(found.shape) != 1 or isinstance(index, Ref)):
        return array_parts.store(run, node, owner, index, value, world)
    if not isinstance(index, Num):
        if not isinstance(index, Unknown):
            run.refuse(node, "an index must be a number")
        return [world]
    if found.sort == "array" and "bool" in index.kinds:
        run.refuse(node, indices.BY_TRUTH)
        return [world]
    if found.sort == "array" and not arrays.is_kept(found, [value]):
        run.refuse(node, arrays.KEPT)
        return [world]
    after: list[World] = []
    for one, places in indices.indices(run, node, index, len(found.cells), world):
        after += _store_at(run, owner, index, places, value, one)
    return after


def _store_at(run: Run, owner: Ref, index: Num, places: dict[int, int], value: Value, world: World) -> list[World]:
    if not places:  # told
        return [world]
    found = world.heap[owner.id]
    cells = list(found.cells)
    value = run.settle(world, value, "item")
    if len(set(places.values())) == 1:
        cells[next(iter(places.values()))] = value
        _put(world, owner, cells)
        return [world]
    numbers = [run.as_number(world, cells[place]) for place in sorted(set(places.values()))]
    new = run.as_number(world, value)
    kinds = frozenset[str]().union(*(each.kinds for each in (new, *numbers) if isinstance(each, Num)))
    if isinstance(new, Num) and all(isinstance(each, Num) for each in numbers) and may_share(kinds):
        for place in sorted(set(places.values())):
            old = run.as_number(world, cells[place])
            assert isinstance(old, Num)
            test = disjunction(
                binary("==", index.expression, literal(one)) for one, at in sorted(places.items()) if at == place
            )
            made = number(choice(test, new.expression, old.expression), new.kinds | old.kinds, world.known)
            cells[place] = run.settle(world, made, "item")
        _put(world, owner, cells)
        return [world]
    base, depth = world.code, world.depth
    after: list[World] = []
    for one, known in run.split(world, index, "the index"):
        assert isinstance(known, int)
        changed = list(one.heap[owner.id].cells)
        changed[places[known]] = value
        _put(one, owner, changed)
        after.append(one)
    return run.join(base, depth, after)


def _put(world: World, owner: Ref, cells: Sequence[Value]) -> None:
    if world.heap[owner.id].sort == "array":
        arrays.write(world, owner, cells)
    else:
        world.heap[owner.id] = replace(world.heap[owner.id], cells=tuple(cells))


def remove(run: Run, node: ast.Subscript, world: World) -> list[World]:
    """Follow ``del`` of an element, of a slice or of an entry."""
    if isinstance(node.slice, ast.Slice):
        return write_slice(run, node, node.slice, None, world)
    after: list[World] = []
    for one in following.all_of(run, [node.value, node.slice], world):
        owner, index = one.take(2)
        if isinstance(owner, Unknown) or isinstance(index, Unknown):
            after.append(one)
        elif isinstance(owner, Ref) and one.heap[owner.id].sort == "dict":
            missing = "" if one.heap[owner.id].type == known_keys.COUNTER else "KeyError"
            for end in keyed.remove(run, node, owner, index, one, missing=missing):
                end.pop()
                after.append(end)
        elif isinstance(owner, Ref) and one.heap[owner.id].sort == "list" and isinstance(index, Num):
            for end in taken(run, node, owner, index, one):
                end.pop()
                after.append(end)
        else:
            run.refuse(node, "'del' of a part of this object is not analysed")
            after.append(one)
    return after


def write_slice(run: Run, node: ast.Subscript, part: ast.Slice, value: Value | None, world: World) -> list[World]:
    """Put the elements of a value in place of a slice of a list; None deletes the slice."""
    bounds = [each for each in (part.lower, part.upper, part.step) if each is not None]
    world.temps.append(Unknown() if value is None else value)
    base, depth, mark = world.code, world.depth, len(run.abrupt)
    after: list[World] = []
    for one in following.all_of(run, [node.value, *bounds], world):
        new, owner, *places = one.take(len(bounds) + 2)
        if isinstance(owner, Unknown) or any(isinstance(each, Unknown) for each in places):
            after.append(one)
            continue
        if isinstance(owner, Ref) and one.heap[owner.id].sort == "array" and value is not None:
            whole = run.allocate(one, Object("slice", tuple(_ends(run, part, places))))
            after += array_parts.store(run, node, owner, whole, new, one)
            continue
        if not isinstance(owner, Ref) or one.heap[owner.id].sort != "list":
            run.refuse(node, "a slice is written in lists only")
            after.append(one)
            continue
        parts = [] if value is None else sequences.parts_of(run, node, new, one)
        for two, cut in indices.bounds(run, node, _ends(run, part, places), one):
            cells = list(two.heap[owner.id].cells)
            if value is None:
                del cells[cut]
            elif cut.step not in (None, 1) and len(cells[cut]) != len(parts or ()):
                run.raise_(two, "ValueError")
                continue
            else:
                cells[cut] = [run.settle(two, each, "item") for each in parts or ()]
            two.heap[owner.id] = replace(two.heap[owner.id], cells=tuple(cells))
            after.append(two)
    return run.join(base, depth, after, run.abrupt[mark:])


def taken(run: Run, node: ast.AST, owner: Ref, index: Num, world: World) -> list[World]:
    """Take an element out of a list, and put it on top; outside, IndexError is raised."""
    base, depth, mark = world.code, world.depth, len(run.abrupt)
    found = world.heap[owner.id]
    if not index.kinds <= WHOLE:
        return push(world, run.refuse(node, "an index must be an integer"))
    ends_: list[World] = []
    for one, known in run.split(world, index, "the place"):
        if not isinstance(known, int) or not -len(found.cells) <= known < len(found.cells):
            run.raise_(one, "IndexError")
            continue
        cells = list(found.cells)
        value = cells.pop(known)
        one.heap[owner.id] = replace(found, cells=tuple(cells))
        ends_ += push(one, value)
    return run.join(base, depth, ends_, run.abrupt[mark:])
