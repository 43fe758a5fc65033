"""Slicing: what a question depends on, and independence that is proved by dependence alone.

Removing an observation is sound only under two conditions. It must be independent of what is asked, which the graph proves; and it must be able
to pass. An observation that never passes makes the whole program an error at that observation, whatever is asked: callers
check the mass of the whole program once, apart from slices.

Of tables, the columns that a program looks at are kept: rows that are equal in them are one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TypeAlias

from seepage.semantics.core import CoreAssign, CoreIf, CoreLocal, CoreProgram, CoreSample, CoreStatement, CoreWhile
from seepage.semantics.dependence import Dependence, Version, children_of, dependence, single
from seepage.semantics.memo import Same
from seepage.semantics.sink import sink as sink  # part of what slicing offers
from seepage.semantics.statements import walk, written_variables
from seepage.syntax.data.drawn import Draw
from seepage.syntax.tree import Cell, Name, Rows

_Columns: TypeAlias = Mapping[str, frozenset[str]]


def _looked_at(statements: Sequence[CoreStatement]) -> tuple[CoreStatement, ...]:
    """Return statements whose draws of rows tell those columns apart of which some cell is read, and no others.

    The variable of a draw is read by cells alone, each the value of an assignment, so that its rows may have other numbers.
    """
    if not any(map(_rows, walk(statements))):
        return tuple(statements)
    columns: defaultdict[str, set[str]] = defaultdict(set)
    for statement in walk(statements):
        if (cell := _cell(statement)) is not None:
            columns[cell[1]].add(cell[0].column)
    return _narrowed(statements, {name: frozenset(each) for name, each in columns.items()})


def _rows(statement: CoreStatement) -> tuple[Rows, str] | None:
    """Return the law of a draw of a row, and its variable."""
    match statement:
        case CoreSample(target=Name(id=name), distribution=Rows() as rows):
            return rows, name
        case _:
            return None


def _cell(statement: CoreStatement) -> tuple[Cell, str] | None:
    """Return the cell that a statement assigns, and the variable of its row."""
    match statement:
        case CoreAssign(value=Cell(row=Name(id=name)) as cell):
            return cell, name
        case _:
            return None


def _narrowed(statements: Sequence[CoreStatement], columns: _Columns) -> tuple[CoreStatement, ...]:
    return tuple(_narrowed_statement(each, columns) for each in statements)


def _narrowed_statement(statement: CoreStatement, columns: _Columns) -> CoreStatement:
    def of(draw: Draw, name: str) -> Draw:
        return draw.of(columns.get(name, frozenset()))

    match statement:
        case CoreSample(distribution=Rows() as rows) if (found := _rows(statement)) is not None:
            return replace(statement, distribution=replace(rows, draw=of(rows.draw, found[1])))
        case CoreAssign(value=Cell() as cell) if (read := _cell(statement)) is not None:
            return replace(statement, value=replace(cell, draw=of(cell.draw, read[1])))
        case CoreIf(consequent=first, alternative=second):
            return replace(statement, consequent=_narrowed(first, columns), alternative=_narrowed(second, columns))
        case CoreWhile(body=body, never=never):
            kept = None if never is None else _narrowed(never, columns)
            return replace(statement, body=_narrowed(body, columns), never=kept)
        case CoreLocal(body=body):
            return replace(statement, body=_narrowed(body, columns))
        case _:
            return statement


def slice_program(core: CoreProgram, asked: tuple[str, ...], *, observations: bool = False) -> CoreProgram:
    """Return the statements that the joint distribution of ``asked`` depends on, in their order.

    Args:
        core: the program.
        asked: plain variables.
        observations: whether to keep all observations and what they depend on.

    Returns:
        A program with the same normalised joint of ``asked``. Without ``observations`` its total mass may differ: observations that are independent of ``asked`` are gone.
        ``variables`` are those that are still written.
    """
    return _slice(Same(core), asked, observations=observations)


@lru_cache(maxsize=32)
def _slice(key: Same[CoreProgram], asked: tuple[str, ...], *, observations: bool) -> CoreProgram:
    """Slice once for the many ways to answer a question, each of which looks first whether it can."""
    core = key.one
    graph = dependence(core)
    roots = [graph.final[name] for name in asked if name in graph.final]
    relevant, listed = _relevant(graph, [*roots, *graph.observations] if observations else roots)
    statements: list[CoreStatement] = []
    for place in sorted({graph.owners[version] for version in listed}):  # most of a long program is not looked at
        made = graph.made[graph.starts[place] : graph.starts[place + 1]]
        statements += kept_statements(core.statements[place : place + 1], iter(made), relevant)
    return replace(core, statements=_looked_at(statements), variables=written_variables(statements))


def computed_from(core: CoreProgram, asked: Iterable[str]) -> tuple[CoreStatement, ...]:
    """Return the statements, of those that stand in no branch, from which some variables are computed, whatever is observed."""
    graph = replace(dependence(core), observations=[])
    _, listed = _relevant(graph, [graph.final[name] for name in asked if name in graph.final])
    return tuple(core.statements[place] for place in sorted({graph.owners[version] for version in listed}))


def sunk_slice(core: CoreProgram, asked: tuple[str, ...]) -> CoreProgram:
    """Return what some variables depend on, sunk; once for many questions about them."""
    return _sunk_slice(Same(core), asked)


@lru_cache(maxsize=4)
def _sunk_slice(key: Same[CoreProgram], asked: tuple[str, ...]) -> CoreProgram:
    return sink(slice_program(key.one, asked))


def _relevant(graph: Dependence, roots: Sequence[Version]) -> tuple[bytearray, list[Version]]:
    """Mark and list the versions that the roots depend on, through observations, too.

    An observation matters if it shares a source of randomness with what matters already; then all that it depends on matters.
    Each version is entered once backward (it matters) and once forward (it depends on a random version that matters), so that
    the time is linear.
    """
    matters, reached = bytearray(len(graph.parents)), bytearray(len(graph.parents))
    children = children_of(graph) if graph.observations else []
    observed = bytearray(len(graph.parents))
    for observation in graph.observations:
        observed[observation] = 1
    backward, listed = list(roots), list[Version]()
    while backward:
        version = backward.pop()
        if matters[version]:
            continue
        matters[version] = 1
        listed.append(version)
        backward.extend(graph.parents[version])
        if not (graph.random[version] and graph.observations):
            continue
        forward = [version]
        while forward:
            below = forward.pop()
            if reached[below]:
                continue
            reached[below] = 1
            if observed[below]:
                backward.append(below)
            forward.extend(children[below])
    return matters, listed


def kept_statements(
    statements: Sequence[CoreStatement], made: Iterator[tuple[Version, ...]], relevant: bytearray
) -> tuple[CoreStatement, ...]:
    """Return the statements one of whose versions is relevant; ``made`` yields the versions in the order of the walk."""
    result: list[CoreStatement] = []
    for statement in statements:
        matters = any(relevant[version] for version in next(made))
        if isinstance(statement, CoreIf) and single(statement) is None:
            consequent = kept_statements(statement.consequent, made, relevant)
            alternative = kept_statements(statement.alternative, made, relevant)
            if consequent or alternative:
                result.append(statement.with_arms(consequent, alternative))
        elif matters:
            result.append(statement)
    return tuple(result)


def independent(core: CoreProgram, x: tuple[str, ...], y: tuple[str, ...], z: tuple[str, ...] = ()) -> bool:
    """Tell whether dependence alone proves that ``x`` and ``y`` are independent given ``z`` and all observations.

    True is a proof that I(x; y | z) = 0; False proves nothing. Variables that depend on no sampling are constants, and independent
    of everything.
    """
    graph = dependence(core)
    random = _depends_on_randomness(graph)
    sources, targets, given = (
        {graph.final[name] for name in names if name in graph.final and random[graph.final[name]]}
        for names in (x, y, z)
    )
    sources -= given
    targets -= given
    if not sources or not targets:
        return True
    return not (_connected(graph, sources, given | set(graph.observations)) & targets)


def reached(core: CoreProgram, names: Iterable[str], y: tuple[str, ...], z: tuple[str, ...] = ()) -> list[str]:
    """Return those of some variables of which dependence alone does not prove that they are independent of ``y`` given ``z``, in one walk."""
    graph = dependence(core)
    random = _depends_on_randomness(graph)
    given = {graph.final[name] for name in z if name in graph.final and random[graph.final[name]]}
    targets = {graph.final[name] for name in y if name in graph.final and random[graph.final[name]]} - given
    if not targets:
        return []
    found = _connected(graph, targets, given | set(graph.observations)) - given
    return [name for name in names if name in graph.final and random[graph.final[name]] and graph.final[name] in found]


def determines(core: CoreProgram, x: tuple[str, ...], y: tuple[str, ...]) -> bool:
    """Tell whether dependence alone proves that ``y`` is a function of ``x``: no other sampling reaches it.

    True is a proof that H(y | x) = 0, whatever is observed; False proves nothing.
    """
    graph = dependence(core)
    known = {graph.final[name] for name in x if name in graph.final}
    seen = bytearray(len(graph.parents))
    stack = [graph.final[name] for name in y if name in graph.final]
    while stack:
        version = stack.pop()
        if seen[version] or version in known:
            continue
        seen[version] = 1
        if graph.random[version]:
            return False
        stack.extend(graph.parents[version])
    return True


def _depends_on_randomness(graph: Dependence) -> list[bool]:
    result: list[bool] = []
    for version, parents in enumerate(graph.parents):  # parents come before their children
        result.append(graph.random[version] or any(result[parent] for parent in parents))
    return result


def _connected(graph: Dependence, sources: set[Version], given: set[Version]) -> set[Version]:
    """Return the versions with an active trail from a source (Koller and Friedman 2009, algorithm 3.1).

    A trail passes a version downward or from a common cause unless it is given, and passes a common effect upward only if that, or something
    computed from it, is given.
    """
    has_given_below = bytearray(len(graph.parents))
    stack = list(given)
    while stack:
        version = stack.pop()
        if not has_given_below[version]:
            has_given_below[version] = 1
            stack.extend(graph.parents[version])
    children = children_of(graph)
    upward, downward = bytearray(len(graph.parents)), bytearray(len(graph.parents))
    found: set[Version] = set()
    trail: list[tuple[Version, bool]] = [(source, True) for source in sources]
    while trail:
        version, from_child = trail.pop()
        visited = upward if from_child else downward
        if visited[version]:
            continue
        visited[version] = 1
        is_given = version in given
        if not is_given:
            found.add(version)
        if from_child:
            if not is_given:
                trail.extend((parent, True) for parent in graph.parents[version])
                trail.extend((child, False) for child in children[version])
        else:
            if not is_given:
                trail.extend((child, False) for child in children[version])
            if has_given_below[version]:
                trail.extend((parent, True) for parent in graph.parents[version])
    return found
