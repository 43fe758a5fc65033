r"""Where :math:`\delta(\varepsilon) = \sum (p - e^\varepsilon q)_+` falls to what is allowed: solved for, as it is linear in :math:`e^\varepsilon` between two losses."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

_Floats = npt.NDArray[np.float64]
# How far from the guess ε is looked for, relative to 1 + ε, and how much farther the next time.
_NEAREST, _FARTHER = 1e-11, 4.0
_SMALL = 1e-6  # a guess that may stand for 0


def crossing(ratios: _Floats, p: _Floats, q: _Floats, wanted: float) -> float:
    """Return about the ε, at least 0, at which δ is a wanted number.

    Args:
        ratios: p over q, in rising order.
        p: masses for the first input.
        q: those for the second one.
        wanted: δ without the mass of infinite losses.
    """
    above, below = np.cumsum(p[::-1])[::-1], np.cumsum(q[::-1])[::-1]
    at = int(np.searchsorted(ratios * below - above, -wanted))  # δ at the ratios, with its sign turned, rises with them
    if at == len(ratios):
        return math.log(float(ratios[-1])) if at and ratios[-1] > 1 else 0.0
    alpha = (float(above[at]) - wanted) / float(below[at]) if below[at] > 0 else float(ratios[at])
    return math.log(alpha) if alpha > 1 else 0.0


def least_above(excess: Callable[[float], float], delta: float, guess: float, last: float) -> float:
    """Return an ε near a guess at which δ surely is at most what is allowed.

    Args:
        excess: a bound of δ from above at an ε that is at least 0.
        delta: what is allowed.
        guess: about the least such ε.
        last: from where on δ falls no more: infinity is returned if it is too large there.
    """
    if guess < _SMALL and excess(0.0) <= delta:
        return 0.0
    away = _NEAREST * (1 + guess)
    while excess(guess + away) > delta:
        if guess + away > last:
            return math.inf
        away *= _FARTHER
    return guess + away


def greatest_below(excess: Callable[[float], float], delta: float, guess: float) -> float:
    """Return an ε near a guess at which δ surely is more than what is allowed, or 0.

    Args:
        excess: a bound of δ from below at an ε that is at least 0.
        delta: what is allowed.
        guess: about the greatest such ε.
    """
    away = _NEAREST * (1 + guess)
    while away < guess and excess(guess - away) <= delta:
        away *= _FARTHER
    return max(0.0, guess - away)
