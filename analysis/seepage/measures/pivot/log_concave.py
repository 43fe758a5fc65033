r"""The excess of a shift behind noise of any log-concave law.

With g its density and G the probability above, :math:`g(t - c) / g(t)` rises with t for c > 0. So the outputs that are more than :math:`e^\varepsilon` times as likely are those
above one place, and

.. math:: \delta(\varepsilon) = \max_t G(t - c) - e^\varepsilon G(t) .

Any place bounds that from below; a place a that is known to be before the best one and a place b behind it, by :math:`G(a - c) - e^\varepsilon G(b)` from above.
"""

from __future__ import annotations

from flint import acb, arb

from seepage import exact
from seepage.engines.pivot.blurred import Blur
from seepage.exact import Number, enclose

_STEPS = 200
_FAR_BITS = 80
_NEAR = arb(2) ** -50


def excess_of_shift(law: Blur, shift: Number, epsilon: Number) -> tuple[arb, arb]:
    """Return bounds of the greatest P(Z + shift ∈ S) − e^ε P(Z ∈ S) for Z of a law."""
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
    far = (law.reach(_FAR_BITS) + shift).mid()
    near = (_NEAR * far).mid()
    before: arb | None = None
    behind: arb | None = None
    low, high, place = -far, far, (shift / 2).mid()
    for _ in range(_STEPS):
        rise = (log(acb(place - shift), False) - log(acb(place), False)).real - loss
        if rise < 0:
            before = low = place
        elif rise > 0:
            behind = high = place
        else:
            break
        if high - low < near:
            break
        slope = law.log_slope(place - shift) - law.log_slope(place)
        step = (-rise / slope).mid() if slope > 0 else far
        if abs(step) < near:
            step += near / 4 if rise < 0 else -near / 4  # past the best place
        after = (place + step).mid()
        place = after if low < after < high else ((low + high) / 2).mid()
    return before, behind, place
