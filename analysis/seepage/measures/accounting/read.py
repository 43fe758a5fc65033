"""Reads bounds of δ at a claimed ε, and of the least ε at an allowed δ, from compositions."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from seepage.data_classes import dataclass
from seepage.measures.accounting.compose import Composed
from seepage.measures.accounting.crossing import crossing, greatest_below, least_above

_Floats = npt.NDArray[np.float64]
_U = 2.0**-53
_LARGEST = 700.0  # an exponential of more is no float


@dataclass(frozen=True, slots=True)
class Curve:
    r"""What masses at losses add to an integral :math:`\int_0^\infty w(t)\,\delta(t)\,dt` with :math:`w \ge 0`: :math:`\int_0^l w(t)(1 - e^{t - l})\,dt`, which rises with l.

    Attributes:
        at: this at losses above 0, and by how much the floats may err.
        limit: what it rises to, as a float.
    """

    at: Callable[[_Floats], tuple[_Floats, _Floats]]
    limit: float


@dataclass(frozen=True, slots=True)
class Profile:
    """Bounds of δ of a composition from above, or from below.

    Attributes:
        law: the composition of what the outputs tell at most, or at least.
        infinite: the mass of outputs that the second input never has, rounded as the law is.
        raised: by how much losses are higher than on the grid; below 0 if they are lower.
        up: whether it is a bound from above.
        losses: of the bins.
        weights: bounds of their masses under the first input.
    """

    law: Composed
    infinite: float
    raised: float
    up: bool
    losses: _Floats
    weights: _Floats

    @classmethod
    def of(cls, law: Composed, infinite: float, raised: float, *, up: bool) -> Profile:
        """Return the profile of a composition; arguments as the attributes."""
        losses, sign = law.losses(), 1 if up else -1
        masses = np.maximum(np.maximum(law.bins, 0) + sign * law.error, 0)
        pad = sign * 16 * _U * (1 + abs(law.log_total) + abs(law.tilt) * np.abs(losses))
        with np.errstate(over="ignore"):
            factors = np.exp(law.log_total - law.tilt * losses + pad)
        weights = masses * np.where(masses > 0, factors, 0.0)
        return cls(law, infinite, raised, up, losses, weights)

    def excess(self, epsilon: float) -> float:
        """Return the bound of δ at a claimed ε that is at least 0."""
        law = self.law
        epsilon -= self.raised
        if self.up:
            found = self._sum(epsilon, 1) + self.infinite
            found += _exp(law.log_total - law.tilt * law.step * law.last + law.log_after)
            if epsilon < law.step * law.first:
                found += _exp(law.log_total - law.tilt * epsilon + law.log_before)
            return min(1.0, found * (1 + 1e-12))
        found = self._sum(epsilon, -1) + self.infinite
        for outside in (law.log_before, law.log_after):
            found -= _exp(law.log_total - law.tilt * epsilon + outside)
        return max(0.0, found * (1 - 1e-12))

    def _sum(self, epsilon: float, sign: int) -> float:
        start = int(np.searchsorted(self.losses, epsilon - self.law.step))
        losses, weights = self.losses[start:], self.weights[start:]
        gaps = losses - epsilon + sign * 8 * _U * (np.abs(losses) + abs(epsilon) + abs(self.raised))
        above = gaps > 0
        total = float((weights[above] * -np.expm1(-gaps[above])).sum())
        return total * (1 + sign * (16 + len(losses)) * _U)

    def integral(self, curve: Curve) -> float:
        """Return a bound from above of an integral of δ over all claimed ε that are at least 0, of a profile from above."""
        law = self.law
        losses = self.losses + self.raised
        losses = losses + 8 * _U * (np.abs(losses) + abs(self.raised))
        above = losses > 0
        values, errors = curve.at(losses[above])
        total = float((self.weights[above] * (values + errors)).sum()) * (1 + (16 + len(losses)) * _U)
        beside = law.log_total + abs(law.tilt * self.raised)
        rest = self.infinite + _exp(beside - law.tilt * law.step * law.last + law.log_after)
        if law.step * law.first + self.raised > 0:
            rest += _exp(beside + law.log_before)
        return total + curve.limit * rest * (1 + 2e-12)

    def guess(self, delta: float) -> float:
        """Return about the least ε, at least 0, at which δ is what is allowed."""
        start = int(np.searchsorted(self.losses, -self.raised))
        losses, masses, wanted = self.losses[start:], np.minimum(self.weights[start:], 1.0), delta - self.infinite
        if not len(losses):
            return 0.0
        most = int(np.searchsorted(-np.cumsum(masses[::-1])[::-1], -wanted))  # beyond it not even all mass is so much
        shift = max(0.0, float(losses[min(most, len(losses) - 1)]) - _LARGEST / 2)  # exponentials are floats near there
        ratios = np.exp(np.clip(losses - shift, -_LARGEST, _LARGEST))
        return max(0.0, crossing(ratios, masses, masses / ratios, wanted) + shift + self.raised)


def _exp(exponent: float) -> float:
    if exponent >= _LARGEST:
        return math.inf
    return 0.0 if exponent == -math.inf else math.exp(exponent + 1e-12 * (1 + abs(exponent)))


def least(profile: Profile, delta: float) -> float:
    """Return a bound of the least ε at which δ is at most what is allowed, on the side that the profile is on.

    Args:
        profile: bounds of δ.
        delta: what is allowed, not below the true one for a bound from below, not above it for one from above.

    Returns:
        an ε with δ(ε) ≤ delta for bounds from above, infinite if there is none; one with δ(ε) > delta, or 0, for bounds from below.
    """
    if not profile.up and profile.infinite > delta:
        return math.inf
    guess = profile.guess(delta)
    if not profile.up:
        return greatest_below(profile.excess, delta, guess)
    return least_above(profile.excess, delta, guess, profile.law.step * (profile.law.last + 2) + 1)
