r"""Discrete laws with infinite support: a window of values with their probabilities, and bounds for all that lies outside of it.

Each of the four laws is *dominated geometrically* beyond some value: if the first value outside has probability at most :math:`a` and each further one
at most :math:`r < 1` times the one before it, then

.. math:: \sum_{i \ge 0} a r^i = \frac{a}{1 - r}, \qquad
   \sum_{i \ge 0} -a r^i \log (a r^i) = \frac{a}{1 - r} (-\log a) + \frac{a r}{(1 - r)^2} (-\log r),

bound the mass and, as :math:`-x \log x` increases up to 1/e, the entropy :math:`-\sum p \log p` of what lies outside if :math:`a \le 1/e`. The ratios:

* geometric(p), discrete Laplace of scale s: constant, :math:`1 - p` and :math:`e^{-1/s}`;
* Poisson(λ): from k upwards at most :math:`\lambda / (k + 1)`, from k downwards at most :math:`k / \lambda`;
* discrete Gaussian of variance parameter v: from distance d outwards at most :math:`e^{-(2d + 1) / 2v}`.

With :math:`(1 + i)^j \le j! \binom{i + j}{j}` the moments outside are at most :math:`|k_0|^j\, j!\, a / (1 - r)^{j + 1}` for a first value
:math:`k_0 \ne 0`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import factorial
from typing import Literal, TypeAlias

from flint import arb

from seepage.exact import Number, TooLarge, enclose, floor_, precision, sub

Kind: TypeAlias = Literal["geometric", "poisson", "discrete_laplace", "discrete_gaussian"]

_GUARD = 64  # bits that the recurrences along a window may lose: its length is limited by the number of states


@dataclass(frozen=True, slots=True)
class InfiniteLaw:
    """A law that is no point mass.

    Attributes:
        kind: the family.
        parameter: p in (0, 1), rate > 0, scale > 0, or variance > 0.
        centre: of the symmetric ones.
    """

    kind: Kind
    parameter: Number
    centre: int = 0


@dataclass(frozen=True, slots=True)
class Remainder:
    """A law that is 0, but for a probability with which nothing is known of its values but bounds of their moments.

    Attributes:
        mass: that probability.
        moments: at least Σ p |v|, Σ p v², … over those values; those of further orders may be infinite.
    """

    mass: Number
    moments: tuple[Number, ...] = ()


class TooWide(Exception):
    """A window that is good enough has more values than allowed; ``needed`` is about how many."""

    def __init__(self, needed: int) -> None:
        super().__init__(f"about {needed:,} values are needed")
        self.needed = needed


@dataclass(frozen=True, slots=True)
class Tail:
    """What lies beyond a window on one side: values from ``first`` outwards, the first of them with probability at most ``exp(log_a)``.

    Each further one has at most ``exp(log_r)`` times the probability of the one before it.
    """

    first: int
    log_a: arb
    log_r: arb

    def mass(self) -> arb:
        """Return an upper bound of the mass."""
        return self.log_a.exp() / -self.log_r.expm1()

    def entropy(self) -> arb:
        """Return an upper bound of −Σ p log p, in nats; +∞ where the first probability may be above 1/e."""
        if not self.log_a < -1:
            return arb("inf")
        gap = -self.log_r.expm1()
        a = self.log_a.exp()
        return a / gap * -self.log_a + (a * self.log_r.exp() / gap / gap) * -self.log_r

    def moment(self, order: int, centre: int) -> arb:
        """Return an upper bound of Σ p |k − centre|^order."""
        scale = arb(max(1, abs(self.first - centre))) ** order
        return scale * factorial(order) * self.log_a.exp() / (-self.log_r.expm1()) ** (order + 1)


@dataclass(frozen=True, slots=True)
class KnownTail:
    """What lies beyond a window from ``first`` on, of a law on 0, 1, …: balls around Σ p k^j for the first orders j."""

    first: int
    moments: tuple[arb, ...]

    def mass(self) -> arb:
        """Return an upper bound of the mass."""
        return self.moments[0].upper().max(arb(0))

    def entropy(self) -> arb:
        """Return an upper bound of −Σ p log p, in nats: of a law on 1, 2, … with mean μ it is at most 1 + log μ."""
        mass = self.mass()
        if not mass > 0:
            return arb(0)
        if not mass < arb(-1).exp():
            return arb("inf")
        # The mass times the mean distance from the value before the first; −x log x and x log(m / x) grow with x below the bounds.
        reached = (self.moments[1].upper() - (self.first - 1) * self.moments[0].lower()).max(mass)
        return mass * (1 + (reached / mass).log()) - mass * mass.log()

    def moment(self, order: int, centre: int) -> arb:
        """Return an upper bound of Σ p |k − centre|^order."""
        if centre or order >= len(self.moments):
            return arb("inf")
        return self.moments[order].upper().max(arb(0))


@dataclass(frozen=True, slots=True)
class UnknownTail:
    """What lies outside of a window, in which ``first`` would be next: no more is known of it than bounds of its mass, and of the first moments."""

    first: int
    most: arb
    moments: tuple[arb, ...] = ()

    def mass(self) -> arb:
        """Return an upper bound of the mass."""
        return self.most

    def entropy(self) -> arb:
        """Return an upper bound of −Σ p log p: none."""
        return arb("inf")

    def moment(self, order: int, centre: int) -> arb:
        """Return an upper bound of Σ p |k − centre|^order: none where it is not known."""
        if not order:
            return self.most
        return arb("inf") if centre or order > len(self.moments) else self.moments[order - 1]


@dataclass(frozen=True, slots=True)
class Window:
    """The values ``first``, ``first + 1``, … with balls around their probabilities, and what lies outside; ``centre`` is that of the law, else 0."""

    first: int
    masses: tuple[arb, ...]
    tails: tuple[Tail | KnownTail | UnknownTail, ...]
    centre: int = 0

    def outside(self) -> arb:
        """Return an upper bound of the mass outside."""
        return _sum(tail.mass() for tail in self.tails)

    def outside_entropy(self) -> arb:
        """Return an upper bound of −Σ p log p over the values outside, in nats."""
        return _sum(tail.entropy() for tail in self.tails)

    def outside_moment(self, order: int) -> arb:
        """Return an upper bound of Σ p |k − centre|^order over the values outside."""
        return _sum(tail.moment(order, self.centre) for tail in self.tails)

    def moment(self, order: int) -> arb:
        """Return an upper bound of E |k − centre|^order."""
        start = self.first - self.centre
        inside = (mass * abs(start + place) ** order for place, mass in enumerate(self.masses))
        return _sum(inside).upper() + self.outside_moment(order)

    def entropy(self) -> arb:
        """Return an upper bound of the law's entropy, in nats."""
        return _sum(-mass * mass.log() for mass in self.masses if mass > 0).upper() + self.outside_entropy()


def unknown_remainder(law: Remainder, bits: int) -> Window:
    """Return the window of a law that is 0 but for values of which only bounds are known."""
    most = enclose(law.mass, bits)
    moments = tuple(enclose(each, bits).upper() for each in law.moments)
    return Window(0, (1 - most,), (UnknownTail(1, most.upper(), moments),))


@lru_cache(maxsize=256)
def window(law: InfiniteLaw, bits: int, tail_bits: int, limit: int) -> Window:
    """Return a window of a law that leaves out a mass of at most 2^−tail_bits.

    Args:
        law: parameters in their ranges.
        bits: relative accuracy of the probabilities.
        tail_bits: at least 2.
        limit: on the number of values.

    Raises:
        TooWide: if the window would have more values than ``limit``.
    """
    with precision(bits + _GUARD):
        match law.kind:
            case "geometric":
                p, q = enclose(law.parameter, bits + 2 * _GUARD), complement(law.parameter, bits + 2 * _GUARD)
                return _geometric(p, q, tail_bits, limit)
            case "poisson":
                return _poisson(law.parameter, bits, tail_bits, limit)
            case "discrete_laplace":
                return _laplace(1 / enclose(law.parameter, bits + 2 * _GUARD), law.centre, tail_bits, limit)
            case "discrete_gaussian":
                variance = enclose(law.parameter, bits + 2 * _GUARD)
                return _gaussian(variance, law.centre, max(bits + 8, tail_bits), limit)


def _sum(balls: Iterable[arb]) -> arb:
    total = arb(0)
    for ball in balls:
        total += ball
    return total


def _count(size: arb, limit: int) -> int:
    """Return a whole number that is at least ``size``, at least 1 and at most ``limit``."""
    if not size <= limit:
        raise TooWide(_rough(size))
    return max(1, int(size.upper().ceil().unique_fmpz() or limit))


def _rough(size: arb) -> int:
    return int(float(size.mid())) if size < arb(10) ** 300 else 10**300


def complement(share: Number, bits: int) -> arb:
    """Return 1 minus a number, with its digits where that has a closed form that is not too large: exp(−800) for 1 − exp(−800)."""
    try:
        return enclose(sub(1, share), bits)
    except TooLarge:
        return 1 - enclose(share, bits)


def logarithm(share: arb, rest: arb) -> arb:
    """Return the logarithm of a positive number by the one of it and 1 minus it that keeps its digits."""
    return share.log() if share < arb(0.5) else (-rest).log1p()


def _geometric(p: arb, q: arb, tail_bits: int, limit: int) -> Window:
    """p q^k with q = 1 − p, of which p may keep no digit (1 − exp(−800)); beyond n values lies exactly q^n."""
    log_q = logarithm(q, p)
    count = _count(arb(tail_bits) * arb.const_log2() / -log_q, limit)
    masses = _powers(p, q, count)
    return Window(0, tuple(masses), (Tail(count, p.log() + count * log_q, log_q),))


def _powers(first: arb, ratio: arb, count: int) -> list[arb]:
    masses = [first]
    for _ in range(count - 1):
        masses.append(masses[-1] * ratio)
    return masses


def _laplace(rate: arb, centre: int, tail_bits: int, limit: int) -> Window:
    """exp(−|k − centre| rate) (1 − r) / (1 + r) with r = exp(−rate); beyond distance n lies 2 r^(n+1) / (1 + r)."""
    r = (-rate).exp()
    peak = -(-rate).expm1() / (1 + r)
    reach = _count(((tail_bits + 1) * arb.const_log2()) / rate, (limit - 1) // 2)
    side = _powers(peak, r, reach + 1)
    masses = (*reversed(side[1:]), *side)
    log_a = peak.log() - (reach + 1) * rate
    tails = Tail(centre - reach - 1, log_a, -rate), Tail(centre + reach + 1, log_a, -rate)
    return Window(centre - reach, masses, tails, centre)


def _gaussian(variance: arb, centre: int, tail_bits: int, limit: int) -> Window:
    r"""exp(−d²/2v) / Σ, d the distance; Σ is summed up to where the rest is below 2^−tail_bits of it.

    Σ is at least 1, the term at the centre, so a bound of the unnormalised rest bounds the rest.
    """
    _count(2 * (2 * variance * (tail_bits + 2) * arb.const_log2()).sqrt(), limit)
    step = (-1 / variance).exp()
    ratio = (-1 / (2 * variance)).exp()
    side = [arb(1)]
    small = arb(2) ** (-tail_bits - 2)
    while True:
        # ratio leads from the last value of the side to the first outside; the next ratios are smaller.
        outside = side[-1] * ratio
        if outside / (1 - ratio) <= small:
            break
        side.append(outside)
        ratio *= step
        if 2 * len(side) > limit:
            raise TooWide(2 * len(side))
    reach = len(side) - 1
    distance = arb(reach + 1)
    log_w, log_r = -distance * distance / (2 * variance), -(2 * distance + 1) / (2 * variance)
    rest = Tail(reach + 1, log_w, log_r).mass().upper()
    whole = (2 * _sum(side[1:]) + 1) + (2 * rest).union(arb(0))
    scaled = [weight / whole for weight in side]
    masses = (*reversed(scaled[1:]), *scaled)
    log_a = log_w - whole.log()
    tails = Tail(centre - reach - 1, log_a, log_r), Tail(centre + reach + 1, log_a, log_r)
    return Window(centre - reach, masses, tails, centre)


def _poisson(rate: Number, bits: int, tail_bits: int, limit: int) -> Window:
    r"""exp(−λ) λ^k / k!, from the mode outwards, so that neither the exponential nor the factorial is ever large."""
    mode = floor_(rate)
    _count((8 * arb(tail_bits) * arb.const_log2() * mode).sqrt(), limit)
    with precision(bits + 2 * _GUARD + 2 * mode.bit_length()):
        sharp = enclose(rate, bits + 2 * _GUARD + 2 * mode.bit_length())
        top = (mode * sharp.log() - sharp - (arb(mode) + 1).lgamma()).exp() if mode else (-sharp).exp()
    small = arb(2) ** (-tail_bits - 1)
    up, down = list(_poisson_up(sharp, mode, top, small, limit)), list(_poisson_down(sharp, mode, top, small, limit))
    masses = (*reversed(down), top, *up)
    if len(masses) > limit:
        raise TooWide(len(masses))
    first, last = mode - len(down), mode + len(up)
    log_rate = sharp.log()
    tails = [Tail(last + 1, (masses[-1] * sharp / (last + 1)).log(), log_rate - arb(last + 2).log())]
    if first > 0:
        tails.append(Tail(first - 1, (masses[0] * first / sharp).log(), arb(max(first - 1, 1)).log() - log_rate))
    return Window(first, masses, tuple(tails))


def _poisson_up(rate: arb, mode: int, top: arb, small: arb, limit: int) -> Iterator[arb]:
    """Yield the probabilities of mode + 1, mode + 2, … until those left out have at most the mass ``small``."""
    k, mass = mode, top
    for _ in range(limit + 1):
        outside, ratio = mass * rate / (k + 1), rate / (k + 2)
        if ratio < 1 and outside / (1 - ratio) <= small:
            return
        k, mass = k + 1, outside
        yield mass


def _poisson_down(rate: arb, mode: int, top: arb, small: arb, limit: int) -> Iterator[arb]:
    """Yield the probabilities of mode − 1, mode − 2, … likewise, down to 0."""
    k, mass = mode, top
    for _ in range(limit + 1):
        if k == 0:
            return
        outside, ratio = mass * k / rate, (k - 1) / rate
        if ratio < 1 and outside / (1 - ratio) <= small:
            return
        k, mass = k - 1, outside
        yield mass
