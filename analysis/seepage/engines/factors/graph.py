"""What a factor graph is: variables with finite domains, and the factors whose product is the weight of an assignment of values to all of them.

A sampling is a :class:`Table`, an assignment a :class:`Function` (never a table: it has one value for each choice of its inputs), an observation a table of
zeros and ones. Tables hold Python integers over one denominator, or balls.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from math import prod
from typing import Any, TypeAlias

import numpy as np
from flint import arb, fmpq
from numpy.typing import NDArray

from seepage.data_classes import dataclass
from seepage.engines.outcome import Ring
from seepage.exact import Number
from seepage.semantics.core import CoreObserve

Variable: TypeAlias = int
"""A variable's place in ``Graph.domains``; what it is computed from has smaller places."""

Value: TypeAlias = Number | None
"""A value that a variable can have; None stands for a value that is undefined, as that of 1/0."""

Domain: TypeAlias = tuple[Value, ...]
Entries: TypeAlias = NDArray[np.object_]
Places: TypeAlias = NDArray[np.intp]

MOST_AXES = 30
"""Of one array; numpy has no more than 32 in its older versions."""


class Beyond(Exception):
    """A program, or a question about it, that factor graphs do not answer; ``reason`` completes "not answered by elimination: …"."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Impossible(Beyond):
    """A program none of whose runs passes an observation; ``killer`` is the first such, None if it is not known."""

    def __init__(self, killer: CoreObserve | None = None) -> None:
        super().__init__("no run passes the observations")
        self.killer = killer


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """A factor given by its entries.

    Attributes:
        scope: its variables.
        entries: of the shape of their domains: integers, to be divided by ``denominator``, or balls (with integers 0 where nothing is possible).
        denominator: 1 for balls.
    """

    scope: tuple[Variable, ...]
    entries: Entries
    denominator: int = 1


@dataclass(frozen=True, slots=True, eq=False)
class Function:
    """A factor that is 1 where the output is what the inputs make it, and else 0.

    Attributes:
        inputs: variables, each once; there may be none.
        output: the variable.
        places: of the shape of the inputs' domains: the place of the value in the output's domain.
    """

    inputs: tuple[Variable, ...]
    output: Variable
    places: Places


@dataclass(frozen=True, slots=True, eq=False)
class Selection:
    """A factor that is 1 where the output is the element that an index picks: ``o = a[k]``.

    Attributes:
        index: the variable k.
        output: the variable o.
        elements: for each value in the domain of k the variable that it picks.
        places: for each value of k, the place in the output's domain of each value of that variable.
    """

    index: Variable
    output: Variable
    elements: tuple[Variable, ...]
    places: tuple[Places, ...]


Factor: TypeAlias = Table | Function | Selection


@dataclass(frozen=True, slots=True)
class Constant:
    """A value that is known before anything runs."""

    value: Value


Node: TypeAlias = Variable | Constant
"""What a name means at the end of a program."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """A variable of the domain 0, 1 that is 1 where a run meets a value that is undefined; only factors before ``until`` decide whether there are such runs."""

    variable: Variable
    until: int


@dataclass(frozen=True, slots=True, eq=False)
class Graph:
    """A program as a product of factors.

    Attributes:
        domains: of each variable.
        factors: in the order of the program.
        names: what the names at the end of the program mean.
        ring: of the weights, as those of a joint; the rationals stand for integers over a denominator.
        doubts: where values may be undefined.
        observed: the observations, each with how many factors there are up to it.
    """

    domains: Sequence[Domain]
    factors: Sequence[Factor]
    names: Mapping[str, Node]
    ring: Ring[fmpq] | Ring[arb]
    doubts: Sequence[Doubt] = field(default=())
    observed: Sequence[tuple[int, CoreObserve]] = field(default=())

    def variables(self, names: Iterable[str]) -> tuple[Variable, ...]:
        """Return the variables that names mean, each once; constants have none."""
        nodes = (self.names.get(name, Constant(0)) for name in names)
        return tuple(dict.fromkeys(node for node in nodes if not isinstance(node, Constant)))

    def size(self, variables: Iterable[Variable]) -> int:
        """Return the number of assignments of values to variables."""
        return prod(len(self.domains[variable]) for variable in variables)


def scope_of(factor: Factor) -> tuple[Variable, ...]:
    """Return all variables of a factor, each once."""
    match factor:
        case Table(scope=scope):
            return scope
        case Function(inputs=inputs, output=output):
            return (*inputs, output)
        case Selection(index=index, output=output, elements=elements):
            return tuple(dict.fromkeys((index, output, *elements)))


def spread(array: NDArray[Any], scope: Sequence[Variable], axes: Sequence[Variable]) -> NDArray[Any]:
    """Return an array over some variables as one that broadcasts over more of them, whose axes are ``axes``."""
    if tuple(scope) == tuple(axes):
        return array
    places = [axes.index(variable) for variable in scope]
    shape = [1] * len(axes)
    for place, length in zip(places, array.shape, strict=True):
        shape[place] = length
    order = sorted(range(len(places)), key=places.__getitem__)
    return array.transpose(order).reshape(shape)


def is_zero(entry: Any) -> bool:
    """Tell whether an entry is known to be 0: a ball that only holds 0 is not."""
    return bool(entry.is_zero()) if isinstance(entry, arb) else entry == 0


def largest(entries: Entries, is_ball: bool) -> Callable[..., Any]:
    """Return the operation that takes the larger of two entries."""
    return _MAXIMUM_OF_BALLS if is_ball else np.maximum


def _larger(a: arb | int, b: arb | int) -> arb | int:
    if isinstance(a, int) and isinstance(b, int):
        return max(a, b)
    return arb(a).max(arb(b))


_MAXIMUM_OF_BALLS = np.frompyfunc(_larger, 2, 1)
