"""Sets that are walked over where nobody can see in which order: sums, counts and searches, and loops that only add up."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence

from seepage.python import known_keys
from seepage.python.module import Module
from seepage.python.run import Run
from seepage.python.values import Num, Object, Ref, Value
from seepage.python.vocabulary import OWN_OPERATORS
from seepage.python.world import World

IN_ANY_ORDER = frozenset(f"builtins.{name}" for name in ("sum", "max", "min", "sorted", "any", "all"))
"""Functions of a set whose value its order does not change."""

_OF_COMPREHENSIONS = IN_ANY_ORDER | {"builtins.len", "builtins.set"}
_CHOICES = frozenset({"random.choice", "random.sample", "secrets.choice"})
_PURE = frozenset(
    f"builtins.{name}"
    for name in (
        "abs",
        "bool",
        "chr",
        "divmod",
        "float",
        "int",
        "len",
        "max",
        "min",
        "ord",
        "range",
        "round",
        "set",
        "sorted",
        "str",
        "sum",
    )
)
_DRAWS = frozenset(
    f"random.{name}" for name in ("choice", "gauss", "getrandbits", "randint", "random", "randrange", "uniform")
)
_READS = frozenset({"count", "endswith", "get", "index", "isdigit", "lower", "startswith", "upper"})
_GROUPS: dict[type[ast.operator], str] = {
    ast.Add: "+", ast.Sub: "+", ast.Mult: "*", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^",
}  # fmt: skip


def mark_call(run: Run, node: ast.Call, path: str | None) -> None:
    """Note which sets a call takes in any order: what the comprehension walks over that it is given, and the list that is chosen from."""
    if not node.args or node.keywords:
        return
    first = node.args[0]
    if path in _OF_COMPREHENSIONS and len(node.args) == 1 and isinstance(first, ast.GeneratorExp | ast.ListComp):
        mark_comprehension(run, first)
    is_made = isinstance(first, ast.Call) and run.module_path(first.func) in ("builtins.list", "builtins.tuple")
    if path in _CHOICES and is_made:
        run.any_order.add(first)


def mark_comprehension(run: Run, node: ast.SetComp | ast.GeneratorExp | ast.ListComp) -> None:
    """Note that what a comprehension walks over may come in any order, if its elements do nothing."""
    conditions = [each for one in node.generators for each in one.ifs]
    if is_pure(run, [node.elt, *conditions, *(one.iter for one in node.generators[1:])]):
        run.any_order.update(one.iter for one in node.generators)


def mark_loop(run: Run, node: ast.For, world: World) -> None:
    """Note that a loop adds up, so that what it walks over may come in any order."""
    run.any_order.discard(node.iter)  # it may have added up another time
    totals: dict[str, str] = {}
    targets = {each.id for each in ast.walk(node.target) if isinstance(each, ast.Name)}
    if node.orelse or not _adds_up(run, node.body, totals) or targets & totals.keys():
        return
    frame = world.frames.get(run.frames[-1], {}) if run.frames else {}
    is_total = all(_is_total(frame.get(name), group, world) for name, group in totals.items())
    if is_total and not _read_in(node.body) & totals.keys() and not _read_behind(run, node) & targets:
        run.any_order.add(node.iter)


def taken(run: Run, node: ast.AST, value: Value, world: World) -> Value:
    """Return a set whose order is not seen as a list; any other value as it is."""
    if node in run.any_order and isinstance(value, Ref) and world.heap[value.id].sort == "set":
        return run.allocate(world, Object("list", world.heap[value.id].cells))
    return value


def check(run: Run, node: ast.AST, since: int) -> None:
    """Refuse what was walked over in any order if that raises: what was done before depends on the order."""
    if any(one.outcome.partition("raise ")[1] for one in run.abrupt[since:]):
        run.refuse(node, known_keys.NO_ORDER)


def is_pure(run: Run, nodes: Iterable[ast.expr]) -> bool:
    """Whether expressions only compute and draw."""
    if may_act(run):
        return False
    for node in nodes:
        for each in ast.walk(node):
            if isinstance(each, ast.NamedExpr | ast.Lambda | ast.Yield | ast.YieldFrom | ast.Await):
                return False
            if isinstance(each, ast.Call):
                path = run.module_path(each.func)
                reads = isinstance(each.func, ast.Attribute) and each.func.attr in _READS
                if path not in _PURE | _DRAWS and not (path is None and reads):
                    return False
    return True


def may_act(run: Run) -> bool:
    """Whether operators of a class of the file may do something besides computing, so that it matters when they are asked."""
    if run.acts is None:
        methods = [
            method
            for kind in ast.walk(run.module.tree)
            if isinstance(kind, ast.ClassDef)
            for method in kind.body
            if isinstance(method, ast.FunctionDef) and method.name in OWN_OPERATORS
        ]
        run.acts = any(_acts(run.module, inner) for method in methods for inner in ast.walk(method))
    return run.acts


def _acts(module: Module, node: ast.AST) -> bool:
    match node:
        case ast.Attribute(ctx=ast.Store() | ast.Del()) | ast.Subscript(ctx=ast.Store() | ast.Del()):
            return True
        case ast.Global() | ast.Nonlocal() | ast.NamedExpr():
            return True
        case ast.Call(func=function):
            path = module.path_of(function)
            return path not in _PURE | {"builtins.isinstance", "builtins.zip", "builtins.iter"} and not (
                isinstance(function, ast.Name)
                and all(isinstance(one, ast.ClassDef) for one in module.bound.get(function.id, [node]))
            )
        case _:
            return False


def _adds_up(run: Run, body: Sequence[ast.stmt], totals: dict[str, str]) -> bool:
    """Whether statements only add to names, each by operators of one group, which are entered in ``totals``."""
    for one in body:
        match one:
            case ast.Pass():
                continue
            case ast.AugAssign(target=ast.Name(id=name), op=op, value=value) if type(op) in _GROUPS:
                if totals.setdefault(name, _GROUPS[type(op)]) != _GROUPS[type(op)] or not is_pure(run, [value]):
                    return False
            case ast.Expr(ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="add"), args=args, keywords=[])):
                if totals.setdefault(name, "add") != "add" or not is_pure(run, args):
                    return False
            case ast.If(test=test, body=inner, orelse=orelse):
                if not is_pure(run, [test]) or not _adds_up(run, inner, totals) or not _adds_up(run, orelse, totals):
                    return False
            case _:
                return False
    return True


def _is_total(value: Value | None, group: str, world: World) -> bool:
    if group == "add":
        return isinstance(value, Ref) and world.heap[value.id].sort == "set"
    return isinstance(value, Num) and value.is_number


def _read_in(body: Sequence[ast.stmt]) -> set[str]:
    """Return the names that statements read, but for those that they add to a set."""
    added = {
        id(each.func.value)
        for one in body
        for each in ast.walk(one)
        if isinstance(each, ast.Call) and isinstance(each.func, ast.Attribute) and each.func.attr == "add"
    }
    return {
        each.id
        for one in body
        for each in ast.walk(one)
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load) and id(each) not in added
    }


def _read_behind(run: Run, node: ast.For) -> set[str]:
    """Return the names that the function around a loop reads outside of it."""
    around: ast.AST = run.module.tree
    for each in ast.walk(run.module.tree):
        if isinstance(each, ast.FunctionDef) and any(inner is node for inner in ast.walk(each)):
            around = each  # the innermost comes last
    inside = {id(each) for each in ast.walk(node)}
    return {
        each.id
        for each in ast.walk(around)
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load) and id(each) not in inside
    }
