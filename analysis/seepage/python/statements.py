"""Statements: each takes a world to the worlds that go on after it; those that return, raise or leave a loop are put aside."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from seepage.python import arithmetic, expressions, names, subscripts
from seepage.python.endless import endless, leaving
from seepage.python.marks import is_mark
from seepage.python.module import parents
from seepage.python.module_values import is_stale
from seepage.python.run import Run
from seepage.python.terms import binary, constant, number, truth_of
from seepage.python.values import BOOL, INT, Class, Function, Library, Num, Ref, Scope, Stale, Unknown, Value
from seepage.python.world import Code, World

MOST_ROUNDS = 1_000  # of a loop whose end is found by following it
MOST_RANDOM_ROUNDS = 64  # of a loop whose end is random, before it becomes one of the program
MOST_FIRST_ROUNDS = 2  # that stand before such a loop


def block(run: Run, body: Sequence[ast.stmt], world: World) -> list[World]:
    """Follow statements one after the other."""
    base, depth, start = world.code, world.depth, len(run.abrupt)
    running = [world]
    for statement in body:
        after: list[World] = []
        for one in running:
            code, level, mark = one.code, one.depth, len(run.abrupt)
            run.at = run.places.span(statement)
            ends = execute(run, statement, one)
            run.at = run.places.span(statement)
            after += run.join(code, level, ends, run.abrupt[mark:])
        running = run.join(base, depth, after, run.abrupt[start:]) if len(after) > 1 else after
        if not running:
            break
    return running


def count(run: Run, world: World, what: str = "steps", by: Num | None = None) -> None:
    """Count a step, if steps are asked for."""
    if what not in run.counted:
        return
    before = world.counts.get(what, constant(0, INT, 0))
    step = constant(1, INT, 1) if by is None else by
    total = number(binary("+", before.expression, step.expression), before.kinds | step.kinds, world.known)
    settled = run.settle(world, total, what)
    assert isinstance(settled, Num)
    world.counts[what] = settled


_UNCOUNTED = (
    ast.If,
    ast.While,
    ast.For,
    ast.Try,
    ast.FunctionDef,
    ast.ClassDef,
    ast.Pass,
    ast.Match,
    ast.Global,
    ast.Nonlocal,
)


def execute(run: Run, node: ast.stmt, world: World) -> list[World]:
    """Follow one statement."""
    docstring = (
        isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
    )
    if not isinstance(node, _UNCOUNTED) and not docstring:
        count(run, world)
    match node:
        case ast.Assign(targets, value):
            return _assignment(run, targets, value, world)
        case ast.AnnAssign(target=target, value=value):
            return [world] if value is None else _assignment(run, [target], value, world)
        case ast.AugAssign():
            return _augmented(run, node, world)
        case ast.Return(value):
            return _return(run, value, world)
        case ast.If(test, body, orelse):
            return _if(run, test, body, orelse, world)
        case ast.For():
            return _for(run, node, world)
        case ast.While():
            return _while(run, node, world)
        case ast.Expr(value):
            if docstring:
                return [world]
            worlds = expressions.evaluate(run, value, world)
            for one in worlds:
                one.pop()
            return worlds
        case ast.Pass() | ast.Global() | ast.Nonlocal():
            return [world]
        case ast.Break() | ast.Continue():
            world.outcome = "break" if isinstance(node, ast.Break) else "continue"
            run.abrupt.append(world)
            return []
        case ast.Raise():
            return _raise(run, node, world)
        case ast.Assert(test, message):
            return _assert(run, test, message, world)
        case ast.Try():
            return _try(run, node, world)
        case ast.FunctionDef():
            names.bind(run, node, node.name, define(run, node, run.frames[-1], world), world)
            return [world]
        case ast.Match():
            return _match(run, node, world)
        case ast.Delete(targets):
            return _delete(run, targets, world)
        case ast.Import() | ast.ImportFrom():
            run.refuse(node, "an import inside of a function is not analysed; import at the top of the file")
            return [world]
        case _:
            run.refuse(node, f"'{_WORDS.get(type(node), 'this statement')}' is not analysed")
            return [world]


_WORDS: dict[type[ast.stmt], str] = {
    ast.With: "with",
    ast.AsyncWith: "async with",
    ast.AsyncFor: "async for",
    ast.AsyncFunctionDef: "async def",
    ast.ClassDef: "class inside of a function",
}


# --- definitions ------------------------------------------------------------------------------------------------------


def define(run: Run, node: ast.FunctionDef, frame: int, world: World) -> Value:
    """Return a function as a value; its defaults are evaluated once, here."""
    for decorator in node.decorator_list:
        path = run.module_path(decorator.func if isinstance(decorator, ast.Call) else decorator)
        if path in ("functools.cache", "functools.lru_cache") and not _only_computes(run, node, frame):
            return run.refuse(
                decorator,
                "a cached function that may draw, is counted, or has results that change, gives the first result again; that is not analysed",
            )
        if path not in ("builtins.staticmethod", "functools.cache", "functools.lru_cache") and not is_mark(
            run.module, decorator
        ):
            return run.refuse(decorator, "this decorator is not analysed, so that it is unknown what the function does")
    run.frames.append(frame)  # names of defaults are those where the function stands, not where it is first read
    defaults = defaults_of(run, node.args, world)
    run.frames.pop()
    if frame == 0 and any(is_stale(run, each, world) for each in (*node.args.defaults, *node.args.kw_defaults) if each):
        return run.refuse(
            node, f"a default value of '{node.name}' is computed of what functions change; that is not analysed"
        )
    return Function(node, frame, defaults)


def _only_computes(run: Run, node: ast.FunctionDef, frame: int) -> bool:
    """Whether it makes no difference that a function is not followed again: it calls nothing but itself and functions of Python that only compute numbers."""
    objects = (ast.List, ast.ListComp, ast.Dict, ast.DictComp, ast.Set, ast.SetComp, ast.GeneratorExp, ast.Lambda)
    if frame != 0 or run.counted or any(isinstance(inner, objects) for inner in ast.walk(node)):
        return False
    for call in ast.walk(node):
        if isinstance(call, ast.Call) and not (isinstance(call.func, ast.Name) and call.func.id == node.name):
            path = run.module_path(call.func)
            if path is None or not path.startswith(("builtins.", "math.")):
                return False
    return True


def defaults_of(run: Run, arguments: ast.arguments, world: World) -> dict[str, Value]:
    """Evaluate default values."""
    found: dict[str, Value] = {}
    positional = [*arguments.posonlyargs, *arguments.args]
    pairs = [
        *zip(positional[len(positional) - len(arguments.defaults) :], arguments.defaults, strict=True),
        *(
            (one, default)
            for one, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
            if default is not None
        ),
    ]
    for one, default in pairs:
        before = run.drawn_count
        ends = expressions.evaluate(run, default, world)
        if len(ends) != 1 or ends[0] is not world or run.drawn_count != before:
            found[one.arg] = run.refuse(
                default, "a default value that is random is drawn once for all calls; draw inside of the function"
            )
            continue
        found[one.arg] = world.pop()
    return found


def define_class(run: Run, node: ast.ClassDef, world: World) -> Value:
    """Return a record type: a dataclass, a named tuple, or a class whose methods are read when they are called."""
    names_of = {one.name for one in node.body if isinstance(one, ast.FunctionDef)}
    special = {name for name in names_of if name.startswith("__") and name not in ("__init__", "__repr__", "__str__")}
    special |= {name for name in subscripts.bound_in(node) - names_of if name.startswith("__")}
    bases = [run.module_path(base) for base in node.bases]
    if special or node.keywords or any(base not in ("builtins.object", "typing.NamedTuple") for base in bases):
        return run.refuse(node, f"the class '{node.name}' inherits or redefines operators; that is not analysed")
    paths = [run.module_path(one.func if isinstance(one, ast.Call) else one) for one in node.decorator_list]
    keywords = {key.arg: key.value for one in node.decorator_list if isinstance(one, ast.Call) for key in one.keywords}
    is_frozen = keywords.pop("frozen", None)
    known = is_frozen is None or isinstance(is_frozen, ast.Constant)
    if any(path != "dataclasses.dataclass" for path in paths) or keywords or not known:
        return run.refuse(node, f"a decorator of the class '{node.name}' is not analysed")
    if not paths and bases in ([], ["builtins.object"]):
        return Class(node.name, (), {}, node)
    fields: list[str] = []
    defaults: dict[str, Value] = {}
    for one in node.body:
        if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name):
            fields.append(one.target.id)
            if one.value is not None:
                run.frames.append(0)
                ends = expressions.evaluate(run, one.value, world)
                run.frames.pop()
                defaults[one.target.id] = ends[0].pop() if len(ends) == 1 else Unknown()
    frozen = not paths or (isinstance(is_frozen, ast.Constant) and bool(is_frozen.value))
    return Class(node.name, tuple(fields), defaults, node, 0, "data" if paths else "tuple", frozen)


def scope_of(node: ast.FunctionDef | ast.Lambda, parent: int) -> Scope:
    """Return which names a function binds."""
    arguments = node.args
    bound = {one.arg for one in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}
    bound |= {one.arg for one in (arguments.vararg, arguments.kwarg) if one is not None}
    outer: set[str] = set()
    globals_: set[str] = set()
    if isinstance(node, ast.FunctionDef):
        for one in _own(node.body):
            match one:
                case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                    bound.add(name)
                case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                    bound.add(name)
                case ast.ExceptHandler(name=str() as name) | ast.MatchAs(name=str() as name):
                    bound.add(name)
                case ast.Nonlocal(names=found):
                    outer.update(found)
                case ast.Global(names=found):
                    globals_.update(found)
                case _:
                    pass
    return Scope(frozenset(bound - globals_), parent, frozenset(outer), frozenset(globals_))


def _own(body: Sequence[ast.AST]) -> Iterator[ast.AST]:
    """Yield the nodes of a function without those of functions and comprehensions inside of it, whose targets are theirs."""
    for node in body:
        yield node
        match node:
            case ast.FunctionDef() | ast.Lambda() | ast.ClassDef() | ast.AsyncFunctionDef():
                continue
            case ast.ListComp() | ast.GeneratorExp() | ast.SetComp() | ast.DictComp():
                inner = [one for one in ast.walk(node) if isinstance(one, ast.NamedExpr)]
                yield from (one.target for one in inner)
            case _:
                yield from _own(list(ast.iter_child_nodes(node)))


# --- assignment -------------------------------------------------------------------------------------------------------


def _assignment(run: Run, targets: Sequence[ast.expr], value: ast.expr, world: World) -> list[World]:
    after: list[World] = []
    if any(isinstance(target, ast.Tuple | ast.List) for target in targets):
        run.at_once.add(value)
    for one in expressions.evaluate(run, value, world):
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
            return _unpack(run, target, elts, value, world)
        case ast.Subscript(owner, index) if not isinstance(index, ast.Slice):
            world.temps.append(value)
            after: list[World] = []
            for one in expressions.all_of(run, [owner, index], world):
                stored, object_, place = one.take(3)
                after += subscripts.store(run, target, object_, place, stored, one)
            return after
        case ast.Attribute(owner, name):
            world.temps.append(value)
            after = []
            for one in expressions.evaluate(run, owner, world):
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
    value = run.settle(world, value, name)
    if name in found.keys:
        place = found.keys.index(name)
        world.heap[owner.id] = replace(found, cells=(*found.cells[:place], value, *found.cells[place + 1 :]))
    else:
        world.heap[owner.id] = replace(found, cells=(*found.cells, value), keys=(*found.keys, name))


def _unpack(run: Run, node: ast.AST, targets: Sequence[ast.expr], value: Value, world: World) -> list[World]:
    parts = subscripts.parts_of(run, node, value, world)
    if parts is None:
        parts = [Unknown()] * len(targets)
    starred = [place for place, target in enumerate(targets) if isinstance(target, ast.Starred)]
    if starred:
        run.refuse(node, "a starred target is not analysed")
        return [world]
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


def _augmented(run: Run, node: ast.AugAssign, world: World) -> list[World]:
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
    after = expressions.evaluate(run, part, world)
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
    for one in expressions.all_of(run, [_reading(target), node.value], world):
        values = one.take(2)
        if any(isinstance(value, Unknown) for value in values):
            after += assign(run, target, Unknown(), one)
            continue
        left, right = values
        if isinstance(left, Ref) and one.heap[left.id].sort == "list" and isinstance(node.op, ast.Add):
            parts = subscripts.parts_of(run, node, right, one)
            found = one.heap[left.id]
            one.heap[left.id] = replace(found, cells=found.cells + tuple(parts or ()))
            after += assign(run, target, left, one)
            continue
        in_place = left if isinstance(left, Ref) and one.heap[left.id].sort in ("array", "list") else None
        for done in arithmetic.operation(run, node, node.op, values, one):
            made = done.pop()
            if in_place is not None and isinstance(made, Ref):
                before, found = done.heap[in_place.id], done.heap[made.id]
                if before.sort == "array" and ("view" in before.keys or found.shape != before.shape):
                    run.refuse(node, "changing an array that shares its elements with another one is not analysed")
                elif before.sort == "array" and not subscripts.is_kept(before, found.cells):
                    run.refuse(node, subscripts.KEPT)
                done.heap[in_place.id] = done.heap[made.id]
                made = in_place
            after += assign(run, target, made, done)
    return after


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


def _delete(run: Run, targets: Sequence[ast.expr], world: World) -> list[World]:
    for target in targets:
        if not isinstance(target, ast.Name):
            run.refuse(target, "'del' of an element is not analysed")
            continue
        number = names.owner_of(run, target.id)
        if number == 0:
            run.refuse(
                target, f"'{target.id}' belongs to the module; functions that write its variables are not analysed"
            )
            continue
        frame = world.frames[number]
        removed = frame.pop(target.id, None)
        if isinstance(removed, Stale):
            run.stale_reads.add((number, target.id))
        if removed is None:
            run.raise_(world, "UnboundLocalError")
            return []
    return [world]


# --- ends -------------------------------------------------------------------------------------------------------------


def _return(run: Run, value: ast.expr | None, world: World) -> list[World]:
    worlds = [world]
    if value is None:
        world.temps.append(expressions.none_value(run))
    else:
        worlds = expressions.evaluate(run, value, world)
    for one in worlds:
        if not run.tallies:  # what leaves a loop that counts is computed behind it
            one.temps.append(run.settle(one, one.pop(), "returned"))
        one.outcome = "return"
        run.abrupt.append(one)
    return []


def _raise(run: Run, node: ast.Raise, world: World) -> list[World]:
    raised = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
    path = run.module_path(raised) if raised is not None else None
    name = (path or "").rpartition(".")[2]
    if raised is None or not (path or "").startswith("builtins.") or "Exception" not in parents(name):
        run.refuse(node, "exceptions of Python are analysed, not those of a file, and not 'raise' alone")
        name = "Exception"
    worlds = [world]
    if isinstance(node.exc, ast.Call):
        worlds = _told(run, [*node.exc.args, *(one.value for one in node.exc.keywords)], world)
    for one in worlds:
        run.raise_(one, name)
    return []


def _told(run: Run, message: Sequence[ast.expr], world: World) -> list[World]:
    """Follow what a message computes as far as that may do something, which is seen although the message is not."""
    worlds = [world]
    for part in message:
        for inner in _acting(run, part):
            worlds = [after for one in worlds for after in expressions.evaluate(run, inner, one)]
            for one in worlds:
                one.pop()
    return worlds


def _acting(run: Run, node: ast.expr) -> Iterator[ast.expr]:
    """Yield the parts of a message that may raise, draw or change something; to format a text does not."""
    inner = [one for one in ast.iter_child_nodes(node) if isinstance(one, ast.expr)]
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str()), attr="format" | "join")):
            pass
        case ast.Call(func=ast.Name()) if run.module_path(node.func) in (
            "builtins.str",
            "builtins.repr",
            "builtins.type",
        ):
            inner = list(node.args)
        case ast.BinOp(left=ast.Constant(value=str()), op=ast.Mod()):
            pass
        case ast.Call() | ast.Subscript() | ast.NamedExpr() | ast.BinOp(op=ast.Div() | ast.FloorDiv() | ast.Mod()):
            yield node
            return
        case ast.Lambda():
            return
        case _:
            pass
    for one in inner:
        yield from _acting(run, one)


def _assert(run: Run, test: ast.expr, message: ast.expr | None, world: World) -> list[World]:
    if "assertions" in run.observed:
        after: list[World] = []
        for one in expressions.evaluate(run, test, world):
            condition = expressions.truth(run, test, one.pop(), one)
            if condition is not None:
                run.observe(one, condition)
            after.append(one)
        return after
    held: list[World] = []
    for one, holds in expressions.held_in(run, test, world):
        if holds:
            held.append(one)
        else:
            for end in _told(run, [] if message is None else [message], one):
                run.raise_(end, "AssertionError")
    return held


# --- branches and loops -----------------------------------------------------------------------------------------------


def _if(run: Run, test: ast.expr, body: Sequence[ast.stmt], orelse: Sequence[ast.stmt], world: World) -> list[World]:
    count(run, world)
    after: list[World] = []
    for one, held in expressions.held_in(run, test, world):
        after += block(run, body if held else orelse, one)
    return after


def _left(run: Run, mark: int, outcomes: Sequence[str]) -> list[World]:
    """Take the worlds that ended in one of some ways since ``mark``; they run again."""
    taken = [one for one in run.abrupt[mark:] if one.outcome in outcomes]
    run.abrupt[mark:] = [one for one in run.abrupt[mark:] if one.outcome not in outcomes]
    for one in taken:
        one.outcome = ""
    return taken


def _for(run: Run, node: ast.For, world: World) -> list[World]:
    after: list[World] = []
    for one in expressions.evaluate(run, node.iter, world):
        values = one.pop()
        if isinstance(values, Unknown):
            after += _skipped(run, node, one)
            continue
        after += _for_each(run, node, values, one)
    return after


def _skipped(run: Run, node: ast.For, world: World) -> list[World]:
    """Follow the body once with unknown values, so that what is wrong in it is told, too."""
    mark = len(run.abrupt)
    worlds = [one for bound in assign(run, node.target, Unknown(), world) for one in block(run, node.body, bound)]
    return worlds + _left(run, mark, ("break", "continue"))


def _for_each(run: Run, node: ast.For, values: Value, world: World) -> list[World]:
    base, depth, start = world.code, world.depth, len(run.abrupt)
    iterator = world.heap[values.id] if isinstance(values, Ref) and world.heap[values.id].sort == "iterator" else None
    parts = subscripts.parts_of(run, node.iter, values, world)
    if parts is None:
        return _skipped(run, node, world)
    shared = subscripts.changing(values, world)
    if iterator is not None and isinstance(values, Ref):
        world.heap[values.id] = subscripts.LEFT

    def now_in(one: World) -> list[Value]:
        if iterator is not None:
            return subscripts.walked(run, node.iter, iterator, one) or []
        return parts if shared is None else subscripts.parts_of(run, node.iter, shared, one) or []

    going, broken = [world], list[World]()
    world.temps.append(values)  # what is walked over lives as long as the loop
    for place in range(len(parts)):
        after: list[World] = []
        for one in going:
            now = now_in(one)
            if len(now) != len(parts):
                run.refuse(node, subscripts.CHANGED)
                one.temps.pop()
                return [one]
            value = now[place]
            code, level, mark = one.code, one.depth, len(run.abrupt)
            count(run, one)
            ends = [end for bound in assign(run, node.target, value, one) for end in block(run, node.body, bound)]
            ends += _left(run, mark, ("continue",))
            left = _left(run, mark, ("break",))
            broken += left
            after += run.join(code, level, ends, [*run.abrupt[mark:], *left])
        going = run.join(base, depth, after, [*run.abrupt[start:], *broken])
    for one in going:
        if len(now_in(one)) != len(parts):
            run.refuse(node, subscripts.CHANGED)
        if iterator is not None and isinstance(values, Ref):
            one.heap[values.id] = subscripts.SPENT
    for one in (*going, *broken):
        one.temps.pop()
    ended = [end for one in going for end in block(run, node.orelse, one)] if node.orelse else going
    return run.join(base, depth, [*broken, *ended], run.abrupt[start:])


def _while(run: Run, node: ast.While, world: World) -> list[World]:
    """Follow a loop round by round; where it ends by chance, without a bound that is found so, as a loop of the program."""
    if node in run.endless:
        return _by_chance(run, node, world)
    base, depth, start = world.code, world.depth, len(run.abrupt)
    before, saved = world.copy(), run.save(base)
    rounds = _Rounds([world])
    followed = 0
    while rounds.going:
        followed += 1
        if followed > (MOST_RANDOM_ROUNDS if len(run.abrupt) > start or rounds.is_left else MOST_ROUNDS):
            if any(one.is_error for one in run.found[len(saved.found) :]):
                return [*rounds.going, *rounds.ended, *rounds.broken]
            if followed > MOST_ROUNDS:
                run.refuse(
                    node, f"a loop that nothing random ends is followed for {MOST_ROUNDS:,} rounds; this one goes on"
                )
                return [*rounds.going, *rounds.ended, *rounds.broken]
            run.restore(saved)
            run.endless.add(node)
            return _by_chance(run, node, before)
        _next_round(run, node, rounds, base, depth, start)
    return _after(run, node, rounds, base, depth, start)


@dataclass(slots=True)
class _Rounds:
    """Worlds of a loop: those before their next round, those whose condition does not hold any more, and those that broke off."""

    going: list[World]
    ended: list[World] = field(default_factory=list)
    broken: list[World] = field(default_factory=list)

    @property
    def is_left(self) -> bool:
        return bool(self.ended or self.broken)


def _round(run: Run, node: ast.While, world: World) -> _Rounds:
    mark = len(run.abrupt)
    count(run, world)
    rounds = _Rounds([])
    for inside, held in expressions.held_in(run, node.test, world):
        if held:
            rounds.going += block(run, node.body, inside)
        else:
            rounds.ended.append(inside)
    rounds.going += _left(run, mark, ("continue",))
    rounds.broken = _left(run, mark, ("break",))
    return rounds


def _next_round(run: Run, node: ast.While, rounds: _Rounds, base: Code, depth: int, start: int) -> None:
    after: list[World] = []
    for one in rounds.going:
        code, level, mark = one.code, one.depth, len(run.abrupt)
        found = _round(run, node, one)
        rounds.broken += found.broken
        rounds.ended += found.ended
        after += run.join(code, level, found.going, [*run.abrupt[mark:], *found.broken, *found.ended])
    rounds.going = run.join(base, depth, after, [*run.abrupt[start:], *rounds.broken, *rounds.ended])


def _after(run: Run, node: ast.While, rounds: _Rounds, base: Code, depth: int, start: int) -> list[World]:
    ended = rounds.ended
    if node.orelse:
        ended = [end for one in ended for end in block(run, node.orelse, one)]
    return run.join(base, depth, [*rounds.broken, *ended], run.abrupt[start:])


def _by_chance(run: Run, node: ast.While, world: World) -> list[World]:
    """Follow a loop as one of the program, behind as many first rounds as it takes until all names that it reads are bound."""
    base, depth, start = world.code, world.depth, len(run.abrupt)
    rounds, reasons = _Rounds([world]), list[str]()

    def follow(head: World) -> tuple[list[World], list[World]]:
        found = _round(run, node, head)
        return found.going, [*found.ended, *leaving(found.broken, "break" if node.orelse else "")]

    for _ in range(MOST_FIRST_ROUNDS + 1):
        if len(rounds.going) == 1:
            run.at = run.places.span(node)
            found = endless(run, rounds.going[0], node, follow)
            if not isinstance(found, str):
                run.abrupt += [one for one in found if one.outcome not in ("", "break")]
                rounds.ended += [one for one in found if one.outcome == ""]
                rounds.broken += leaving([one for one in found if one.outcome == "break"], "")
                rounds.going = []
                break
            reasons.append(found)
        _next_round(run, node, rounds, base, depth, start)
    if rounds.going:
        reason = reasons[-1] if reasons else "its first rounds leave objects of several structures"
        run.refuse(node, f"this loop ends at random, without a known bound, and is not analysed: {reason}")
    return _after(run, node, rounds, base, depth, start)


def _try(run: Run, node: ast.Try, world: World) -> list[World]:
    base, depth, mark, height = world.code, world.depth, len(run.abrupt), len(world.temps)
    ends = block(run, node.body, world)
    raised = [one for one in run.abrupt[mark:] if one.outcome.startswith("raise ")]
    run.abrupt[mark:] = [one for one in run.abrupt[mark:] if not one.outcome.startswith("raise ")]
    after = [end for one in ends for end in block(run, node.orelse, one)] if node.orelse else ends
    for one in raised:
        handler = _handler(run, node, one.outcome.removeprefix("raise "))
        if handler is None:
            run.abrupt.append(one)
            continue
        one.outcome = ""
        del one.temps[height:]
        if handler.name is not None:
            names.bind(run, handler, handler.name, Library("builtins.Exception"), one)
        caught = block(run, handler.body, one)
        for each in caught:
            if handler.name is not None:
                each.frames[run.frames[-1]].pop(handler.name, None)
        after += caught
    if node.finalbody:
        if any(
            isinstance(inner, ast.Return | ast.Break | ast.Continue | ast.Raise)
            for one in node.finalbody
            for inner in ast.walk(one)
        ):
            run.refuse(node.finalbody[0], "'finally' that leaves by itself is not analysed")
        waiting = run.abrupt[mark:]
        del run.abrupt[mark:]
        after = [end for one in after for end in block(run, node.finalbody, one)]
        for one in waiting:
            outcome, one.outcome = one.outcome, ""
            for end in block(run, node.finalbody, one):
                end.outcome = outcome
                run.abrupt.append(end)
    return run.join(base, depth, after, run.abrupt[mark:])


def _handler(run: Run, node: ast.Try, name: str) -> ast.ExceptHandler | None:
    for handler in node.handlers:
        if handler.type is None:
            return handler
        kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
        for kind in kinds:
            path = run.module_path(kind) or ""
            if not path.startswith("builtins."):
                run.refuse(kind, "exceptions of Python are analysed, not those of a file")
            elif path.removeprefix("builtins.") in parents(name):
                return handler
    return None


def _match(run: Run, node: ast.Match, world: World) -> list[World]:
    base, depth, mark = world.code, world.depth, len(run.abrupt)
    going: list[World] = []
    for one in expressions.evaluate(run, node.subject, world):
        one.temps.append(run.settle(one, one.pop(), "subject"))
        going.append(one)
    after: list[World] = []
    for case in node.cases:
        rest: list[World] = []
        for one in going:
            held = _pattern(run, case.pattern, one.temps[-1], one)
            if held is None:
                one.pop()
                after.append(one)
                continue
            yes, no = run.branch(one, held)
            if no is not None:
                rest.append(no)
            if yes is None:
                continue
            if isinstance(case.pattern, ast.MatchAs) and case.pattern.name is not None:
                names.bind(run, case.pattern, case.pattern.name, yes.temps[-1], yes)
            passed = [yes]
            if case.guard is not None:
                pairs = expressions.held_in(run, case.guard, yes)
                rest += [each for each, holds in pairs if not holds]
                passed = [each for each, holds in pairs if holds]
            for each in passed:
                each.pop()
                after += block(run, case.body, each)
        going = rest
    for one in going:
        one.pop()
    return run.join(base, depth, [*after, *going], run.abrupt[mark:])


def _pattern(run: Run, pattern: ast.pattern, value: Value, world: World) -> Num | None:
    match pattern:
        case ast.MatchValue(literal):
            ends = expressions.evaluate(run, literal, world)
            expected = ends[0].pop()
            held = arithmetic.compare(run, pattern, ast.Eq(), value, expected, world)
            return held if isinstance(held, Num) else None
        case ast.MatchSingleton(literal_):
            expected = expressions.none_value(run) if literal_ is None else truth_of(bool(literal_))
            held = arithmetic.compare(run, pattern, ast.Is(), value, expected, world)
            return held if isinstance(held, Num) else None
        case ast.MatchOr(patterns):
            found: Num | None = None
            for each in patterns:
                part = _pattern(run, each, value, world)
                if part is None:
                    return None
                found = (
                    part
                    if found is None
                    else number(binary("or", found.expression, part.expression), BOOL, world.known)
                )
            return found
        case ast.MatchAs(pattern=None):
            return truth_of(True)
        case _:
            run.refuse(pattern, "this pattern is not analysed; values, '|' and names are")
            return None
