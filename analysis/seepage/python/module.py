"""The names of a file: imports, functions, classes and constants, by what the text says alone."""

from __future__ import annotations

import ast
import builtins
import collections
import dataclasses
import functools
import itertools
import math
import random
import secrets
import string
import typing
from collections.abc import Iterator, Mapping, Set
from dataclasses import field

from seepage.data_classes import dataclass
from seepage.python.module_changes import changed_names, root_of
from seepage.python.module_scopes import inner_nodes, names_bound_by, run_at_import
from seepage.python.values import Library

BUILTINS = frozenset(
    [
        "abs",
        "all",
        "any",
        "ascii",
        "bin",
        "bool",
        "bytes",
        "chr",
        "classmethod",
        "dict",
        "divmod",
        "enumerate",
        "filter",
        "float",
        "format",
        "hex",
        "int",
        "isinstance",
        "iter",
        "len",
        "list",
        "map",
        "max",
        "min",
        "next",
        "oct",
        "ord",
        "pow",
        "print",
        "property",
        "range",
        "repr",
        "reversed",
        "round",
        "set",
        "sorted",
        "str",
        "sum",
        "super",
        "tuple",
        "zip",
        "NotImplemented",
    ]
)
EXCEPTIONS = frozenset(
    name for name, kind in vars(builtins).items() if isinstance(kind, type) and issubclass(kind, Exception)
)
MODULES = frozenset(
    {
        "random",
        "secrets",
        "math",
        "numpy",
        "scipy",
        "string",
        "time",
        "logging",
        "bisect",
        "collections",
        "contextlib",
        "copy",
        "dataclasses",
        "functools",
        "heapq",
        "hmac",
        "itertools",
        "operator",
        "statistics",
        "threading",
        "diffprivlib",
        "opendp",
    }
)
STARRED: Mapping[str, frozenset[str]] = {
    module.__name__: frozenset(getattr(module, "__all__", [name for name in vars(module) if name[0] != "_"]))
    for module in (collections, dataclasses, functools, itertools, math, random, secrets, string, typing)
}
"""Names that come with all names of a module."""


def parents(name: str) -> Iterator[str]:
    """Yield an exception of Python and those that it is one of."""
    kind = vars(builtins).get(name, Exception)
    for each in kind.__mro__:
        if issubclass(each, BaseException):
            yield each.__name__


@dataclass(slots=True)
class Module:
    """What a file binds at its top.

    Attributes:
        tree: of the file.
        replaced: modules that it gets from files beside it.
        bound: for each name the statements that bind it, in order.
        imported: names of other modules.
        stars: modules whose names are all imported.
        faults: what is wrong with the file as a whole: place and sentence.
        written: variables that functions bind anew.
        changed: names whose objects other statements at the top may change.
    """

    tree: ast.Module
    replaced: frozenset[str] = frozenset()
    bound: dict[str, list[ast.stmt]] = field(default_factory=dict)
    imported: dict[str, str] = field(default_factory=dict)
    stars: list[str] = field(default_factory=list)
    faults: list[tuple[ast.AST, str]] = field(default_factory=list)
    written: set[str] = field(default_factory=set)
    changed: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        read = set[str]()
        for statement in self.tree.body:
            self._read(statement, self.bound.keys() - read)
            read |= self._read_by(statement)
        for node in ast.walk(self.tree):
            match node:
                case ast.Global(names=names) as statement:
                    self.written.update(names)
                    for name in names:
                        self._bind(name, statement)
                case ast.Attribute(ctx=ast.Store() | ast.Del()):
                    self._patch(node)
                case ast.Import(names=names) | ast.ImportFrom(names=names):
                    self._beside(node, names)
                case _:
                    pass
        changes = changed_names(self.tree, self.imported, BUILTINS)
        self.changed = changes.names
        self.faults += changes.faults

    def _read(self, statement: ast.stmt, replaceable: Set[str] = frozenset()) -> None:
        """Take down what a statement binds; a definition takes the place of one that nothing has read."""
        match statement:
            case ast.Import(names=names):
                for one in names:
                    bound, path = (one.asname, one.name) if one.asname else (one.name.partition(".")[0],) * 2
                    self._import(bound or "", path or "", statement)
            case ast.ImportFrom(module=module, names=names, level=level):
                source = "." * level + (module or "")
                for one in names:
                    if one.name == "*":
                        self._import_all(source, statement)
                    else:
                        self._import(one.asname or one.name, f"{source}.{one.name}", statement)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                if name in replaceable:
                    self.bound.pop(name)
                    self.imported.pop(name, None)
                self._bind(name, statement)
            case ast.AnnAssign(value=None):
                pass
            case _:
                self._read_parts(statement, statement)

    def _read_parts(self, statement: ast.stmt, node: ast.AST) -> None:
        for inner in inner_nodes(node):
            if isinstance(inner, ast.stmt):
                self._read(inner)
                continue
            for name in names_bound_by(inner):
                self._bind(name, statement)
            self._read_parts(statement, inner)

    def _read_by(self, statement: ast.stmt) -> set[str]:
        """Return the names that a statement may read when the file is imported: those of all functions if it names one."""
        nodes = list(run_at_import([statement]))
        names = {one.id for one in nodes if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load)}
        if any(isinstance(one, ast.FunctionDef | ast.ClassDef) for name in names for one in self.bound.get(name, ())):
            names |= {one.id for one in ast.walk(self.tree) if isinstance(one, ast.Name)}
        return names

    def _import(self, name: str, path: str, statement: ast.stmt) -> None:
        if self.imported.get(name) != path:
            self._bind(name, statement)
        self.imported[name] = path

    def _import_all(self, source: str, statement: ast.stmt) -> None:
        for name in self.bound:
            if source not in STARRED or name in STARRED[source]:
                self._bind(name, statement)
        self.stars.append(source)

    def _bind(self, name: str, statement: ast.stmt) -> None:
        self.bound.setdefault(name, []).append(statement)

    def _patch(self, target: ast.Attribute) -> None:
        """Tell of a name of another module that this file changes."""
        root = root_of(target)
        if root in self.imported:
            self.faults.append((target, f"'{root}' is changed here, so that its functions may not be what they are"))

    def _beside(self, node: ast.Import | ast.ImportFrom, names: list[ast.alias]) -> None:
        """Tell of a file of this folder that goes before a module of the same name."""
        if not self.replaced:
            return
        modules = [one.name for one in names] if isinstance(node, ast.Import) else [node.module or ""]
        for each in modules:
            first = each.partition(".")[0]
            if first in self.replaced:
                self.faults.append((node, f"'{first}' is the file beside this one and not the module of Python"))

    def path_of(self, node: ast.expr) -> str | None:
        """Return the full path that a dotted name has by the imports of the file; a name of Python itself is one of ``builtins``."""
        match node:
            case ast.Attribute(owner, name):
                before = self.path_of(owner)
                return None if before is None else f"{before}.{name}"
            case ast.Name(id=name):
                if name in self.imported and len(self.bound.get(name, ())) == 1:
                    return self.imported[name]
                return self._elsewhere(name) if name not in self.bound else None
            case _:
                return None

    def exceptions_of(self, node: ast.expr) -> list[str] | None:
        """Return the names of an exception and of those that it is one of; None if it is none, or does something of its own."""
        path = self.path_of(node)
        if path is not None:
            names = list(parents(path.removeprefix("builtins.")))
            return names if path.removeprefix("builtins.") in EXCEPTIONS else None
        match self.bound.get(node.id, ()) if isinstance(node, ast.Name) else ():
            case [ast.ClassDef(name=name, bases=[base], keywords=[], decorator_list=[], body=body)]:
                above = self.exceptions_of(base)
                plain = all(isinstance(one, ast.Pass | ast.Expr | ast.AnnAssign) for one in body)
                return [name, *above] if above and plain and name not in EXCEPTIONS else None
            case _:
                return None

    def of_elsewhere(self, name: str) -> Library | None:
        """Return what a name that the file does not bind is: of a module whose names are all imported, or of Python itself."""
        path = self._elsewhere(name)
        if path is None or (
            path == f"builtins.{name}" and name not in (*BUILTINS, *EXCEPTIONS, "__debug__", "__name__")
        ):
            return None
        return Library(path)

    def _elsewhere(self, name: str) -> str | None:
        """Return the full path of a name that the file does not bind; None if it may come from a module that is not known."""
        for star in reversed(self.stars):
            if star not in STARRED:
                return None
            if name in STARRED[star]:
                return f"{star}.{name}"
        return f"builtins.{name}"

    def why_unknown(self, name: str) -> str:
        """Return why a name has no value."""
        statements = self.bound.get(name, ())
        if name in self.written:
            return f"'{name}' is a variable of the module that functions change; that is not analysed"
        if name in self.changed:
            return f"what '{name}' is bound to may be changed when the file is imported; that is not analysed"
        if len(statements) > 1:
            return f"'{name}' is bound {len(statements)} times in this file, so that it is not certain what it is"
        if statements:
            return f"what '{name}' is bound to is not analysed"
        if self.stars:
            return f"'{name}' may come from a module whose names are all imported"
        if hasattr(builtins, name):
            return f"'{name}' is not analysed"
        return f"'{name}' is not defined in this file"
