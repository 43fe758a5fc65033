"""What a measure of each name can be at least and at most, whatever the program is."""

from __future__ import annotations

from collections.abc import Mapping

from flint import arb

POSSIBLE: Mapping[str, tuple[int | None, int | None]] = {
    **dict.fromkeys(("P", "V", "Delta"), (0, 1)),
    **dict.fromkeys(("I", "KL", "Hmin", "Lmin", "G", "C", "Cmin", "DP", "Renyi", "zCDP", "Var"), (0, None)),
    "Guess": (1, None),
}


def width_of(name: str) -> arb | None:
    """Return how far apart values of a measure can be, None where nothing limits it."""
    least, most = POSSIBLE.get(name, (None, None))
    return None if least is None or most is None else arb(most - least)
