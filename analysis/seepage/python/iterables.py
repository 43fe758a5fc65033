"""What ``itertools`` and ``functools.reduce`` make of sequences of known length."""

from __future__ import annotations

import ast
import itertools
import math
from collections.abc import Callable, Iterable, Mapping, Sequence

from seepage.python import arithmetic, following, iteration, sequences
from seepage.python.calling import Builtin, Named
from seepage.python.plain import TooWide, by_values
from seepage.python.run import Run
from seepage.python.terms import constant
from seepage.python.values import INT, Library, Num, Object, Ref, Unknown, Value
from seepage.python.world import World, push

_MOST = 4_096  # elements that a function of itertools gives
_MOST_FACTOR = 300  # whose factorial is written out


def _parts(run: Run, node: ast.AST, values: Sequence[Value], world: World) -> list[list[Value]] | None:
    """Return the elements of each of some sequences; None, and a fault, where one is none."""
    found = [sequences.parts_of(run, node, value, world) for value in values]
    known = [each for each in found if each is not None]
    return known if len(known) == len(found) else None


def _iterator(run: Run, world: World, cells: Iterable[Value]) -> Ref:
    return run.allocate(
        world,
        Object("iterator", (run.allocate(world, Object("tuple", tuple(cells))),), ("elements", 0)),
    )


def _groups(
    name: str, grouped: Callable[[list[list[Value]], int | None], Iterable[tuple[Value, ...]]], *, by_number: bool
) -> Builtin:
    """Return a function that gives groups of elements; ``by_number``: its second argument is how many are in one."""

    def follow(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
        named, count = dict(named), None
        given = named.pop("repeat" if name == "product" else "r", None)
        if by_number and len(values) == 2:
            given = values.pop()
        if given is not None:
            count = given.known if isinstance(given, Num) else None
        if named or (given is not None and not isinstance(count, int)) or (by_number and len(values) != 1):
            return push(world, run.refuse(node, f"this call of '{name}' is not analysed"))
        lists = _parts(run, node, values, world)
        if lists is None:
            return push(world, Unknown())
        whole = count if isinstance(count, int) else None
        if whole is not None and whole < 0:
            run.raise_(world, "ValueError")
            return []
        if whole is not None and whole > _MOST:
            return push(world, run.refuse(node, f"'{name}' of so many elements at once is not analysed"))
        found = list(itertools.islice(grouped(lists, whole), _MOST + 1))
        if len(found) > _MOST:
            return push(world, run.refuse(node, f"'{name}' is followed up to {_MOST:,} elements"))
        return push(world, _iterator(run, world, [run.allocate(world, Object("tuple", each)) for each in found]))

    return follow


def _over(name: str) -> Builtin:
    """Return a function whose iterator reads its sequences as they are when it is walked over."""

    def follow(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
        if named or (name == "pairwise" and len(values) != 1):
            return push(world, run.refuse(node, f"this call of '{name}' is not analysed"))
        cells = tuple(sequences.opened(run, value, world) for value in values)
        return push(world, run.allocate(world, Object("iterator", cells, (name,))))

    return follow


def _iter(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
    if len(values) != 1 or named:
        return push(world, run.refuse(node, "this call of 'iter' is not analysed"))
    value = values[0]
    if isinstance(value, Ref) and world.heap[value.id].sort == "iterator":
        return push(world, value)
    opened = sequences.opened(run, value, world)
    if opened is not value and (parts := sequences.parts_of(run, node, opened, world)) is not None:
        return push(
            world, run.refuse(node, "'iter' of a dictionary is not analysed; make it a list") if parts else opened
        )
    return push(world, run.allocate(world, Object("iterator", (value,), ("elements", 0))))


def _reduce(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
    parts = sequences.parts_of(run, node, values[1], world)
    if parts is None:
        return push(world, Unknown())
    parts = [*values[2:], *parts]
    if not parts:
        run.raise_(world, "TypeError")
        return []
    first, *rest = parts
    place = len(world.temps)
    world.temps += [*reversed(rest), first]
    worlds = [world]
    for _ in rest:
        after: list[World] = []
        for one in worlds:
            so_far, item = one.pop(), one.pop()
            for done in following.apply(run, node, values[0], [so_far, item], one):
                done.temps.append(run.settle(done, done.pop(), "so_far"))
                after.append(done)
        worlds = after
    assert all(len(one.temps) == place + 1 for one in worlds)
    return worlds


def _product_of(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
    parts = sequences.parts_of(run, node, values[0], world)
    if parts is None:
        return push(world, Unknown())
    whole = run.allocate(world, Object("tuple", (named.get("start", constant(1, INT, 1)), *parts)))
    return _reduce(run, node, [Library("operator.mul"), whole], {}, world)


_OPERATORS: Mapping[type[ast.operator], str] = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.Mod: "mod",
    ast.FloorDiv: "floordiv",
    ast.BitXor: "xor",
    ast.BitAnd: "and_",
    ast.BitOr: "or_",
}


def _operation(op: ast.operator) -> Builtin:
    return lambda run, node, values, named, world: arithmetic.operation(run, node, op, values, world)


def _whole(name: str, function: Callable[..., int]) -> Builtin:
    """Return a function of whole numbers, which is applied to each of their values."""

    def follow(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
        return by_values(run, node, name, values, world, _checked)

    def _checked(*numbers: object) -> int:
        if any(not isinstance(each, int) for each in numbers):
            raise TypeError
        if any(isinstance(each, int) and abs(each) > _MOST_FACTOR for each in numbers) and name in (
            "factorial",
            "comb",
            "perm",
        ):
            raise TooWide
        return function(*numbers)

    return follow


def _next(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
    if 1 <= len(values) <= 2 and not named and sequences.is_taken(values[0], world):
        assert isinstance(values[0], Ref)
        item = sequences.take(run, node, values[0], world)
        if item is None and len(values) == 1:
            run.raise_(world, "StopIteration")
            return []
        return push(world, values[1] if item is None else item)
    if not 1 <= len(values) <= 2 or named or not sequences.is_as_asked(values[0], world):
        return push(world, run.refuse(node, "'next' is analysed of what is computed as it is asked for, once"))
    return iteration.first_of(run, node, values[0], values[1] if len(values) > 1 else None, world)


ITERABLE_FUNCTIONS: Mapping[str, Builtin] = {
    "builtins.iter": _iter,
    "builtins.next": _next,
    "functools.reduce": _reduce,
    "itertools.chain": _over("chain"),
    "itertools.combinations": _groups(
        "combinations", lambda lists, count: itertools.combinations(lists[0], count or 0), by_number=True
    ),
    "itertools.pairwise": _over("pairwise"),
    "itertools.permutations": _groups(
        "permutations", lambda lists, count: itertools.permutations(lists[0], count), by_number=True
    ),
    "itertools.product": _groups(
        "product",
        lambda lists, count: itertools.product(*lists, repeat=1 if count is None else count),
        by_number=False,
    ),
    "math.prod": _product_of,
    **{
        f"math.{name}": _whole(name, getattr(math, name))
        for name in ("comb", "factorial", "gcd", "isqrt", "lcm", "perm")
    },
    **{f"operator.{name}": _operation(op()) for op, name in _OPERATORS.items()},
}
