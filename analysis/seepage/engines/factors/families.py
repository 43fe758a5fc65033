r"""The entropy of many variables at once, from laws of a few of them.

All else is eliminated first, then the variables one by one: by the chain rule :math:`H(x) = \sum_v H(v \mid \text{neighbours of } v \text{ when it is eliminated})`,
a sum of terms that are not negative; one for a variable that a function determines is 0. The joint law of a variable and those neighbours comes from the product that
summed it out, times the law of the neighbours, which is part of what a later step summed out: so a second pass goes backward.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from flint import arb, fmpq
from numpy.typing import NDArray

from seepage.data_classes import dataclass
from seepage.engines.factors.answers import Question, asking_in_turn, precision_of
from seepage.engines.factors.elimination import Product, Workbench, product_of, scattered
from seepage.engines.factors.graph import Beyond, Entries, Function, Graph, Impossible, Table, Variable, is_zero, spread
from seepage.engines.factors.order import outline, shape_of
from seepage.engines.forward.coefficients import RATIONALS, Balls
from seepage.engines.outcome import Budget, DiscreteJoint
from seepage.exact import Number


@dataclass(frozen=True, slots=True)
class Family:
    """A variable and its neighbours when it was eliminated: the first of ``joint.variables``, and the others."""

    joint: DiscreteJoint[fmpq] | DiscreteJoint[arb]


@dataclass(frozen=True, slots=True)
class _Sum:
    """A variable that was summed out: the product, the result with its number, and the tables that went in, by number."""

    variable: Variable
    product: Product
    scope: tuple[Variable, ...]
    entries: Entries
    number: int
    tables: tuple[tuple[int, tuple[Variable, ...]], ...]


@dataclass(frozen=True, slots=True)
class _Put:
    """A table that reads the inputs of a function since its output was eliminated: the old and the new table, by number."""

    producer: Function
    before: tuple[int, tuple[Variable, ...]]
    after: tuple[int, tuple[Variable, ...]]


def asking_families(graph: Graph, names: Sequence[str], given: Sequence[str], budget: Budget, most: int) -> Question:
    """Return the question for the entropy of some names given others.

    Args:
        graph: of the program.
        names: variables whose entropy is asked for.
        given: variables that are known; those among ``names`` count as given.
        budget: its deadline.
        most: entries of a table.

    Raises:
        Beyond: if a table would have more than ``most`` entries.
    """
    z = graph.variables(given)
    x = tuple(each for each in graph.variables(names) if each not in z)
    return asking_in_turn(graph, [x, z], budget, most)


def families(question: Question, names: Sequence[str], given: Sequence[str], budget: Budget) -> list[Family]:
    """Return the families whose entropies, of the first variable given the others, add up to that of ``names`` given ``given``.

    Args:
        question: from :func:`asking_families` of the same names.
        names: variables whose entropy is asked for.
        given: variables that are known.
        budget: limits.

    Raises:
        Beyond: if no run passes the observations, or past the budget.
    """
    graph = question.graph
    z = graph.variables(given)
    x = frozenset(graph.variables(names)).difference(z)
    with precision_of(graph):
        bench = Workbench(question.factors, question.sizes, isinstance(graph.ring, Balls), budget)
        record: list[_Sum | _Put] = []
        for variable in question.plan.steps:
            if variable in x or variable in z:
                record += _eliminated(bench, variable)
            else:
                bench.eliminate(variable)
        if not np.all(_positive(bench.left().entries)):
            raise Impossible
        return _backward(graph, record, x, bench, budget)


def _positive(entries: Entries) -> NDArray[np.bool_]:
    return np.array([not is_zero(each) for each in entries.reshape(-1).tolist()], dtype=np.bool_)


def _eliminated(bench: Workbench, variable: Variable) -> list[_Sum | _Put]:
    """Eliminate a variable and return what was done."""
    numbers = sorted(bench.members.get(variable, ()))
    bucket = [bench.factors[number] for number in numbers]
    found = outline([shape_of(factor) for factor in bucket], variable, bench.sizes)
    first = bench.count
    if found.producer is None:
        product = product_of(bucket, found.free, bench.sizes)
        (shape,) = found.results
        tables = tuple(
            (number, factor.scope) for number, factor in zip(numbers, bucket, strict=True) if isinstance(factor, Table)
        )
        entries = scattered(product, shape.inputs, bench.sizes, np.add)
        bench.eliminate(variable)
        return [_Sum(variable, product, shape.inputs, entries, first, tables)]
    producer = bucket[found.producer]
    assert isinstance(producer, Function)
    others = [pair for place, pair in enumerate(zip(numbers, bucket, strict=True)) if place != found.producer]
    bench.eliminate(variable)
    return [
        _Put(producer, (number, factor.scope), (first + place, found.results[place].inputs))
        for place, (number, factor) in enumerate(others)
        if isinstance(factor, Table)
    ]


def _backward(
    graph: Graph, record: Sequence[_Sum | _Put], x: frozenset[Variable], bench: Workbench, budget: Budget
) -> list[Family]:
    wanted = {step.number for step in record if isinstance(step, _Sum)}
    for step in record:  # what becomes of the results of sums
        if isinstance(step, _Put) and step.before[0] in wanted:
            wanted.add(step.after[0])
    laws: dict[int, Entries] = {}
    found: list[Family] = []
    for count, step in enumerate(reversed(record)):
        if count % 64 == 0 and budget.expired():
            raise Beyond("no time left")
        if isinstance(step, _Put):
            if step.before[0] in wanted:
                laws[step.before[0]] = _put_back(step, laws[step.after[0]], bench.sizes)
            continue
        law = _law_of(step, laws.pop(step.number, None), bench)
        for number, scope in step.tables:
            if number in wanted:
                laws[number] = scattered(law, scope, bench.sizes, np.add)
        if step.variable in x:
            found.append(Family(_joint(graph, law, (step.variable, *step.scope))))
    return found


def _law_of(step: _Sum, rest: Entries | None, bench: Workbench) -> Product:
    """Return the law of all that a step went through: its product, divided by what it summed to, times the law of the rest."""
    one: Any = arb(1) if bench.is_ball else fmpq(1)
    divide = np.frompyfunc(lambda p, total: 0 if total == 0 else p / _exact(total), 2, 1)
    target = np.full(step.entries.shape, one, dtype=object) if rest is None else rest
    ratio = np.asarray(divide(target, step.entries), dtype=object)
    free, where = step.product.free, step.product.where
    places = []
    for variable in step.scope:
        if variable in where:
            places.append(where[variable])
        else:
            places.append(spread(np.arange(bench.sizes[variable]), (variable,), free))
    factor = ratio[tuple(places)] if places else ratio
    entries = np.asarray(step.product.entries * factor, dtype=object).reshape(step.product.entries.shape)
    return Product(free, entries, 1, where)


def _exact(total: Any) -> Any:
    return fmpq(total) if isinstance(total, int) else total


def _put_back(step: _Put, law: Entries, sizes: Sequence[int]) -> Entries:
    """Return the law of the scope of a table from that of the table which took its place."""
    _, scope = step.after
    where = {
        step.producer.output: np.broadcast_to(spread(step.producer.places, step.producer.inputs, scope), law.shape)
    }
    return scattered(Product(scope, law, 1, where), step.before[1], sizes, np.add)


def _joint(graph: Graph, law: Product, variables: tuple[Variable, ...]) -> DiscreteJoint[fmpq] | DiscreteJoint[arb]:
    flat = law.entries.reshape(-1)
    cells = np.flatnonzero(_positive(law.entries))
    columns = []
    for variable in variables:
        if variable in law.where:
            places = np.broadcast_to(law.where[variable], law.entries.shape).reshape(-1)[cells]
        else:
            places = np.unravel_index(cells, law.entries.shape)[law.free.index(variable)]
        domain = graph.domains[variable] if variable < len(graph.domains) else None
        columns.append(places.tolist() if domain is None else [domain[place] for place in places.tolist()])
    masses: dict[tuple[Number, ...], Any] = {}
    for key, mass in zip(zip(*columns, strict=True), flat[cells].tolist(), strict=True):
        known = masses.get(key)
        masses[key] = mass if known is None else known + mass
    names = tuple(f"{variable}" for variable in variables)
    total: Any = sum(masses.values())
    if isinstance(graph.ring, Balls):
        return DiscreteJoint(names, graph.ring, {key: arb(mass) for key, mass in masses.items()}, arb(total))
    return DiscreteJoint(names, cast("Any", RATIONALS), masses, total)
