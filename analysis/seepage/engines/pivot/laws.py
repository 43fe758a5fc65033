r"""Laws of sources with their exact densities, written so that each is analytic between its breaks.

Location and scale are the program's business: a source is centred and, where that needs no root, scaled to 1. Densities that vanish or have no
bound at an end of the support are written there as functions of the distance from it and its logarithm, so that nothing cancels. Probabilities and
moments over intervals are in closed form: multiplied by :math:`z^k`, all of these densities stay of their family.

Two bounds of tails: what is beyond t, and :math:`\int_t^\infty \eta(c f)`, with :math:`\eta(y) = -y \log y`. Beyond t a log-concave density is at most
:math:`f(t) e^{-\kappa (z - t)}`, :math:`\kappa = -(\log f)'(t)`; as :math:`\eta` grows up to 1/e, with :math:`h = c f(t) \le 1/e` the integral is at most
:math:`h (1 - \log h) / \kappa`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from itertools import pairwise
from typing import Literal, TypeAlias

from flint import acb, arb

from seepage import exact
from seepage.engines.pivot.forms import Beyond
from seepage.exact import Number, enclose

Name: TypeAlias = Literal[
    "normal",
    "laplace",
    "uniform",
    "exponential",
    "gamma",
    "triangular",
    "beta",
    "lognormal",
    "student_t",
    "product",
    "bessel",
    "window",
    "sum",
    "blur",
]
Edge: TypeAlias = Number | None
"""An end of an interval; None is infinity, which one depends on the side."""

Log: TypeAlias = Callable[[acb, bool], acb]
"""The logarithm of a density, as a function of z and whether it must be analytic there."""

Near: TypeAlias = Callable[[acb, acb, bool], acb]
"""The same beside an end of the support, as a function of the distance, its logarithm, and whether it must be analytic."""

Branch: TypeAlias = tuple[Edge, Edge, arb, bool]
"""An interval between neighbouring breaks, the part of a ball that lies in it, and whether the support holds it."""

_ANYTHING = arb("0 +/- inf")  # a density somewhere around a pole
_SYMMETRIC = ("normal", "laplace", "student_t")
_ENDS = ("gamma", "triangular", "beta", "lognormal")  # with densities that vanish or have no bound at an end


def power_of(base: arb, exponent: int) -> arb:
    """Return a power by multiplication: ``**`` has no value for a ball that holds 0."""
    result = arb(1)
    for _ in range(exponent):
        result *= base
    return result


def dyadic(value: arb) -> Number:
    """Return the middle of a ball as a number."""
    mantissa, exponent = value.mid().man_exp()
    return exact.mul(int(mantissa), exact.power(2, int(exponent)))


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
class Law:
    """A law by name: normal(variance), laplace(scale), uniform() on [0, 1], exponential() of rate 1, gamma(shape) of rate 1,
    triangular(mode) on [0, 1], beta(a, b), lognormal(v) of :math:`e^{N(0, v)}`, student_t(degrees of freedom).
    """

    name: Name
    parameters: tuple[Number, ...] = ()

    @property
    def breaks(self) -> tuple[Edge, ...]:
        """The ends of the intervals in which the density is analytic and positive, ascending."""
        match self.name:
            case "laplace":
                return None, 0, None
            case "uniform" | "beta":
                return 0, 1
            case "exponential" | "gamma" | "lognormal":
                return 0, None
            case "triangular":
                mode = self.parameters[0]
                return (0, 1) if exact.compare(mode, 0) == 0 or exact.compare(mode, 1) == 0 else (0, mode, 1)
            case _:
                return None, None

    @property
    def ends(self) -> tuple[Edge, Edge]:
        """The ends of the support."""
        return self.breaks[0], self.breaks[-1]

    @property
    def values(self) -> list[arb]:
        """The parameters as balls."""
        return [enclose(parameter) for parameter in self.parameters]

    def log_density(self, middle: arb) -> Log:
        """Return :math:`\\log f` as it is in the interval that holds ``middle``.

        Raises:
            Beyond: if it is not known which interval that is, or if it lies outside the support.
        """
        held = [interval for interval in pairwise(self.breaks) if _is_inside(middle, interval)]
        if not held:
            raise Beyond("a place that may lie on either side of a break of a density")
        return self.log_within(*held[0])

    def log_within(self, low: Edge, high: Edge) -> Log:
        """Return :math:`\\log f` as it is in an interval without breaks inside; exact comparisons tell which branch it is of."""
        values, constant = self.values, self.log_constant
        match self.name:
            case "normal":
                rate = -1 / (2 * values[0])
                return lambda z, _: z * z * rate + constant
            case "laplace":
                slope = (1 if self._is_below(high, 0) else -1) / values[0]
                return lambda z, _: z * slope + constant
            case "exponential":
                return lambda z, _: -z
            case "student_t":
                df, power = values[0], -(values[0] + 1) / 2
                return lambda z, analytic: (1 + z * z / df).log(analytic=analytic) * power + constant
            case "uniform":
                return lambda z, _: acb(0)
            case "triangular" if not self._is_below(high, self.parameters[0]):
                near = self.near(1)
                return lambda z, analytic: near(1 - z, (1 - z).log(analytic=analytic), analytic)
            case _:
                near = self.near(-1)
                return lambda z, analytic: near(z, z.log(analytic=analytic), analytic)

    @staticmethod
    def _is_below(high: Edge, kink: Number) -> bool:
        return high is not None and exact.compare(high, kink) <= 0

    def jumps_at(self, z: Number) -> bool:
        """Tell whether the density may jump at a place; it does not at a kink, in the middle of a Laplace law or at an inner mode of a triangular one."""
        kinks = self.breaks[1:-1] if self.name in ("laplace", "triangular") else ()
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

    @property
    def log_constant(self) -> arb:
        """The logarithm of the factor in front of the density."""
        values = self.values
        match self.name:
            case "normal" | "lognormal":
                return -(2 * arb.pi() * values[0]).log() / 2
            case "laplace":
                return -(2 * values[0]).log()
            case "gamma":
                return -values[0].lgamma()
            case "beta":
                return (values[0] + values[1]).lgamma() - values[0].lgamma() - values[1].lgamma()
            case "student_t":
                df = values[0]
                return ((df + 1) / 2).lgamma() - (df / 2).lgamma() - (df * arb.pi()).log() / 2
            case _:
                return arb(0)

    def near(self, side: int) -> Near:
        """Return :math:`\\log f` beside the lower (−1) or the upper end (1) of the support, where the density is not regular."""
        values, constant = self.values, self.log_constant
        match self.name:
            case "gamma":
                return lambda d, log, _: log * (values[0] - 1) - d + constant
            case "lognormal":
                return lambda _, log, __: -log - log * log / (2 * values[0]) + constant
            case "beta":
                own, other = values if side < 0 else values[::-1]
                if other == 1:
                    return lambda _, log, __: log * (own - 1) + constant
                if own == 1:
                    return lambda d, _, analytic: (1 - d).log(analytic=analytic) * (other - 1) + constant
                return lambda d, log, analytic: (
                    log * (own - 1) + (1 - d).log(analytic=analytic) * (other - 1) + constant
                )
            case "triangular":
                slope = (2 / (values[0] if side < 0 else 1 - values[0])).log()
                return lambda _, log, __: log + slope
            case _:
                raise Beyond("an end of a support at which the density is regular")

    def is_regular(self, side: int) -> bool:
        """Tell whether the logarithm of the density is analytic at an end of the support."""
        match self.name:
            case "beta":
                return self.parameters[0 if side < 0 else 1] == 1
            case "gamma" | "lognormal":
                return side > 0
            case "triangular":
                return exact.compare(self.parameters[0], 0 if side < 0 else 1) == 0
            case _:
                return self.name not in _ENDS

    @property
    def poles(self) -> tuple[Number, ...]:
        """Places inside the support at which the density has no bound; :meth:`near` is then of the halves beside them."""
        return ()

    def exponent(self, side: int) -> Number:
        """Return an a ≤ 1 for which the density is at most ``factor`` times :math:`d^{a - 1}` at the distance d from an end of the support, d ≤ 1/2."""
        match self.name:
            case "beta":
                return exact.minimum(1, self.parameters[0 if side < 0 else 1])
            case "gamma":
                return exact.minimum(1, self.parameters[0])
            case _:
                return 1

    def factor(self, side: int, within: arb | None = None) -> arb:
        """Return the factor of :meth:`exponent`, perhaps a smaller one that holds up to a distance from the end only."""
        if within is not None and self._rises_from(side, within):
            place = within if side < 0 else 1 - within
            return self.density_at(place).upper()
        if self.name == "beta":
            other = self.values[1 if side < 0 else 0] - 1
            return (self.log_constant + arb(2).log() * (-other).max(arb(0))).exp().upper()
        return self.largest if self.exponent(side) == 1 else self.log_constant.exp().upper()

    def _rises_from(self, side: int, within: arb) -> bool:
        """Tell whether the density is known to rise from 0 at an end of the support up to a distance from it."""
        values = self.values
        match self.name:
            case "lognormal":
                return side < 0 and bool(within.log() < -values[0])
            case "gamma":
                return side < 0 and bool(within < values[0] - 1)
            case "triangular":
                return bool(within < (values[0] if side < 0 else 1 - values[0]))
            case "beta":
                own, other = (value - 1 for value in (values if side < 0 else values[::-1]))
                return bool(own > 0) and bool(other >= 0) and bool(within * (own + other) < own)
            case _:
                return False

    def logs_beside(self, side: int) -> tuple[arb, arb, arb]:
        """Return A, B, C with :math:`|\\log f| \\le A + B L + C L^2`, L = −log d, at a distance d ≤ 1/2 from an end of the support."""
        values, constant = self.values, abs(self.log_constant)
        match self.name:
            case "gamma":
                return constant + 1, abs(values[0] - 1), arb(0)
            case "lognormal":
                return constant, arb(1), 1 / (2 * values[0])
            case "beta":
                own, other = values if side < 0 else values[::-1]
                return constant + abs(other - 1) * arb(2).log(), abs(own - 1), arb(0)
            case "triangular":
                return abs((2 / (values[0] if side < 0 else 1 - values[0])).log()), arb(1), arb(0)
            case _:
                raise Beyond("an end of a support at which the density is regular")

    def growth(self, far: arb) -> tuple[arb, arb, arb]:
        r"""Return A, B, C with :math:`-\log f \le A + B z^2 + C \log |z|` for |z| ≥ ``far`` ≥ 1, in a tail."""
        values, constant = self.values, abs(self.log_constant)
        match self.name:
            case "normal":
                return constant, 1 / (2 * values[0]), arb(0)
            case "laplace":
                return constant, 1 / (values[0] * far), arb(0)
            case "exponential":
                return constant, 1 / far, arb(0)
            case "gamma":
                return constant, 1 / far, (1 - values[0]).max(arb(0))
            case "lognormal":
                return constant, far.log() ** 2 / (2 * values[0] * far * far) if far > 3 else arb.pos_inf(), arb(1)
            case "student_t":
                return (
                    constant + (values[0] + 1) / 2 * (1 / far**2 + 1 / values[0]).log().max(arb(0)),
                    arb(0),
                    values[0] + 1,
                )
            case _:
                raise Beyond("a tail of a law that has none")

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

    @property
    def largest(self) -> arb:
        """An upper bound of the density, which may be infinite."""
        values = self.values
        match self.name:
            case "normal" | "laplace" | "student_t":
                bound = self.log_constant.exp()
            case "gamma" if exact.compare(self.parameters[0], 1) > 0:
                mode = values[0] - 1
                bound = (mode * mode.log() - mode + self.log_constant).exp()
            case "lognormal":
                bound = (self.log_constant + values[0] / 2).exp()
            case "triangular":
                bound = arb(2)
            case "beta":
                bound = self._largest_beta()
            case "gamma" if self.parameters[0] != 1:
                bound = arb.pos_inf()
            case _:
                bound = arb(1)
        return bound.upper()

    def _largest_beta(self) -> arb:
        above = [exact.compare(parameter, 1) for parameter in self.parameters]
        if min(above) < 0:
            return arb.pos_inf()
        if 0 in above:
            return self.log_constant.exp()
        a, b = (value - 1 for value in self.values)
        return (a * (a / (a + b)).log() + b * (b / (a + b)).log() + self.log_constant).exp()

    # --- probabilities and moments ------------------------------------------------------------------------------------

    def probability(self, low: Edge, high: Edge) -> arb:
        """Return the probability of an interval."""
        return self.chance(None if low is None else enclose(low), None if high is None else enclose(high))

    def _below(self, t: arb) -> arb:
        if t <= 0:
            return arb(0)
        if not t > 0:
            return arb(0).union(self._below(t.upper()))
        if self.name == "lognormal":
            return (-t.log() / (2 * self.values[0]).sqrt()).erfc() / 2
        a, b = self.values
        return t.beta_lower(a, b, regularized=1)

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
        values = self.values
        match self.name:
            case "normal":
                return (t / (2 * values[0]).sqrt()).erfc() / 2
            case "laplace":
                scaled = t / values[0]
                on_left, on_right = 1 - scaled.exp() / 2, (-scaled).exp() / 2
                return on_right if scaled >= 0 else on_left if scaled < 0 else on_left.union(on_right)
            case "exponential":
                return (-t).exp()
            case "gamma":
                return t.gamma_upper(values[0], regularized=1)
            case "triangular":
                return self._above_triangle(t)
            case "beta":
                return (1 - t).beta_lower(values[1], values[0], regularized=1)
            case "lognormal":
                return (t.log() / (2 * values[0]).sqrt()).erfc() / 2
            case "student_t":
                return self._above_student(t)
            case _:
                return 1 - t

    def _above_student(self, t: arb) -> arb:
        r""":math:`\frac12 - t f(0)\,{}_2F_1(\frac12, \frac{\nu + 1}{2}; \frac32; -t^2 / \nu)` around 0, far out an incomplete beta function."""
        df = self.values[0]
        if not t * t > df:
            inner = (-t * t / df).hypgeom_2f1(arb(1) / 2, (df + 1) / 2, arb(3) / 2)
            return arb(1) / 2 - t * self.log_constant.exp() * inner
        tail = (df / (df + t * t)).beta_lower(df / 2, arb(1) / 2, regularized=1) / 2
        return tail if t > 0 else 1 - tail

    def _above_triangle(self, t: arb) -> arb:
        mode = self.values[0]
        parts: list[arb] = []
        if not t > mode and mode > 0:
            parts.append(1 - t * t / mode)
        if not t < mode and mode < 1:
            parts.append((1 - t) * (1 - t) / (1 - mode))
        return reduce(arb.union, parts)

    def moment(self, order: int) -> arb:
        """Return :math:`E(z^k)`; raises ``Beyond`` where there is none."""
        values = self.values
        match self.name:
            case "normal":
                if order % 2:
                    return arb(0)
                half = order // 2
                return arb.fac_ui(order) / (arb(2) ** half * arb.fac_ui(half)) * power_of(values[0], half)
            case "laplace":
                return arb(0) if order % 2 else arb.fac_ui(order) * power_of(values[0], order)
            case "exponential":
                return arb.fac_ui(order)
            case "gamma":
                return values[0].rising(arb(order))
            case "beta":
                return values[0].rising(arb(order)) / (values[0] + values[1]).rising(arb(order))
            case "lognormal":
                return (values[0] * order * order / 2).exp()
            case "student_t" if order % 2 and exact.compare(self.parameters[0], order) > 0:
                return arb(0)
            case "student_t":
                return 2 * self._student_moment(order, arb(0)) if order else arb(1)
            case _:
                return self.moment_within(order, 0, 1)

    def moment_within(self, order: int, low: Edge, high: Edge) -> arb:
        """Return ∫ z^order f over an interval; raises ``Beyond`` where that is infinite."""
        if order == 0:
            return self.probability(low, high)
        if (low, high) == self.ends and self.name not in ("uniform", "triangular"):
            return self.moment(order)
        a, b = (None if edge is None else enclose(edge) for edge in (low, high))
        match self.name:
            case "normal":
                return self._normal_moment(order, a, b)
            case "laplace" | "student_t":
                if high is not None and exact.sign(high) <= 0:
                    mirrored = None if low is None else exact.neg(low)
                    return (-1 if order % 2 else 1) * self.moment_within(order, exact.neg(high), mirrored)
                if low is None or exact.sign(low) < 0:
                    return self.moment_within(order, low, 0) + self.moment_within(order, 0, high)
                start = arb(0) if a is None else a
                return self._beyond(order, start) - (arb(0) if b is None else self._beyond(order, b))
            case "exponential":
                return arb.fac_ui(order) * Law("gamma", (order + 1,)).probability(low, high)
            case "gamma":
                return self.moment(order) * Law("gamma", (exact.add(self.parameters[0], order),)).probability(low, high)
            case "beta":
                shifted = Law("beta", (exact.add(self.parameters[0], order), self.parameters[1]))
                return self.moment(order) * shifted.probability(low, high)
            case "lognormal":
                if any(edge is not None and exact.sign(edge) > 0 and not enclose(edge) > 0 for edge in (low, high)):
                    raise Beyond("a place that may be an end of the support")
                far = [
                    None if x is None else x.log() - order * self.values[0] if x > 0 else arb.neg_inf() for x in (a, b)
                ]
                root = (2 * self.values[0]).sqrt()
                chance = [(x / root).erfc() / 2 for x in far if x is not None and x.is_finite()]
                first = arb(1) if far[0] is None or not far[0].is_finite() else chance.pop(0)
                return self.moment(order) * (first - (chance[-1] if chance else arb(0)))
            case _:
                return self._polynomial_moment(order, arb(0) if a is None else a, arb(1) if b is None else b)

    def _normal_moment(self, order: int, a: arb | None, b: arb | None) -> arb:
        r""":math:`m_k = (k - 1) v\, m_{k-2} + v\,(a^{k-1} f(a) - b^{k-1} f(b))`."""
        variance = self.values[0]
        low_tail, high_tail = (arb(1) if a is None else self.above(a)), (arb(0) if b is None else self.above(b))

        def edge(end: arb | None, power: int) -> arb:
            return arb(0) if end is None else power_of(end, power) * self.density_at(end)

        moments = [low_tail - high_tail, variance * (edge(a, 0) - edge(b, 0))]
        for k in range(2, order + 1):
            moments.append((k - 1) * variance * moments[k - 2] + variance * (edge(a, k - 1) - edge(b, k - 1)))
        return moments[order]

    def _beyond(self, order: int, t: arb) -> arb:
        """∫ z^order f over (t, ∞) for t ≥ 0 of a symmetric law."""
        if self.name == "student_t":
            return self._student_moment(order, t)
        scale = self.values[0]
        return arb.fac_ui(order) * power_of(scale, order) * (t / scale).gamma_upper(arb(order + 1), regularized=1) / 2

    def _student_moment(self, order: int, t: arb) -> arb:
        r"""With :math:`y = \nu / (\nu + z^2)` the integral is an incomplete beta function of y; t ≥ 0."""
        if exact.compare(self.parameters[0], order) <= 0:
            raise Beyond("a moment that does not exist")
        df, half = self.values[0], arb(order + 1) / 2
        other = (df - order) / 2
        front = half.lgamma() + other.lgamma() - (df / 2).lgamma() - arb.pi().log() / 2 + df.log() * order / 2
        return front.exp() / 2 * (df / (df + t * t)).beta_lower(other, half, regularized=1)

    def _polynomial_moment(self, order: int, a: arb, b: arb) -> arb:
        def power(low: arb, high: arb, k: int) -> arb:
            return (power_of(high, k + 1) - power_of(low, k + 1)) / (k + 1)

        if self.name == "uniform":
            return power(a, b, order)
        mode = self.values[0]
        total = arb(0)
        if exact.sign(self.parameters[0]) > 0:
            total += 2 * power(a.min(mode), b.min(mode), order + 1) / mode
        if exact.compare(self.parameters[0], 1) < 0:
            low, high = a.max(mode), b.max(mode)
            total += 2 * (power(low, high, order) - power(low, high, order + 1)) / (1 - mode)
        return total

    def chance(self, a: arb | None, b: arb | None) -> arb:
        """Return the probability of an interval with ends that are balls, None for infinite."""
        if self.name in _SYMMETRIC and b is not None and b < 0:
            a, b = -b, None if a is None else -a
        if self.name in ("beta", "lognormal") and b is not None and not b > arb(1) / 2:
            return self._below(b) - (arb(0) if a is None else self._below(a))
        return (arb(1) if a is None else self.above(a)) - (arb(0) if b is None else self.above(b))

    def log_slope(self, z: arb, inside: arb | None = None) -> arb:
        r"""Return a ball that holds :math:`(\log f)'` everywhere in a ball of points of the support, no number where some may lie outside.

        ``inside`` as for :meth:`density_at`. At a kink it holds the slopes on both sides.
        """
        held = [self._slope(*branch) for branch in self.branches(z, inside)]
        return reduce(arb.union, held)

    def _slope(self, low: Edge, high: Edge, z: arb, is_of_support: bool) -> arb:
        values = self.values
        match self.name:
            case _ if not is_of_support:
                return arb.nan()
            case "normal":
                return -z / values[0]
            case "laplace":
                return (1 if self._is_below(high, 0) else -1) / values[0]
            case "uniform":
                return arb(0)
            case "exponential":
                return arb(-1)
            case "student_t":
                return -(values[0] + 1) * z / (values[0] + z * z)
            case "gamma":
                return (values[0] - 1) / z - 1
            case "lognormal":
                return -(1 + z.log() / values[0]) / z
            case "beta":
                left = arb(0) if self.parameters[0] == 1 else (values[0] - 1) / z
                return left if self.parameters[1] == 1 else left - (values[1] - 1) / (1 - z)
            case "triangular":
                return 1 / z if self._is_below(high, self.parameters[0]) else -1 / (1 - z)
            case _:
                return arb.nan()

    # --- tails --------------------------------------------------------------------------------------------------------

    def reach(self, bits: int) -> arb:
        """Return a t such that each tail beyond ±t has a mass of at most about 2^−bits."""
        far = arb(bits) * arb(2).log()
        values = self.values
        match self.name:
            case "normal":
                found = (2 * far * values[0]).sqrt()
            case "laplace":
                found = far * values[0]
            case "gamma":
                found = 2 * far + 4 * values[0]
            case "lognormal":
                found = (2 * far * values[0]).sqrt().exp()
            case "student_t":
                found = values[0].sqrt() * (1 + (far / values[0]).exp())
            case "exponential":
                found = far
            case _:
                found = arb(1)
        return found.upper()

    def beyond(self, side: int, t: arb) -> arb:
        """Return at least the mass of (t, ∞), for ``side`` −1 of (−∞, t)."""
        if side > 0:
            return self.above(t).upper()
        if self.name in _SYMMETRIC:
            return self.above(-t).upper()
        return arb(0) if t <= 0 else (1 - self.above(t)).upper()

    def second_beyond(self, side: int, far: arb) -> arb:
        """Return at least ∫ z² f beyond ``side · far``, far > 0."""
        if side < 0 and self.name not in _SYMMETRIC:
            return arb(0)
        return self.moment_within(2, dyadic(far.lower()), None).upper()

    def tail_entropy(self, side: int, t: arb, times: arb) -> arb:
        r"""Return at least :math:`\int \eta(c f)` over (t, ∞), for ``side`` −1 over (−∞, t), with c = ``times``; the integrand is positive there.

        Raises:
            Beyond: if t is not far enough out.
        """
        far, values = side * t, self.values
        if not far > 0:
            raise Beyond("a tail that begins too near")
        if side < 0 and self.name not in _SYMMETRIC:
            return arb(0)
        height = (times * self.density_at(far)).upper()
        if not height < (-arb(1)).exp():
            raise Beyond("a tail that begins too near")
        match self.name:
            case "student_t":
                df = values[0]
                front = (
                    times * (self.log_constant + df.log() * (df + 1) / 2).exp()
                ).upper()  # times f <= front / z^(df + 1)
                power, log = (-df * far.log()).exp(), far.log()
                if not front * power / far < (-arb(1)).exp():
                    raise Beyond("a tail that begins too near")
                return (front * power * ((df + 1) * (log + 1 / df) - front.log()) / df).upper()
            case "lognormal":
                v, u = values[0], far.log()
                if not u > 0:
                    raise Beyond("a tail that begins too near")
                normal = Law("normal", self.parameters)
                zero, first = normal.above(u), v * normal.density_at(u)
                second = v * zero + u * first
                inner = (-times.log() - self.log_constant) * zero + first + second / (2 * v)
                return (times * inner).upper()
            case "normal":
                rate = far / values[0]
            case "laplace":
                rate = 1 / values[0]
            case "exponential":
                rate = arb(1)
            case "gamma":
                rate = 1 - (values[0] - 1).max(arb(0)) / far
            case _ if not far >= 1:
                raise Beyond("a tail that begins too near")
            case _:
                return arb(0)
        if not rate > 0:
            raise Beyond("a tail that begins too near")
        return (height / rate * (1 - height.log())).upper()
