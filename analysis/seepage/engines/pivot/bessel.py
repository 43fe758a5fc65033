r"""The law of a product of two normal variables: :math:`f(z) = \frac{\sqrt{1 - \rho^2}}{\pi} e^{\rho z} K_0(|z|)`.

For centred x and y with deviations σ, σ' and correlation ρ, xy is :math:`\sigma \sigma' (1 - \rho^2)` times such a variable (Craig 1936, "On the frequency
function of xy"). With :math:`K_0(z) = \int_0^\infty e^{-z \cosh t} dt`, the scaled function :math:`g(z) = e^z K_0(z)` has
:math:`|g'(z)| \le e^x (K_1(x) - K_0(x))` for all z with real part at least x > 0, so that balls around z stay narrow. Bounds:
:math:`\frac78 \sqrt{\pi / 2z}\, e^{-z} \le K_0(z)` for z ≥ 1, and :math:`K_0(z) \le \sqrt{\pi / 2z}\, e^{-z}`, as :math:`K_\nu` grows with ν ≥ 0 and
:math:`K_{1/2}` is that bound.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from flint import acb, arb, ctx

from seepage import exact
from seepage.exact import Number, precision
from seepage.laws.exponential import Exponential
from seepage.laws.forms import Beyond
from seepage.laws.gamma import Gamma
from seepage.laws.law import Edge, Law, Log, Near, is_left_of

_HALF = Fraction(1, 2)
_FAR = 32


def scaled_bessel(z: acb) -> acb:
    """Return :math:`e^z K_0(z)`, no number where the real part may be 0 or less."""
    low = z.real.lower()
    if not low > 0:
        return acb(arb.nan())
    middle = acb(z.real.mid(), z.imag.mid())
    centre = _at_point(middle)
    radius = (abs(z - middle)).upper()
    if radius.is_zero():
        return acb(centre)
    slope = _slope(low)
    error = (radius * slope).upper()
    return acb(centre + acb(arb(0, error), arb(0, error)))


def _at_point(z: acb) -> acb:
    r"""Return it at an exact point: far out as :math:`\\sqrt\\pi\\, U(1/2, 1, 2z)`, else with as many bits as cancel in the sum."""
    if z.real > _FAR:
        return acb((2 * z).hypgeom_u(acb(0.5), acb(1)) * acb(arb.pi()).sqrt())
    with precision(int(ctx.prec) + int(4 * float(abs(z).upper())) + 8):
        return acb(z.bessel_k(0) * z.exp())


def _slope(low: arb) -> arb:
    """Return at least e^x (K_1(x) − K_0(x)); for x ≥ 2 at most √(π/2x) · 5/(8x), by the asymptotic bounds of both."""
    if low > 2:
        return ((arb.pi() / (2 * low)).sqrt() * 5 / (8 * low)).upper()
    with precision(int(ctx.prec) + 16):
        return (low.exp() * (low.bessel_k(1) - low.bessel_k(0))).upper()


@dataclass(frozen=True, slots=True)
class NormalProduct(Law):
    """The law above, with ρ as its one parameter."""

    name: ClassVar[str] = "bessel"
    is_explicit: ClassVar[bool] = False
    is_elementary: ClassVar[bool] = False

    @property
    def breaks(self) -> tuple[Edge, ...]:
        """As :attr:`Law.breaks`."""
        return None, 0, None

    @property
    def poles(self) -> tuple[Number, ...]:
        """As :attr:`Law.poles`."""
        return (0,)

    @property
    def log_constant(self) -> arb:
        """As :attr:`Law.log_constant`."""
        rho = self.values[0]
        return (1 - rho * rho).log() / 2 - arb.pi().log()

    def log_within(self, low: Edge, high: Edge) -> Log:
        """As :attr:`Law.log_within`."""
        sign, rho, constant = (-1 if is_left_of(high, 0) else 1), self.values[0], self.log_constant
        return lambda z, analytic: scaled_bessel(sign * z).log(analytic=analytic) + z * (rho - sign) + constant

    def near(self, side: int) -> Near:
        """As :attr:`Law.near`, for the positive half (−1) and the negative one (1)."""
        rho, constant = self.values[0], self.log_constant
        slope = -side * rho - 1
        return lambda d, _, analytic: scaled_bessel(d).log(analytic=analytic) + d * slope + constant

    def exponent(self, side: int) -> Number:
        """As :attr:`Law.exponent`."""
        return _HALF

    def factor(self, side: int, within: arb | None = None) -> arb:
        """As :attr:`Law.factor`."""
        del within
        return (self.log_constant + (arb.pi() / 2).log() / 2 + arb(_HALF.numerator) / 2).exp().upper()

    def logs_beside(self, side: int) -> tuple[arb, arb, arb]:
        """As :attr:`Law.logs_beside`: K_0(d) is between K_0(1/2) > 0.9 and √(π/2d)."""
        return abs(self.log_constant) + 2, arb(1) / 2, arb(0)

    def growth(self, far: arb) -> tuple[arb, arb, arb]:
        """As :attr:`Law.growth`."""
        return abs(self.log_constant) + 1, (1 + abs(self.values[0])) / far, arb(1) / 2

    @property
    def largest(self) -> arb:
        """As :attr:`Law.largest`."""
        return arb.pos_inf()

    def probability(self, low: Edge, high: Edge) -> arb:
        """As :attr:`Law.probability`, of half lines and the line."""
        positive = arb(1) / 2 + self.values[0].asin() / arb.pi()
        match low, high:
            case None, None:
                return arb(1)
            case 0, None:
                return positive
            case None, 0:
                return 1 - positive
            case _:
                raise Beyond("a part of a product of normal variables")

    def above(self, t: arb) -> arb:
        """As :attr:`Law.above`."""
        raise Beyond("a part of a product of normal variables")

    def moment(self, order: int) -> arb:
        """As :attr:`Law.moment`."""
        raise Beyond("a moment of a law that is taken from its factors")

    def moment_within(self, order: int, low: Edge, high: Edge) -> arb:
        """As :attr:`Law.moment_within`."""
        return self.probability(low, high) if order == 0 else self.moment(order)

    def reach(self, bits: int) -> arb:
        """As :attr:`Law.reach`."""
        return (arb(bits) * arb(2).log() / (1 - abs(self.values[0]))).upper()

    def _tail(self, far: arb, side: int) -> tuple[arb, arb]:
        """Return height and rate with f ≤ height · e^(−rate (z − far)) beyond."""
        rate = 1 - side * self.values[0]
        if not far > 0:
            raise Beyond("a tail that begins too near")
        return ((self.log_constant + (arb.pi() / (2 * far)).log() / 2 - rate * far).exp()).upper(), rate.lower()

    def beyond(self, side: int, t: arb) -> arb:
        """As :attr:`Law.beyond`."""
        height, rate = self._tail(side * t, side)
        return (height / rate).upper()

    def second_beyond(self, side: int, far: arb) -> arb:
        """As :attr:`Law.second_beyond`."""
        height, rate = self._tail(far, side)
        return (height * (far * far / rate + 2 * far / rate**2 + 2 / rate**3)).upper()

    def tail_entropy(self, side: int, t: arb, times: arb) -> arb:
        """As :attr:`Law.tail_entropy`."""
        height, rate = self._tail(side * t, side)
        height = (height * times).upper()
        if not height < (-arb(1)).exp():
            raise Beyond("a tail that begins too near")
        return (height / rate * (1 - height.log())).upper()


def square_law(variance: Number) -> tuple[Number, Law]:
    """Return scale and law of the square of a centred normal variable: 2v times a gamma variable of shape 1/2."""
    return exact.mul(2, variance), Gamma((_HALF,))


def form_law(trace: Number, determinant: Number) -> tuple[Number, Law]:
    r"""Return scale and law of a quadratic form in two independent normal variables of variance 1, by its trace and determinant.

    With eigenvalues of both signs it is a product; with a double one exponential; with one that is 0 a square.

    Raises:
        Beyond: for two different eigenvalues of one sign.
    """
    sign = exact.sign(determinant)
    if sign == 0:
        return square_law(trace)
    gap = exact.sub(exact.mul(trace, trace), exact.mul(4, determinant))
    if gap == 0:
        return trace, Exponential()
    if sign > 0:
        raise Beyond("a sum of squares of different variances")
    size = exact.sqrt_(gap)
    rho = exact.div(trace, size)
    scale = exact.mul(size, exact.sub(1, exact.mul(rho, rho)))
    return scale, NormalProduct(parameters=(rho,))
