"""Methods of dictionaries and sets, and the functions that make them."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import replace

from seepage.python import builtin_functions, constants, iteration, keyed, known_keys, sequences
from seepage.python.calling import Builtin, Named
from seepage.python.run import Run
from seepage.python.terms import binary, constant, literal, number
from seepage.python.values import INT, NONE, Class, Function, Library, Num, Object, Ref, Unknown, Value
from seepage.python.world import World, push

_OnObject = Callable[[Run, ast.AST, Ref, list[Value], Named, World], list[World]]


def _get(run: Run, node: ast.AST, owner: Ref, values: list[Value], named: Named, world: World) -> list[World]:
    default = values[1] if len(values) > 1 else constants.none_value(run)

    def got(one: World, known: object) -> list[World]:
        found = one.heap[owner.id]
        return push(one, found.cells[found.keys.index(known)] if known in found.keys else default)

    return keyed.each_key(run, node, values[0], world, got)


def _pop(run: Run, node: ast.AST, owner: Ref, values: list[Value], named: Named, world: World) -> list[World]:
    found = world.heap[owner.id]
    if found.sort == "set":
        if len(found.cells) > 1:
            return push(world, run.refuse(node, known_keys.NO_ORDER))
        if not found.cells:
            run.raise_(world, "KeyError")
            return []
        world.heap[owner.id] = replace(found, cells=(), keys=())
        return push(world, found.cells[0])
    if len(values) == 1:
        return keyed.remove(run, node, owner, values[0], world)

    def popped(one: World, known: object) -> list[World]:
        if known not in one.heap[owner.id].keys:
            return push(one, values[1])
        return keyed.remove(run, node, owner, known_keys.value_of(run, known, one), one)

    return keyed.each_key(run, node, values[0], world, popped)


def _setdefault(run: Run, node: ast.AST, owner: Ref, values: list[Value], named: Named, world: World) -> list[World]:
    default = values[1] if len(values) > 1 else constants.none_value(run)

    def found_or_set(one: World, known: object) -> list[World]:
        if known not in one.heap[owner.id].keys:
            keyed.put(run, owner, known, default, one)
        found = one.heap[owner.id]
        return push(one, found.cells[found.keys.index(known)])

    return keyed.each_key(run, node, values[0], world, found_or_set, is_kept=True)


def _update(run: Run, node: ast.AST, owner: Ref, values: list[Value], named: Named, world: World) -> list[World]:
    if world.heap[owner.id].sort == "set" or world.heap[owner.id].type == known_keys.COUNTER:
        each: ast.operator | None = ast.BitOr() if world.heap[owner.id].sort == "set" else None
        if each is None or named:
            return push(world, run.refuse(node, "'update' of this object is not analysed"))

        def put(one: World, value: Value) -> list[World]:
            return keyed.store(run, node, owner, value, value, one)

        worlds = [world]
        for value in values:
            after: list[World] = []
            for one in worlds:
                if isinstance(value, Ref) and one.heap[value.id].sort == "set":
                    both = (*one.heap[owner.id].keys, *one.heap[value.id].keys)
                    one.heap[owner.id] = known_keys.set_of_keys(run, one, both)
                    after.append(one)
                    continue
                one.temps.append(owner)
                for two in iteration.walk(run, node, value, one, put)[0]:
                    two.pop()
                    after.append(two)
            worlds = after
        return [done for one in worlds for done in push(one, constants.none_value(run))]
    place = len(world.temps)
    world.temps.append(owner)
    ends = _written(run, node, owner, values, named, world)
    for one in ends:
        one.temps[place] = constants.none_value(run)
    return ends


def _cleared(run: Run, node: ast.AST, owner: Ref, values: list[Value], named: Named, world: World) -> list[World]:
    world.heap[owner.id] = replace(world.heap[owner.id], cells=(), keys=())
    return push(world, constants.none_value(run))


def _most_common(run: Run, node: ast.AST, owner: Ref, values: list[Value], named: Named, world: World) -> list[World]:
    """Follow ``most_common``: entries from the most frequent one on, equal ones in the order in which they came."""
    found = world.heap[owner.id]
    given = values[0] if values else named.get("n")
    count = given.known if isinstance(given, Num) and given.kinds == INT else None
    is_all = given is None or (isinstance(given, Num) and given.kinds == NONE)
    if found.type != known_keys.COUNTER or (not is_all and not isinstance(count, int)):
        return push(world, run.refuse(node, "this call of 'most_common' is not analysed"))
    pairs = [
        run.allocate(world, Object("tuple", (known_keys.value_of(run, key, world), cell)))
        for key, cell in zip(found.keys, found.cells, strict=True)
    ]
    world.temps += [*pairs, *found.cells]
    ends = builtin_functions.sorted_by_keys(run, node, len(pairs), world, down=True)
    for one in ends:
        made = one.temps[-1]
        if isinstance(made, Ref) and isinstance(count, int):
            whole = one.heap[made.id]
            one.heap[made.id] = replace(whole, cells=whole.cells[: max(0, count)])
    return ends


def _view(what: str) -> _OnObject:
    def follow(run: Run, node: ast.AST, owner: Ref, values: list[Value], named: Named, world: World) -> list[World]:
        return push(world, run.allocate(world, Object("view", (owner,), (what,))))

    return follow


def _add(run: Run, node: ast.AST, owner: Ref, values: list[Value], named: Named, world: World) -> list[World]:
    return [
        done
        for one in keyed.store(run, node, owner, values[0], values[0], world)
        for done in push(one, constants.none_value(run))
    ]


def _removed(missing: str) -> _OnObject:
    def follow(run: Run, node: ast.AST, owner: Ref, values: list[Value], named: Named, world: World) -> list[World]:
        ends = keyed.remove(run, node, owner, values[0], world, missing=missing)
        for one in ends:
            one.temps[-1] = constants.none_value(run)
        return ends

    return follow


def _set_method(op: ast.operator | ast.cmpop) -> _OnObject:
    def follow(run: Run, node: ast.AST, owner: Ref, values: list[Value], named: Named, world: World) -> list[World]:
        if len(values) != 1 or named:
            return push(world, run.refuse(node, "this call on a set is not analysed"))
        ends: list[World] = []
        for one in keyed.as_set(run, node, values[0], world):
            other = one.pop()
            made = Unknown() if not isinstance(other, Ref) else keyed.on_sets(run, op, owner, other, one)
            ends += push(one, made)
        return ends

    return follow


KEYED_METHODS: dict[str, _OnObject] = {
    "dict.get": _get,
    "dict.pop": _pop,
    "dict.setdefault": _setdefault,
    "dict.update": _update,
    "dict.clear": _cleared,
    "dict.most_common": _most_common,
    "dict.keys": _view("keys"),
    "dict.values": _view("values"),
    "dict.items": _view("items"),
    "set.add": _add,
    "set.pop": _pop,
    "set.remove": _removed("KeyError"),
    "set.discard": _removed(""),
    "set.update": _update,
    "set.clear": _cleared,
    "set.union": _set_method(ast.BitOr()),
    "set.intersection": _set_method(ast.BitAnd()),
    "set.difference": _set_method(ast.Sub()),
    "set.symmetric_difference": _set_method(ast.BitXor()),
    "set.issubset": _set_method(ast.LtE()),
    "set.issuperset": _set_method(ast.GtE()),
}


# --- functions ----------------------------------------------------------------------------------------------------------


def _set_of(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
    made = run.allocate(world, Object("set", ()))
    if not values:
        return push(world, made)
    if isinstance(values[0], Ref) and world.heap[values[0].id].sort == "set":
        return keyed.as_set(run, node, values[0], world)
    world.temps.append(made)
    return iteration.walk(
        run, node, values[0], world, lambda one, value: keyed.store(run, node, made, value, value, one)
    )[0]


def _dictionary(run: Run, node: ast.AST, values: Sequence[Value], named: Named, world: World) -> list[World]:
    """Follow ``dict``: of a dictionary, of pairs, or of named entries."""
    made = run.allocate(world, Object("dict", ()))
    world.temps.append(made)
    return _written(run, node, made, values, named, world)


def _written(run: Run, node: ast.AST, made: Ref, values: Sequence[Value], named: Named, world: World) -> list[World]:
    """Write entries into a dictionary, one by one as they are computed."""
    worlds = [world]
    source = values[0] if values else None
    if isinstance(source, Ref) and world.heap[source.id].sort == "dict":
        for key, cell in zip(world.heap[source.id].keys, world.heap[source.id].cells, strict=True):
            keyed.put(run, made, key, cell, world)
    elif source is not None:
        worlds = _of_pairs(run, node, made, source, world)
    for one in worlds:
        for name, value in named.items():
            keyed.put(run, made, run.codes.code("str", name), value, one)
    return worlds


def _of_pairs(run: Run, node: ast.AST, made: Ref, source: Value, world: World) -> list[World]:
    def paired(one: World, value: Value) -> list[World]:
        pair = sequences.parts_of(run, node, value, one)
        if pair is None:
            return [one]
        if len(pair) != 2:
            run.raise_(one, "ValueError")
            return []
        return keyed.store(run, node, made, pair[0], pair[1], one)

    return iteration.walk(run, node, source, world, paired)[0]


def _defaultdict(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
    match values:
        case [Library(path)] if path in keyed.EMPTY or path in keyed.ZERO:
            kind = Class(path, (), {}, sort="default")
        case [
            Function(
                node=ast.Lambda(
                    args=ast.arguments(posonlyargs=[], args=[], kwonlyargs=[]),
                    body=ast.Constant(value=int() | float() as zero),
                )
            )
        ] if zero == 0:
            kind = Class(f"builtins.{type(zero).__name__}", (), {}, sort="default")
        case _:
            return push(
                world, run.refuse(node, "a dictionary with such defaults is not analysed; 'int' and 'list' are")
            )
    made = run.allocate(world, Object("dict", (), (), (), kind))
    for name, value in named.items():
        keyed.put(run, made, run.codes.code("str", name), value, world)
    return push(world, made)


def _counter(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
    if named or len(values) > 1:
        return push(world, run.refuse(node, "this call of 'Counter' is not analysed"))
    made = run.allocate(world, Object("dict", (), (), (), known_keys.COUNTER))
    world.temps.append(made)
    if not values:
        return [world]
    if isinstance(values[0], Ref) and world.heap[values[0].id].sort == "dict":
        world.heap[made.id] = replace(world.heap[values[0].id], type=known_keys.COUNTER)
        return [world]

    def counted(one: World, value: Value) -> list[World]:
        def more(two: World, known: object) -> list[World]:
            found = two.heap[made.id]
            before = found.cells[found.keys.index(known)] if known in found.keys else constant(0, INT, 0)
            assert isinstance(before, Num)
            total = number(binary("+", before.expression, literal(1)), INT, two.known)
            keyed.put(run, made, known, total, two)
            return push(two, total)

        ends = keyed.each_key(run, node, value, one, more, is_kept=True)
        for each in ends:
            each.pop()
        return ends

    return iteration.walk(run, node, values[0], world, counted)[0]


KEYED_FUNCTIONS: dict[str, Builtin] = {
    "builtins.set": _set_of,
    "builtins.dict": _dictionary,
    "collections.defaultdict": _defaultdict,
    "collections.Counter": _counter,
}
