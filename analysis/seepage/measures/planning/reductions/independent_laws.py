r"""Divergences of products add up: :math:`D(\otimes P_i \| \otimes Q_i) = \sum_i D(P_i \| Q_i)`, where both laws fall into the same parts."""

from __future__ import annotations

from seepage.measures.planning.folding import sum_of
from seepage.measures.planning.likeness import Likeness, likeness
from seepage.measures.planning.question import Question
from seepage.measures.planning.reductions.reduction import Reduced, Reduction
from seepage.semantics.core import CoreProgram
from seepage.semantics.separation import Extraction, separate

Names = tuple[str, ...]


def _apply(question: Question) -> Reduced | None:
    x, y, other = question.x, question.y, question.other
    if other is None or len(x) != len(y) or len(x) < 2:
        return None
    left, right = _Side(question.core, x), _Side(other, y)
    groups = _together(left.groups, right.groups)
    if len(groups) < 2:
        return None
    kinds: dict[tuple[Likeness, Likeness], list[list[int]]] = {}
    for group in groups:
        kinds.setdefault((left.likeness(group), right.likeness(group)), []).append(group)
    posed, counts = [], [len(members) for members in kinds.values()]
    for members in kinds.values():
        first = members[0]
        posed.append(question.narrowed(tuple(x[at] for at in first), tuple(y[at] for at in first)))
    because = f"because the {len(groups):,} parts are independent in both laws"
    return Reduced(tuple(posed), lambda claims: sum_of(list(zip(claims, counts, strict=True))), "=", because)


class _Side:
    """One law, and which of its variables are dependent: the places of each group."""

    def __init__(self, core: CoreProgram, names: Names) -> None:
        separation = separate(core, names)
        self._core, self._names = core, names
        self._extraction = Extraction(separation)
        self._part = {name: part for part in separation.parts for name in part.names}
        places: dict[Names, list[int]] = {}
        for at, name in enumerate(names):
            part = self._part.get(name)
            places.setdefault((name,) if part is None else part.names, []).append(at)
        self.groups = list(places.values())

    def likeness(self, places: list[int]) -> Likeness:
        """Return what equals that of like variables; constants are alike where they are the same."""
        named = [self._names[at] for at in places]
        parts = dict.fromkeys(self._part[name] for name in named if name in self._part)
        statements = (each for part in parts for each in self._extraction.statements(part))
        constants = [name for name in named if name not in self._part]
        return likeness(statements, (named,), (*self._core.parameters, *constants), arrays=self._core.arrays)


def _together(one: list[list[int]], other: list[list[int]]) -> list[list[int]]:
    """Return the finest groups of places that both sides respect, in order."""
    count = sum(map(len, one))
    leader = list(range(count))

    def first(place: int) -> int:
        while leader[place] != place:
            place = leader[place]
        return place

    for group in (*one, *other):
        for place in group[1:]:
            a, b = first(group[0]), first(place)
            leader[max(a, b)] = min(a, b)
    found: dict[int, list[int]] = {}
    for place in range(count):
        found.setdefault(first(place), []).append(place)
    return list(found.values())


INDEPENDENT_LAWS = Reduction("independent parts of both laws", "Cover and Thomas 2006, theorem 2.5.3", _apply)
