r"""The moment-matching operator for nonlinear functions of continuous values.

The result of a nonlinear function becomes one more source whose mean, variance and covariances with all others are those of the true
result; only the shape is lost. With :math:`x, y` jointly Gaussian:

* product: :math:`E = \mu_x \mu_y + c`, :math:`Var = \mu_x^2 \sigma_y^2 + \mu_y^2 \sigma_x^2 + 2 \mu_x \mu_y c + \sigma_x^2 \sigma_y^2 + c^2`
  with :math:`c = Cov(x, y)`, and :math:`Cov(s, xy) = \mu_x Cov(s, y) + \mu_y Cov(s, x)` (Isserlis 1918);
* power: with the raw moments :math:`M_k = \mu M_{k-1} + (k - 1) \sigma^2 M_{k-2}`, :math:`Var = M_{2n} - M_n^2` and :math:`Cov(s, x^n) = n M_{n-1} Cov(s, x)`
  (Stein's lemma);
* exponential: :math:`E = e^{\mu + \sigma^2/2}`, :math:`Var = E^2 (e^{\sigma^2} - 1)`, :math:`Cov(s, e^x) = E \cdot Cov(s, x)` (Stein's lemma).
"""

from __future__ import annotations

from collections.abc import Mapping

from seepage.distributions.gaussian import Affine, Gaussian, Scalar
from seepage.engines.soga.component import Component
from seepage.engines.soga.merge import covariance_of, dot, mean_of, rows_of, weighted


def independent_source(gaussian: Gaussian, mean: Scalar, variance: Scalar) -> Gaussian:
    """Return a law with one more source, independent of all others."""
    index = len(gaussian.rows)
    return Gaussian((*gaussian.means, mean), (*gaussian.rows, ((index, variance),)), gaussian.observed)


def correlated_source(
    gaussian: Gaussian, mean: Scalar, variance: Scalar, covariances: Mapping[int, Scalar]
) -> Gaussian:
    """Return a law with one more source; the caller knows that the matrix stays positive definite."""
    table = covariance_of(gaussian)
    table.append({**covariances, len(gaussian.rows): variance})
    return Gaussian((*gaussian.means, mean), rows_of(table), gaussian.observed)


def product(component: Component, x: Affine, y: Affine) -> Affine:
    """Return a source with the moments of x·y."""
    of, gaussian = component.of, component.gaussian
    table = covariance_of(gaussian)
    g_x, g_y = weighted(table, x.terms, of), weighted(table, y.terms, of)
    m_x, m_y = mean_of(x, gaussian, of), mean_of(y, gaussian, of)
    v_x, v_y, c = dot(x.terms, g_x, of), dot(y.terms, g_y, of), dot(x.terms, g_y, of)
    mean = of.add(of.mul(m_x, m_y), c)
    variance = of.add(of.mul(v_x, v_y), of.mul(c, c))
    for term in (
        of.mul(of.mul(m_x, m_x), v_y),
        of.mul(of.mul(m_y, m_y), v_x),
        of.mul(2, of.mul(of.mul(m_x, m_y), c)),
    ):
        variance = of.add(variance, term)
    covariances = {
        source: of.add(of.mul(m_x, g_y.get(source, 0)), of.mul(m_y, g_x.get(source, 0))) for source in {**g_x, **g_y}
    }
    return component.append(correlated_source(gaussian, mean, variance, covariances))


def power(component: Component, x: Affine, exponent: int) -> Affine:
    """Return a source with the moments of x^exponent, for an exponent of at least 2."""
    of, gaussian = component.of, component.gaussian
    g = weighted(covariance_of(gaussian), x.terms, of)
    m, v = mean_of(x, gaussian, of), dot(x.terms, g, of)
    raw: list[Scalar] = [1, m]
    for k in range(2, 2 * exponent + 1):
        raw.append(of.add(of.mul(m, raw[k - 1]), of.mul(k - 1, of.mul(v, raw[k - 2]))))
    mean = raw[exponent]
    variance = of.sub(raw[2 * exponent], of.mul(mean, mean))
    slope = of.mul(exponent, raw[exponent - 1])
    covariances = {source: of.mul(slope, covariance) for source, covariance in g.items()}
    return component.append(correlated_source(gaussian, mean, variance, covariances))


def exponential(component: Component, x: Affine) -> Affine:
    """Return a source with the moments of exp(x)."""
    of, gaussian = component.of, component.gaussian
    g = weighted(covariance_of(gaussian), x.terms, of)
    m, v = mean_of(x, gaussian, of), dot(x.terms, g, of)
    mean = of.function("lognormal-mean", lambda m, v: (m + v / 2).exp(), m, v)
    variance = of.function("lognormal-variance", lambda m, v: (2 * m + v).exp() * v.expm1(), m, v)
    covariances = {source: of.mul(mean, covariance) for source, covariance in g.items()}
    return component.append(correlated_source(gaussian, mean, variance, covariances))
