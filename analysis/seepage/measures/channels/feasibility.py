r"""Whether a system :math:`A x = b, x \ge 0` over the rationals has a solution, decided exactly, with the proof of either answer.

Phase one of the simplex method: with one artificial variable a row, whose sum is minimised, the solution is a basis. A first one is found in
floats, where it is quick and proves nothing; it is then solved exactly, and exact pivots by Bland's rule, which never cycles, go on from it. If
the least sum is 0 the basis is a solution. If it is above 0, the multipliers :math:`y` of the basis have :math:`y A \le 0` and :math:`y b > 0`,
which no solution can stand beside (Farkas' lemma).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

import numpy as np
from flint import fmpq, fmpq_mat

from seepage.data_classes import dataclass
from seepage.engines.outcome import Budget
from seepage.measures.clock import UNLIMITED, OutOfTime

Column: TypeAlias = Mapping[int, fmpq]  # its entries that are not 0, by row

# Exact pivots go over all entries: past this size they would outlast any limit.
MOST_ROWS = 400
MOST_ENTRIES = 3_000_000
_SMALL = 1e-9  # what the search in floats takes for 0; a wrong guess costs exact pivots, never the answer
_PIVOTS = 20  # in floats, at most so many for each row


class TooLargeSystem(Exception):
    """A system with more rows or entries than are solved; the message says how many it has."""


@dataclass(frozen=True, slots=True)
class Feasible:
    """A solution, one value a column, none below 0."""

    values: tuple[fmpq, ...]


@dataclass(frozen=True, slots=True)
class Infeasible:
    """Multipliers, one a row: with them no column comes to more than 0, and the right side to more than 0."""

    multipliers: tuple[fmpq, ...]


def solve(columns: Sequence[Column], right: Sequence[fmpq], budget: Budget = UNLIMITED) -> Feasible | Infeasible:
    """Return a solution of a system, or the proof that there is none.

    Args:
        columns: of the matrix.
        right: the right side, no entry below 0.
        budget: its deadline is kept.

    Raises:
        TooLargeSystem: more than ``MOST_ROWS`` rows or ``MOST_ENTRIES`` entries.
        OutOfTime: past the deadline.
        ValueError: an entry of the right side is below 0.
    """
    rows = len(right)
    if any(entry < 0 for entry in right):
        raise ValueError("found a right side below 0")
    if rows > MOST_ROWS or rows * (len(columns) + rows) > MOST_ENTRIES:
        raise TooLargeSystem(f"{rows:,} equations in {len(columns):,} unknowns")
    whole = [*columns, *({row: fmpq(1)} for row in range(rows))]  # the artificial ones last
    basis = _guessed(whole, right, budget)
    values = _solved(whole, basis, right)
    if values is None or any(value < 0 for value in values):
        basis = list(range(len(columns), len(whole)))
    basis = _improved(whole, basis, right, len(columns), budget)
    values = _solved(whole, basis, right)
    assert values is not None
    if all(value == 0 for column, value in zip(basis, values, strict=True) if column >= len(columns)):
        found = dict(zip(basis, values, strict=True))
        return Feasible(tuple(found.get(column, fmpq(0)) for column in range(len(columns))))
    return Infeasible(tuple(_multipliers(whole, basis, len(columns))))


def _guessed(columns: Sequence[Column], right: Sequence[fmpq], budget: Budget) -> list[int]:
    """Return a basis that floats take for the best one, a column a row."""
    rows, width = len(right), len(columns)
    table = np.zeros((rows + 1, width + 1))
    for number, column in enumerate(columns):
        for row, entry in column.items():
            table[row, number] = _float(entry)
    table[:rows, width] = [_float(entry) for entry in right]
    basis = list(range(width - rows, width))
    table[rows] = -table[:rows].sum(axis=0)
    table[rows, width - rows : width] = 0.0
    for _ in range(_PIVOTS * rows):
        _check_time(budget)
        enters = int(np.argmin(table[rows, :width]))
        if table[rows, enters] > -_SMALL:
            break
        candidates = np.flatnonzero(table[:rows, enters] > _SMALL)
        if not candidates.size:
            break
        ratios = table[candidates, width] / table[candidates, enters]
        leaves = int(candidates[np.argmin(ratios)])
        table[leaves] /= table[leaves, enters]
        others = table[:, enters].copy()
        others[leaves] = 0.0
        table -= np.outer(others, table[leaves])
        basis[leaves] = enters
    return basis


def _check_time(budget: Budget) -> None:
    if budget.expired():
        raise OutOfTime


def _float(entry: fmpq) -> float:
    return int(entry.p) / int(entry.q)


def _improved(
    columns: Sequence[Column], basis: list[int], right: Sequence[fmpq], artificial: int, budget: Budget
) -> list[int]:
    """Return a best basis, found by exact pivots from one whose solution has no value below 0."""
    while True:
        _check_time(budget)
        multipliers = _multipliers(columns, basis, artificial)
        inside = set(basis)
        enters = next(
            (
                number
                for number in range(artificial)
                if number not in inside and _product(columns[number], multipliers) > 0
            ),
            None,
        )
        if enters is None:
            return basis
        direction = _solved(columns, basis, [columns[enters].get(row, fmpq(0)) for row in range(len(right))])
        values = _solved(columns, basis, right)
        assert direction is not None
        assert values is not None
        steps = [(value / slope, basis[at], at) for at, (value, slope) in enumerate(zip(values, direction, strict=True)) if slope > 0]  # fmt: skip
        _, _, leaves = min(steps)  # the sum is at least 0, so that some value comes to 0
        basis = [*basis[:leaves], enters, *basis[leaves + 1 :]]


def _multipliers(columns: Sequence[Column], basis: Sequence[int], artificial: int) -> list[fmpq]:
    """Return y with ``y · column = cost`` for each column of the basis: 1 for artificial ones, 0 for others."""
    rows = len(basis)
    matrix = fmpq_mat(rows, rows, [columns[number].get(row, fmpq(0)) for number in basis for row in range(rows)])
    costs = fmpq_mat(rows, 1, [fmpq(int(number >= artificial)) for number in basis])
    return list(matrix.solve(costs).entries())


def _solved(columns: Sequence[Column], basis: Sequence[int], right: Sequence[fmpq]) -> list[fmpq] | None:
    """Return the values of the basis at which its columns come to the right side; None if its columns are dependent."""
    rows = len(right)
    matrix = fmpq_mat(rows, rows, [columns[number].get(row, fmpq(0)) for row in range(rows) for number in basis])
    try:
        return list(matrix.solve(fmpq_mat(rows, 1, list(right))).entries())
    except ZeroDivisionError:
        return None


def _product(column: Column, multipliers: Sequence[fmpq]) -> fmpq:
    return sum((entry * multipliers[row] for row, entry in column.items()), fmpq(0))
