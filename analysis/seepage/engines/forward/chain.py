r"""Finite absorbing chains: what each state leads to in the end, by elimination of states over any field.

With :math:`P` the weights between states and :math:`E` those of their exits, :math:`X = P X + E`, the least solution. Strongly connected
components are taken one by one, from the last on. One that nothing leaves, and that loses no weight, is where runs never end.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, Generic, Protocol, TypeVar, cast, runtime_checkable

from flint import fmpq, fmpq_mat

from seepage.data_classes import dataclass
from seepage.laws.discrete import Weights

C = TypeVar("C")
K = TypeVar("K", bound=Hashable)
X = TypeVar("X", bound=Hashable)

_DENSE = 24  # states of a component from which rational matrices are faster than elimination one by one
_CUBED = 1e-9  # seconds for a matrix, times the third power of its size


class Field(Weights[C], Protocol[C]):
    """A ring of weights with division by what is not 0."""

    def divide(self, a: C, b: C) -> C:
        """Return a / b, of a b that is not 0."""
        ...


@runtime_checkable
class Divisible(Protocol):
    """A ring that says itself how weights are divided."""

    def divide(self, a: Any, b: Any) -> Any:
        """Return a / b."""
        ...


def field_of(ring: object) -> Field[Any] | None:
    """Return the field of the weights of a ring; None if they cannot be divided exactly."""
    return cast("Field[Any]", ring) if isinstance(ring, Divisible) else None


@dataclass(frozen=True, slots=True)
class Row(Generic[K, X, C]):
    """What one round does in a state.

    Attributes:
        steps: weights of the states that it leads to.
        exits: weights of the ends that it leads to.
        loses: whether observations take runs away.
    """

    steps: Mapping[K, C]
    exits: Mapping[X, C]
    loses: bool


@dataclass(frozen=True, slots=True)
class Ends(Generic[X, C]):
    """What a state leads to: weights of the ends, and of the runs that never end."""

    exits: Mapping[X, C]
    never: C


def solve_chain(
    rows: Mapping[K, Row[K, X, C]],
    known: dict[K, Ends[X, C]],
    field: Field[C],
    need_time: Callable[[float], None] = lambda _: None,
) -> None:
    """Add the ends of all states to ``known``.

    Args:
        rows: of every state that is reachable and not known yet.
        known: ends of states; grows.
        field: of the weights.
        need_time: is told seconds of a processor that a step takes which nothing stops, and raises where they are too many.
    """
    for component in components(rows):
        inside = set(component)
        if all(not rows[each].exits and not rows[each].loses and set(rows[each].steps) <= inside for each in component):
            known.update(dict.fromkeys(component, Ends({}, field.one)))
            continue
        if (same := _one_law(component, rows, known, field)) is not None:
            known.update(dict.fromkeys(component, same))
            continue
        right = {each: _outside(rows[each], inside, known, field) for each in component}
        if len(component) >= _DENSE and isinstance(field.one, fmpq):
            need_time(_CUBED * len(component) ** 3)
            known.update(_by_matrix(component, rows, right))
        else:
            known.update(_by_elimination(component, rows, right, field, need_time))


def _one_law(
    component: Sequence[K], rows: Mapping[K, Row[K, X, C]], known: Mapping[K, Ends[X, C]], field: Field[C]
) -> Ends[X, C] | None:
    """Return the law that all states have of a component that something leaves: the one that all that it leads to has, if it is one and no weight is lost."""
    inside, found = set(component), None
    for each in component:
        ways = [known[step] for step in rows[each].steps if step not in inside]
        for law in (*ways, *(Ends({end: field.one}, field.zero) for end in rows[each].exits)):
            if found is None:
                found = law
            elif law is not found and law != found:
                return None
    return None if any(_loses(rows[each], field) for each in component) else found


def _loses(row: Row[K, X, C], field: Field[C]) -> bool:
    """Tell whether the weights of a row are not 1 in all: those that count hold a letter for each time."""
    total = field.zero
    for weight in (*row.steps.values(), *row.exits.values()):
        total = field.add(total, weight)
    return row.loses or not field.is_zero(field.complement(total))


def components(rows: Mapping[K, Row[K, X, C]]) -> list[list[K]]:
    """Return the strongly connected components, each after those that it leads to (Tarjan 1972), without recursion."""
    numbers: dict[K, int] = {}
    low: dict[K, int] = {}
    stack: list[K] = []
    waiting: set[K] = set()
    found: list[list[K]] = []
    for root in rows:
        if root in numbers:
            continue
        work = [(root, iter(rows[root].steps))]
        numbers[root] = low[root] = len(numbers)
        stack.append(root)
        waiting.add(root)
        while work:
            state, successors = work[-1]
            following = next((each for each in successors if each in rows and each not in numbers), None)
            if following is not None:
                numbers[following] = low[following] = len(numbers)
                stack.append(following)
                waiting.add(following)
                work.append((following, iter(rows[following].steps)))
                continue
            work.pop()
            low[state] = min([low[state], *(low[each] for each in rows[state].steps if each in waiting)])
            if low[state] == numbers[state]:
                place = stack.index(state) if len(stack) < 2 else len(stack) - 1 - stack[::-1].index(state)
                found.append(stack[place:])
                waiting.difference_update(stack[place:])
                del stack[place:]
    return found


# An end, or None for the runs that never end.
_Mixed = dict[X | None, C]


def _outside(row: Row[K, X, C], inside: set[K], known: Mapping[K, Ends[X, C]], field: Field[C]) -> _Mixed[X, C]:
    """Return what a round leads to without another round in the component."""
    result: _Mixed[X, C] = {}
    result.update(row.exits.items())
    for following, weight in row.steps.items():
        if following not in inside:
            ends = known[following]
            _add_scaled(result, ends.exits, weight, field)
            if not field.is_zero(ends.never):
                product = field.multiply(weight, ends.never)
                result[None] = field.add(result[None], product) if None in result else product
    return result


def _add_scaled(result: _Mixed[X, C], more: Mapping[X, C] | Mapping[X | None, C], factor: C, field: Field[C]) -> None:
    for end, weight in more.items():
        if not field.is_zero(weight):
            product = field.multiply(factor, weight)
            result[end] = field.add(result[end], product) if end in result else product


def _by_elimination(
    component: list[K],
    rows: Mapping[K, Row[K, X, C]],
    right: dict[K, _Mixed[X, C]],
    field: Field[C],
    need_time: Callable[[float], None],
) -> dict[K, Ends[X, C]]:
    inside = set(component)
    left = {each: {to: w for to, w in rows[each].steps.items() if to in inside} for each in component}
    before: dict[K, set[K]] = {each: set() for each in component}
    for state, steps in left.items():
        for to in steps:
            before[to].add(state)
    order: list[K] = []
    waiting = dict.fromkeys(component)
    while waiting:
        state = min(waiting, key=lambda each: len(before[each]) * len(left[each]))
        del waiting[state]
        order.append(state)
        steps = left[state]
        scale = field.divide(field.one, field.complement(steps.pop(state, field.zero)))
        left[state] = {to: field.multiply(scale, weight) for to, weight in steps.items()}
        right[state] = {end: field.multiply(scale, weight) for end, weight in right[state].items()}
        for source in before[state] & waiting.keys():
            need_time(0.0)
            factor = left[source].pop(state)
            for to, weight in left[state].items():
                product = field.multiply(factor, weight)
                left[source][to] = field.add(left[source][to], product) if to in left[source] else product
                before[to].add(source)
            _add_scaled(right[source], right[state], factor, field)
        for to in left[state]:
            before[to].discard(state)
    solved: dict[K, _Mixed[X, C]] = {}
    for state in reversed(order):
        need_time(0.0)
        result = dict(right[state])
        for to, weight in left[state].items():
            _add_scaled(result, solved[to], weight, field)
        solved[state] = result
    return {state: _ends(solved[state], field) for state in component}


def _ends(mixed: _Mixed[X, C], field: Field[C]) -> Ends[X, C]:
    exits = {end: weight for end, weight in mixed.items() if end is not None and not field.is_zero(weight)}
    return Ends(exits, mixed.get(None, field.zero))


def _by_matrix(
    component: list[K], rows: Mapping[K, Row[K, X, Any]], right: Mapping[K, _Mixed[X, Any]]
) -> dict[K, Ends[X, Any]]:
    """Solve (I − P) X = E over the rationals."""
    place = {state: number for number, state in enumerate(component)}
    ends = list(dict.fromkeys(end for state in component for end in right[state]))
    size = len(component)
    matrix = [[fmpq(row == column) for column in range(size)] for row in range(size)]
    for state, number in place.items():
        for to, weight in rows[state].steps.items():
            if to in place:
                matrix[number][place[to]] -= weight
    values = [right[state].get(end, fmpq(0)) for state in component for end in ends]
    left = fmpq_mat(size, size, [each for row in matrix for each in row])
    solution = left.solve(fmpq_mat(size, len(ends), values))
    result: dict[K, Ends[X, Any]] = {}
    for state, number in place.items():
        mixed = {end: solution[number, column] for column, end in enumerate(ends)}
        exits = {end: weight for end, weight in mixed.items() if end is not None and weight != 0}
        result[state] = Ends(exits, mixed.get(None, fmpq(0)))
    return result
