r"""The entropy of a mixture in three and more dimensions of which all but one coordinate have the same normal law in every component, read for :mod:`lattice`.

So are jointly normal inputs and one output behind normal noise, where which mean of the inputs is seen is random. With x the inputs, y the output and
Σ = L Lᵀ, x − E x = L z for a standard normal z; in component i, y given z is a normal with mean E_i y + zᵀL⁻¹Cov_i(x, y), and H(x, y) = H(x) + H(y | z).

Laws of x are equal within their balls: in coordinates z, means and covariances may differ by s. Along a path between two such mixtures, with r the Mahalanobis
radius and n inputs, −∫ p log p changes by at most s Σ w_i E_i (n + 1 + r²)(log(M/max w_i N_i) + r²/2) <= s (n + 4)³ (1 + max log(M/max w_i N_i)).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from flint import arb

from seepage.measures.gaussian.bounds import gaussian_entropy
from seepage.measures.gaussian.lattice import NoisyMean, conditional_entropy
from seepage.measures.gaussian.quadrature_frame import UNIT, NotResolved, WeightedGaussian

_MOST_INPUTS = 100
_MOVED = 1e-24
_BY_MOVING = 1e-13  # at least (n + 4)³ · 1500 times that; the logarithm is that of a float


def noisy_mean_entropy(mixture: Sequence[WeightedGaussian], worth: float) -> tuple[arb, arb]:
    """Return bounds of H in nats of a mixture of weight 1 that are closer than ``worth``.

    Raises:
        NotResolved: if it is no such mixture, something is known too badly, or no bounds so close are found in the time.
    """
    output = _output(mixture)
    law = _law_of_inputs(mixture, output)
    given = _given_inputs(mixture, output, law)
    low, high = conditional_entropy(given, worth)
    of_inputs = gaussian_entropy(law)
    return (of_inputs + arb(low) - _BY_MOVING).lower(), (of_inputs + arb(high) + _BY_MOVING).upper()


def _output(mixture: Sequence[WeightedGaussian]) -> int:
    """Return the only coordinate whose law, or whose covariance with others, differs between components; the last one if there are several."""
    size, first = len(mixture[0].mean), mixture[0]
    for output in reversed(range(size)):
        rest = [at for at in range(size) if at != output]
        if all(
            g.mean[i].overlaps(first.mean[i]) and all(g.covariance[i][j].overlaps(first.covariance[i][j]) for j in rest)
            for g in mixture
            for i in rest
        ):
            return output
    raise NotResolved("several coordinates have more than one law")


def _law_of_inputs(mixture: Sequence[WeightedGaussian], output: int) -> list[list[arb]]:
    """Return the covariance of the inputs, in balls that hold those of all components."""
    rest = [at for at in range(len(mixture[0].mean)) if at != output]
    return [[_hull([g.covariance[i][j] for g in mixture]) for j in rest] for i in rest]


def _hull(balls: Sequence[arb]) -> arb:
    result = balls[0]
    for each in balls[1:]:
        result = result if each.is_exact() and each == result else result.union(each)
    return result


def _given_inputs(mixture: Sequence[WeightedGaussian], output: int, law: Sequence[Sequence[arb]]) -> NoisyMean:
    """Return the law of the output given standard normals of which the inputs are made."""
    rest = [at for at in range(len(mixture[0].mean)) if at != output]
    root = _cholesky(law)
    means = _solved(root, [_hull([g.mean[at] for g in mixture]) for at in rest])
    once = [_solved(root, row) for row in law]
    twice = [each for column in zip(*once, strict=True) for each in _solved(root, column)]
    if len(rest) > _MOST_INPUTS or not max(float(each.rad()) for each in (*means, *twice)) < _MOVED:
        raise NotResolved("the law of the inputs is known too badly")
    slopes = [_solved(root, [g.covariance[output][at] for at in rest]) for g in mixture]
    variances = [g.covariance[output][output] - _square(row) for g, row in zip(mixture, slopes, strict=True)]
    weights = [g.weight for g in mixture]
    if not all(each > 0 for each in (*variances, *weights)):
        raise NotResolved("a variance or weight is not known to be positive")
    centre = arb(mixture[0].mean[output].mid())
    offsets = [g.mean[output] - centre for g in mixture]
    absolute = max(float(each.rad()) for row in (*slopes, offsets) for each in row)
    relative = max(float((each.rad() / each.lower()).upper()) for each in (*variances, *weights))
    return NoisyMean(
        np.array([float(each) for each in weights]),
        np.array([[float(each) for each in row] for row in slopes]),
        np.array([float(each) for each in offsets]),
        np.array([float(each) for each in variances]),
        max(absolute, relative) + UNIT,
    )


def _square(row: Sequence[arb]) -> arb:
    return sum((each * each for each in row), arb(0))


def _cholesky(table: Sequence[Sequence[arb]]) -> list[list[arb]]:
    """Return the lower triangle L with L Lᵀ the table."""
    rows: list[list[arb]] = []
    for i, row in enumerate(table):
        made: list[arb] = []
        for j in range(i):
            made.append((row[j] - sum((made[k] * rows[j][k] for k in range(j)), arb(0))) / rows[j][j])
        rest = row[i] - sum((each * each for each in made), arb(0))
        if not rest > 0:
            raise NotResolved("a covariance is too close to singular")
        rows.append([*made, rest.sqrt()])
    return rows


def _solved(root: Sequence[Sequence[arb]], right: Sequence[arb]) -> list[arb]:
    """Return L⁻¹ of a vector."""
    result: list[arb] = []
    for row, each in zip(root, right, strict=True):
        result.append((each - sum((a * b for a, b in zip(row, result, strict=False)), arb(0))) / row[len(result)])
    return result
