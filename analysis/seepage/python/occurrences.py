"""Where a marked function names what its mark is about: itself, its arguments, and what is seen of it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Literal, TypeAlias

from seepage.data_classes import dataclass
from seepage.python.marks import Mark
from seepage.python.places import Places
from seepage.source import SourceFile, Span

Role: TypeAlias = Literal["function", "argument", "use", "law", "output", "question"]


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A place of a name that a mark is about.

    Attributes:
        span: of the name; of an output that a ``return`` gives, of that word.
        name: as measures have it; of a question its text.
        role: the name of the function, an argument where it is declared or read, its law in the mark, an output, or a measure or budget.
    """

    span: Span
    name: str
    role: Role


def occurrences(source: SourceFile, node: ast.FunctionDef, mark: Mark, places: Places) -> tuple[Occurrence, ...]:
    """Return the places of a function's names, in the order of the text."""
    return tuple(sorted(_occurrences(source, node, mark, places), key=lambda one: one.span))


def _occurrences(source: SourceFile, node: ast.FunctionDef, mark: Mark, places: Places) -> Iterator[Occurrence]:
    named = re.compile(rf"def\s+({re.escape(node.name)})\b").search(source.text, places.span(node).start)
    if named is not None:
        yield Occurrence(Span(*named.span(1)), node.name, "function")
    given = (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
    body = tuple(_own(node))
    stored = {one.id for one in body if isinstance(one, ast.Name) and not isinstance(one.ctx, ast.Load)}
    names = {one.arg for one in given} - stored  # what is bound again holds something else somewhere
    for argument in given:
        start = places.span(argument).start
        yield Occurrence(Span(start, start + len(argument.arg)), argument.arg, "argument")
    for key, table in (("secret", mark.secret), ("param", mark.param), ("fixed", mark.fixed)):
        for path in table:
            if (where := mark.places.get(f"{key}.{path}")) is not None:
                yield Occurrence(where, path, "law")
    for number, output in enumerate(mark.output):
        if (where := mark.places.get(f"output.{number}")) is not None:
            yield Occurrence(where, output, "output")
    for key, texts in (("show", mark.show), ("require", mark.require)):
        for number, text in enumerate(texts):
            if (where := mark.places.get(f"{key}.{number}")) is not None:
                yield Occurrence(where, text, "question")
    for inner in body:
        match inner:
            case ast.Name(id=name) if name in names:
                yield Occurrence(places.span(inner), name, "use")
            case ast.Return() if "result" in mark.output:
                start = places.span(inner).start
                yield Occurrence(Span(start, start + len("return")), "result", "output")
            case _:
                pass


def _own(node: ast.FunctionDef) -> Iterator[ast.AST]:
    """Yield what stands in the body of a function, without functions and classes in it."""
    waiting: list[ast.AST] = list(node.body)
    while waiting:
        inner = waiting.pop()
        yield inner
        if not isinstance(inner, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            waiting.extend(ast.iter_child_nodes(inner))
