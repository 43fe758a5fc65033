"""Questions that a factor graph answers: the joint of some variables, the mass of all runs, the chance of the best guess; each with an estimate before anything is allocated."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import nullcontext
from typing import Any, cast

import numpy as np
from flint import arb, fmpq

from seepage.data_classes import dataclass
from seepage.engines.factors.elimination import Workbench
from seepage.engines.factors.graph import (
    Beyond,
    Constant,
    Factor,
    Function,
    Graph,
    Impossible,
    Table,
    Variable,
    is_zero,
    scope_of,
)
from seepage.engines.factors.order import Plan, plan
from seepage.engines.factors.selections import without_selections
from seepage.engines.forward.coefficients import Balls
from seepage.engines.outcome import Budget, DiscreteJoint
from seepage.exact import Number, precision
from seepage.semantics.core import CoreObserve

MOST_ENTRIES = 8_000_000  # of one table
_MOST_DOUBTS = 32


@dataclass(frozen=True, slots=True, eq=False)
class Question:
    """A question about a graph, with the order in which it is answered.

    Attributes:
        factors: tables and functions only.
        sizes: of the domains of all variables.
        plan: the order, with its cost.
        greatest: variables over which the greatest term is taken instead of the sum.
    """

    graph: Graph
    factors: Sequence[Table | Function]
    sizes: Sequence[int]
    plan: Plan
    greatest: frozenset[Variable] = frozenset()

    def answered(self, budget: Budget) -> Workbench:
        """Eliminate everything that the plan eliminates."""
        bench = Workbench(self.factors, self.sizes, isinstance(self.graph.ring, Balls), budget)
        for variable in self.plan.steps:
            bench.eliminate(variable, variable in self.greatest)
        return bench


def asking(graph: Graph, names: Iterable[str], budget: Budget, most: int = MOST_ENTRIES) -> Question:
    """Return the question for the joint of some names.

    Args:
        graph: of the program.
        names: variables of the program; all others are summed out.
        budget: its deadline.
        most: entries of a table.

    Raises:
        Beyond: if a table would have more than ``most`` entries.
    """
    kept = graph.variables(names)
    return _asked(graph, graph.factors, kept, [], budget, most)


def asking_best(
    graph: Graph, guessed: Iterable[str], seen: Iterable[str], budget: Budget, most: int = MOST_ENTRIES
) -> Question:
    r"""Return the question for :math:`\sum_y \max_x p(x, y)`: all else is summed out first, then the greatest term is taken over x, then y is summed out.

    The order matters: sums and maxima do not exchange. But what x and y determine has one value for each of theirs, so that its greatest term is its sum: it goes with x.

    Args:
        graph: of the program.
        guessed: x.
        seen: y.
        budget: its deadline.
        most: entries of a table.

    Raises:
        Beyond: as :func:`asking`.
    """
    y = graph.variables(seen)
    x = tuple(each for each in graph.variables(guessed) if each not in y)
    known = {*x, *y}
    for factor in graph.factors:  # in the order of the program
        if isinstance(factor, Function) and known.issuperset(factor.inputs):
            known.add(factor.output)
    x = (*x, *sorted(known.difference(x, y)))
    return _asked(graph, graph.factors, (*x, *y), [x, y], budget, most, frozenset(x))


def asking_in_turn(
    graph: Graph, groups: Sequence[Sequence[Variable]], budget: Budget, most: int = MOST_ENTRIES
) -> Question:
    """Return the question in which all else is summed out first, then one group of variables after the other.

    Raises:
        Beyond: as :func:`asking`.
    """
    kept = tuple(variable for group in groups for variable in group)
    return _asked(graph, graph.factors, kept, groups, budget, most)


def _asked(
    graph: Graph,
    factors: Sequence[Factor],
    kept: Sequence[Variable],
    later: Sequence[Sequence[Variable]],
    budget: Budget,
    most: int,
    greatest: frozenset[Variable] = frozenset(),
) -> Question:
    with precision_of(graph):
        plain, sizes = without_selections(
            graph, _read(factors, kept), kept, most, isinstance(graph.ring, Balls), budget
        )
    hidden = sorted({variable for factor in plain for variable in scope_of(factor)}.difference(kept))
    return Question(graph, plain, sizes, plan(plain, sizes, [hidden, *later], most), greatest)


def _read(factors: Sequence[Factor], kept: Iterable[Variable]) -> list[Factor]:
    """Return factors without functions that nothing reads."""
    wanted, left = set(kept), list[Factor]()
    for factor in reversed(factors):  # what reads a variable stands behind what makes it
        if isinstance(factor, Function) and factor.output not in wanted:
            continue
        wanted.update(scope_of(factor))
        left.append(factor)
    left.reverse()
    return left


def precision_of(graph: Graph) -> Any:
    """Return the context in which a graph's balls are computed with."""
    return precision(graph.ring.bits) if isinstance(graph.ring, Balls) else nullcontext()


def marginal(question: Question, names: Sequence[str], budget: Budget) -> DiscreteJoint[fmpq] | DiscreteJoint[arb]:
    """Return the joint sub-distribution of the names that were asked for.

    Args:
        question: from :func:`asking` of the same names.
        names: in the order of the joint's variables.
        budget: on the states of the answer, and its deadline.

    Raises:
        Beyond: if the program has no runs that pass its observations, or past the budget.
    """
    graph = question.graph
    with precision_of(graph):
        product = question.answered(budget).left()
        flat = product.entries.reshape(-1)
        cells = np.flatnonzero([not is_zero(entry) for entry in flat.tolist()])
        if cells.size > budget.states:
            raise Beyond(f"an answer of {cells.size:,} combinations of values, the limit is {budget.states:,}")
        columns: list[list[Number]] = []
        for name in names:
            if budget.expired():
                raise Beyond("no time left")
            columns.append(_column(graph, name, product, cells))
        masses: dict[tuple[Number, ...], Any] = {}
        is_ball = isinstance(graph.ring, Balls)
        for key, entry in zip(
            zip(*columns, strict=True) if columns else [()] * cells.size, flat[cells].tolist(), strict=True
        ):
            known = masses.get(key)
            masses[key] = entry if known is None else known + entry
        if not masses:
            raise Impossible
        total = sum(masses.values())
        if is_ball:
            balls = {key: arb(mass) for key, mass in masses.items()}
            return DiscreteJoint(tuple(names), cast("Balls", graph.ring), balls, arb(total))
        whole = {key: fmpq(mass, product.denominator) for key, mass in masses.items()}
        return DiscreteJoint(tuple(names), cast("Any", graph.ring), whole, fmpq(total, product.denominator))


def _column(graph: Graph, name: str, product: Any, cells: Any) -> list[Number]:
    """Return the values of a name in some cells of a product."""
    node = graph.names.get(name, Constant(0))
    if isinstance(node, Constant):
        return [cast("Number", node.value)] * len(cells)
    domain = graph.domains[node]
    shape = product.entries.shape
    if node in product.where:
        places = np.broadcast_to(product.where[node], shape).reshape(-1)[cells]
    else:
        places = np.unravel_index(cells, shape)[product.free.index(node)]
    return [cast("Number", domain[place]) for place in places.tolist()]


def best(question: Question, budget: Budget) -> fmpq | arb:
    """Return the number that :func:`asking_best` asks for."""
    with precision_of(question.graph):
        product = question.answered(budget).left()
        (value,) = product.entries.reshape(-1).tolist()
        return arb(value) if isinstance(question.graph.ring, Balls) else fmpq(value, product.denominator)


def killer_of(graph: Graph, budget: Budget, most: int = MOST_ENTRIES) -> CoreObserve | None:
    """Return the first observation that no run passes; None if all are passed, or that is not known.

    Args:
        graph: of a program in which no run meets an undefined value.
        budget: its deadline.
        most: entries of a table.
    """
    for until, statement in graph.observed[:_MOST_DOUBTS]:
        try:
            question = _asked(graph, graph.factors[:until], (), [], budget, most)
        except Beyond:
            return None
        with precision_of(graph):
            if is_zero(question.answered(budget).left().entries[()]):
                return statement
    return None


def settle(graph: Graph, budget: Budget, most: int = MOST_ENTRIES) -> None:
    """Make sure that no run meets a value that is undefined.

    Args:
        graph: of the program, with what may be undefined in it.
        budget: its deadline.
        most: entries of a table.

    Raises:
        Beyond: if one does, or that is not known.
    """
    first: dict[Variable, int] = {}
    for doubt in graph.doubts:
        first.setdefault(doubt.variable, doubt.until)
    if len(first) > _MOST_DOUBTS:
        raise Beyond("many values that may be undefined")
    for variable, until in first.items():
        factors = _connected(graph.factors[:until], variable)
        question = _asked(graph, factors, (variable,), [], budget, most)
        with precision_of(graph):
            weights = question.answered(budget).table((variable,)).entries.tolist()
        if weights[graph.domains[variable].index(1)] != 0:
            raise Beyond("a value may be undefined")


def _connected(factors: Sequence[Factor], variable: Variable) -> list[Factor]:
    """Return the factors that a variable is connected with, in their order."""
    members: dict[Variable, list[int]] = {}
    for number, factor in enumerate(factors):
        for each in scope_of(factor):
            members.setdefault(each, []).append(number)
    seen, stack, found = {variable}, [variable], set[int]()
    while stack:
        for number in members.get(stack.pop(), ()):
            if number not in found:
                found.add(number)
                for each in scope_of(factors[number]):
                    if each not in seen:
                        seen.add(each)
                        stack.append(each)
    return [factors[number] for number in sorted(found)]
