"""Operations on single values as factor graphs tabulate them: undefined values are values, too, and lazy operators need not look at them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from math import prod
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seepage import exact
from seepage.engines.factors.graph import Domain, Places, Value
from seepage.exact import ArithmeticFault, Irrational, Number
from seepage.semantics.evaluate import ARITHMETIC, BINARY_FUNCTIONS, ORDER, UNARY_FUNCTIONS

Operation = Callable[..., Value]

_MANY = 256  # cells: from here on arrays of machine integers are worked out whole
_SMALL = 1 << 31  # integers below have products that fit a machine word


def truth(value: Value) -> Value:
    """Return a value that must be boolean, undefined if it is not."""
    return value if value is not None and (value == 0 or value == 1) else None


def choose(condition: Value, consequent: Value, alternative: Value) -> Value:
    """Return the value of ``if condition then consequent else alternative``."""
    match truth(condition):
        case None:
            return None
        case 1:
            return consequent
        case _:
            return alternative


def passes(reached: Value, condition: Value) -> Value:
    """Tell whether an observation lets a run go on: one that is not reached does."""
    return choose(reached, condition, 1)


def _and(left: Value, right: Value) -> Value:
    return choose(left, truth(right), 0)


def _or(left: Value, right: Value) -> Value:
    return choose(left, 1, truth(right))


def _xor(left: Value, right: Value) -> Value:
    a, b = truth(left), truth(right)
    return None if a is None or b is None else int(a != b)


def _not(value: Value) -> Value:
    return choose(value, 0, 1)


def _strict(compute: Callable[..., Number]) -> Operation:
    """Return an operation that is undefined where an operand is, or where it has no value."""

    def run(*operands: Value) -> Value:
        if None in operands:
            return None
        try:
            found: Value = compute(*operands)
        except ArithmeticFault:
            return None
        return found

    return run


def _compared(holds: Callable[[int], bool]) -> Operation:
    return _strict(lambda a, b: int(holds(exact.compare(a, b))))


_OF_NUMBERS: Mapping[str, Callable[..., Number]] = {**ARITHMETIC, **UNARY_FUNCTIONS, **BINARY_FUNCTIONS}

OPERATIONS: Mapping[str, Operation] = MappingProxyType(
    {name: _strict(compute) for name, compute in _OF_NUMBERS.items()}
    | {name: _compared(holds) for name, holds in ORDER.items()}
    | {
        "==": _strict(lambda a, b: int(a == b)),
        "!=": _strict(lambda a, b: int(a != b)),
        "negate": _strict(exact.neg),
        "not": _not,
        "and": _and,
        "or": _or,
        "xor": _xor,
        "truth": truth,
        "choose": choose,
        "passes": passes,
        "doubt": lambda reached, value: int(reached == 1 and value is None),
    }
)
"""By name: operators of the language, ``negate`` for the sign, functions, and what statements need."""

_VECTORISED: Mapping[str, Callable[[NDArray[Any], NDArray[Any]], NDArray[Any]]] = MappingProxyType(
    {
        "+": np.add,
        "-": np.subtract,
        "*": np.multiply,
        "min": np.minimum,
        "max": np.maximum,
        "==": np.equal,
        "!=": np.not_equal,
        "<": np.less,
        "<=": np.less_equal,
        ">": np.greater,
        ">=": np.greater_equal,
        "bit_xor": np.bitwise_xor,
        "bit_and": np.bitwise_and,
        "bit_or": np.bitwise_or,
    }
)


def tabulated(name: str, domains: Sequence[Domain]) -> tuple[Domain, Places]:
    """Return the values of an operation over the product of domains: those that occur, and for each cell the place of its value among them."""
    shape = tuple(map(len, domains))
    if prod(shape) < _MANY:
        return collected(map(OPERATIONS[name], *zip(*product(*domains), strict=True)), shape)
    return worked_out(name, domains, list(np.ogrid[tuple(slice(length) for length in shape)]))


def worked_out(name: str, domains: Sequence[Domain], codes: Sequence[Places]) -> tuple[Domain, Places]:
    """Return the values of an operation over a grid, and for each cell the place of its value among them.

    Args:
        name: of the operation.
        domains: of the operands.
        codes: of each operand the place of its value in its domain, for each cell of the grid; broadcast against each other.
    """
    vectorised = _VECTORISED.get(name)
    if vectorised is not None and len(domains) == 2 and all(map(_small, domains)) and not _signed_bits(name, domains):
        left, right = (np.array(each, dtype=np.int64)[code] for each, code in zip(domains, codes, strict=True))
        values = vectorised(left, right)
        found, places = np.unique(values, return_inverse=True)
        return tuple(int(each) for each in found.tolist()), places.reshape(values.shape)
    linear: Any = 0
    for each, code in zip(domains, codes, strict=True):
        linear = linear * len(each) + code
    used, again = np.unique(linear, return_inverse=True)  # combinations of values that occur
    picked = np.unravel_index(used, tuple(map(len, domains)))
    columns = [[domain[place] for place in places.tolist()] for domain, places in zip(domains, picked, strict=True)]
    domain, places = collected(map(OPERATIONS[name], *columns), used.shape)
    return domain, places[again].reshape(linear.shape)


def _small(domain: Domain) -> bool:
    return all(isinstance(value, int) and -_SMALL < value < _SMALL for value in domain)


def _signed_bits(name: str, domains: Sequence[Domain]) -> bool:
    return name.startswith("bit_") and not all(
        isinstance(value, int) and value >= 0 for domain in domains for value in domain
    )


def collected(values: Any, shape: tuple[int, ...]) -> tuple[Domain, Places]:
    """Return the different values of a table in order, and the place of each cell's value among them; ``values`` goes row by row."""
    listed = list(values)
    domain = in_order(listed)
    place = {value: number for number, value in enumerate(domain)}
    return domain, np.array([place[value] for value in listed], dtype=np.intp).reshape(shape)


def in_order(values: Any) -> Domain:
    """Return different values as a domain: ascending where they are rational, what is undefined at the end."""
    found: dict[Value, None] = dict.fromkeys(values)
    undefined = found.pop(None, 0) is None
    numbers: list[Number] = [value for value in found if value is not None]
    rational = [value for value in numbers if not isinstance(value, Irrational)]
    if len(rational) == len(numbers):
        rational.sort()
        numbers[:] = rational
    return (*numbers, None) if undefined else tuple(numbers)
