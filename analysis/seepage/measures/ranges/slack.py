r"""By how much a measure may be more, or less, than what the values of infinite laws say that were not left out.

With the masses m that are known, of sum M, and those e that were left out, of sum :math:`t \le \tau`, the inequalities of :mod:`seepage.measures.discrete.cutting` hold
for all points of the ranges, as :math:`\tau` and the other bounds of the cut do. Where nothing is observed :math:`M + t = 1`, and m stands in the place of
probabilities: a sum over it lacks :math:`M \log M \in [-\tau, 0]` of what stands there. Elsewhere m/M does, and bounds are over M. With N values of a variable and g and s as there,

.. math:: -\tau - g \le I - A \le s, \qquad -\tau \le H - A \le s, \qquad 0 \le P - A \le \tau, \qquad |E - A| \le \mu_1
          \qquad \text{(nothing observed)}

.. math:: -(\tau \log N + g) / M \le I - A \le s / M, \qquad -\tau \log N / M \le H - A \le s / M, \qquad |P - A| \le \tau / M, \qquad
          |E - A| \le (\mu_1 + \tau \max |v|) / M

for the number A that they make; :math:`\mu_j` bounds :math:`\sum e |v|^j`. The variance, as :math:`|E_m v| \le B = \max |v|`, is at most :math:`\mu_2 + 2 B \mu_1` more and
:math:`2 B \mu_1 + \mu_1^2` less where nothing is observed.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from flint import arb

from seepage.engines.forward.polynomials import Polynomial
from seepage.engines.outcome import Cut, DiscreteJoint
from seepage.exact import dyadic, enclose, precision
from seepage.measures.discrete.cutting import slack
from seepage.measures.planning.table import Measure

_BITS = 96


def slack_of(
    measure: Measure,
    joint: DiscreteJoint[Polynomial],
    sides: Sequence[Sequence[str]],
    *,
    above: bool,
    whole: bool,
) -> Fraction | None:
    """Return how much more (``above``) or less a measure may be than the masses say, times M where something is observed; None if nothing bounds that.

    Args:
        measure: an entropy, an information, or of a value.
        joint: the known masses, with what was left out.
        sides: for H and I lists of variables whose entropies each bound the measure.
        above: which side.
        whole: whether nothing is observed.
    """
    if joint.cut is None:
        return Fraction(0)
    with precision(_BITS):
        found = _slack(measure, joint, joint.cut, sides, above=above, whole=whole)
        return None if found is None or not found.is_finite() else upper(found)


def _slack(
    measure: Measure,
    joint: DiscreteJoint[Polynomial],
    cut: Cut,
    sides: Sequence[Sequence[str]],
    *,
    above: bool,
    whole: bool,
) -> arb | None:
    tau = cut.mass
    match measure.functional:
        case "entropy":
            if above:
                return slack(arb(1), cut.about(*sides))
            count = min(_count(joint, names) for names in sides)
            shortfall = tau if whole else tau * arb(count).log()
            return shortfall + (_disturbance(tau) if measure.is_information else 0)
        case "chance":
            return arb(0) if whole and not above else tau
        case "mean" | "variance":
            first, second = cut.moments.get(joint.variables[0], (arb("inf"), arb("inf")))
            most = max((abs(enclose(value, _BITS)).upper() for (value,) in joint.masses), default=arb(0))
            if measure.functional == "mean":
                return first if whole else first + tau * most
            if not whole:
                return None
            return second + 2 * most * first if above else 2 * most * first + first * first
        case _:
            return None


def _disturbance(tau: arb) -> arb:
    """Return g for M = 1, the largest."""
    return tau * ((1 + tau) / tau).log() + tau.log1p() if tau > 0 else arb(0)


def _count(joint: DiscreteJoint[Polynomial], names: Sequence[str]) -> int:
    return max(1, len(joint.support(names)))


def upper(ball: arb) -> Fraction:
    """Return a rational number of few digits that is no less than a ball, which is finite."""
    with precision(24):
        return dyadic((+ball.upper()).upper())
