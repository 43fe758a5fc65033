"""Which objects of a file its own statements may change when it is imported, so that they are not what they were bound to."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Set

from seepage.data_classes import dataclass
from seepage.python.module_scopes import names_bound_by, own_nodes, run_at_import

_READS = frozenset(
    ["count", "index", "copy", "keys", "values", "items", "get", "tolist", "upper", "lower", "strip", "split"]
)
_PURE_MODULES = frozenset(
    ["numpy", "math", "statistics", "collections", "functools", "dataclasses", "typing", "fractions"]
)
_WRITES = frozenset(["copyto", "put", "place", "putmask", "put_along_axis", "fill_diagonal", "ndarray", "reduce"])
"""Names in paths of pure modules whose functions change what they are handed, or call others."""
_READERS = frozenset(["hasattr", "getattr", "type", "id", "repr", "print"])
_REFLECTION = frozenset(
    [
        *("exec", "eval", "setattr", "delattr", "globals", "locals", "vars", "__import__", "__builtins__"),
        *("__dict__", "__globals__", "__setattr__", "__delattr__", "import_module", "reload"),
    ]
)
"""Names by which code reaches names that do not stand in the text."""


@dataclass(frozen=True, slots=True)
class Changes:
    """What a file's own statements may change when it is imported.

    Attributes:
        names: whose objects they may change.
        faults: where they may change names that they do not write down: place and sentence.
    """

    names: frozenset[str]
    faults: tuple[tuple[ast.AST, str], ...]


def changed_names(tree: ast.Module, imported: Mapping[str, str], pure: Set[str]) -> Changes:
    """Return the names of a file whose objects its statements may change after they are bound, other names of these objects, too.

    Args:
        tree: the file.
        imported: for names of other modules their full paths.
        pure: functions of Python that leave what they are handed as it is.
    """
    defined = _definitions(tree)
    followed = set[str]()
    nodes = list(run_at_import([each for one in tree.body for each in _imported_part(one)]))
    bases = {id(base) for one in nodes if isinstance(one, ast.ClassDef) for base in one.bases}
    if "__init_subclass__" in defined:
        bases = set()
    fresh = [one for one in nodes if id(one) not in bases]  # to inherit from a class calls nothing of it
    while fresh:  # what a function of the file does to the names of the file is not followed here
        waiting = {one.id for one in fresh if isinstance(one, ast.Name) and _is_read(one)} & (defined.keys() - followed)
        followed |= waiting
        fresh = list(run_at_import([each for name in waiting for each in defined[name]]))
        nodes += fresh
    named = set(defined)
    classes = {one.name for one in ast.walk(tree) if isinstance(one, ast.ClassDef)}
    file = _File(imported, (pure | {"__name__"}) - named, named, classes, _fixed(tree, imported))
    found = {name for node in nodes for name in file.changed_by(node)} - imported.keys() - file.fixed
    shared = [file.shared_by(node) - file.fixed for node in nodes]
    before = -1
    while len(found) != before:
        before = len(found)
        for names in shared:
            if names & found:
                found |= names
    return Changes(frozenset(found), tuple((node, told) for node in nodes if (told := file.reaches(node))))


_CHANGEABLE = frozenset(["random", "secrets", "math", "numpy", "numpy.random", "scipy", "scipy.stats", "builtins"])
"""Modules whose functions are followed."""


@dataclass(frozen=True, slots=True)
class _File:
    """What is known of the names of a file.

    Attributes:
        imported: names of other modules, with their full paths.
        pure: functions of Python that leave what they are handed as it is.
        functions: functions and classes of the file.
        classes: these alone, whose calls make new objects.
        fixed: names of what nothing changes.
    """

    imported: Mapping[str, str]
    pure: Set[str]
    functions: Set[str]
    classes: Set[str]
    fixed: Set[str]

    def reaches(self, node: ast.AST) -> str:
        """Return why a node may change what names mean without writing them down; nothing if it does not."""
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) if name in _REFLECTION:
                return f"'{name}' may change what other names mean when the file is imported; that is not analysed"
            case ast.Attribute() if self._path(node) == "sys.modules":
                return "'sys.modules' may be changed when the file is imported; that is not analysed"
            case ast.Name(id=name) if self.imported.get(name, "").startswith(("unittest.mock", "mock")):
                return f"'{name}' may change other modules when the file is imported; that is not analysed"
            case ast.Call() if not self._only_computes(node):
                is_read = isinstance(node.func, ast.Name) and node.func.id in self.pure | _READERS
                values = [] if is_read else [*node.args, *(each.value for each in node.keywords)]
                handed = [one for one in values if self._path(one) in _CHANGEABLE]
                return f"'{ast.unparse(handed[0])}' may be changed here, where it is handed on" if handed else ""
            case _:
                return ""

    def _path(self, node: ast.AST) -> str | None:
        """Return the full path of a name of another module."""
        match node:
            case ast.Name(id=name):
                return self.imported.get(name)
            case ast.Attribute(value=owner, attr=name):
                before = self._path(owner)
                return None if before is None else f"{before}.{name}"
            case _:
                return None

    def _only_computes(self, node: ast.Call) -> bool:
        """Whether a call is one of a function of a module that leaves what it is handed as it is."""
        parts = (self._path(node.func) or "").split(".")
        writes = any(one.arg == "out" for one in node.keywords) or not _WRITES.isdisjoint(parts)
        return parts[0] in _PURE_MODULES and "random" not in parts and not writes

    def changed_by(self, node: ast.AST) -> Iterator[str]:
        """Yield the names whose objects a node may change."""
        match node:
            case ast.Subscript(ctx=ast.Store() | ast.Del()) | ast.Attribute(ctx=ast.Store() | ast.Del()):
                yield from self._owners(node.value)
            case ast.AugAssign(target=ast.Name(id=name)):
                yield name
            case ast.Call() if self._only_computes(node):
                pass
            case ast.Call(func=ast.Attribute(value=owner, attr=name)):
                if name not in _READS:
                    yield from self._owners(owner)
                    yield from self._handed(node)
            case ast.Call(func=ast.Name(id=name)):
                if name not in self.pure:
                    yield from {name} - self.functions
                    yield from self._handed(node)
            case ast.Call(func=func):
                yield from self._names_in(func)
                yield from self._handed(node)
            case _:
                pass

    def _owners(self, node: ast.expr) -> Iterator[str]:
        """Yield the names whose objects a field or an index may be of."""
        root = root_of(node)
        yield from self._names_in(node) if root is None else [root]

    def _handed(self, call: ast.Call) -> Iterator[str]:
        """Yield the names whose objects a call is handed."""
        for argument in (*call.args, *(one.value for one in call.keywords)):
            yield from self._names_in(argument)

    def _names_in(self, node: ast.AST) -> Iterator[str]:
        """Yield the names whose objects, or parts of them, may be what a value is or holds."""
        match node:
            case ast.Name(id=name):
                if name not in self.pure:
                    yield name
            case ast.Attribute() if self._path(node) is not None:
                if self._path(node) in _CHANGEABLE:
                    yield from {root_of(node) or ""}
            case ast.Call(func=ast.Name(id=name)) if name in _MAKE_NUMBERS and name not in self.functions:
                pass
            case ast.Call(func=ast.Name(id=name)) if name in self.functions - self.classes:
                yield _result_of(name)
                yield from self._handed(node)
            case ast.Call(func=func) if self._path(func) is not None or (
                isinstance(func, ast.Name) and func.id in self.classes
            ):
                yield from self._handed(node)
            case ast.Compare() | ast.JoinedStr() | ast.UnaryOp():
                pass
            case ast.BinOp(op=ast.Sub() | ast.Div() | ast.FloorDiv() | ast.Mod() | ast.Pow()):
                pass
            case _:
                for inner in ast.iter_child_nodes(node):
                    yield from self._names_in(inner)

    def shared_by(self, node: ast.AST) -> set[str]:
        """Return the names that may hold one object after a node has bound some of them."""
        match node:
            case ast.Assign(targets=targets, value=value):
                parts: list[ast.AST] = [*targets, value]
            case ast.AnnAssign(target=target, value=ast.expr() as value) | ast.NamedExpr(target=target, value=value):
                parts = [target, value]
            case ast.For(target=target, iter=value) | ast.comprehension(target=target, iter=value):
                parts = [target, value]
            case ast.withitem(context_expr=value, optional_vars=ast.expr() as target):
                parts = [target, value]
            case ast.Match(subject=value, cases=cases):
                captured = {name for one in cases for each in ast.walk(one.pattern) for name in names_bound_by(each)}
                return captured.union(self._names_in(value))
            case ast.FunctionDef(name=name, body=body):
                given = [one.value for one in own_nodes(body) if isinstance(one, ast.Return) and one.value is not None]
                return {_result_of(name)}.union(*map(self._names_in, given))
            case _:
                return set()
        return {name for part in parts for name in self._names_in(part)}


def _result_of(name: str) -> str:
    """Return what stands for all that calls of a function of the file give."""
    return f"{name}()"


_MAKE_NUMBERS = frozenset(["len", "int", "float", "str", "bool", "abs", "round"])


def _definitions(tree: ast.Module) -> dict[str, list[ast.AST]]:
    """Return what runs when a function, or anything of a class, is called, by name."""
    found: dict[str, list[ast.AST]] = {}
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name, body=body) | ast.AsyncFunctionDef(name=name, body=body):
                found.setdefault(name, []).extend(body)
            case ast.ClassDef(name=name):
                methods = [one for one in ast.walk(node) if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)]
                found.setdefault(name, []).extend(each for one in methods for each in one.body)
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Lambda(body=inner)):
                found.setdefault(name, []).append(inner)
            case _:
                pass
    return found


def _is_read(node: ast.Name) -> bool:
    return isinstance(node.ctx, ast.Load)


def reaches_out(node: ast.AST) -> bool:
    """Whether a node of a function or class may change what names outside of it mean."""
    match node:
        case ast.Global() | ast.Import() | ast.ImportFrom():
            return True
        case ast.Name(id=name) | ast.Attribute(attr=name) if name in _REFLECTION:
            return True
        case ast.Attribute(ctx=ast.Store() | ast.Del()):
            return root_of(node) not in _OWN
        case ast.ClassDef(body=body):
            return not all(isinstance(one, _DEFINITIONS) for one in body)
        case _:
            return False


_OWN = frozenset({"self", "cls"})
_DEFINITIONS = (ast.FunctionDef, ast.ClassDef, ast.Assign, ast.AnnAssign, ast.Pass, ast.Expr)


def _imported_part(node: ast.stmt) -> list[ast.stmt]:
    """Return what of a statement runs when the file is imported: of ``if __name__ == "__main__":`` what stands behind ``else``."""
    match node:
        case ast.If(test=ast.Compare(left=ast.Name(id="__name__"), ops=[ast.Eq()], comparators=[_]), orelse=orelse):
            return orelse
        case _:
            return [node]


def _fixed(tree: ast.Module, imported: Mapping[str, str]) -> set[str]:
    """Return the names of numbers and texts, which nothing changes."""
    counters = [one for one in ast.walk(tree) if isinstance(one, ast.For | ast.comprehension) and _counts(one.iter)]
    targets = {id(one.target) for one in counters}
    bound = {name for one in ast.walk(tree) if id(one) not in targets for name in names_bound_by(one)}
    given = {one.arg for one in ast.walk(tree) if isinstance(one, ast.arg)}
    found = {one.target.id for one in counters if isinstance(one.target, ast.Name)} - bound - given

    def is_fixed(node: ast.expr) -> bool:
        match node:
            case ast.Constant():
                return True
            case ast.Name(id=name):
                return name in found
            case ast.Attribute(value=ast.Name(id=name)) | ast.Call(func=ast.Attribute(value=ast.Name(id=name))):
                return imported.get(name) == "math"
            case ast.UnaryOp(operand=operand):
                return is_fixed(operand)
            case ast.BinOp(left=left, right=right):
                return is_fixed(left) and is_fixed(right)
            case ast.Tuple(elements):
                return all(map(is_fixed, elements))
            case ast.Call(func=ast.Name(id=name)):
                return name in _MAKE_NUMBERS
            case _:
                return isinstance(node, ast.Compare | ast.JoinedStr)

    for statement in tree.body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                found |= {name} if is_fixed(value) else set()
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                found |= {name} if is_fixed(value) else set()
            case _:
                pass
    return found


def _counts(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "range"


def root_of(node: ast.expr) -> str | None:
    """Return the name in front of fields and indices."""
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None
