"""Whether every array element that a core program reads exists."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from seepage import rules
from seepage.diagnostics import Diagnostic, Fault
from seepage.semantics.core import CoreAssign, CoreSample, CoreStatement
from seepage.semantics.expressions import arguments_of, nodes
from seepage.semantics.statements import expressions_of, walk
from seepage.source import Span
from seepage.syntax.tree import Expression, Index, Name, Number, array_of

Arrays = Mapping[str, tuple[int, ...]]


def check_elements(statements: tuple[CoreStatement, ...], arrays: Arrays) -> None:
    """Raise a fault at the first static element that nothing writes, or at a random index into an array without elements.

    Raises:
        Fault: as said.
    """
    existing = {f"{name}[{i}]" for name, indices in arrays.items() for i in indices}
    seen: set[int] = set()
    for expression in _expressions(statements):
        if isinstance(expression, Number) or id(expression) in seen:
            continue
        seen.add(id(expression))
        for node in nodes(expression):
            if isinstance(node, Name) and array_of(node.id) != node.id and node.id not in existing:
                raise Fault(missing_element(node.id, node.span, arrays))
            if isinstance(node, Index) and isinstance(node.index, Number):
                message = f"an index must be an integer, found {node.index.value}"
                raise Fault(Diagnostic(rules.INVALID_INDEX, node.index.span, message))
            if isinstance(node, Index) and node.array not in arrays:
                raise Fault(missing_element(node.array, node.span, arrays))


def missing_element(name: str, span: Span, arrays: Arrays) -> Diagnostic:
    """Say that an element does not exist, and which elements do."""
    array = name.split("[", maxsplit=1)[0]
    if not arrays.get(array):
        message = f"no statement writes an element of '{array}'"
    else:
        message = f"no statement writes '{name}': '{array}' has {_listed(array, arrays[array])}"
    return Diagnostic(rules.MISSING_ELEMENT, span, message)


def _listed(array: str, indices: tuple[int, ...]) -> str:
    if len(indices) == 1:
        return f"the element {array}[{indices[0]}] only"
    if indices[-1] - indices[0] + 1 == len(indices):
        return f"the elements {indices[0]}..{indices[-1]}"
    listed = ", ".join(map(str, indices[:8]))
    return f"the elements {listed}" + (", …" if len(indices) > 8 else "")


def _expressions(statements: tuple[CoreStatement, ...]) -> Iterator[Expression]:
    for statement in walk(statements):
        match statement:
            case CoreAssign(target=Index() as target, value=value):
                yield value
                yield target
            case CoreSample(target=Index() as target, distribution=distribution):
                yield from arguments_of(distribution)
                yield target
            case _:
                yield from expressions_of(statement)
