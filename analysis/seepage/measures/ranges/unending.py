r"""Infinite laws in runs on polynomials, whatever their sizes are in the ranges: finitely many values, and what lies outside of them.

With :math:`q = 1 - p` and :math:`r = e^{-1/s}` the chances of a geometric, a Poisson and a discrete Laplace draw are

.. math:: (1 - q) q^k, \qquad \frac{e^{-\lambda} \lambda^k}{k!}, \qquad \frac{1 - r}{1 + r} r^{|k|},

polynomials in q, in λ and :math:`e^{-\lambda}`, in r and :math:`1 / (1 + r)`; so are those of all values from some K on, :math:`q^K`, :math:`1 - \sum_{k < K}` and
:math:`r^K / (1 + r)`. Where the values from K on make no difference (:mod:`seepage.measures.ranges.settling`) they are one value, and nothing is left out.

For the mean and the variance of what is a straight line in the draw, all else being equal, three values stand for the law, with weights of the same sum, mean and mean square.

Elsewhere the values from K on are left out. Each chance that is left out grows with the size of the law (1 − p, λ or s) if :math:`q \le K / (K + 1)`,
:math:`\lambda \le K` or :math:`2 r \le K (1 - r^2)` for the largest, as the derivatives of the chances say. The moments, inside and outside of a window, grow with it since
the laws are ordered by their likelihood ratios (Shaked, Shanthikumar 2007, "Stochastic orders", theorem 1.C.1), and the entropy does since a draw of a larger size has the law of a
smaller one plus an independent one (:mod:`seepage.measures.ranges.degrading`). So the bounds that :mod:`seepage.engines.forward.cutting` makes of the window
at the largest size hold for all.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace
from fractions import Fraction
from typing import cast

from flint import arb

from seepage import exact
from seepage.data_classes import dataclass
from seepage.distributions.arguments import bind
from seepage.engines.forward.cutting import Cutting
from seepage.engines.forward.polynomials import NoPolynomial, Polynomial, Polynomials, need_probabilities
from seepage.engines.intervals import Interval
from seepage.exact import Number, precision
from seepage.laws.infinite import Infinite, window
from seepage.laws.windows import TooWide, Window
from seepage.measures.privacy.release_reading import Noise
from seepage.measures.ranges.form import inner_of
from seepage.measures.ranges.settling import NOT_AT_ALL, STRAIGHT, dependence
from seepage.measures.ranges.unending_laws import UNENDING_LAWS, UnendingLaw
from seepage.semantics.checked import Domain
from seepage.semantics.core import CoreIf, CoreObserve, CoreProgram, CoreSample, CoreStatement
from seepage.semantics.evaluate import evaluate
from seepage.semantics.expressions import arguments_of, plain_names
from seepage.semantics.ranges import ANY, Range
from seepage.semantics.statements import walk
from seepage.semantics.substitute import is_closed
from seepage.syntax import tree
from seepage.syntax.tree import Expression

_SETTLED = 64  # values that are tried as the first that make no difference
_VALUES = 300  # of a window
_TAIL_BITS = (40, 28, 18)  # of the mass outside of a window, the first that is not too wide
_BITS = 96


class Unending(Polynomials):
    """Polynomials among whose atoms are those of infinite laws.

    Attributes:
        weights: by the names that stand for them in tables.
        noises: the laws.
        observed: whether the program has observations, so that its weights do not sum to 1 with what was left out.
    """

    def __init__(self, parameters: Sequence[str], observed: bool) -> None:
        super().__init__(parameters)
        self.weights: dict[str, Polynomial] = {}
        self.noises: list[Noise] = []
        self.observed = observed

    def probability(self, expression: Expression, state: Mapping[str, Number]) -> Polynomial:
        """Return the weight that a name stands for, or a probability as in any ring of polynomials."""
        if isinstance(expression, tree.Name) and expression.id in self.weights:
            return self.weights[expression.id]
        return super().probability(expression, state)


@dataclass(frozen=True, slots=True)
class Finite:
    """A program in which infinite laws are tables of some of their values, with the ring of its weights.

    Attributes:
        core: the program to run.
        ring: of the weights.
        whole: the program in which the laws of which some values are left out stand as they are.
        cutting: the windows of the laws of which some values are left out.
    """

    core: CoreProgram
    ring: Unending
    whole: CoreProgram
    cutting: Cutting


def finite(core: CoreProgram, asked: Sequence[str], ranges: Mapping[str, Domain], *, averaged: bool) -> Finite | None:
    """Return a (sliced and sunk) program with finite laws, None if it draws from no infinite law of which more is known.

    Args:
        core: with the parameters of the ranges as symbols.
        asked: plain variables.
        ranges: of the parameters.
        averaged: whether only the mean and the variance of what is asked for are wanted.

    Raises:
        NoPolynomial: if a parameter enters elsewhere than in probabilities and sizes, or a law is too wide, or has no law somewhere.
    """
    single = replace(core, statements=_fresh(core.statements))
    sites = [each for each in walk(single.statements) if isinstance(each, CoreSample) and _is_followed(each, core)]
    if not sites:
        return None
    observed = any(isinstance(each, CoreObserve) for each in walk(core.statements))
    builder = _Builder(single, tuple(asked), ranges, Unending(core.parameters, observed))
    settled = {id(site): table for site in sites if (table := builder.settled(site)) is not None}
    left = [site for site in sites if id(site) not in settled]
    straight = averaged and all(dependence(single, site, ANY, asked) == STRAIGHT for site in left)
    rest = {id(site): builder.averages(site) if straight else builder.window(site) for site in left}
    names = (*core.parameters, *builder.ring.weights)
    whole = replace(single, statements=_with_tables(single.statements, settled), parameters=names)
    program = replace(whole, statements=_with_tables(whole.statements, rest))
    need_probabilities(program, core.parameters)
    return Finite(program, builder.ring, whole, builder.cutting)


def _fresh(statements: Sequence[CoreStatement]) -> tuple[CoreStatement, ...]:
    """Return statements of which each sampling is an object of its own."""
    return tuple(
        replace(each, consequent=_fresh(each.consequent), alternative=_fresh(each.alternative))
        if isinstance(each, CoreIf)
        else replace(each)
        for each in statements
    )


def _with_tables(statements: Sequence[CoreStatement], tables: Mapping[int, tree.Table]) -> tuple[CoreStatement, ...]:
    return tuple(
        replace(
            each,
            consequent=_with_tables(each.consequent, tables),
            alternative=_with_tables(each.alternative, tables),
        )
        if isinstance(each, CoreIf)
        else replace(each, distribution=tables[id(each)])
        if isinstance(each, CoreSample) and id(each) in tables
        else each
        for each in statements
    )


def _is_followed(site: CoreSample, core: CoreProgram) -> bool:
    """Tell whether a law is one whose chances are polynomials, the same in every state and around a number."""
    law = site.distribution
    if not isinstance(law, tree.Family) or law.name not in UNENDING_LAWS:
        return False
    known = all(name in core.parameters for part in arguments_of(law) for name in plain_names(part))
    centre = bind(law).named.get("centre")
    return known and (centre is None or isinstance(evaluate(centre, {}) if is_closed(centre) else None, int))


@dataclass(slots=True)
class _Builder:
    core: CoreProgram
    asked: Sequence[str]
    ranges: Mapping[str, Domain]
    ring: Unending
    cutting: Cutting = field(default_factory=Cutting)

    def settled(self, site: CoreSample) -> tree.Table | None:
        """Return a law as a table of the values before those that make no difference and of one for them all, None if they are too many."""
        drawn = _read(site)

        def alike(count: int) -> bool:
            sides: list[Range] = [(drawn.centre + count, None)]
            if drawn.law.is_two_sided:
                sides.append((None, drawn.centre - count))
            return all(dependence(self.core, site, side, self.asked) == NOT_AT_ALL for side in sides)

        high = next((1 << power for power in range(_SETTLED.bit_length()) if alike(1 << power)), None)
        if high is None:
            return None
        count = next((count for count in range(high // 2 + 1, high) if alike(count)), high)
        return self._table(site, drawn.law.chances(self.ring, drawn.size, count, True))

    def averages(self, site: CoreSample) -> tree.Table:
        """Return a table of three values around a law's centre, whose weights, which may be negative, have the law's sum, mean and mean square.

        What is a straight line in the draw has its moments.
        """
        drawn = _read(site)
        mean, square = drawn.law.moments(self.ring, drawn.size)
        weights = (-1, (square - mean) / 2), (0, self.ring.one - square), (1, (square + mean) / 2)
        return self._table(site, weights)

    def window(self, site: CoreSample) -> tree.Table:
        """Return a law as a table of most of its values, whose chances do not sum to 1, and take note of the window."""
        drawn = _read(site)
        found = self._largest_window(drawn)
        self.cutting.note(site.distribution, ((arb(1), found),))
        count = found.tails[-1].first - drawn.centre
        return self._table(site, drawn.law.chances(self.ring, drawn.size, count, False))

    def _table(self, site: CoreSample, masses: Iterable[tuple[int, Polynomial]]) -> tree.Table:
        drawn = _read(site)
        number = len(self.ring.noises)
        self.ring.noises.append(Noise(drawn.law.kind, drawn.size, drawn.law.size))
        span = site.distribution.span
        entries: list[tuple[Expression, Expression]] = []
        for value, mass in masses:
            name = f"{drawn.law.kind}@{number}:{value}"
            self.ring.weights[name] = mass
            entries.append((tree.Number(Fraction(drawn.centre + value), span), tree.Name(name, span)))
        return tree.Table(tuple(entries), span)

    def _largest_window(self, drawn: _Drawn) -> Window:
        """Return the window at the largest size, whose bounds hold for all."""
        unbounded = NoPolynomial(f"the tail of '{drawn.law.kind}' is not bounded over the whole range")
        with precision(_BITS):
            size = drawn.law.largest(*extent(drawn.size, self.ranges))
            if size is None:
                raise unbounded
            found = _widest(drawn.law.law(exact.number(exact.dyadic(size)), drawn.centre))
            if not drawn.law.falls(size, arb(found.tails[-1].first - drawn.centre)):
                raise unbounded
        return found


@dataclass(frozen=True, slots=True)
class _Drawn:
    law: UnendingLaw
    size: Expression
    centre: int


def _read(site: CoreSample) -> _Drawn:
    """Return the law of a sampling."""
    family = cast("tree.Family", site.distribution)
    named, law = bind(family).named, UNENDING_LAWS[family.name]
    centre = int(cast("int", evaluate(named["centre"], {}))) if "centre" in named else 0
    return _Drawn(law, named[law.size], centre)


def _widest(law: Infinite) -> Window:
    needed = 0
    for bits in _TAIL_BITS:
        try:
            return window(law, 64, bits, _VALUES)
        except TooWide as wide:
            needed = wide.needed
    raise NoPolynomial(f"'{law.name}' would need about {needed:,} values over the whole range")


def extent(size: Expression, ranges: Mapping[str, Domain]) -> Interval:
    """Enclose an expression on whole ranges; at their ends where it is monotonous."""
    box: dict[str, Interval] = {
        name: (
            arb.neg_inf() if domain.low is None else exact.enclose(domain.low, _BITS),
            arb.pos_inf() if domain.high is None else exact.enclose(domain.high, _BITS),
        )
        for name, domain in ranges.items()
    }
    inner = inner_of(size, tuple(ranges))
    if inner is None:
        raise NoPolynomial("the size of an infinite law is no arithmetic of the parameters")
    least, greatest = dict(box), dict(box)
    for name, (low, high) in box.items():
        slope = inner.slope(name, box)
        if slope[0] >= 0 or slope[1] <= 0:
            first, last = (low, high) if slope[0] >= 0 else (high, low)
            least[name] = (first, first) if first.is_finite() else box[name]
            greatest[name] = (last, last) if last.is_finite() else box[name]
    return inner.range(least)[0], inner.range(greatest)[1]
