"""Which states of a chain its first variables lead to: values whose rows are 0 in the same places are of one sort.

What a sort leads to after one more variable is a sort again (Rabin and Scott 1959, "Finite automata and their decision problems", make an automaton deterministic so). Of the
values of a sort, either all have weight with what follows, or none; so it is known how many have: of a word and the smaller one of it and another, those in which both are equal
are told apart from those in which they are not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from seepage.data_classes import dataclass
from seepage.engines.factors.chains import Chain, Matrix

Support: TypeAlias = frozenset[int]

_MOST_SORTS = 64


@dataclass(frozen=True, slots=True)
class Origin:
    """What makes values of a sort: those of one before a variable, with a value of it.

    Attributes:
        support: before the variable.
        matrix: of its value.
    """

    support: Support
    matrix: Matrix


Supports: TypeAlias = Sequence[Mapping[Support, Sequence[Origin]]]


def supports(chain: Chain) -> Supports:
    """Return the sorts before each variable of a chain and after the last one, and what makes them; a single one everywhere where they are many."""
    found: list[dict[Support, list[Origin]]] = [{_places(chain.start): []}]
    for step in chain.steps:
        follows = [[_places(row) for row in matrix] for matrix in step.matrices]
        after: dict[Support, list[Origin]] = {}
        for support in found[-1]:
            for matrix, rows in zip(step.matrices, follows, strict=True):
                if reached := frozenset[int]().union(*(rows[at] for at in support)):
                    after.setdefault(reached, []).append(Origin(support, matrix))
        if len(after) > _MOST_SORTS:
            return together(chain)
        found.append(after)
    return found


def _places(row: Sequence[int]) -> Support:
    return frozenset(at for at, weight in enumerate(row) if weight)


def together(chain: Chain) -> Supports:
    """Return a single sort of all values everywhere, those without weight among them."""
    sizes = [len(chain.start), *(len(step.matrices[0][0]) for step in chain.steps)]
    sorts = [frozenset(range(size)) for size in sizes]
    return [
        {sorts[0]: ()},
        *(
            {after: [Origin(before, matrix) for matrix in step.matrices]}
            for before, after, step in zip(sorts, sorts[1:], chain.steps, strict=False)
        ),
    ]
