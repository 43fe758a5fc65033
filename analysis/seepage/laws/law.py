r"""What can be asked of a law of a source, whose exact density is written so that it is analytic between its breaks.

Location and scale are the program's business: a source is centred and, where that needs no root, scaled to 1. Densities that vanish or have no
bound at an end of the support are written there as functions of the distance from it and its logarithm, so that nothing cancels. Probabilities and
moments over intervals are in closed form.

Two bounds of tails: what is beyond t, and :math:`\int_t^\infty \eta(c f)`, with :math:`\eta(y) = -y \log y`. Beyond t a log-concave density is at most
:math:`f(t) e^{-\kappa (z - t)}`, :math:`\kappa = -(\log f)'(t)`; as :math:`\eta` grows up to 1/e, with :math:`h = c f(t) \le 1/e` the integral is at most
:math:`h (1 - \log h) / \kappa`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import reduce
from itertools import pairwise
from typing import ClassVar, TypeAlias

from flint import acb, arb

from seepage import exact
from seepage.data_classes import dataclass
from seepage.exact import Number, enclose
from seepage.laws.forms import Beyond
from seepage.laws.tails import Tail

Edge: TypeAlias = Number | None
"""An end of an interval; None is infinity, which one depends on the side."""

Log: TypeAlias = Callable[[acb, bool], acb]
"""The logarithm of a density, as a function of z and whether it must be analytic there."""

Near: TypeAlias = Callable[[acb, acb, bool], acb]
"""The same beside an end of the support, as a function of the distance, its logarithm, and whether it must be analytic."""

Chance: TypeAlias = Callable[[acb, bool], acb]
"""A probability as a function of a place, and whether it must be analytic there."""

Branch: TypeAlias = tuple[Edge, Edge, arb, bool]
"""An interval between neighbouring breaks, the part of a ball that lies in it, and whether the support holds it."""

Stretches: TypeAlias = Sequence[tuple[Edge, Edge, dict[Number, list[arb]]]]
r"""A density :math:`\sum_\lambda P_\lambda(z) e^{\lambda z}` between its breaks: ends, and ascending coefficients of the polynomials by λ."""

_ANYTHING = arb("0 +/- inf")  # a density somewhere around a pole
NEAR = "a tail that begins too near"


def power_of(base: arb, exponent: int) -> arb:
    """Return a power by multiplication: ``**`` has no value for a ball that holds 0."""
    result = arb(1)
    for _ in range(exponent):
        result *= base
    return result


def logarithm_of(chance: Chance) -> Log:
    """Return the logarithm of a chance as a function."""
    return lambda z, analytic: chance(z, analytic).log(analytic=analytic)


def dyadic(value: arb) -> Number:
    """Return the middle of a ball as a number."""
    mantissa, exponent = value.mid().man_exp()
    return exact.mul(int(mantissa), exact.power(2, int(exponent)))


def ball(edge: Edge) -> arb | None:
    """Return an end as a ball."""
    return None if edge is None else enclose(edge)


def is_left_of(high: Edge, kink: Number) -> bool:
    """Tell whether an interval without breaks inside lies below a break, by its upper end."""
    return high is not None and exact.compare(high, kink) <= 0


def check_low(height: arb) -> None:
    """Raise ``Beyond`` unless a height is below 1/e, where :math:`-y \\log y` grows."""
    if not height < (-arb(1)).exp():
        raise Beyond(NEAR)


def _is_inside(place: arb, interval: tuple[Edge, Edge]) -> bool:
    """Tell whether a place is known to lie in an interval."""
    low, high = interval
    above = low is None or bool(place > enclose(low))
    return above and (high is None or bool(place < enclose(high)))


def _is_apart(z: arb, interval: tuple[Edge, Edge]) -> bool:
    """Tell whether a ball is known to have no point in a closed interval."""
    low, high = interval
    below = low is not None and bool(z < enclose(low))
    return below or (high is not None and bool(z > enclose(high)))


@dataclass(frozen=True, slots=True)
class Law(ABC):
    """A law of a source.

    Attributes:
        name: as the language has it, or what it is made by.
        is_symmetric: whether the density is the same at z and −z.
        is_explicit: whether the density is an expression in z and the parameters, which ratios of densities need.
        is_elementary: whether chances and moments over any interval are in closed form.
        is_straight: whether its logarithm is linear between breaks (:meth:`slope_beside`).
        has_branch_point: whether the distribution function has one at an end of the support, but for some parameters.
        joins: whether some combinations of two independent copies have laws with a name (:meth:`joined`).
        is_normal: whether sums of multiples of it, and its law given such a sum, are of the same family.
        parameters: exact numbers.
    """

    name: ClassVar[str]
    is_symmetric: ClassVar[bool] = False
    is_explicit: ClassVar[bool] = True
    is_elementary: ClassVar[bool] = True
    is_straight: ClassVar[bool] = False
    has_branch_point: ClassVar[bool] = False
    joins: ClassVar[bool] = False
    is_normal: ClassVar[bool] = False

    parameters: tuple[Number, ...] = ()

    # --- the density --------------------------------------------------------------------------------------------------

    @property
    def breaks(self) -> tuple[Edge, ...]:
        """The ends of the intervals in which the density is analytic and positive, ascending."""
        return None, None

    @property
    def kinks(self) -> tuple[Edge, ...]:
        """The breaks at which the density does not jump."""
        return ()

    @property
    def ends(self) -> tuple[Edge, Edge]:
        """The ends of the support."""
        return self.breaks[0], self.breaks[-1]

    @property
    def values(self) -> list[arb]:
        """The parameters as balls."""
        return [enclose(parameter) for parameter in self.parameters]

    @property
    def log_constant(self) -> arb:
        """The logarithm of the factor in front of the density."""
        return arb(0)

    @abstractmethod
    def log_within(self, low: Edge, high: Edge) -> Log:
        """Return :math:`\\log f` as it is in an interval without breaks inside; exact comparisons tell which branch it is of."""

    @property
    @abstractmethod
    def largest(self) -> arb:
        """An upper bound of the density, which may be infinite."""

    def log_density(self, middle: arb) -> Log:
        """Return :math:`\\log f` as it is in the interval that holds ``middle``.

        Raises:
            Beyond: if it is not known which interval that is, or if it lies outside the support.
        """
        held = [interval for interval in pairwise(self.breaks) if _is_inside(middle, interval)]
        if not held:
            raise Beyond("a place that may lie on either side of a break of a density")
        return self.log_within(*held[0])

    def jumps_at(self, z: Number) -> bool:
        """Tell whether the density may jump at a place."""
        kinks = self.kinks
        return any(exact.compare(edge, z) == 0 for edge in self.breaks if edge is not None and edge not in kinks)

    def branches(self, z: arb, inside: arb | None = None) -> list[Branch]:
        """Return all intervals that a ball of points may reach into, with the part of it there, and whether they are of the support.

        Args:
            z: the points.
            inside: a place; if it is known between which breaks it lies, only of that interval.
        """
        low, high = self.ends
        outer: list[Edge] = [*([] if low is None else [None]), *self.breaks, *([] if high is None else [None])]
        every = list(pairwise(outer))
        own = [interval for interval in every if inside is not None and _is_inside(inside, interval)]
        found: list[Branch] = []
        for interval in own or [each for each in every if not _is_apart(z, each)]:
            begin, end = interval
            part = z if begin is None else z.max(enclose(begin))
            part = part if end is None else part.min(enclose(end))
            beyond = (begin is None and low is not None) or (end is None and high is not None)
            found.append((begin, end, part, not beyond))
        return found

    def density_at(self, z: arb, inside: arb | None = None) -> arb:
        """Return a ball that holds the density everywhere in a ball of points, 0 outside the support; perhaps an infinite one beside a pole.

        Where the points lie on both sides of a break it holds what is on either side. With ``inside``, a place that is known to lie between
        two breaks, it need hold only what is between these.
        """
        held = [self._density(*branch) for branch in self.branches(z, inside)]
        return reduce(arb.union, held)

    def _density(self, low: Edge, high: Edge, part: arb, is_of_support: bool) -> arb:
        if not is_of_support:
            return arb(0)
        found = acb(self.log_within(low, high)(acb(part), False)).real.exp()
        if found.is_finite():
            return found
        largest = self.largest
        return arb(0).union(largest) if largest.is_finite() else _ANYTHING

    def log_size(self, z: arb) -> arb:
        """Return at least :math:`|\\log f|` at the points of the support in a ball; perhaps no number beside an end."""
        sizes = [
            abs(self.log_within(low, high)(acb(part), False).real)
            for low, high, part, is_of_support in self.branches(z)
            if is_of_support
        ]
        return reduce(arb.union, sizes).upper()

    def log_slope(self, z: arb, inside: arb | None = None) -> arb:
        r"""Return a ball that holds :math:`(\log f)'` everywhere in a ball of points of the support, no number where some may lie outside.

        ``inside`` as for :meth:`density_at`. At a kink it holds the slopes on both sides.
        """
        held = [
            self.slope_within(low, high, part) if is_of_support else arb.nan()
            for low, high, part, is_of_support in self.branches(z, inside)
        ]
        return reduce(arb.union, held)

    def slope_within(self, low: Edge, high: Edge, z: arb) -> arb:
        r"""Return a ball that holds :math:`(\log f)'` in a ball of points in an interval without breaks inside; no number where it is not known."""
        return arb.nan()

    def slope_beside(self, z: Number, side: int) -> Number:
        """Return the exact slope of the logarithm of a density beside z, on the side of larger (1) or smaller (−1) values.

        Raises:
            Beyond: of a law that is not straight.
        """
        raise Beyond("a density whose logarithm is not linear")

    def resized(self, size: Number) -> Law | None:
        """Return the law of ``size`` times the source, size > 0, if it is of the same kind with other parameters."""
        return None

    def joined(self, ratio: Number) -> tuple[Law, Number] | None:
        """Return the law of z + ratio · z', where z' is another source of this law, and the scale of it; None where it is no law that has a name."""
        return None

    # --- as noise -----------------------------------------------------------------------------------------------------

    @property
    def variance(self) -> Number:
        """The variance; raises ``Beyond`` where it is no exact number that is known."""
        raise Beyond("a variance that is not known exactly")

    def entropy(self) -> arb:
        """Return the differential entropy in nats; raises ``Beyond`` where it is in no closed form."""
        raise Beyond("an entropy that is in no closed form")

    def square(self) -> tuple[Fraction, Number] | None:
        """Return shape and scale of the gamma law that the square of a draw has; None where it has none that is known."""
        return None

    def excess_of_shift(self, distance: Number, epsilon: Number) -> Number | None:
        """Return the least δ at a claimed ε of two places that are ``distance`` > 0 apart behind such noise; None where it is in no closed form."""
        return None

    def loss_of_shift(self, distance: Number, delta: Number) -> Number | None:
        """Return likewise the least ε at a δ < 1."""
        return None

    # --- beside an end of the support ---------------------------------------------------------------------------------

    def near(self, side: int) -> Near:
        """Return :math:`\\log f` beside the lower (−1) or the upper end (1) of the support, where the density is not regular."""
        raise Beyond("an end of a support at which the density is regular")

    def is_regular(self, side: int) -> bool:
        """Tell whether the logarithm of the density is analytic at an end of the support."""
        return True

    def power_beside(self, side: int) -> Number:
        """Return the a for which the density goes like the (a − 1)-th power of the distance from an end of the support.

        Raises:
            Beyond: if it goes like no power.
        """
        if self.is_regular(side):
            return 1
        raise Beyond("a density that goes like no power beside an end of its support")

    def exponent(self, side: int) -> Number:
        """Return an a ≤ 1 for which the density is at most ``factor`` times :math:`d^{a - 1}` at the distance d from an end of the support, d ≤ 1/2."""
        return 1

    def factor(self, side: int, within: arb | None = None) -> arb:
        """Return the factor of :meth:`exponent`, perhaps a smaller one that holds up to a distance from the end only."""
        if within is not None and self.rises_from(side, within):
            place = within if side < 0 else 1 - within
            return self.density_at(place).upper()
        return self.largest

    def rises_from(self, side: int, within: arb) -> bool:
        """Tell whether the density is known to rise from 0 at an end of the support up to a distance from it."""
        return False

    def logs_beside(self, side: int) -> tuple[arb, arb, arb]:
        """Return A, B, C with :math:`|\\log f| \\le A + B L + C L^2`, L = −log d, at a distance d ≤ 1/2 from an end of the support."""
        raise Beyond("an end of a support at which the density is regular")

    # --- probabilities and moments ------------------------------------------------------------------------------------

    def probability(self, low: Edge, high: Edge) -> arb:
        """Return the probability of an interval."""
        return self.chance(ball(low), ball(high))

    def chance(self, a: arb | None, b: arb | None) -> arb:
        """Return the probability of an interval with ends that are balls, None for infinite."""
        if self.is_symmetric and b is not None and b < 0:
            a, b = -b, None if a is None else -a
        return (arb(1) if a is None else self.above(a)) - (arb(0) if b is None else self.above(b))

    def above(self, t: arb) -> arb:
        """Return the probability of (t, ∞)."""
        low, high = self.ends
        if low is not None and t <= enclose(low):
            return arb(1)
        if high is not None and t >= enclose(high):
            return arb(0)
        if (low is not None and not t > enclose(low)) or (high is not None and not t < enclose(high)):
            # An end of the support lies in the ball: what is above falls as t grows.
            return self.above(t.lower()).union(self.above(t.upper()))
        return self.above_inside(t)

    def above_inside(self, t: arb) -> arb:
        """Return the probability of (t, ∞) at points of the support.

        Raises:
            Beyond: where it is not known.
        """
        raise Beyond("a law without a known distribution function")

    def rational_above(self, z: Number) -> Fraction | None:
        """Return the probability of (z, ∞) where it is known to be rational; None elsewhere."""
        low, high = self.ends
        if low is not None and exact.compare(z, low) <= 0:
            return Fraction(1)
        if high is not None and exact.compare(z, high) >= 0:
            return Fraction(0)
        return Fraction(1, 2) if self.is_symmetric and exact.sign(z) == 0 else None

    def tails_within(self, low: Edge, high: Edge) -> tuple[Chance, Chance]:
        """Return the chances of z below and above a place in an interval of the support without breaks inside, continued to complex balls.

        Where one has a branch point at an end of the support, a ball that may hold that end gets no value if it must be analytic, and else, being
        real, all values up to the farthest.

        Raises:
            Beyond: where no form is known.
        """
        raise Beyond("a law without a known distribution function")

    def log_tails_within(self, low: Edge, high: Edge) -> tuple[Log, Log]:
        """Return the logarithms of :meth:`tails_within`; a law whose chances fall faster than any exponential has them in closed form."""
        below, above = self.tails_within(low, high)
        return logarithm_of(below), logarithm_of(above)

    def moment(self, order: int) -> arb:
        """Return :math:`E(z^k)`; raises ``Beyond`` where there is none."""
        return self.moment_between(order, *self.ends)

    def moment_within(self, order: int, low: Edge, high: Edge) -> arb:
        """Return ∫ z^order f over an interval; raises ``Beyond`` where that is infinite."""
        if order == 0:
            return self.probability(low, high)
        return self.moment(order) if (low, high) == self.ends else self.moment_between(order, low, high)

    def moment_between(self, order: int, low: Edge, high: Edge) -> arb:
        """Return ∫ z^order f over an interval, order ≥ 1.

        Raises:
            Beyond: where it is infinite, or not known.
        """
        raise Beyond("a moment that is not known")

    def generating(self, rate: Number) -> arb:
        """Return E exp(rate · z), infinite where it is; raises ``Beyond`` where it is not known."""
        raise Beyond("a moment generating function that is not known")

    def logarithm(self) -> tuple[arb, arb]:
        """Return mean and variance of log z, z > 0; raises ``Beyond`` where they are not known."""
        raise Beyond("the mean of a logarithm that is not known")

    def mean_of_power(self, power: Fraction) -> arb:
        """Return E z^power, z > 0, infinite where it is; raises ``Beyond`` where it is not known."""
        raise Beyond("the mean of a power that is not known")

    def polynomials(self) -> Stretches | None:
        """Return the density as polynomials times exponentials between its breaks, None if it is not of that kind."""
        return None

    # --- tails --------------------------------------------------------------------------------------------------------

    @abstractmethod
    def reach(self, bits: int) -> arb:
        """Return a t such that each tail beyond ±t has a mass of at most about 2^−bits."""

    @property
    def tail(self) -> Tail | None:
        """How the upper tail falls; None if it falls in another way, or there is none."""
        return None

    @property
    def is_heavy(self) -> bool:
        """Whether a tail falls so slowly that what is far out matters."""
        return False

    def above_power(self) -> arb:
        """Return F with f ≤ F z^(−r − 1) for z > 0, of a tail that falls like a power with rate r."""
        raise Beyond("a tail that falls like no power")

    def log_over_power(self, v: arb, u: arb) -> arb:
        """Return the logarithm of f(v / u) / u^(r + 1) for v > 0 and u ≥ 0, of a tail that falls like a power with rate r."""
        raise Beyond("a tail that falls like no power")

    def tail_remainder(self, z: arb) -> arb:
        """Return a ball that holds the density over what its :attr:`tail` says, times a constant, from z on."""
        return arb(1)

    def falls_by(self, far: arb) -> arb:
        """Return at most the :math:`-(\\log f)'` everywhere beyond ``far``: of a log-concave density that there."""
        return -self.slope_within(dyadic(far.lower()), None, far)

    def growth(self, far: arb) -> tuple[arb, arb, arb]:
        r"""Return A, B, C with :math:`-\log f \le A + B z^2 + C \log |z|` for |z| ≥ ``far`` ≥ 1, in a tail."""
        raise Beyond("a tail of a law that has none")

    def beyond(self, side: int, t: arb) -> arb:
        """Return at least the mass of (t, ∞), for ``side`` −1 of (−∞, t)."""
        if side > 0:
            return self.above(t).upper()
        if self.is_symmetric:
            return self.above(-t).upper()
        return arb(0) if t <= 0 else (1 - self.above(t)).upper()

    def second_beyond(self, side: int, far: arb) -> arb:
        """Return at least ∫ z² f beyond ``side · far``, far > 0."""
        if side < 0 and not self.is_symmetric:
            return arb(0)
        return self.moment_within(2, dyadic(far.lower()), None).upper()

    def tail_entropy(self, side: int, t: arb, times: arb) -> arb:
        r"""Return at least :math:`\int \eta(c f)` over (t, ∞), for ``side`` −1 over (−∞, t), with c = ``times``; the integrand is positive there.

        Raises:
            Beyond: if t is not far enough out.
        """
        far = side * t
        if not far > 0:
            raise Beyond(NEAR)
        if side < 0 and not self.is_symmetric:
            return arb(0)
        height = (times * self.density_at(far)).upper()
        check_low(height)
        return self.entropy_beyond(far, height, times)

    def entropy_beyond(self, far: arb, height: arb, times: arb) -> arb:
        """Return the bound of :meth:`tail_entropy` of the upper tail from ``far`` > 0 on, where c f is ``height``; ``times`` is the c."""
        tail = self.tail
        if tail is not None and tail.kind == "power":
            return self._entropy_beyond_power(enclose(tail.rate), far, times)
        rate = self.falls_by(far)
        if not rate > 0:
            raise Beyond(NEAR)
        return (height / rate * (1 - height.log())).upper()

    def _entropy_beyond_power(self, rate: arb, far: arb, times: arb) -> arb:
        front, log = (times * self.above_power()).upper(), far.log()
        power = (-rate * log).exp()
        check_low(front * power / far)
        return (front * power * ((rate + 1) * (log + 1 / rate) - front.log()) / rate).upper()
