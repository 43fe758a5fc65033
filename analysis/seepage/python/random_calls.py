"""Random calls that are more than one draw from a law: choices, shuffles, samples, arrays, generators and seeds."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from seepage import rules
from seepage.python import arrays, constants, draws, indices, keyed, permutations, sequences
from seepage.python.run import Run
from seepage.python.terms import between, constant, truth_of
from seepage.python.values import INT, NONE, Generator, Num, Object, Range, Ref, Unknown, Value, as_of_numpy
from seepage.python.world import World, push

_LONGEST = 4_096


def call(
    run: Run, node: ast.Call, path: str, positional: Sequence[Value], named: Mapping[str, Value], world: World
) -> list[World]:
    """Follow a random call."""
    owner, _, name = path.rpartition(".")
    if f"{path}.rvs" in draws.ROWS:
        return push(world, _frozen(run, path, positional, named, world))
    if path in draws.ROWS:
        row = draws.ROWS[path]
        is_of_numpy = name == "integers" or owner.startswith("scipy")
        return _sized(
            run,
            node,
            row.parameters,
            row.sized,
            positional,
            named,
            world,
            lambda one, values: _one_draw(run, node, row, values, one, is_of_numpy=is_of_numpy),
        )
    if path in draws.UNIFORMS:
        return _sized(
            run, node, draws.UNIFORMS[path], True, positional, named, world, lambda one, _: push(one, run.uniform(one))
        )
    if path in ("numpy.random.rand", "numpy.random.RandomState.rand"):
        sizes: dict[str, Value] = (
            {"size": run.allocate(world, Object("tuple", tuple(positional)))} if positional else {}
        )
        return _sized(run, node, "size=None", True, (), sizes, world, lambda one, _: push(one, run.uniform(one)))
    if name == "seed" or path in _GENERATORS:
        return _seeded(run, node, path, positional, named, world)
    numpy = owner.startswith("numpy")
    function = (_NUMPY if numpy else _PYTHON).get(name)
    if function is None or not owner.startswith(("random", "numpy.random", "secrets")):
        return push(world, run.refuse(node, f"'{path}' is not analysed"))
    return function(run, node, positional, named, world)


def _one_draw(
    run: Run, node: ast.AST, row: draws.Row, values: Mapping[str, Value], world: World, *, is_of_numpy: bool
) -> list[World]:
    ends = draws.one_draw(run, node, row, values, world)
    for one in ends:
        one.temps.append(as_of_numpy(one.pop(), is_of_numpy))
    return ends


def _frozen(run: Run, path: str, positional: Sequence[Value], named: Mapping[str, Value], world: World) -> Ref:
    """Return a law of scipy with its arguments, of which ``rvs`` draws."""
    places = tuple(str(at) for at in range(len(positional)))
    return run.allocate(world, Object("law", (*positional, *named.values()), (path, *places, *named)))


def draw_of_law(
    run: Run, node: ast.Call, law: Ref, positional: Sequence[Value], named: Mapping[str, Value], world: World
) -> list[World]:
    """Follow ``rvs(size)`` of a law with its arguments."""
    found = world.heap[law.id]
    path, *names = map(str, found.keys)
    given = dict(zip(names, found.cells, strict=True))
    places = [value for name, value in given.items() if name.isdigit()]
    kept = {name: value for name, value in given.items() if not name.isdigit()}
    if len(positional) > 1 or named.keys() - {"size", "random_state"}:
        return push(world, run.refuse(node, "this call of 'rvs' is not analysed"))
    sizes = {"size": positional[0]} if positional else {}
    return call(run, node, f"{path}.rvs", places, {**kept, **sizes, **named}, world)


_GENERATORS = {
    "random.Random": "random.Random",
    "random.SystemRandom": "random.SystemRandom",
    "secrets.SystemRandom": "random.SystemRandom",
    "numpy.random.default_rng": "numpy.random.Generator",
    "numpy.random.RandomState": "numpy.random.RandomState",
}


def _seeded(
    run: Run, node: ast.Call, path: str, positional: Sequence[Value], named: Mapping[str, Value], world: World
) -> list[World]:
    seeds = [*positional, *named.values()]
    if path.endswith("SystemRandom"):
        seeds = []
    for seed in seeds:
        if not is_free(run, node, seed, path.rpartition(".")[0], again=path.endswith("seed")):
            return push(world, Unknown())
    if path.endswith("seed"):
        return push(world, constants.none_value(run))
    return push(world, Generator(_GENERATORS[path]))


def is_free(run: Run, node: ast.AST, seed: Value | None, owner: str = "numpy.random", *, again: bool = False) -> bool:
    """Whether draws from a seed are those of one that nobody knows: there is none, it is a generator, or a constant, which is told.

    Args:
        run: the walk.
        node: the call.
        seed: what it gives as a seed, or as ``random_state=``.
        owner: whose generator it is: equal seeds of one draw equal numbers, which is a fault.
        again: whether a generator that may have drawn is seeded.
    """
    if seed is None or isinstance(seed, Generator) or (isinstance(seed, Num) and seed.kinds == NONE):
        return True
    if not isinstance(seed, Num) or seed.known is None:
        run.refuse(node, "a generator whose seed is not a constant is not analysed")
        return False
    key = (owner, seed.known)
    if key in run.seeds and run.seeds[key] is not node:
        run.refuse(node, "a generator with a seed that another one has draws the same numbers; that is not analysed")
        return False
    if key in run.seeds or (again and run.drawn_count):
        run.refuse(node, "seeding again is not analysed: the same numbers are drawn again")
        return False
    run.seeds[key] = node
    told = "the seed is constant: who knows it sees the noise; the numbers are those of an unknown seed"
    run.tell(rules.PYTHON_SEED, node, told)
    return True


# --- sizes ------------------------------------------------------------------------------------------------------------


def bind(parameters: str, positional: Sequence[Value], named: Mapping[str, Value], run: Run) -> dict[str, Value] | None:
    """Return arguments by name; a parameter that is not given and has no number as default is left out; None if they do not fit."""
    found: dict[str, Value] = {}
    rest = dict(named)
    given = list(positional)
    for part in filter(None, parameters.split(", ")):
        name, equals, default = part.partition("=")
        if given:
            found[name] = given.pop(0)
        elif name in rest:
            found[name] = rest.pop(name)
        elif not equals:
            return None
        elif default != "None":
            found[name] = constant(Fraction(default), INT)
        value = found.get(name)
        if equals and isinstance(value, Num) and value.kinds == NONE:  # as if it were not given
            del found[name]
    return None if given or rest else found


def shape_of_size(run: Run, node: ast.AST, size: Value | None, world: World) -> tuple[int, ...] | None:
    """Return the shape that ``size=`` says; () without one, None and a fault where it is not known."""
    if size is None:
        return ()
    parts: list[Value] = [size]
    if isinstance(size, Ref):
        parts = sequences.parts_of(run, node, size, world) or []
    found = [part.known for part in parts if isinstance(part, Num)]
    shape = tuple(each for each in found if isinstance(each, int))
    if len(shape) != len(parts):
        run.refuse(node, "the size of an array must be known before the run")
        return None
    count = 1
    for each in shape:
        count *= each
    if count > _LONGEST:
        run.refuse(node, f"an array of more than {_LONGEST} elements is not analysed")
        return None
    return shape


def _sized(
    run: Run,
    node: ast.Call,
    parameters: str,
    sized: bool,
    positional: Sequence[Value],
    named: Mapping[str, Value],
    world: World,
    draw: Callable[[World, Mapping[str, Value]], list[World]],
) -> list[World]:
    found = bind(parameters, positional, named, run)
    if found is None:
        run.raise_(world, "TypeError")
        return []
    found.pop("dtype", None)
    if not is_free(run, node, found.pop("random_state", None)):
        return push(world, Unknown())
    shape = shape_of_size(run, node, found.pop("size", None), world) if sized else ()
    if shape is None:
        return push(world, Unknown())
    given = {name: value for name, value in found.items() if isinstance(value, Ref)}
    if not shape and not given:
        return draw(world, found)
    if not sized:
        return push(world, run.refuse(node, "a list as an argument of this draw is not analysed"))
    names = list(found)
    values = [found[name] for name in names]
    if shape:
        count = 1
        for each in shape:
            count *= each
        like = run.allocate(world, Object("array", (truth_of(False),) * count, (), shape))
        values.append(like)
    return arrays.broadcast(
        run, node, values, world, lambda one, cells: draw(one, dict(zip(names, cells, strict=False)))
    )


# --- choices ----------------------------------------------------------------------------------------------------------


def _pick(run: Run, node: ast.AST, index: Num, parts: Sequence[Value], world: World) -> list[World]:
    found: list[World] = []
    for one, places in indices.indices(run, node, index, len(parts), world):
        for each in indices.select(run, node, index, places, parts, one):
            each.temps.append(run.settle(each, each.pop(), "choice"))
            found.append(each)
    return found


def _population(run: Run, node: ast.AST, value: Value, world: World, *, numbers: bool) -> list[Value] | None:
    """Return what is chosen from; numpy takes a number for a range."""
    if numbers and isinstance(value, Num):
        known = value.known
        if not isinstance(known, int) or known > _LONGEST:
            run.refuse(node, "how many there are to choose from must be known before the run")
            return None
        return [constant(each, INT) for each in range(known)]
    if isinstance(value, Ref) and world.heap[value.id].sort in ("dict", "view", "iterator"):
        run.refuse(node, "what is chosen from must be a sequence; make it a list")
        return None
    return sequences.parts_of(run, node, value, world)


def _choice(
    run: Run, node: ast.Call, positional: Sequence[Value], named: Mapping[str, Value], world: World
) -> list[World]:
    found = bind("seq", positional, named, run)
    if found is None:
        run.raise_(world, "TypeError")
        return []
    if isinstance(found["seq"], Range) and len(found["seq"].indices) > 64:
        whole = found["seq"].indices
        if abs(whole.step) == 1:
            low, high = min(whole), max(whole)
            return push(world, run.draw(world, "choice", f"uniform_int({low}, {high})", INT, between(low, high)))
    if isinstance(found["seq"], Ref) and world.heap[found["seq"].id].sort in ("dict", "view"):
        return _choice_by_key(run, node, found["seq"], world)
    parts = _population(run, node, found["seq"], world, numbers=False)
    if parts is None:
        return push(world, Unknown())
    if not parts:
        run.raise_(world, "IndexError")
        return []
    return _pick(run, node, permutations.index(run, world, len(parts)), parts, world)


def _choice_by_key(run: Run, node: ast.AST, owner: Ref, world: World) -> list[World]:
    """Follow a choice from a dictionary: the entry whose key is the place that is drawn. Views have no places."""
    count = len(sequences.keys_of(owner, world))
    if count == 0 or world.heap[owner.id].sort == "view":
        run.raise_(world, "TypeError" if count else "IndexError")
        return []
    return keyed.entry(run, node, owner, permutations.index(run, world, count), world)


def _weights(run: Run, node: ast.AST, value: Value, world: World) -> list[Num] | None:
    parts = sequences.parts_of(run, node, value, world)
    if parts is None:
        return None
    numbers = [run.as_number(world, part) for part in parts]
    found = [each for each in numbers if isinstance(each, Num) and each.is_number]
    if len(found) != len(parts):
        run.refuse(node, "weights must be numbers")
        return None
    return [run.refreshed(world, each) for each in found]


def _choices(
    run: Run, node: ast.Call, positional: Sequence[Value], named: Mapping[str, Value], world: World
) -> list[World]:
    found = bind("population, weights=None, cum_weights=None, k=1", positional, named, run)
    if found is None:
        run.raise_(world, "TypeError")
        return []
    parts = _population(run, node, found["population"], world, numbers=False)
    count = found["k"].known if isinstance(found["k"], Num) else None
    if parts is None or not isinstance(count, int):
        return push(world, Unknown() if parts is None else run.refuse(node, "'k' must be known before the run"))
    if "cum_weights" in found:
        return push(world, run.refuse(node, "'cum_weights' is not analysed; give 'weights'"))
    weights = _weights(run, node, found["weights"], world) if "weights" in found else None
    if "weights" in found and weights is None:
        return push(world, Unknown())
    if not parts or (weights is not None and len(weights) != len(parts)):
        run.raise_(world, "ValueError" if parts else "IndexError")
        return []
    worlds = [world]
    for _ in range(count):
        after: list[World] = []
        for one in worlds:
            index = (
                permutations.index(run, one, len(parts)) if weights is None else draws.table(run, one, "index", weights)
            )
            if index is None:
                run.raise_(one, "ValueError")
                continue
            after += _pick(run, node, index, parts, one)
        worlds = after
    for one in worlds:
        cells = one.take(count)
        one.temps.append(run.allocate(one, Object("list", tuple(cells))))
    return worlds


def _sample(
    run: Run, node: ast.Call, positional: Sequence[Value], named: Mapping[str, Value], world: World
) -> list[World]:
    found = bind("population, k, counts=None", positional, named, run)
    if found is None:
        run.raise_(world, "TypeError")
        return []
    if "counts" in found:
        return push(world, run.refuse(node, "'counts' is not analysed; repeat the elements"))
    parts = _population(run, node, found["population"], world, numbers=False)
    count = found["k"].known if isinstance(found["k"], Num) else None
    if parts is None or not isinstance(count, int):
        return push(world, Unknown() if parts is None else run.refuse(node, "'k' must be known before the run"))
    if not 0 <= count <= len(parts):
        run.raise_(world, "ValueError")
        return []
    return permutations.without_replacement(run, node, parts, count, world, "list")


def _shuffle(
    run: Run, node: ast.Call, positional: Sequence[Value], named: Mapping[str, Value], world: World
) -> list[World]:
    found = bind("x", positional, named, run)
    owner = None if found is None else found["x"]
    if not isinstance(owner, Ref) or world.heap[owner.id].sort not in ("list", "array"):
        run.raise_(world, "TypeError")
        return []
    before = world.heap[owner.id]
    if len(before.shape) > 1:
        return push(world, run.refuse(node, "a shuffle of this array is not analysed"))
    worlds = permutations.without_replacement(
        run, node, before.cells, len(before.cells), world, before.sort, in_place=True
    )
    for one in worlds:
        made = one.pop()
        if isinstance(made, Ref):
            if before.sort == "array":
                arrays.write(one, owner, one.heap[made.id].cells)
            else:
                one.heap[owner.id] = one.heap[made.id]
        one.temps.append(constants.none_value(run))
    return worlds


def _permutation(
    run: Run, node: ast.Call, positional: Sequence[Value], named: Mapping[str, Value], world: World
) -> list[World]:
    found = bind("x", positional, named, run)
    parts = None if found is None else _population(run, node, found["x"], world, numbers=True)
    if parts is None:
        return push(world, Unknown())
    return permutations.without_replacement(run, node, parts, len(parts), world, "array")


def _numpy_choice(
    run: Run, node: ast.Call, positional: Sequence[Value], named: Mapping[str, Value], world: World
) -> list[World]:
    found = bind("a, size=None, replace=1, p=None", positional, named, run)
    if found is None:
        run.raise_(world, "TypeError")
        return []
    parts = _population(run, node, found["a"], world, numbers=True)
    shape = shape_of_size(run, node, found.get("size"), world)
    replace = found["replace"].known if isinstance(found["replace"], Num) else None
    if parts is None or shape is None:
        return push(world, Unknown())
    if not parts:
        run.raise_(world, "ValueError")
        return []
    if replace == 0 and shape:
        if "p" in found or len(shape) != 1:
            return push(world, run.refuse(node, "a choice with weights and without replacement is not analysed"))
        if shape[0] > len(parts):
            run.raise_(world, "ValueError")
            return []
        return permutations.without_replacement(run, node, parts, shape[0], world, "array")
    weights = None
    if "p" in found:
        weights = _weights(run, node, found["p"], world)
        if weights is None:
            return push(world, Unknown())
        known = [each.known for each in weights]
        numbers = [Fraction(each) for each in known if isinstance(each, int | Fraction)]
        if len(numbers) == len(weights) and abs(sum(numbers, Fraction(0)) - 1) > Fraction(1, 10**8):
            run.raise_(world, "ValueError")
            return []
        if len(weights) != len(parts):
            run.raise_(world, "ValueError")
            return []
    count = 1
    for each in shape:
        count *= each
    worlds = [world]
    for _ in range(count):
        after: list[World] = []
        for one in worlds:
            index = (
                permutations.index(run, one, len(parts))
                if weights is None
                else draws.table(run, one, "index", weights, are_chances=True)
            )
            if index is None:
                run.raise_(one, "ValueError")
                continue
            after += _pick(run, node, index, parts, one)
        worlds = after
    for one in worlds if not isinstance(found["a"], Num) else ():  # of a list as of an array
        one.temps[-1] = as_of_numpy(one.temps[-1])
    if shape:
        for one in worlds:
            cells = one.take(count)
            one.temps.append(run.allocate(one, Object("array", tuple(cells), (), shape)))
    return worlds


_PYTHON = {"choice": _choice, "choices": _choices, "sample": _sample, "shuffle": _shuffle}
_NUMPY = {"choice": _numpy_choice, "shuffle": _shuffle, "permutation": _permutation}
