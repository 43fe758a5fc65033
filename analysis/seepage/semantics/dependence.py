"""The dependence graph of a core program: one node for each version of each variable.

A statement that writes ``x`` makes a new version of it, whose parents are the versions its value reads. After a branch, a variable that an arm wrote gets a version that
selects among the arms' versions; its parents are these and the branch's condition. Assignments inside an arm need not depend on the condition: what they yield when
the arm is not taken is never selected. An observation is a node whose parents are the versions its condition reads and the conditions around it
(the event "not reached, or true").

With one independent source of randomness at each sampling, the versions are a Bayesian network, and observations are nodes of it
whose value is given. So separation in the graph is independence (Pearl 1988; Koller and Friedman 2009, section 3.3).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field
from functools import lru_cache
from typing import TypeAlias, assert_never

from seepage.data_classes import dataclass
from seepage.semantics.cases import Cases, cases_of
from seepage.semantics.core import (
    CoreAssign,
    CoreIf,
    CoreLocal,
    CoreObserve,
    CoreProgram,
    CoreSample,
    CoreStatement,
    CoreWhile,
)
from seepage.semantics.expressions import computed_arguments, nodes
from seepage.semantics.memo import Same
from seepage.semantics.statements import may_write, names_read, walk
from seepage.syntax.tree import Expression, Index, Name

Version: TypeAlias = int


@dataclass(slots=True)
class Dependence:
    """The graph.

    Attributes:
        parents: for each version those it is computed from.
        random: whether a version is sampled.
        observations: the nodes whose value is given.
        final: the version of each written variable at the end.
        made: for each statement the versions it makes, in the order of the text; those of a branch (its condition, and the versions that
            select among its arms) before those of its arms. A branch that only sets one variable is one statement (:func:`single`).
        starts: for each statement that stands in no branch, where its versions begin in ``made``; then the length of that.
        owners: for each version the statement that makes it, or whose branches do, among those that stand in no branch.
    """

    parents: list[tuple[Version, ...]] = field(default_factory=list)
    random: list[bool] = field(default_factory=list)
    observations: list[Version] = field(default_factory=list)
    final: dict[str, Version] = field(default_factory=dict)
    made: list[tuple[Version, ...]] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    owners: list[int] = field(default_factory=list)


def single(statement: CoreStatement) -> Cases | None:
    """Return what the graph takes as one statement though it is a branch; None for any other statement."""
    return cases_of(statement) if isinstance(statement, CoreIf) else None


def steps(statements: Iterable[CoreStatement]) -> Iterator[CoreStatement]:
    """Yield the statements for which the graph notes versions, in the order of ``made``."""
    stack = list(statements)[::-1]
    while stack:
        statement = stack.pop()
        yield statement
        if isinstance(statement, CoreIf) and single(statement) is None:
            stack += [*statement.consequent, *statement.alternative][::-1]


def dependence(core: CoreProgram) -> Dependence:
    """Return the dependence graph of a core program, in time linear in its size (times the elements at random indices)."""
    return _dependence(Same(core))


@lru_cache(maxsize=4)
def _dependence(key: Same[CoreProgram]) -> Dependence:
    core = key.one
    graph = Dependence()
    building = _Building(core, graph)
    for place, statement in enumerate(core.statements):
        graph.starts.append(len(graph.made))
        building.block((statement,), ())
        graph.owners.extend([place] * (len(graph.parents) - len(graph.owners)))
    graph.starts.append(len(graph.made))
    graph.final = dict(building.current)
    return graph


def children_of(graph: Dependence) -> list[list[Version]]:
    """Return for each version those computed from it."""
    children: list[list[Version]] = [[] for _ in graph.parents]
    for version, parents in enumerate(graph.parents):
        for parent in parents:
            children[parent].append(version)
    return children


@dataclass(slots=True)
class _Building:
    core: CoreProgram
    graph: Dependence
    current: dict[str, Version] = field(default_factory=dict)
    journal: list[dict[str, Version | None]] = field(default_factory=list)
    reads: dict[int, tuple[str, ...]] = field(default_factory=dict)

    def node(self, parents: Iterable[Version], random: bool = False) -> Version:
        """Add a version."""
        self.graph.parents.append(tuple(dict.fromkeys(parents)))
        self.graph.random.append(random)
        return len(self.graph.parents) - 1

    def write(self, variable: str, version: Version) -> None:
        """Make ``version`` the current one of a variable."""
        if self.journal and variable not in self.journal[-1]:
            self.journal[-1][variable] = self.current.get(variable)
        self.current[variable] = version

    def versions(self, *expressions: Expression) -> list[Version]:
        """Return the current versions that expressions read; what is not assigned yet is the constant 0, and parameters are constants."""
        names = (name for expression in expressions for name in self.names(expression))
        return [self.current[name] for name in names if name in self.current]

    def names(self, expression: Expression) -> tuple[str, ...]:
        """Return the variables an expression may read; iterations of a loop share expressions, so this is remembered."""
        key = id(expression)
        if key not in self.reads:
            self.reads[key] = read_variables(expression, self.core)
        return self.reads[key]

    def block(self, statements: Sequence[CoreStatement], around: tuple[Version, ...]) -> None:
        """Add the versions that statements make under the conditions ``around``; note them in ``graph.made`` in walk order."""
        for statement in statements:
            match statement:
                case CoreAssign(target=target, value=value):
                    self.assign(target, self.versions(value), random=False)
                case CoreSample(target=target, distribution=distribution):
                    self.assign(target, self.versions(*computed_arguments(distribution)), random=True)
                case CoreObserve(condition=condition):
                    observation = self.node((*self.versions(condition), *around))
                    self.graph.observations.append(observation)
                    self.graph.made.append((observation,))
                case CoreIf():
                    self.branch(statement, around)
                case CoreWhile() | CoreLocal():
                    self.law(statement, around)
                case _:
                    assert_never(statement)

    def assign(self, target: Name | Index, parents: list[Version], random: bool) -> None:
        """Add the version of an assignment; with a random index, a new version of each element."""
        if isinstance(target, Name):
            version = self.node(parents, random)
            self.write(target.id, version)
            self.graph.made.append((version,))
            return
        value = self.node(parents, random)
        picked = self.versions(target.index)
        made = [value]
        for i in self.core.arrays.get(target.array, ()):
            element = f"{target.array}[{i}]"
            before = [self.current[element]] if element in self.current else []
            made.append(self.node((value, *picked, *before)))
        for i, version in zip(self.core.arrays.get(target.array, ()), made[1:], strict=True):
            self.write(f"{target.array}[{i}]", version)
        self.graph.made.append(tuple(made))

    def law(self, statement: CoreWhile | CoreLocal, around: tuple[Version, ...]) -> None:
        """Add the versions of what a loop of unknown length, or a local draw, writes: drawn together from all that it reads, and from what it may leave as it was.

        That runs end is an observation, and that a local draw passes in each state is asked in all that depend on what it reads.
        """
        written = sorted(may_write(self.core, (statement,)))
        read = {*self.core.expanded(names_read((statement,))), *written}
        value = self.node([self.current[name] for name in sorted(read) if name in self.current], random=True)
        made = [value]
        for name in written:
            before = [self.current[name]] if name in self.current else []
            made.append(self.node((value, *before)))
            self.write(name, made[-1])
        if any(isinstance(each, CoreWhile | CoreObserve) for each in walk((statement,))):
            made.append(self.node((value, *around)))
            self.graph.observations.append(made[-1])
        self.graph.made.append(tuple(made))

    def branch(self, statement: CoreIf, around: tuple[Version, ...]) -> None:
        """Add both arms, and the versions that select among what they wrote."""
        cases = single(statement)
        if cases is not None:
            made = self.node([self.current[name] for name in cases.reads if name in self.current], cases.draws)
            self.write(cases.target, made)
            self.graph.made.append((made,))
            return
        place = len(self.graph.made)
        self.graph.made.append(())
        condition = self.node(self.versions(statement.condition))
        inside = (*around, condition)
        outcomes: list[dict[str, Version]] = []
        for arm in (statement.consequent, statement.alternative):
            self.journal.append({})
            self.block(arm, inside)
            before = self.journal.pop()
            outcomes.append({name: self.current[name] for name in before})
            for name, version in before.items():
                if version is None:
                    del self.current[name]
                else:
                    self.current[name] = version
        selected: list[Version] = []
        for name in dict.fromkeys([*outcomes[0], *outcomes[1]]):
            versions = [outcome[name] if name in outcome else self.current.get(name) for outcome in outcomes]
            selected.append(self.node([condition, *(one for one in versions if one is not None)]))
            self.write(name, selected[-1])
        self.graph.made[place] = (condition, *selected)


def read_variables(expression: Expression, core: CoreProgram) -> tuple[str, ...]:
    """Return the plain names that an expression may read; a random index reads every element of its array."""
    found: dict[str, None] = {}
    for node in nodes(expression):
        if isinstance(node, Name):
            found[node.id] = None
        elif isinstance(node, Index):
            found.update(dict.fromkeys(f"{node.array}[{i}]" for i in core.arrays.get(node.array, ())))
    return tuple(found)
