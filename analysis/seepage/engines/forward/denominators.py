"""Weights as whole numbers over one denominator that is left out while a program runs, as everything it does is linear in them.

Sums of rationals with long denominators take a greatest common divisor each; of whole numbers, and of such with the few bits that some statements add, they do not.
"""

from __future__ import annotations

from math import lcm
from typing import Any, TypeVar, cast

from flint import fmpq, fmpz

from seepage.engines.forward.states import States
from seepage.engines.forward.tables import Table

C = TypeVar("C")


def scaled(states: States[C], scale: fmpz) -> tuple[States[C], fmpz]:
    """Return states whose weights are whole numbers, and the factor in them; ``scale`` is the factor there was.

    The weights must be exact rationals.
    """
    weights = cast("dict[Any, fmpq]", states.weights)
    factor = lcm(*{int(weight.q) for weight in weights.values()})
    if factor == 1:
        return states, scale
    whole: Any = {state: weight * factor for state, weight in weights.items()}
    return States(states.layout, whole), scale * factor


def unscaled(states: States[C] | Table, scale: fmpz) -> tuple[States[C] | Table, fmpz]:
    """Return states with their own weights, and the factor that is left: 1. A table has no factor other than 1."""
    if scale == 1:
        return states, scale
    assert isinstance(states, States)
    weights: Any = {state: weight / scale for state, weight in cast("dict[Any, fmpq]", states.weights).items()}
    return States(states.layout, weights), fmpz(1)
