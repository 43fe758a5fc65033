"""How many states a forward run of a graph's program would hold, statement by statement: what elimination is compared with."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import log2

from seepage.engines.factors.graph import Factor, Function, Graph, Table, Variable, scope_of

_GREATEST = 200.0  # bits


def states_of(graph: Graph, names: Iterable[str]) -> float:
    """Return the sum, over the factors in the order of the program, of the number of assignments of values to what is alive there.

    Alive is what a later factor reads, or is asked for. What is a function of other variables that are alive counts as one value. So this is at
    least the number of states that a run with equal states merged goes through, as far as domains tell.
    """
    last = _last_uses(graph.factors)
    asked = frozenset(graph.variables(names))
    leaving: dict[int, list[Variable]] = {}
    for variable, place in last.items():
        if variable not in asked:
            leaving.setdefault(place, []).append(variable)
    frontier = _Frontier([log2(max(1, len(domain))) for domain in graph.domains])
    total = 0.0
    for place, factor in enumerate(graph.factors):
        frontier.enter(factor)
        total += 2.0 ** min(frontier.bits, _GREATEST) * _looks(factor)
        for variable in leaving.get(place, ()):
            frontier.leave(variable)
    return total


def _looks(factor: Factor) -> float:
    """Return how many conditions a state meets at a factor: a law that depends on others is a chain of branches, half of which are passed in the mean."""
    rows = factor.entries.size / max(1, factor.entries.shape[-1]) if isinstance(factor, Table) and factor.scope else 1.0
    return max(1.0, rows / 2)


def _last_uses(factors: Sequence[Factor]) -> dict[Variable, int]:
    return {variable: place for place, factor in enumerate(factors) for variable in scope_of(factor)}


class _Frontier:
    """Variables that are alive; ``bits`` is the logarithm of how many assignments of values they have."""

    def __init__(self, sizes: Sequence[float]) -> None:
        self.sizes = sizes
        self.bits = 0.0
        self.weights: dict[Variable, float] = {}  # of what is alive: 0 for what the others determine
        self.determined: dict[Variable, list[Variable]] = {}  # by a variable, as long as that is alive

    def enter(self, factor: Factor) -> None:
        """Let the variables of a factor be alive."""
        fresh = [variable for variable in scope_of(factor) if variable not in self.weights]
        for variable in fresh:
            is_determined = isinstance(factor, Function) and variable == factor.output
            self.weights[variable] = 0.0 if is_determined else self.sizes[variable]
            self.bits += self.weights[variable]
            if is_determined and isinstance(factor, Function):
                for each in factor.inputs:
                    self.determined.setdefault(each, []).append(variable)

    def leave(self, variable: Variable) -> None:
        """Forget a variable; what it took part in determining counts from now on."""
        self.bits -= self.weights.pop(variable, 0.0)
        for each in self.determined.pop(variable, ()):
            if self.weights.get(each) == 0.0:
                self.weights[each] = self.sizes[each]
                self.bits += self.sizes[each]
