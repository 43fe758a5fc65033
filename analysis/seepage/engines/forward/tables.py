"""States in columns: a finite sub-distribution with too many states for one Python object each.

A column holds for each row a code, which is a place in the column's list of values; weights are one array. So a statement is worked out once
for each *combination of values that it reads*, by the same scalar code as elsewhere, and the results are spread over the rows: exactness, faults
and witnesses are those of the scalar code. Rational weights are integers over one common denominator, in machine words as long as the denominator, which
bounds their sum, fits one; else Python integers. Ball weights are arrays of balls.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import lcm
from typing import Any, TypeAlias, TypeVar

import numpy as np
from flint import fmpq
from numpy.typing import NDArray

from seepage.data_classes import dataclass
from seepage.exact import Number

Codes: TypeAlias = NDArray[np.int64]
Narrow: TypeAlias = NDArray[
    np.integer[Any]
]  # of as few bytes as the values need: most variables have few, and columns are copied a lot
Weights: TypeAlias = NDArray[Any]
Key: TypeAlias = tuple[Number, ...]
T = TypeVar("T")

WORD = 1 << 62  # sums of weights below need no check for overflow
_SPARE = 4  # a table of all possible keys may be this many times as long as the rows


@dataclass(frozen=True, slots=True)
class Column:
    """The values of one variable: ``values[codes[row]]``; the values are distinct, and some may occur in no row."""

    codes: Narrow
    values: tuple[Number, ...]

    def at(self, rows: NDArray[Any]) -> Column:
        """Return the column of some rows, by their places or by a mask."""
        return Column(self.codes[rows], self.values)


@dataclass(frozen=True, slots=True)
class Table:
    """Rows with weights.

    Attributes:
        layout: names of the columns; a variable without a column is 0.
        columns: each as long as ``weights``.
        weights: int64 or Python integers, to be divided by ``denominator``; or balls, then that is 0. Rows that are equal are one row.
        denominator: at least the sum of the weights if these are integers.
    """

    layout: tuple[str, ...]
    columns: tuple[Column, ...]
    weights: Weights
    denominator: int

    def __len__(self) -> int:
        return len(self.weights)

    def column(self, name: str) -> Column:
        """Return the column of a variable; one that has none is 0 in all rows."""
        if name in self.layout:
            return self.columns[self.layout.index(name)]
        return Column(np.zeros(len(self), dtype=np.uint8), (0,))

    def rows(self) -> Iterator[Key]:
        """Yield the values of each row."""
        if not self.columns:
            return iter([()] * len(self))
        spread = [[column.values[code] for code in column.codes.tolist()] for column in self.columns]
        return zip(*spread, strict=True)

    def masses(self) -> Iterator[Any]:
        """Yield the weight of each row in its ring: rationals or balls."""
        if not self.denominator:
            return iter(self.weights.tolist())
        return (fmpq(weight, self.denominator) for weight in self.weights.tolist())

    def select(self, rows: NDArray[Any]) -> Table:
        """Return some rows, by their places or by a mask."""
        return replace(self, columns=tuple(column.at(rows) for column in self.columns), weights=self.weights[rows])

    def size(self) -> int:
        """Return about how many bytes the table takes."""
        width = sum(column.codes.itemsize for column in self.columns)
        if self.weights.dtype != object:
            return len(self) * (width + 8)
        return len(self) * (width + 64 + (self.denominator.bit_length() // 8))


def table_of(layout: tuple[str, ...], weights: Mapping[Key, Any]) -> Table:
    """Return the table of states with rational or ball weights."""
    keys = list(weights)
    columns = tuple(encode(list(values)) for values in zip(*keys, strict=True)) if layout else ()
    masses = list(weights.values())
    if masses and not isinstance(masses[0], fmpq):
        return Table(layout, columns, _objects(masses), 0)
    denominator = lcm(*{int(mass.q) for mass in masses})
    whole = [int(mass.p) * (denominator // int(mass.q)) for mass in masses]
    return Table(layout, columns, integers(whole, denominator), denominator)


def encode(values: Sequence[Number]) -> Column:
    """Return a column of values."""
    codes: dict[Number, int] = {}
    column = [codes.setdefault(value, len(codes)) for value in values]
    return Column(_narrow(column, len(codes)), tuple(codes))


def _narrow(codes: Sequence[int], count: int) -> Narrow:
    """Return an array of numbers below ``count``."""
    return np.array(codes, dtype=np.uint8 if count <= 1 << 8 else np.uint16 if count <= 1 << 16 else np.int64)


def integers(values: Sequence[int], bound: int) -> Weights:
    """Return an array of non-negative integers whose sum is at most ``bound``."""
    return np.array(values, dtype=np.int64) if bound < WORD else _objects(values)


def _objects(values: Sequence[object]) -> Weights:
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


def combinations(columns: Sequence[Column], rows: int) -> tuple[Codes, Codes]:
    """Return one row of each combination of values that occurs in some columns, and for each row the number of its combination."""
    keys, bound = np.zeros(rows, dtype=np.int64), 1
    for column in columns:
        size = max(1, len(column.values))
        if bound * size >= WORD:
            first, keys = _distinct(keys, bound)
            bound = len(first)
        keys = keys * size + column.codes
        bound *= size
    return _distinct(keys, bound)


def _distinct(keys: Codes, bound: int) -> tuple[Codes, Codes]:
    """Return one place of each key below ``bound`` that occurs, and for each place the number of its key."""
    if bound > _SPARE * len(keys) + 1024:
        _, first, number = np.unique(keys, return_index=True, return_inverse=True)
        return first, number.reshape(-1)
    place = np.full(bound, -1, dtype=np.int64)
    place[keys] = np.arange(len(keys))
    present = np.flatnonzero(place >= 0)
    first = place[present]
    place[present] = np.arange(len(present))
    return first, place[keys]


def gather(columns: Sequence[Column], first: Codes) -> list[Key]:
    """Return the values of some rows in some columns."""
    if not columns:
        return [()] * len(first)
    spread = [[column.values[code] for code in column.codes[first].tolist()] for column in columns]
    return list(zip(*spread, strict=True))


def spread(values: Sequence[Number], number: Codes) -> Column:
    """Return the column whose rows hold ``values[number]``."""
    column = encode(values)
    return Column(column.codes[number], column.values)


def project(table: Table, layout: tuple[str, ...]) -> Table:
    """Return the marginal over some variables; rows that become equal become one."""
    columns = tuple(table.column(name) for name in layout)
    first, number = combinations(columns, len(table))
    if len(first) == len(table):
        return Table(layout, columns, table.weights, table.denominator)
    sums = add_up(table.weights, number, len(first))
    return Table(layout, tuple(column.at(first) for column in columns), sums, table.denominator)


def add_up(weights: Weights, number: Codes, count: int) -> Weights:
    """Return the sum of the weights of each number below ``count``; every number occurs.

    Args:
        weights: whole numbers, of any size in an array of objects.
        number: the group of each weight, from 0 on.
        count: how many groups there are.
    """
    if weights.dtype != object:
        sums = np.zeros(count, dtype=np.int64)
        np.add.at(sums, number, weights)
        return sums
    order = np.argsort(number, kind="stable")
    starts = np.searchsorted(number[order], np.arange(count))
    return np.add.reduceat(weights[order], starts)


def join(tables: Sequence[Table]) -> Table:
    """Return the sum of sub-distributions over the union of their columns."""
    first, *others = [table for table in tables if len(table)] or [tables[0]]
    if not others:
        return first
    layout = tuple(dict.fromkeys(name for table in (first, *others) for name in table.layout))
    columns = tuple(_stack([table.column(name) for table in (first, *others)]) for name in layout)
    denominator = lcm(*(table.denominator for table in (first, *others)))
    parts = [scaled(table, denominator).weights for table in (first, *others)]
    if any(part.dtype == object for part in parts):
        parts = [part.astype(object) for part in parts]
    return project(Table(layout, columns, np.concatenate(parts), denominator), layout)


def _stack(columns: Sequence[Column]) -> Column:
    if all(column.values == columns[0].values for column in columns):
        return Column(np.concatenate([column.codes for column in columns]), columns[0].values)
    codes: dict[Number, int] = {}
    recodes = [[codes.setdefault(value, len(codes)) for value in column.values] for column in columns]
    parts = [_narrow(each, len(codes))[column.codes] for each, column in zip(recodes, columns, strict=True)]
    return Column(np.concatenate(parts), tuple(codes))


def scaled(table: Table, denominator: int) -> Table:
    """Return the table over another denominator, a multiple of its own; one of balls stays as it is."""
    if denominator == table.denominator:
        return table
    factor = denominator // table.denominator
    weights = table.weights if denominator < WORD else table.weights.astype(object)
    return replace(table, weights=weights * factor, denominator=denominator)


def reduced(table: Table) -> Table:
    """Return the table over its smallest denominator, if that is what brings its weights into machine words or keeps them short."""
    if table.denominator < WORD:
        return table
    common = table.denominator
    common = int(np.gcd.reduce(np.append(table.weights, common)))
    denominator = table.denominator // common
    if common == 1:
        return table
    weights = table.weights // common
    return replace(table, weights=integers(weights.tolist(), denominator), denominator=denominator)


def with_rows(table: Table, weights: Weights, total: int) -> tuple[Table, Column]:
    """Return for each row as many as there are weights, with the column of their numbers.

    Args:
        table: the rows.
        weights: positive integers.
        total: their sum.
    """
    count = len(weights)
    rows = np.repeat(np.arange(len(table)), count)
    place = np.tile(np.arange(count), len(table))
    columns = tuple(column.at(rows) for column in table.columns)
    drawn = Column(place, tuple(range(count)))
    if not table.denominator:
        shares = _objects([fmpq(int(weight), total) for weight in weights.tolist()])
        return Table(table.layout, columns, table.weights[rows] * shares[place], 0), drawn
    denominator = table.denominator * total
    before, factors = (
        (table.weights, weights) if denominator < WORD else (table.weights.astype(object), weights.astype(object))
    )
    return reduced(Table(table.layout, columns, before[rows] * factors[place], denominator)), drawn


def cells(numbers: Column, codes: Codes, values: tuple[Number, ...]) -> Column:
    """Return the column of cells in the rows of some numbers; ``codes`` tells for each number the place of its cell among the values."""
    picked = np.array(numbers.values, dtype=np.int64)[numbers.codes]
    found = codes[picked]
    return Column(
        found.astype(np.uint8 if len(values) <= 1 << 8 else np.uint16 if len(values) <= 1 << 16 else np.int64), values
    )


def expand(table: Table, number: Codes, laws: Sequence[Sequence[tuple[Number, Any]]]) -> tuple[Table, Column]:
    """Return for each row as many as its law has values, with the column of those; ``number`` tells which law a row has."""
    counts = np.array([len(law) for law in laws], dtype=np.int64)
    starts = np.cumsum(counts) - counts
    repeats = counts[number]
    rows = np.repeat(np.arange(len(table)), repeats)
    place = np.arange(len(rows)) - np.repeat(np.cumsum(repeats) - repeats, repeats) + starts[number][rows]
    values = encode([value for law in laws for value, _ in law])
    masses = [mass for law in laws for _, mass in law]
    drawn = Column(values.codes[place], values.values)
    columns = tuple(column.at(rows) for column in table.columns)
    if not table.denominator:
        return Table(table.layout, columns, table.weights[rows] * _objects(masses)[place], 0), drawn
    common = lcm(*{int(mass.q) for mass in masses})
    denominator = table.denominator * common
    factors = integers([int(mass.p) * (common // int(mass.q)) for mass in masses], max(denominator, common))
    weights = table.weights if denominator < WORD else table.weights.astype(object)
    return reduced(Table(table.layout, columns, weights[rows] * factors[place], denominator)), drawn


def replaced(table: Table, names: Sequence[str], columns: Sequence[Column]) -> Table:
    """Return the table with columns written; rows may be equal now."""
    now = dict(zip(table.layout, table.columns, strict=True))
    now.update(zip(names, columns, strict=True))
    return replace(table, layout=tuple(now), columns=tuple(now.values()))


def chosen(mask: NDArray[np.bool_], first: Column, second: Column) -> Column:
    """Return the column that takes ``first`` where the mask holds."""
    both = _stack([first, second])
    rows = len(mask)
    return Column(np.where(mask, both.codes[:rows], both.codes[rows:]), both.values)


class TableMasses(Mapping[Key, T]):
    """The masses of a large joint; whoever asks for single ones makes a dictionary of them."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self._known: dict[Key, T] | None = None

    def _dictionary(self) -> dict[Key, T]:
        if self._known is None:
            self._known = dict(zip(self.table.rows(), self.table.masses(), strict=True))
        return self._known

    @property
    def is_rational(self) -> bool:
        """Whether the masses are rational numbers: then the weights of the table are proportional to them."""
        return self.table.denominator > 0

    def __getitem__(self, key: Key) -> T:
        return self._dictionary()[key]

    def __iter__(self) -> Iterator[Key]:
        return iter(self._dictionary())

    def __len__(self) -> int:
        return len(self.table)
