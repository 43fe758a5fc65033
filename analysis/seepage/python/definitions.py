"""What a function, its defaults and a class of the file are as values."""

from __future__ import annotations

import ast

from seepage.python import enums, following, records
from seepage.python.marks import is_mark
from seepage.python.module_scopes import names_bound_by, own_nodes
from seepage.python.module_values import is_stale
from seepage.python.run import Run
from seepage.python.values import Class, Function, Scope, Unknown, Value
from seepage.python.vocabulary import ORDERS, OWN_OPERATORS
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
        if path not in (*_OF_METHODS, "functools.cache", "functools.lru_cache") and not is_mark(run.module, decorator):
            return run.refuse(decorator, "this decorator is not analysed, so that it is unknown what the function does")
    run.frames.append(frame)  # names of defaults are those where the function stands, not where it is first read
    defaults = defaults_of(run, node.args, world)
    run.frames.pop()
    if frame == 0 and any(is_stale(run, each, world) for each in (*node.args.defaults, *node.args.kw_defaults) if each):
        return run.refuse(
            node, f"a default value of '{node.name}' is computed of what functions change; that is not analysed"
        )
    return Function(node, frame, defaults)


_OF_METHODS = ("builtins.staticmethod", "builtins.classmethod", "abc.abstractmethod")
"""Decorators that say to what a method is bound, and which are followed where it is read."""


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
        ends = following.evaluate(run, default, world)
        if len(ends) != 1 or ends[0] is not world or run.drawn_count != before:
            found[one.arg] = run.refuse(
                default, "a default value that is random is drawn once for all calls; draw inside of the function"
            )
            continue
        found[one.arg] = world.pop()
    return found


_SPECIAL = frozenset({"__init__", "__post_init__", "__call__", "__repr__", "__str__"})
_OPERATORS = OWN_OPERATORS | {"__hash__", "__enter__", "__exit__"}
_PLAIN_BASES = frozenset({"builtins.object", "abc.ABC", "typing.NamedTuple", "typing.Protocol"})


def define_class(run: Run, node: ast.ClassDef, world: World) -> Value:
    """Return a record type: a dataclass, a named tuple, or a class whose methods are read when they are called."""
    names_of = {one.name for one in node.body if isinstance(one, ast.FunctionDef)}
    special = {name for name in names_of if name.startswith("__") and name.endswith("__")} - _SPECIAL
    assigned = {name for name in records.bound_in(node) - names_of if name.startswith("__")}
    other = [one for one in node.body if not _is_definition(one)]
    if (sort := enums.sort_of(run, node)) and not special | assigned and not node.decorator_list and not node.keywords:
        return enums.define(run, node, sort, world)
    special -= _OPERATORS if all(_is_followed(run, one) for one in node.body) else frozenset()
    special |= assigned - {"__hash__"}  # objects that define '==' are refused as keys anyway
    if special or any(key.arg != "metaclass" or run.module_path(key.value) != "abc.ABCMeta" for key in node.keywords):
        return run.refuse(node, f"the class '{node.name}' redefines operators; that is not analysed")
    if other:
        return run.refuse(other[0], "a statement of a class that is no definition and no assignment is not analysed")
    paths = [run.module_path(one.func if isinstance(one, ast.Call) else one) for one in node.decorator_list]
    keywords = {key.arg: key.value for one in node.decorator_list if isinstance(one, ast.Call) for key in one.keywords}
    is_frozen, is_ordered = keywords.pop("frozen", None), keywords.pop("order", None)
    has_slots = keywords.pop("slots", None)
    known = all(each is None or isinstance(each, ast.Constant) for each in (is_frozen, is_ordered, has_slots))
    if any(path != "dataclasses.dataclass" for path in paths) or keywords or not known:
        return run.refuse(node, f"a decorator of the class '{node.name}' is not analysed")
    above = ancestors(run, node, world)
    if above is None:
        return Unknown()
    is_tuple = any(run.module_path(each) == "typing.NamedTuple" for each in node.bases)
    if not paths and not is_tuple:
        made = Class(node.name, (), {}, node, above=above)
    else:
        frozen = is_tuple or (isinstance(is_frozen, ast.Constant) and bool(is_frozen.value))
        based = [one for one in above if one.fields and not any(one in each.above for each in above)]
        if len(based) > 1:
            return run.refuse(node, f"'{node.name}' inherits fields from several classes; that is not analysed")
        fields, defaults, factories = _fields(run, node, based[0] if based else None, world)
        sort = "tuple" if is_tuple else "data"
        ordered, slotted = (isinstance(each, ast.Constant) and bool(each.value) for each in (is_ordered, has_slots))
        if slotted and any(isinstance(each, ast.Name) and each.id in ("super", "__class__") for each in ast.walk(node)):
            return run.refuse(
                node,
                "'super' in a dataclass with slots, which is another class than its methods stand in, is not analysed",
            )
        made = Class(
            node.name, fields, defaults, node, 0, sort, frozen, ordered, slotted, above=above, factories=factories
        )
    if made.sort == "tuple" and made.defines(OWN_OPERATORS):
        return run.refuse(node, f"the named tuple '{node.name}' redefines operators; that is not analysed")
    if made.is_ordered and names_of & (ORDERS - {"__eq__", "__ne__"}):
        return run.refuse(node, f"Python makes no ordered dataclass of '{node.name}', which defines an order itself")
    if made.sort == "data" and any(one.defines(ORDERS) for one in above):
        return run.refuse(
            node,
            f"what '{node.name}' inherits from defines how it compares, which a dataclass redefines; that is not analysed",
        )
    if any(
        one.sort == "tuple" or (one.sort, one.is_frozen) not in ((made.sort, made.is_frozen), ("plain", False))
        for one in above
    ):
        return run.refuse(node, f"what '{node.name}' inherits from is another kind of class; that is not analysed")
    return made


def ancestors(run: Run, node: ast.ClassDef, world: World) -> tuple[Class, ...] | None:
    """Return the classes of the file that another one inherits from, in the order in which they are asked for names; None, and a fault, where that is not known."""
    bases = _bases_of(run, node, world)
    found = None if bases is None else _linearised([[*one.lineage] for one in bases] + [bases])
    if bases is not None and found is None:
        run.refuse(node, f"the classes that '{node.name}' inherits from have no order")
    return None if found is None else tuple(found)


def _linearised(lines: list[list[Class]]) -> list[Class] | None:
    """Return the order in which the classes that one inherits from are asked for names (C3, as in Python); None if there is none.

    Args:
        lines: of each base this order, itself first, and then the bases as they are written.
    """
    found: list[Class] = []
    while lines := [one for one in lines if one]:
        first = next((one[0] for one in lines if all(one[0] not in each[1:] for each in lines)), None)
        if first is None:
            return None
        found.append(first)
        lines = [one[1:] if one[0] == first else one for one in lines]
    return found


def _is_followed(run: Run, node: ast.stmt) -> bool:
    """Whether an operator that a class defines is a plain method."""
    return not isinstance(node, ast.FunctionDef) or node.name not in _OPERATORS or not node.decorator_list


def _fields(
    run: Run, node: ast.ClassDef, base: Class | None, world: World
) -> tuple[tuple[str, ...], dict[str, Value], frozenset[str]]:
    """Return the fields of a dataclass or a named tuple, those that it inherits first, the values of their defaults, and which of these make one for each object."""
    fields = list(base.fields) if base is not None else []
    defaults: dict[str, Value] = dict(base.defaults) if base is not None else {}
    factories = set(base.factories) if base is not None else set[str]()
    for one in node.body:
        if not isinstance(one, ast.AnnAssign) or not isinstance(one.target, ast.Name):
            continue
        if _names(run, one.annotation) & {"typing.ClassVar", "dataclasses.InitVar", "dataclasses.KW_ONLY"}:
            run.refuse(one, "a field that is one of the class, or only an argument, is not analysed")
        name, value = one.target.id, one.value
        if name not in fields:
            fields.append(name)
        defaults.pop(name, None)
        factories.discard(name)
        match value:
            case ast.Call(args=[], keywords=[ast.keyword("default" | "default_factory" as key, given)]) if (
                run.module_path(value.func) == "dataclasses.field"
            ):
                value = given
                if key == "default_factory":
                    factories.add(name)
            case _:
                pass
        if value is not None:
            run.frames.append(0)
            ends = following.evaluate(run, value, world)
            run.frames.pop()
            defaults[name] = ends[0].pop() if len(ends) == 1 else Unknown()
    return tuple(fields), defaults, frozenset(factories)


def _names(run: Run, annotation: ast.expr) -> set[str]:
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        try:
            annotation = ast.parse(annotation.value, mode="eval").body
        except (SyntaxError, ValueError):
            return set()
    named = [one for one in ast.walk(annotation) if isinstance(one, ast.Name | ast.Attribute)]
    return {path for one in named if (path := run.module_path(one)) is not None}


def _bases_of(run: Run, node: ast.ClassDef, world: World) -> list[Class] | None:
    """Return the classes of the file that another one inherits from, as they are written; None, and a fault, where one is of another module."""
    found: list[Class] = []
    for base in node.bases:
        path = run.module_path(base.value if isinstance(base, ast.Subscript) else base)
        if path in _PLAIN_BASES or (path == "typing.Generic" and isinstance(base, ast.Subscript)):
            continue
        run.frames.append(0)
        ends = following.evaluate(run, base, world) if isinstance(base, ast.Name) and path is None else []
        run.frames.pop()
        value = ends[0].pop() if len(ends) == 1 else None
        if not isinstance(value, Class):
            run.refuse(
                node, f"the class '{node.name}' inherits from what is no class of this file; that is not analysed"
            )
            return None
        found.append(value)
    return found


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
