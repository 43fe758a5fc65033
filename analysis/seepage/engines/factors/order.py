"""The order in which variables are eliminated, and what that costs, from the scopes of factors alone: nothing is allocated.

A variable that a function determines is *put in*: each factor that reads it reads the function's inputs instead. Any other is *summed out*: its
factors become one table over the rest, where outputs of functions that read it take the place of what determines them. Greedy: next is the variable that
makes the factors grow least at the moment, by a heap; only neighbours of what was eliminated are weighed anew, and those with many factors only when they come up.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import field
from heapq import heapify, heappop, heappush
from math import prod

from seepage.data_classes import dataclass
from seepage.engines.factors.graph import MOST_AXES, Beyond, Factor, Function, Table, Variable

_MANY_FACTORS = 24
_UNBOUNDED = 1 << 200


@dataclass(frozen=True, slots=True)
class Shape:
    """The scope of a table (``output`` is None), or of a function."""

    inputs: tuple[Variable, ...]
    output: Variable | None = None

    def scope(self) -> tuple[Variable, ...]:
        """Return all variables."""
        return self.inputs if self.output is None else (*self.inputs, self.output)


@dataclass(frozen=True, slots=True)
class Plan:
    """An order of elimination.

    Attributes:
        steps: in order.
        entries: how many entries are looked at, all in all, those of the last product included.
        largest: of one step.
        answer: entries of the last product.
    """

    steps: tuple[Variable, ...]
    entries: int
    largest: int
    answer: int


def shape_of(factor: Factor) -> Shape:
    """Return the shape of a table or function."""
    match factor:
        case Table(scope=scope):
            return Shape(scope)
        case Function(inputs=inputs, output=output):
            return Shape(inputs, output)
        case _:
            raise TypeError(factor)


@dataclass(frozen=True, slots=True)
class Outline:
    """What eliminating a variable makes of the shapes it is in.

    Attributes:
        results: the new shapes; where the variable was put in, one for each shape but that of its function, in their order.
        producer: the place of that function among the shapes, None where the variable is summed out.
        free: for a sum, the variables whose values are gone through.
        cost: how many entries are looked at.
    """

    results: tuple[Shape, ...]
    producer: int | None
    free: tuple[Variable, ...]
    cost: int


def outline(shapes: Sequence[Shape], variable: Variable, sizes: Sequence[int]) -> Outline:
    """Say what eliminating a variable makes of all the shapes that it is in; ``sizes`` are those of the domains."""
    producer = next((place for place, shape in enumerate(shapes) if shape.output == variable), None)
    if producer is not None:
        inputs = shapes[producer].inputs
        results = []
        cost = 1
        for place, shape in enumerate(shapes):
            if place == producer:
                continue
            merged = tuple(dict.fromkeys((*(each for each in shape.inputs if each != variable), *inputs)))
            results.append(Shape(merged, shape.output))
            cost += volume(merged, sizes)
        return Outline(tuple(results), producer, (), cost)
    outputs = {shape.output for shape in shapes if shape.output is not None}
    free = tuple(dict.fromkeys(each for shape in shapes for each in shape.inputs if each not in outputs))
    scope = (*(each for each in free if each != variable), *sorted(outputs))
    cost = volume(free, sizes)
    if outputs:
        cost += volume(scope, sizes)
    return Outline((Shape(scope),), None, free, cost)


def volume(variables: Sequence[Variable], sizes: Sequence[int]) -> int:
    """Return the number of entries over some variables, a huge one where an array cannot have as many axes."""
    return prod([sizes[each] for each in variables]) if len(variables) <= MOST_AXES else _UNBOUNDED


@dataclass(slots=True)
class _Ordering:
    """Scopes while variables are eliminated."""

    sizes: Sequence[int]
    shapes: dict[int, Shape] = field(default_factory=dict)
    members: dict[Variable, set[int]] = field(default_factory=dict)
    count: int = 0

    def add(self, shape: Shape) -> None:
        """Add a factor."""
        self.shapes[self.count] = shape
        for variable in shape.scope():
            self.members.setdefault(variable, set()).add(self.count)
        self.count += 1

    def around(self, variable: Variable) -> list[int]:
        """Return the factors of a variable, in their order."""
        return sorted(self.members.get(variable, ()))

    def outlined(self, variable: Variable) -> Outline:
        """Say what eliminating a variable would do."""
        return outline([self.shapes[number] for number in self.around(variable)], variable, self.sizes)

    def weight(self, variable: Variable) -> tuple[int, int]:
        """Return by how much the factors would grow if a variable were eliminated now, and what that would cost."""
        shapes = [self.shapes[number] for number in self.around(variable)]
        found = outline(shapes, variable, self.sizes)
        grown = sum([volume(shape.inputs, self.sizes) for shape in found.results])
        return grown - sum([volume(shape.inputs, self.sizes) for shape in shapes]), found.cost

    def eliminate(self, variable: Variable) -> tuple[int, set[Variable]]:
        """Eliminate a variable; return the cost and the variables whose factors have changed."""
        around = self.around(variable)
        found = self.outlined(variable)
        touched: set[Variable] = set()
        for number in around:
            for each in self.shapes.pop(number).scope():
                self.members[each].discard(number)
                touched.add(each)
        del self.members[variable]
        touched.discard(variable)
        for shape in found.results:
            self.add(shape)
        return found.cost, touched

    def greedy(self, group: Iterable[Variable], most: int) -> Iterable[tuple[Variable, int]]:
        """Eliminate all variables of a group, cheapest first."""
        left = set(group)
        costs = {variable: self.weight(variable) for variable in left}
        heap = [(cost, variable) for variable, cost in costs.items()]
        heapify(heap)
        stale: set[Variable] = set()
        while left:
            cost, variable = heappop(heap)
            if variable not in left or cost != costs[variable]:
                continue
            if variable in stale:
                stale.discard(variable)
                costs[variable] = self.weight(variable)
                heappush(heap, (costs[variable], variable))
                continue
            left.discard(variable)
            spent, touched = self.eliminate(variable)
            if spent > most:
                raise Beyond(
                    f"a table of {spent:,} entries, the limit is {most:,}"
                    if spent < _UNBOUNDED
                    else "a table of too many variables"
                )
            yield variable, spent
            for each in touched & left:
                if len(self.members[each]) > _MANY_FACTORS:
                    stale.add(each)
                    continue
                again = self.weight(each)
                if again != costs[each]:
                    costs[each] = again
                    heappush(heap, (again, each))


def plan(
    factors: Sequence[Factor],
    sizes: Sequence[int],
    groups: Sequence[Iterable[Variable]],
    most: int,
) -> Plan:
    """Return an order in which all variables of the first group are eliminated, then all of the second, and so on.

    Args:
        factors: tables and functions.
        sizes: of the variables' domains.
        groups: what is left at the end is what is in none.
        most: entries of one step.

    Raises:
        Beyond: if a step has more entries than ``most``.
    """
    ordering = _Ordering(sizes)
    for factor in factors:
        ordering.add(shape_of(factor))
    steps: list[Variable] = []
    entries = largest = 0
    for group in groups:
        present = [variable for variable in group if variable in ordering.members]
        for variable, cost in ordering.greedy(present, most):
            steps.append(variable)
            entries += cost
            largest = max(largest, cost)
    outputs = {shape.output for shape in ordering.shapes.values()}
    rest = tuple(
        dict.fromkeys(each for shape in ordering.shapes.values() for each in shape.inputs if each not in outputs)
    )
    last = volume(rest, sizes)
    if last > most:
        raise Beyond(
            f"an answer of {last:,} combinations of values, the limit is {most:,}"
            if last < _UNBOUNDED
            else "an answer of too many variables"
        )
    return Plan(tuple(steps), entries + last, max(largest, last), last)
