from __future__ import annotations

from collections import defaultdict
from fractions import Fraction

import pytest

from seepage.diagnostics import Fault
from seepage.engines.outcome import Budget, MixtureComponent
from seepage.engines.select import solve
from seepage.engines.soga.transformer import run

from ..joints import rational, rationals
from ..programs import core_of
from . import dense_mixtures
from .dense_mixtures import CONTINUOUS, DISCRETE, VARIABLES, Path

Moments = dict[object, float]


def _of_paths(paths: list[Path]) -> dict[object, Moments]:
    """Mass, and first and second moments times mass, by the values of the discrete variables."""
    sums: dict[object, Moments] = defaultdict(lambda: defaultdict(float))
    for path in paths:
        total = sums[tuple(path.mean[name] for name in DISCRETE)]
        total["mass"] += path.weight
        for v in CONTINUOUS:
            total[v] += path.weight * float(path.mean[v])
            for w in CONTINUOUS:
                total[v, w] += path.weight * float(path.covariance[v, w] + path.mean[v] * path.mean[w])
    return sums


def _of_components(components: tuple[MixtureComponent, ...]) -> dict[object, Moments]:
    sums: dict[object, Moments] = defaultdict(lambda: defaultdict(float))
    for component in components:
        weight = float(component.weight)
        values = dict(zip(VARIABLES, component.values, strict=True))
        rows = {name: row for row, name in enumerate(name for name in VARIABLES if values[name] is None)}
        mean = {v: float(component.mean[rows[v]] if v in rows else rational(values[v])) for v in VARIABLES}
        total = sums[tuple(values[name] for name in DISCRETE)]
        total["mass"] += weight
        for v in CONTINUOUS:
            total[v] += weight * mean[v]
            for w in CONTINUOUS:
                both = v in rows and w in rows
                covariance = float(component.covariance[rows[v]][rows[w]]) if both else 0.0
                total[v, w] += weight * (covariance + mean[v] * mean[w])
    return sums


def _assert_same(found: dict[object, Moments], expected: dict[object, Moments], scale: float = 1.0) -> None:
    assert set(found) == set(expected)
    for key, moments in expected.items():
        # The oracle adds a few dozen floats of the size of the second moments.
        size = moments["mass"] + sum(abs(moments[v, v]) for v in CONTINUOUS)
        for name, value in moments.items():
            assert found[key][name] * scale == pytest.approx(value, rel=1e-9, abs=1e-12 * size)


@pytest.mark.family(every=4)
@pytest.mark.parametrize("seed", range(60))
def test_agrees_with_components_that_are_never_merged(seed: int) -> None:
    program = dense_mixtures.program(seed)
    paths = dense_mixtures.paths(program)
    core = core_of(program.text)
    if not paths:
        with pytest.raises(Fault, match="impossible observation"):
            run(core, VARIABLES, {}, Budget())
        return
    joint = run(core, VARIABLES, {}, Budget())
    assert not joint.approximations
    _assert_same(_of_components(joint.components), _of_paths(paths))
    assert len(joint.components) <= len(paths)


@pytest.mark.family(every=4)
@pytest.mark.parametrize("seed", range(150, 175))
def test_slices_and_sinks_keep_the_normalised_mixture(seed: int) -> None:
    program = dense_mixtures.program(seed)
    paths = dense_mixtures.paths(program)
    if not paths:
        return
    joint = solve(core_of(program.text), VARIABLES, {}, Budget())
    if hasattr(joint, "components"):
        found, expected = _of_components(joint.components), _of_paths(paths)
        mass = sum(moments["mass"] for moments in found.values())
        total = sum(moments["mass"] for moments in expected.values())
        _assert_same(found, expected, scale=total / mass)


def _rank(rows: list[list[Fraction]]) -> int:
    rank = 0
    while rows and rows[0]:
        pivot = next((row for row in rows if row[0]), None)
        if pivot is not None:
            rank += 1
            rows = [
                [b - a * row[0] / pivot[0] for a, b in zip(pivot, row, strict=True)] for row in rows if row is not pivot
            ]
        rows = [row[1:] for row in rows]
    return rank


@pytest.mark.parametrize("seed", range(200, 240))
def test_ranks_are_those_of_the_covariances(seed: int) -> None:
    program = dense_mixtures.program(seed)
    expected, found = (defaultdict[tuple[object, ...], set[int]](set) for _ in range(2))
    for path in dense_mixtures.paths(program):
        matrix = [[path.covariance[v, w] for w in CONTINUOUS] for v in CONTINUOUS]
        expected[tuple(path.mean[name] for name in DISCRETE)].add(_rank(matrix))
    if expected:
        for component in run(core_of(program.text), VARIABLES, {}, Budget()).components:
            rows = [list(rationals(row)) for row in component.coefficients]
            found[component.values[: len(DISCRETE)]].add(_rank(rows))
        assert found == expected
