r"""Sources that all that is asked for sees through one linear combination: the combination is a source in their place.

What values and guards are made of on a path is linear in some sources; where all of them hold :math:`z_1, …, z_k` in the same proportions, as
:math:`s = \sum_i a_i z_i`, their law on the path depends on the law of s alone, which is independent of the other sources. So a sum below a clamp, or in a
condition, is a variable like any that is drawn, whether it has a name or not.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from seepage import exact
from seepage.engines.pivot.densities import all_normal, covariance
from seepage.engines.pivot.path import Path
from seepage.engines.pivot.segments import Placed
from seepage.engines.pivot.sums import Sum, is_summed
from seepage.exact import Number
from seepage.laws.forms import Direction, Polynomial, Value, linear, of_terms
from seepage.laws.law import Law
from seepage.laws.normal import Normal

Proportions: TypeAlias = Mapping[int, Number]
"""Sources that are one, ascending, with their coefficients in it; that of the first is 1, whose index it has."""


def merged(paths: Sequence[Path], names: Iterable[str]) -> Sequence[Path]:
    """Return paths on which sources that guards cut together are one source, where some values see them through nothing else.

    Args:
        paths: of a program.
        names: the variables whose joint law is asked for. The paths that are returned may have no others.
    """
    asked = tuple(names)
    if any(path.cut is not None for path in paths):
        return paths
    groups = [(group, law) for group in _groups(paths, asked) if (law := _law_of(paths, group)) is not None]
    if not groups:
        return paths
    changed = (_changed(path, groups, asked) for path in paths)
    return [path for path in changed if path is not None]


def _groups(paths: Sequence[Path], names: Sequence[str]) -> list[Proportions]:
    """Return the sources that stand in the same proportions wherever they stand, and in some guard."""
    cut = {direction for path in paths for direction in path.guards or {}}
    values = {value for path in paths for name in names if isinstance(value := path.values[name], Polynomial)}
    forms = {value: linear(value) for value in values}
    crooked = {index for value, form in forms.items() if form is None for index in value.sources}
    rows = [*map(dict, cut), *(form[1] for form in forms.values() if form is not None)]
    columns: dict[int, list[tuple[int, Number]]] = {}
    for at, row in enumerate(rows):
        for index, coefficient in row.items():
            columns.setdefault(index, []).append((at, coefficient))
    groups: dict[tuple[tuple[int, Number], ...], dict[int, Number]] = {}
    for index in sorted(columns.keys() - crooked):
        (first, scale), *_ = columns[index]
        if first < len(cut):  # some guard holds it
            key = tuple((at, exact.div(coefficient, scale)) for at, coefficient in columns[index])
            groups.setdefault(key, {})[index] = scale
    return [
        {index: exact.div(scale, group[min(group)]) for index, scale in group.items()}
        for group in groups.values()
        if len(group) > 1
    ]


def _law_of(paths: Sequence[Path], group: Proportions) -> Law | None:
    """Return the law of a combination, None where it has none that is known, or not the same one on all paths."""
    longest = max(paths, key=lambda path: len(path.laws))
    if any(path.laws[i] != longest.laws[i] for path in paths for i in group if i < len(path.laws)):
        return None
    if all_normal(longest, group):
        return Normal((covariance(longest, group, group),))
    if all(is_summed(longest.laws[i]) for i in group):
        return Sum(parts=tuple(Placed(longest.laws[i], 0, a, *longest.laws[i].ends) for i, a in group.items()))
    return None


def _changed(path: Path, groups: Sequence[tuple[Proportions, Law]], names: Sequence[str]) -> Path | None:
    """Return a path with combinations in the place of their sources, None where a guard leaves nothing of one."""
    laws, gone = list(path.laws), set[int]()
    for group, law in groups:
        first, *others = group
        gone.update(others)
        if first < len(laws):
            laws[first] = law
    values = {name: _without(path.values[name], gone) for name in names}
    found: Path | None = replace(path, laws=tuple(laws), values=values, guards={})
    for direction, interval in (path.guards or {}).items():
        left: Direction = tuple(each for each in direction if each[0] not in gone)
        found = None if found is None else found.within(left, *interval)
    return found


def _without(value: Value, gone: set[int]) -> Value:
    """Return a value without the terms of sources that are part of another one now."""
    if not isinstance(value, Polynomial):
        return value
    return of_terms({m: a for m, a in value.terms if not any(index in gone for index, _ in m)})
