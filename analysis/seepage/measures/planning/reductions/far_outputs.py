r"""Outputs that are far from the inputs tell little: without them less is told, and with what parts them from the inputs in their place more.

Let variables S and the near outputs make x independent of the far ones. Then near and far outputs are near ones and S, processed further, so that for every measure that can
only fall by processing what x tells lies between what the near outputs tell and what these tell together with S. In a chain S is one state, and both ends meet fast.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from seepage.measures.planning.estimate import is_large
from seepage.measures.planning.question import Names, Question
from seepage.measures.planning.reductions.reduction import Reduced, Reduction
from seepage.measures.planning.table import Relation
from seepage.semantics.core import CoreProgram
from seepage.semantics.dependence import Version, children_of, dependence
from seepage.semantics.memo import Same
from seepage.semantics.slice import independent, slice_program

_SOURCE = "data processing: Cover and Thomas 2006, theorem 2.8.1; Alvim et al. 2020, chapter 9; boundaries of moral graphs part, Lauritzen et al. 1990"
_OPPOSITE: dict[Relation, Relation] = {"<=": ">=", ">=": "<="}
_MOST_NEAR = 10  # outputs
_MOST_BETWEEN = 3  # variables that part the far outputs from the inputs


def _without(question: Question) -> Reduced | None:
    relation, found = question.measure.under_processing, _parted(question)
    if relation is None or found is None:
        return None
    near, between = found
    far = len(question.y) - len(near)
    because = f"whoever sees {far:,} outputs more, which are beyond {', '.join(between)}, knows at least as much"
    return Reduced((question.narrowed(question.x, near),), lambda claims: claims[0], _OPPOSITE[relation], because)


def _with_more(question: Question) -> Reduced | None:
    relation, found = question.measure.under_processing, _parted(question)
    if relation is None or found is None:
        return None
    near, between = found
    because = f"{len(question.y) - len(near):,} outputs tell of the inputs at most what {', '.join(between)} tells"
    return Reduced((question.narrowed(question.x, (*near, *between)),), lambda claims: claims[0], relation, because)


def _parted(question: Question) -> tuple[Names, Names] | None:
    """Return the outputs near the inputs, and what parts the others from these; None where nothing does."""
    if (
        question.given
        or question.is_under_an_event
        or len(question.y) <= _MOST_NEAR
        or question.measure.shape == "value"
    ):
        return None
    return _near(Same(question.core), question.x, question.y) if is_large(question) else None


@lru_cache(maxsize=4)
def _near(key: Same[CoreProgram], x: Names, y: Names) -> tuple[Names, Names] | None:
    core = slice_program(key.one, (*x, *y))
    if dependence(core).observations:
        return None
    found = None
    for near, between in _boundaries(core, x, y):
        if len(near) > _MOST_NEAR:
            break
        if near and len(between) <= _MOST_BETWEEN:
            found = near, between
    if found is None:
        return None
    far = tuple(name for name in y if name not in found[0])
    return found if far and independent(core, x, far, (*found[0], *found[1])) else None


def _boundaries(core: CoreProgram, x: Names, y: Names) -> Iterator[tuple[Names, Names]]:
    """Yield the outputs within each distance from the inputs in the moral graph, with the variables at its end; where those have no names, nothing."""
    graph = dependence(core)
    children = children_of(graph)
    named = {version: name for name, version in graph.final.items()}
    inputs = {graph.final[name] for name in x if name in graph.final}
    outputs = {graph.final[name]: name for name in y if name in graph.final}
    inside, ring = set(inputs), inputs

    def beside(version: Version) -> Iterator[Version]:
        yield from graph.parents[version]
        for child in children[version]:
            yield child
            yield from graph.parents[child]

    while ring:
        ring = {other for version in ring for other in beside(version)} - inside
        inside |= ring
        ends = [
            version for version in sorted(ring) if not inside.issuperset(beside(version)) and version not in outputs
        ]
        if ends and all(version in named for version in ends):
            near: Sequence[str] = [name for version, name in outputs.items() if version in inside]
            yield tuple(name for name in y if name in near), tuple(named[version] for version in ends)


WITHOUT_FAR = Reduction("without far outputs", _SOURCE, _without)
WITH_STATE = Reduction("what parts far outputs from inputs", _SOURCE, _with_more)
