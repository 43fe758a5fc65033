"""Writing the mark of a function: laws that are guessed where the function tells what to guess, and questions elsewhere."""

from __future__ import annotations

import ast

from seepage.data_classes import dataclass
from seepage.diagnostics import Diagnostic, Edit
from seepage.python.guessing import guessed_law
from seepage.python.marks import DECORATOR, is_mark
from seepage.python.module import Module
from seepage.python.places import Places
from seepage.python.reading import functions, read_module
from seepage.source import SourceFile, Span

QUESTION = "?"
GUESS = "  # a guess: uniform over what it is compared with"


class CannotMark(Exception):  # no error of this program
    """Why a function cannot be marked; the message is a sentence."""


@dataclass(frozen=True, slots=True)
class Marking:
    """A mark to be written.

    Attributes:
        function: that is marked.
        edits: the import, if the file has none, and the mark.
        is_guess: whether it holds laws that were guessed.
        asks: whether it holds questions.
    """

    function: str
    edits: tuple[Edit, ...]
    is_guess: bool
    asks: bool


def marking(source: SourceFile, name: str) -> Marking:
    """Return the mark of a function of a file.

    Raises:
        CannotMark: there is no such function, it has a mark, or the file cannot be read.
    """
    module = _module(source)
    node = functions(module).get(name)
    if node is None:
        raise CannotMark(f"there is no function '{name}' in this file")
    return _marking(source, module, name, node)


def marking_at(source: SourceFile, offset: int) -> Marking:
    """Return the mark of the function that an offset is in, or in a decorator of.

    Raises:
        CannotMark: as :func:`marking`.
    """
    module, places = _module(source), Places(source.text)
    line = source.position(offset)[0]
    for name, node in functions(module).items():
        first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
        if first <= line <= (node.end_lineno or first) and places.offset(first, 0) <= offset:
            return _marking(source, module, name, node)
    raise CannotMark("there is no function here")


def marked_text(source: SourceFile, found: Marking) -> str:
    """Return the text of a file with a mark."""
    text = source.text
    for edit in sorted(found.edits, key=lambda one: one.span, reverse=True):
        text = text[: edit.span.start] + edit.replacement + text[edit.span.end :]
    return text


def _module(source: SourceFile) -> Module:
    module = read_module(source)
    if isinstance(module, Diagnostic):
        raise CannotMark(module.message)
    return module


def _marking(source: SourceFile, module: Module, name: str, node: ast.FunctionDef) -> Marking:
    if any(is_mark(module, one) for one in node.decorator_list):
        raise CannotMark(f"'{name}' has a mark")
    places = Places(source.text)
    end = "\r\n" if "\r\n" in source.text[: source.text.find("\n") + 1] else "\n"
    laws = {one.arg: guessed_law(module, node, one) for one in _needed(node)}
    guessed = any(law is not None for law in laws.values())
    asked = ", ".join(f'"{argument}": {_quoted(law or QUESTION)}' for argument, law in laws.items())
    first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
    blank = " " * node.col_offset
    decorator = f"{blank}@{_name(module)}(secret={{{asked}}}){GUESS if guessed else ''}{end}"
    edits = [_inserted(places, first, decorator)]
    if not any(path == DECORATOR for path in module.imported.values()):
        behind = _import_line(module.tree)
        apart = "" if behind else end  # no import stands there, and what follows is none
        edits.insert(0, _inserted(places, behind + 1, f"from seepage_marks import leakage{end}{apart}"))
    return Marking(name, tuple(edits), guessed, None in laws.values())


def _inserted(places: Places, line: int, text: str) -> Edit:
    start = places.offset(line, 0)
    return Edit(Span(start, start), text)


def _name(module: Module) -> str:
    """Return what the file calls the decorator, or what it will."""
    return next((name for name, path in module.imported.items() if path == DECORATOR), "leakage")


def _quoted(law: str) -> str:
    return f"'{law}'" if '"' in law else f'"{law}"'


def _needed(node: ast.FunctionDef) -> list[ast.arg]:
    """Return the arguments without a default."""
    arguments = node.args
    positional = [*arguments.posonlyargs, *arguments.args]
    needed = positional[: len(positional) - len(arguments.defaults)]
    needed += [one for one, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True) if default is None]
    return needed


def _import_line(tree: ast.Module) -> int:
    """Return the number of lines before the place of a new import: behind those that the file begins with, or behind its docstring."""
    place = 0
    for number, statement in enumerate(tree.body):
        is_docstring = number == 0 and isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
        if not is_docstring and not isinstance(statement, ast.Import | ast.ImportFrom):
            break
        place = statement.end_lineno or place
    return place
