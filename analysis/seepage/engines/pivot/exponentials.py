r"""Densities that are sums of exponentials between breaks: Laplace values behind comparisons with others, as the greatest of several is.

On a path a Laplace value that is compared with other Laplace values has the density :math:`\frac{1}{2b} e^{-|z|/b}` times the chance that each comparison is passed, which is
:math:`\frac12 e^{-t}`, :math:`1 - \frac12 e^{-t}`, or 1 less two such terms (:class:`~seepage.engines.pivot.windows.Shade`). Between breaks that is a sum of :math:`c\, e^{r z}` with exact
rates and closed forms c, so that integrals are closed, and densities of one law that come about in different ways are seen to be one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cmp_to_key, reduce
from itertools import pairwise
from typing import TypeAlias

from flint import arb, fmpq

from seepage import exact
from seepage.data_classes import dataclass
from seepage.deadline import is_over
from seepage.engines.pivot.densities import Piece, term_of
from seepage.engines.pivot.path import Path, parted
from seepage.engines.pivot.products import Product
from seepage.engines.pivot.segments import Placed
from seepage.engines.pivot.windows import Shade
from seepage.exact import Number, enclose
from seepage.laws.forms import Beyond, Polynomial
from seepage.laws.laplace import Laplace
from seepage.laws.law import Edge

Terms: TypeAlias = Mapping[Number, Number]
"""Σ c·exp(r·z) as c by r."""

_MOST_TERMS = 2_000


@dataclass(frozen=True, slots=True)
class Stretch:
    """What a density is between two neighbouring breaks; pairs of rate and coefficient, rates ascending."""

    low: Edge
    high: Edge
    terms: tuple[tuple[Number, Number], ...]

    def density(self, z: arb) -> arb:
        """Return the density at a point, or a ball that holds it for a ball of points."""
        return sum((enclose(c) * (enclose(r) * z).exp() for r, c in self.terms), arb(0))

    def slope(self, z: arb) -> arb:
        """Return the derivative likewise."""
        return sum((enclose(c) * enclose(r) * (enclose(r) * z).exp() for r, c in self.terms), arb(0))

    def mass(self, left: arb | None, right: arb | None) -> arb:
        """Return the integral over an interval in the stretch; None for infinite, on a side where the stretch is."""
        found = arb(0)
        for rate, coefficient in self.terms:
            ball, by = enclose(coefficient), enclose(rate)
            if exact.sign(rate) == 0:
                if left is None or right is None:
                    raise Beyond("a density that does not fall")
                found += ball * (right - left)
                continue
            if (right is None and exact.sign(rate) > 0) or (left is None and exact.sign(rate) < 0):
                raise Beyond("a density that does not fall")
            ends = [arb(0) if end is None else (by * end).exp() for end in (left, right)]
            found += ball * (ends[1] - ends[0]) / by
        return found

    def whole(self) -> Number:
        """Return the integral over all of the stretch in closed form.

        Raises:
            Beyond: if it is infinite.
        """
        found: Number = 0
        for rate, coefficient in self.terms:
            if exact.sign(rate) == 0:
                if self.low is None or self.high is None:
                    raise Beyond("a density that does not fall")
                found = exact.add(found, exact.mul(coefficient, exact.sub(self.high, self.low)))
                continue
            if (self.high is None and exact.sign(rate) > 0) or (self.low is None and exact.sign(rate) < 0):
                raise Beyond("a density that does not fall")
            at = [0 if end is None else exact.exp_(exact.mul(rate, end)) for end in (self.low, self.high)]
            found = exact.add(found, exact.div(exact.mul(coefficient, exact.sub(at[1], at[0])), rate))
        return found


@dataclass(frozen=True, slots=True)
class Exponentials:
    """A density, not normalised; equal ones have equal stretches."""

    stretches: tuple[Stretch, ...]

    @property
    def edges(self) -> tuple[Number, ...]:
        """The breaks, ascending."""
        return tuple(each.high for each in self.stretches if each.high is not None)

    def mass(self) -> Fraction | None:
        """Return the integral over the line, None where arithmetic does not find it to be rational."""
        total: Number = 0
        for each in self.stretches:
            total = exact.add(total, each.whole())
        return exact.to_fraction(total)


def exponentials_of(paths: Sequence[Path], name: str) -> Exponentials:
    """Return the density of a value that is continuous on all of some paths, with their weights.

    Raises:
        Beyond: if it is no such sum on some path, or not found in the time of the work.
    """
    return _joined([_of_path(path, name) for path in paths])


def _of_path(path: Path, name: str) -> Exponentials:
    if is_over():
        raise Beyond("no time left")
    value = path.values[name]
    if not isinstance(value, Polynomial) or not isinstance(path.weight, fmpq):
        raise Beyond("a weight that is not exact")
    if parted(path.guards or {}, value.sources)[1]:
        raise Beyond("guards on other values")
    term = term_of(path, value)
    if not isinstance(term, Piece) or not isinstance(term.law, Product | Laplace):
        raise Beyond("a density that is no sum of exponentials")
    factors = term.law.factors if isinstance(term.law, Product) else (Placed(term.law, 0, 1, term.low, term.high),)
    weight = Fraction(int(path.weight.p), int(path.weight.q))
    height = exact.div(exact.number(weight), exact.abs_(term.scale))
    placed = Placed(term.law, term.location, term.scale, term.low, term.high)
    found: list[Stretch] = []
    for low, high in pairwise(_outer(placed)):
        if not placed.covers(low, high):
            continue
        ends = [None if edge is None else placed.back(edge) for edge in (low, high)]
        inner = ends if exact.sign(term.scale) > 0 else ends[::-1]
        start: Terms = {0: height}
        terms = reduce(_product, (_factor(each, *inner) for each in factors), start)
        found.append(Stretch(low, high, _moved(terms, term.location, term.scale)))
    return Exponentials(tuple(found))


def _outer(placed: Placed) -> list[Edge]:
    return [None, *sorted(placed.breaks, key=cmp_to_key(exact.compare)), None]


def _factor(placed: Placed, low: Edge, high: Edge) -> Terms:
    """Return a factor between neighbouring breaks, as a function of z."""
    ends = [None if edge is None else placed.back(edge) for edge in (low, high)]
    begin, end = ends if exact.sign(placed.scale) > 0 else ends[::-1]
    match placed.law:
        case Shade():
            terms = _shade(placed.law, begin, end)
        case Laplace(parameters=(scale,)):
            rate = exact.div(1, scale)
            is_below = end is not None and exact.compare(end, 0) <= 0
            terms = {rate if is_below else exact.neg(rate): exact.div(rate, 2)}
        case _:
            raise Beyond("a density that is no sum of exponentials")
    return dict(_moved(terms, placed.location, placed.scale))


def _shade(shade: Shade, low: Edge, high: Edge) -> Terms:
    """Return P(l < c z + n < u) as 1 less the chances of both sides."""
    slope, scale = shade.parameters
    rate = exact.div(slope, scale)
    found: dict[Number, Number] = {0: 1}
    for edge, side in ((shade.low, 1), (shade.high, -1)):
        if edge is None:
            continue
        # The side fails with P(n < (edge - c z)) for the lower end, P(n > edge - c z) for the upper one.
        at = exact.div(edge, scale)
        kink = exact.div(edge, slope)
        before = high is not None and exact.compare(high, kink) <= 0
        is_above = before if exact.sign(slope) > 0 else not before  # edge - c z > 0 here
        sign = -1 if is_above else 1  # of t = (edge - c z)/scale in the small term e^(sign t)/2
        small = {exact.mul(-sign, rate): exact.div(exact.exp_(exact.mul(sign, at)), 2)}
        fails_likely = is_above == (side > 0)
        lost = _sum({0: 1}, _times(small, -1)) if fails_likely else small
        found = dict(_sum(found, _times(lost, -1)))
    return found


def _moved(terms: Terms, location: Number, scale: Number) -> tuple[tuple[Number, Number], ...]:
    """Return Σ c e^(r (z − location)/scale) as a sum in z."""
    found: dict[Number, Number] = {}
    for rate, coefficient in terms.items():
        own = exact.div(rate, scale)
        by = exact.exp_(exact.neg(exact.mul(own, location)))
        found[own] = exact.add(found.get(own, 0), exact.mul(coefficient, by))
    return _sorted(found)


def _sorted(terms: Terms) -> tuple[tuple[Number, Number], ...]:
    kept = {rate: c for rate, c in terms.items() if exact.sign(c) != 0}
    return tuple((rate, kept[rate]) for rate in sorted(kept, key=cmp_to_key(exact.compare)))


def _sum(one: Terms, other: Terms) -> Terms:
    found = dict(one)
    for rate, coefficient in other.items():
        found[rate] = exact.add(found.get(rate, 0), coefficient)
    return found


def _times(terms: Terms, factor: Number) -> Terms:
    return {rate: exact.mul(c, factor) for rate, c in terms.items()}


def _product(one: Terms, other: Terms) -> Terms:
    if len(one) * len(other) > _MOST_TERMS:
        raise Beyond("too many exponentials")
    found: dict[Number, Number] = {}
    for first, a in one.items():
        for second, b in other.items():
            rate = exact.add(first, second)
            found[rate] = exact.add(found.get(rate, 0), exact.mul(a, b))
    return found


def _joined(every: Sequence[Exponentials]) -> Exponentials:
    """Return the sum of densities, without breaks at which nothing changes."""
    edges = sorted({edge for each in every for edge in _breaks(each)}, key=cmp_to_key(exact.compare))
    found: list[Stretch] = []
    for low, high in pairwise((None, *edges, None)):
        terms: Terms = {}
        for each in every:
            for stretch in each.stretches:
                if _holds(stretch, low, high):
                    terms = _sum(terms, dict(stretch.terms))
        made = Stretch(low, high, _sorted(terms))
        if found and found[-1].terms == made.terms:
            made = Stretch(found.pop().low, high, made.terms)
        found.append(made)
    return Exponentials(tuple(found))


def _breaks(law: Exponentials) -> list[Number]:
    return [edge for each in law.stretches for edge in (each.low, each.high) if edge is not None]


def _holds(stretch: Stretch, low: Edge, high: Edge) -> bool:
    above = stretch.low is None or (low is not None and exact.compare(stretch.low, low) <= 0)
    return above and (stretch.high is None or (high is not None and exact.compare(high, stretch.high) <= 0))
