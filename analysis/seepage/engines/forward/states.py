"""A finite sub-distribution over states: the thing that moves through a program.

A state is a tuple with one slot for each name of the layout. Discrete runs hold exact numbers only; a run with continuous values
holds, under the name :data:`GAUSSIAN`, the law of the component's sources too. Equal states are one entry; weights add.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from operator import itemgetter
from typing import Generic, TypeAlias, TypeVar, cast

from seepage.data_classes import dataclass
from seepage.distributions.gaussian import Slot, State

C = TypeVar("C")

GAUSSIAN = ""
"""The name of the slot that holds a component's :class:`seepage.distributions.gaussian.Gaussian`; no variable is called so."""

Pick: TypeAlias = Callable[[State], State]


@dataclass(frozen=True, slots=True)
class States(Generic[C]):
    """Weights of states, by their slots in the order of ``layout``; a variable without a slot is 0."""

    layout: tuple[str, ...]
    weights: Mapping[State, C]

    def slots(self) -> dict[str, int]:
        """Return the slot of each name."""
        return {name: slot for slot, name in enumerate(self.layout)}


def picker(slots: Iterable[int]) -> Pick:
    """Return the function that takes a tuple's entries at ``slots`` as a tuple."""
    chosen = tuple(slots)
    if not chosen:
        return lambda _: ()
    if len(chosen) == 1:
        only = chosen[0]
        return lambda state: (state[only],)
    return cast("Pick", itemgetter(*chosen))


def without(layout: tuple[str, ...], names: frozenset[str]) -> tuple[str, ...]:
    """Return a layout without some names."""
    return tuple(name for name in layout if name not in names)


def project(states: States[C], layout: tuple[str, ...], add: Callable[[C, C], C]) -> States[C]:
    """Return the marginal over ``layout``; names that the states do not have become 0."""
    if layout == states.layout:
        return states
    slots = states.slots()
    zero = len(states.layout)
    pick = picker(slots.get(name, zero) for name in layout)
    absent: tuple[Slot, ...] = (0,)
    weights: dict[State, C] = {}
    for state, weight in states.weights.items():
        key = pick(state + absent)
        weights[key] = add(weights[key], weight) if key in weights else weight
    return States(layout, weights)


def merge(first: States[C], second: States[C], add: Callable[[C, C], C]) -> States[C]:
    """Return the sum of two sub-distributions over the union of their layouts."""
    if not second.weights:
        return first
    if not first.weights:
        return second
    layout = (*first.layout, *(name for name in second.layout if name not in first.layout))
    weights = dict(project(first, layout, add).weights)
    for state, weight in project(second, layout, add).weights.items():
        weights[state] = add(weights[state], weight) if state in weights else weight
    return States(layout, weights)
