"""The distinct rows of some columns of a table, with their weights: the part that loads numpy, which checking a program does not need."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from seepage.syntax.data.table import Column, Table

Codes: TypeAlias = NDArray[np.int64]
Weights: TypeAlias = NDArray[Any]

_WORD = 1 << 62  # sums of weights below need no check for overflow


def distinct(table: Table, columns: Sequence[str], weight: str | None) -> tuple[Weights, dict[str, Codes]]:
    """Return the weight of each distinct row, and for each column the places of its cells among the column's values.

    Weights are positive integers: counts, or the weights of a column over their common denominator; machine words where their sum fits one.
    Rows of weight 0 are left out.
    """
    chosen = [table.by_name[name] for name in columns]
    codes = [_places(one) for one in chosen]
    keys, bound = np.zeros(table.rows, dtype=np.int64), 1
    for one, column in zip(codes, chosen, strict=True):
        size = len(column.values)
        if bound * size >= _WORD:
            keys, bound = np.unique(keys, return_inverse=True)[1].reshape(-1), table.rows
        keys = keys * size + one
        bound *= size
    each = None if weight is None else _weights(table.by_name[weight])
    if each is not None:
        present = each > 0
        keys, each, codes = keys[present], each[present], [one[present] for one in codes]
    _, first, number = np.unique(keys, return_index=True, return_inverse=True)
    number = number.reshape(-1)
    if each is None:
        sums: Weights = np.bincount(number, minlength=len(first)).astype(np.int64)
    else:
        sums = np.zeros(len(first), dtype=each.dtype)
        np.add.at(sums, number, each)
    return sums, {name: one[first] for name, one in zip(columns, codes, strict=True)}


def _weights(column: Column) -> Weights:
    """Return the weight of each row as a whole number."""
    common = lcm(*{Fraction(value).denominator for value in column.values})
    whole = [int(value * common) for value in column.values]
    places = _places(column)
    total = sum(value * count for value, count in zip(whole, np.bincount(places).tolist(), strict=True))
    return np.array(whole, dtype=np.int64 if total < _WORD else object)[places]


def _places(column: Column) -> Codes:
    """Return for each row of the file the place of its cell among the distinct values of a column."""
    codes = np.frombuffer(column.codes, dtype=np.dtype(column.codes.typecode))
    return codes.astype(np.int64) if column.merged is None else np.array(column.merged, dtype=np.int64)[codes]
