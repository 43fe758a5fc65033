r"""Entropy, mutual information and best guesses of joints with very many outcomes, from the columns of their tables.

The formulas are those of :mod:`seepage.measures.discrete.entropy`, :mod:`seepage.measures.discrete.mutual_information` and :mod:`seepage.measures.guessing`. Weights are whole
numbers here, so outcomes whose weights and marginal weights agree have equal terms: each distinct term is computed once, and counted. Sums of weights are exact.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
from flint import arb, fmpq

from seepage.data_classes import dataclass
from seepage.engines.forward.tables import (
    WORD,
    Codes,
    Column,
    Table,
    TableMasses,
    Weights,
    add_up,
    combinations,
    gather,
)
from seepage.engines.outcome import Budget, DiscreteJoint
from seepage.exact import Number
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
    cells = _cells(table, of, given)
    weights, wholes = cells.weights, cells.group_weights[cells.groups]
    result = arb(0)
    for (weight, whole), count in timed(Counter(_pairs(weights, wholes)).items(), budget):
        result += arb(weight * count) * _log_ratio(whole, weight)
    return result / arb(_sum(table.weights))


def chance_within(table: Table, of: Sequence[int], given: Sequence[int], tries: int) -> Fraction:
    r"""Return the chance that so many guesses of :math:`x` hit after :math:`y` is seen, for the columns ``of`` and ``given``."""
    weights, ranks = _ranked(table, of, given)
    return Fraction(_sum(weights[ranks < tries]), _sum(table.weights))


def guesses(table: Table, of: Sequence[int], given: Sequence[int]) -> Fraction:
    """Return the expected number of guesses, likeliest first, for the columns ``of`` and ``given``."""
    weights, ranks = _ranked(table, of, given)
    mass = _sum(table.weights)
    if mass * len(ranks) >= WORD:
        weights = weights.astype(object)
    return Fraction(_sum(weights * (ranks + 1)), mass)


def where(table: Table, places: Sequence[int], values: Sequence[Number]) -> Table:
    """Return the rows that hold some values, each of which occurs, in some columns."""
    held = np.ones(len(table), dtype=np.bool_)
    for column, value in zip(_take(table, places), values, strict=True):
        held &= column.codes == column.values.index(value)
    return table.select(held)


Parts: TypeAlias = tuple[tuple[int, int, int], ...]
"""How many values of a secret have a weight now and a weight before, for each such pair: ``(now, before, count)``."""


def sights(table: Table, of: Sequence[int], given: Sequence[int]) -> Iterator[tuple[tuple[Number, ...], Parts]]:
    """Yield the values of the columns ``given``, with the weights that the values of the columns ``of`` have then and before."""
    cells = _cells(table, of, given)
    kinds, kind = np.unique(cells.weights, return_inverse=True)
    before, prior = np.unique(_sums(table, _take(table, of))[cells.rows], return_inverse=True)
    # Two at a time: three numbers of millions of things each would not fit into a machine word together.
    both, pair = np.unique(kind * len(before) + prior, return_inverse=True)
    keys, counts = np.unique(cells.groups * len(both) + pair, return_counts=True)
    pairs, place = both[keys % len(both)], keys // len(both)
    parts = list(
        zip(kinds[pairs // len(before)].tolist(), before[pairs % len(before)].tolist(), counts.tolist(), strict=True)
    )
    ends = np.searchsorted(place, np.arange(len(cells.first) + 1)).tolist()
    for values, (start, end) in zip(gather(_take(table, given), cells.first), pairwise(ends), strict=True):
        yield values, tuple(parts[start:end])


def left_after(parts: Parts) -> arb:
    """Return the entropy in nats that a secret with such weights still has, unbounded by anything known of it."""
    weight = sum(now * count for now, _, count in parts)
    return sum((count * now * _log_ratio(weight, now) for now, _, count in parts), arb(0)) / weight


def told_by(parts: Parts, mass: int) -> arb:
    """Return the divergence in nats of a secret with such weights from what it was before, with weights of the sum ``mass``, unbounded by anything known of it."""
    weight = sum(now * count for now, _, count in parts)
    result = arb(mass - sum(count * before for _, before, count in parts))
    for now, before, count in parts:
        joint, reference = now * mass, before * weight
        result += count * before * phi(arb(joint) / reference, arb(joint - reference) / reference)
    return result / mass


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
    return result / arb(_sum(table.weights))


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


def _ranked(table: Table, of: Sequence[int], given: Sequence[int]) -> tuple[Weights, Codes]:
    """Return the weights of the columns ``of`` given those of ``given``, and how many given the same come before each in descending order."""
    cells = _cells(table, of, given)
    order = np.argsort(-cells.weights, kind="stable")
    order = order[np.argsort(cells.groups[order], kind="stable")]
    groups = cells.groups[order]
    starts = np.searchsorted(groups, np.arange(len(cells.first)))
    return cells.weights[order], np.arange(len(order)) - starts[groups]


@dataclass(frozen=True, slots=True)
class _Cells:
    """The combinations of values that occur in some columns, within each of those in others.

    Attributes:
        rows: a row of the table for each.
        weights: of each.
        groups: the number of the others' values for each.
        first: a row of the table for each of these numbers.
        group_weights: the weights of these.
    """

    rows: Codes
    weights: Weights
    groups: Codes
    first: Codes
    group_weights: Weights


def _cells(table: Table, of: Sequence[int], given: Sequence[int]) -> _Cells:
    columns = _take(table, given)
    first, group = combinations(columns, len(table))
    rows, cell = combinations((*columns, *_take(table, of)), len(table))
    return _Cells(
        rows, add_up(table.weights, cell, len(rows)), group[rows], first, add_up(table.weights, group, len(first))
    )


def _sum(weights: Weights) -> int:
    return sum(weights.tolist())
