"""Measures by their definitions, summed over every outcome of a small joint distribution; knows nothing of Seepage."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, permutations, product
from math import exp, inf, log

Values = tuple[int, ...]
Law = dict[tuple[Values, Values], Fraction]  # of (x, y)


@dataclass(frozen=True)
class Pair:
    """A secret with a prior and a channel to an output; both are numbered from 0."""

    prior: Sequence[Fraction]
    rows: Sequence[Sequence[Fraction]]


def independent(pairs: Sequence[Pair]) -> Law:
    """Return the joint law of independent pairs: x is the tuple of secrets, y that of outputs."""
    law: Law = {}
    sizes = [range(len(pair.prior)) for pair in pairs]
    for x in product(*sizes):
        for y in product(*(range(len(pair.rows[0])) for pair in pairs)):
            mass = Fraction(1)
            for pair, a, b in zip(pairs, x, y, strict=True):
                mass *= pair.prior[a] * pair.rows[a][b]
            if mass:
                law[x, y] = mass
    return law


def of_one_secret(prior: Sequence[Fraction], channels: Sequence[Sequence[Sequence[Fraction]]]) -> Law:
    """Return the joint law of one secret and outputs that are independent given it."""
    law: Law = {}
    for a, chance in enumerate(prior):
        for y in product(*(range(len(rows[0])) for rows in channels)):
            mass = chance
            for rows, b in zip(channels, y, strict=True):
                mass *= rows[a][b]
            if mass:
                law[(a,), y] = mass
    return law


def marginal(law: Law, side: int) -> dict[Values, Fraction]:
    """Return the law of x (side 0) or of y (side 1)."""
    found: dict[Values, Fraction] = {}
    for key, mass in law.items():
        found[key[side]] = found.get(key[side], Fraction(0)) + mass
    return found


def entropy(masses: Iterable[Fraction]) -> float:
    """Return the entropy in bits."""
    return -sum(float(mass) * log(mass) / log(2) for mass in masses if mass)


def information(law: Law) -> float:
    """Return I(x; y) in bits."""
    return entropy(marginal(law, 0).values()) + entropy(marginal(law, 1).values()) - entropy(law.values())


def columns(law: Law) -> Iterator[dict[Values, Fraction]]:
    """Yield for each y the masses of x with it."""
    for y in marginal(law, 1):
        yield {x: mass for (x, seen), mass in law.items() if seen == y}


def within(law: Law, tries: int) -> Fraction:
    """Return the chance to guess x within some tries after y is seen."""
    return sum(
        (sum(sorted(column.values(), reverse=True)[:tries], Fraction(0)) for column in columns(law)), Fraction(0)
    )


def guesses(law: Law) -> Fraction:
    """Return the expected number of guesses of x after y is seen."""
    ordered = (sorted(column.values(), reverse=True) for column in columns(law))
    return sum((rank * mass for masses in ordered for rank, mass in enumerate(masses, 1)), Fraction(0))


def blind(law: Law) -> Law:
    """Return the law with nothing seen."""
    return {(x, ()): mass for x, mass in marginal(law, 0).items()}


def channel(law: Law) -> dict[Values, dict[Values, Fraction]]:
    """Return the chances of each y given each x."""
    prior = marginal(law, 0)
    rows: dict[Values, dict[Values, Fraction]] = {x: {} for x in prior}
    for (x, y), mass in law.items():
        rows[x][y] = mass / prior[x]
    return rows


def min_capacity(law: Law) -> Fraction:
    """Return the sum over y of the greatest chance of y given any x: 2 to the power of Cmin."""
    rows = channel(law).values()
    return sum((max(row.get(y, Fraction(0)) for row in rows) for y in marginal(law, 1)), Fraction(0))


def neighbours(law: Law, distance: int | None) -> Iterator[tuple[Values, Values]]:
    """Yield ordered pairs of inputs that differ in at most some elements; None for any pair."""
    for a, b in permutations(marginal(law, 0), 2):
        if distance is None or sum(u != v for u, v in zip(a, b, strict=True)) <= distance:
            yield a, b


def loss(law: Law, distance: int | None = None) -> float:
    """Return DP: the greatest log ratio of neighbours."""
    rows, found = channel(law), 0.0
    for a, b in neighbours(law, distance):
        for y, chance in rows[a].items():
            other = rows[b].get(y, Fraction(0))
            found = max(found, inf if not other else log(chance / other))
    return found


def excess(law: Law, eps: float, distance: int | None = None) -> float:
    """Return Delta at some ε."""
    rows, found = channel(law), 0.0
    for a, b in neighbours(law, distance):
        terms = (float(chance) - exp(eps) * float(rows[b].get(y, Fraction(0))) for y, chance in rows[a].items())
        found = max(found, sum(max(0.0, term) for term in terms))
    return found


def mean(law: Law, value: Callable[[Values, Values], int]) -> Fraction:
    """Return the mean of a function of x and y."""
    return sum((mass * value(x, y) for (x, y), mass in law.items()), Fraction(0))


def variance(law: Law, value: Callable[[Values, Values], int]) -> Fraction:
    """Return the variance of a function of x and y."""
    return mean(law, lambda x, y: value(x, y) ** 2) - mean(law, value) ** 2


def pairs_of(count: int) -> Iterator[tuple[int, int]]:
    """Yield pairs of different places."""
    yield from combinations(range(count), 2)
