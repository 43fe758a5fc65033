r"""Curves of Gaussians as finite mixtures, with a bound of what is lost.

:math:`\int \varphi(z) N(\cdot; m(z), v(z)) dz` over a panel of half width h is replaced by an N-point Gauss rule. The integrand is a function of
z with values in :math:`L_1`, analytic where :math:`\Re v > 0`; with :math:`\mu = \Im m`,

.. math:: \|N(\cdot; m, v)\|_1 = \sqrt{|v| / \Re v}\; e^{\mu^2 / (2 \Re v)} ,

by completing the square in :math:`\Re((o - m)^2 / v)`. With M the largest norm on the Bernstein ellipse of parameter ρ its Chebyshev
coefficients have norms of at most :math:`2 M \rho^{-k}`, so the rule errs by at most
:math:`\frac{64}{15} h M \rho^{-2N} / (1 - \rho^{-2})` in that norm (:mod:`seepage.measures.gaussian.quadrature`). All weights are positive. Tails of the pivot are left out.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache, cmp_to_key
from itertools import pairwise
from typing import TypeAlias

from flint import acb, arb

from seepage import exact
from seepage.data_classes import dataclass
from seepage.engines.pivot.densities import Curve
from seepage.engines.pivot.vanishing import Vanishing, shifted
from seepage.exact import Number, enclose
from seepage.laws.forms import Beyond
from seepage.laws.law import Law, dyadic
from seepage.laws.lognormal import Lognormal
from seepage.measures.gaussian import quadrature

_RULE = 20
_ELLIPSES = (2.5, 4.0, 7.0)
_MOST_PANELS = 600
_TAIL_BITS = 60
_HEAVY_TAIL_BITS = 32  # each panel is as wide as the noise: a heavy tail would take too many
_MOST_DEVIATIONS = 400  # of the noise, in what panels cover
_NEAR_BITS = 50
_HIDDEN_BITS = 48


@dataclass(frozen=True, slots=True)
class Hidden:
    """What was left out beside the place where the variance vanishes: at least its mass, and |−∫ r log r| of its density r."""

    mass: arb
    entropy: arb


@dataclass(frozen=True, slots=True)
class Blend:
    """Gaussians ``(weight, mean, variance)``, and at least the L1 distance of their sum from the density that they stand for.

    ``floor`` is at most the variances that are stood for; what is ``hidden`` is in the density, too, but not in ``error``.
    """

    gaussians: tuple[tuple[arb, arb, arb], ...]
    error: arb
    floor: arb
    hidden: Hidden | None = None

    @property
    def distance(self) -> arb:
        """At least the L1 distance from the whole density."""
        return self.error if self.hidden is None else (self.error + self.hidden.mass).upper()


Map: TypeAlias = Callable[[acb], acb]


@dataclass(frozen=True, slots=True)
class _Panel:
    """An interval of a coordinate t of the pivot: where the pivot is ``place(t)``, at ``offset(t)`` from ``origin``, and dz/dt is ``jacobian(t)``."""

    low: arb
    high: arb
    origin: Number
    offset: Map
    jacobian: Map

    def place(self, t: acb) -> acb:
        """Return the pivot."""
        return enclose(self.origin) + self.offset(t)

    def halves(self) -> list[_Panel]:
        """Return both halves."""
        middle = ((self.low + self.high) / 2).mid()
        return [replace(self, low=middle), replace(self, high=middle)]


def blend_of(curve: Curve, accuracy: float) -> Blend:
    """Return a finite mixture for a curve.

    Args:
        curve: law with an entire density between its breaks.
        accuracy: wanted L1 error, relative to the curve's weight.

    Raises:
        Beyond: if that takes too many panels.
    """
    cuts, lost = _cuts(curve)
    hidden, near = None, arb(0)
    if isinstance(curve.least, Vanishing):
        near = _near(curve, curve.least)
        hidden = _hidden(curve, curve.least, near)
        floor = enclose(curve.least.factor) * near**curve.least.power
    else:
        floor = enclose(curve.least)
    gaussians: list[tuple[arb, arb, arb]] = []
    waiting = [panel for a, b in pairwise(cuts) for panel in _panels(curve, a, b, near)]
    panels = 0
    while waiting:
        panel = waiting.pop()
        panels += 1
        if panels > _MOST_PANELS or quadrature.time_is_up():
            raise Beyond("a pivot that takes too many panels")
        error = _remainder(curve, panel)
        if error is not None and error < accuracy / 50:
            lost += error
            gaussians.extend(_nodes(curve, panel))
        else:
            waiting += panel.halves()
    return Blend(tuple(gaussians), (curve.weight * lost).upper(), floor.lower(), hidden)


def _cuts(curve: Curve) -> tuple[list[Number], arb]:
    """Return the ends of the intervals of the pivot that panels are to cover, and the mass outside."""
    zero = curve.least.zero if isinstance(curve.least, Vanishing) else None
    reach = curve.law.reach(_tail_bits(curve))
    lost = arb(0)
    ends: list[Number] = []
    for edge, sign in ((curve.low, -1), (curve.high, 1)):
        if edge is not None and edge == curve.law.ends[sign > 0] and edge != zero and not curve.law.is_regular(sign):
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
    if exact.compare(low, high) >= 0:
        return [], lost
    breaks = [edge for edge in curve.law.breaks if edge is not None]
    inner = {each for each in [*breaks, *([] if zero is None else [zero])] if _is_between(low, each, high)}
    return [low, *sorted(inner, key=cmp_to_key(exact.compare)), high], lost


def _tail_bits(curve: Curve) -> int:
    """Return how little of the pivot may be left out: less is, where the tail is not so heavy that it would take too many panels."""
    if isinstance(curve.law, Lognormal) and len(curve.mean) == 2 and len(curve.variance) == 1:
        width = abs(enclose(curve.mean[1])) * curve.law.reach(_TAIL_BITS) / enclose(curve.variance[0]).sqrt()
        return _TAIL_BITS if width < _MOST_DEVIATIONS else _HEAVY_TAIL_BITS
    return _HEAVY_TAIL_BITS if curve.law.is_heavy else _TAIL_BITS


def _is_between(low: Number, place: Number, high: Number) -> bool:
    return exact.compare(low, place) < 0 and exact.compare(place, high) < 0


def _panels(curve: Curve, a: Number, b: Number, near: arb) -> list[_Panel]:
    """Return the panel of an interval: in the logarithm of the distance from where the variance vanishes, if it does, down to ``near``."""
    if not isinstance(curve.least, Vanishing):
        return [_Panel(enclose(a), enclose(b), 0, lambda t: t, lambda _: acb(1))]
    zero = curve.least.zero
    side = 1 if exact.compare(a, zero) >= 0 else -1
    first, last = (enclose(exact.abs_(exact.sub(each, zero))) for each in ((a, b) if side > 0 else (b, a)))
    start = near.log() if not first > near else first.log()
    return [_Panel(start, last.log(), zero, lambda t: side * t.exp(), lambda t: t.exp())] if last > near else []


def bound_beside(law: Law, zero: Number, near: arb) -> tuple[arb, arb]:
    """Return K and a ≤ 1 with density ≤ K d^(a − 1) at distances d up to ``near`` from a place.

    Raises:
        Beyond: in a law whose densities are no functions of one place.
    """
    for side, end in ((-1, law.ends[0]), (1, law.ends[1])):
        if end is not None and exact.compare(end, zero) == 0 and not law.is_regular(side):
            return law.factor(side), enclose(law.exponent(side))
    largest, nearby = law.largest, law.density_at(enclose(zero) + arb(0, near.upper()))  # wide where the law is narrow
    return (nearby if nearby.is_finite() and not nearby.upper() > largest else largest).upper(), arb(1)


def _near(curve: Curve, least: Vanishing) -> arb:
    """Return a distance within which there is next to nothing of the pivot, an exact ball."""
    factor, power = bound_beside(curve.law, least.zero, arb(1) / 4)
    if not factor.is_finite():
        raise Beyond("a density without a bound")
    log = -_HIDDEN_BITS * arb(2).log() - (2 * factor / power).log().max(arb(0))
    return (log / power).exp().min(arb(1) / 4).mid()


def _hidden(curve: Curve, least: Vanishing, near: arb) -> Hidden:
    r"""Bound what is within ``near`` of the place: of a mass m there, m times the entropy is at most that of a normal law of the same second moment, and
    at least that given the pivot, :math:`\int \varphi \tfrac12 \log(2 \pi e v)`, with :math:`v \ge c\,d^{2k}`."""
    law = curve.law
    factor, power = bound_beside(law, least.zero, near)
    mass = (2 * factor * (power * near.log()).exp() / power).upper()
    around = acb(arb(0, near.upper()))
    mean, variance = (_value(shifted(part, least.zero), around).real for part in (curve.mean, curve.variance))
    second = (mean * mean + variance).upper()
    two_pi_e = 2 * arb.pi() * arb(1).exp()
    above = mass * abs((two_pi_e * second).log()) / 2
    logs = abs((two_pi_e * enclose(least.factor)).log()) / 2 + least.power * (1 / power - near.log()) / 2
    own = (above.max(mass * logs) - mass * mass.log()).upper()
    weight = curve.weight
    return Hidden((weight * mass).upper(), (weight * own + abs(weight * weight.log()) * mass).upper())


def _nearest(law: Law, side: int) -> arb:
    """Return a distance from an end of the support within which there is next to nothing: f ≤ F d^(a − 1) holds at most F d^a / a."""
    if isinstance(law, Lognormal):
        return 1 / law.reach(_TAIL_BITS)
    power, factor = enclose(law.exponent(side)), law.factor(side)
    return (-(_NEAR_BITS * arb(2).log() + (factor / power).log().max(arb(0))) / power).exp().min(arb(1) / 4)


def _value(coefficients: tuple[Number, ...], z: acb) -> acb:
    total = acb(0)
    for coefficient in reversed(coefficients):
        total = total * z + acb(enclose(coefficient))
    return total


def _remainder(curve: Curve, panel: _Panel) -> arb | None:
    """Bound the rule's error in a panel by the best of a few ellipses, None where the integrand is not known to be analytic."""
    half, centre = (panel.high - panel.low) / 2, (panel.low + panel.high) / 2
    log_density = curve.law.log_density(panel.place(acb(centre)).real)
    polynomials = [shifted(part, panel.origin) for part in (curve.variance, curve.mean)]
    best: arb | None = None
    for rho in _ELLIPSES:
        ellipse = arb(rho)
        long, short = half * (ellipse + 1 / ellipse) / 2, half * (ellipse - 1 / ellipse) / 2
        box = acb(centre + arb(0, long.upper()), arb(0, short.upper()))
        variance, mean = (_value(part, panel.offset(box)) for part in polynomials)
        if not variance.real > 0:
            continue
        norm = (abs(variance) / variance.real).sqrt() * (mean.imag * mean.imag / (2 * variance.real)).exp()
        density = acb(log_density(panel.place(box), True)).real.exp() * abs(panel.jacobian(box))
        bound = arb(64) / 15 * half * (norm * density).upper() * ellipse ** (-2 * _RULE) / (1 - ellipse**-2)
        if bound.is_finite() and (best is None or bound < best):
            best = bound.upper()
    return best


@cache
def _rule() -> tuple[tuple[arb, arb], ...]:
    found = (arb.legendre_p_root(_RULE, k, weight=True) for k in range(_RULE))
    return tuple((node, weight) for node, weight in found)


def _nodes(curve: Curve, panel: _Panel) -> list[tuple[arb, arb, arb]]:
    half, centre = (panel.high - panel.low) / 2, (panel.low + panel.high) / 2
    log_density = curve.law.log_density(panel.place(acb(centre)).real)
    polynomials = [shifted(part, panel.origin) for part in (curve.mean, curve.variance)]
    found: list[tuple[arb, arb, arb]] = []
    for node, weight in _rule():
        t = acb(centre + half * node)
        density = acb(log_density(panel.place(t), False) + panel.jacobian(t).log()).real.exp()
        mean, variance = (_value(part, panel.offset(t)).real for part in polynomials)
        found.append((curve.weight * half * weight * density, mean, variance))
    return found
