r"""What the runs that were cut off an infinite support can change in a measure.

Let m be the masses that are known, of sum M, and e those that were cut off, wherever their values lie, of sum :math:`t \le \tau` and with
:math:`-\sum e \log e \le \eta` (:class:`seepage.engines.outcome.Cut`). Write :math:`F(\mu) = \sum_{x,y} \mu(x, y) \log (\mu(y) / \mu(x, y))`, which
is :math:`M(\mu)\, H(x \mid y)` (Cover and Thomas 2006, chapter 2, for the inequalities). Let B tell whether a run was cut off.

* F is superadditive (concave and homogeneous), so :math:`F(m + e) \ge F(m)`.
* :math:`H(x \mid y) \le H(x, B \mid y) \le H(B) + H(x \mid y, B)`, so :math:`F(m + e) \le F(m) + F(e) + (M + t)\, h(t / (M + t)) \le F(m) + s` with the
  *slack* :math:`s = \eta + \tau (1 + \log^+ (M + \tau))`.
* :math:`|I(x; y \mid z) - I(x; y \mid z, B)| \le H(B)`, and the information within the runs cut off is between 0 and their entropy, so
  :math:`M I_m - g \le (M + t)\, I \le M I_m + s` with :math:`g = (M + \tau)\, h(\tau / (M + \tau))`, which increases with τ.
"""

from __future__ import annotations

from flint import arb

from seepage.engines.outcome import Cut
from seepage.measures.enclosure import Enclosure
from seepage.measures.result import Certainty


def slack(mass: arb, cut: Cut) -> arb:
    """Return the s above: at most that much entropy, times mass, comes with what was cut off."""
    whole = (mass + cut.mass).upper()
    stretch = whole.log() if whole > 1 else arb(0)
    return (cut.entropy + cut.mass * (1 + stretch)).upper()


def entropy_bounds(entropy: arb, mass: arb, cut: Cut) -> tuple[arb, arb]:
    """Return bounds of a (conditional) entropy in nats from that of the known masses, of sum ``mass``."""
    known = entropy * mass
    lower = (known / (mass + cut.mass)).lower()
    return lower if lower > 0 else arb(0), _upper((known + slack(mass, cut)) / mass)


def information_bounds(information: arb, mass: arb, cut: Cut) -> tuple[arb, arb]:
    """Return bounds of a (conditional) mutual information in nats from that of the known masses, of sum ``mass``."""
    known = information * mass
    tau = cut.mass
    disturbance = tau * ((mass + tau) / tau).log() + mass * (tau / mass).log1p() if tau > 0 else arb(0)
    lower = ((known - disturbance) / (mass + tau)).lower()
    return lower if lower > 0 else arb(0), _upper((known + slack(mass, cut)) / mass)


def certified(value: arb, lower: arb, upper: arb, *caps: arb) -> Enclosure:
    """Enclose a number between bounds, the upper one also below each of some numbers."""
    for cap in caps:
        if cap < upper:
            upper = cap
    if not upper >= lower:
        raise AssertionError(f"bounds that exclude each other: {lower}, {upper}")
    return Enclosure.bounded(value, lower, upper, Certainty.CERTIFIED)


def _upper(ball: arb) -> arb:
    return ball.upper() if ball.is_finite() else arb("inf")
