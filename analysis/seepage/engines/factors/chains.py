r"""The law of a long tuple as a product of matrices: what is alive between two statements of a program is the state of a chain that tells the variables one after the other.

The weight of values :math:`e_1 \dots e_n` is :math:`a\, A_1(e_1) \cdots A_n(e_n)\, 1` with a row a of weights and, for each variable, a matrix of whole numbers for each of its
values (a hidden Markov model, Rabiner 1989). A carry makes two states, whatever the number of digits, where no elimination keeps tables small.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import product
from math import log2
from operator import itemgetter
from typing import TypeAlias, TypeVar

from seepage.data_classes import dataclass
from seepage.engines.factors.graph import Beyond, Factor, Function, Graph, Selection, Table, Variable, scope_of
from seepage.engines.outcome import Budget

Row: TypeAlias = tuple[int, ...]
Matrix: TypeAlias = tuple[Row, ...]

_Item = TypeVar("_Item")

MOST_STATES = 64
_MANY_READERS = 8
_MOST_PATHS = 20_000  # from a state after one variable to one before the next

_State: TypeAlias = tuple[tuple[Variable, int], ...]  # of what is alive: each variable with the place of its value
_Paths: TypeAlias = dict[tuple[int, _State], int]  # from a state, by its number, to what is alive: weights


@dataclass(frozen=True, slots=True)
class Step:
    """What a chain does where it tells a variable.

    Attributes:
        variable: that is told.
        matrices: for each of its values the weights from each state to each next one.
    """

    variable: Variable
    matrices: tuple[Matrix, ...]


@dataclass(frozen=True, slots=True)
class Chain:
    """Weights of the values of several variables, up to a factor that all of them have.

    Attributes:
        start: of the states before anything is told.
        steps: one for each variable.
        end: of the states after all is told.
    """

    start: Row
    steps: tuple[Step, ...]
    end: Row


def chain_of(graph: Graph, names: Iterable[str], budget: Budget) -> Chain:
    """Return the joint law of some variables as a chain.

    Args:
        graph: a program with rational chances.
        names: what is asked for.
        budget: the time.

    Raises:
        Beyond: if too much is alive at once, a chance is irrational, or the time is over.
    """
    return _Reading(graph, frozenset(graph.variables(names)), budget).chain()


def times(row: Sequence[int], matrix: Matrix) -> Row:
    """Return a row times a matrix."""
    return tuple(
        sum(weight * line[at] for weight, line in zip(row, matrix, strict=True) if weight)
        for at in range(len(matrix[0]))
    )


def applied(matrix: Matrix, column: Sequence[int]) -> Row:
    """Return a matrix times a column."""
    return tuple(sum(entry * weight for entry, weight in zip(line, column, strict=True) if entry) for line in matrix)


def turned(chain: Chain) -> Chain:
    """Return a chain that tells the last variable first: the weights of all values are the same."""
    steps = [
        Step(step.variable, tuple(tuple(zip(*matrix, strict=True)) for matrix in step.matrices))
        for step in reversed(chain.steps)
    ]
    return _merged(Chain(chain.end, tuple(steps), chain.start))


class _Reading:
    """A run of a program that follows all states of what is alive, and cuts them where a variable that is asked for has been read for the last time."""

    def __init__(self, graph: Graph, asked: frozenset[Variable], budget: Budget) -> None:
        self.graph = graph
        self.asked = asked
        self.budget = budget
        self.steps: list[Step] = []
        self.states: list[_State] = [()]
        self.paths: _Paths = {(0, ()): 1}

    def chain(self) -> Chain:
        order = _ordered(self.graph)
        last = {variable: place for place, factor in enumerate(order) for variable in scope_of(factor)}
        leaving: dict[int, list[Variable]] = {}
        for variable in sorted(last):
            leaving.setdefault(last[variable], []).append(variable)
        for place, factor in enumerate(order):
            if self.budget.expired():
                raise Beyond("the time limit was reached")
            self.enter(factor)
            for variable in leaving.get(place, ()):
                self.leave(variable)
        rest = [0] * len(self.states)
        for (origin, _), weight in self.paths.items():
            rest[origin] += weight
        return _merged(Chain((1,), tuple(self.steps), tuple(rest)))

    def enter(self, factor: Factor) -> None:
        """Multiply by a factor, whose variables are alive then."""
        found: _Paths = {}
        for (origin, state), weight in self.paths.items():
            for fresh, entry in self.entries(factor, dict(state)):
                key = origin, tuple(sorted((*state, *fresh)))
                found[key] = found.get(key, 0) + weight * entry
        if len(found) > _MOST_PATHS:
            raise Beyond("too much is alive at once")
        self.paths = found

    def entries(self, factor: Factor, at: Mapping[Variable, int]) -> Iterator[tuple[_State, int]]:
        """Yield what a factor is at values of what is alive: values of what is not yet, and the weight."""
        match factor:
            case Selection():
                raise Beyond("an element at a random index")
            case Function(inputs=inputs, output=output, places=places):
                for fresh in self.values([each for each in inputs if each not in at]):
                    known = {**at, **dict(fresh)}
                    made = int(places[tuple(known[each] for each in inputs)])
                    if output not in at:
                        yield (*fresh, (output, made)), 1
                    elif at[output] == made:
                        yield fresh, 1
            case Table(scope=scope, entries=entries):
                for fresh in self.values([each for each in scope if each not in at]):
                    known = {**at, **dict(fresh)}
                    entry = entries[tuple(known[each] for each in scope)]
                    if not isinstance(entry, int):
                        raise Beyond("a chance that is irrational")
                    if entry:
                        yield fresh, entry

    def values(self, variables: Sequence[Variable]) -> Iterator[_State]:
        """Yield all values of variables."""
        for places in product(*(range(len(self.graph.domains[each])) for each in variables)):
            yield tuple(zip(variables, places, strict=True))

    def leave(self, variable: Variable) -> None:
        """Forget a variable that nothing reads any more, after it is told, if it is asked for."""
        values = len(self.graph.domains[variable]) if variable in self.asked else 0
        found: _Paths = {}
        split: list[_Paths] = [{} for _ in range(values)]
        for (origin, state), weight in self.paths.items():
            rest = tuple(each for each in state if each[0] != variable)
            into = split[dict(state)[variable]] if values else found
            into[origin, rest] = into.get((origin, rest), 0) + weight
        if not values:
            self.paths = found
            return
        after = sorted({state for paths in split for _, state in paths})
        if len(after) > MOST_STATES:
            raise Beyond("too much is alive at once")
        places = {state: number for number, state in enumerate(after)}
        matrices = []
        for paths in split:
            matrix = [[0] * len(after) for _ in self.states]
            for (origin, state), weight in paths.items():
                matrix[origin][places[state]] += weight
            matrices.append(tuple(map(tuple, matrix)))
        self.steps.append(Step(variable, tuple(matrices)))
        self.states = after
        self.paths = {(number, state): 1 for state, number in places.items()}


# --- in which order ---------------------------------------------------------------------------------------------------


def _ordered(graph: Graph) -> list[Factor]:
    """Return the factors in an order in which little is alive at once: that of the program, or one by which something may be alive before it is computed, and is checked then."""
    laws: dict[Variable, list[Factor]] = {}
    joins = list[Factor]()
    for factor in graph.factors:
        scope = scope_of(factor)
        if isinstance(factor, Table) and len(scope) == 1:
            laws.setdefault(scope[0], []).append(factor)
        else:
            joins.append(factor)
    everywhere = _read_everywhere(joins)
    along = _along(joins, everywhere)
    orders = (joins, _greedy(joins), _greedy(along), _side_by_side(joins), _side_by_side(joins, everywhere), along)
    order = min(orders, key=lambda each: _widest(each, graph))
    found = list[Factor]()
    for factor in order:  # nothing is drawn before it is read
        for variable in scope_of(factor):
            found += laws.pop(variable, ())
        found.append(factor)
    return [*found, *(each for rest in laws.values() for each in rest)]


def _greedy(factors: Sequence[Factor]) -> list[Factor]:
    """Return factors in an order in which each next one leaves the fewest variables alive, the first of these."""
    readers: dict[Variable, set[int]] = {}
    for number, factor in enumerate(factors):
        for variable in scope_of(factor):
            readers.setdefault(variable, set()).add(number)
    order, left, alive = list[Factor](), dict.fromkeys(range(len(factors))), set[Variable]()
    while left:
        near = {number for variable in alive for number in readers[variable]} or {next(iter(left))}
        chosen = min(near, key=lambda number: (_grows(scope_of(factors[number]), alive, readers), number))
        del left[chosen]
        scope = scope_of(factors[chosen])
        for variable in scope:
            readers[variable].discard(chosen)
        alive = {variable for variable in alive.union(scope) if readers[variable]}
        order.append(factors[chosen])
    return order


def _read_everywhere(factors: Sequence[Factor]) -> Collection[Variable]:
    """Return variables that are alive nearly everywhere, as so many factors read them, such as which of two words is chosen."""
    readers = Counter(variable for factor in factors for variable in scope_of(factor))
    return {variable for variable, count in readers.items() if count > _MANY_READERS}


def _along(factors: Sequence[Factor], known: Collection[Variable]) -> list[Factor]:
    """Return factors by how far they are from one at an end, over variables that they share, but for what is known: chains that go through the same digits go on together, each in its own direction.

    Cuthill and McKee 1969, "Reducing the bandwidth of sparse symmetric matrices".
    """
    scopes = [[each for each in scope_of(factor) if each not in known] for factor in factors]
    readers: dict[Variable, list[int]] = {}
    for number, scope in enumerate(scopes):
        for variable in scope:
            readers.setdefault(variable, []).append(number)

    def reached(start: int) -> dict[int, int]:
        """Return how far factors are from one, the nearest first."""
        far, queue = {start: 0}, deque([start])
        while queue:
            number = queue.popleft()
            for other in (each for variable in scopes[number] for each in readers[variable]):
                if other not in far:
                    far[other] = far[number] + 1
                    queue.append(other)
        return far

    order: dict[int, None] = {}
    for number in range(len(factors)):
        if number not in order:
            *_, end = reached(number)
            *_, end = reached(end)
            order.update(dict.fromkeys(reached(end)))
    return [factors[number] for number in order]


def _side_by_side(factors: Sequence[Factor], known: Collection[Variable] = ()) -> list[Factor]:
    """Return factors by how many functions lead to them, one after the other, but for what is known: several carries over the same digits go on together."""
    depth = dict.fromkeys(known, 0)
    found = list[tuple[int, Factor]]()
    for factor in factors:
        level = max((depth.get(each, 0) for each in scope_of(factor)), default=0)
        if isinstance(factor, Function):
            level = 1 + max((depth.get(each, 0) for each in factor.inputs), default=0)
            depth.setdefault(factor.output, level)
        found.append((level, factor))
    return [factor for _, factor in sorted(found, key=itemgetter(0))]


def _grows(scope: Sequence[Variable], alive: set[Variable], readers: Mapping[Variable, set[int]]) -> int:
    """Return how many more variables are alive after a factor that has not been read yet."""
    return sum((len(readers[variable]) > 1) - (variable in alive) for variable in scope)


def _widest(order: Sequence[Factor], graph: Graph) -> float:
    """Return the most that is alive at once, in bits."""
    last = {variable: place for place, factor in enumerate(order) for variable in scope_of(factor)}
    alive, widest = set[Variable](), 0.0
    for place, factor in enumerate(order):
        alive.update(scope_of(factor))
        alive = {variable for variable in alive if last[variable] > place}
        widest = max(widest, sum(log2(max(1, len(graph.domains[variable]))) for variable in alive))
    return widest


# --- states that are one ----------------------------------------------------------------------------------------------


def _merged(chain: Chain) -> Chain:
    """Return a chain in which states before a variable with the same future are one."""
    steps = list[Step]()
    classes = _numbers(chain.end)
    end = tuple(_firsts(chain.end, classes))
    for step in reversed(chain.steps):
        size = max(classes, default=-1) + 1
        rows = [
            tuple(_joined(matrix[at], classes, size) for matrix in step.matrices) for at in range(len(step.matrices[0]))
        ]
        classes = _numbers(rows)
        kept = _firsts(rows, classes)
        matrices = tuple(tuple(row[value] for row in kept) for value in range(len(step.matrices)))
        steps.append(Step(step.variable, matrices))
    start = _joined(chain.start, classes, max(classes, default=-1) + 1)
    return Chain(start, tuple(reversed(steps)), end)


def _numbers(items: Sequence[object]) -> list[int]:
    """Return numbers that are equal for equal items."""
    known: dict[object, int] = {}
    return [known.setdefault(item, len(known)) for item in items]


def _firsts(items: Sequence[_Item], classes: Sequence[int]) -> list[_Item]:
    """Return the first item of each class, in the order of their numbers."""
    found: dict[int, _Item] = {}
    for item, number in zip(items, classes, strict=True):
        found.setdefault(number, item)
    return [found[number] for number in sorted(found)]


def _joined(row: Row, classes: Sequence[int], size: int) -> Row:
    """Return a row in which the weights of the states of a class are added up."""
    found = [0] * size
    for weight, number in zip(row, classes, strict=True):
        found[number] += weight
    return tuple(found)
