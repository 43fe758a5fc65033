"""The triangular law of [0, 1] with its mode inside."""

from __future__ import annotations

from functools import reduce
from itertools import pairwise
from typing import ClassVar

from flint import arb

from seepage import exact
from seepage.exact import Number, enclose
from seepage.laws.arguments import Arguments, Known, Wrong, ordered
from seepage.laws.beta import Beta
from seepage.laws.draws import Draw, Values, number, positive
from seepage.laws.forms import Beyond, plus, times
from seepage.laws.law import Chance, Edge, Log, Near, Stretches, is_left_of, power_of
from seepage.laws.named import BETWEEN, NamedLaw, continuous
from seepage.laws.unit_interval import OnUnitInterval
from seepage.word import Parameter


class Triangular(OnUnitInterval):
    """``parameters`` is the mode."""

    __slots__ = ()

    name: ClassVar[str] = "triangular"

    @staticmethod
    def draw(values: Values) -> Draw:
        """Return what a draw between two ends with a mode is."""
        low, mode, high = (values[name] for name in ("a", "m", "b"))
        if low == high:
            return Draw(low)
        width = positive(plus(high, times(-1, low)))
        place = number(times(plus(mode, times(-1, low)), exact.div(1, width)))
        if place in (0, 1):
            return Draw(low, width, Beta((exact.add(1, place), exact.sub(2, place))))
        if exact.compare(place, 0) < 0 or exact.compare(place, 1) > 0:
            raise Beyond("a triangle with its mode outside")
        return Draw(low, width, Triangular((place,)))

    @property
    def breaks(self) -> tuple[Edge, ...]:
        """As :attr:`Law.breaks`."""
        mode = self.parameters[0]
        return (0, 1) if exact.compare(mode, 0) == 0 or exact.compare(mode, 1) == 0 else (0, mode, 1)

    @property
    def kinks(self) -> tuple[Edge, ...]:
        """As :attr:`Law.kinks`."""
        return self.breaks[1:-1]

    def log_within(self, low: Edge, high: Edge) -> Log:
        """As :meth:`Law.log_within`."""
        if is_left_of(high, self.parameters[0]):
            rising = self.near(-1)
            return lambda z, analytic: rising(z, z.log(analytic=analytic), analytic)
        falling = self.near(1)
        return lambda z, analytic: falling(1 - z, (1 - z).log(analytic=analytic), analytic)

    @property
    def largest(self) -> arb:
        """As :attr:`Law.largest`."""
        return arb(2)

    def slope_within(self, low: Edge, high: Edge, z: arb) -> arb:
        """As :meth:`Law.slope_within`."""
        return 1 / z if is_left_of(high, self.parameters[0]) else -1 / (1 - z)

    # --- beside the ends ----------------------------------------------------------------------------------------------

    def near(self, side: int) -> Near:
        """As :meth:`Law.near`."""
        slope = self._log_slope(side)
        return lambda _, log, __: log + slope

    def _log_slope(self, side: int) -> arb:
        return (2 / self._width(side)).log()

    def _width(self, side: int) -> arb:
        """Return the distance of the mode from an end."""
        return self.values[0] if side < 0 else 1 - self.values[0]

    def is_regular(self, side: int) -> bool:
        """As :meth:`Law.is_regular`."""
        return exact.compare(self.parameters[0], 0 if side < 0 else 1) == 0

    def power_beside(self, side: int) -> Number:
        """As :meth:`Law.power_beside`."""
        return 2

    def rises_from(self, side: int, within: arb) -> bool:
        """As :meth:`Law.rises_from`."""
        return bool(within < self._width(side))

    def logs_beside(self, side: int) -> tuple[arb, arb, arb]:
        """As :meth:`Law.logs_beside`."""
        return abs(self._log_slope(side)), arb(1), arb(0)

    # --- probabilities and moments ------------------------------------------------------------------------------------

    def above_inside(self, t: arb) -> arb:
        """As :meth:`Law.above_inside`."""
        mode = self.values[0]
        parts: list[arb] = []
        if not t > mode and mode > 0:
            parts.append(1 - t * t / mode)
        if not t < mode and mode < 1:
            parts.append((1 - t) * (1 - t) / (1 - mode))
        return reduce(arb.union, parts)

    def tails_within(self, low: Edge, high: Edge) -> tuple[Chance, Chance]:
        """As :meth:`Law.tails_within`."""
        mode = self.values[0]
        if is_left_of(high, self.parameters[0]):
            return (lambda z, _: z * z / mode), (lambda z, _: 1 - z * z / mode)
        rest = 1 - mode
        return (lambda z, _: 1 - (1 - z) * (1 - z) / rest), (lambda z, _: (1 - z) * (1 - z) / rest)

    def moment_between(self, order: int, low: Edge, high: Edge) -> arb:
        """As :meth:`Law.moment_between`."""
        a, b = arb(0) if low is None else enclose(low), arb(1) if high is None else enclose(high)
        mode, total = self.values[0], arb(0)
        if exact.sign(self.parameters[0]) > 0:
            total += 2 * _power(a.min(mode), b.min(mode), order + 1) / mode
        if exact.compare(self.parameters[0], 1) < 0:
            start, end = a.max(mode), b.max(mode)
            total += 2 * (_power(start, end, order) - _power(start, end, order + 1)) / (1 - mode)
        return total

    def polynomials(self) -> Stretches:
        """As :meth:`Law.polynomials`."""
        mode = self.parameters[0]
        up, down = 2 / enclose(mode), 2 / enclose(exact.sub(1, mode))
        return [(0, mode, {0: [arb(0), up]}), (mode, 1, {0: [down, -down]})]


def _power(low: arb, high: arb, k: int) -> arb:
    """Return the integral of z^k."""
    return (power_of(high, k + 1) - power_of(low, k + 1)) / (k + 1)


def _moments(given: Arguments) -> tuple[Number, Number]:
    low, high = ordered(given, "triangular")
    middle = given.number("m")
    if given.order("m", middle, low) < 0 or given.order("m", middle, high) > 0:
        raise given.invalid("m", middle, "the mode of 'triangular' must be between its ends")
    squares = reduce(exact.add, (exact.mul(each, each) for each in (low, middle, high)))
    products = reduce(exact.add, (exact.mul(low, middle), exact.mul(low, high), exact.mul(middle, high)))
    return exact.div(reduce(exact.add, (low, middle, high)), 3), exact.div(exact.sub(squares, products), 18)


def _wrong(known: Known) -> Wrong:
    ends = [known[name] for name in ("a", "m", "b") if name in known]
    if any(exact.compare(one, other) > 0 for one, other in pairwise(ends)):
        yield "", "'triangular(a, m, b)' needs a <= m <= b"


LAW = NamedLaw(
    continuous(
        "triangular",
        "matched",
        "a number between `a` and `b`, most likely near `m`",
        "triangular(0, 1, 2)",
        Parameter(name="a", meaning="the lower end"),
        Parameter(name="m", meaning="the most likely value, between the ends"),
        Parameter(name="b", meaning="the upper end"),
        values=BETWEEN,
    ),
    Triangular.draw,
    lambda random, size, a, m, b: random.triangular(a, m, b, size=size),
    moments=_moments,
    wrong=_wrong,
)
