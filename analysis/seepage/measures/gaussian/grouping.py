r"""Which components of a mixture to describe by one Gaussian, for an upper bound of its entropy.

For every partition of the components into groups g of weight π_g, with H_g the entropy of the Gaussian that has the covariance of group g,

.. math:: H(f) \le H(f, g) = H(g) + \sum_g \pi_g H(f \mid g) \le -\sum_g \pi_g \log \pi_g + \sum_g \pi_g H_g,

because a Gaussian has the largest entropy for its covariance. Any partition gives a bound, so it is chosen in floats, by merging the pair of groups
that lowers the bound most as long as there is one (as Runnalls 2007 reduces mixtures), and the bound of the choice is evaluated in balls.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from flint import arb

from seepage.measures.gaussian.bounds import huber_upper, least, moment_upper
from seepage.measures.gaussian.quadrature_frame import WeightedGaussian
from seepage.measures.gaussian.quadrature_rules import Floats

MOST = 128
"""The largest number of components that are grouped."""


def grouped_upper(f: Sequence[WeightedGaussian]) -> arb:
    """Return the least of the bounds by single components, by one Gaussian, and by groups; weights sum to 1."""
    bounds = [huber_upper(f), moment_upper(f)]
    if 2 < len(f) <= MOST:
        with np.errstate(all="ignore"):  # what overflows is not merged
            groups = _partition(f)
        bounds.append(bound_of(f, [sorted(group) for group in groups]))
    return least(bounds)


def bound_of(f: Sequence[WeightedGaussian], groups: Sequence[Sequence[int]]) -> arb:
    """Return −Σ π_g log π_g + Σ π_g H_g for a partition of the components, in balls."""
    result = arb(0)
    for group in groups:
        members = [f[i] for i in group]
        weight = sum((member.weight for member in members), arb(0))
        shares = [member.divided(weight) for member in members]
        result += weight * (moment_upper(shares) - weight.log())
    return result


def _partition(f: Sequence[WeightedGaussian]) -> list[frozenset[int]]:
    """Merge greedily, in floats; what cannot be represented there stays alone."""
    groups: list[frozenset[int]] = [frozenset({i}) for i in range(len(f))]
    weight = np.array([float(g.weight) for g in f])
    centre = [sum((g.weight * g.mean[a] for g in f), arb(0)) for a in range(len(f[0].mean))]
    mean = np.array([[float(m - c) for m, c in zip(g.mean, centre, strict=True)] for g in f])
    covariance = np.array([[[float(entry) for entry in row] for row in g.covariance] for g in f])
    cost = _costs(weight, covariance)
    while len(groups) > 1:
        best, pair = 0.0, None
        for i in range(len(groups) - 1):
            merged_weight, _, merged_covariance = _merged(weight, mean, covariance, i)
            gain = _costs(merged_weight, merged_covariance) - cost[i] - cost[i + 1 :]
            j = int(np.argmin(np.where(np.isfinite(gain), gain, np.inf)))
            if gain[j] < best:
                best, pair = float(gain[j]), (i, i + 1 + j)
        if pair is None:
            break
        i, j = pair
        merged = _merged(weight, mean, covariance, i)
        keep = np.arange(len(groups)) != j
        weight[i], mean[i], covariance[i] = (part[j - i - 1] for part in merged)
        weight, mean, covariance = weight[keep], mean[keep], covariance[keep]
        cost = _costs(weight, covariance)
        groups[i] = groups[i] | groups[j]
        del groups[j]
    return groups


def _costs(weight: Floats, covariance: Floats) -> Floats:
    logs = np.log(np.linalg.det(covariance))
    size = covariance.shape[-1]
    return np.asarray(weight * (0.5 * (size * np.log(2 * np.pi * np.e) + logs) - np.log(weight)))


def _merged(weight: Floats, mean: Floats, covariance: Floats, i: int) -> tuple[Floats, Floats, Floats]:
    """Return weight, mean and covariance of group i merged with each later one."""
    later = slice(i + 1, None)
    total = weight[i] + weight[later]
    first, second = weight[i] / total, weight[later] / total
    apart = mean[later] - mean[i]
    spread = (first * second)[:, None, None] * apart[:, :, None] * apart[:, None, :]
    inside = first[:, None, None] * covariance[i] + second[:, None, None] * covariance[later]
    return total, mean[i] + second[:, None] * apart, inside + spread
