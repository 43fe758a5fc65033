"""Which paths may be one: those that agree in all but their weights, or whose regions together are one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from flint import fmpq

from seepage.engines.pivot.comparisons import union_of
from seepage.engines.pivot.path import Path
from seepage.engines.soga.weights import Weight
from seepage.laws.forms import Beyond


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


def _name_of(weight: Weight) -> str:
    """Return what weights have in common that are equal, or the same ball: regions of such may be added up."""
    return repr(weight) if isinstance(weight, fmpq) else f"{weight.mid().man_exp()} {weight.rad().man_exp()}"
