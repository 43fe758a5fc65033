r"""Differential privacy of outputs with Laplace noise, perhaps clamped: densities that are sums of two exponentials between their corners.

One law is :math:`\sum_\ell w_\ell\, e^{-|y - \ell| / b} / 2b`, clamped to an interval whose ends then are atoms. Between two corners ℓ every such
density is :math:`A e^{y/b} + D e^{-y/b}`. So the ratio of two of them is monotone there and greatest at a corner, and a
difference changes its sign at most once, where :math:`e^{2y/b} = -D/A`. Of single laws a distance Δ apart, not clamped,

.. math:: \varepsilon(0) = \Delta / b, \qquad \delta(\varepsilon) = \max(0, 1 - e^{(\varepsilon - \Delta/b)/2}).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cmp_to_key, reduce
from itertools import pairwise

from flint import arb

from seepage import exact
from seepage.data_classes import dataclass
from seepage.exact import Number, precision

BITS = 256


@dataclass(frozen=True, slots=True)
class Places:
    """One output's law: weights of the places of the noise, its scale, and the interval to which the output is clamped (None: no end)."""

    weights: Mapping[Number, Number | arb]
    scale: Number
    low: Number | None
    high: Number | None

    def only(self) -> Number | None:
        """Return the place if there is one only."""
        return next(iter(self.weights)) if len(self.weights) == 1 else None


def closed_ratio(one: Places, other: Places) -> Number | None:
    """Return the supremum of the log-ratio of the first to the second law in closed form, None where clamping hides it or there are several places."""
    here, there = one.only(), other.only()
    if here is None or there is None:
        return None
    order = exact.compare(here, there)
    end = one.low if order < 0 else one.high
    if order != 0 and end is not None and exact.compare(end, here) * order < 0:
        return None
    return exact.div(exact.abs_(exact.sub(here, there)), one.scale)


def ratio_bounds(one: Places, other: Places) -> tuple[arb, arb]:
    """Return bounds of the same in any case: the greatest at the corners and the ends."""
    with precision(BITS):
        logarithms = [(a / b).log() for a, b in _at_corners(one, other)]
        lower = reduce(_larger, (each.lower() for each in logarithms), arb(0))
        return lower, reduce(_larger, (each.upper() for each in logarithms), arb(0))


def excess_bounds(one: Places, other: Places, factor: arb) -> tuple[arb, arb]:
    """Return bounds of the greatest W(S|x) − factor·W(S|x′) over sets of outputs."""
    with precision(BITS):
        scale = exact.enclose(one.scale, BITS)
        terms = [(exact.enclose(place, BITS), _ball(weight)) for place, weight in one.weights.items()]
        terms += [(exact.enclose(place, BITS), -factor * _ball(weight)) for place, weight in other.weights.items()]
        corners = [exact.enclose(corner, BITS) for corner in _corners(one, other)]
        total = sum((_positive_part(terms, left, right, scale) for left, right in pairwise(corners)), arb(0))
        for outer, below in ((corners[0], True), (corners[-1], False)):
            # An atom; or a tail, of one sign, as its terms all fall alike.
            total += _above_zero(
                sum((weight * _mass_beyond(place, outer, scale, below) for place, weight in terms), arb(0))
            )
        return _larger(total.lower(), arb(0)), total.upper()


def _ball(weight: Number | arb) -> arb:
    return weight if isinstance(weight, arb) else exact.enclose(weight, BITS)


def _above_zero(value: arb) -> arb:
    return value.max(arb(0))


def _corners(one: Places, other: Places) -> list[Number]:
    """Return the places inside of the clamp, and its ends, in ascending order; at least one."""
    places = {*one.weights, *other.weights}
    inside = [place for place in places if _inside(place, one)]
    ends = [end for end in (one.low, one.high) if end is not None]
    return sorted(dict.fromkeys((*inside, *ends)), key=cmp_to_key(exact.compare))


def _inside(place: Number, law: Places) -> bool:
    above = law.low is None or exact.compare(place, law.low) > 0
    return above and (law.high is None or exact.compare(place, law.high) < 0)


def _at_corners(one: Places, other: Places) -> list[tuple[arb, arb]]:
    """Return pairs of densities at the corners, and of probabilities of atoms; a tail's ratio is that at its corner."""
    scale = exact.enclose(one.scale, BITS)
    found: list[tuple[arb, arb]] = []
    corners = [exact.enclose(corner, BITS) for corner in _corners(one, other)]
    laws = [[(exact.enclose(p, BITS), _ball(w)) for p, w in law.weights.items()] for law in (one, other)]
    for corner in corners:
        a, b = (sum((w * (-abs(corner - p) / scale).exp() for p, w in law), arb(0)) for law in laws)
        found.append((a, b))
    for first in (True, False):
        outer = corners[0] if first else corners[-1]
        a, b = (sum((w * _mass_beyond(p, outer, scale, first) for p, w in law), arb(0)) for law in laws)
        found.append((a, b))
    return found


def _mass_beyond(place: arb, corner: arb, scale: arb, below: bool) -> arb:
    """Return the probability that noise at a place leaves for one side of a corner."""
    gap = (corner - place) / scale if below else (place - corner) / scale
    if gap <= 0:
        return gap.exp() / 2
    if gap >= 0:
        return 1 - (-gap).exp() / 2
    return (gap.exp() / 2).union(1 - (-gap).exp() / 2)


def _positive_part(terms: Sequence[tuple[arb, arb]], left: arb, right: arb, scale: arb) -> arb:
    r"""Return ∫ max(0, A e^{(y−c)/b} + D e^{−(y−c)/b}) between two neighbouring corners, c in their middle."""
    if not left < right:
        raise exact.CannotDecide("cannot decide in which order places of the noise lie")
    centre, half = (left + right) / 2, (right - left) / (2 * scale)
    rising, falling = arb(0), arb(0)
    for place, weight in terms:
        if place.mid() < centre.mid():
            falling += weight * ((place - centre) / scale).exp() / 2
        else:
            rising += weight * ((centre - place) / scale).exp() / 2
    grown, fallen = half.exp(), (-half).exp()
    ends = rising * fallen + falling * grown, rising * grown + falling * fallen
    whole = (rising + falling) * (grown - fallen)
    if ends[0] >= 0 and ends[1] >= 0 and (rising * falling >= 0):
        return whole
    if rising > 0 and falling < 0:
        root = _within((-falling / rising).log() / 2, half)
        return _above_zero(rising * (grown - root.exp()) + falling * ((-root).exp() - fallen))
    if rising < 0 and falling > 0:
        root = _within((-falling / rising).log() / 2, half)
        return _above_zero(rising * (root.exp() - fallen) + falling * (grown - (-root).exp()))
    most = (_above_zero(rising) + _above_zero(falling)) * (grown - fallen)
    return _above_zero(whole).union(most)


def _within(root: arb, half: arb) -> arb:
    return root.max(-half).min(half)


def _larger(a: arb, b: arb) -> arb:
    return a if a > b else b
