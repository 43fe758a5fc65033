"""Slicing: what a question depends on, and independence that is proved by dependence alone.

Removing an observation is sound only under two conditions. It must be independent of what is asked, which the graph proves; and it must be able
to pass. An observation that never passes makes the whole program an error at that observation, whatever is asked: callers
check the mass of the whole program once, apart from slices.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from seepage.semantics.columns import looked_at
from seepage.semantics.core import CoreIf, CoreProgram, CoreStatement
from seepage.semantics.dependence import Dependence, Version, children_of, dependence, single
from seepage.semantics.memo import Same
from seepage.semantics.sink import sink as sink  # part of what slicing offers
from seepage.semantics.statements import written_variables


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
    return replace(core, statements=looked_at(statements), variables=written_variables(statements))


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
