"""Which paths may be one: those that agree in all but their weights, or whose regions together are one; and which sources of a path."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import combinations

from flint import fmpq

from seepage import exact
from seepage.engines.pivot.comparisons import union_of
from seepage.engines.pivot.path import Path
from seepage.engines.soga.weights import Weight
from seepage.exact import Number
from seepage.laws.forms import Beyond, Polynomial, Value, of_terms


def fewest_densities(paths: list[Path]) -> list[Path]:
    """Keep the paths that observed the fewest continuous equalities, as an atom beats a density."""
    fewest = min((path.densities for path in paths), default=0)
    kept = [replace(path, densities=0) for path in paths if path.densities == fewest]
    for path in kept:
        if path.vague:
            raise Beyond(path.vague)
    return kept


def merged(paths: Iterable[Path]) -> list[Path]:
    """Add up the weights of paths that agree in everything else."""
    found: dict[tuple[object, ...], Path] = {}
    for path in paths:
        guards = frozenset((path.guards or {}).items())
        key = (frozenset(path.values.items()), path.laws, guards, path.densities, path.cut, path.vague)
        found[key] = replace(path, weight=found[key].weight + path.weight) if key in found else path
    return list(found.values())


def united(paths: Sequence[Path]) -> tuple[Path, ...]:
    """Join paths of one weight, with the same values, where their guards together are those of one path."""
    groups: dict[tuple[object, ...], list[Path]] = {}
    for path in paths:
        key = (frozenset(path.values.items()), path.laws, path.densities, path.cut, _name_of(path.weight))
        groups.setdefault(key, []).append(path)
    found: list[Path] = []
    for group in groups.values():
        regions = [path.guards or {} for path in group]
        joined = union_of(group[0].laws, regions) if len(group) > 1 else None
        found += group if joined is None else [replace(group[0], guards=joined)]
    return tuple(found)


def with_joined_sources(path: Path) -> Path:
    """Return a path on which sources of one law that come in one combination only, as two Gumbel values in their difference, are one source of the law of that."""
    tied = {index for direction in path.guards or {} for index, _ in direction}
    tied |= set() if path.cut is None else path.cut[0].sources
    values = [value for value in path.values.values() if isinstance(value, Polynomial)]
    found = frozenset[int]().union(*(value.sources for value in values)) - tied
    for first, second in combinations(sorted(index for index in found if path.laws[index].joins), 2):
        if path.laws[first] == path.laws[second] and (ratio := _ratio(values, first, second)) is not None:
            joined = path.laws[first].joined(ratio)
            if joined is not None:
                laws = tuple(joined[0] if index == first else law for index, law in enumerate(path.laws))
                told = {name: _rewritten(value, first, second, joined[1]) for name, value in path.values.items()}
                return with_joined_sources(replace(path, values=told, laws=laws))
    return path


def _ratio(values: Sequence[Polynomial], first: int, second: int) -> Number | None:
    """Return the r for which the sources are in values as first + r · second only, None if there is none."""
    ratio: Number | None = None
    for value in values:
        if not {first, second} & value.sources:
            continue
        linear = {monomial: coefficient for monomial, coefficient in value.terms if len(monomial) == 1}
        one, other = (linear.pop(((index, 1),), None) for index in (first, second))
        rest = frozenset(
            index for monomial, _ in value.terms if len(monomial) > 1 or monomial in linear for index, _ in monomial
        )
        if one is None or other is None or {first, second} & rest:
            return None
        if ratio is not None and exact.compare(exact.div(other, one), ratio):
            return None
        ratio = exact.div(other, one)
    return ratio


def _rewritten(value: Value, first: int, second: int, scale: Number) -> Value:
    if not isinstance(value, Polynomial):
        return value
    terms = dict(value.terms)
    if terms.pop(((second, 1),), None) is not None:
        terms[((first, 1),)] = exact.mul(terms[((first, 1),)], scale)
    return of_terms(terms)


def _name_of(weight: Weight) -> str:
    """Return what weights have in common that are equal, or the same ball: regions of such may be added up."""
    return repr(weight) if isinstance(weight, fmpq) else f"{weight.mid().man_exp()} {weight.rad().man_exp()}"
