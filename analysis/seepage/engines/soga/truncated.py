r"""Moments of a Gaussian vector cut off by a half-space.

For :math:`e \sim N(\mu, S)` and :math:`\alpha = -\mu/\sqrt S`: with :math:`\lambda = \varphi(\alpha)/(1 - \Phi(\alpha))` and
:math:`\delta = \lambda(\lambda - \alpha) \in (0, 1)`,

.. math:: P(e > 0) = 1 - \Phi(\alpha), \quad E(e \mid e > 0) = \mu + \lambda \sqrt S, \quad Var(e \mid e > 0) = (1 - \delta) S .

(Johnson, Kotz and Balakrishnan, *Continuous Univariate Distributions* 1, 13.10.) A source s is
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

Sign: TypeAlias = Literal[-1, 1]


def covariance_is_zero(a: Affine, b: Affine, gaussian: Gaussian, of: Arithmetic) -> bool:
    """Tell whether two forms are known to be uncorrelated (and so, being jointly Gaussian, independent)."""
    covariance = dot(a.terms, weighted(covariance_of(gaussian), b.terms, of), of)
    return isinstance(covariance, int) and covariance == 0


def truncate(gaussian: Gaussian, form: Affine, sign: Sign, of: Arithmetic) -> tuple[Weight, Gaussian]:
    """Return the probability that a form has a sign, and the Gaussian with the moments of the truncated law."""
    table = covariance_of(gaussian)
    g = weighted(table, form.terms, of)
    variance = dot(form.terms, g, of)
    mean = of.mul(sign, mean_of(form, gaussian, of))
    shift = of.function("truncated-shift", _shift, mean, variance)
    shrink = of.function("truncated-shrink", _shrink, mean, variance)
    means = list(gaussian.means)
    for i, covariance in g.items():
        means[i] = of.add(means[i], of.mul(sign, of.mul(covariance, shift)))
        for j, other in g.items():
            table[i][j] = of.sub(table[i].get(j, 0), of.mul(of.mul(covariance, other), shrink))
    probability = fmpq(1, 2) if mean == 0 else _tail(of.ball(mean), of.ball(variance))
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
