"""What a function, its defaults and a class of the file are as values."""

from __future__ import annotations

import ast

from seepage.python import expressions, records
from seepage.python.marks import is_mark
from seepage.python.module_scopes import names_bound_by, own_nodes
from seepage.python.module_values import is_stale
from seepage.python.run import Run
from seepage.python.values import Class, Function, Scope, Unknown, Value
from seepage.python.world import World


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
    for call in (each for one in node.body for each in ast.walk(one)):
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
    special |= {name for name in records.bound_in(node) - names_of if name.startswith("__")}
    other = [one for one in node.body if not _is_definition(one)]
    bases = [run.module_path(base) for base in node.bases]
    if special or node.keywords or any(base not in ("builtins.object", "typing.NamedTuple") for base in bases):
        return run.refuse(node, f"the class '{node.name}' inherits or redefines operators; that is not analysed")
    if other:
        return run.refuse(other[0], "a statement of a class that is no definition and no assignment is not analysed")
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


def _is_definition(node: ast.stmt) -> bool:
    is_told = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    return is_told or isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Assign | ast.AnnAssign | ast.Pass)


def is_generator(node: ast.FunctionDef | ast.Lambda) -> bool:
    """Whether a call of a function gives a generator."""
    return isinstance(node, ast.FunctionDef) and any(
        isinstance(one, ast.Yield | ast.YieldFrom) for one in own_nodes(node.body)
    )


def scope_of(node: ast.FunctionDef | ast.Lambda, parent: int) -> Scope:
    """Return which names a function binds."""
    arguments = node.args
    bound = {one.arg for one in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}
    bound |= {one.arg for one in (arguments.vararg, arguments.kwarg) if one is not None}
    outer: set[str] = set()
    globals_: set[str] = set()
    if isinstance(node, ast.FunctionDef):
        for one in own_nodes(node.body):
            bound.update(names_bound_by(one))
            match one:
                case ast.Nonlocal(names=found):
                    outer.update(found)
                case ast.Global(names=found):
                    globals_.update(found)
                case _:
                    pass
    return Scope(frozenset(bound - globals_), parent, frozenset(outer), frozenset(globals_))
