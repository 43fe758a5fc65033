r"""Entropy and mutual information of joints with very many outcomes, from the columns of their tables.

The formulas are those of :mod:`seepage.measures.discrete.entropy` and :mod:`seepage.measures.discrete.mutual_information`. Weights are whole numbers here, so outcomes whose
weights and marginal weights agree have equal terms: each distinct term is computed once, and counted. Sums of weights are exact.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from flint import arb, fmpq

from seepage.engines.forward.tables import Column, Table, TableMasses, add_up, combinations
from seepage.engines.outcome import Budget, DiscreteJoint
from seepage.measures.clock import timed
from seepage.measures.discrete.convex import phi

_LARGE = 2_000  # outcomes


def large_table(joint: DiscreteJoint[fmpq] | DiscreteJoint[arb]) -> Table | None:
    """Return the columns of a joint that has very many outcomes and rational masses, None for another."""
    masses = joint.masses
    if isinstance(masses, TableMasses) and masses.table.denominator and len(masses) > _LARGE and joint.cut is None:
        return masses.table
    return None


def surprise(table: Table, of: Sequence[int], given: Sequence[int], budget: Budget) -> arb:
    r"""Return :math:`H(x \mid y)` in nats for the columns ``of`` and ``given``, unbounded by anything known of it."""
    columns = _take(table, given)
    first, group = combinations(columns, len(table))
    group_weights = add_up(table.weights, group, len(first))
    cells, cell = combinations((*columns, *_take(table, of)), len(table))
    weights = add_up(table.weights, cell, len(cells))
    wholes = group_weights[group[cells]]
    result = arb(0)
    for (weight, whole), count in timed(Counter(_pairs(weights, wholes)).items(), budget):
        result += arb(weight * count) * _log_ratio(whole, weight)
    return result / arb(_sum(table))


def outcomes(table: Table, of: Sequence[int]) -> int:
    """Return how many combinations of values occur."""
    return len(combinations(_take(table, of), len(table))[0])


def information(table: Table, left: Sequence[int], right: Sequence[int], given: Sequence[int], budget: Budget) -> arb:
    r"""Return :math:`I(x; y \mid z)` in nats, unbounded by anything known of it."""
    fixed = _take(table, given)
    xs, ys = (_sums(table, (*fixed, *_take(table, places))) for places in (left, right))
    cells, cell = combinations((*fixed, *_take(table, left), *_take(table, right)), len(table))
    weights = add_up(table.weights, cell, len(cells))
    covered: dict[int, int] = {}  # the products of marginal weights over the pairs that occur, by the number of z
    first, group = combinations(fixed, len(table))
    group_weights = add_up(table.weights, group, len(first)).tolist()
    result = arb(0)
    keys = zip(weights.tolist(), xs[cells].tolist(), ys[cells].tolist(), group[cells].tolist(), strict=True)
    for (weight, x, y, z), count in timed(Counter(keys).items(), budget):
        mass = group_weights[z]
        independent, joint = x * y, weight * mass
        covered[z] = covered.get(z, 0) + count * independent
        term = phi(arb(joint) / independent, arb(joint - independent) / independent)
        result += arb(count * independent) * term / mass
    for z, product in covered.items():
        mass = group_weights[z]
        result += arb(mass * mass - product) / mass
    return result / arb(_sum(table))


def _log_ratio(whole: int, part: int) -> arb:
    """Return log(whole / part), with a small relative error near 0, too."""
    return (arb(whole - part) / part).log1p() if 2 * part > whole else (arb(whole) / part).log()


def _take(table: Table, places: Sequence[int]) -> tuple[Column, ...]:
    return tuple(table.columns[place] for place in places)


def _sums(table: Table, columns: Sequence[Column]) -> Any:
    """Return for each row the weight of all rows that agree with it in some columns."""
    first, number = combinations(columns, len(table))
    return add_up(table.weights, number, len(first))[number]


def _pairs(first: Any, second: Any) -> Any:
    return zip(first.tolist(), second.tolist(), strict=True)


def _sum(table: Table) -> int:
    return sum(table.weights.tolist())
