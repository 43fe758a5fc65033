"""Writing the mark of a function, with questions where somebody must decide."""

from __future__ import annotations

import ast

from seepage.diagnostics import Diagnostic
from seepage.python.marks import is_mark
from seepage.python.reading import functions, read_module
from seepage.source import SourceFile

QUESTION = "?"


class CannotMark(Exception):  # no error of this program
    """Why a function cannot be marked; the message is a sentence."""


def marked_text(source: SourceFile, name: str) -> str:
    """Return the text of a file with a mark above a function; the laws of its arguments are questions.

    Raises:
        CannotMark: there is no such function, it has a mark, or the file cannot be read.
    """
    module = read_module(source)
    if isinstance(module, Diagnostic):
        raise CannotMark(module.message)
    node = functions(module).get(name)
    if node is None:
        raise CannotMark(f"there is no function '{name}' in this file")
    if any(is_mark(module, one) for one in node.decorator_list):
        raise CannotMark(f"'{name}' has a mark")
    lines = source.text.splitlines(keepends=True)
    end = "\r\n" if lines and lines[0].endswith("\r\n") else "\n"
    first = min([node.lineno, *(one.lineno for one in node.decorator_list)]) - 1
    lines.insert(first, f"{' ' * node.col_offset}{_decorator(node)}{end}")
    if not any(path == "seepage_marks.leakage" for path in module.imported.values()):
        lines.insert(_import_line(module.tree), f"from seepage_marks import leakage{end}")
    return "".join(lines)


def _decorator(node: ast.FunctionDef) -> str:
    arguments = node.args
    positional = [*arguments.posonlyargs, *arguments.args]
    needed = positional[: len(positional) - len(arguments.defaults)]
    needed += [one for one, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True) if default is None]
    asked = ", ".join(f'"{one.arg}": "{QUESTION}"' for one in needed)
    return f"@leakage(secret={{{asked}}})"


def _import_line(tree: ast.Module) -> int:
    """Return the number of lines before the place of a new import: behind those that the file begins with, or behind its docstring."""
    place = 0
    for number, statement in enumerate(tree.body):
        is_docstring = number == 0 and isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
        if not is_docstring and not isinstance(statement, ast.Import | ast.ImportFrom):
            break
        place = statement.end_lineno or place
    return place
