"""Functions of Python itself and of small modules, of lists, ranges and truth."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import replace

from seepage.python import (
    arithmetic,
    comparisons,
    constants,
    following,
    indices,
    iteration,
    known_keys,
    own_methods,
    printing,
    records,
    sequences,
    truths,
)
from seepage.python.calling import Builtin, Named
from seepage.python.numeric_functions import as_text
from seepage.python.run import Run
from seepage.python.terms import binary, choice, constant, literal, number, truth_of
from seepage.python.terms import call as applied
from seepage.python.values import (
    BOOL,
    INT,
    NONE,
    NUMERIC,
    TEXT,
    WHOLE,
    Class,
    Num,
    Object,
    Range,
    Ref,
    Unknown,
    Value,
)
from seepage.python.vocabulary import OWN_OPERATORS
from seepage.python.world import World, push
from seepage.syntax.tree import Expression


def _extreme(name: str) -> Builtin:
    def follow(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
        if set(named) - {"default", "key"}:
            return push(world, run.refuse(node, f"this call of '{name}' is not analysed"))
        if "key" in named:
            source = values[0] if len(values) == 1 else run.allocate(world, Object("tuple", tuple(values)))
            return _extreme_by_key(run, node, name, source, named, world)
        parts: list[Value] | None = values
        if len(values) == 1:
            parts = sequences.parts_of(run, node, values[0], world)
        if parts is None:
            return push(world, Unknown())
        if not parts:
            if "default" in named:
                return push(world, named["default"])
            run.raise_(world, "ValueError")
            return []
        plain = [run.as_number(world, part) for part in parts]
        numbers = [each for each in plain if isinstance(each, Num) and each.is_number]
        if len(numbers) != len(parts):
            return _first_in_order(run, node, parts, world, down=name == "max")
        if len(numbers) == 1:
            return push(world, numbers[0])
        kinds = frozenset[str]().union(*(each.kinds for each in numbers))
        ieee = None
        if all(each.ieee is not None for each in numbers):
            ieee = (min if name == "min" else max)(each.ieee for each in numbers if each.ieee is not None)
        return push(world, number(applied(name, *(each.expression for each in numbers)), kinds, world.known, ieee))

    return follow


def _first_in_order(run: Run, node: ast.AST, parts: Sequence[Value], world: World, *, down: bool) -> list[World]:
    """Put the first of some values on top, in order; of equal ones that which stands first. Random texts are compared value by value."""
    base, depth, mark = world.code, world.depth, len(run.abrupt)
    worlds = [world]
    for part in parts:
        if isinstance(part, Num) and part.kinds == TEXT:
            worlds = [split for one in worlds for split, _ in run.split(one, part, "the text")]
    ends: list[World] = []
    for known in worlds:
        now = [run.refreshed(known, each) if isinstance(each, Num) else each for each in parts]
        known.temps += [*now, *now]
        for one in sorted_by_keys(run, node, len(parts), known, down=down):
            made = one.pop()
            ends += push(one, one.heap[made.id].cells[0] if isinstance(made, Ref) else Unknown())
    return ends if len(worlds) < 2 else run.join(base, depth, ends, run.abrupt[mark:])


def _extreme_by_key(run: Run, node: ast.AST, name: str, source: Value, named: Named, world: World) -> list[World]:
    """Follow ``max`` and ``min`` by a key, which is called for each element before the next is asked for."""
    place = len(world.temps)
    world.temps += [run.allocate(world, Object("list", ())), run.allocate(world, Object("list", ()))]

    def asked(one: World, item: Value) -> list[World]:
        iteration.append(run, one, place, item)
        ends = following.apply(run, node, named["key"], [item], one)
        for each in ends:
            iteration.append(run, each, place + 1, each.pop())
        return ends

    ends: list[World] = []
    for one in iteration.walk(run, node, source, world, asked)[0]:
        items, found = one.take(2)
        if not isinstance(items, Ref) or not isinstance(found, Ref):
            ends += push(one, Unknown())
            continue
        parts = one.heap[items.id].cells
        if not parts and "default" in named:
            ends += push(one, named["default"])
            continue
        if not parts:
            run.raise_(one, "ValueError")
            continue
        keys = [run.as_number(one, each) for each in one.heap[found.id].cells]
        numbers = [run.settle(one, each, "key") for each in keys if isinstance(each, Num) and each.is_number]
        plain = [each for each in numbers if isinstance(each, Num)]
        if len(plain) != len(parts):
            ends += push(one, run.refuse(node, "keys must be numbers here"))
            continue
        best: Expression = literal(0)
        least = plain[0].expression
        for place, each in enumerate(plain[1:], 1):
            better = binary("<" if name == "min" else ">", each.expression, least)
            best = choice(better, literal(place), best)
            least = choice(better, each.expression, least)
        index = run.settle(one, number(best, INT, one.known), "best")
        assert isinstance(index, Num)
        for inside, places in indices.indices(run, node, index, len(parts), one):
            ends += indices.select(run, node, index, places, parts, inside)
    return ends


def _sum(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
    parts = sequences.parts_of(run, node, values[0], world) if values else None
    if parts is None or len(values) > 2 or (named and set(named) != {"start"}):
        return push(world, Unknown() if parts is None else run.refuse(node, "this call of 'sum' is not analysed"))
    start = values[1] if len(values) > 1 else named.get("start")
    first = start if start is not None or not parts else parts[0]
    if not _is_summed(world, first, is_start=start is not None):
        run.raise_(world, "TypeError")  # a sum begins at 0, and texts are never summed
        return []
    if not parts:
        return push(world, start or constant(0, INT, 0))
    if start is None and isinstance(parts[0], Num) and (not parts[0].is_number or parts[0].kinds == BOOL):
        start = constant(0, INT, 0)  # what may be a text or None, or a truth value, is added to it as the others are
    if isinstance(start, Num) and not start.is_number:
        return push(world, run.refuse(node, "a sum that begins with what may be no number is not analysed"))
    worlds = push(world, parts[0] if start is None else start)
    for place, part in enumerate(parts[0 if start is not None else 1 :], 1):
        after: list[World] = []
        for one in worlds:
            for done in arithmetic.operation(run, node, ast.Add(), [one.pop(), part], one):
                if not isinstance(done.temps[-1], Num) or place % _MOST_TERMS == 0:
                    done.temps.append(run.settle(done, done.pop(), "sum"))
                after.append(done)
        worlds = after
    for one in worlds:
        if isinstance(top := one.temps[-1], Num) and top.kinds == BOOL:
            one.temps[-1] = replace(top, kinds=INT)
    return worlds


_MOST_TERMS = 100  # of a sum that is written as one expression


def _is_summed(world: World, first: Value | None, *, is_start: bool) -> bool:
    match first:
        case Num(kinds=kinds):
            return bool(kinds & NUMERIC)
        case Ref(at):
            return is_start or world.heap[at].sort == "array"
        case _:
            return True


def _len(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
    if (own := own_methods.length(run, node, values[0], world)) is not None:
        return own
    match values[0]:
        case Ref(at) if world.heap[at].sort == "array":
            return push(world, constant(world.heap[at].shape[0], INT, world.heap[at].shape[0]))
        case Ref(at) if world.heap[at].sort == "iterator" or _is_plain_object(world.heap[at]):
            run.raise_(world, "TypeError")
            return []
        case Ref(at) if world.heap[at].sort == "view":
            length = len(known_keys.viewed(run, world.heap[at], world))
        case Ref(at) if world.heap[at].sort == "record" and (kind := world.heap[at].type) and kind.sort != "tuple":
            return push(world, run.refuse(node, "'len' of this object is not analysed"))
        case Ref(at):
            length = len(world.heap[at].cells)
        case Range(indices):
            length = len(indices)
        case Class() as kind if (members := sequences.members_of(kind, world)) is not None:
            length = len(members)
        case Num() as value if (text := constants.text_of(run, value)) is not None:
            length = len(text)
        case Num(kinds=kinds) as value if kinds == TEXT:
            return _len_of_random(run, node, value, world)
        case Num(kinds=kinds) if not kinds & TEXT:
            run.raise_(world, "TypeError")
            return []
        case _:
            return push(world, run.refuse(node, "'len' of what is not known before the run is not analysed"))
    return push(world, constant(length, INT, length))


def _is_plain_object(found: Object) -> bool:
    """Whether something is an object of a class of the file, none of which tell how to be a sequence."""
    is_own = found.sort == "record" and found.type is not None and found.type.sort in ("plain", "data")
    return is_own and found.type is not None and not found.type.defines(OWN_OPERATORS)


def _len_of_random(run: Run, node: ast.AST, value: Num, world: World) -> list[World]:
    base, depth = world.code, world.depth
    ends = [
        end for one, known in run.split(world, value, "the text") for end in _len(run, node, [as_text(known)], {}, one)
    ]
    return run.join(base, depth, ends) if ends else [world]


def _range(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
    found: list[tuple[World, list[int]]] = [(world, [])]
    for value in values:
        after: list[tuple[World, list[int]]] = []
        for one, ends in found:
            if not isinstance(value, Num) or not value.kinds <= frozenset({"int", "bool"}):
                return push(one, run.refuse(node, "the ends of a range must be integers"))
            after += [
                (split, [*ends, int(known)])
                for split, known in run.split(one, value, "an end of this range")
                if isinstance(known, int)
            ]
        found = after
    if not found:
        return [world]
    base, depth, mark = world.code, world.depth, len(run.abrupt)
    done: list[World] = []
    for one, ends in found:
        if not 1 <= len(ends) <= 3 or (len(ends) == 3 and ends[2] == 0):
            run.raise_(one, "ValueError" if len(ends) == 3 else "TypeError")
            continue
        done += push(one, Range(range(*ends)))
    return run.join(base, depth, done, run.abrupt[mark:])


def _copy(sort: str) -> Builtin:
    def follow(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
        parts = sequences.parts_of(run, node, values[0], world) if values else []
        if parts is None:
            return push(world, Unknown())
        return push(world, run.allocate(world, Object(sort, tuple(parts))))

    return follow


def _bytes(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
    """Numbers below 256 as bytes; others raise ValueError."""
    parts = sequences.parts_of(run, node, values[0], world) if values and isinstance(values[0], Ref | Range) else None
    whole = [part for part in parts or () if isinstance(part, Num) and part.kinds <= WHOLE]
    if parts is None or len(whole) < len(parts):
        return push(world, run.refuse(node, "'bytes' of anything but whole numbers in a list is not analysed"))
    for part in whole:
        low, high = (binary(">=", part.expression, literal(0)), binary("<", part.expression, literal(256)))
        held = run.need(world, number(binary("and", low, high), BOOL, world.known), "ValueError")
        if held is None:
            return []
        world = held
    cells = tuple(replace(part, kinds=INT) for part in whole)
    return push(world, run.allocate(world, Object("bytes", cells)))


def _iterator(name: str) -> Builtin:
    def follow(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
        keys: tuple[object, ...] = (name,)
        given = world.heap[values[0].id] if len(values) == 1 and isinstance(values[0], Ref) else None
        if name == "reversed" and given is not None and (given.sort in ("iterator", "set") or _is_plain_object(given)):
            run.raise_(world, "TypeError")
            return []
        if name == "zip" and set(named) == {"strict"}:  # of equal lengths it says nothing
            lengths = {_known_length(value, world) for value in values}
            named = {} if len(lengths) == 1 and None not in lengths else named
        if name == "enumerate":
            start = values[1] if len(values) > 1 else named.get("start", constant(0, INT))
            known = start.known if isinstance(start, Num) else None
            if not isinstance(known, int):
                return push(world, run.refuse(node, "the start of 'enumerate' must be known before the run"))
            keys, values = (name, known), values[:1]
        elif named:
            return push(world, run.refuse(node, f"this call of '{name}' is not analysed"))
        elif name == "reversed":
            sort = world.heap[values[0].id].sort if isinstance(values[0], Ref) else ""
            if sort in ("iterator", "set"):
                run.raise_(world, "TypeError")
                return []
            keys = (
                name,
                len(world.heap[values[0].id].cells) if isinstance(values[0], Ref) and sort == "list" else None,
            )
        cells = tuple(sequences.opened(run, value, world) for value in values)
        return push(world, run.allocate(world, Object("iterator", cells, keys)))

    return follow


def _known_length(value: Value, world: World) -> int | None:
    match value:
        case Ref(at) if world.heap[at].sort in ("list", "tuple"):
            return len(world.heap[at].cells)
        case Range(indices):
            return len(indices)
        case _:
            return None


def _quantifier(*, some: bool) -> Builtin:
    def follow(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
        parts = sequences.first_parts_of(run, node, values[0], world)
        if parts is None:
            return push(world, Unknown())
        found = truth_of(not some)
        for part in parts:
            held = truths.truth(run, node, part, world)
            if held is None:
                return push(world, Unknown())
            if found.known is not None and bool(found.known) is not some:
                found = held
            else:
                found = number(binary("or" if some else "and", found.expression, held.expression), BOOL, world.known)
        return push(world, replace(found, of_numpy=False))

    return follow


def _bool(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
    ends = own_methods.truth(run, node, values[0], world) if values else None
    ends = push(world, values[0] if values else truth_of(False)) if ends is None else ends
    for one in ends:
        held = truths.truth(run, node, one.pop(), one)
        one.temps.append(Unknown() if held is None else replace(held, of_numpy=False))
    return ends


def _partial(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
    """A function with its first arguments, which are held by it."""
    return push(world, run.allocate(world, Object("prepared", (*values, *named.values()), ("function", *named))))


def _as_asked(name: str) -> Builtin:
    def follow(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
        if named or len(values) < 2 or (name == "filter" and len(values) > 2):
            return push(world, run.refuse(node, f"this call of '{name}' is not analysed"))
        cells = (values[0], *(sequences.opened(run, value, world) for value in values[1:]))
        return push(world, run.allocate(world, Object("iterator", cells, (name,))))

    return follow


def _sorted(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
    parts = sequences.parts_of(run, node, values[0], world)
    if parts is None:
        return push(world, Unknown())
    if set(named) - {"reverse", "key"} or len(values) != 1:
        return push(world, run.refuse(node, "this call of 'sorted' is not analysed"))
    turned = truths.truth(run, node, named.get("reverse", truth_of(False)), world)
    if turned is None or turned.known is None:
        return push(world, run.refuse(node, "'reverse' must be known before the run"))
    down = turned.known != 0
    key = named.get("key")
    if key is not None and not (isinstance(key, Num) and key.kinds == NONE):
        return _sorted_by(run, node, parts, key, world, down=down)
    plain = [run.as_number(world, part) for part in parts]
    numbers = [each for each in plain if isinstance(each, Num) and each.is_number]
    if len(numbers) == len(parts) <= _MOST_SORTED:
        return push(world, _in_order(run, numbers, world, down=down))
    world.temps += [*parts, *parts]
    return sorted_by_keys(run, node, len(parts), world, down=down)


def _in_order(run: Run, numbers: list[Num], world: World, *, down: bool) -> Ref:
    """Sort numbers by exchanging neighbours, in expressions."""
    for end in range(len(numbers) - 1, 0, -1):
        for place in range(end):
            a, b = numbers[place], numbers[place + 1]
            kinds = a.kinds | b.kinds
            pair: list[Num] = []
            for name in ("max", "min") if down else ("min", "max"):
                settled = run.settle(
                    world, number(applied(name, a.expression, b.expression), kinds, world.known), "item"
                )
                assert isinstance(settled, Num)
                pair.append(settled)
            numbers[place : place + 2] = pair
    return run.allocate(world, Object("list", tuple(numbers)))


def _sorted_by(run: Run, node: ast.AST, parts: Sequence[Value], key: Value, world: World, *, down: bool) -> list[World]:
    world.temps += parts
    worlds = [world]
    for _ in parts:
        after: list[World] = []
        for one in worlds:
            for done in following.apply(run, node, key, [one.temps[-len(parts)]], one):
                done.temps.append(run.settle(done, done.pop(), "key"))
                after.append(done)
        worlds = after
    return [end for one in worlds for end in sorted_by_keys(run, node, len(parts), one, down=down)]


def sorted_by_keys(run: Run, node: ast.AST, count: int, world: World, *, down: bool) -> list[World]:
    """Sort so many values by as many keys, both on top: neighbours change places in the worlds where their keys are out of order, so that equal ones stay."""
    base, depth, mark = world.code, world.depth, len(run.abrupt)
    worlds = [world]
    sign = ast.Lt() if down else ast.Gt()
    for end in range(count - 1, 0, -1):
        for place in range(end):
            after: list[World] = []
            for one in worlds:
                at = len(one.temps) - count + place
                held = comparisons.compare(run, node, sign, one.temps[at], one.temps[at + 1], one)
                if not isinstance(held, Num):
                    del one.temps[len(one.temps) - 2 * count :]
                    return push(one, Unknown())
                yes, no = run.branch(one, held)
                if yes is not None:
                    for low in (at, at - count):
                        yes.temps[low], yes.temps[low + 1] = yes.temps[low + 1], yes.temps[low]
                after += [each for each in (yes, no) if each is not None]
            worlds = after
            if len(worlds) > _MOST_ORDERS:
                worlds = run.join(base, depth, worlds, run.abrupt[mark:])
    ends: list[World] = []
    for one in worlds:
        ordered = one.take(2 * count)[:count]
        ends += push(one, run.allocate(one, Object("list", tuple(ordered))))
    return run.join(base, depth, ends, run.abrupt[mark:])


_MOST_SORTED = 16  # numbers that are sorted in expressions
_MOST_ORDERS = 24  # worlds in which other things are sorted, before those of one shape are joined


def _sleep(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
    value = run.as_number(world, values[0])
    if isinstance(value, Num):
        run.count(world, "slept", value)
    return push(world, constants.none_value(run))


def _compare_digest(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
    held = comparisons.compare(run, node, ast.Eq(), values[0], values[1], world)
    return push(world, held if isinstance(held, Num) else Unknown())


BUILTIN_FUNCTIONS: Mapping[str, Builtin] = {
    "builtins.all": _quantifier(some=False),
    "builtins.any": _quantifier(some=True),
    "builtins.bool": _bool,
    "builtins.bytes": _bytes,
    "builtins.enumerate": _iterator("enumerate"),
    "builtins.zip": _iterator("zip"),
    "builtins.reversed": _iterator("reversed"),
    "builtins.isinstance": records.is_instance,
    "builtins.len": _len,
    "builtins.list": _copy("list"),
    "builtins.tuple": _copy("tuple"),
    "builtins.map": _as_asked("map"),
    "builtins.filter": _as_asked("filter"),
    "builtins.max": _extreme("max"),
    "builtins.min": _extreme("min"),
    "builtins.print": printing.printed,
    "builtins.range": _range,
    "builtins.sorted": _sorted,
    "builtins.sum": _sum,
    "hmac.compare_digest": _compare_digest,
    "secrets.compare_digest": _compare_digest,
    "time.sleep": _sleep,
    "collections.namedtuple": records.named_tuple,
    "dataclasses.replace": records.replaced,
    "functools.partial": _partial,
    "builtins.object.__init__": lambda run, node, values, named, world: push(world, constants.none_value(run)),
    "builtins.super": records.super_of,
    "builtins.NotImplementedError": lambda run, node, values, named, world: push(world, Unknown()),
}
