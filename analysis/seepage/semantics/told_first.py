"""What some variables determine, computed before all else: the same program in an order in which one place parts it in two.

In a program whose variables are assigned once, any order in which each statement stands behind those that it reads means the same. So a name that is
assigned again gets a name for each time (the last one its own), and a branch changes a copy of what it may write.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from seepage.semantics.copies import can_be_copied, under_names
from seepage.semantics.core import CoreAssign, CoreIf, CoreObserve, CoreProgram, CoreSample, CoreStatement
from seepage.semantics.dependence import Dependence, Version, dependence
from seepage.semantics.fold import folded
from seepage.semantics.statements import has_loops, walk, written_variables
from seepage.source import Span
from seepage.syntax.tree import Name

_NOWHERE = Span(0, 0)


def told_first(core: CoreProgram, x: Iterable[str]) -> tuple[CoreProgram, int] | None:
    """Return a program with what x determines, and all that this reads, before the rest, and how many statements these are.

    Args:
        core: a program.
        x: plain variables that it writes.

    Returns:
        None where it observes (what stood behind may have no value in the runs that are removed), picks elements at random, or has a
        branch that writes both what x determines and what it does not.
    """
    if (
        has_loops(core)
        or not can_be_copied(core.statements)
        or any(isinstance(each, CoreObserve) for each in walk(core.statements))
    ):
        return None
    statements = tuple(_assigned_once(core.statements))
    renamed = replace(core, statements=statements, variables=written_variables(statements))
    graph = dependence(renamed)
    inputs = {graph.final[name] for name in x if name in graph.final}
    first = _needed(graph, inputs)
    if first is None:
        return None
    listed = [each for place, each in enumerate(statements) if place in first]
    written = frozenset(written_variables(listed))
    for place, each in enumerate(statements):
        if place not in first and (isinstance(each, CoreIf) or written.isdisjoint(written_variables((each,)))):
            listed.append(each)  # else a copy for a branch that overwrites it in both of its arms
    return replace(renamed, statements=tuple(listed), variables=written_variables(listed)), len(first)


def _needed(graph: Dependence, inputs: set[Version]) -> set[int] | None:
    """Return the places of the statements that compute what the inputs determine; None where one of them does more than that."""
    determined = bytearray(len(graph.parents))  # 1: by the inputs; 2: by nothing, constant
    for version, parents in enumerate(graph.parents):
        if version in inputs:
            determined[version] = 1
        elif not graph.random[version] and all(determined[parent] for parent in parents):
            determined[version] = 1 if any(determined[parent] == 1 for parent in parents) else 2
    places: set[int] = set()
    drawn, stack = set[Version](), list(inputs)
    while stack:  # what the inputs are drawn with may be random
        version = stack.pop()
        if version not in drawn:
            drawn.add(version)
            stack.extend(graph.parents[version])
    stack = [*drawn, *(version for version, mark in enumerate(determined) if mark == 1)]
    while stack:
        place = graph.owners[stack.pop()]
        if place in places:
            continue
        places.add(place)
        for made in graph.made[graph.starts[place] : graph.starts[place + 1]]:
            if any(not determined[version] and version not in drawn for version in made):
                return None
            stack.extend(parent for version in made for parent in graph.parents[version])
    return places


def _assigned_once(statements: Iterable[CoreStatement]) -> Iterator[CoreStatement]:
    """Yield the statements with a name for each time that a variable is assigned, where no branch does it."""
    listed = list(statements)
    left: dict[str, int] = {}
    for name in (each for statement in listed for each in written_variables((statement,))):
        left[name] = left.get(name, 0) + 1
    current: dict[str, Name] = {}
    for statement in listed:
        written = {name: _fresh(name, left) for name in written_variables((statement,))}
        if isinstance(statement, CoreIf):
            for name, fresh in written.items():
                if name in current:
                    yield CoreAssign(fresh, current[name], statement.span)
            inside = {**current, **written}
            arms = [
                tuple(under_names(each, inside) for each in arm)
                for arm in (statement.consequent, statement.alternative)
            ]
            yield CoreIf(folded(statement.condition, 0, current), arms[0], arms[1], statement.span)
        else:
            found = under_names(statement, current)
            if isinstance(found, CoreAssign | CoreSample):
                found = replace(found, target=next(iter(written.values())))
            yield found
        current.update(written)


def _fresh(name: str, left: dict[str, int]) -> Name:
    left[name] -= 1
    return Name(f"{name}@{left[name]}" if left[name] else name, _NOWHERE)
