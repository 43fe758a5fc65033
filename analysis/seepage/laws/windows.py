r"""Windows of discrete laws with infinite support: some values with their probabilities, and bounds for all that lies outside of them.

Each law that has a file here is *dominated geometrically* beyond some value: if the first value outside has probability at most :math:`a` and each further one
at most :math:`r < 1` times the one before it, then

.. math:: \sum_{i \ge 0} a r^i = \frac{a}{1 - r}, \qquad
   \sum_{i \ge 0} -a r^i \log (a r^i) = \frac{a}{1 - r} (-\log a) + \frac{a r}{(1 - r)^2} (-\log r),

bound the mass and, as :math:`-x \log x` increases up to 1/e, the entropy :math:`-\sum p \log p` of what lies outside if :math:`a \le 1/e`. With
:math:`(1 + i)^j \le j! \binom{i + j}{j}` the moments outside are at most :math:`|k_0|^j\, j!\, a / (1 - r)^{j + 1}` for a first value :math:`k_0 \ne 0`.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import factorial

from flint import arb

from seepage.data_classes import dataclass
from seepage.exact import Number, TooLarge, enclose, sub

GUARD = 64  # bits that the recurrences along a window may lose: its length is limited by the number of states


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
        return sum_of(tail.mass() for tail in self.tails)

    def outside_entropy(self) -> arb:
        """Return an upper bound of −Σ p log p over the values outside, in nats."""
        return sum_of(tail.entropy() for tail in self.tails)

    def outside_moment(self, order: int) -> arb:
        """Return an upper bound of Σ p |k − centre|^order over the values outside."""
        return sum_of(tail.moment(order, self.centre) for tail in self.tails)

    def moment(self, order: int) -> arb:
        """Return an upper bound of E |k − centre|^order."""
        start = self.first - self.centre
        inside = (mass * abs(start + place) ** order for place, mass in enumerate(self.masses))
        return sum_of(inside).upper() + self.outside_moment(order)

    def entropy(self) -> arb:
        """Return an upper bound of the law's entropy, in nats."""
        return sum_of(-mass * mass.log() for mass in self.masses if mass > 0).upper() + self.outside_entropy()


def unknown_remainder(law: Remainder, bits: int) -> Window:
    """Return the window of a law that is 0 but for values of which only bounds are known."""
    most = enclose(law.mass, bits)
    moments = tuple(enclose(each, bits).upper() for each in law.moments)
    return Window(0, (1 - most,), (UnknownTail(1, most.upper(), moments),))


def sum_of(balls: Iterable[arb]) -> arb:
    """Return the sum of balls."""
    total = arb(0)
    for ball in balls:
        total += ball
    return total


def count_of(size: arb, limit: int) -> int:
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


def powers(first: arb, ratio: arb, count: int) -> list[arb]:
    """Return so many probabilities, of which each is a ratio times the one before it."""
    masses = [first]
    for _ in range(count - 1):
        masses.append(masses[-1] * ratio)
    return masses
