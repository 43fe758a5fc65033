r"""How classes in one entry of a joint depend on each other: not at all, as the same source, or by a tie.

Entries with equal symbols must not differ in that. Where two coordinates rest on one source in some and on two in others, as after a comparison of two secrets, the
latter are told apart: n equally likely values of each of m independent sources are the patterns of which of them are equal, one for each partition of the
sources, of b blocks with :math:`n (n-1) \cdots (n-b+1)` equally likely values. Patterns are disjoint, so that they are symbols of their own.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from math import perm, prod
from typing import Any, TypeAlias, TypeVar

from seepage.data_classes import dataclass
from seepage.distributions.gaussian import Affine, Sizes, State
from seepage.engines.forward.class_forms import Form, Stuck, combined, rational
from seepage.engines.forward.class_splits import canonical
from seepage.engines.outcome import Ring
from seepage.exact import Irrational, number

C = TypeVar("C")
Node: TypeAlias = tuple[int, Any]
"""A coordinate that is a class, and its symbol."""

_TIED = 6  # coordinates that may depend on sources which determine each other
_COMPARED = 5  # sources that may be equal or differ


@dataclass(frozen=True, slots=True)
class Compared:
    """Coordinates whose sources are equal in some entries and differ in others.

    Attributes:
        group: of each class that is compared, and whether its values rise where those of its group do; values of one group have equally many values.
    """

    group: Mapping[Node, tuple[int, bool]]

    def pairs(self) -> tuple[tuple[int, int], ...]:
        """Return the coordinates that are compared with each other."""
        known: set[tuple[int, int]] = set()
        for (i, group), (j, other) in combinations(sorted({(i, g) for (i, _), (g, _) in self.group.items()}), 2):
            if group == other and i != j:
                known.add((min(i, j), max(i, j)))
        return tuple(sorted(known))

    def sources(self, state: State) -> dict[int, dict[int, int]]:
        """Return for each group the coordinates of a state that are in it, with their sources."""
        found: dict[int, dict[int, int]] = defaultdict(dict)
        for place, value in enumerate(state):
            if place and isinstance(value, Affine) and (known := self.group.get((place, symbol_at(state, place)))):
                found[known[0]][place] = value.terms[0][0]
        return found

    def apart(self, state: State) -> tuple[frozenset[int], ...]:
        """Return the sources of a state that have different values, for each group."""
        return tuple(frozenset(group.values()) for group in self.sources(state).values())

    def relation(self, state: State, pair: tuple[int, int]) -> int:
        """Return how two coordinates relate: 1 where they are equal, 2 where they differ, 0 where they are not compared."""
        for group in self.sources(state).values():
            if pair[0] in group and pair[1] in group:
                return 1 if group[pair[0]] == group[pair[1]] else 2
        return 0


def told_apart(weights: dict[State, C], ring: Ring[C], limit: int) -> tuple[dict[State, C], Compared]:
    """Split states into patterns of equal values where that makes relations alike in all that look alike; different sources of a group have different values then.

    Raises:
        Stuck: if it does not, or takes more than ``limit`` states.
    """
    compared = Compared(_groups(weights))
    if compared.group:
        after: dict[State, C] = {}
        for state, weight in weights.items():
            for pattern, share in _patterns(state, compared):
                mass = ring.multiply(weight, ring.rational(share.numerator, share.denominator))
                after[pattern] = ring.add(after[pattern], mass) if pattern in after else mass
            if len(after) > limit:
                raise Stuck
        weights = {state: weight for state, weight in after.items() if not ring.is_zero(weight)}
    _check_relations(weights, compared)
    return weights, compared


def _groups(states: Iterable[State]) -> dict[Node, tuple[int, bool]]:
    """Return the groups of classes that are of one source in some states and of two in others."""
    kinds: dict[tuple[Node, Node], set[tuple[bool, bool]]] = defaultdict(set)
    for state in states:
        for i, j, relation in _relations(state):
            kinds[(i, symbol_at(state, i)), (j, symbol_at(state, j))].add(relation)
    near: dict[Node, list[tuple[Node, bool]]] = defaultdict(list)
    for (first, second), known in kinds.items():
        rising = {alike for same, alike in known if same}
        if len(rising) > 1:
            raise Stuck
        if len(known) > 1:
            for one, other in ((first, second), (second, first)):
                near[one].append((other, rising == {True}))
    group: dict[Node, tuple[int, bool]] = {}
    for number_of, start in enumerate(near):
        waiting = [(start, True)]
        while waiting:
            node, rises = waiting.pop()
            if node in group:
                continue
            group[node] = number_of, rises
            waiting.extend((other, rises == alike) for other, alike in near[node])
    for (first, second), known in kinds.items():
        if first in group and second in group and group[first][0] == group[second][0]:
            alike = group[first][1] == group[second][1]
            if any(same and rising != alike for same, rising in known):
                raise Stuck
    return group


def _patterns(state: State, compared: Compared) -> Iterator[tuple[State, Fraction]]:
    """Yield the patterns of equal values of a state, each with its share."""
    sizes = sizes_of(state)
    choices: list[list[tuple[dict[int, int], Fraction]]] = []
    for group in compared.sources(state).values():
        sources = sorted(set(group.values()))
        if len(sources) == 1:
            continue
        outside = (v for p, v in enumerate(state) if p not in group and isinstance(v, Affine))
        tied = {source for tie in sizes.ties for source in tie.members}
        if len(sources) > _COMPARED or tied.intersection(sources):
            raise Stuck
        if any(source in sources for value in outside for source in read_sources(value)):
            raise Stuck
        count = sizes.counts[sources[0]]
        choices.append(
            [
                (equal, Fraction(perm(count, len(set(equal.values()))), count ** len(sources)))
                for equal in _partitions(sources)
                if len(set(equal.values())) <= count
            ]
        )
    merged: list[tuple[dict[int, int], Fraction]] = [({}, Fraction(1))]
    for each in choices:
        merged = [({**known, **more}, share * part) for known, share in merged for more, part in each]
    for equal, share in merged:
        yield canonical(tuple(_on(state, place, equal, compared) for place in range(len(state))), 0), share


def _partitions(sources: Sequence[int]) -> Iterator[dict[int, int]]:
    """Yield for each partition which source each one is equal to."""
    if not sources:
        yield {}
        return
    *others, last = sources
    for equal in _partitions(others):
        for first in (*dict.fromkeys(equal.values()), last):
            yield {**equal, last: first}


def _on(state: State, place: int, equal: Mapping[int, int], compared: Compared) -> Any:
    """Return a coordinate of a state whose sources are equal to others; values that rise with those of their group are counted from the least."""
    value = state[place]
    if not place or not isinstance(value, Affine) or value.terms[0][0] not in equal:
        return value
    low, step, count = progression(value, state)
    _, rises = compared.group[place, symbol_at(state, place)]
    start, slope = (low, step) if rises else (low + step * (count - 1), -step)
    return combined(number(start), ((equal[value.terms[0][0]], number(slope)),))


def count_of(sizes: Sizes, apart: Iterable[frozenset[int]], used: frozenset[int]) -> int:
    """Return how many equally likely values some sources have, those of one group different ones."""
    groups = [group & used for group in apart if group & used]
    free = used.difference(*groups)
    determined = prod(tie.modulus for tie in sizes.ties if used.issuperset(tie.members))
    different = prod(perm(sizes.counts[min(group)], len(group)) for group in groups)
    return different * prod(sizes.counts[source] for source in free) // determined


def symbol_of(value: Form, state: State) -> Any:
    """Return what is equal for equal sets of values."""
    return progression(value, state) if isinstance(value, Affine) else value


def symbol_at(state: State, place: int) -> Any:
    """Return the same of a coordinate."""
    value = state[place]
    assert isinstance(value, int | Fraction | Irrational | Affine)
    return symbol_of(value, state)


def progression(value: Affine, state: State) -> tuple[Fraction, Fraction, int]:
    """Return least value, positive step and number of values of a class.

    Raises:
        Stuck: if it has several sources, or irrational values.
    """
    constant, terms = rational(value)
    if len(terms) > 1:
        raise Stuck
    ((source, slope),) = terms
    count = sizes_of(state).counts[source]
    return (constant, slope, count) if slope > 0 else (constant + slope * (count - 1), -slope, count)


def sizes_of(state: State) -> Sizes:
    """Return how many values the sources of a state have."""
    sizes = state[0]
    assert isinstance(sizes, Sizes)
    return sizes


def read_sources(value: object) -> Iterator[int]:
    """Yield the sources of a form."""
    if isinstance(value, Affine):
        yield from (source for source, _ in value.terms)


def _check_relations(states: Iterable[State], compared: Compared) -> None:
    """Check that classes which look alike rest on the same sources in the same way in all states, those that are compared apart.

    Raises:
        Stuck: if they do not.
    """
    known: dict[object, object] = {}
    covers: set[tuple[int, ...]] = set()
    for state in states:
        together = [set(group) for group in compared.sources(state).values()]
        for i, j, relation in _relations(state):
            if any(i in group and j in group for group in together):
                continue
            if known.setdefault((i, j, symbol_at(state, i), symbol_at(state, j)), relation) != relation:
                raise Stuck
        covers.update(_covers(state))
    for state in states:
        for places in covers:
            ties = frozenset(_ties_on(state, places))
            if known.setdefault((places, *(symbol_at(state, place) for place in places)), ties) != ties:
                raise Stuck


def _relations(state: State) -> Iterator[tuple[int, int, tuple[bool, bool]]]:
    """Yield for each two coordinates that are classes whether they rest on the same source, and in the same direction."""
    forms = [
        (place, *rational(value)[1][0]) for place, value in enumerate(state) if place and isinstance(value, Affine)
    ]
    for (i, source, slope), (j, other, other_slope) in combinations(forms, 2):
        yield i, j, (source == other, source == other and slope * other_slope > 0)


def _covers(state: State) -> Iterator[tuple[int, ...]]:
    """Yield all sets of coordinates that show the whole of a tie."""
    for tie in sizes_of(state).ties:
        places = [
            place for place, value in enumerate(state) if any(source in tie.members for source in read_sources(value))
        ]
        if len(places) > _TIED:
            raise Stuck
        for size in range(len(tie.members), len(places) + 1):
            for chosen in combinations(places, size):
                if set(tie.members) <= {source for place in chosen for source in read_sources(state[place])}:
                    yield chosen


def _ties_on(state: State, places: Sequence[int]) -> Iterator[object]:
    """Yield the ties that coordinates show, told by these and not by sources."""
    shown: dict[int, list[object]] = {}
    for place in places:
        value = state[place]
        if isinstance(value, Affine):
            for source, slope in value.terms:
                shown.setdefault(source, []).append((place, value.constant, slope))
    for tie in sizes_of(state).ties:
        if all(source in shown for source in tie.members):
            terms = frozenset((tuple(shown[source]), slope) for source, slope in tie.terms)
            yield tie.operator, tie.modulus, tie.constant, terms, tuple(shown[tie.target])
