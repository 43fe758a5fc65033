"""Which objects of a file its own statements may change when it is imported, so that they are not what they were bound to."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Set

_READS = frozenset(
    ["count", "index", "copy", "keys", "values", "items", "get", "tolist", "upper", "lower", "strip", "split"]
)
_PURE_MODULES = frozenset(
    ["numpy", "math", "statistics", "collections", "functools", "dataclasses", "typing", "fractions"]
)


def changed_names(tree: ast.Module, imported: Mapping[str, str], pure: Set[str]) -> frozenset[str]:
    """Return the names of a file whose objects its statements may change after they are bound, other names of these objects, too.

    Args:
        tree: the file.
        imported: for names of other modules their full paths.
        pure: functions of Python that leave what they are handed as it is.
    """
    bodies: list[ast.stmt] = [one for one in tree.body if not _is_for_scripts(one)]
    functions = {one.name: one for one in ast.walk(tree) if isinstance(one, ast.FunctionDef | ast.ClassDef)}
    called = {
        inner.func.id
        for inner in _run(bodies)
        if isinstance(inner, ast.Call) and isinstance(inner.func, ast.Name) and inner.func.id in functions
    }
    if called:  # what a function of the file does to the names of the file is not followed here
        bodies += [each for one in functions.values() for each in one.body]
    nodes = [node for node in _run(bodies) if not _only_computes(node, imported)]
    found = {name for node in nodes for name in _changed_by(node, pure - functions.keys())} - imported.keys()
    shared = [_shared_by(node) for node in nodes if isinstance(node, ast.Assign | ast.AnnAssign)]
    before = -1
    while len(found) != before:
        before = len(found)
        for names in shared:
            if names & found:
                found |= names
    return frozenset(found)


def _is_for_scripts(node: ast.stmt) -> bool:
    """Whether a statement is ``if __name__ == "__main__":``, which an import passes over."""
    return isinstance(node, ast.If) and any(
        isinstance(inner, ast.Name) and inner.id == "__name__" for inner in ast.walk(node.test)
    )


def _run(body: list[ast.stmt]) -> Iterator[ast.AST]:
    """Yield the nodes of statements without those of functions that they define."""
    waiting: list[ast.AST] = list(body)
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            waiting += ast.iter_child_nodes(node)


def _only_computes(node: ast.AST, imported: Mapping[str, str]) -> bool:
    """Whether a node calls a function of a module that leaves what it is handed as it is."""
    path: list[str] = []
    inner = node.func if isinstance(node, ast.Call) else node
    while isinstance(inner, ast.Attribute):
        path.append(inner.attr)
        inner = inner.value
    if not isinstance(node, ast.Call) or not isinstance(inner, ast.Name) or inner.id not in imported:
        return False
    parts = [*imported[inner.id].split("."), *reversed(path)]
    return parts[0] in _PURE_MODULES and "random" not in parts


def _changed_by(node: ast.AST, pure: Set[str]) -> Iterator[str]:
    match node:
        case ast.Assign(targets=targets) | ast.Delete(targets=targets):
            for target in targets:
                yield from _owners(target)
        case ast.AugAssign(target=target) | ast.AnnAssign(target=target):
            yield from _owners(target)
            if isinstance(node, ast.AugAssign) and isinstance(target, ast.Name):
                yield target.id
        case ast.For(target=target):
            yield from _owners(target)
        case ast.Call(func=ast.Attribute(value=owner, attr=name)) if name not in _READS:
            if (root := _root(owner)) is not None:
                yield root
            yield from _handed(node)
        case ast.Call(func=ast.Name(id=name)) if name not in pure:
            yield from _handed(node)
        case _:
            pass


def _handed(call: ast.Call) -> Iterator[str]:
    """Yield the names whose objects a call is handed."""
    for argument in (*call.args, *(one.value for one in call.keywords)):
        yield from _named(argument)


def _named(node: ast.expr) -> Iterator[str]:
    """Yield the names of objects that a value is, or holds."""
    match node:
        case ast.Name(id=name):
            yield name
        case ast.Tuple(elements) | ast.List(elements):
            for each in elements:
                yield from _named(each)
        case ast.Dict(values=values):
            for each in values:
                yield from _named(each)
        case ast.IfExp(body=body, orelse=orelse):
            yield from _named(body)
            yield from _named(orelse)
        case ast.Starred(inner) | ast.Subscript(value=inner) | ast.Attribute(value=inner):
            yield from _named(inner)
        case _:
            pass


def _shared_by(node: ast.Assign | ast.AnnAssign) -> set[str]:
    """Return the names that hold the same object after an assignment."""
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    names = {one.id for target in targets for one in ast.walk(target) if isinstance(one, ast.Name)}
    return names | set(() if node.value is None else _named(node.value))


def _owners(target: ast.expr) -> Iterator[str]:
    """Yield the names whose objects an assignment changes: those in front of an index or a field."""
    match target:
        case ast.Tuple(elements) | ast.List(elements):
            for each in elements:
                yield from _owners(each)
        case ast.Subscript() | ast.Attribute() if (root := _root(target)) is not None:
            yield root
        case _:
            pass


def _root(node: ast.expr) -> str | None:
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None
