r"""The density of a sum of a normal variable and one whose density is, between breaks, a polynomial times an exponential.

.. math:: \int_a^b t^k e^{\lambda t} \varphi_v(s - t)\, dt = e^{\lambda s + \lambda^2 v / 2} M_k, \qquad
    M_k = m M_{k-1} + (k - 1) v M_{k-2} - v \big[t^{k-1} \varphi_v(t - m)\big]_a^b,

with :math:`m = s + \lambda v` and :math:`M_0 = \Phi((b - m)/\sqrt v) - \Phi((a - m)/\sqrt v)`, by completing the square and integration by parts. It is entire in s,
and log-concave, as both densities are (Prékopa 1973).
"""

from __future__ import annotations

from collections.abc import Callable

from flint import acb, arb

from seepage.engines.pivot.forms import Beyond
from seepage.engines.pivot.laws import Edge, power_of
from seepage.engines.pivot.segments import Placed
from seepage.engines.pivot.sums import Sum, is_summed
from seepage.exact import Number, enclose


def blurred_density(placed: Placed, variance: Number) -> Callable[[acb], acb]:
    """Return the density of a variable of a whole law plus normal noise.

    Raises:
        Beyond: if the law is of another kind.
    """
    if placed.law.name not in ("laplace", "exponential", "gamma") or not is_summed(placed.law):
        raise Beyond("a law that is not exponential between breaks")  # terms of polynomials alone cancel over balls
    rows = [
        (each.low, each.high, enclose(rate), row)
        for each in Sum(parts=(placed,)).stretches
        for rate, row in each.terms.items()
    ]
    v = enclose(variance)

    def density(s: acb) -> acb:
        total = acb(0)
        for low, high, rate, row in rows:
            moments = _moments(s + rate * v, v, (low, high), len(row))
            inner = acb(0)
            for coefficient, moment in zip(row, moments, strict=True):
                inner += coefficient * moment
            total += (rate * s + rate * rate * v / 2).exp() * inner
        return total

    return density


def _moments(m: acb, v: arb, ends: tuple[Edge, Edge], count: int) -> list[acb]:
    r"""Return :math:`\int t^k \varphi_v(t - m) dt` over an interval for k below ``count``."""
    root, height = (2 * v).sqrt(), 1 / (2 * arb.pi() * v).sqrt()
    places = [None if end is None else enclose(end) for end in ends]

    def edge(power: int) -> acb:
        total = acb(0)
        for place, sign in zip(places, (-1, 1), strict=True):
            if place is not None:
                total += sign * power_of(place, power) * height * (-(place - m) * (place - m) / (2 * v)).exp()
        return total

    low, high = places
    if low is None:
        zero = acb(1) if high is None else ((m - high) / root).erfc() / 2
    else:
        zero = ((low - m) / root).erfc() / 2 - (acb(0) if high is None else ((high - m) / root).erfc() / 2)
    found = [zero]
    for k in range(1, count):
        before = (k - 1) * v * found[k - 2] if k > 1 else acb(0)
        found.append(m * found[k - 1] + before - v * edge(k - 1))
    return found
