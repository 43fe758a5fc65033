"""Calls: functions of the file are followed where they are called, those of libraries by tables."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from seepage.python import (
    any_order,
    constants,
    definitions,
    enums,
    following,
    iteration,
    library,
    mechanism_calls,
    methods,
    own_methods,
    random_calls,
    records,
    sequences,
)
from seepage.python.mechanisms import CALLED
from seepage.python.run import Run
from seepage.python.terms import binary, constant
from seepage.python.terms import call as applied
from seepage.python.values import (
    ANYTHING,
    INT,
    NONE,
    NUMERIC,
    Class,
    Function,
    Generator,
    Given,
    Library,
    Method,
    Num,
    Object,
    Ref,
    Unknown,
    Value,
)
from seepage.python.world import World, push
from seepage.syntax.spell import spell
from seepage.syntax.tree import Expression

MOST_FRAMES = 60
_TAKE_ALL = frozenset(
    {
        *(f"builtins.{name}" for name in ("bytes", "list", "tuple", "sum", "max", "min", "sorted")),
        *(
            "math.prod",
            *(f"statistics.{name}" for name in ("mean", "fmean", "median")),
            "functools.reduce",
            "collections.deque",
        ),
        *(f"itertools.{name}" for name in ("combinations", "permutations", "product")),
    }
)
"""Functions that take all elements of what they are given before they return; ``any`` and ``all`` stop early."""
_ELEMENTS_OF = {"builtins.sum": 0, "functools.reduce": 1}
"""Of which argument alone such a function takes the elements."""
_ITERATES = frozenset(
    {
        *(f"builtins.{name}" for name in ("all", "any", "dict", "enumerate", "filter", "iter", "map", "set", "zip")),
        *(f"itertools.{name}" for name in ("accumulate", "chain", "islice", "pairwise")),
        "collections.Counter",
    }
)
"""Functions that ask what they are given for its elements where they are called, and not by its place."""
_SET_METHODS = frozenset({"union", "intersection", "difference", "issubset", "issuperset"})
"""Methods that take elements one by one while they read their own."""
_ACTS = (ast.Call, ast.NamedExpr)


def call(run: Run, node: ast.Call, world: World) -> list[World]:
    """Follow a call."""
    path = run.module_path(node.func)
    any_order.mark_call(run, node, path)
    nodes = [node.func, *node.args, *(one.value for one in node.keywords)]
    ends: list[World] = []
    evaluated = _evaluated(run, node, nodes, world)
    if path in _ITERATES:
        evaluated = [end for one in evaluated for end in _opened(run, node, len(node.args), one)]
    for one in evaluated:
        function, *values = one.take(len(nodes))
        if isinstance(function, Unknown) or any(isinstance(each, Unknown) for each in values):
            one.temps.append(Unknown())
            ends.append(one)
            continue
        if (
            path in ("builtins.any", "builtins.all")
            and len(values) == len(node.args) == 1
            and sequences.is_as_asked(values[0], one)
        ):
            ends += _decided(run, node, values[0], one, some=path == "builtins.any")
            continue
        own = function.name if isinstance(function, Method) and isinstance(function.owner, Ref | Num) else ""
        in_turns = path in ("builtins.max", "builtins.min") and (
            len(values) > len(node.keywords) + 1 or any(each.arg == "key" for each in node.keywords)
        )
        takes_all = (path in _TAKE_ALL and not in_turns) or own == "join" or own in _SET_METHODS
        for two in _drained(run, node, values, one, takes_all=takes_all, alone=own in _SET_METHODS):
            given = _given(run, node, two.take(len(values)), two)
            ends += push(two, Unknown()) if given is None else apply(run, node, function, given, two)
    return ends


def _evaluated(run: Run, node: ast.Call, nodes: Sequence[ast.expr], world: World) -> list[World]:
    """Evaluate what is called and its arguments from left to right; what is starred becomes a tuple where it stands."""
    starred = len(node.args) == 1 and isinstance(node.args[0], ast.Starred)
    if starred and any(isinstance(each, _ACTS) for one in node.keywords for each in ast.walk(one)):
        run.refuse(node, "what a keyword calls behind a '*' comes before that is unpacked; that is not analysed")
    worlds = [world]
    for part in nodes:
        is_starred = isinstance(part, ast.Starred)
        inner = part.value if isinstance(part, ast.Starred) else part
        worlds = [after for one in worlds for after in following.evaluate(run, inner, one)]
        if is_starred:
            worlds = [after for one in worlds for after in _unpacked(run, part, one.pop(), one)]
    return worlds


def _opened(run: Run, node: ast.Call, count: int, world: World) -> list[World]:
    """Ask each of the arguments by place, which lie under those by name, for its elements if its class gives them."""
    worlds = [world]
    first = len(world.temps) - len(node.keywords) - count
    for place in range(first, first + count):
        after: list[World] = []
        for one in worlds:
            if isinstance(value := one.temps[place], Ref) and own_methods.defines(
                value, one, "__iter__", "__getitem__"
            ):
                for two, opened in own_methods.iterated(run, node, value, one):
                    two.temps[place] = opened
                    after.append(two)
            else:
                after.append(one)
        worlds = after
    return worlds


def _unpacked(run: Run, node: ast.AST, value: Value, world: World) -> list[World]:
    """Put the elements of what is starred on top, as a tuple."""
    ends: list[World] = []
    for one, known in sequences.texts_of(run, value, world):
        for two in iteration.drained(run, node, known, one):
            parts = sequences.parts_of(run, node, two.pop(), two)
            ends += push(two, Unknown() if parts is None else run.allocate(two, Object("tuple", tuple(parts))))
    return ends


def _drained(
    run: Run, node: ast.Call, values: Sequence[Value], world: World, *, takes_all: bool, alone: bool
) -> list[World]:
    """Put the arguments of a call on top; those of which all elements are taken before anything else happens as lists.

    ``alone``: refuse elements that do something, which the function would see.
    """
    worlds = [world]
    path = run.module_path(node.func)
    is_set_taken = node in run.any_order or (path in any_order.IN_ANY_ORDER and not node.keywords)
    for place, value in enumerate(values):
        is_taken = place < len(node.args) and takes_all and _ELEMENTS_OF.get(path or "", place) == place
        if is_set_taken and isinstance(value, Ref) and world.heap[value.id].sort == "set":
            value = run.allocate(world, Object("list", world.heap[value.id].cells))
        before, abrupt = world.copy(), len(run.abrupt)
        worlds = [
            after
            for one in worlds
            for two, known in (sequences.texts_of(run, value, one) if is_taken else [(one, value)])
            for after in (iteration.drained(run, node, known, two) if is_taken else push(two, known))
        ]
        acts = len(run.abrupt) > abrupt or not all(_leaves(before, one, value) for one in worlds)
        if alone and sequences.is_as_asked(value, before) and acts:
            run.refuse(node, "elements that do something while a set takes them are not analysed; make them a list")
    return worlds


def _given(run: Run, node: ast.Call, values: Sequence[Value], world: World) -> Given | None:
    found = Given([])
    for place, argument in enumerate(node.args):
        if isinstance(argument, ast.Starred):
            parts = sequences.parts_of(run, argument, values[place], world)
            if parts is None:
                return None
            found.positional += parts
        else:
            found.positional.append(values[place])
    for keyword, value in zip(node.keywords, values[len(node.args) :], strict=True):
        if keyword.arg is None:
            if not _given_by_name(run, node, value, found, world):
                return None
            continue
        found.named[keyword.arg] = value
    return found


def _given_by_name(run: Run, node: ast.AST, value: Value, given: Given, world: World) -> bool:
    """Take the entries of a dictionary behind ``**`` as named arguments; whether they are."""
    found = world.heap[value.id] if isinstance(value, Ref) else None
    names = [run.codes.text_of(key) if isinstance(key, Fraction) else None for key in found.keys] if found else []
    known = [name for name in names if name is not None]
    if found is None or found.sort != "dict" or len(known) != len(names) or given.named.keys() & set(known):
        run.refuse(node, "'**' of anything but a dictionary of names that are given once is not analysed")
        return False
    given.named.update(zip(known, found.cells, strict=True))
    return True


def apply(run: Run, node: ast.Call, function: Value, given: Given, world: World) -> list[World]:
    """Follow a call of a value with arguments that are known; what it gives is on top of each world that comes back."""
    match function:
        case Function():
            return inline(run, node, function, given, world)
        case Class(sort="enum" | "whole enum" | "text enum") if len(given.positional) == 1 and not given.named:
            return enums.by_value(run, node, function, given.positional[0], world)
        case Class():
            return _construct(run, node, function, given, world)
        case Library(path):
            statements_count(run, path, world)
            return library.call(run, node, path, given.positional, given.named, world)
        case Method(owner=Generator(path), name=name):
            return random_calls.call(run, node, f"{path}.{name}", given.positional, given.named, world)
        case Ref(at) if (own := _call_of(run, world.heap[at], world)) is not None:
            return inline(run, node, replace(own, owner=function), given, world)
        case Ref(at) if world.heap[at].sort == "prepared":
            held, names = world.heap[at], world.heap[at].keys[1:]
            first, *others = held.cells
            before = Given(
                others[: len(others) - len(names)],
                dict(zip(map(str, names), others[-len(names) :], strict=False) if names else ()),
            )
            merged = Given([*before.positional, *given.positional], before.named | given.named)
            return apply(run, node, first, merged, world)
        case Ref(at) if world.heap[at].sort == "mechanism":
            return mechanism_calls.apply(run, node, function, CALLED, given.positional, given.named, world)
        case Method(owner=Ref(at) as owner, name=name) if world.heap[at].sort == "mechanism":
            return mechanism_calls.apply(run, node, owner, name, given.positional, given.named, world)
        case Method(owner=Ref(at) as owner, name="rvs") if world.heap[at].sort == "law":
            return random_calls.draw_of_law(run, node, owner, given.positional, given.named, world)
        case Method(owner=Ref() | Num() as owner, name=name):
            return methods.method(run, node, owner, name, given.positional, given.named, world)
        case _:
            world.temps.append(run.refuse(node, "what is called here is not known"))
            return [world]


def _call_of(run: Run, found: Object, world: World) -> Function | None:
    """Return the method by which an object of the file is called."""
    is_own = found.sort == "record" and found.type is not None
    return records.class_method(run, found.type, "__call__", world) if is_own and found.type is not None else None


def statements_count(run: Run, name: str, world: World) -> None:
    """Count a call, if calls of this function are asked for."""
    run.count(world, f"calls({name.rpartition('.')[2]})")


def inline(run: Run, node: ast.AST, function: Function, given: Given, world: World) -> list[World]:
    """Follow a function of the file with these arguments; its value is on top of each world that comes back."""
    bound = bind_arguments(run, function, given, world)
    if bound is None:
        return []
    statements_count(run, function.name, world)
    if definitions.is_generator(function.node):
        return push(world, _generator(run, function, bound, world))
    return body(run, node, function, bound, world)


def _generator(run: Run, function: Function, bound: dict[str, Value], world: World) -> Value:
    for inner in ast.walk(function.node):
        closes = isinstance(inner, ast.With) or (
            isinstance(inner, ast.Try) and (inner.finalbody or any(one.type is None for one in inner.handlers))
        )
        if closes and any(isinstance(each, ast.Yield | ast.YieldFrom) for each in ast.walk(inner)):
            return run.refuse(inner, "what a generator does when it is left early is not analysed")
    return iteration.generator(run, function, bound, world)


def body(
    run: Run,
    node: ast.AST,
    function: Function,
    bound: dict[str, Value],
    world: World,
    handed: Callable[[World, Value], list[World]] | None = None,
) -> list[World]:
    """Follow the body of a function from its arguments; its value is on top of each world that comes back.

    ``handed`` is what is done with what a generator yields.
    """
    if len(run.calls) >= MOST_FRAMES:
        return push(
            world, run.refuse(node, f"'{function.name}' does not end within {MOST_FRAMES} calls inside of each other")
        )
    base, depth, mark, at = world.code, world.depth, len(run.abrupt), run.at
    number, height = run.next(), len(world.temps)
    if handed is not None:
        run.yields[number] = handed
    run.scopes[number] = replace(definitions.scope_of(function.node, function.frame), kind=function.kind)
    world.frames[number] = bound
    run.frames.append(number)
    run.calls.append(function.name)
    ended: list[World]
    if isinstance(function.node, ast.Lambda):
        ended = following.evaluate(run, function.node.body, world)
    else:
        ended = following.block(run, function.node.body, world)
        for one in ended:
            one.temps.append(constants.none_value(run))
    for one in [one for one in run.abrupt[mark:] if one.outcome == "return"]:
        one.outcome = ""
        del one.temps[height:-1]
        ended.append(one)
    run.abrupt[mark:] = raised = [one for one in run.abrupt[mark:] if one.outcome]
    if handed is not None:
        for one in raised:
            one.outcome = "raise RuntimeError" if one.outcome == "raise StopIteration" else one.outcome
    run.frames.pop()
    run.calls.pop()
    run.at = at
    if not run.calls:
        for one in [*ended, *run.abrupt[mark:]]:
            kept = {f"local {name}": value for name, value in one.frames.get(number, {}).items() if name in run.kept}
            one.frames.setdefault(0, {}).update(kept)
    if not _is_read_later(function.node):
        for one in [*ended, *raised]:
            one.frames.pop(number, None)
    return run.join(base, depth, ended, run.abrupt[mark:])


def _is_read_later(node: ast.AST) -> bool:
    """Whether something that a function makes may read its names after it has returned."""
    later = (ast.FunctionDef, ast.Lambda, ast.GeneratorExp)
    return any(isinstance(inner, later) for inner in ast.walk(node) if inner is not node)


def bind_arguments(run: Run, function: Function, given: Given, world: World) -> dict[str, Value] | None:
    """Return the variables that a function starts with; None if the call does not fit, which raises TypeError."""
    arguments = function.node.args
    names = [one.arg for one in (*arguments.posonlyargs, *arguments.args)]
    values = [*([function.owner] if function.owner is not None else []), *given.positional]
    bound: dict[str, Value] = dict(zip(names, values, strict=False))
    rest = values[len(names) :]
    named = dict(given.named)
    for name in [one.arg for one in (*arguments.args, *arguments.kwonlyargs)]:
        if name in named:
            if name in bound:
                run.raise_(world, "TypeError")
                return None
            bound[name] = named.pop(name)
    if arguments.vararg is not None:
        bound[arguments.vararg.arg] = run.allocate(world, Object("tuple", tuple(rest)))
        rest = []
    if arguments.kwarg is not None:
        keys = tuple(run.codes.code("str", name) for name in named)
        bound[arguments.kwarg.arg] = run.allocate(world, Object("dict", tuple(named.values()), keys))
        named = {}
    defaults = function.defaults
    for name in [*names, *(one.arg for one in arguments.kwonlyargs)]:
        if name not in bound and name in defaults:
            bound[name] = defaults[name]
    missing = [name for name in [*names, *(one.arg for one in arguments.kwonlyargs)] if name not in bound]
    if missing or rest or named:
        run.raise_(world, "TypeError")
        return None
    return {name: run.settle(world, value, name) for name, value in bound.items()}


def _construct(run: Run, node: ast.Call, kind: Class, given: Given, world: World) -> list[World]:
    if records.is_abstract(run, kind):
        run.raise_(world, "TypeError")
        return []
    made = run.allocate(world, Object("record", (), (), (), kind))
    own = records.class_method(run, kind, "__init__", world)
    if own is not None and (own.kind == kind or kind.sort == "plain"):
        world.temps.append(made)
        return _initialised(run, node, replace(own, owner=made), given, world)
    bound = dict(zip(kind.fields, given.positional, strict=False)) | given.named
    twice = given.named.keys() & kind.fields[: len(given.positional)]
    if twice or len(given.positional) > len(kind.fields) or bound.keys() | kind.defaults.keys() != set(kind.fields):
        run.raise_(world, "TypeError")
        return []
    world.temps.append(made)
    worlds = [world]
    for name in kind.fields:
        is_made = name in kind.factories and name not in bound
        value = bound.get(name, kind.defaults.get(name, made))
        worlds = [
            end for one in worlds for end in (apply(run, node, value, Given([]), one) if is_made else push(one, value))
        ]
        for one in worlds:
            one.temps.append(run.settle(one, one.pop(), name))
    for one in worlds:
        one.heap[made.id] = Object("record", tuple(one.take(len(kind.fields))), kind.fields, (), kind)
    after = records.class_method(run, kind, "__post_init__", world) if kind.sort == "data" else None
    if after is None:
        return worlds
    start = replace(after, owner=made)
    return [end for one in worlds for end in _initialised(run, node, start, Given([]), one, "")]


def _initialised(
    run: Run, node: ast.AST, function: Function, given: Given, world: World, must_be_none: str = "__init__"
) -> list[World]:
    """Follow what an object is made by, which lies below on the stack."""
    ends: list[World] = []
    for one in inline(run, node, function, given, world):
        returned = one.pop()
        if not must_be_none:
            ends.append(one)
            continue
        if isinstance(returned, Num) and returned.kinds >= NONE and returned.kinds != NONE:
            run.refuse(node, "'__init__' may return a value, which is an error in Python; that is not analysed")
        elif not isinstance(returned, Unknown) and not (isinstance(returned, Num) and returned.kinds == NONE):
            run.raise_(one, "TypeError")
            continue
        ends.append(one)
    return ends


def _decided(run: Run, node: ast.Call, value: Value, world: World, *, some: bool) -> list[World]:
    """``any`` and ``all`` of what is computed as it is asked for, which stop at the first element that decides."""
    argument = node.args[0]
    if isinstance(argument, ast.GeneratorExp) and not any(isinstance(each, _ACTS) for each in _later(argument)):
        saved, before = run.save(world.code), world.copy()
        ends = iteration.drained(run, argument, value, world)
        if len(run.abrupt) == saved.abrupt and all(_leaves(before, one, value) for one in ends):
            name = "builtins.any" if some else "builtins.all"
            return [end for one in ends for end in library.call(run, node, name, [one.pop()], {}, one)]
        run.restore(saved)  # an element that may not be reached raises, or does something
        world = before
    return iteration.decided(run, node, value, world, some=some)


def _leaves(before: World, after: World, but: Value) -> bool:
    """Whether all objects but one are what they were."""
    return all(after.heap.get(at) == found for at, found in before.heap.items() if Ref(at) != but)


def _later(node: ast.GeneratorExp) -> Iterator[ast.AST]:
    """Yield what of a generator is evaluated element by element."""
    parts = [
        node.elt,
        *(each for one in node.generators for each in one.ifs),
        *(one.iter for one in node.generators[1:]),
    ]
    for part in parts:
        yield from ast.walk(part)


def geometric_difference(run: Run, node: ast.BinOp, world: World) -> list[World] | None:
    """Recognise the difference of two equal geometric draws: a discrete Laplace law, with exact losses."""
    if not isinstance(node.op, ast.Sub) or not isinstance(node.left, ast.Call) or not isinstance(node.right, ast.Call):
        return None
    sides = (node.left, node.right)
    if any(not (run.module_path(one.func) or "").endswith("random.geometric") for one in sides):
        return None
    if any(len(one.args) != 1 or one.keywords for one in sides):
        return None
    if ast.dump(sides[0].args[0]) != ast.dump(sides[1].args[0]):
        return None
    if not isinstance(sides[0].args[0], ast.Name | ast.Constant):
        return None
    ends = following.evaluate(run, sides[0].args[0], world)
    found: list[World] = []
    for one in ends:
        chance = one.pop()
        if not isinstance(chance, Num) or not chance.kinds <= NUMERIC:
            one.temps.append(run.refuse(node, "the chance of a geometric law must be a number"))
            found.append(one)
            continue
        scale = binary("/", constant(-1, INT).expression, _log_of_rest(chance))
        drawn = run.draw(one, "noise", f"discrete_laplace({spell(scale)})", INT, ANYTHING)
        one.temps.append(drawn)
        found.append(one)
    return found


def _log_of_rest(chance: Num) -> Expression:
    return applied("log", binary("-", constant(1, INT).expression, chance.expression))
