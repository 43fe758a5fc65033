"""Independence proved by tables: more than the text tells, since values decide what a factor really reads.

For every choice of the given values the weight of an assignment is the product of the factors; where these fall apart into groups without a common
variable, the variables of different groups are independent. What is given, or determined by what is given, connects nothing. Before that, values that
cannot occur are left out, variables that stand in one factor only are summed out of it, and a factor is taken to read only what it is not constant in.
All decisions are exact: structural zeros and equal numbers, balls only where they are one number.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from flint import arb
from numpy.typing import NDArray

from seepage.data_classes import dataclass
from seepage.engines.factors.graph import (
    Entries,
    Function,
    Graph,
    Places,
    Selection,
    Table,
    Variable,
    is_zero,
    scope_of,
)
from seepage.engines.factors.order import volume

_MOST_ENTRIES = 100_000  # of one table that is looked into
_MOST_ROUNDS = 64  # of looking at what has changed: to stop early proves less, and nothing false


@dataclass(frozen=True, slots=True)
class Group:
    """Variables that are independent of all others, given what is given.

    Attributes:
        variables: of them, what is asked for among them.
        given: the given variables that their law depends on.
    """

    variables: frozenset[Variable]
    given: frozenset[Variable]


def independent(graph: Graph, x: Iterable[str], y: Iterable[str], given: Iterable[str] = ()) -> bool:
    """Tell whether tables prove that x and y are independent given other variables and all observations; False proves nothing."""
    z = frozenset(graph.variables(given))
    left, right = (frozenset(graph.variables(names)) - z for names in (x, y))
    if left & right:
        return False
    found = groups(graph, left | right, z)
    return not any(group.variables & left and group.variables & right for group in found)


def groups(graph: Graph, asked: frozenset[Variable], given: frozenset[Variable] = frozenset()) -> list[Group]:
    """Return groups of variables such that different groups are independent given others and all observations.

    Args:
        graph: of a program.
        asked: each is in one group, unless it is given, constant or determined by what is given.
        given: variables whose values are held.
    """
    work = _Work(graph, asked, given)
    for _ in range(_MOST_ROUNDS):
        if not work.simplified():
            break
    return work.groups()


class _Work:
    """Factors as they become smaller."""

    def __init__(self, graph: Graph, asked: frozenset[Variable], given: frozenset[Variable]) -> None:
        self.graph, self.asked, self.given = graph, asked, set(given)
        self.factors: list[Table | Function | Selection] = list(graph.factors)
        self.supports: dict[Variable, NDArray[np.bool_]] = {}
        self.sizes = [len(domain) for domain in graph.domains]
        self.behind = {variable: frozenset((variable,)) for variable in given}
        self.narrower: set[Variable] = set()
        self.seen: dict[int, Table | Function | Selection] = {}
        self.unchanged: dict[tuple[int, tuple[int, ...]], Entries | Places] = {}

    def simplified(self) -> bool:
        """Make everything smaller once; tell whether anything has changed."""
        changed = False
        news, self.narrower = self.narrower, set()
        for place, factor in enumerate(self.factors):
            if id(factor) in self.seen and news.isdisjoint(scope_of(factor)):
                continue
            self.seen[id(factor)] = factor
            smaller = self.smaller(factor)
            if smaller is not factor:
                self.factors[place] = smaller
                changed = True
        for factor in self.factors:
            if (
                isinstance(factor, Function)
                and factor.output not in self.given
                and self.given.issuperset(factor.inputs)
            ):
                self.given.add(factor.output)
                self.behind[factor.output] = self.given_of(factor.inputs)
                changed = True
        return self.without_single() or changed or bool(self.narrower)

    def given_of(self, variables: Iterable[Variable]) -> frozenset[Variable]:
        """Return the given variables that determine what is known of some variables."""
        return frozenset(source for each in variables for source in self.behind.get(each, ()))

    def support(self, variable: Variable) -> NDArray[np.bool_]:
        """Return which values of a variable can occur, as far as is known."""
        if variable not in self.supports:
            self.supports[variable] = np.ones(self.sizes[variable], dtype=np.bool_)
        return self.supports[variable]

    def smaller(self, factor: Table | Function | Selection) -> Table | Function | Selection:
        """Learn from a factor which values can occur, and return it without the variables in which it is constant."""
        scope = scope_of(factor)
        if isinstance(factor, Selection) or volume(scope, self.sizes) > _MOST_ENTRIES:
            return factor
        array = factor.entries if isinstance(factor, Table) else factor.places
        key = id(array), tuple(self.sizes[variable] for variable in scope)
        is_fresh = all(bool(self.support(variable).all()) for variable in scope)
        if is_fresh and key in self.unchanged:
            return factor
        before = len(self.narrower)
        found = self.smaller_table(factor) if isinstance(factor, Table) else self.smaller_function(factor)
        if is_fresh and found is factor and len(self.narrower) == before:
            self.unchanged[key] = array
        return found

    def smaller_function(self, factor: Function) -> Function:
        """Do so for a function."""
        possible = self.box(factor.inputs) & self.support(factor.output)[factor.places]
        reached = np.zeros(self.sizes[factor.output], dtype=np.bool_)
        reached[factor.places[possible]] = True
        self.learn(factor.output, reached)
        self.learn_all(factor.inputs, possible)
        masked = np.where(possible, factor.places, -1)
        for axis, variable in enumerate(factor.inputs):
            rows = np.flatnonzero(self.support(variable))
            if rows.size and bool((np.take(masked, rows, axis=axis) == np.take(masked, rows[:1], axis=axis)).all()):
                kept = tuple(each for each in factor.inputs if each != variable)
                return Function(kept, factor.output, np.take(factor.places, rows[0], axis=axis))
        return factor

    def smaller_table(self, factor: Table) -> Table:
        """Do so for a table."""
        flat = [not is_zero(each) for each in factor.entries.reshape(-1).tolist()]
        possible = np.array(flat, dtype=np.bool_).reshape(factor.entries.shape) & self.box(factor.scope)
        self.learn_all(factor.scope, possible)
        masked = np.asarray(np.where(possible, factor.entries, 0), dtype=object)
        for axis, variable in enumerate(factor.scope):
            rows = np.flatnonzero(self.support(variable)).tolist()
            if rows and _are_equal(masked, axis, rows):
                kept = tuple(each for each in factor.scope if each != variable)
                row = np.asarray(np.take(masked, rows[0], axis=axis), dtype=object)
                return Table(kept, row, factor.denominator)
        return factor

    def box(self, scope: Sequence[Variable]) -> NDArray[np.bool_]:
        """Return which assignments have values only that can occur."""
        found = np.ones([self.sizes[variable] for variable in scope], dtype=np.bool_)
        for axis, variable in enumerate(scope):
            found &= self.support(variable).reshape([-1 if each == axis else 1 for each in range(len(scope))])
        return found

    def learn_all(self, scope: Sequence[Variable], possible: NDArray[np.bool_]) -> None:
        """Note for each axis which values can occur."""
        for axis, variable in enumerate(scope):
            others = tuple(each for each in range(possible.ndim) if each != axis)
            self.learn(variable, np.asarray(possible.any(axis=others)))

    def learn(self, variable: Variable, possible: NDArray[np.bool_]) -> None:
        """Note which values of a variable can occur; one that has a single one counts as given."""
        before = self.support(variable)
        narrower = before & possible
        if bool((narrower == before).all()) and not (before.size == 1 and variable not in self.given):
            return
        self.supports[variable] = narrower
        self.narrower.add(variable)
        if int(narrower.sum()) == 1:
            self.given.add(variable)

    def without_single(self) -> bool:
        """Sum out what stands in one table only, and drop functions that nothing reads; tell whether there was any."""
        count: dict[Variable, int] = {}
        for factor in self.factors:
            for variable in scope_of(factor):
                count[variable] = count.get(variable, 0) + 1
        kept: list[Table | Function | Selection] = []
        changed = False
        for factor in self.factors:
            free = [each for each in scope_of(factor) if count[each] == 1 and each not in self.asked | self.given]
            if isinstance(factor, Function) and factor.output in free and self.excludes_nothing(factor):
                changed = True
                continue
            if isinstance(factor, Table) and free:
                axes = tuple(factor.scope.index(each) for each in free)
                scope = tuple(each for each in factor.scope if each not in free)
                within = np.asarray(np.where(self.box(factor.scope), factor.entries, 0), dtype=object)
                kept.append(Table(scope, np.asarray(within.sum(axis=axes), dtype=object), factor.denominator))
                changed = True
                continue
            kept.append(factor)
        self.factors = kept
        return changed

    def excludes_nothing(self, factor: Function) -> bool:
        """Tell whether all values that a function makes of values that can occur can occur, too: an observation may have left some out."""
        return bool((self.support(factor.output)[factor.places] | ~self.box(factor.inputs)).all())

    def groups(self) -> list[Group]:
        """Return the variables that factors connect."""
        leader: dict[Variable, Variable] = {each: each for each in self.asked - self.given}

        def find(variable: Variable) -> Variable:
            while leader.setdefault(variable, variable) != variable:
                leader[variable] = leader[leader[variable]]
                variable = leader[variable]
            return variable

        near: list[tuple[Variable, frozenset[Variable]]] = []
        for factor in self.factors:
            scope = scope_of(factor)
            read = [each for each in scope if each not in self.given]
            for each in read[1:]:
                leader[find(each)] = find(read[0])
            if read and len(read) < len(scope):
                near.append((read[0], self.given_of(each for each in scope if each in self.given)))
        found: dict[Variable, set[Variable]] = {}
        touched: dict[Variable, set[Variable]] = {}
        for variable in self.asked - self.given:
            found.setdefault(find(variable), set()).add(variable)
        for variable, sources in near:
            touched.setdefault(find(variable), set()).update(sources)
        return [Group(frozenset(each), frozenset(touched.get(first, ()))) for first, each in found.items()]


def _are_equal(masked: Entries, axis: int, rows: Sequence[int]) -> bool:
    """Tell whether the rows of a table along an axis are equal."""
    slices = [np.asarray(np.take(masked, row, axis=axis), dtype=object).reshape(-1).tolist() for row in rows]
    return all(_same(a, b) for other in slices[1:] for a, b in zip(slices[0], other, strict=True))


def _same(a: object, b: object) -> bool:
    if a is b:
        return True
    if isinstance(a, arb) or isinstance(b, arb):
        return False
    return a == b
