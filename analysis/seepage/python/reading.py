"""A text as Python's tree: parsed, never run; whatever is wrong with it is data."""

from __future__ import annotations

import ast
import warnings
from pathlib import Path

from seepage import rules
from seepage.diagnostics import Diagnostic
from seepage.python.module import MODULES, Module
from seepage.python.places import Places
from seepage.source import SourceFile, Span

LONGEST = 2_000_000  # characters of a file
_DEEPEST = 200


def read_module(source: SourceFile) -> Module | Diagnostic:
    """Return the names of a file, or why Python cannot read it."""
    tree = parsed(source.text)
    return tree if isinstance(tree, Diagnostic) else Module(tree, replacing(source.name))


def replacing(name: str) -> frozenset[str]:
    """Return the modules that a file of a name gets from beside it and not from Python."""
    path = Path(name)
    if path.suffix != ".py" or not path.exists():
        return frozenset()
    folder = path.parent
    return frozenset(
        one for one in MODULES if (folder / f"{one}.py").exists() or (folder / one / "__init__.py").exists()
    )


def parsed(text: str) -> ast.Module | Diagnostic:
    """Return the tree of a text, or why Python cannot read it."""
    plain = text.removeprefix("\ufeff")
    if len(plain) > LONGEST:
        return Diagnostic(rules.PYTHON_UNREADABLE, Span(0, 0), f"the file has more than {LONGEST:,} characters")
    if (deep := _too_deep(plain)) is not None:
        return Diagnostic(rules.PYTHON_UNREADABLE, Span(deep, deep), "brackets are nested too deep to be read")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return mangled(ast.parse(plain))
    except SyntaxError as error:
        offset = min(Places(text).offset(error.lineno or 1, max(0, (error.offset or 1) - 1)), len(text))
        message = f"Python cannot read this: {(error.msg or 'the syntax is wrong').lower()}"
        return Diagnostic(rules.PYTHON_UNREADABLE, Span(offset, offset), message)
    except (ValueError, RecursionError, MemoryError) as error:
        why = str(error).lower() or "it is nested too deep"
        return Diagnostic(rules.PYTHON_UNREADABLE, Span(0, 0), f"Python cannot read this: {why}")


_IDENTIFIERS = ("id", "attr", "name", "arg", "asname", "rest")  # fields of nodes that hold one


def private(name: str, kind: str) -> str:
    """Return the name that one has inside of a class: those that begin with two underscores are the class's own."""
    own = kind.lstrip("_")
    return f"_{own}{name}" if name.startswith("__") and not name.endswith("__") and own else name


def mangled(tree: ast.Module) -> ast.Module:
    """Give private names in classes the names that Python gives them; returns the tree, which is changed."""
    nodes: list[tuple[ast.AST, str]] = [(each, "") for each in tree.body if isinstance(each, ast.stmt)]
    while nodes:
        node, kind = nodes.pop()
        inside = node.name if isinstance(node, ast.ClassDef) else kind
        if kind:
            for name in _IDENTIFIERS:
                if isinstance(held := getattr(node, name, None), str) and not isinstance(node, ast.alias):
                    setattr(node, name, private(held, kind))
            if isinstance(node, ast.Global | ast.Nonlocal):
                node.names = [private(each, kind) for each in node.names]
        outside = (*node.bases, *node.keywords, *node.decorator_list) if isinstance(node, ast.ClassDef) else ()
        nodes += [(each, kind if each in outside else inside) for each in ast.iter_child_nodes(node)]
    return tree


def _too_deep(text: str) -> int | None:
    depth = 0
    for offset, sign in enumerate(text):
        if sign in "([{":
            depth += 1
            if depth > _DEEPEST:
                return offset
        elif sign in ")]}":
            depth = max(0, depth - 1)
        elif sign == "\n" and depth > _DEEPEST:
            return offset
    return None


def functions(module: Module) -> dict[str, ast.FunctionDef]:
    """Return the functions and methods of a file by name: ``f``, ``Class.method``."""
    found: dict[str, ast.FunctionDef] = {}
    for statement in module.tree.body:
        match statement:
            case ast.FunctionDef(name=name):
                found[name] = statement
            case ast.ClassDef(name=owner, body=body):
                found |= {f"{owner}.{one.name}": one for one in body if isinstance(one, ast.FunctionDef)}
            case _:
                pass
    return found
