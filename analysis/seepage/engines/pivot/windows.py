r"""Sources under guards that tie them to normal noise: given z, noise of variance v lets :math:`l < c z + n < u` pass with probability
:math:`\Phi((u - c z) / \sqrt v) - \Phi((l - c z) / \sqrt v)`.

With that probability as one more factor the density of z is a product (:mod:`seepage.engines.pivot.products`), whose integral is the chance of the guard.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from flint import acb, arb

from seepage import exact
from seepage.engines.pivot.forms import Beyond, Direction
from seepage.engines.pivot.laws import Edge, Law, Log, Name
from seepage.engines.pivot.products import Product, normaliser
from seepage.engines.pivot.segments import Placed
from seepage.exact import Number, enclose


def scaled_erfc(z: acb) -> acb:
    r"""Return :math:`g(z) = e^{z^2} \mathrm{erfc}(z) = \frac2{\sqrt\pi} \int_0^\infty e^{-t^2 - 2 z t} dt` for a positive real part, else no number.

    Where that is at least x, :math:`|g'(z)| \le -g'(x) = \frac2{\sqrt\pi} - 2 x g(x)`, so that balls around z stay narrow.
    """
    low = z.real.lower()
    if not low > 0:
        return acb(arb.nan())
    middle = acb(z.real.mid(), z.imag.mid())
    centre = acb(middle.erfc() * (middle * middle).exp())
    radius = abs(z - middle).upper()
    if radius.is_zero():
        return centre
    slope = (2 / arb.pi().sqrt() - 2 * low * (low.erfc() * (low * low).exp())).upper()
    error = (radius * slope).upper()
    return centre + acb(arb(0, error), arb(0, error))


def _log_above(z: acb, analytic: bool) -> acb:
    """Return log(erfc(z) / 2)."""
    if z.real > 0:
        return (scaled_erfc(z) / 2).log(analytic=analytic) - z * z
    if z.real < 0:
        return (1 - (-z * z).exp() * scaled_erfc(-z) / 2).log(analytic=analytic)
    return (z.erfc() / 2).log(analytic=analytic)


def _log_between(first: acb, second: acb, analytic: bool) -> acb:
    """Return log((erfc(a) − erfc(b)) / 2), the sum of a and b not known to be negative."""
    if not first.real > 0:
        return ((first.erfc() - second.erfc()) / 2).log(analytic=analytic)
    gap = (first - second) * (first + second)  # a² − b²
    return ((scaled_erfc(first) - gap.exp() * scaled_erfc(second)) / 2).log(analytic=analytic) - first * first


@dataclass(frozen=True, slots=True)
class Window(Law):
    """The probability above as a function of z: no density, but a factor of one; ``parameters`` are c and v."""

    name: Name = "window"
    low: Edge = None
    high: Edge = None

    def log_within(self, low: Edge, high: Edge) -> Log:
        """As :attr:`Law.log_within`."""
        slope, variance = self.values
        root = (2 * variance).sqrt()
        ends = [None if edge is None else enclose(edge) for edge in (self.low, self.high)]

        def log_chance(z: acb, analytic: bool) -> acb:
            first, second = (None if end is None else (end - slope * z) / root for end in ends)
            if first is None or (second is not None and (first + second).real < 0):
                first, second = None if second is None else -second, None if first is None else -first
            if first is None:
                return acb(0)
            return _log_above(first, analytic) if second is None else _log_between(first, second, analytic)

        return log_chance

    @property
    def largest(self) -> arb:
        """As :attr:`Law.largest`."""
        return arb(1)

    def reach(self, bits: int) -> arb:
        """As :attr:`Law.reach`: it need not fall."""
        return arb.pos_inf()

    def beyond(self, side: int, t: arb) -> arb:
        """As :attr:`Law.beyond`."""
        return arb.pos_inf()

    def moment_within(self, order: int, low: Edge, high: Edge) -> arb:
        """As :attr:`Law.moment_within`."""
        return arb.pos_inf()

    def tail_entropy(self, side: int, t: arb, times: arb) -> arb:
        """As :attr:`Law.tail_entropy`."""
        raise Beyond("a tail of no density")


@dataclass(frozen=True, slots=True)
class Passed:
    """A law of a source under guards, not normalised: ``chance`` times that of ``law`` in (low, high)."""

    chance: arb
    law: Law
    low: Edge
    high: Edge


Guards = Mapping[Direction, tuple[Edge, Edge]]


def passed(laws: tuple[Law, ...], index: int, guards: Guards, others: Iterable[int]) -> Passed:
    """Return the law of a source under guards that are all on it, each perhaps with normal noise of its own.

    Args:
        laws: of all sources.
        index: the source.
        guards: intervals of combinations of sources.
        others: sources that are asked for, too, so that they must not be in a guard.

    Raises:
        Beyond: for other guards.
    """
    law, own = laws[index], ((index, 1),)
    low, high = guards.get(own, law.ends)
    factors = [Placed(law, 0, 1, low, high)]
    seen = set(others) - {index}
    for direction, (begin, end) in guards.items():
        if direction == own:
            continue
        noise = dict(direction)
        slope = noise.pop(index, 0)
        if slope == 0 or seen & set(noise) or any(laws[i].name != "normal" for i in noise):
            raise Beyond("guards that depend on each other")
        seen |= set(noise)
        factors.append(
            Placed(Window(parameters=(slope, variance_of(laws, noise)), low=begin, high=end), 0, 1, None, None)
        )
    if len(factors) == 1:
        return Passed(arb(1), law, low, high)
    if law.name in ("product", "bessel"):
        raise Beyond("a guard on a product of densities")
    product = Product(factors=tuple(factors))
    return Passed(normaliser(product), product, *product.ends)


def chance_with_noise(law: Law, variance: Number, low: Edge, high: Edge) -> arb:
    """Return the probability that a variable plus normal noise lies in an interval."""
    window = Window(parameters=(1, variance), low=low, high=high)
    return normaliser(Product(factors=(Placed(law, 0, 1, *law.ends), Placed(window, 0, 1, None, None))))


def variance_of(laws: Sequence[Law], noise: Mapping[int, Number]) -> Number:
    """Return the variance of a combination of normal sources."""
    total: Number = 0
    for index, coefficient in noise.items():
        total = exact.add(total, exact.mul(exact.mul(coefficient, coefficient), laws[index].parameters[0]))
    return total
