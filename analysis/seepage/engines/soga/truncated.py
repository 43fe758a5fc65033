r"""Moments of a Gaussian vector cut off by a half-space.

For :math:`e \sim N(\mu, S)` and :math:`\alpha = -\mu/\sqrt S`: with :math:`\lambda = \varphi(\alpha)/(1 - \Phi(\alpha))` and
:math:`\delta = \lambda(\lambda - \alpha) \in (0, 1)`,

.. math:: P(e > 0) = 1 - \Phi(\alpha), \quad E(e \mid e > 0) = \mu + \lambda \sqrt S, \quad Var(e \mid e > 0) = (1 - \delta) S .

Between two bounds, :math:`\alpha, \beta` in standard deviations and with probability Z between them,

.. math:: E = \mu + \frac{\varphi(\alpha) - \varphi(\beta)}{Z} \sqrt S, \quad
    Var = \left(1 + \frac{\alpha\varphi(\alpha) - \beta\varphi(\beta)}{Z} - \Big(\frac{\varphi(\alpha) - \varphi(\beta)}{Z}\Big)^2\right) S .

(Johnson, Kotz and Balakrishnan, *Continuous Univariate Distributions* 1, 13.10.1.) A source s is
:math:`g/S \cdot e` plus something independent of e, with :math:`g = Cov(s, e)`, so its mean moves by :math:`g \lambda / \sqrt S` and the covariance
matrix loses :math:`g g^T \delta / S`. As :math:`\delta < 1` it stays positive definite.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from flint import arb, fmpq

from seepage.distributions.gaussian import Affine, Gaussian
from seepage.engines.soga.merge import covariance_of, dot, mean_of, rows_of, weighted
from seepage.engines.soga.scalars import Arithmetic
from seepage.engines.soga.weights import Weight
from seepage.exact import Number

Sign: TypeAlias = Literal[-1, 1]


def covariance_is_zero(a: Affine, b: Affine, gaussian: Gaussian, of: Arithmetic) -> bool:
    """Tell whether two forms are known to be uncorrelated (and so, being jointly Gaussian, independent)."""
    covariance = dot(a.terms, weighted(covariance_of(gaussian), b.terms, of), of)
    return isinstance(covariance, int) and covariance == 0


def truncate(
    gaussian: Gaussian, terms: tuple[tuple[int, Number], ...], low: Number | None, high: Number | None, of: Arithmetic
) -> tuple[Weight, Gaussian]:
    """Return the probability that a combination of sources lies between bounds, and the Gaussian with the moments given that.

    Args:
        gaussian: law of the sources.
        terms: the combination, not zero.
        low: lower bound, None for none; below ``high``.
        high: upper bound, None for none; one of the two is not None.
        of: arithmetic of the run.
    """
    table = covariance_of(gaussian)
    g = weighted(table, terms, of)
    variance = dot(terms, g, of)
    mean = mean_of(Affine(0, terms), gaussian, of)
    sign = -1 if low is None else 1
    if low is not None and high is not None:
        edges = (of.sub(mean, low), of.sub(high, mean), variance)
        shift, shrink = (
            of.function("between-shift", _shift_between, *edges),
            of.function("between-shrink", _shrink_between, *edges),
        )
        probability: Weight = of.weight("between", _between, *edges)
    else:
        margin = of.sub(mean, low) if low is not None else of.sub(0 if high is None else high, mean)
        shift = of.function("truncated-shift", _shift, margin, variance)
        shrink = of.function("truncated-shrink", _shrink, margin, variance)
        probability = fmpq(1, 2) if margin == 0 else of.weight("beyond", _tail, margin, variance)
    means = list(gaussian.means)
    for i, covariance in g.items():
        means[i] = of.add(means[i], of.mul(sign, of.mul(covariance, shift)))
        for j, other in g.items():
            table[i][j] = of.sub(table[i].get(j, 0), of.mul(of.mul(covariance, other), shrink))
    return probability, Gaussian(tuple(means), rows_of(table), gaussian.observed)


# Far out, where alpha is large, erfc(z) = exp(-z^2) U(1/2, 1/2, z^2) / sqrt(pi) (DLMF 13.6.8) with z = alpha / sqrt(2) keeps the relative
# precision that balls lose in erfc itself, and the exponential cancels in the hazard.


def _tail(mean: arb, variance: arb) -> arb:
    """P(e > 0)."""
    z = -mean / (2 * variance).sqrt()
    if z > 1:
        return (-z * z).exp() * _kummer(z) / (2 * arb.pi().sqrt())
    return z.erfc() / 2


def _hazard(mean: arb, variance: arb) -> arb:
    """λ, the density at the cut over the probability beyond it."""
    z = -mean / (2 * variance).sqrt()
    if z > 1:
        return arb(2).sqrt() / _kummer(z)
    return (-z * z).exp() / (2 * arb.pi()).sqrt() / _tail(mean, variance)


def _kummer(z: arb) -> arb:
    half = arb(1) / 2
    return (z * z).hypgeom_u(half, half)


def _shift(mean: arb, variance: arb) -> arb:
    """λ / √S."""
    return _hazard(mean, variance) / variance.sqrt()


def _shrink(mean: arb, variance: arb) -> arb:
    """δ / S."""
    hazard = _hazard(mean, variance)
    return hazard * (hazard + mean / variance.sqrt()) / variance


def _between(above: arb, below: arb, variance: arb) -> arb:
    """P(low < u < high) from μ − low and high − μ; a difference of tails where both bounds are on one side."""
    if above < 0:
        return _tail(above, variance) - _tail(-below, variance)
    if below < 0:
        return _tail(below, variance) - _tail(-above, variance)
    return 1 - _tail(-above, variance) - _tail(-below, variance)


def _densities(above: arb, below: arb, variance: arb) -> tuple[arb, arb]:
    """φ(α)/Z and φ(β)/Z at the two bounds, with Z the probability between them."""
    scale = (2 * arb.pi()).sqrt() * _between(above, below, variance)
    return (-above * above / (2 * variance)).exp() / scale, (-below * below / (2 * variance)).exp() / scale


def _shift_between(above: arb, below: arb, variance: arb) -> arb:
    """(E(u) − μ) / S."""
    at_low, at_high = _densities(above, below, variance)
    return (at_low - at_high) / variance.sqrt()


def _shrink_between(above: arb, below: arb, variance: arb) -> arb:
    """(1 − Var(u)/S) / S."""
    at_low, at_high = _densities(above, below, variance)
    root = variance.sqrt()
    step = at_low - at_high  # its square by multiplying: a power of a ball that holds 0 has no value in arb
    return (above / root * at_low + below / root * at_high + step * step) / variance
