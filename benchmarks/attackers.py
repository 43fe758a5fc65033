"""An attacker who chooses, against all that he might do, one strategy after the other."""

from __future__ import annotations

from itertools import product
from math import log2

from benchmarks.task import Job, Task

_SEARCH = """
secret s
output o
s ~ uniform_int(1, {values})
for i in 1..{steps} {{
    attacker q[i] in 1..{values}
    o[i] := s <= q[i]
}}
"""
_GUESSES = _SEARCH.replace("<=", "==")


def searched(text: str, values: int, steps: int) -> Job:
    """Prepare the best strategy for what some answers tell."""
    import seepage

    program = seepage.parse(text.format(values=values, steps=steps))
    return lambda: program.measure("I(s; o)").value


def tried() -> Job:
    """Prepare the same by all strategies, for three questions about six values."""
    values, steps = range(1, 7), 3
    histories = [seen for at in range(steps) for seen in product((False, True), repeat=at)]

    def information(strategy: dict[tuple[bool, ...], int]) -> float:
        sizes: dict[tuple[bool, ...], int] = {}
        for secret in values:
            seen: tuple[bool, ...] = ()
            while len(seen) < steps:
                seen = (*seen, secret <= strategy[seen])
            sizes[seen] = sizes.get(seen, 0) + 1
        return sum(size / len(values) * log2(len(values) / size) for size in sizes.values())

    return lambda: max(
        information(dict(zip(histories, chosen, strict=True))) for chosen in product(values, repeat=len(histories))
    )


TASKS = {
    "three adaptive comparisons with one of 100 values": Task(
        lambda: searched(_SEARCH, 100, 3), tried, "all strategies of three questions about 6 values"
    ),
    "nine guesses at one of 100 values": Task(
        lambda: searched(_GUESSES, 100, 9), tried, "all strategies of three questions about 6 values"
    ),
}
