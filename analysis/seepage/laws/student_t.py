"""Student's law about 0, of scale 1."""

from __future__ import annotations

from typing import ClassVar

from flint import acb, arb

from seepage import exact
from seepage.exact import Number
from seepage.laws.arguments import Arguments
from seepage.laws.draws import Draw, Values, positive
from seepage.laws.forms import NoMomentError
from seepage.laws.law import Chance, Edge, Law, Log
from seepage.laws.named import SCALE, NamedLaw, continuous
from seepage.laws.symmetric import Symmetric
from seepage.laws.tails import Tail
from seepage.word import Domain, Parameter


class StudentT(Symmetric):
    """``parameters`` is the degrees of freedom."""

    __slots__ = ()

    name: ClassVar[str] = "student_t"
    joins: ClassVar[bool] = True

    @staticmethod
    def draw(values: Values) -> Draw:
        """Return what a draw with degrees of freedom, a mean and a scale is."""
        return Draw(values["mean"], positive(values["scale"]), StudentT((positive(values["df"]),)))

    def joined(self, ratio: Number) -> tuple[Law, Number] | None:
        """As :meth:`Law.joined`: with one degree of freedom the law is stable, and scales add up."""
        return (self, exact.add(1, exact.abs_(ratio))) if self.parameters == (1,) else None

    @property
    def log_constant(self) -> arb:
        """As :attr:`Law.log_constant`."""
        df = self.values[0]
        return ((df + 1) / 2).lgamma() - (df / 2).lgamma() - (df * arb.pi()).log() / 2

    def log_within(self, low: Edge, high: Edge) -> Log:
        """As :meth:`Law.log_within`."""
        df, power, constant = self.values[0], -(self.values[0] + 1) / 2, self.log_constant
        return lambda z, analytic: (1 + z * z / df).log(analytic=analytic) * power + constant

    def slope_within(self, low: Edge, high: Edge, z: arb) -> arb:
        """As :meth:`Law.slope_within`."""
        df = self.values[0]
        return -(df + 1) * z / (df + z * z)

    def above_inside(self, t: arb) -> arb:
        r""":math:`\frac12 - t f(0)\,{}_2F_1(\frac12, \frac{\nu + 1}{2}; \frac32; -t^2 / \nu)` around 0, far out an incomplete beta function."""
        df = self.values[0]
        if not t * t > df:
            inner = (-t * t / df).hypgeom_2f1(arb(1) / 2, (df + 1) / 2, arb(3) / 2)
            return arb(1) / 2 - t * self.log_constant.exp() * inner
        tail = (df / (df + t * t)).beta_lower(df / 2, arb(1) / 2, regularized=1) / 2
        return tail if t > 0 else 1 - tail

    def tails_within(self, low: Edge, high: Edge) -> tuple[Chance, Chance]:
        """As :meth:`Law.tails_within`: the hypergeometric form about the middle of a ball, and around it as far as the density, at most, lets it change."""
        df, height, log_density = self.values[0], self.log_constant.exp(), self.log_within(None, None)

        def offset(z: acb, analytic: bool) -> acb:
            if analytic and not (1 + z * z / df).real > 0:
                return acb(arb.nan())  # may be beyond the branch points at ±i √df
            middle = acb(z.real.mid(), z.imag.mid())
            inner = (-middle * middle / df).hypgeom_2f1(acb(1) / 2, acb((df + 1) / 2), acb(3) / 2)
            change = (abs(z - middle) * abs(log_density(z, analytic).exp())).upper()
            return middle * height * acb(inner) + acb(arb(0, change), arb(0, change))

        return (lambda z, a: acb(1) / 2 + offset(z, a)), (lambda z, a: acb(1) / 2 - offset(z, a))

    def moment(self, order: int) -> arb:
        """As :meth:`Law.moment`."""
        if exact.compare(self.parameters[0], order) <= 0:
            raise NoMomentError(0 if order % 2 else 1)
        return arb(0) if order % 2 else 2 * self.moment_beyond(order, arb(0)) if order else arb(1)

    def moment_beyond(self, order: int, t: arb) -> arb:
        r"""As :meth:`Symmetric.moment_beyond`: with :math:`y = \nu / (\nu + z^2)` the integral is an incomplete beta function of y."""
        if exact.compare(self.parameters[0], order) <= 0:
            raise NoMomentError(1)
        df, half = self.values[0], arb(order + 1) / 2
        other = (df - order) / 2
        front = half.lgamma() + other.lgamma() - (df / 2).lgamma() - arb.pi().log() / 2 + df.log() * order / 2
        return front.exp() / 2 * (df / (df + t * t)).beta_lower(other, half, regularized=1)

    def reach(self, bits: int) -> arb:
        """As :meth:`Law.reach`."""
        df = self.values[0]
        return (df.sqrt() * (1 + (bits * arb(2).log() / df).exp())).upper()

    @property
    def tail(self) -> Tail:
        """As :attr:`Law.tail`."""
        return Tail("power", self.parameters[0])

    @property
    def is_heavy(self) -> bool:
        """As :attr:`Law.is_heavy`."""
        return True

    def growth(self, far: arb) -> tuple[arb, arb, arb]:
        """As :meth:`Law.growth`."""
        df, constant = self.values[0], abs(self.log_constant)
        return constant + (df + 1) / 2 * (1 / far**2 + 1 / df).log().max(arb(0)), arb(0), df + 1

    def log_over_power(self, v: arb, u: arb) -> arb:
        """As :meth:`Law.log_over_power`."""
        df = self.values[0]
        return self.log_constant - (df + 1) / 2 * (u * u + v * v / df).log()

    def above_power(self) -> arb:
        """As :meth:`Law.above_power`."""
        df = self.values[0]
        return (self.log_constant + df.log() * (df + 1) / 2).exp()


def _moments(given: Arguments) -> tuple[Number, Number] | None:
    df, scale = (given.positive(name, f"the parameter '{name}' of 'student_t'") for name in ("df", "scale"))
    if given.order("df", df, 2) <= 0:
        return None
    return given.number("mean"), exact.div(exact.mul(df, exact.mul(scale, scale)), exact.sub(df, 2))


LAW = NamedLaw(
    continuous(
        "student_t",
        "matched",
        "Student's t distribution, moved and stretched",
        "student_t(5, 0, 1)",
        Parameter(name="df", meaning="the degrees of freedom; the variance needs more than 2", domain=Domain.POSITIVE),
        Parameter(name="mean", meaning="the centre"),
        SCALE,
    ),
    StudentT.draw,
    lambda random, size, df, mean, scale: mean + scale * random.standard_t(df, size=size),
    moments=_moments,
)
