"""Certified measures of Gaussian mixtures, each against a plain sum over a grid in numpy, which proves nothing.

Every job checks its own goal: the bounds are as narrow as promised at the default tolerance of 1e-9 nats.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from typing import TYPE_CHECKING

from benchmarks.task import Job, Task

if TYPE_CHECKING:
    from seepage.engines.outcome import MixtureComponent, MixtureJoint
    from seepage.measures.enclosure import Enclosure

Parts = list[tuple[float, int | None, tuple[float, ...], tuple[tuple[float, ...], ...]]]
"""Weight, value of the discrete variable 'd' if there is one, mean and covariance of the continuous ones."""


def _scalars(count: int, decades: float = 0.0) -> Parts:
    rng = random.Random(count)
    parts: Parts = []
    for _ in range(count):
        deviation = 10 ** -rng.uniform(0, decades) if decades else rng.uniform(0.5, 1.5)
        mean = rng.gauss(0, 1) if decades else rng.uniform(0, 2 * count)
        parts.append((rng.uniform(0.05, 1.0), None, (mean,), ((deviation**2,),)))
    return parts


def _labelled(values: int, each: int) -> Parts:
    rng = random.Random(values)
    return [
        (rng.uniform(0.05, 1.0), d, (d / 8 + rng.uniform(0, 8),), ((rng.uniform(0.25, 2.25),),))
        for d in range(values)
        for _ in range(each)
    ]


def _pairs(count: int, correlation: Callable[[random.Random], float], spread: float) -> Parts:
    rng = random.Random(count)
    parts: Parts = []
    for _ in range(count):
        r = correlation(rng)
        s, t = (1.0, 1.0) if abs(r) > 0.9 else (rng.uniform(0.5, 1.5), rng.uniform(0.5, 1.5))
        first = rng.uniform(0, spread)
        second = first if r > 0.99999 else rng.uniform(0, spread)
        parts.append((rng.uniform(0.05, 1.0), None, (first, second), ((s * s, r * s * t), (r * s * t, t * t))))
    return parts


def _component(
    weight: float, label: int | None, mean: tuple[float, ...], table: tuple[tuple[float, ...], ...]
) -> MixtureComponent:
    from flint import arb, fmpq

    from seepage.engines.outcome import MixtureComponent

    names = tuple(range(len(mean)))
    rows = tuple(tuple(int(i == j) for j in names) for i in names)
    values = (*(() if label is None else (label,)), *(None for _ in names))
    numerator, denominator = weight.as_integer_ratio()
    return MixtureComponent(
        fmpq(numerator, denominator),
        values,
        rows,
        tuple(arb(m) for m in mean),
        tuple(tuple(arb(entry) for entry in row) for row in table),
        (mean, table),
    )


def _joint(parts: Parts) -> MixtureJoint:
    from seepage.engines.outcome import MixtureJoint

    names = (*(() if parts[0][1] is None else ("d",)), *("x", "y")[: len(parts[0][2])])
    return MixtureJoint(names, tuple(_component(*part) for part in parts))


def _narrow(found: Enclosure, width: float) -> Enclosure:
    if not found.upper - found.lower <= width:
        raise AssertionError(f"bounds are {float(found.upper - found.lower)} wide, expected at most {width}")
    return found


def _entropy(parts: Parts, width: float) -> Job:
    from seepage.measures.gaussian.entropy import entropy

    joint = _joint(parts)
    entropy(_joint(_scalars(3)), ("x",))
    return lambda: _narrow(entropy(joint, ("x",)), width)


def _information(parts: Parts, x: str, y: str, width: float) -> Job:
    from seepage.measures.gaussian.information import mutual_information

    joint = _joint(parts)
    mutual_information(_joint(_pairs(2, lambda rng: 0.5, 1)), ("x",), ("y",))
    return lambda: _narrow(mutual_information(joint, (x,), (y,)), width)


def _entropy_by_a_sum(parts: Parts, points: int) -> Job:
    import numpy as np

    weight, mean, deviation = (
        np.array(each) for each in zip(*((w, m[0], math.sqrt(v[0][0])) for w, _, m, v in parts), strict=True)
    )

    def job() -> float:
        x = np.linspace((mean - 9 * deviation).min(), (mean + 9 * deviation).max(), points)
        density = np.zeros_like(x)
        for w, m, s in zip(weight / weight.sum(), mean, deviation, strict=True):
            density += w * np.exp(-0.5 * ((x - m) / s) ** 2) / (s * math.sqrt(2 * math.pi))
        return float(-(density * np.log(np.maximum(density, 1e-300))).sum() * (x[1] - x[0]))

    return job


def _labels_by_a_sum() -> Job:
    parts = _labelled(256, 4)
    jobs = [_entropy_by_a_sum([part for part in parts if part[1] == d], 1000) for d in range(256)]
    whole = _entropy_by_a_sum(parts, 2000)
    return lambda: [whole(), *(job() for job in jobs)]


def _plane_by_a_sum(parts: Parts, points: int) -> Job:
    import numpy as np

    low = [min(m[a] - 9 * math.sqrt(v[a][a]) for _, _, m, v in parts) for a in (0, 1)]
    high = [max(m[a] + 9 * math.sqrt(v[a][a]) for _, _, m, v in parts) for a in (0, 1)]
    whole = sum(part[0] for part in parts)

    def job() -> float:
        x, y = np.linspace(low[0], high[0], points)[:, None], np.linspace(low[1], high[1], points)[None, :]
        density = np.zeros((points, points))
        for w, _, m, v in parts:
            det = v[0][0] * v[1][1] - v[0][1] ** 2
            a, b = x - m[0], y - m[1]
            quadratic = (v[1][1] * a * a - 2 * v[0][1] * a * b + v[0][0] * b * b) / det
            density += w / whole * np.exp(-0.5 * quadratic) / (2 * math.pi * math.sqrt(det))
        cell = (x[1, 0] - x[0, 0]) * (y[0, 1] - y[0, 0])
        marginals = density.sum(axis=1, keepdims=True) * density.sum(axis=0, keepdims=True) * cell
        inside = density > 1e-300
        return float((density[inside] * np.log(density[inside] / marginals[inside])).sum() * cell)

    return job


def _ridges(count: int) -> Parts:
    return _pairs(count, lambda rng: rng.choice((-0.999, 0.999)), 3)


def ridges() -> Job:
    """I of 64 thin ridges that cross each other, with all the time that it takes."""
    from seepage.measures.gaussian.information import mutual_information
    from seepage.measures.gaussian.quadrature import until

    joint = _joint(_ridges(64))

    def job() -> Enclosure:
        with until(None):
            return _narrow(mutual_information(joint, ("x",), ("y",)), 1e-7)

    return job


def ridges_at_once() -> Job:
    """The bounds of their entropy by pairs, which are there at once."""
    from flint import arb

    from seepage.measures.gaussian.bounds import kolchinsky_tracey_lower, kolchinsky_tracey_upper
    from seepage.measures.gaussian.quadrature_frame import WeightedGaussian

    components = _joint(_ridges(64)).components
    whole = sum((component.weight for component in components[1:]), components[0].weight)
    f = [WeightedGaussian(arb(each.weight / whole), each.mean, each.covariance) for each in components]
    return lambda: (kolchinsky_tracey_lower(f), kolchinsky_tracey_upper(f))


_SUM = "a sum over a grid of as many components in numpy"

TASKS = {
    "entropy of 1000 components": Task(
        lambda: _entropy(_scalars(1000), 1e-8), lambda: _entropy_by_a_sum(_scalars(1000), 20_000), _SUM
    ),
    "entropy of 256 components over six decades": Task(
        lambda: _entropy(_scalars(256, 6), 1e-8),
        lambda: _entropy_by_a_sum(_scalars(256), 20_000),
        f"{_SUM}, of one scale",
    ),
    "information of 64 continuous pairs": Task(
        lambda: _information(_pairs(64, lambda rng: rng.uniform(-0.8, 0.8), 16), "x", "y", 1e-9),
        lambda: _plane_by_a_sum(_pairs(64, lambda rng: rng.uniform(-0.8, 0.8), 16), 400),
        _SUM,
    ),
    "information of 64 pairs with correlation 0.999999": Task(
        lambda: _information(_pairs(64, lambda rng: 0.999999, 3), "x", "y", 1e-9),
        lambda: _plane_by_a_sum(_pairs(64, lambda rng: 0.5, 3), 400),
        f"{_SUM}, with correlation 0.5",
    ),
    "a secret of 256 values in four components each": Task(
        lambda: _information(_labelled(256, 4), "d", "x", 1e-9), _labels_by_a_sum, _SUM
    ),
    "64 crossing ridges": Task(
        ridges, ridges_at_once, "the bounds of their entropy by pairs of components, 0.7 nats wide"
    ),
}
