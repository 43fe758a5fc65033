r"""Digits that make one number: sources that only ever stand together as :math:`a (k_i + n_i k_j)` are one source of :math:`n_i n_j` equally likely values.

So bits that a loop packs into a number (``k := 2 * k + b[i]``) are one source once nothing reads them by themselves, and what is asked of the number
splits one source, not all its bits.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TypeAlias

from seepage.distributions.gaussian import Affine, Sizes, State
from seepage.engines.forward.class_forms import Stuck, combined, rational

Uses: TypeAlias = "dict[int, dict[int, Fraction]]"
"""For each source the slots whose values depend on it, with its slopes."""


def packed(state: State, slot: int) -> State:
    """Return a state with digits that always stand together as one source; ``slot`` holds the sizes. Sources that are merged into others stay without use."""
    sizes = state[slot]
    assert isinstance(sizes, Sizes)
    if not any(isinstance(value, Affine) and len(value.terms) > 1 for value in state):
        return state
    try:
        uses = _uses(state)
    except Stuck:
        return state
    for tie in sizes.ties:
        for source in tie.members:
            uses.pop(source, None)
    counts = list(sizes.counts)
    gone: set[int] = set()
    for upper in sorted(uses, key=lambda source: min(abs(slope) for slope in uses[source].values())):
        lower = next((one for one in uses if one not in gone and _continues(uses[one], counts[one], uses[upper])), None)
        if lower is not None:
            counts[lower] *= counts[upper]
            gone.add(upper)
    if not gone:
        return state
    after = [
        combined(value.constant, (term for term in value.terms if term[0] not in gone))
        if isinstance(value, Affine)
        else value
        for value in state
    ]
    after[slot] = Sizes(tuple(counts), sizes.ties)
    return tuple(after)


def _uses(state: State) -> Uses:
    found: Uses = {}
    for place, value in enumerate(state):
        if isinstance(value, Affine):
            for source, slope in rational(value)[1]:
                found.setdefault(source, {})[place] = slope
    return found


def _continues(lower: dict[int, Fraction], count: int, upper: dict[int, Fraction]) -> bool:
    """Tell whether a source is the next digit above one of ``count`` values wherever either stands."""
    return lower.keys() == upper.keys() and all(upper[place] == slope * count for place, slope in lower.items())
