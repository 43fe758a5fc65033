r"""Curves of Gaussians as finite mixtures, with a bound of what is lost.

:math:`\int \varphi(z) N(\cdot; m(z), v(z)) dz` over a panel of half width h is replaced by an N-point Gauss rule. The integrand is a function of
z with values in :math:`L_1`, analytic where :math:`\Re v > 0`; with :math:`\mu = \Im m`,

.. math:: \|N(\cdot; m, v)\|_1 = \sqrt{|v| / \Re v}\; e^{\mu^2 / (2 \Re v)} ,

by completing the square in :math:`\Re((o - m)^2 / v)`. With M the largest norm on the Bernstein ellipse of parameter ρ its Chebyshev
coefficients have norms of at most :math:`2 M \rho^{-k}`, so the rule errs by at most
:math:`\frac{64}{15} h M \rho^{-2N} / (1 - \rho^{-2})` in that norm (:mod:`seepage.measures.gaussian.quadrature`). All weights are positive. Tails of the pivot are left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from flint import acb, arb

from seepage import exact
from seepage.engines.pivot.densities import Curve
from seepage.engines.pivot.forms import Beyond
from seepage.engines.pivot.laws import Law, dyadic
from seepage.exact import Number, enclose
from seepage.measures.gaussian import quadrature

_RULE = 20
_ELLIPSES = (2.5, 4.0, 7.0)
_MOST_PANELS = 600
_TAIL_BITS = 60
_HEAVY_TAIL_BITS = 32  # each panel is as wide as the noise: a heavy tail would take too many
_NEAR_BITS = 50


@dataclass(frozen=True, slots=True)
class Blend:
    """Gaussians ``(weight, mean, variance)``, and at least the L1 distance of their sum from the density that they stand for."""

    gaussians: tuple[tuple[arb, arb, arb], ...]
    error: arb


def blend_of(curve: Curve, accuracy: float) -> Blend:
    """Return a finite mixture for a curve.

    Args:
        curve: law with an entire density between its breaks.
        accuracy: wanted L1 error, relative to the curve's weight.

    Raises:
        Beyond: if that takes too many panels, as where the variance vanishes.
    """
    reach = curve.law.reach(_HEAVY_TAIL_BITS if curve.law.name == "student_t" else _TAIL_BITS)
    edges = [edge for edge in curve.law.breaks if edge is not None]
    lost = arb(0)
    ends: list[Number] = []
    for edge, sign in ((curve.low, -1), (curve.high, 1)):
        if edge is not None and edge == curve.law.ends[sign > 0] and not curve.law.is_regular(sign):
            end = (enclose(edge) - sign * _nearest(curve.law, sign)).mid()
            lost += curve.law.chance(None, end) if sign < 0 else curve.law.above(end)
            ends.append(dyadic(end))
        elif edge is None or sign * enclose(edge) > reach:
            outside = curve.law.probability(*((None, dyadic(-reach)) if sign < 0 else (dyadic(reach), None)))
            lost += outside
            ends.append(dyadic(sign * reach))
        else:
            ends.append(edge)
    low, high = ends
    inner = [edge for edge in edges if exact.compare(low, edge) < 0 and exact.compare(edge, high) < 0]
    cuts = [low, *inner, high] if exact.compare(low, high) < 0 else []
    gaussians: list[tuple[arb, arb, arb]] = []
    waiting = [(enclose(a), enclose(b)) for a, b in pairwise(cuts)]
    panels = 0
    while waiting:
        a, b = waiting.pop()
        panels += 1
        if panels > _MOST_PANELS or quadrature.time_is_up():
            raise Beyond("a pivot that takes too many panels")
        error = _remainder(curve, a, b)
        if error is not None and error < accuracy / 50:
            lost += error
            gaussians.extend(_nodes(curve, a, b))
        else:
            middle = ((a + b) / 2).mid()
            waiting += [(middle, b), (a, middle)]
    return Blend(tuple(gaussians), (curve.weight * lost).upper())


def _nearest(law: Law, side: int) -> arb:
    """Return a distance from an end of the support within which there is next to nothing: f ≤ F d^(a − 1) holds at most F d^a / a."""
    if law.name == "lognormal":
        return 1 / law.reach(_TAIL_BITS)
    power, factor = enclose(law.exponent(side)), law.factor(side)
    return (-(_NEAR_BITS * arb(2).log() + (factor / power).log().max(arb(0))) / power).exp().min(arb(1) / 4)


def _value(coefficients: tuple[Number, ...], z: acb) -> acb:
    total = acb(0)
    for coefficient in reversed(coefficients):
        total = total * z + acb(enclose(coefficient))
    return total


def _remainder(curve: Curve, a: arb, b: arb) -> arb | None:
    """Bound the rule's error in a panel by the best of a few ellipses, None where the integrand is not known to be analytic."""
    half, centre = (b - a) / 2, (a + b) / 2
    log_density = curve.law.log_density(centre)
    best: arb | None = None
    for rho in _ELLIPSES:
        ellipse = arb(rho)
        long, short = half * (ellipse + 1 / ellipse) / 2, half * (ellipse - 1 / ellipse) / 2
        box = acb(centre + arb(0, long.upper()), arb(0, short.upper()))
        variance, mean = _value(curve.variance, box), _value(curve.mean, box)
        if not variance.real > 0:
            continue
        norm = (abs(variance) / variance.real).sqrt() * (mean.imag * mean.imag / (2 * variance.real)).exp()
        density = acb(log_density(box, True)).real.exp()
        bound = arb(64) / 15 * half * (norm * density).upper() * ellipse ** (-2 * _RULE) / (1 - ellipse**-2)
        if bound.is_finite() and (best is None or bound < best):
            best = bound.upper()
    return best


@cache
def _rule() -> tuple[tuple[arb, arb], ...]:
    found = (arb.legendre_p_root(_RULE, k, weight=True) for k in range(_RULE))
    return tuple((node, weight) for node, weight in found)


def _nodes(curve: Curve, a: arb, b: arb) -> list[tuple[arb, arb, arb]]:
    half, centre = (b - a) / 2, (a + b) / 2
    log_density = curve.law.log_density(centre)
    found: list[tuple[arb, arb, arb]] = []
    for node, weight in _rule():
        z = acb(centre + half * node)
        factor = curve.weight * half * weight * acb(log_density(z, False)).real.exp()
        found.append((factor, _value(curve.mean, z).real, _value(curve.variance, z).real))
    return found
