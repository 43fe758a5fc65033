r"""Parts of a program: groups of variables that are independent of each other, as dependence alone proves.

The graph of versions (:mod:`seepage.semantics.dependence`) is a Bayesian network in which observations are given. Keep the ancestors of what is asked, of what is held and of every
observation; marry the parents of each version; delete what is given, what it determines and what is constant: what is not connected then is independent
(Lauritzen et al. 1990; Koller and Friedman 2009, section 4.5). All of it is linear in the size of the program.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from seepage.data_classes import dataclass
from seepage.semantics.core import CoreObserve, CoreProgram, CoreStatement
from seepage.semantics.dependence import Dependence, Version, dependence, steps
from seepage.semantics.slice import kept_statements, slice_program

Names = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """Variables that are independent of all others that were asked for.

    Attributes:
        names: those of them that were asked for, in the order in which they were.
        held: those held variables that its law given all of them depends on.
        observed: the observations that its law depends on, as versions.
    """

    names: Names
    held: Names
    observed: tuple[Version, ...] = ()


@dataclass(frozen=True, slots=True)
class Separation:
    """What was asked of a program, in independent parts.

    Attributes:
        core: the program.
        parts: at least one variable each, in the order of their first one.
        constants: variables that are constant, or determined by what is held.
        observations: those that the law of some part depends on; others concern other draws only.
    """

    core: CoreProgram
    parts: tuple[Part, ...]
    constants: Names
    observations: tuple[CoreObserve, ...]


def separate(core: CoreProgram, asked: Names, held: Names = ()) -> Separation:
    """Return the independent parts of some variables, given all observations and the values of others.

    Args:
        core: the program, events observed.
        asked: plain variables.
        held: plain variables whose values are given.
    """
    graph = dependence(core)
    given = {graph.final[name]: name for name in held if name in graph.final}
    roots = [graph.final[name] for name in (*asked, *held) if name in graph.final]
    relevant = _ancestors(graph, [*roots, *graph.observations])
    known = _known(graph, given)
    groups = _Groups(len(graph.parents))
    observed = set(graph.observations)
    for version, parents in enumerate(graph.parents):
        if relevant[version]:
            groups.join([each for each in parents if not known[each]])
            if not known[version] and version not in observed:
                groups.join([version, *(each for each in parents if not known[each])][:2])
    return _separation(core, graph, asked, given, known, groups)


def telling_of(core: CoreProgram, names: Names) -> Names:
    """Return those of some variables that are not computed of others of them, alone, in all runs."""
    graph = dependence(core)
    final = {name: graph.final[name] for name in names if name in graph.final}
    known = _known(graph, final.values())
    return tuple(
        name
        for name in names
        if (version := final.get(name)) is None
        or graph.random[version]
        or not graph.parents[version]
        or not all(known[parent] for parent in graph.parents[version])
    )


def _separation(
    core: CoreProgram,
    graph: Dependence,
    asked: Names,
    given: dict[Version, str],
    known: bytearray,
    groups: _Groups,
) -> Separation:
    names: dict[Version, list[str]] = {}
    constants: list[str] = []
    for name in dict.fromkeys(asked):
        version = graph.final.get(name)
        if version is None or known[version]:
            constants.append(name)
        else:
            names.setdefault(groups.of(version), []).append(name)
    held = _held(graph, given, known, groups) if given else {}
    seen: dict[Version, list[Version]] = {}
    for version in graph.observations:
        group = next((groups.of(each) for each in graph.parents[version] if not known[each]), None)
        if group in names:
            seen.setdefault(group, []).append(version)
    parts = tuple(
        Part(tuple(each), tuple(given[version] for version in sorted(held.get(group, ()))), tuple(seen.get(group, ())))
        for group, each in names.items()
    )
    concerned = {version for each in seen.values() for version in each}
    return Separation(core, parts, tuple(constants), tuple(_observations(core, graph, concerned)))


def _observations(core: CoreProgram, graph: Dependence, concerned: set[Version]) -> Iterator[CoreObserve]:
    if concerned:
        for statement, made in zip(steps(core.statements), graph.made, strict=True):
            if isinstance(statement, CoreObserve) and concerned.intersection(made):
                yield statement


def _held(
    graph: Dependence, given: dict[Version, str], known: bytearray, groups: _Groups
) -> dict[Version, set[Version]]:
    """Return for each group the given versions that it touches, itself or through what they determine."""
    behind: dict[Version, frozenset[Version]] = {}
    touched: dict[Version, set[Version]] = {}
    for version, parents in enumerate(graph.parents):
        if version in given:
            behind[version] = frozenset((version,))
        elif known[version]:
            behind[version] = frozenset(each for parent in parents for each in behind.get(parent, ()))
        free = {groups.of(each) for each in (version, *parents) if not known[each]}
        if not free:
            continue
        near = {each for parent in (version, *parents) if known[parent] for each in behind.get(parent, ())}
        for group in free:
            touched.setdefault(group, set()).update(near)
    return touched


def _known(graph: Dependence, given: Iterable[Version]) -> bytearray:
    """Mark what is given, constant, or computed from nothing else."""
    known = bytearray(len(graph.parents))
    for version in given:
        known[version] = 1
    for version, parents in enumerate(graph.parents):
        if not graph.random[version] and all(known[parent] for parent in parents):
            known[version] = 1
    return known


def _ancestors(graph: Dependence, roots: Sequence[Version]) -> bytearray:
    marked = bytearray(len(graph.parents))
    stack = list(roots)
    while stack:
        version = stack.pop()
        if not marked[version]:
            marked[version] = 1
            stack.extend(graph.parents[version])
    return marked


class _Groups:
    """Disjoint sets of versions."""

    def __init__(self, size: int) -> None:
        self._parents = list(range(size))

    def of(self, version: Version) -> Version:
        """Return the version that stands for the set of one."""
        parents = self._parents
        while parents[version] != version:
            parents[version] = parents[parents[version]]
            version = parents[version]
        return version

    def join(self, versions: Sequence[Version]) -> None:
        """Make one set of those of some versions."""
        for version in versions[1:]:
            self._parents[self.of(version)] = self.of(versions[0])


def last_writes(core: CoreProgram, names: Names) -> dict[str, int]:
    """Return for each variable the place of the statement, among those that stand in no branch, that writes it last."""
    graph = dependence(core)
    return {name: graph.owners[graph.final[name]] for name in names if name in graph.final}


# --- the statements of a part -----------------------------------------------------------------------------------------


class Extraction:
    """The statements of parts, each found in time linear in the part where nothing is held."""

    def __init__(self, separation: Separation) -> None:
        self._core = separation.core
        self._graph = dependence(separation.core)
        self._marked = bytearray(len(self._graph.parents))

    def statements(self, part: Part, names: Names | None = None) -> tuple[CoreStatement, ...]:
        """Return what the law of a part and of what is held with it depends on, in the order of the program.

        Args:
            part: of the separation.
            names: only these variables of the part, None for all of them.
        """
        if part.held and self._graph.observations:
            return slice_program(self._core, (*(names or part.names), *part.held)).statements
        graph, marked = self._graph, self._marked
        stack = [*(graph.final[name] for name in (*(names or part.names), *part.held)), *part.observed]
        found: list[Version] = []
        while stack:
            version = stack.pop()
            if not marked[version]:
                marked[version] = 1
                found.append(version)
                stack.extend(graph.parents[version])
        statements: list[CoreStatement] = []
        for place in sorted({graph.owners[version] for version in found}):
            made = graph.made[graph.starts[place] : graph.starts[place + 1]]
            statements += kept_statements(self._core.statements[place : place + 1], iter(made), marked)
        for version in found:
            marked[version] = 0
        return tuple(statements)
