r"""What each discrete distribution is in a state: its support and the probability of each value, in any ring.

Probabilities are sums and products of the ring's own numbers, so a program's parameters may stay symbolic. Of an infinite support
a window is enumerated (:mod:`seepage.distributions.infinite`), over balls only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import comb, factorial, lcm
from typing import Generic, Protocol, TypeVar, assert_never, cast

from flint import arb, fmpq

from seepage.diagnostics import Diagnostic, Fault
from seepage.distributions.arguments import bind
from seepage.distributions.infinite import InfiniteLaw, Remainder, TooWide, Window, unknown_remainder, window
from seepage.distributions.parameters import Place
from seepage.distributions.rational import RationalLaw, rational_window
from seepage.exact import Irrational, Number, div, exp_, floor_, mul, power, show, show_count, sub
from seepage.rules import BUDGET_EXCEEDED, NOT_SUPPORTED
from seepage.semantics import signatures
from seepage.semantics.binding import Bound
from seepage.semantics.closed_forms import expression_of
from seepage.semantics.evaluate import names_of
from seepage.source import Span
from seepage.syntax import tree
from seepage.syntax.tree import Distribution, Expression, Family

C = TypeVar("C")


class Weights(Protocol[C]):
    """Sums and products, which is all that becomes of weights; exact rationals, balls, polynomials in the parameters, …"""

    zero: C
    one: C

    def add(self, a: C, b: C) -> C:
        """Return a + b."""
        ...

    def multiply(self, a: C, b: C) -> C:
        """Return a · b."""
        ...

    def complement(self, a: C) -> C:
        """Return 1 − a."""
        ...

    def rational(self, numerator: int, denominator: int = 1) -> C:
        """Return a rational number."""
        ...

    def is_zero(self, a: C) -> bool:
        """Tell whether a is known to be exactly 0 (such states are unreachable and dropped)."""
        ...


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


def _family(
    family: Family, place: Place, ring: Ring[C], limit: int, cutting: _Cutting[C] | None
) -> Iterator[tuple[Number, C]]:
    bound = bind(family)
    arguments = bound.named
    match family.name:
        case "bernoulli" | "flip":
            chance = _probability(arguments["p"], place, ring)
            yield 1, chance
            yield 0, ring.complement(chance)
        case "uniform_int":
            low = place.integer(arguments["a"], "the lower end of 'uniform_int'")
            high = place.integer(arguments["b"], "the upper end of 'uniform_int'")
            if high < low:
                raise place.invalid(
                    arguments["b"], high, f"the upper end of 'uniform_int' must be at least the lower end {low}"
                )
            _limited(high - low + 1, limit, family)
            each = ring.rational(1, high - low + 1)
            for value in range(low, high + 1):
                yield value, each
        case "categorical":
            yield from _weighted(bound.repeated, place, ring, family.span)
        case "uniform_of":
            each = ring.rational(1, len(bound.repeated))
            for expression in bound.repeated:
                yield place.value(expression), each
        case "binomial":
            trials = place.count(arguments["n"], "the number of trials of 'binomial'")
            _limited(trials + 1, limit, family)
            yield from _binomial(trials, _probability(arguments["p"], place, ring), ring)
        case "hypergeometric":
            yield from _hypergeometric(family, arguments["N"], arguments["K"], arguments["n"], place, ring, limit)
        case _:
            parts = bound.repeated or tuple(arguments.values())
            if any(name in place.unknown for expression in parts for name in names_of(expression)):
                message = f"the probabilities of '{family.name}' are no polynomials in a parameter without a value"
                raise Fault(Diagnostic(NOT_SUPPORTED, family.span, message))
            yield from _infinite(family, _infinite_law(family, bound, place, ring), ring, limit, cutting)


def _limited(size: int, limit: int, family: Family) -> None:
    if size > limit:
        message = f"'{family.name}' has {show_count(size)} values here, the limit is {limit:,} states"
        notes = ("a smaller range, or asking for what depends on fewer values, would help",)
        raise Fault(Diagnostic(BUDGET_EXCEEDED, family.span, message, notes=notes))


def _binomial(trials: int, chance: C, ring: Weights[C]) -> Iterator[tuple[Number, C]]:
    r""":math:`P(k) = \binom nk p^k (1-p)^{n-k}`."""
    failures = [ring.one]
    miss = ring.complement(chance)
    for _ in range(trials):
        failures.append(ring.multiply(failures[-1], miss))
    power = ring.one
    for k in range(trials + 1):
        yield k, ring.multiply(ring.rational(comb(trials, k)), ring.multiply(power, failures[trials - k]))
        power = ring.multiply(power, chance)


def _hypergeometric(
    family: Family,
    population: Expression,
    marked: Expression,
    drawn: Expression,
    place: Place,
    ring: Weights[C],
    limit: int,
) -> Iterator[tuple[Number, C]]:
    r"""Successes in n draws without replacement of N, K of them marked: :math:`\binom Kk \binom{N-K}{n-k} / \binom Nn`."""
    total = place.count(population, "the population of 'hypergeometric'")
    success = place.count(marked, "the number of marked ones of 'hypergeometric'")
    draws = place.count(drawn, "the number of draws of 'hypergeometric'")
    if success > total:
        raise place.invalid(marked, success, f"the number of marked ones must be at most the population {show(total)}")
    if draws > total:
        raise place.invalid(drawn, draws, f"the number of draws must be at most the population {show(total)}")
    low, high = max(0, draws - (total - success)), min(draws, success)
    _limited(high - low + 1, limit, family)
    ways = comb(total, draws)
    for k in range(low, high + 1):
        yield k, ring.rational(comb(success, k) * comb(total - success, draws - k), ways)


def _infinite(
    family: Family,
    law: InfiniteLaw | RationalLaw | Remainder | int,
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
            case InfiniteLaw():
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
    law = _infinite_law(family, bind(family), place, ring)
    assert isinstance(law, InfiniteLaw | int)
    if isinstance(law, int):
        if family.low <= law <= family.high:
            yield law, ring.one
        return
    for value in range(family.low, family.high + 1):
        yield value, ring.probability(expression_of(_in_proportion(law, value, family)), {})


def _in_proportion(law: InfiniteLaw, value: int, family: tree.Within) -> Number:
    """Return the probability of a value, but for a factor that all values share."""
    parameter, away = law.parameter, abs(value - law.centre)
    match law.kind:
        case "geometric":
            return power(sub(1, parameter), value)
        case "poisson":
            likely = min(max(floor_(parameter), family.low), family.high)
            return div(mul(power(parameter, value - likely), factorial(likely)), factorial(value))
        case "discrete_laplace":
            return exp_(div(-away, parameter))
        case "discrete_gaussian":
            return exp_(div(-away * away, mul(2, parameter)))


def _infinite_law(
    family: Family, bound: Bound, place: Place, ring: Ring[C]
) -> InfiniteLaw | RationalLaw | Remainder | int:
    """Return a law of one of the families with infinite support, or the only value that it has."""
    arguments = bound.named
    match family.name:
        case signatures.ROUNDS:
            return _rational_law(bound.repeated, place)
        case signatures.REMAINDER:
            known = (arguments[order] for order in signatures.MOMENTS if order in arguments)
            return Remainder(place.value(arguments["p"]), tuple(place.value(each) for each in known))
        case "geometric":
            _probability(arguments["p"], place, ring)
            chance = place.value(arguments["p"])
            if place.order(arguments["p"], chance, 0) == 0:
                raise place.invalid(arguments["p"], 0, "the success probability of 'geometric' must be positive")
            return 0 if place.order(arguments["p"], chance, 1) == 0 else InfiniteLaw("geometric", chance)
        case "poisson":
            rate = place.at_least_zero(arguments["rate"], "the rate of 'poisson'")
            return 0 if place.order(arguments["rate"], rate, 0) == 0 else InfiniteLaw("poisson", rate)
        case "discrete_laplace":
            scale = place.positive(arguments["scale"], "the scale of 'discrete_laplace'")
            return InfiniteLaw("discrete_laplace", scale, _centre(family, arguments, place))
        case "discrete_gaussian":
            variance = place.at_least_zero(arguments["variance"], "the variance of 'discrete_gaussian'")
            centre = _centre(family, arguments, place)
            point = place.order(arguments["variance"], variance, 0) == 0
            return centre if point else InfiniteLaw("discrete_gaussian", variance, centre)
        case _:
            message = f"'{family.name}' is no discrete distribution"
            raise Fault(Diagnostic(NOT_SUPPORTED, family.span, message))


def _rational_law(parts: Sequence[Expression], place: Place) -> RationalLaw:
    """Return the law of a count, of which the generating function is written out: how many coefficients are above, these, and those below."""
    above, *values = (place.value(each) for each in parts)
    assert isinstance(above, int)
    return RationalLaw(tuple(values[:above]), tuple(values[above:]))


def _centre(family: Family, arguments: Mapping[str, Expression], place: Place) -> int:
    if "centre" not in arguments:
        return 0
    return place.integer(arguments["centre"], f"the centre of '{family.name}'")


def _too_wide(family: Family, wide: TooWide, limit: int, tail_bits: int) -> Fault:
    needed = f"about {wide.needed:,}" if wide.needed < 10**15 else "more than 10^15"
    message = (
        f"'{family.name}' needs {needed} values here to leave out less than 2^-{tail_bits}, "
        f"the limit is {limit:,} states"
    )
    notes = ("a law that is less spread out, or a continuous one of the same mean and variance, would help",)
    return Fault(Diagnostic(BUDGET_EXCEEDED, family.span, message, notes=notes))
