"""Random functions of the subset: the analysis has the law that enumerating every draw finds, or refuses."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Mapping

import pytest
from tests.python.comparing import disagreement
from tests.python.random_functions import random_function
from tests.python.random_objects import random_objects
from tests.python.random_operators import random_operators

from seepage.program import MeasureError

INPUTS = {"x": (0, 1, 2), "y": (0, 1)}
# 10,000 of them in the deep profile, a third of each kind.
PARTS, SEEDS = (134, 25) if os.environ.get("SEEPAGE_DEEP") == "1" else (1, 10)
WRITERS: Mapping[str, Callable[[int], str]] = {
    "functions": random_function,
    "objects": random_objects,
    "operators": random_operators,
}


def wrong(writer: Callable[[int], str], seeds: range) -> tuple[list[str], Counter[str]]:
    """Return what disagrees, and how many functions have a law and how many are refused."""
    found: list[str] = []
    counts: Counter[str] = Counter()
    for seed in seeds:
        text = writer(seed)
        try:
            told = disagreement(text, "f", INPUTS)
        except MeasureError as error:  # too large for an engine: no number is no wrong one
            told = f"refused: {error}"
        if told is None or told.startswith("refused: "):
            counts["law" if told is None else "refused"] += 1
        else:
            found.append(f"seed {seed}: {told}\n{text}")
    return found, counts


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("kind", WRITERS)
def test_random_functions_have_the_law_that_python_gives_them(kind: str, part: int) -> None:
    found, counts = wrong(WRITERS[kind], range(SEEDS * part, SEEDS * (part + 1)))

    assert not found, found[0]
    assert counts["law"] > counts["refused"]
