"""Assignments: to names, elements and fields, in place, and their deletion."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace

from seepage.python import arithmetic, arrays, following, iteration, names, own_methods, records, sequences, subscripts
from seepage.python.run import Run
from seepage.python.values import Object, Ref, Stale, Unknown, Value
from seepage.python.world import World


def assignment(run: Run, targets: Sequence[ast.expr], value: ast.expr, world: World) -> list[World]:
    """Follow an assignment: the value once, then its targets from left to right."""
    after: list[World] = []
    worlds = following.evaluate(run, value, world)
    for one in worlds:
        hint = targets[0].id if isinstance(targets[0], ast.Name) else "value"
        going = [one]
        one.temps.append(run.settle(one, one.pop(), hint))
        for target in targets:
            going = [bound for each in going for bound in assign(run, target, each.temps[-1], each)]
        for each in going:
            each.pop()
        after += going
    return after


def assign(run: Run, target: ast.expr, value: Value, world: World) -> list[World]:
    """Bind a target to a value."""
    match target:
        case ast.Name(id=name):
            names.bind(run, target, name, run.settle(world, value, name), world)
            return [world]
        case ast.Tuple(elts) | ast.List(elts):
            most = None if any(isinstance(each, ast.Starred) for each in elts) else len(elts)
            return [
                after
                for one, known in sequences.texts_of(run, value, world)
                for two in iteration.drained(run, target, known, one, most)
                for after in _unpack(run, target, elts, two.pop(), two)
            ]
        case ast.Subscript(slice=ast.Slice() as part):
            ends = iteration.drained(run, target, value, world)
            return [after for one in ends for after in subscripts.write_slice(run, target, part, one.pop(), one)]
        case ast.Subscript(owner, index):
            world.temps.append(value)
            after: list[World] = []
            for one in following.all_of(run, [owner, index], world):
                stored, object_, place = one.take(3)
                after += subscripts.store(run, target, object_, place, stored, one)
            return after
        case ast.Attribute(owner, name):
            world.temps.append(value)
            after = []
            for one in following.evaluate(run, owner, world):
                stored, object_ = one.take(2)
                _set_field(run, target, object_, name, stored, one)
                after.append(one)
            return after
        case _:
            run.refuse(target, "this target of an assignment is not analysed")
            return [world]


def _set_field(run: Run, node: ast.AST, owner: Value, name: str, value: Value, world: World) -> None:
    if not isinstance(owner, Ref) or world.heap[owner.id].sort != "record":
        if not isinstance(owner, Unknown):
            run.refuse(node, "only fields of objects of this file can be written")
        return
    found = world.heap[owner.id]
    if found.type is not None and found.type.is_frozen:
        run.refuse(node, f"fields of '{found.type.name}' are not written")
        return
    if found.type is not None and records.is_property(run, found.type, name):
        run.refuse(node, f"'{name}' is computed by a property; that it is written is not analysed")
        return
    if found.type is not None and found.type.has_slots and name not in found.keys:
        run.refuse(node, f"objects of '{found.type.name}' have no other fields than those that it lists")
        return
    value = run.settle(world, value, name)
    if name in found.keys:
        place = found.keys.index(name)
        world.heap[owner.id] = replace(found, cells=(*found.cells[:place], value, *found.cells[place + 1 :]))
    else:
        world.heap[owner.id] = replace(found, cells=(*found.cells, value), keys=(*found.keys, name))


def _unpack(run: Run, node: ast.AST, targets: Sequence[ast.expr], value: Value, world: World) -> list[World]:
    parts = sequences.parts_of(run, node, value, world)
    if parts is None:
        parts = [Unknown()] * len(targets)
    starred = [place for place, target in enumerate(targets) if isinstance(target, ast.Starred)]
    if starred and len(parts) >= len(targets) - 1:  # what no other target takes
        end = len(parts) - (len(targets) - 1 - starred[0])
        rest = run.allocate(world, Object("list", tuple(parts[starred[0] : end])))
        parts = [*parts[: starred[0]], rest, *parts[end:]]
        targets = [target.value if isinstance(target, ast.Starred) else target for target in targets]
    if len(parts) != len(targets):
        run.raise_(world, "ValueError")
        return []
    worlds = [world]
    world.temps += parts
    for place, target in enumerate(targets):
        back = len(targets) - place
        worlds = [bound for one in worlds for bound in assign(run, target, one.temps[-back], one)]
    for one in worlds:
        one.take(len(targets))
    return worlds


def augmented(run: Run, node: ast.AugAssign, world: World) -> list[World]:
    """Follow ``target op= value``: what the target names is evaluated once, then read and written."""
    target, kept = _evaluated_once(node.target, node.value)
    worlds = [world]
    for name, part in kept:
        worlds = [after for one in worlds for after in _keep(run, name, part, one)]
    after = [done for one in worlds for done in _operated(run, node, target, one)]
    for one in after:
        for name, _ in kept:
            one.frames[names.owner_of(run, name)].pop(name, None)
    return after


def _keep(run: Run, name: str, part: ast.expr, world: World) -> list[World]:
    after = following.evaluate(run, part, world)
    for one in after:
        names.bind(run, part, name, run.settle(one, one.pop(), "place"), one)
    return after


def _evaluated_once(target: ast.expr, value: ast.expr) -> tuple[ast.expr, list[tuple[str, ast.expr]]]:
    """Return a target whose parts that may draw or change something, or are changed by the value, are names, and what these stand for, in Python's order."""
    kept: list[tuple[str, ast.expr]] = []
    changes = _may_change(value)

    def part(node: ast.expr) -> ast.expr:
        match node:
            case ast.Tuple(elements, context):
                made: ast.expr = ast.Tuple([part(each) for each in elements], context)
            case ast.Slice(lower, upper, step):
                made = ast.Slice(*(None if each is None else part(each) for each in (lower, upper, step)))
            case _ if _may_change(node) or (changes and not isinstance(node, ast.Constant)):
                kept.append((f"place {len(kept)} of it", node))  # no name of Python
                made = ast.Name(kept[-1][0], ast.Load())
            case _:
                return node
        return ast.copy_location(made, node)

    match target:
        case ast.Attribute(owner, name, context):
            found: ast.expr = ast.Attribute(part(owner), name, context)
        case ast.Subscript(owner, index, context):
            found = ast.Subscript(part(owner), part(index), context)
        case _:
            return target, []
    return ast.copy_location(found, target), kept


def _may_change(node: ast.expr) -> bool:
    return any(isinstance(inner, ast.Call | ast.NamedExpr) for inner in ast.walk(node))


def _operated(run: Run, node: ast.AugAssign, target: ast.expr, world: World) -> list[World]:
    after: list[World] = []
    for one in following.all_of(run, [_reading(target), node.value], world):
        values = one.take(2)
        if any(isinstance(value, Unknown) for value in values):
            after += assign(run, target, Unknown(), one)
            continue
        if (own := own_methods.operation(run, node, node.op, values, one, in_place=True)) is not None:
            after += [end for done in own for end in assign(run, target, done.pop(), done)]
            continue
        left, right = values
        makes_array = isinstance(right, Ref) and one.heap[right.id].sort == "array"
        if (
            isinstance(left, Ref)
            and one.heap[left.id].sort == "list"
            and isinstance(node.op, ast.Add)
            and not makes_array
        ):
            parts = sequences.parts_of(run, node, right, one)
            found = one.heap[left.id]
            one.heap[left.id] = replace(found, cells=found.cells + tuple(parts or ()))
            after += assign(run, target, left, one)
            continue
        in_place = (
            left
            if isinstance(left, Ref)
            and (one.heap[left.id].sort == "array" or (one.heap[left.id].sort in _CHANGED and not makes_array))
            else None
        )
        for done in arithmetic.operation(run, node, node.op, values, one):
            made = done.pop()
            if in_place is not None and isinstance(made, Ref):
                before, found = done.heap[in_place.id], done.heap[made.id]
                if before.sort == "array" and found.shape != before.shape:
                    run.refuse(node, "what is of another shape does not fit into the array")
                elif before.sort == "array" and not arrays.is_kept(before, found.cells):
                    run.refuse(node, arrays.KEPT)
                elif before.sort == "array":
                    arrays.write(done, in_place, found.cells)
                else:
                    done.heap[in_place.id] = found
                made = in_place
            after += assign(run, target, made, done)
    return after


_CHANGED = ("list", "set", "dict")  # and arrays: what an operation changes in place


def _reading(target: ast.expr) -> ast.expr:
    match target:
        case ast.Name(id=name):
            made: ast.expr = ast.Name(name, ast.Load())
        case ast.Attribute(owner, name):
            made = ast.Attribute(owner, name, ast.Load())
        case ast.Subscript(owner, index):
            made = ast.Subscript(owner, index, ast.Load())
        case _:
            return target
    return ast.copy_location(made, target)


def delete(run: Run, targets: Sequence[ast.expr], world: World) -> list[World]:
    """Follow ``del``: of a name that has no value it raises."""
    worlds = [world]
    for target in targets:
        worlds = [after for one in worlds for after in _deleted(run, target, one)]
    return worlds


def _deleted(run: Run, target: ast.expr, world: World) -> list[World]:
    match target:
        case ast.Tuple(elts) | ast.List(elts):
            return delete(run, elts, world)
        case ast.Subscript():
            return subscripts.remove(run, target, world)
        case ast.Name(id=name):
            pass
        case _:
            run.refuse(target, "'del' of a field is not analysed")
            return [world]
    number = names.owner_of(run, name)
    if number == 0:
        run.refuse(target, f"'{name}' belongs to the module; functions that write its variables are not analysed")
        return [world]
    removed = world.frames[number].pop(name, None)
    if isinstance(removed, Stale):
        run.stale_reads.add((number, name))
    if removed is None:
        run.raise_(world, "UnboundLocalError")
        return []
    return [world]
