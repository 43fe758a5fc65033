"""The bottom of a function of one valley, roughly."""

from __future__ import annotations

import math
from collections.abc import Callable


def least_at(function: Callable[[float], float], low: float, high: float, steps: int) -> float:
    """Return about where a function of one valley is least."""
    ratio = (math.sqrt(5) - 1) / 2
    a, b = high - ratio * (high - low), low + ratio * (high - low)
    at_a, at_b = function(a), function(b)
    for _ in range(steps):
        if at_a <= at_b:
            high, b, at_b = b, a, at_a
            a = high - ratio * (high - low)
            at_a = function(a)
        else:
            low, a, at_a = a, b, at_b
            b = low + ratio * (high - low)
            at_b = function(b)
    return (low + high) / 2
