"""Places that an index or a slice picks."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace

from seepage import exact
from seepage.python.run import Run
from seepage.python.terms import binary, choice, conjunction, disjunction, ends, literal, number
from seepage.python.values import BOOL, NONE, WHOLE, Num, Uniform, Unknown, Value, may_be_of_numpy, may_share
from seepage.python.world import World, push


def indices(run: Run, node: ast.AST, index: Num, length: int, world: World) -> list[tuple[World, dict[int, int]]]:
    """Return the world in which an index is inside, and which place each of its values means; outside, IndexError is raised."""
    index = run.refreshed(world, index)
    values = index.support.values
    if index.of_numpy and "bool" in index.kinds:
        run.refuse(node, BY_TRUTH)
        return push_unknown(world)
    if not index.kinds & WHOLE:
        run.raise_(world, "TypeError")
        return []
    if index.kinds <= WHOLE and isinstance(index.known, int):
        if -length <= index.known < length:
            return [(world, {index.known: index.known % length})]
        run.raise_(world, "IndexError")
        return []
    if not index.kinds <= WHOLE:
        run.refuse(node, "an index must be an integer")
        return push_unknown(world)
    if values is None:
        low, high = ends(index.support)
        values = frozenset(range(-length, length))
        outside = low is None or high is None or exact.compare(low, -length) < 0 or exact.compare(high, length) >= 0
    else:
        outside = any(not isinstance(each, int) or not -length <= each < length for each in values)
    if outside:
        low_, high_ = literal(-length), literal(length)
        held = conjunction((binary(">=", index.expression, low_), binary("<", index.expression, high_)))
        inside = run.need(world, number(held, BOOL, world.known), "IndexError")
        if inside is None:
            return []
        world = inside
    return [(world, {each: each % length for each in values if isinstance(each, int) and -length <= each < length})]


BY_TRUTH = "a truth value as an index of an array picks all or nothing, and one of numpy is no index of a list; that is not analysed"


def push_unknown(world: World) -> list[tuple[World, dict[int, int]]]:
    """Put an unknown value on top, and return no place."""
    return [(world, {})]


_MOST_DRAWS = 16  # of which a random one is picked, and followed by itself


def select(
    run: Run, node: ast.AST, index: Num, places: dict[int, int], parts: Sequence[Value], world: World
) -> list[World]:
    """Put the part that an index picks on top: one expression where all are numbers, else a world for each value."""
    if not places:
        return push(world, Unknown())
    if len(set(places.values())) == 1:
        return push(world, parts[next(iter(places.values()))])
    # A draw that is picked is still one of which only what is asked is known.
    keeps = len(places) <= _MOST_DRAWS and any(isinstance(parts[place], Uniform) for place in places.values())
    chosen = {} if keeps else {value: run.as_number(world, parts[place]) for value, place in sorted(places.items())}
    numbers = {value: part for value, part in chosen.items() if isinstance(part, Num)}
    if (
        not keeps
        and len(numbers) == len(chosen)
        and may_share(frozenset[str]().union(*(part.kinds for part in numbers.values())))
    ):
        return push(world, picked(index, numbers, world))
    base, depth = world.code, world.depth
    found: list[World] = []
    for one, value in run.split(world, index, "the index"):
        assert isinstance(value, int)
        found += push(one, parts[places[value]])
    return run.join(base, depth, found)


def picked(index: Num, numbers: dict[int, Num], world: World) -> Num:
    """Return the number that an index picks."""
    kinds = frozenset[str]().union(*(part.kinds for part in numbers.values()))
    alike: dict[object, list[int]] = {}
    for value, part in numbers.items():
        alike.setdefault(part.expression, []).append(value)
    groups = sorted(alike.values(), key=len)
    made = numbers[groups[-1][0]].expression
    for group in reversed(groups[:-1]):
        test = disjunction(binary("==", index.expression, literal(value)) for value in group)
        made = choice(test, numbers[group[0]].expression, made)
    found = number(made, kinds, world.known)
    return replace(found, of_numpy=may_be_of_numpy(*numbers.values()))


def bounds(run: Run, node: ast.AST, ends_: Sequence[Value], world: World) -> list[tuple[World, slice]]:
    """Return a world for each slice that beginning, end and step can make; ``None`` is none."""
    found: list[tuple[World, list[int | None]]] = [(world, [])]
    for place, value in enumerate(ends_):
        after: list[tuple[World, list[int | None]]] = []
        for one, before in found:
            if isinstance(value, Num) and value.kinds == NONE:
                after.append((one, [*before, None]))
            elif isinstance(value, Num) and value.kinds <= WHOLE:
                for split, known in run.split(one, value, "an end of a slice"):
                    if known == 0 and place == 2:
                        run.raise_(split, "ValueError")
                    elif isinstance(known, int):
                        after.append((split, [*before, known]))
            else:
                run.refuse(node, "an end of a slice must be an integer")
        found = after
    return [(one, slice(*each)) for one, each in found]
