"""The names of a file: imports, functions, classes and constants, by what the text says alone."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator
from dataclasses import dataclass, field

from seepage.python.module_changes import changed_names
from seepage.python.values import Library

BUILTINS = frozenset(
    [
        "abs",
        "all",
        "any",
        "ascii",
        "bin",
        "bool",
        "chr",
        "dict",
        "divmod",
        "enumerate",
        "filter",
        "float",
        "format",
        "hex",
        "int",
        "isinstance",
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
        "range",
        "repr",
        "reversed",
        "round",
        "set",
        "sorted",
        "str",
        "sum",
        "tuple",
        "zip",
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
        "collections",
        "dataclasses",
        "diffprivlib",
        "opendp",
    }
)
STARRED = {
    "random": [
        "random",
        "randint",
        "randrange",
        "choice",
        "choices",
        "sample",
        "shuffle",
        "uniform",
        "gauss",
        "normalvariate",
        "getrandbits",
        "expovariate",
        "betavariate",
        "gammavariate",
        "lognormvariate",
        "triangular",
        "seed",
        "binomialvariate",
    ],
    "math": ["exp", "log", "sqrt", "floor", "ceil", "pi", "e", "comb", "factorial", "gcd", "fabs", "prod"],
    "secrets": ["randbelow", "randbits", "choice", "token_bytes"],
}


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
        for statement in self.tree.body:
            self._read(statement, certain=True)
        for node in ast.walk(self.tree):
            match node:
                case ast.Global(names=names):
                    self.written.update(names)
                case ast.Assign(targets=targets):
                    for target in targets:
                        self._patch(target)
                case ast.Import(names=names) | ast.ImportFrom(names=names):
                    self._beside(node, names)
                case _:
                    pass
        self.changed = changed_names(self.tree, self.imported, BUILTINS)

    def _read(self, statement: ast.stmt, *, certain: bool) -> None:
        match statement:
            case ast.Import(names=names):
                for one in names:
                    bound, path = (one.asname, one.name) if one.asname else (one.name.partition(".")[0],) * 2
                    self._bind(bound or "", statement)
                    self.imported[bound or ""] = path or ""
            case ast.ImportFrom(module=module, names=names, level=0):
                for one in names:
                    if one.name == "*":
                        self.stars.append(module or "")
                    else:
                        self._bind(one.asname or one.name, statement)
                        self.imported[one.asname or one.name] = f"{module}.{one.name}"
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                if certain:
                    self.bound[name] = [statement]
                    self.imported.pop(name, None)
                else:
                    self._bind(name, statement)
            case ast.Assign() | ast.AnnAssign() | ast.AugAssign() | ast.For():
                targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
                for target in targets:
                    for node in ast.walk(target):
                        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                            self._bind(node.id, statement)
            case _:
                for inner in ast.iter_child_nodes(statement):
                    if isinstance(inner, ast.stmt):
                        self._read(inner, certain=False)
                    elif isinstance(inner, ast.ExceptHandler):
                        for handled in inner.body:
                            self._read(handled, certain=False)

    def _bind(self, name: str, statement: ast.stmt) -> None:
        self.bound.setdefault(name, []).append(statement)

    def _patch(self, target: ast.expr) -> None:
        """Tell of a name of another module that this file changes."""
        if isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name | ast.Attribute):
            root: ast.expr = target
            while isinstance(root, ast.Attribute):
                root = root.value
            if isinstance(root, ast.Name) and root.id in self.imported:
                self.faults.append(
                    (target, f"'{root.id}' is changed here, so that its functions may not be what they are")
                )

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
                return f"builtins.{name}" if name not in self.bound and not self.stars else None
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
        for star in self.stars:
            if name in STARRED.get(star, ()):
                return Library(f"{star}.{name}")
        if self.stars and not all(star in STARRED for star in self.stars):
            return None
        if name in BUILTINS or name in EXCEPTIONS or name in ("__debug__", "__name__"):
            return Library(f"builtins.{name}")
        return None

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
