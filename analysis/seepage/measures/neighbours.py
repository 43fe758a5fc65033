"""Which inputs of a channel are neighbours: all pairs, numbers not far apart, tuples that differ in few places.

Neighbours come as *neighbourhoods*: sets of inputs any two of which are neighbours, such that each pair of neighbours is in one of them. So a
supremum over pairs that is separate in its two inputs needs no look at pairs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cmp_to_key
from itertools import combinations, permutations
from math import comb
from typing import TypeAlias

from seepage import exact
from seepage.exact import Number
from seepage.measures.weights import Values

MOST_BUCKETS = 2_000_000  # inputs times choices of places in which neighbours differ


@dataclass(frozen=True, slots=True)
class Apart:
    """Numbers at most ``distance`` apart."""

    distance: Number


@dataclass(frozen=True, slots=True)
class Differing:
    """Tuples that differ in at most ``places`` elements (Hamming distance)."""

    places: int


Closeness: TypeAlias = Apart | Differing | None  # None: all pairs


class TooManyNeighbours(Exception):
    """There are more pairs to look at than the budget allows; the reason says how many."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def neighbourhoods(inputs: Sequence[Values], closeness: Closeness) -> list[tuple[Values, ...]]:
    """Return the neighbourhoods of at least two inputs; inputs are 1-tuples where numbers are compared.

    Raises:
        TooManyNeighbours: if tuples differ in too many places.
    """
    match closeness:
        case None:
            found: list[tuple[Values, ...]] = [tuple(inputs)]
        case Apart(distance):
            found = _windows(inputs, distance)
        case Differing(places) if inputs and places >= len(inputs[0]):
            found = [tuple(inputs)]
        case Differing(places):
            found = _buckets(inputs, places)
    return [each for each in found if len(each) > 1]


def _windows(inputs: Sequence[Values], distance: Number) -> list[tuple[Values, ...]]:
    """Return the longest runs, in order, of numbers whose ends are at most ``distance`` apart."""
    ordered = sorted(inputs, key=cmp_to_key(_by_number))
    found: list[tuple[Values, ...]] = []
    last = 0
    for first, (low,) in enumerate(ordered):
        before, last = last, max(last, first + 1)
        bound = exact.add(low, distance)
        while last < len(ordered) and exact.compare(ordered[last][0], bound) <= 0:
            last += 1
        if first == 0 or last > before:
            found.append(tuple(ordered[first:last]))
    return found


def _by_number(one: Values, other: Values) -> int:
    return exact.compare(one[0], other[0])


def _buckets(inputs: Sequence[Values], places: int) -> list[tuple[Values, ...]]:
    """Return for each choice of places the inputs that agree in all others."""
    if not inputs:
        return []
    length = len(inputs[0])
    if comb(length, places) * len(inputs) > MOST_BUCKETS:
        raise TooManyNeighbours(f"{len(inputs):,} values that may differ in {places} of {length} elements")
    found: list[tuple[Values, ...]] = []
    for chosen in combinations(range(length), places):
        kept = [place for place in range(length) if place not in chosen]
        buckets: dict[Values, list[Values]] = {}
        for values in inputs:
            buckets.setdefault(tuple([values[place] for place in kept]), []).append(values)
        found.extend(tuple(bucket) for bucket in buckets.values())
    return found


def pairs(found: Sequence[tuple[Values, ...]]) -> Iterator[tuple[Values, Values]]:
    """Yield every ordered pair of neighbours once."""
    if len(found) == 1:
        yield from permutations(found[0], 2)
        return
    seen: set[tuple[Values, Values]] = set()
    for each in found:
        for pair in permutations(each, 2):
            if pair not in seen:
                seen.add(pair)
                yield pair
