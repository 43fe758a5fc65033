r"""What each discrete distribution is in a state: its support and the probability of each value, in any ring.

Probabilities are sums and products of the ring's own numbers, so a program's parameters may stay symbolic. Of an infinite support
a window is enumerated (:mod:`seepage.laws.windows`), over balls only.

A draw from a law with a density counts by the cells between some places, with their chances.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from math import lcm
from typing import Generic, Protocol, TypeVar, assert_never, cast

from flint import arb, fmpq

from seepage import exact
from seepage.data_classes import dataclass
from seepage.diagnostics import Diagnostic, Fault
from seepage.distributions.arguments import bind
from seepage.distributions.parameters import Place
from seepage.distributions.rational import RationalLaw, rational_window
from seepage.distributions.told import Told
from seepage.exact import Irrational, Number, precision, show_count
from seepage.laws.discrete import FiniteLaw, UnboundedLaw, Weights
from seepage.laws.draws import number
from seepage.laws.forms import Beyond
from seepage.laws.infinite import Infinite, window
from seepage.laws.law import Edge, Law
from seepage.laws.table import DISCRETE_LAWS, draw_of
from seepage.laws.windows import Remainder, TooWide, Window, unknown_remainder
from seepage.rules import BUDGET_EXCEEDED, NOT_SUPPORTED
from seepage.semantics import signatures
from seepage.semantics.closed_forms import expression_of
from seepage.semantics.evaluate import names_of
from seepage.source import Span
from seepage.syntax import tree
from seepage.syntax.tree import Distribution, Expression, Family

_GUARD = 32  # bits


@dataclass(frozen=True, slots=True)
class _Cells:
    """_Cells of a source that has a law.

    Attributes:
        law: None where the draw is one point.
        numbers: of the cells with the chances: 2 k of that above k places, 2 k − 1 of the k-th place itself.
        ends: of the source's cells, ascending, the infinite ones among them.
    """

    law: Law | None
    numbers: tuple[int, ...]
    ends: tuple[Edge, ...]

    @staticmethod
    def of(law: str, values: Mapping[str, Number], places: Sequence[Number]) -> _Cells:
        """Cut a law.

        Args:
            law: its name.
            values: of its parameters.
            places: at which it is cut, ascending.

        Raises:
            Beyond: where a scale or shape is not positive.
        """
        draw = draw_of(law, values)
        location = number(draw.location)
        if draw.law is None:
            below = sum(exact.compare(place, location) < 0 for place in places)
            is_place = below < len(places) and exact.compare(places[below], location) == 0
            return _Cells(None, (2 * below + is_place,), (None, None))
        side = exact.sign(draw.scale)
        if side == 0:
            raise Beyond("a scale that is 0")
        ends = [exact.div(exact.sub(place, location), draw.scale) for place in places]
        numbers = tuple(range(0, 2 * len(places) + 1, 2))
        if side < 0:
            return _Cells(draw.law, numbers[::-1], (None, *reversed(ends), None))
        return _Cells(draw.law, numbers, (None, *ends, None))

    def exact(self) -> list[Fraction] | None:
        """Return the chances where they are rational; None where that is not known."""
        if self.law is None:
            return [Fraction(1)]
        above = [self.law.rational_above(end) for end in self.ends[1:-1] if end is not None]
        known = [each for each in above if each is not None]
        if len(known) < len(above):
            return None
        return [one - other for one, other in pairwise((Fraction(1), *known, Fraction(0)))]

    def balls(self, bits: int) -> list[arb]:
        """Return the chances.

        Args:
            bits: of precision; a chance beside a much larger one has fewer that tell.
        """
        with precision(bits + _GUARD):
            law = self.law
            return [arb(1)] if law is None else [law.probability(low, high) for low, high in pairwise(self.ends)]


C = TypeVar("C")


class Ring(Weights[C], Protocol[C]):
    """Where weights live: they can be read from expressions."""

    def probability(self, expression: Expression, state: Mapping[str, Number]) -> C:
        """Return the value of an expression in a state as a weight; raise ``Fault`` if it is undefined or not in [0, 1]."""
        ...

    def reals(self, compute: Callable[[int], Sequence[arb]]) -> Sequence[C]:
        """Return real numbers, computed for a number of bits, as weights; rings without irrational numbers raise."""
        ...


@dataclass(frozen=True, slots=True)
class Drawn(Generic[C]):
    """What a distribution is in a state.

    Attributes:
        entries: values, each once, with their probabilities; none is 0.
        windows: of each part with infinite support, with an upper bound of the part's weight in the distribution.
    """

    entries: tuple[tuple[Number, C], ...]
    windows: tuple[tuple[arb, Window], ...] = ()


def draw(distribution: Distribution, place: Place, ring: Ring[C], limit: int, tail_bits: int | None) -> Drawn[C]:
    """Return the values of a discrete distribution in a state; of infinite supports all but a mass of at most 2^−tail_bits.

    Args:
        distribution: with absolute spans.
        place: the state.
        ring: of the probabilities.
        limit: on the number of values.
        tail_bits: at least 2; None where infinite supports are not to be cut.

    Raises:
        Fault: as :func:`support`, but for infinite supports only if their window has more values than ``limit``.
    """
    windows: list[tuple[C, Window]] = []
    cutting = None if tail_bits is None else _Cutting(tail_bits, windows, ring.one)
    entries = _merged(_values(distribution, place, ring, limit, cutting), ring)
    # Rings that hold real numbers hold them as balls, or beside balls as rationals.
    return Drawn(entries, tuple((arb(cast("arb | fmpq", weight)).upper(), each) for weight, each in windows))


def support(distribution: Distribution, place: Place, ring: Ring[C], limit: int) -> tuple[tuple[Number, C], ...]:
    """Return the values of a finite discrete distribution in a state, each once, with their probabilities; none is 0.

    Args:
        distribution: with absolute spans.
        place: the state.
        ring: of the probabilities.
        limit: on the number of values.

    Raises:
        Fault: parameter out of range, probabilities that do not sum to 1, more values than ``limit``, infinite support or continuous law.
    """
    return _merged(_values(distribution, place, ring, limit, None), ring)


@dataclass(frozen=True, slots=True)
class _Cutting(Generic[C]):
    """Where infinite supports are cut, the list of windows to add to, and the weight of the part that is drawn from."""

    tail_bits: int
    windows: list[tuple[C, Window]]
    weight: C


def _merged(values: Iterator[tuple[Number, C]], ring: Weights[C]) -> tuple[tuple[Number, C], ...]:
    masses: dict[Number, C] = {}
    for value, weight in values:
        if not ring.is_zero(weight):
            masses[value] = ring.add(masses[value], weight) if value in masses else weight
    return tuple(masses.items())


def _probability(expression: Expression, place: Place, ring: Ring[C]) -> C:
    return ring.probability(place.resolved(expression), place.values)


def _values(
    distribution: Distribution, place: Place, ring: Ring[C], limit: int, cutting: _Cutting[C] | None
) -> Iterator[tuple[Number, C]]:
    match distribution:
        case tree.Table(entries=entries, span=span):
            for position, weight in _weighted(tuple(weight for _, weight in entries), place, ring, span):
                yield place.value(entries[position][0]), weight
        case tree.Mixture(parts=parts, span=span):
            for position, weight in _weighted(tuple(weight for weight, _ in parts), place, ring, span):
                within = cutting and replace(cutting, weight=ring.multiply(cutting.weight, weight))
                for value, inner in _merged(_values(parts[position][1], place, ring, limit, within), ring):
                    yield value, ring.multiply(weight, inner)
        case tree.Within():
            yield from _within(distribution, place, ring)
        case tree.Family():
            yield from _family(distribution, place, ring, limit, cutting)
        case tree.Rows(draw=rows, span=span):
            weights = rows.weights.tolist()
            if len(weights) > limit:
                message = f"'{rows.name}' has {len(weights):,} different rows here, the limit is {limit:,} values"
                raise Fault(Diagnostic(BUDGET_EXCEEDED, span, message))
            for row, weight in enumerate(weights):
                yield row, ring.rational(weight, rows.total)
        case _:
            assert_never(distribution)


def _weighted(weights: tuple[Expression, ...], place: Place, ring: Ring[C], span: Span) -> list[tuple[int, C]]:
    """Return the positions that have positive probability; what stands at the others is not even evaluated."""
    if (shares := _written_shares(weights)) is not None:
        numerators, denominator = shares
        return [(position, ring.rational(share, denominator)) for position, share in enumerate(numerators) if share]
    masses = [_probability(weight, place, ring) for weight in weights]
    place.check_sum(weights, span)
    return [(position, mass) for position, mass in enumerate(masses) if not ring.is_zero(mass)]


def _written_shares(weights: tuple[Expression, ...]) -> tuple[list[int], int] | None:
    """Return written-out probabilities over one denominator; None if some are computed, or they are none: then it is said which."""
    values = [weight.value for weight in weights if isinstance(weight, tree.Number)]
    rational = [value for value in values if not isinstance(value, Irrational)]
    if len(rational) < len(weights):
        return None
    denominator = lcm(*[value.denominator for value in rational])
    shares = [value.numerator * (denominator // value.denominator) for value in rational]
    return (shares, denominator) if min(shares) >= 0 and sum(shares) == denominator else None


@dataclass(frozen=True, slots=True)
class Reading(Told, Generic[C]):
    """The same with weights of a ring: :class:`seepage.laws.discrete.Given`."""

    family: Family
    arguments: tuple[Expression, ...]
    ring: Ring[C]
    limit: int

    @property
    def repeated(self) -> int:
        """As :attr:`Given.repeated`."""
        return len(self.arguments)

    def chance(self, name: str) -> Number:
        """As :meth:`Arguments.chance`."""
        self.probability(name)
        return self.number(name)

    def probability(self, name: str) -> C:
        """As :meth:`Given.probability`."""
        return _probability(self.named[name], self.place, self.ring)

    def weight(self, chance: Number) -> C:
        """As :meth:`Given.weight`."""
        return self.ring.probability(expression_of(chance), {})

    def shares(self) -> list[tuple[int, C]]:
        """As :meth:`Given.shares`."""
        return _weighted(self.arguments, self.place, self.ring, self.family.span)

    def need(self, size: int) -> None:
        """As :meth:`Given.need`."""
        if size > self.limit:
            message = f"'{self.family.name}' has {show_count(size)} values here, the limit is {self.limit:,} states"
            notes = ("a smaller range, or asking for what depends on fewer values, would help",)
            raise Fault(Diagnostic(BUDGET_EXCEEDED, self.family.span, message, notes=notes))


def _family(
    family: Family, place: Place, ring: Ring[C], limit: int, cutting: _Cutting[C] | None
) -> Iterator[tuple[Number, C]]:
    bound = bind(family)
    given = Reading(bound.named, place, family, bound.repeated, ring, limit)
    match DISCRETE_LAWS.get(family.name):
        case FiniteLaw(word=word, masses=masses):
            arguments = given.arguments
            for value, weight in masses(given):
                yield place.value(arguments[value]) if word.values is None else value, weight
        case law:
            parts = given.arguments or tuple(given.named.values())
            if any(name in place.unknown for expression in parts for name in names_of(expression)):
                message = f"the probabilities of '{family.name}' are no polynomials in a parameter without a value"
                raise Fault(Diagnostic(NOT_SUPPORTED, family.span, message))
            if family.name in signatures.CUT_LAWS:
                yield from _cells(given)
                return
            made = law.member(given) if isinstance(law, UnboundedLaw) else _unnamed(given)
            yield from _infinite(family, made, ring, limit, cutting)


def _cells(given: Reading[C]) -> Iterator[tuple[Number, C]]:
    """Yield the cells of a law with a density that have a chance, with these."""
    law, called = signatures.CUT_LAWS[given.family.name]
    values = [given.place.value(argument) for argument in given.arguments]
    try:
        cut = _Cells.of(law, dict(zip(called, values, strict=False)), values[len(called) :])
    except Beyond as beyond:
        raise Fault(Diagnostic(NOT_SUPPORTED, given.family.span, beyond.reason)) from beyond
    exact, ring = cut.exact(), given.ring
    chances = ring.reals(cut.balls) if exact is None else [ring.rational(*each.as_integer_ratio()) for each in exact]
    yield from zip(cut.numbers, chances, strict=True)


def _infinite(
    family: Family,
    law: Infinite | RationalLaw | Remainder | int,
    ring: Ring[C],
    limit: int,
    cutting: _Cutting[C] | None,
) -> Iterator[tuple[Number, C]]:
    """Yield the window of a law with infinite support, or the point that a degenerate member of its family is."""
    if isinstance(law, int):
        yield law, ring.one
        return
    if cutting is None:
        message = f"'{family.name}' has infinitely many values, and all of them would have to be followed here, which is not supported yet"
        raise Fault(Diagnostic(NOT_SUPPORTED, family.span, message))
    found: list[Window] = []

    def compute(bits: int) -> Sequence[arb]:
        match law:
            case Infinite():
                found.append(window(law, bits, cutting.tail_bits, limit))
            case RationalLaw():
                found.append(rational_window(law, bits, cutting.tail_bits, limit))
            case Remainder():
                found.append(unknown_remainder(law, bits))
        return found[-1].masses

    try:
        masses = ring.reals(compute)
    except TooWide as wide:
        raise _too_wide(family, wide, limit, cutting.tail_bits) from wide
    for each in found:
        cutting.windows.append((cutting.weight, each))
        yield from ((each.first + position, mass) for position, mass in enumerate(masses))


def _within(family: tree.Within, place: Place, ring: Ring[C]) -> Iterator[tuple[Number, C]]:
    """Yield the values of a part of an infinite support, with weights of at most 1 in proportion to their probabilities."""
    law = infinite_law(family, place, ring)
    if isinstance(law, int):
        if family.low <= law <= family.high:
            yield law, ring.one
        return
    for value in range(family.low, family.high + 1):
        share = law.in_proportion(value, family.low, family.high)
        yield value, ring.probability(expression_of(share), {})


def infinite_law(family: Family, place: Place, ring: Ring[C]) -> Infinite | int:
    """Return the law of a family with infinite support in a state, or the only value that it has.

    Args:
        family: of a law that is named so.
        place: the state.
        ring: in which its probabilities must be.

    Raises:
        Fault: parameter out of range.
    """
    law = DISCRETE_LAWS[family.name]
    assert isinstance(law, UnboundedLaw)
    bound = bind(family)
    return law.member(Reading(bound.named, place, family, bound.repeated, ring, 0))


def _unnamed(given: Reading[C]) -> RationalLaw | Remainder:
    """Return a law that no text names."""
    arguments, place, family = given.named, given.place, given.family
    match family.name:
        case signatures.ROUNDS:
            return _rational_law(given.arguments, place)
        case signatures.REMAINDER:
            known = (arguments[order] for order in signatures.MOMENTS if order in arguments)
            return Remainder(place.value(arguments["p"]), tuple(place.value(each) for each in known))
        case _:
            raise Fault(Diagnostic(NOT_SUPPORTED, family.span, f"'{family.name}' is no discrete distribution"))


def _rational_law(parts: Sequence[Expression], place: Place) -> RationalLaw:
    """Return the law of a count, of which the generating function is written out: how many coefficients are above, these, and those below."""
    above, *values = (place.value(each) for each in parts)
    assert isinstance(above, int)
    return RationalLaw(tuple(values[:above]), tuple(values[above:]))


def _too_wide(family: Family, wide: TooWide, limit: int, tail_bits: int) -> Fault:
    needed = f"about {wide.needed:,}" if wide.needed < 10**15 else "more than 10^15"
    message = (
        f"'{family.name}' needs {needed} values here to leave out less than 2^-{tail_bits}, "
        f"the limit is {limit:,} states"
    )
    notes = ("a law that is less spread out, or a continuous one of the same mean and variance, would help",)
    return Fault(Diagnostic(BUDGET_EXCEEDED, family.span, message, notes=notes))
