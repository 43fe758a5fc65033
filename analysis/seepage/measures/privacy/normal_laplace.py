r"""Differential privacy of a shift behind the sum of independent normal and Laplace noise.

With variance v and scale b the noise has the density

.. math:: f(t) = \tfrac{1}{2b} e^{v / 2b^2} \big( e^{-t/b} \Phi(\tfrac{t - v/b}{\sqrt v}) + e^{t/b} \Phi(-\tfrac{t + v/b}{\sqrt v}) \big)

and above t the probability :math:`\Phi(-\tfrac{t}{\sqrt v}) + \tfrac12 e^{v / 2b^2} ( e^{-t/b} \Phi(\tfrac{t - v/b}{\sqrt v}) - e^{t/b} \Phi(-\tfrac{t + v/b}{\sqrt v}) )`.
It is log-concave, as both are (Prékopa 1973). So f(t − c)/f(t) rises with t, from :math:`e^{-c/b}` to :math:`e^{c/b}`, and the outputs that are more than
:math:`e^\varepsilon` times as likely are those above one place: with G the probability above,

.. math:: \delta(\varepsilon) = \max_t G(t - c) - e^\varepsilon G(t) ,

0 from ε = c/b on. A place known to be below the best one, and one above it, bound δ from above; any place bounds it from below.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from flint import acb, arb

from seepage import exact
from seepage.engines.outcome import Budget
from seepage.engines.pivot.windows import scaled_erfc
from seepage.exact import Number, precision
from seepage.measures.gaussian.privacy import least_epsilon, shift_excess
from seepage.measures.privacy.laplace import closed_excess

_BITS = 256
_STEPS = 160  # doublings and halvings, of which about 70 are needed


@dataclass(frozen=True, slots=True)
class TwoNoises:
    """Normal noise of a variance plus Laplace noise of a scale, independent; one of them may be 0."""

    variance: Number
    scale: Number

    def excess(self, shift: Number, epsilon: Number) -> tuple[arb, arb]:
        """Return bounds of the least δ at a claimed ε for two outputs whose places are ``shift`` apart."""
        return _excess_of(self, exact.abs_(shift), epsilon)

    def _bounds(self, distance: Number, epsilon: Number) -> tuple[arb, arb]:
        if distance == 0:
            return arb(0), arb(0)
        with precision(_BITS):
            if self.scale == 0:
                apart = exact.enclose(distance, _BITS) / exact.enclose(self.variance, _BITS).sqrt()
                return shift_excess(apart, exact.exp_(epsilon))
            if self.variance == 0:
                known = exact.enclose(closed_excess(distance, self.scale, epsilon), _BITS)
                return known.lower().max(arb(0)), known.upper()
            if exact.compare(exact.mul(epsilon, self.scale), distance) >= 0:
                return arb(0), arb(0)
            return self._excess(exact.enclose(distance, _BITS), exact.enclose(epsilon, _BITS))

    def loss(self, shift: Number, delta: Fraction, budget: Budget) -> tuple[arb, arb]:
        """Return bounds of the least ε at a δ > 0."""
        return least_epsilon(lambda epsilon: self.excess(shift, exact.number(epsilon)), delta, Fraction(0), budget)

    def _excess(self, shift: arb, epsilon: arb) -> tuple[arb, arb]:
        low, high = (shift / 2).mid(), None  # where the ratio is about 1
        if not self._rises(low, shift, epsilon) < 0:
            low = arb(0)  # the ratio is less than 1 there
        step = (shift + exact.enclose(self.scale, _BITS)).mid()
        for _ in range(_STEPS):
            place = (low + step).mid() if high is None else ((low + high) / 2).mid()
            rise = self._rises(place, shift, epsilon)
            if rise < 0:
                low, step = place, 2 * step
            elif rise > 0:
                high = place
            elif high is None:
                step = (step * 3 / 2).mid()
            else:  # too near to the best place
                inner = ((3 * low + high) / 4).mid(), ((low + 3 * high) / 4).mid()
                if not (self._rises(inner[0], shift, epsilon) < 0 and self._rises(inner[1], shift, epsilon) > 0):
                    break
                low, high = inner
        factor = epsilon.exp()
        below = factor * (arb(0) if high is None else self.above(high))
        upper = (self.above(low - shift) - below).upper()
        lower = (self.above(low - shift) - factor * self.above(low)).lower()
        return _point(lower, arb(0)), _point(upper, arb(1))

    def _rises(self, place: arb, shift: arb, epsilon: arb) -> arb:
        """Return log f(t − c) − log f(t) − ε, which rises with t; perhaps no number."""
        one, other = self._density(place - shift), self._density(place)
        return (one / other).log() - epsilon if one > 0 and other > 0 else arb.nan()

    def _sides(self, place: arb) -> tuple[arb, arb]:
        """Return the two terms of the density at t, times 2 b."""
        v, b = (exact.enclose(value, _BITS) for value in (self.variance, self.scale))
        right, left = (_scaled(z / (2 * v).sqrt(), -place * place / (2 * v)) for z in (v / b - place, v / b + place))
        return right, left

    def _density(self, place: arb) -> arb:
        """Return the density times 2 b."""
        right, left = self._sides(place)
        return right + left

    def above(self, place: arb) -> arb:
        """Enclose the probability of more than t."""
        right, left = self._sides(place)
        root = (2 * exact.enclose(self.variance, _BITS)).sqrt()
        return (place / root).erfc() / 2 + (right - left) / 2


@lru_cache(4_096)
def _excess_of(noise: TwoNoises, distance: Number, epsilon: Number) -> tuple[arb, arb]:
    return noise._bounds(distance, epsilon)


def _scaled(z: arb, shift: arb) -> arb:
    """Return exp(z² + shift) erfc(z) / 2, without the large factors that all but cancel."""
    if z > 0:
        return shift.exp() * scaled_erfc(acb(z)).real / 2
    return (z * z + shift).exp() * z.erfc() / 2


def _point(value: arb, otherwise: arb) -> arb:
    """Return a bound of a probability within its limits, the trivial one where it is no number."""
    return value.max(arb(0)).min(arb(1)) if value.is_finite() else otherwise
