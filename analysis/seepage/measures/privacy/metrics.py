"""How far two inputs of a channel are apart: the metrics of the language, and tables of pairs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import reduce
from types import MappingProxyType
from typing import TypeAlias

from seepage import exact
from seepage.data_classes import dataclass
from seepage.exact import Number
from seepage.measures.discrete.weights import Values


@dataclass(frozen=True, slots=True)
class Named:
    """A metric with a name, which compares all inputs.

    Attributes:
        name: in the language.
        of_line: whether numbers on a line are as far apart as their difference says.
        distance: of two tuples of numbers of the same length.
    """

    name: str
    of_line: bool
    distance: Callable[[Values, Values], Number]

    def between(self, one: Values, other: Values) -> Number | None:
        """Return how far two inputs are apart."""
        return self.distance(one, other)


@dataclass(frozen=True, slots=True)
class Tabled:
    """A metric that is stated for some pairs, whatever their order; the others are not compared."""

    distances: Mapping[tuple[Values, Values], Number]

    def between(self, one: Values, other: Values) -> Number | None:
        """Return how far two inputs are apart, None if that is not stated."""
        found = self.distances.get((one, other))
        return self.distances.get((other, one)) if found is None else found


Metric: TypeAlias = Named | Tabled


def _difference(one: Values, other: Values) -> Number:
    return reduce(exact.add, map(_apart, one, other))


def _places(one: Values, other: Values) -> Number:
    return sum(here != there for here, there in zip(one, other, strict=True))


def _euclid(one: Values, other: Values) -> Number:
    if len(one) == 1:
        return _difference(one, other)
    return exact.sqrt_(reduce(exact.add, (exact.mul(apart, apart) for apart in map(_apart, one, other))))


def _apart(one: Number, other: Number) -> Number:
    return exact.abs_(exact.sub(one, other))


NAMED: Mapping[str, Named] = MappingProxyType(
    {
        one.name: one
        for one in (
            Named("difference", True, _difference),
            Named("places", False, _places),
            Named("euclid", True, _euclid),
        )
    }
)
"""By their names, as the vocabulary has them."""
