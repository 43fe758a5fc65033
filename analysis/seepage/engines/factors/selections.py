"""Elements picked at a random index, ``o = a[k]``, as tables and functions.

Elements that hang on the rest of the graph by nothing but the selection enter by their own weights: given k = i, o has the law of a[i], and every other element
sums to its own mass. So an array of n such elements costs n numbers. Any other element is a choice on k = i, one after the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import gcd, lcm, prod
from typing import Any

import numpy as np

from seepage.engines.factors.elimination import Workbench
from seepage.engines.factors.graph import (
    Domain,
    Entries,
    Factor,
    Function,
    Graph,
    Selection,
    Table,
    Variable,
    scope_of,
)
from seepage.engines.factors.order import plan
from seepage.engines.outcome import Budget


def without_selections(
    graph: Graph, factors: Sequence[Factor], keep: Iterable[Variable], most: int, is_ball: bool, budget: Budget
) -> tuple[list[Table | Function], list[int]]:
    """Return factors none of which is a selection, and the sizes of the domains of all variables, new ones among them.

    Args:
        graph: whose domains they have.
        factors: some of the graph's.
        keep: variables that a question is about; they are summed over by nobody.
        most: entries of one table.

    Raises:
        Beyond: past a limit.
    """
    domains = list(graph.domains)
    left = list(factors)
    kept = frozenset(keep)
    while True:
        chosen = next((each for each in left if isinstance(each, Selection)), None)
        if chosen is None:
            break
        left = _resolved(chosen, [each for each in left if each is not chosen], kept, domains, most, is_ball, budget)
    sizes = [len(domain) for domain in domains]
    return [each for each in left if not isinstance(each, Selection)], sizes


def _resolved(
    selection: Selection,
    others: list[Factor],
    keep: frozenset[Variable],
    domains: list[Domain],
    most: int,
    is_ball: bool,
    budget: Budget,
) -> list[Factor]:
    """Return factors with a selection replaced."""
    hanging = _hanging(selection, others, keep)
    alone = {factor for part in hanging.values() for factor in part}
    left: list[Factor] = [factor for factor in others if factor not in alone]
    sizes = [len(domain) for domain in domains]
    own = {element: _own_weights(element, part, sizes, most, is_ball, budget) for element, part in hanging.items()}
    connected = [place for place, element in enumerate(selection.elements) if element not in hanging]
    outcome = selection.output
    if connected:
        domains.append(domains[selection.output])
        outcome = len(domains) - 1
    left.append(_mixed(selection, outcome, own, len(domains[selection.output])))
    for number, place in enumerate(connected):
        element = selection.elements[place]
        target = selection.output
        if number < len(connected) - 1:
            domains.append(domains[selection.output])
            target = len(domains) - 1
        left.append(_choice(selection, place, element, outcome, target, domains))
        outcome = target
    return left


def _hanging(
    selection: Selection, others: Sequence[Factor], keep: frozenset[Variable]
) -> dict[Variable, list[Table | Function]]:
    """Return the elements that only the selection connects with the rest, each with all that it is connected with."""
    members: dict[Variable, list[Factor]] = {}
    for factor in others:
        for variable in scope_of(factor):
            members.setdefault(variable, []).append(factor)
    outside = keep | {selection.index, selection.output} | frozenset(selection.elements)
    found: dict[Variable, list[Table | Function]] = {}
    for element in dict.fromkeys(selection.elements):
        if element in keep or element == selection.index:
            continue
        part = _part_of(element, members, outside)
        if part is not None:
            found[element] = part
    return found


def _part_of(
    element: Variable, members: dict[Variable, list[Factor]], outside: frozenset[Variable]
) -> list[Table | Function] | None:
    """Return all factors that an element is connected with; None if they reach outside."""
    seen, stack, part = {element}, [element], dict[Table | Function, None]()
    while stack:
        for factor in members.get(stack.pop(), ()):
            if isinstance(factor, Selection):
                return None
            if factor in part:
                continue
            part[factor] = None
            for each in scope_of(factor):
                if each not in seen:
                    if each in outside:
                        return None
                    seen.add(each)
                    stack.append(each)
    return list(part)


def _own_weights(
    element: Variable,
    part: Sequence[Table | Function],
    sizes: Sequence[int],
    most: int,
    is_ball: bool,
    budget: Budget,
) -> Table:
    """Return the weights of an element, all that hangs on it summed out."""
    if len(part) == 1 and isinstance(part[0], Table) and part[0].scope == (element,):
        return part[0]
    hidden = {variable for factor in part for variable in scope_of(factor)} - {element}
    bench = Workbench(part, sizes, is_ball, budget)
    for variable in plan(part, sizes, [sorted(hidden)], most).steps:
        bench.eliminate(variable)
    return bench.table((element,))


def _mixed(selection: Selection, output: Variable, own: dict[Variable, Table], size: int) -> Table:
    """Return the weights of the output given the index, for elements with weights of their own; others leave it at its first value.

    With weights w/d of an element, and the sum t/u of them in lowest terms, the row of element i holds w · (L/d) · u · Π t of all others, over L · Π u for a
    common multiple L of all d. For a law t = u = 1.
    """
    ranks = {variable: rank for rank, variable in enumerate(own)}
    totals = [_total(table) for table in own.values()]
    before, after = _products([t for t, _ in totals]), _products([t for t, _ in reversed(totals)])[::-1]
    multiple = lcm(*(table.denominator for table in own.values()))
    entries: Entries = np.zeros((len(selection.elements), size), dtype=object)
    for row, (element, places) in enumerate(zip(selection.elements, selection.places, strict=True)):
        if element not in own:
            entries[row, 0] = before[-1] * multiple
            continue
        rank, table = ranks[element], own[element]
        rest = before[rank] * after[rank + 1] * totals[rank][1] * (multiple // table.denominator)
        entries[row, places] = table.entries * rest
    return Table((selection.index, output), entries, multiple * prod(u for _, u in totals))


def _total(table: Table) -> tuple[Any, int]:
    """Return the sum of a table as a quotient in lowest terms."""
    total = sum(table.entries.tolist())
    if not isinstance(total, int):
        return total, 1
    common = gcd(total, table.denominator)
    return total // common, table.denominator // common


def _products(numbers: Sequence[Any]) -> list[Any]:
    """Return the products of the first 0, 1, … numbers."""
    result: list[Any] = [1]
    for number in numbers:
        result.append(result[-1] * number)
    return result


def _choice(
    selection: Selection, place: int, element: Variable, otherwise: Variable, target: Variable, domains: list[Domain]
) -> Function:
    """Return the choice between an element, where the index picks it, and what another variable is."""
    shape = (len(domains[selection.index]), len(domains[element]), len(domains[otherwise]))
    places = np.broadcast_to(np.arange(shape[2])[None, None, :], shape).copy()
    places[place] = selection.places[place][:, None]
    if element == selection.index:
        diagonal = np.arange(shape[0])
        return Function((selection.index, otherwise), target, places[diagonal, diagonal, :])
    return Function((selection.index, element, otherwise), target, places)
