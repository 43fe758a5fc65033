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
            return ast.parse(plain)
    except SyntaxError as error:
        offset = min(Places(text).offset(error.lineno or 1, max(0, (error.offset or 1) - 1)), len(text))
        message = f"Python cannot read this: {(error.msg or 'the syntax is wrong').lower()}"
        return Diagnostic(rules.PYTHON_UNREADABLE, Span(offset, offset), message)
    except (ValueError, RecursionError, MemoryError) as error:
        why = str(error).lower() or "it is nested too deep"
        return Diagnostic(rules.PYTHON_UNREADABLE, Span(0, 0), f"Python cannot read this: {why}")


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
