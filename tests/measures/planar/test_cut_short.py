"""Integrals over the plane whose time is up: wide bounds, which hold."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from seepage.measures.planar.best import best_gain
from seepage.measures.planar.boxes import Scattered
from seepage.measures.planar.entropy import entropy
from seepage.measures.planar.rays import left

PLACES = Scattered(np.array([(0.0, 0.0), (1.0, 0.0), (0.0, 2.0), (3.0, 1.0)]), np.array([0.4, 0.3, 0.2, 0.1]))


def _after(looks: int) -> Callable[[], bool]:
    """Return a clock whose time is up once it was looked at so often."""
    seen: list[None] = []

    def stop() -> bool:
        seen.append(None)
        return len(seen) > looks

    return stop


@pytest.mark.parametrize("looks", [0, 1, 3, 6])
def test_bounds_hold_whenever_the_time_is_up(looks: int) -> None:
    chance = float((PLACES.weights * (1 - left(PLACES.places, np.log(PLACES.weights)).values)).sum())
    whole = entropy(PLACES, (False, False), _after(10_000))

    gained = best_gain(PLACES, np.eye(4), _after(looks))
    unknown = entropy(PLACES, (False, False), _after(looks))

    assert whole.finished
    assert not gained.finished
    assert not unknown.finished
    assert gained.lower <= chance <= gained.upper
    assert unknown.lower <= whole.lower < whole.upper <= unknown.upper


def test_weights_that_tie_at_the_edge_end_with_bounds() -> None:
    """The second place is as likely as the first one on one ray only, up to rounding: it is never guessed, which costs nothing."""
    places = np.array([(0.0, 0.0), (1.3, 0.7)])
    weights = np.array([1.0, np.exp(-np.hypot(1.3, 0.7) * (1 - 1e-15))])

    found = left(places, np.log(weights))

    told = float((weights * (1 - found.values)).sum())
    assert abs(told - 1) <= float((weights * found.errors).sum()) + 1e-12
