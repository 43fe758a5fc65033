r"""The function that makes divergences sums of non-negative terms.

For sub-distributions p, q of equal mass

.. math:: \sum p \log (p / q) = \sum q\, \varphi(p / q), \qquad \varphi(t) = t \log t - t + 1 \ge 0,

since :math:`\sum (p - q) = 0`; where p is 0 the term is q. So a divergence of 1e-19 between distributions that differ by 1e-9
is a sum of terms of that size, where :math:`\sum p \log(p/q)` is a difference of terms a billion times larger.
"""

from __future__ import annotations

from flint import arb

from seepage.exact import precision
from seepage.measures.discrete.weights import BITS


def phi(t: arb, excess: arb) -> arb:
    r"""Return :math:`\varphi(t)` for ``t >= 0``, given ``excess`` = t − 1 with its own small error; nan where nothing bounds t.

    Near 1, where :math:`\varphi(1 + u) \approx u^2/2`, the ball is :math:`\varphi(m) + \varphi'(u)(u - m)` around the
    midpoint m (mean value theorem, :math:`\varphi'(1 + u) = \log(1 + u)`): a plain evaluation would have an error
    proportional to the one of u, this one is smaller by the factor u.
    """
    if excess.is_zero():
        return arb(0)
    if not excess.is_finite():
        return arb.nan()
    if t < 0.5:
        return t * t.log() - t + 1 if t > 0 else _down_to_zero(t)
    middle = excess.mid()
    if middle.is_zero():
        return excess.log1p() * excess
    mantissa, exponent = middle.man_exp()
    magnitude = int(mantissa).bit_length() + int(exponent)
    with precision(BITS + 2 * max(0, -magnitude) + 16):
        at_middle = (1 + middle) * middle.log1p() - middle
    return at_middle + excess.log1p() * (excess - middle)


def _down_to_zero(t: arb) -> arb:
    # phi falls from 1 at 0 to phi(upper) for upper < 1; t is a ball that may hold 0 or reach below it.
    upper = t.upper()
    lowest = upper * upper.log() - upper + 1 if upper > 0 else arb(1)
    return lowest.union(arb(1))
