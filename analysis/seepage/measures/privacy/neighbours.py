"""Which inputs of a channel are neighbours: all pairs, numbers not far apart, tuples that differ in few places, points that a metric says are near, stated pairs.

Neighbours come as *neighbourhoods*: two sets of inputs, each of the first of which is a neighbour of each of the second, such that each ordered pair of neighbours is in
one of them. So a supremum over pairs that is separate in its two inputs needs no look at pairs. Of inputs that are told to be *alike* two stand for all in each neighbourhood:
where only the row of an input matters, what is asked of a pair depends on the two kinds alone, and two of one kind are a pair as well.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cmp_to_key
from itertools import combinations, islice
from math import comb
from typing import TypeAlias

from seepage import exact
from seepage.data_classes import dataclass
from seepage.exact import Number
from seepage.measures.discrete.weights import Values
from seepage.measures.privacy.metrics import Metric

MOST_BUCKETS = 2_000_000  # inputs times choices of places in which neighbours differ
MOST_MEASURED = 250_000  # ordered pairs of inputs of which a metric says how far they are apart


@dataclass(frozen=True, slots=True)
class Apart:
    """Numbers at most ``distance`` apart."""

    distance: Number


@dataclass(frozen=True, slots=True)
class Differing:
    """Tuples that differ in at most ``places`` elements (Hamming distance)."""

    places: int


@dataclass(frozen=True, slots=True)
class Listed:
    """Neighbourhoods that are known; inputs that are in none have no neighbours."""

    groups: tuple[tuple[Values, ...], ...]


@dataclass(frozen=True, slots=True)
class Stated:
    """Ordered pairs that are known: the outputs of the first are held against those of the second."""

    pairs: tuple[tuple[Values, Values], ...]


@dataclass(frozen=True, slots=True)
class Within:
    """Inputs at most ``distance`` apart in a metric."""

    metric: Metric
    distance: Number


Closeness: TypeAlias = Apart | Differing | Listed | Stated | Within | None  # None: all pairs


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """Each input ``of`` is a neighbour of each other one ``against`` which it is held; one set where all are neighbours of each other."""

    of: tuple[Values, ...]
    against: tuple[Values, ...]

    @staticmethod
    def among(inputs: Iterable[Values]) -> Neighbourhood:
        """Return that of inputs which all are neighbours of each other."""
        listed = tuple(inputs)
        return Neighbourhood(listed, listed)

    @property
    def is_mutual(self) -> bool:
        """Whether all are neighbours of each other."""
        return self.of is self.against or self.of == self.against

    @property
    def inputs(self) -> tuple[Values, ...]:
        """Each input once."""
        return self.of if self.is_mutual else tuple(dict.fromkeys((*self.of, *self.against)))

    def pairs(self) -> Iterator[tuple[Values, Values]]:
        """Yield the ordered pairs of different inputs."""
        for one in self.of:
            for other in self.against:
                if one != other:
                    yield one, other


class TooManyNeighbours(Exception):
    """There are more pairs to look at than the budget allows; the reason says how many."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def neighbourhoods(
    inputs: Sequence[Values], closeness: Closeness, alike: Mapping[Values, int] | None = None
) -> list[Neighbourhood]:
    """Return the neighbourhoods in which there are pairs; inputs are 1-tuples where numbers are compared.

    Args:
        inputs: all of them, each once.
        closeness: which are neighbours.
        alike: the kind of each input: of each kind two stand for all, and neighbourhoods of the same kinds are one. None: all differ.

    Raises:
        TooManyNeighbours: if tuples differ in too many places, or there are too many to be measured.
    """
    match closeness:
        case None:
            found: Iterable[tuple[Values, ...]] = [tuple(inputs)]
        case Listed(groups):
            present = frozenset(inputs)
            found = (tuple(one for one in group if one in present) for group in groups)
        case Stated(stated):
            present = frozenset(inputs)
            return _of_pairs([pair for pair in stated if present.issuperset(pair)], alike)
        case Within(metric, distance):
            return _of_pairs(
                [pair for pair, apart in measured(inputs, metric) if exact.compare(apart, distance) <= 0], alike
            )
        case Apart(distance) if alike is not None:
            found = _windows_of_kinds(inputs, distance, alike)
        case Apart(distance):
            found = (tuple(window) for window in _windows(inputs, distance))
        case Differing(places) if inputs and places >= len(inputs[0]):
            found = [tuple(inputs)]
        case Differing(places):
            found = _buckets(inputs, places)
    if alike is None:
        return [Neighbourhood.among(each) for each in found if len(each) > 1]
    by_kinds: dict[frozenset[tuple[int, bool]], tuple[Values, ...]] = {}
    for each in found:
        if len(each) > 1:
            kinds, some = _two_of_each(each, alike)
            by_kinds.setdefault(kinds, some)
    return [Neighbourhood.among(each) for each in by_kinds.values()]


def _of_pairs(listed: Iterable[tuple[Values, Values]], alike: Mapping[Values, int] | None) -> list[Neighbourhood]:
    """Return ordered pairs as neighbourhoods, one for each two kinds."""
    kept: dict[object, tuple[Values, Values]] = {}
    for one, other in listed:
        if one != other:
            kept.setdefault((one, other) if alike is None else (alike[one], alike[other]), (one, other))
    return [Neighbourhood((one,), (other,)) for one, other in kept.values()]


def measured(inputs: Sequence[Values], metric: Metric) -> list[tuple[tuple[Values, Values], Number]]:
    """Return the ordered pairs of different inputs that a metric compares, with how far they are apart.

    Raises:
        TooManyNeighbours: if there are too many pairs.
    """
    if len(inputs) ** 2 > MOST_MEASURED:
        raise TooManyNeighbours(f"{len(inputs):,} values, whose distances from each other are too many")
    found: list[tuple[tuple[Values, Values], Number]] = []
    for one, other in combinations(inputs, 2):
        apart = metric.between(one, other)
        if apart is not None:
            found += [((one, other), apart), ((other, one), apart)]
    return found


def _two_of_each(
    inputs: Iterable[Values], alike: Mapping[Values, int]
) -> tuple[frozenset[tuple[int, bool]], tuple[Values, ...]]:
    """Return the kinds, with whether each comes more than once, and the first two inputs of each."""
    kept: list[Values] = []
    repeated: dict[int, int] = {}
    for one in inputs:
        count = repeated.get(alike[one], 0)
        if count < 2:
            kept.append(one)
            repeated[alike[one]] = count + 1
    return frozenset((kind, count > 1) for kind, count in repeated.items()), tuple(kept)


def _windows(inputs: Sequence[Values], distance: Number) -> Iterator[Sequence[Values]]:
    """Yield the longest runs, in order, of numbers whose ends are at most ``distance`` apart."""
    ordered = sorted_numbers(inputs)
    for first, last in _ends(ordered, distance):
        yield ordered[first:last]


def _windows_of_kinds(
    inputs: Sequence[Values], distance: Number, alike: Mapping[Values, int]
) -> Iterator[tuple[Values, ...]]:
    """Yield the first two inputs of each kind in each of the longest runs, whose lengths would add up to the square of the inputs."""
    ordered = sorted_numbers(inputs)
    inside: dict[int, deque[Values]] = {}
    start = end = 0
    for first, last in _ends(ordered, distance):
        for one in ordered[end:last]:
            inside.setdefault(alike[one], deque()).append(one)
        for one in ordered[start:first]:
            kind = inside[alike[one]]
            kind.popleft()
            if not kind:
                del inside[alike[one]]
        start, end = first, last
        yield tuple([one for kind in inside.values() for one in islice(kind, 2)])


def _ends(ordered: Sequence[Values], distance: Number) -> Iterator[tuple[int, int]]:
    last = 0
    for first, (low,) in enumerate(ordered):
        before, last = last, max(last, first + 1)
        bound = exact.add(low, distance)
        while last < len(ordered) and exact.compare(ordered[last][0], bound) <= 0:
            last += 1
        if first == 0 or last > before:
            yield first, last


def sorted_numbers(inputs: Iterable[Values]) -> list[Values]:
    """Return 1-tuples in the order of their numbers."""
    return sorted(inputs, key=cmp_to_key(_by_number))


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


def pairs(found: Sequence[Neighbourhood]) -> Iterator[tuple[Values, Values]]:
    """Yield every ordered pair of neighbours once."""
    if len(found) == 1:
        yield from found[0].pairs()
        return
    seen: set[tuple[Values, Values]] = set()
    for each in found:
        for pair in each.pairs():
            if pair not in seen:
                seen.add(pair)
                yield pair
