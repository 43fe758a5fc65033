r"""Comparisons of independent variables pair by pair, as finding the greatest of noisy counts makes them.

Sources that occur in one combination only are one node. With nodes scaled so that each guard bounds a difference, :math:`w_i - w_j < u_{ij}`, the
shortest way from i to j tells what follows from the others: guards that follow may be left out, and where a way around is not positive nothing is left.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from seepage import exact
from seepage.data_classes import dataclass
from seepage.engines.pivot.path import Guards, parted
from seepage.exact import Number
from seepage.laws.forms import Beyond, Direction, direction_of
from seepage.laws.law import Edge, Law
from seepage.laws.normal import Normal

Bounds: TypeAlias = Mapping[tuple[int, int], Number]
"""By (i, j) an upper bound of :math:`w_i - w_j`; ``GROUND`` stands for 0."""

GROUND = -1
_MOST_NODES, _MOST_UNITED = 9, 8


@dataclass(frozen=True, slots=True)
class Node:
    """``Σ coefficient · source``, of sources that no guard sees apart; scaled so that guards bound differences of nodes."""

    parts: tuple[tuple[Law, Number], ...]

    @property
    def is_normal(self) -> bool:
        """Tell whether it is normal."""
        return all(isinstance(law, Normal) for law, _ in self.parts)

    @property
    def ends(self) -> tuple[Edge, Edge]:
        """The ends of its support."""
        low: Edge = 0
        high: Edge = 0
        for law, scale in self.parts:
            begin, end = (None if edge is None else exact.mul(scale, edge) for edge in law.ends)
            begin, end = (begin, end) if exact.sign(scale) > 0 else (end, begin)
            low = None if low is None or begin is None else exact.add(low, begin)
            high = None if high is None or end is None else exact.add(high, end)
        return low, high

    @property
    def variance(self) -> Number:
        """The variance of one that is normal."""
        total: Number = 0
        for law, scale in self.parts:
            total = exact.add(total, exact.mul(exact.mul(scale, scale), law.parameters[0]))
        return total


@dataclass(frozen=True, slots=True)
class System:
    """Nodes and what guards say of their differences; ``forms`` are the nodes by sources, ``places`` the pair that each guard is on, larger node first."""

    nodes: tuple[Node, ...]
    bounds: Bounds
    forms: tuple[Mapping[int, Number], ...]
    places: Mapping[Direction, tuple[int, int, Number]]


def implied_sign(laws: tuple[Law, ...], guards: Guards, direction: Direction, edge: Number) -> int:
    """Return 1 or −1 where guards and supports leave a combination only one side of an edge, 0 where that is not seen."""
    near, _ = parted(guards, frozenset(index for index, _ in direction))
    if not near and len(direction) == 1:
        return 0
    try:
        system = system_of(laws, {**near, direction: near.get(direction, (None, None))})
        if direction not in system.places:
            return 0
        first, second, factor = system.places[direction]
        closed = closed_bounds(range(len(system.nodes)), with_ground(system.nodes, system.bounds))
    except Beyond:
        return 0
    place = exact.mul(edge, factor)
    if closed is None:
        return 0
    above, below = closed.get((first, second)), closed.get((second, first))
    sign = exact.sign(factor)
    if above is not None and exact.compare(above, place) <= 0:
        return -sign
    if below is not None and exact.compare(exact.neg(below), place) >= 0:
        return sign
    return 0


# --- from guards to bounds of differences -----------------------------------------------------------------------------


def system_of(laws: tuple[Law, ...], guards: Guards) -> System:
    """Return the nodes that guards are on, and the bounds that they set.

    Raises:
        Beyond: if a guard is on three nodes, or if no scaling makes all of them bounds of differences.
    """
    directions = list(guards)
    groups = _groups_of(directions)
    if len(groups) > _MOST_NODES:
        raise Beyond("comparisons of too many variables")
    rows = [_row_of(direction, groups) for direction in directions]
    if any(len(row) > 2 for row in rows):
        raise Beyond("guards that depend on each other")
    scales = _scales_of(len(groups), rows)
    bounds: dict[tuple[int, int], Number] = {}
    places: dict[Direction, tuple[int, int, Number]] = {}
    for direction, row in zip(directions, rows, strict=True):
        low, high = guards[direction]
        first, coefficient = row[0]
        second = row[1][0] if len(row) == 2 else GROUND
        factor = exact.div(scales[first], coefficient)
        places[direction] = first, second, factor
        ends = [None if edge is None else exact.mul(edge, factor) for edge in (low, high)]
        if exact.sign(factor) < 0:
            ends.reverse()
        set_bound(bounds, (first, second), ends[1])
        set_bound(bounds, (second, first), None if ends[0] is None else exact.neg(ends[0]))
    forms = tuple(
        {index: exact.mul(scale, a) for index, a in group.items()} for scale, group in zip(scales, groups, strict=True)
    )
    nodes = tuple(Node(tuple((laws[index], a) for index, a in form.items())) for form in forms)
    return System(nodes, bounds, forms, places)


def _groups_of(directions: Sequence[Direction]) -> list[dict[int, Number]]:
    """Return the sources that occur in the same directions, in one ratio, together, with their coefficients in the first of these."""
    seen: dict[int, list[tuple[int, Number]]] = {}
    for at, direction in enumerate(directions):
        for index, coefficient in direction:
            seen.setdefault(index, []).append((at, coefficient))
    groups: dict[tuple[tuple[int, Number], ...], dict[int, Number]] = {}
    for index, row in sorted(seen.items()):
        first = row[0][1]
        key = tuple((at, exact.div(coefficient, first)) for at, coefficient in row)
        groups.setdefault(key, {})[index] = first
    return list(groups.values())


def _row_of(direction: Direction, groups: Sequence[Mapping[int, Number]]) -> list[tuple[int, Number]]:
    coefficients = dict(direction)
    found: list[tuple[int, Number]] = []
    for at, group in enumerate(groups):
        index, own = next(iter(group.items()))
        if index in coefficients:
            found.append((at, exact.div(coefficients[index], own)))
    return found


def _scales_of(count: int, rows: Sequence[Sequence[tuple[int, Number]]]) -> list[Number]:
    """Return factors of nodes with which each row of two is a multiple of a difference.

    Raises:
        Beyond: if there are none.
    """
    scales: dict[int, Number] = {}
    edges = [row for row in rows if len(row) == 2]
    for start in range(count):
        if start in scales:
            continue
        scales[start] = 1
        pending = [start]
        while pending:
            node = pending.pop()
            for (i, a), (j, b) in edges:
                for own, other, at, mine in ((i, j, b, a), (j, i, a, b)):
                    if own == node and other not in scales:
                        scales[other] = exact.neg(exact.mul(scales[node], exact.div(at, mine)))
                        pending.append(other)
    for (i, a), (j, b) in edges:
        if exact.compare(exact.mul(scales[j], a), exact.neg(exact.mul(scales[i], b))) != 0:
            raise Beyond("comparisons of different multiples of variables")
    return [scales[at] for at in range(count)]


def set_bound(bounds: dict[tuple[int, int], Number], pair: tuple[int, int], value: Edge) -> None:
    """Keep the smaller of two upper bounds."""
    if value is not None:
        bounds[pair] = exact.minimum(bounds[pair], value) if pair in bounds else value


def with_ground(nodes: Sequence[Node], bounds: Bounds) -> dict[tuple[int, int], Number]:
    """Return bounds with those that the supports of nodes set."""
    every = dict(bounds)
    for at, node in enumerate(nodes):
        low, high = node.ends
        set_bound(every, (at, GROUND), high)
        set_bound(every, (GROUND, at), None if low is None else exact.neg(low))
    return every


def closed_bounds(nodes: Iterable[int], bounds: Bounds) -> dict[tuple[int, int], Number] | None:
    """Return all bounds that follow, None where they leave no place (Floyd 1962, Warshall 1962)."""
    every = [*nodes, GROUND]
    found = dict(bounds)
    for middle in every:
        into = [(i, found[i, middle]) for i in every if (i, middle) in found]
        out = [(j, found[middle, j]) for j in every if (middle, j) in found]
        for i, first in into:
            for j, second in out:
                way = exact.add(first, second)
                if i == j and exact.sign(way) <= 0:
                    return None
                if i != j and ((i, j) not in found or exact.compare(way, found[i, j]) < 0):
                    found[i, j] = way
    return found


def reduced(nodes: Sequence[Node], bounds: Bounds) -> dict[tuple[int, int], Number]:
    """Return bounds without those between two nodes that follow from the others, and the supports."""
    kept = dict(bounds)
    for pair in bounds:
        if GROUND in pair:
            continue
        rest = {other: value for other, value in kept.items() if other != pair}
        closed = closed_bounds(range(len(nodes)), with_ground(nodes, rest))
        if closed is not None and pair in closed and exact.compare(closed[pair], kept[pair]) <= 0:
            kept = rest
    return kept


def offsets_of(members: Sequence[int], bounds: Bounds) -> dict[int, Number] | None:
    """Return p with :math:`u_{ij} = p_i - p_j` for all bounds, so that they say which of the :math:`w_i - p_i` is smaller; None if there is none."""
    found: dict[int, Number] = {}
    for start in members:
        if start in found:
            continue
        found[start] = 0
        pending = [start]
        while pending:
            node = pending.pop()
            for (i, j), value in bounds.items():
                if i == node and j not in found:
                    found[j] = exact.sub(found[i], value)
                    pending.append(j)
                elif j == node and i not in found:
                    found[i] = exact.add(found[j], value)
                    pending.append(i)
    right = all(exact.compare(exact.sub(found[i], found[j]), value) == 0 for (i, j), value in bounds.items())
    return found if right else None


# --- unions -----------------------------------------------------------------------------------------------------------


def union_of(laws: tuple[Law, ...], regions: Sequence[Guards]) -> Guards | None:
    """Return guards that hold where those of one of several regions do, but for a set of measure 0; None where that is not seen.

    Orders of the same nodes are one where they exclude each other and have, together, as many linear extensions as what they agree in.
    """
    every = {direction: (None, None) for region in regions for direction in region}
    try:
        system = system_of(laws, every)
    except Beyond:
        return None
    count = len(system.nodes)
    alone = {direction for direction, (_, second, _) in system.places.items() if second == GROUND}
    if count > _MOST_UNITED or any(
        region.get(direction) != regions[0].get(direction) for region in regions for direction in alone
    ):
        return None
    bounds = [_bounds_between(system, region) for region in regions]
    joined = {(*pair, value) for each in bounds for pair, value in each.items()}
    one_place = {(min(i, j), max(i, j), value if i < j else exact.neg(value)) for i, j, value in joined}
    pairs = {(i, j): value for i, j, value in one_place}
    offsets = offsets_of(range(count), pairs) if len(pairs) == len(one_place) else None
    closures = [closed_bounds(range(count), each) for each in bounds]
    if offsets is None or any(each is None for each in closures):
        return None
    orders = [frozenset(pair for pair in each or () if GROUND not in pair) for each in closures]
    if not all(_exclude(one, other) for at, one in enumerate(orders) for other in orders[at + 1 :]):
        return None
    common = frozenset[tuple[int, int]].intersection(*orders)
    if sum(_extensions(count, order) for order in orders) != _extensions(count, common):
        return None
    covered = {(i, k) for i, j in common for other, k in common if j == other}
    found = {direction: regions[0][direction] for direction in alone}
    for i, j in common - covered:
        direction, scale = direction_of(_difference(system.forms[i], system.forms[j]))
        edge = exact.div(exact.sub(offsets[i], offsets[j]), scale)  # w_i - w_j < p_i - p_j
        found[direction] = (None, edge) if exact.sign(scale) > 0 else (edge, None)
    return found


def _bounds_between(system: System, region: Guards) -> dict[tuple[int, int], Number]:
    bounds: dict[tuple[int, int], Number] = {}
    for direction, ends in region.items():
        first, second, factor = system.places[direction]
        if second != GROUND:
            low, high = (None if edge is None else exact.mul(edge, factor) for edge in ends)
            low, high = (low, high) if exact.sign(factor) > 0 else (high, low)
            set_bound(bounds, (first, second), high)
            set_bound(bounds, (second, first), None if low is None else exact.neg(low))
    return bounds


def _difference(one: Mapping[int, Number], other: Mapping[int, Number]) -> dict[int, Number]:
    return {**one, **{index: exact.neg(a) for index, a in other.items()}}


def _exclude(one: frozenset[tuple[int, int]], other: frozenset[tuple[int, int]]) -> bool:
    return any((j, i) in other for i, j in one)


def _extensions(count: int, order: frozenset[tuple[int, int]]) -> int:
    """Return the number of linear orders of ``count`` elements that extend an order: counted by which elements come first."""
    below = [sum(1 << i for i, j in order if j == at) for at in range(count)]
    ways = [1] + [0] * ((1 << count) - 1)
    for first in range(1 << count):
        if ways[first]:
            for at in range(count):
                if not first >> at & 1 and below[at] & ~first == 0:
                    ways[first | 1 << at] += ways[first]
    return ways[-1]
