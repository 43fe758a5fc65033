"""What people give as a channel, read as arrays and laws: lists, arrays of numpy, sparse matrices of scipy, data frames; what is none is told with its row."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from seepage.priors import normalised

if TYPE_CHECKING:
    import numpy.typing as npt

    Floats: TypeAlias = npt.NDArray[np.float64]


LARGEST = 25_000_000
"""Entries of a channel."""


def rows_of(prior: object, matrix: object) -> npt.NDArray[Any]:
    """Return the matrix of a channel as an array with a row for each input.

    Args:
        prior: which tells only whether the two were swapped.
        matrix: as :func:`array_of` reads it.

    Raises:
        ValueError: if it is no matrix, or has more than :data:`LARGEST` entries.
        TypeError: if it is no array.
    """
    rows = array_of(matrix)
    if rows.ndim != 2 or not rows.size:
        swapped = prior is not None and array_of(prior).ndim == 2
        order = "; the prior comes first: seepage.channel(prior, matrix)" if swapped else ""
        raise ValueError(f"found an array of shape {rows.shape}, expected a row for each input{order}")
    if rows.size > LARGEST:
        raise ValueError(f"found {rows.size} entries, expected at most {LARGEST}")
    return rows


def row_law(rows: npt.NDArray[Any], place: int, tolerance: float) -> tuple[tuple[Fraction, ...], float]:
    """Return a row as a law; a matrix whose columns are laws was meant the other way round."""
    try:
        return normalised(rows[place], f"row {place}", tolerance)
    except ValueError as error:
        try:
            for column in rows.T:
                normalised(column, "a column", tolerance)
        except ValueError:
            raise error from None
        raise ValueError(f"{error}; its columns are laws: give the matrix transposed") from None


def need_same_labels(prior: object, matrix: object) -> None:
    """Refuse a prior and a matrix of pandas whose rows have other labels, or others in order: rows are taken as they stand."""
    labels: list[Any] = [getattr(each, "index", None) for each in (prior, matrix)]
    first, second = labels
    if not hasattr(first, "equals") or not hasattr(second, "equals") or len(first) != len(second):
        return
    if not first.equals(second) and all(list(each) != list(range(len(each))) for each in labels):
        expected = "the same labels in the same order: prior.reindex(matrix.index)"
        raise ValueError(f"found a prior of {list(first[:4])} for the rows {list(second[:4])}, expected {expected}")


def array_of(given: Any) -> npt.NDArray[Any]:
    """Return what is given as an array of floats, or of objects that stand for numbers; truth values are 0 and 1.

    Raises:
        ValueError: if rows have different lengths, or entries are masked.
        TypeError: if it is no array.
    """
    found = _read_array(given)
    if np.ma.is_masked(given):
        raise ValueError("found masked entries, expected a probability everywhere: matrix.filled(0)")
    return found.astype(int) if found.dtype.kind == "b" else found


def _read_array(given: Any) -> npt.NDArray[Any]:
    for method in ("toarray", "to_numpy"):  # sparse matrices; data frames and their columns
        if hasattr(given, method):
            return np.asarray(getattr(given, method)())
    if isinstance(given, np.ndarray):
        return np.asarray(given)  # that of a matrix of numpy has rows of its own
    if hasattr(given, "tolist"):
        given = given.tolist()  # a matrix of SymPy is a list of its cells else
    if not isinstance(given, Iterable):
        raise TypeError(f"found {type(given).__name__}, expected rows of probabilities, or an array")
    rows = list(given)
    if any(isinstance(each, Sequence) and not isinstance(each, str) for each in rows):
        if len({len(each) for each in rows}) > 1:
            raise ValueError("found rows of different lengths, expected one length")
        cells = [cell for row in rows for cell in row]
        kind = float if all(isinstance(cell, float) for cell in cells) else object
        return np.array(cells, dtype=kind).reshape(len(rows), -1)
    if any(isinstance(each, np.ndarray) for each in rows):
        return np.array(rows)
    return np.array(rows, dtype=float if all(isinstance(each, float) for each in rows) else object)


def float_law(rows: Floats, what: str, tolerance: float) -> tuple[Floats, float]:
    """Return laws divided by their sums, and by how much these differed from 1."""
    sums = rows.sum(axis=1)
    wrong = ~(np.abs(sums - 1) <= tolerance) | ~(rows >= 0).all(axis=1)
    if wrong.any():
        place = int(np.flatnonzero(wrong)[0])
        reason = f"the sum {sums[place]:.12g}" if (rows[place] >= 0).all() else "a number that is no probability"
        raise ValueError(f"found {what.format(place)} with {reason}, expected probabilities with the sum 1")
    return rows / sums[:, None], float(np.abs(sums - 1).max())
