r"""What each discrete distribution is in a state: its support and the probability of each value, in any ring.

Probabilities are sums and products of the ring's own numbers, so a program's parameters may stay symbolic. Infinite supports
are not enumerated here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import comb
from typing import Protocol, TypeVar, assert_never

from seepage.diagnostics import Diagnostic, Fault
from seepage.distributions.arguments import bind
from seepage.distributions.parameters import Place
from seepage.exact import Number
from seepage.rules import BUDGET_EXCEEDED, NOT_SUPPORTED
from seepage.source import Span
from seepage.syntax import tree
from seepage.syntax.tree import Distribution, Expression, Family

C = TypeVar("C")


class Weights(Protocol[C]):
    """The part of a ring that probabilities need; see ``Ring`` in :mod:`seepage.engines.outcome`."""

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
        """Tell whether a is known to be 0."""
        ...


class Probabilities(Weights[C], Protocol[C]):
    """Weights that can be read from expressions."""

    def probability(self, expression: Expression, state: dict[str, Number]) -> C:
        """Return the value of a probability."""
        ...


def support(
    distribution: Distribution, place: Place, ring: Probabilities[C], limit: int
) -> tuple[tuple[Number, C], ...]:
    """Return the values of a finite discrete distribution in a state, each once, with their probabilities; none is 0.

    Args:
        distribution: with absolute spans.
        place: the state.
        ring: of the probabilities.
        limit: on the number of values.

    Raises:
        Fault: parameter out of range, probabilities that do not sum to 1, more values than ``limit``, infinite support or continuous law.
    """
    masses: dict[Number, C] = {}
    for value, weight in _values(distribution, place, ring, limit):
        if not ring.is_zero(weight):
            masses[value] = ring.add(masses[value], weight) if value in masses else weight
    return tuple(masses.items())


def _probability(expression: Expression, place: Place, ring: Probabilities[C]) -> C:
    return ring.probability(place.resolved(expression), dict(place.values))


def _values(distribution: Distribution, place: Place, ring: Probabilities[C], limit: int) -> Iterator[tuple[Number, C]]:
    match distribution:
        case tree.Table(entries=entries, span=span):
            for position, weight in _weighted(tuple(weight for _, weight in entries), place, ring, span):
                yield place.value(entries[position][0]), weight
        case tree.Mixture(parts=parts, span=span):
            for position, weight in _weighted(tuple(weight for weight, _ in parts), place, ring, span):
                for value, inner in support(parts[position][1], place, ring, limit):
                    yield value, ring.multiply(weight, inner)
        case tree.Family():
            yield from _family(distribution, place, ring, limit)
        case _:
            assert_never(distribution)


def _weighted(weights: tuple[Expression, ...], place: Place, ring: Probabilities[C], span: Span) -> list[tuple[int, C]]:
    """Return the positions that have positive probability; what stands at the others is not even evaluated."""
    masses = [_probability(weight, place, ring) for weight in weights]
    place.check_sum(weights, span)
    return [(position, mass) for position, mass in enumerate(masses) if not ring.is_zero(mass)]


def _family(family: Family, place: Place, ring: Probabilities[C], limit: int) -> Iterator[tuple[Number, C]]:
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
            yield from _infinite(family, arguments, place, ring)


def _limited(size: int, limit: int, family: Family) -> None:
    if size > limit:
        message = f"'{family.name}' has {size:,} values here, the limit is {limit:,} states"
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
        raise place.invalid(marked, success, f"the number of marked ones must be at most the population {total}")
    if draws > total:
        raise place.invalid(drawn, draws, f"the number of draws must be at most the population {total}")
    low, high = max(0, draws - (total - success)), min(draws, success)
    _limited(high - low + 1, limit, family)
    ways = comb(total, draws)
    for k in range(low, high + 1):
        yield k, ring.rational(comb(success, k) * comb(total - success, draws - k), ways)


def _infinite(
    family: Family, arguments: Mapping[str, Expression], place: Place, ring: Probabilities[C]
) -> Iterator[tuple[Number, C]]:
    """Yield the degenerate members of families with infinite support."""
    if family.name == "poisson" and place.at_least_zero(arguments["rate"], "the rate of 'poisson'") == 0:
        yield 0, ring.one
        return
    if family.name == "geometric":
        chance = _probability(arguments["p"], place, ring)
        if ring.is_zero(chance):
            raise place.invalid(arguments["p"], 0, "the success probability of 'geometric' must be positive")
        if ring.is_zero(ring.complement(chance)):
            yield 0, ring.one
            return
    message = f"'{family.name}' has infinitely many values, which no engine of this version enumerates"
    raise Fault(Diagnostic(NOT_SUPPORTED, family.span, message))
