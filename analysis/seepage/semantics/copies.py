"""Copies of statements in which variables have other names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from seepage.semantics.core import CoreAssign, CoreIf, CoreObserve, CoreSample, CoreStatement
from seepage.semantics.fold import folded, folded_distribution
from seepage.semantics.statements import reads_elements, walk
from seepage.source import Span
from seepage.syntax import tree


def can_be_copied(statements: Iterable[CoreStatement]) -> bool:
    """Tell whether :func:`copied` renames all that statements read and write: elements that are picked at random it does not."""
    listed = list(statements)
    targets = (each.target for each in walk(listed) if isinstance(each, CoreAssign | CoreSample))
    return not reads_elements(listed) and all(isinstance(target, tree.Name) for target in targets)


def copied(statements: Sequence[CoreStatement], names: Iterable[str], suffix: str) -> tuple[CoreStatement, ...]:
    """Return statements with variables of their own.

    Args:
        statements: settled ones, which :func:`can_be_copied`.
        names: of all variables that they read or write.
        suffix: what the names of the new variables end with.
    """
    renamed = {name: tree.Name(f"{name}{suffix}", Span(0, 0)) for name in names}
    return tuple(under_names(each, renamed) for each in statements)


def under_names(statement: CoreStatement, renamed: Mapping[str, tree.Name]) -> CoreStatement:
    """Return a settled statement, which :func:`can_be_copied`, with other names for some of what it reads and writes."""
    match statement:
        case CoreAssign(target=tree.Name() as target, value=value, span=span):
            return CoreAssign(renamed.get(target.id, target), folded(value, 0, renamed), span)
        case CoreSample(target=tree.Name() as target, distribution=law, span=span):
            return CoreSample(renamed.get(target.id, target), folded_distribution(law, 0, renamed), span)
        case CoreObserve(condition=condition):
            return replace(statement, condition=folded(condition, 0, renamed))
        case CoreIf(condition=condition, consequent=consequent, alternative=alternative, span=span):
            arms = [tuple(under_names(each, renamed) for each in arm) for arm in (consequent, alternative)]
            return CoreIf(folded(condition, 0, renamed), arms[0], arms[1], span)
        case _:
            raise AssertionError("only settled statements are copied, whose elements are picked by no chance")
