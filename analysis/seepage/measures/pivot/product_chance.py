r"""The chance that a product of two independent variables, each with a constant added, exceeds a number: :math:`p x y + q x + r y > c`.

Given x it is that of y beyond :math:`\frac{c - q x}{p x + r}`, on the side that the sign of p x + r tells: an integral over a line, between breaks of the law of x, the
zero of p x + r, and the places at which that place meets a break of the law of y. Beside the zero, where the place runs to infinity, a chance is between 0 and 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from flint import acb, arb

from seepage import exact
from seepage.data_classes import dataclass
from seepage.engines.pivot.cumulative import tails_within
from seepage.engines.pivot.densities import apart, weight_of
from seepage.engines.pivot.path import Path
from seepage.engines.pivot.segments import Placed
from seepage.exact import Number, enclose
from seepage.laws.forms import Beyond, Monomial, Polynomial, terms_of
from seepage.laws.law import Chance, Edge
from seepage.measures.pivot.of_sum_integrals import line_of, mean_over

_CHEAP = ("uniform", "exponential", "laplace", "triangular", "normal")
"""Laws with the shortest distribution functions: those are evaluated at each place of the others."""


@dataclass(frozen=True, slots=True)
class _Beyond:
    """The event ``p x y + q x + r y > c``: x with a law in an interval, y with a whole one."""

    x: Placed
    y: Placed
    p: Number
    q: Number
    r: Number
    c: Number

    @property
    def zero(self) -> Number:
        """Where p x + r is 0."""
        return exact.neg(exact.div(self.r, self.p))

    def place(self, x: Edge) -> Edge:
        """Return the y beyond which the event is, or before, given x, or as x tends there: None where that is infinite."""
        if x is None:
            return exact.neg(exact.div(self.q, self.p))
        below = exact.add(exact.mul(self.p, x), self.r)
        above = exact.sub(self.c, exact.mul(self.q, x))
        if exact.sign(below) == 0:
            return None if exact.sign(above) else exact.neg(exact.div(self.q, self.p))
        return exact.div(above, below)

    def meeting(self, y: Number) -> Number | None:
        """Return the x at which a place of y is met."""
        slope = exact.add(exact.mul(self.p, y), self.q)
        return None if exact.sign(slope) == 0 else exact.div(exact.sub(self.c, exact.mul(self.r, y)), slope)

    def chance(self) -> arb:
        """Enclose the chance of the event and of the interval of x."""
        met = [self.zero, *(x for edge in self.y.breaks if (x := self.meeting(edge)) is not None), *self.x.breaks]
        found = arb(0)
        for low, high in pairwise(line_of(*self.x.ends, met)):
            found += mean_over(self.x, (low, high), [(arb(1), self._given(low, high))], lambda chance, _: chance)
        return found

    def _given(self, low: Edge, high: Edge) -> Chance:
        """Return the chance given x, in an interval without breaks inside."""
        places = self.place(low), self.place(high)
        falling = exact.add(exact.mul(self.q, self.r), exact.mul(self.p, self.c))  # places fall where that is positive
        within = places if exact.sign(falling) <= 0 else places[::-1]
        behind = low is not None and exact.compare(low, self.zero) >= 0
        tail = tails_within(self.y, *within)[behind == (exact.sign(self.p) > 0)]
        p, q, r, c = (enclose(each) for each in (self.p, self.q, self.r, self.c))

        def chance(x: acb, analytic: bool) -> acb:
            place = (c - q * x) / (p * x + r)
            found = tail(place, analytic) if place.is_finite() else acb(arb.nan())
            return found if analytic or found.is_finite() else acb(arb(0.5, 0.5))

        return chance


def chance_of_product(path: Path, value: Polynomial, low: Edge, high: Edge) -> arb:
    """Enclose the chance of a path on which a value lies in an interval.

    Raises:
        Beyond: if the value is no product of two variables with constants added, or other guards tie these.
    """
    sources = sorted(value.sources, key=lambda index: path.laws[index].name in _CHEAP)
    probability, near = apart(path, value.sources)
    if len(sources) != 2:
        raise Beyond("a value that is no product of two variables")
    for first, second in (sources, sources[::-1]):
        if set(near) <= {((first, 1),)}:
            ends = near.get(((first, 1),), path.laws[first].ends)
            x = Placed(path.laws[first], 0, 1, *ends)
            y = Placed(path.laws[second], 0, 1, *path.laws[second].ends)
            p, q, r = _bilinear(terms_of(value), first, second)
            chances = [
                arb(bound) if edge is None else _Beyond(x, y, p, q, r, exact.sub(edge, value.constant)).chance()
                for edge, bound in ((low, 1), (high, 0))
            ]
            whole = x.law.probability(*ends) if low is None else chances[0]
            return weight_of(path) * probability * (whole - chances[1])
    raise Beyond("guards that depend on each other")


def _bilinear(terms: Mapping[Monomial, Number], x: int, y: int) -> tuple[Number, Number, Number]:
    """Return the coefficients of x y, x and y."""
    both = tuple(sorted(((x, 1), (y, 1))))
    if set(terms) - {(), both, ((x, 1),), ((y, 1),)} or both not in terms:
        raise Beyond("a value that is no product of two variables")
    return terms[both], terms.get(((x, 1),), 0), terms.get(((y, 1),), 0)
