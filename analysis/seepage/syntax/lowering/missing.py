"""Missing cells where numbers are needed: the symbol ``""`` has no sum and no order, and a run that meets one there says so.

What may be a missing cell is put as ``if x == "" then m / 0 else x``, where m tells the table, the column and the line; so every engine finds out
which runs get there, as with any other value that is not defined, and nobody counts with the number that stands for a symbol.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar, cast

from seepage.diagnostics import Diagnostic
from seepage.exact.symbols import missing_note, number_of
from seepage.rules import MISSING_CELL
from seepage.source import Span
from seepage.syntax.data.table import MISSING
from seepage.syntax.lowering.data import missing_of
from seepage.syntax.lowering.forms import binary, conditional, number
from seepage.syntax.lowering.symbolic import Holders, assigned, is_by_distance, needing_numbers
from seepage.syntax.raw import Raw
from seepage.syntax.tree import Argument, Cell, Conditional, Index, MeasureCall, Module, Name, Number, Parenthesized
from seepage.syntax.walk import nodes, rooted

N = TypeVar("N")


def missing_holders(module: Module) -> Holders:
    """Return the variables that may hold a missing cell, each with a sentence about one."""
    found: dict[str, str] = {}
    while True:
        before = len(found)
        for name, values in assigned(module):
            for value in values:
                if name not in found and (note := _note(value, found)) is not None:
                    found[name] = note
        if len(found) == before:
            return found


def _note(node: object, holders: Holders) -> str | None:
    """Return what is said of a value that may be a missing cell."""
    match node:
        case Cell():
            found = missing_of(node)
            if found is None:
                return None
            table, column, line = found
            return f"a cell of '{column.name}' in '{table.named}' is missing (first in line {line:,}), and is no number"
        case Name(id=name) | Index(array=name):
            return holders.get(name)
        case Parenthesized(inner=inner):
            return _note(inner, holders)
        case Conditional(consequent=first, alternative=second):
            return _note(first, holders) or _note(second, holders)
        case _:
            return None


def guarded(node: N, holders: Holders) -> N:
    """Return a tree, or a raw measure, in which whatever needs a number asks whether it is one."""
    return cast("N", _guarded(node, holders, frozenset())) if holders else node


def of_distances(module: Module, holders: Holders) -> Iterator[Diagnostic]:
    """Yield a finding for each measure of distances between values that may be missing cells."""
    for root, start in rooted(module) if holders else ():
        for node in nodes(root):
            if isinstance(node, MeasureCall) and is_by_distance(node):
                for one in node.left:
                    if (note := _note(one, holders)) is not None:
                        yield Diagnostic(MISSING_CELL, one.span.shift(start), note)


def _guarded(node: Any, holders: Holders, needed: frozenset[int]) -> Any:
    """Return a node with its parts guarded; ``needed`` are those that whoever holds it needs as numbers."""
    if isinstance(node, tuple):
        changed = tuple(_part(one, holders, needed) for one in node)
        if all(a is b for a, b in zip(node, changed, strict=True)):
            return node
        return type(node)(*changed) if hasattr(node, "_fields") else changed
    if not is_dataclass(node) or isinstance(node, Span | type | Cell):
        return node
    if not isinstance(node, Argument):
        by_distance = isinstance(node, MeasureCall) and is_by_distance(node)
        asked = () if by_distance else needing_numbers(cast("Any", node))
        needed = frozenset(id(one) for one in asked if _note(one, holders) is not None)
    changes = {
        field.name: after
        for field in fields(node)
        if isinstance(value := getattr(node, field.name), tuple) or is_dataclass(value)
        if (after := _part(value, holders, needed)) is not value
    }
    return replace(node, **changes) if changes else node


def _part(value: Any, holders: Holders, needed: frozenset[int]) -> Any:
    inner = _guarded(value, holders, needed)
    return _asked(value, inner, holders) if id(value) in needed else inner


def _asked(value: Raw, inner: Raw, holders: Holders) -> Raw:
    span = value.span
    note = Number(missing_note(_note(value, holders) or ""), span)
    test = binary("==", inner, Number(number_of(MISSING), span))
    return conditional(test, binary("/", note, number(0, span)), inner)
