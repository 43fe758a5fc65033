"""A marked Python function as users hold it: a program that is asked in Python's names."""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace

from seepage import rules
from seepage.diagnostics import Diagnostic
from seepage.python.marks import Mark, decorated
from seepage.python.places import Places
from seepage.python.reading import functions, read_module
from seepage.python.translation import Translation, translate
from seepage.source import SourceFile, Span


@dataclass(frozen=True, slots=True)
class Unmarked:
    """Why a function has no program: findings in its file."""

    source: SourceFile
    findings: tuple[Diagnostic, ...]


def translated_function(source: SourceFile, name: str, mark: Mark | None = None) -> Translation | Unmarked:
    """Return a function of a file as a program; ``mark`` is that of a table, for one without a decorator."""
    module = read_module(source)
    if isinstance(module, Diagnostic):
        return Unmarked(source, (module,))
    found = functions(module)
    node = found.get(name)
    if node is None:
        known = ", ".join(f"'{each}'" for each in list(found)[:8])
        message = f"there is no function '{name}' in this file" + (f", expected one of: {known}" if known else "")
        return Unmarked(source, (Diagnostic(rules.PYTHON_MARK, Span(0, 0), message),))
    return _translated(source, module, name, node, mark)


def _translated(
    source: SourceFile, module: object, name: str, node: ast.FunctionDef, mark: Mark | None
) -> Translation | Unmarked:
    from seepage.python.module import Module

    assert isinstance(module, Module)
    places = Places(source.text)
    own, wrong = decorated(module, node, places)
    head = places.span(node)
    if own is not None and mark is not None:
        wrong.append(Diagnostic(rules.PYTHON_MARK, own.place, f"'{name}' has a mark here and one in the project file"))
    chosen = own or (None if mark is None else replace(mark, place=head))
    if chosen is None:
        message = f"'{name}' has no mark: what is secret, and what is seen, is not known"
        return Unmarked(source, (*wrong, Diagnostic(rules.PYTHON_MARK, head, message)))
    if wrong:
        return Unmarked(source, tuple(wrong))
    return translate(source, module, name, node, chosen)
