r"""How fast densities fall in a tail, compared exactly, and bounds of one over a slower one from some place on.

All tails are upper ones here: lower ones are mirrored.
"""

from __future__ import annotations

from flint import acb, arb

from seepage import exact
from seepage.data_classes import dataclass
from seepage.engines.pivot.segments import Placed
from seepage.exact import Number, enclose
from seepage.laws.forms import Beyond
from seepage.laws.tails import Kind

_ORDER: tuple[Kind, ...] = ("power", "linear", "square")


@dataclass(frozen=True, slots=True)
class Fall:
    """An upper tail.

    Attributes:
        placed: the density, mirrored if need be.
        kind: like a power of x, like :math:`e^{-rx}`, or like a normal density.
        rate: the degrees of freedom, the rate r, or one over the variance: less is slower.
        then: what decides between equal rates, less is slower: of an exponential tail minus 1 and the power in front, of a normal one minus the mean.
    """

    placed: Placed
    kind: Kind
    rate: Number
    then: Number


def fall_of(placed: Placed, side: int) -> Fall:
    """Return a tail of a density that has one.

    Raises:
        Beyond: of a law that falls in another way.
    """
    if side < 0:
        placed = Placed(placed.law, exact.neg(placed.location), exact.neg(placed.scale), placed.low, placed.high)
    law, size = placed.law, exact.abs_(placed.scale)
    tail = law.tail
    if tail is None:
        raise Beyond("a tail that falls in a way that is not compared with others")
    match tail.kind:
        case "power":
            return Fall(placed, tail.kind, tail.rate, 0)
        case "linear":
            return Fall(placed, tail.kind, exact.div(tail.rate, size), exact.neg(exact.add(tail.power, 1)))
        case "square":
            return Fall(placed, tail.kind, exact.div(tail.rate, exact.mul(size, size)), exact.neg(placed.location))


def is_slower(one: Fall, other: Fall) -> bool:
    """Tell whether the quotient of the first to the second density exceeds every bound in the tail."""
    if one.kind != other.kind:
        return _ORDER.index(one.kind) < _ORDER.index(other.kind)
    order = exact.compare(one.rate, other.rate)
    return order < 0 or (order == 0 and exact.compare(one.then, other.then) < 0)


def over_slowest(fall: Fall, slowest: Fall, x: arb, far: arb | None = None) -> arb:
    """Return a ball that holds the quotient of two densities from x on, or to ``far``; perhaps an infinite one.

    Args:
        fall: of the first density.
        slowest: of the second one, which falls no faster.
        x: a place that no break lies beyond.
        far: another one, further out.
    """
    if fall.placed == slowest.placed:
        return arb(1)
    if is_slower(fall, slowest):
        return arb.pos_inf()
    if fall.kind == slowest.kind == "power":
        return _of_powers(fall, slowest, x, far)
    at_x = (_log(fall, x) - _log(slowest, x)).exp() * _remainder(fall, x) * _remainder(slowest, x)
    same = exact.compare(fall.rate, slowest.rate) == 0 and exact.compare(fall.then, slowest.then) == 0
    if fall.kind == slowest.kind and same and fall.then == -1 and fall.kind == "linear":
        return at_x
    if same and fall.kind == slowest.kind == "square":
        return at_x
    slope = _steepest(fall, x) + _steepness(slowest, x)
    if fall.kind == slowest.kind == "square":
        slope = -(x - enclose(fall.placed.location)) * enclose(fall.rate)
        slope += (x - enclose(slowest.placed.location)) * enclose(slowest.rate)
    return arb(0).union(at_x) if slope < 0 else arb.pos_inf()


def _remainder(fall: Fall, x: arb) -> arb:
    """Return a ball that holds the quotients of what a density has beside its tail's form, from x on, to that at x."""
    placed = fall.placed
    found = placed.law.tail_remainder((x - enclose(placed.location)) / abs(enclose(placed.scale)))
    return found / found


def _steepest(fall: Fall, x: arb) -> arb:
    """Return at least the slope of a logarithm everywhere from x on, which is negative if this is of use."""
    placed = fall.placed
    match fall.kind:
        case "linear":
            rate = enclose(fall.rate)
            gap = x - enclose(placed.location)
            if placed.law.is_straight:
                return -rate
            return _power(fall).max(arb(0)) / gap - rate if gap > 0 else arb.pos_inf()
        case "square":
            return -(x - enclose(placed.location)) * enclose(fall.rate)
        case _:
            return arb(0) if x >= enclose(placed.location) else arb.pos_inf()


def _steepness(fall: Fall, x: arb) -> arb:
    """Return at least minus the slope of a logarithm everywhere from x on."""
    gap = x - enclose(fall.placed.location)
    match fall.kind:
        case "power":
            return (enclose(fall.rate) + 1) / gap if gap > 0 else arb.pos_inf()
        case "linear":
            if fall.placed.law.is_straight:
                return enclose(fall.rate)
            return enclose(fall.rate) + (-_power(fall)).max(arb(0)) / gap if gap > 0 else arb.pos_inf()
        case _:
            return arb.pos_inf()


def _power(fall: Fall) -> arb:
    """Return the power in front of an exponential tail."""
    return -enclose(fall.then) - 1


def _log(fall: Fall, x: arb) -> arb:
    placed = fall.placed
    scale = enclose(placed.scale)
    z = (x - enclose(placed.location)) / scale
    inner = placed.law.breaks
    ends = (inner[-2], inner[-1]) if exact.sign(placed.scale) > 0 else (inner[0], inner[1])
    return placed.law.log_within(*ends)(acb(z), False).real - abs(scale).log()


def _of_powers(fall: Fall, slowest: Fall, x: arb, far: arb | None) -> arb:
    r"""With :math:`u = 1/(x - c)`, c the location of the slower one, :math:`z = (x - l) / s` is v/u with :math:`v = (1 - (l - c) u) / s`."""
    gap = x - enclose(slowest.placed.location)
    if not gap > 0:
        return arb.pos_inf()
    last = arb(0) if far is None else 1 / (far - enclose(slowest.placed.location))
    u = last.union(1 / gap)
    logs: list[arb] = []
    for each in (fall, slowest):
        scale = abs(enclose(each.placed.scale))
        v = (1 - enclose(exact.sub(each.placed.location, slowest.placed.location)) * u) / scale
        if not v > 0:
            return arb.pos_inf()
        logs.append(each.placed.law.log_over_power(v, u) - scale.log())
    quotient = (logs[0] - logs[1]).exp()
    excess = exact.sub(fall.rate, slowest.rate)
    if exact.sign(excess) == 0:
        return quotient
    return quotient * arb(0).union((-gap.log() * enclose(excess)).exp())
