"""What is walked over: sequences element by element, and what is computed as it is asked for, of generators, ``map`` and ``filter``.

An element is handed to what is done with it (:data:`seepage.python.world.Then`: the body of a loop, say) where a generator yields it, so that both go on in turns, as in Python.
While that is done, the names are those of whoever walks. What leaves it, by ``break``, ``return`` or an exception, leaves the generator as well, and
nothing in it catches that: such an outcome is set aside until the walk has ended.
"""

from __future__ import annotations

import ast
from dataclasses import replace

from seepage.python import any_order, following, own_methods, sequences, truths
from seepage.python.run import Run
from seepage.python.terms import binary, constant, number, truth_of
from seepage.python.values import INT, Function, Num, Object, Ref, Unknown, Value
from seepage.python.world import Then, World, push


def generator(run: Run, function: Function, bound: dict[str, Value], world: World) -> Ref:
    """Return what a call of a function with ``yield`` gives: nothing of it is followed yet."""
    return run.allocate(world, Object("iterator", (function, *bound.values()), ("generator", *bound)))


def walk(
    run: Run, node: ast.AST, values: Value, world: World, then: Then, ways: int = 1
) -> tuple[list[World], list[World]]:
    """Walk over a value.

    Args:
        run: the translation.
        node: where it is walked over.
        values: what is walked over.
        world: before the first element.
        then: what is done with each; a world that it ends with ``break`` goes to no other.
        ways: how many worlds go on to an element before those of one shape are joined.

    Returns:
        The worlds that have seen all elements, and those that broke off.
    """
    base, depth, mark, height = world.code, world.depth, len(run.abrupt), len(world.temps)
    tag, outside = f"out {run.next()} ", (list(run.frames), list(run.calls))
    unordered = any_order.taken(run, node, values, world)
    is_unordered, values = unordered is not values, unordered

    def handed(one: World, value: Value) -> list[World]:
        inside, begin = (run.frames, run.calls), len(run.abrupt)
        run.frames, run.calls = list(outside[0]), list(outside[1])
        after = then(one, value)
        run.frames, run.calls = inside
        for each in run.abrupt[begin:]:
            each.outcome = tag + each.outcome
        return after

    ended = [
        end
        for two, opened in own_methods.iterated(run, node, values, world)
        for one, known in sequences.texts_of(run, opened, two)
        for end in _each(run, node, known, one, handed, ways)
    ]
    if is_unordered:
        any_order.check(run, node, mark)
    left = [one for one in run.abrupt[mark:] if one.outcome.startswith(tag)]
    run.abrupt[mark:] = [one for one in run.abrupt[mark:] if not one.outcome.startswith(tag)]
    broken: list[World] = []
    for one in left:
        one.outcome = one.outcome.removeprefix(tag)
        if one.outcome == "break":
            one.outcome = ""
            del one.temps[height:]
            broken.append(one)
        else:
            run.abrupt.append(one)
    return run.join(base, depth, ended, [*run.abrupt[mark:], *broken]) if ways == 1 else ended, broken


def _each(run: Run, node: ast.AST, values: Value, world: World, handed: Then, ways: int) -> list[World]:
    if isinstance(values, Ref) and sequences.is_taken(values, world):
        return _left(run, node, values, world, handed)
    if not isinstance(values, Ref) or not sequences.is_as_asked(values, world):
        return _element_by_element(run, node, values, world, handed, ways)
    found, stopped = world.heap[values.id], list[World]()
    world.heap[values.id] = sequences.LEFT
    match found.keys:
        case ("generator", *names):
            function, *bound = found.cells
            assert isinstance(function, Function)
            after = run.hooks.body(run, node, function, dict(zip(map(str, names), bound, strict=True)), world, handed)
            for one in after:
                one.pop()
        case ("expression", ast.GeneratorExp() as made, int(frame)):
            after = run.hooks.elements(run, made, found.cells[0], frame, world, handed)
        case ("enumerate", int(start)):
            after = _numbered(run, node, found.cells[0], start, world, handed)
        case ("filter",):
            after, stopped = _filtered(run, node, found, world, handed)
        case _:
            after, stopped = _mapped(run, node, found, world, handed)
    for one in after:
        one.heap[values.id] = sequences.SPENT
    return [*after, *stopped]


def _left(run: Run, node: ast.AST, values: Ref, world: World, handed: Then) -> list[World]:
    """Walk over what is left of an iterator, from which what is done with each element may take more."""
    base, depth, start, place = world.code, world.depth, len(run.abrupt), len(world.temps)
    world.temps.append(values)  # it lives as long as the walk
    going, ended = [world], list[World]()
    for _ in range(_MOST_LEFT):
        after: list[World] = []
        for one in going:
            if one.heap[values.id] == sequences.LEFT:
                sequences.walked(run, node, sequences.LEFT, one)  # which is refused
            item = sequences.take(run, node, values, one) if sequences.is_taken(values, one) else None
            if item is None:
                del one.temps[place]
                ended.append(one)
            else:
                after += handed(one, item)
        if not after:
            return ended
        going = after if len(after) < 2 else run.join(base, depth, after, [*run.abrupt[start:], *ended])
    run.refuse(node, f"a walk over more than {_MOST_LEFT:,} elements of an iterator is not analysed")
    return [*ended, *going]


_MOST_LEFT = 20_000


def _applied(run: Run, node: ast.AST, function: Value, values: list[Value], world: World) -> list[World]:
    """Follow the function of ``map`` or ``filter``; StopIteration that it raises ends the walk, as in Python."""
    mark = len(run.abrupt)
    ends = following.apply(run, node, function, values, world)
    for one in run.abrupt[mark:]:
        one.outcome = "break" if one.outcome == "raise StopIteration" else one.outcome
    return ends


def _element_by_element(run: Run, node: ast.AST, values: Value, world: World, handed: Then, ways: int) -> list[World]:
    base, depth, start = world.code, world.depth, len(run.abrupt)
    iterator = world.heap[values.id] if isinstance(values, Ref) and world.heap[values.id].sort == "iterator" else None
    before = {each: world.heap[each] for each in sequences.iterators(values, world)}
    parts = sequences.parts_of(run, node, values, world)
    if parts is None:  # what is wrong with what is done with them is told, too
        return handed(world, Unknown())
    shared = sequences.changing(values, world)
    keys = sequences.keys_of(shared, world)
    left = dict.fromkeys(before, sequences.LEFT)
    world.heap.update(left)

    def now_in(one: World) -> list[Value]:
        if iterator is not None:
            one.heap.update(before)
            return sequences.walked(run, node, iterator, one) or []
        return parts if shared is None else sequences.parts_of(run, node, shared, one) or []

    def is_changed(one: World, now: list[Value]) -> bool:
        return len(now) != len(parts) or sequences.keys_of(shared, one) != keys

    place = len(world.temps)
    world.temps.append(values)  # what is walked over lives as long as the walk
    queue = world.heap[values.id] if isinstance(values, Ref) and world.heap[values.id].sort == "deque" else None
    if queue is not None and isinstance(values, Ref):
        world.heap[values.id] = replace(queue, keys=(sequences.WALKED,))
    going = [world]
    for at in range(len(parts)):
        after: list[World] = []
        for one in going:
            now = now_in(one)
            one.heap.update(left)
            if is_changed(one, now):
                run.refuse(node, sequences.CHANGED)
                del one.temps[place]
                return [one]
            after += handed(one, now[at])
        going = after if len(after) < ways else run.join(base, depth, after, run.abrupt[start:])
    for one in going:
        if is_changed(one, now_in(one)):
            run.refuse(node, sequences.CHANGED)
        if iterator is not None and isinstance(values, Ref):
            one.heap[values.id] = sequences.SPENT
        if queue is not None and isinstance(values, Ref):
            one.heap[values.id] = replace(one.heap[values.id], keys=queue.keys)
        del one.temps[place]
    return going


def _numbered(run: Run, node: ast.AST, values: Value, start: int, world: World, handed: Then) -> list[World]:
    place = len(world.temps)
    world.temps.append(constant(start, INT))

    def pair(one: World, value: Value) -> list[World]:
        count = one.temps[place]
        assert isinstance(count, Num)
        after = number(binary("+", count.expression, constant(1, INT).expression), INT, one.known)
        one.temps[place] = run.settle(one, after, "count")
        return handed(one, run.allocate(one, Object("tuple", (count, value))))

    after, _ = walk(run, node, values, world, pair)
    for one in after:
        del one.temps[place]
    return after


def _mapped(run: Run, node: ast.AST, found: Object, world: World, handed: Then) -> tuple[list[World], list[World]]:
    function, *lists = found.cells
    several = len(lists) > 1
    source: Value = lists[0]
    if several:
        if any(sequences.is_as_asked(each, world) for each in lists):
            run.refuse(node, sequences.AS_ASKED)
            return [world], []
        source = run.allocate(world, Object("iterator", tuple(lists), ("zip",)))

    def applied(one: World, value: Value) -> list[World]:
        group = sequences.parts_of(run, node, value, one) if several else [value]
        after: list[World] = []
        for done in _applied(run, node, function, group or [], one):
            after += handed(done, run.settle(done, done.pop(), "item"))
        return after

    return walk(run, node, source, world, applied)


def _filtered(run: Run, node: ast.AST, found: Object, world: World, handed: Then) -> tuple[list[World], list[World]]:
    function, values = found.cells

    def tested(one: World, value: Value) -> list[World]:
        value = run.settle(one, value, "item")
        one.temps.append(value)
        is_plain = isinstance(function, Num)  # None: what counts as true
        ends = push(one, value) if is_plain else _applied(run, node, function, [value], one)
        after: list[World] = []
        for each in ends:
            held = truths.truth(run, node, each.pop(), each)
            kept = each.pop()
            yes, no = run.branch(each, truth_of(True) if held is None else held)
            after += [] if no is None else [no]
            after += [] if yes is None else handed(yes, kept)
        return after

    return walk(run, node, values, world, tested)


def yielded(run: Run, node: ast.Yield, world: World) -> list[World]:
    """Hand what is yielded to whoever walks over the generator."""
    after: list[World] = []
    for one in following.evaluate(run, node.value or ast.Constant(None), world):
        after += run.yields[run.frames[-1]](one, run.settle(one, one.pop(), "yielded"))
    return after


def yielded_from(run: Run, node: ast.YieldFrom, world: World) -> list[World]:
    """Hand on all elements of something, one by one."""
    after: list[World] = []
    for one in following.evaluate(run, node.value, world):
        after += walk(run, node, one.pop(), one, run.yields[run.frames[-1]])[0]
    return after


def drained(run: Run, node: ast.AST, value: Value, world: World, most: int | None = None) -> list[World]:
    """Put a value on top; what is computed as it is asked for as the list of all its elements.

    ``most``: no element is asked for behind the first one that is more than so many.
    """
    if own_methods.defines(value, world, "__iter__", "__getitem__"):
        return [
            end
            for one, opened in own_methods.iterated(run, node, value, world)
            for end in drained(run, node, opened, one, most)
        ]
    if not sequences.is_as_asked(value, world):
        return push(world, value)
    place = len(world.temps)
    world.temps.append(run.allocate(world, Object("list", ())))

    def kept(one: World, item: Value) -> list[World]:
        append(run, one, place, item)
        built = one.temps[place]
        if most is None or not isinstance(built, Ref) or len(one.heap[built.id].cells) <= most:
            return [one]
        one.outcome = "break"
        run.abrupt.append(one)
        return []

    ended, broken = walk(run, node, value, world, kept)
    return [*ended, *broken]


def append(run: Run, world: World, place: int, item: Value) -> None:
    """Put an element at the end of the list that is held at a place of the stack; if it is unknown, so is the list."""
    built = world.temps[place]
    if isinstance(item, Unknown) or not isinstance(built, Ref):
        world.temps[place] = Unknown()
        return
    found = world.heap[built.id]
    world.heap[built.id] = replace(found, cells=(*found.cells, run.settle(world, item, "item")))


def decided(run: Run, node: ast.AST, value: Value, world: World, *, some: bool) -> list[World]:
    """Follow ``any`` and ``all`` of what is computed as it is asked for: they stop at the first element that decides."""
    base, depth, mark = world.code, world.depth, len(run.abrupt)

    def asked(one: World, item: Value) -> list[World]:
        held = truths.truth(run, node, item, one)
        yes, no = run.branch(one, truth_of(some) if held is None else held)
        decides, goes_on = (yes, no) if some else (no, yes)
        if decides is not None:
            decides.outcome = "break"
            run.abrupt.append(decides)
        return [] if goes_on is None else [goes_on]

    ended, broken = walk(run, node, value, world, asked)
    ends = [one for each in ended for one in push(each, truth_of(not some))]
    ends += [one for each in broken for one in push(each, truth_of(some))]
    return run.join(base, depth, ends, run.abrupt[mark:])


def first_of(run: Run, node: ast.AST, value: Value, default: Value | None, world: World) -> list[World]:
    """Follow ``next``: the first element of what was not walked over before, or else the default."""
    base, depth, mark, place = world.code, world.depth, len(run.abrupt), len(world.temps)
    world.temps.append(constant(0, INT))

    def taken(one: World, item: Value) -> list[World]:
        one.temps[place] = run.settle(one, item, "item")
        one.outcome = "break"
        run.abrupt.append(one)
        return []

    ended, ends = walk(run, node, value, world, taken)
    for one in ended:
        one.pop()
        if default is None:
            run.raise_(one, "StopIteration")
        else:
            ends += push(one, default)
    return run.join(base, depth, ends, run.abrupt[mark:])
