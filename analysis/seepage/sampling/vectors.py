"""Columns, a value for each run, and their arithmetic.

A column has machine integers, floats (of continuous draws and all that is made of them), or objects: exact numbers of any size. Machine integers are
left where a result might not fit them.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from seepage import exact
from seepage.exact import Number
from seepage.semantics.evaluate import ARITHMETIC, BINARY_FUNCTIONS, ORDER, UNARY_FUNCTIONS

Column: TypeAlias = NDArray[Any]  # int64, float64 or object
Rows: TypeAlias = NDArray[np.intp]
T = TypeVar("T")

_SMALL = 2**31  # products of integers below this fit a machine word


def constant(value: Number, size: int) -> Column:
    """Return a column of one value."""
    if isinstance(value, int) and abs(value) < 2**62:
        return np.full(size, value, dtype=np.int64)
    column = np.empty(size, dtype=object)
    column[:] = value
    return column


def is_real(column: Column) -> bool:
    """Tell whether a column has floats."""
    return column.dtype.kind == "f"


def floats(column: Column) -> NDArray[np.float64]:
    """Return a column as floats, the nearest ones."""
    if column.dtype == object:
        return np.array(_each(exact.nearest_float, column), np.float64)
    return column.astype(np.float64)


def objects(column: Column) -> Column:
    """Return a column of exact numbers as Python objects; floats are taken at their value."""
    if is_real(column):
        made = np.empty(len(column), dtype=object)
        made[:] = [exact.number(Fraction(each)) for each in column.tolist()]
        return made
    return column.astype(object)


def tightened(column: Column) -> Column:
    """Return a column of objects as machine integers if all of it fits them."""
    if column.dtype == object and all(type(each) is int and abs(each) < 2**62 for each in column):
        return column.astype(np.int64)
    return column


def merged(old: Column, rows: Rows, new: Column) -> Column:
    """Return a column with other values in some rows, of a kind that has both."""
    kinds = {old.dtype.kind, new.dtype.kind}
    if kinds == {"i"} or kinds == {"f"}:
        made = old.copy()
    elif "f" in kinds:
        made, new = floats(old), floats(new)
    else:
        made, new = old.astype(object), new.astype(object)
    made[rows] = new
    return made


def arithmetic(operator: str, a: Column, b: Column) -> Column:
    """Return a + b, a - b, a * b, a / b, a % b or a ^ b.

    Raises:
        ArithmeticFault: if some value is undefined or too large.
        FloatingPointError: the same of floats.
    """
    if is_real(a) or is_real(b):
        return _real_arithmetic(operator, floats(a), floats(b))
    if a.dtype != object and b.dtype != object and _fits(operator, a, b):
        return np.asarray(_WHOLE[operator](a, b))
    return _by_objects(ARITHMETIC[operator], a, b)


def compared(operator: str, a: Column, b: Column) -> NDArray[np.bool_]:
    """Return a == b, a != b, a < b, … as booleans.

    Raises:
        ArithmeticFault: if exact numbers cannot be told apart.
    """
    if is_real(a) or is_real(b):
        return np.asarray(_COMPARISONS[operator](floats(a), floats(b)))
    if a.dtype != object and b.dtype != object:
        return np.asarray(_COMPARISONS[operator](a, b))
    if operator in ("==", "!="):
        equal = np.array([x == y for x, y in zip(a.tolist(), b.tolist(), strict=True)], dtype=np.bool_)
        return equal if operator == "==" else ~equal
    signs = _pairwise(exact.compare, a, b)
    return np.array([ORDER[operator](sign) for sign in signs], dtype=np.bool_)


def applied(function: str, columns: list[Column]) -> Column:
    """Apply a function of the language; raises as :func:`arithmetic` does."""
    if function in UNARY_FUNCTIONS:
        (column,) = columns
        if is_real(column) and function in _REAL_FUNCTIONS:
            with np.errstate(divide="raise", invalid="raise", over="raise"):
                found = _REAL_FUNCTIONS[function](column)
            whole = function in ("floor", "ceil") and np.all(np.abs(found) < 2**62)
            return np.asarray(found.astype(np.int64) if whole else found)
        return _column_of(_each(UNARY_FUNCTIONS[function], objects(column)))
    result = columns[0]
    for column in columns[1:]:
        if (is_real(result) or is_real(column)) and function in _REAL_PAIRS:
            result = _REAL_PAIRS[function](floats(result), floats(column))
        else:
            result = _by_objects(BINARY_FUNCTIONS[function], result, column)
    return result


def _by_objects(function: Callable[[Number, Number], Number], a: Column, b: Column) -> Column:
    return _column_of(_pairwise(function, objects(a), objects(b)))


def _pairwise(function: Callable[[Number, Number], T], a: Column, b: Column) -> list[T]:
    """Apply a function to pairs, once to those of the same objects: few runs differ in numbers that are written out, and exact arithmetic is slow."""
    first, second = a.tolist(), b.tolist()
    known: dict[tuple[int, int], T] = {}
    found = []
    for x, y in zip(first, second, strict=True):
        key = (id(x), id(y))  # both lists live on, so that no other object takes an identity
        if key not in known:
            known[key] = function(x, y)
        found.append(known[key])
    return found


def _each(function: Callable[[Number], T], column: Column) -> list[T]:
    """Apply a function to values, as :func:`_pairwise` does."""
    return _pairwise(lambda value, _: function(value), column, np.zeros(len(column), dtype=np.int64))


def _column_of(values: list[Number]) -> Column:
    column = np.empty(len(values), dtype=object)
    column[:] = values
    return tightened(column)


def _fits(operator: str, a: NDArray[np.int64], b: NDArray[np.int64]) -> bool:
    if operator == "%":
        return bool(np.all(b > 0))
    return operator in _WHOLE and bool(np.all(np.abs(a) < _SMALL) and np.all(np.abs(b) < _SMALL))


def _real_arithmetic(operator: str, a: NDArray[np.float64], b: NDArray[np.float64]) -> Column:
    with np.errstate(divide="raise", invalid="raise", over="raise"):
        return np.asarray(_REAL[operator](a, b))


_WHOLE: dict[str, Callable[[Any, Any], Any]] = {
    "+": np.add,
    "-": np.subtract,
    "*": np.multiply,
    "%": np.mod,
}
_REAL: dict[str, Callable[[Any, Any], Any]] = {**_WHOLE, "/": np.divide, "^": np.power}
_COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    "==": np.equal,
    "!=": np.not_equal,
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
}
_REAL_FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    "abs": np.abs,
    "floor": np.floor,
    "ceil": np.ceil,
    "exp": np.exp,
    "log": np.log,
    "sqrt": np.sqrt,
}
_REAL_PAIRS: dict[str, Callable[[Any, Any], Any]] = {"min": np.minimum, "max": np.maximum}
