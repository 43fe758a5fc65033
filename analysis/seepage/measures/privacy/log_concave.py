r"""The excess of a shift behind noise with a log-concave law, as sums of normal and Laplace variables have.

With g its density and G the probability above, :math:`g(t - c) / g(t)` rises with t for c > 0 (sums of log-concave variables are log-concave, Prékopa 1973). So
the outputs that are more than :math:`e^\varepsilon` times as likely are those above one place, and

.. math:: \delta(\varepsilon) = \max_t G(t - c) - e^\varepsilon G(t) .

Any place bounds that from below; a place a that is known to be before the best one and a place b behind it, by :math:`G(a - c) - e^\varepsilon G(b)` from above.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache

from flint import acb, arb, ctx

from seepage import exact
from seepage.data_classes import dataclass
from seepage.engines.outcome import Budget
from seepage.engines.pivot.blurred import Blur
from seepage.engines.pivot.segments import Placed
from seepage.exact import Number, enclose, precision
from seepage.laws.laplace import Laplace
from seepage.measures.gaussian.privacy import least_epsilon, shift_excess

_BITS = 256
_STEPS = 400  # halvings and steps of Newton's, of which some 20 are needed
_FAR_BITS = 1_100  # less than that of the law is less than any double
_SPARE_BITS = 10


@dataclass(frozen=True, slots=True)
class TwoNoises:
    """Normal noise of a variance plus Laplace noise of a scale, independent; one of them may be 0."""

    variance: Number
    scale: Number

    def excess(self, shift: Number, epsilon: Number) -> tuple[arb, arb]:
        """Return bounds of the least δ at a claimed ε for two outputs whose places are ``shift`` apart."""
        return _excess_of(self, exact.abs_(shift), epsilon)

    def loss(self, shift: Number, delta: Fraction, budget: Budget) -> tuple[arb, arb]:
        """Return bounds of the least ε at a δ > 0."""
        return least_epsilon(lambda epsilon: self.excess(shift, exact.number(epsilon)), delta, Fraction(0), budget)


@lru_cache(4_096)
def _excess_of(noise: TwoNoises, distance: Number, epsilon: Number) -> tuple[arb, arb]:
    if distance == 0:
        return arb(0), arb(0)
    with precision(_BITS):
        if noise.scale == 0:
            apart = exact.enclose(distance, _BITS) / exact.enclose(noise.variance, _BITS).sqrt()
            return shift_excess(apart, exact.exp_(epsilon))
        if noise.variance == 0:
            known = exact.enclose(Laplace((noise.scale,)).excess_of_shift(distance, epsilon), _BITS)
            return known.lower().max(arb(0)), known.upper()
        if exact.compare(exact.mul(epsilon, noise.scale), distance) >= 0:
            return arb(0), arb(0)
        both = Blur(parameters=(noise.variance,), parts=(Placed(Laplace((noise.scale,)), 0, 1, None, None),))
        return excess_of_shift(both, distance, epsilon)


def excess_of_shift(law: Blur, shift: Number, epsilon: Number) -> tuple[arb, arb]:
    """Return bounds of the greatest P(Z + shift ∈ S) − e^ε P(Z ∈ S) over sets S.

    Args:
        law: of Z.
        shift: of either sign.
        epsilon: at least 0.

    Raises:
        Beyond: where the law is not known at a place.
    """
    if exact.sign(shift) < 0:
        law, shift = law.mirrored, exact.neg(shift)
    if exact.sign(shift) == 0:
        return arb(0), arb(0)
    c, loss = enclose(shift), enclose(epsilon).exp()
    before, behind, near = _around_best(law, c, enclose(epsilon))
    lower = (law.above(near - c) - loss * law.above(near)).lower()
    most = arb(1) if before is None else law.above(before - c)
    upper = (most - (arb(0) if behind is None else loss * law.above(behind))).upper()
    return lower.max(arb(0)).lower(), upper.max(arb(0)).min(arb(1)).upper()


def _around_best(law: Blur, shift: arb, loss: arb) -> tuple[arb | None, arb | None, arb]:
    """Return places that log g(t − c) − log g(t) is known to be less than ε at, and greater, None where none was found, and one beside the best place."""
    log = law.log_within(None, None)
    reach = (law.reach(_FAR_BITS) + shift).mid()
    near = (reach * arb(2) ** (_SPARE_BITS - ctx.prec // 2)).mid()
    before: arb | None = None
    behind: arb | None = None

    def rise(place: arb) -> arb:
        return (log(acb(place - shift), False) - log(acb(place), False)).real - loss

    low, high, place = -reach, reach, (shift / 2).mid()
    for _ in range(_STEPS):
        value = rise(place)
        if value < 0:
            before = low = place
        elif value > 0:
            behind = high = place
        else:
            before, behind = _beside(rise, place, near, (before, behind))
            break
        if high - low < near:
            break
        slope = law.log_slope(place - shift) - law.log_slope(place)
        step = (-value / slope).mid() if slope > 0 else reach
        if abs(step) < near:
            step += near / 4 if value < 0 else -near / 4  # past the best place
        after = (place + step).mid()
        place = after if low < after < high else ((low + high) / 2).mid()
    return before, behind, place


def _beside(
    rise: Callable[[arb], arb], place: arb, near: arb, known: tuple[arb | None, arb | None]
) -> tuple[arb | None, arb | None]:
    """Return the places closest to one at which the sign of a rising function is not known where it is: before and behind, those ``known`` if none is closer."""
    before, behind = known
    for far in (near * 2**k for k in range(ctx.prec)):
        one, other = (place - far).mid(), (place + far).mid()
        if (before is None or before < one) and rise(one) < 0:
            before = one
        if (behind is None or behind > other) and rise(other) > 0:
            behind = other
        if all(end is not None and abs(end - place) <= far for end in (before, behind)):
            break
    return before, behind
