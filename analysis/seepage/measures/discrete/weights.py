"""Weights of a discrete joint distribution as measures read them: whole numbers, or balls.

Rational masses are brought over one common denominator, which is then left out: every measure is a function of ratios of
masses, so sums, products and comparisons of weights are exact integers until a logarithm is taken. Ball masses stay balls.
Nothing is normalised here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import lcm
from typing import Generic, TypeAlias, TypeVar

from flint import arb, fmpq, fmpz

from seepage.data_classes import dataclass
from seepage.engines.forward.tables import TableMasses
from seepage.engines.outcome import Budget, DiscreteJoint
from seepage.exact import Number
from seepage.measures.clock import UNLIMITED, timed

# What is computed here is a sum of non-negative terms, so this leaves some fifty digits of every answer.
BITS = 192

Values: TypeAlias = tuple[Number, ...]
W = TypeVar("W", fmpz, arb)
A = TypeVar("A")
B = TypeVar("B")


@dataclass(frozen=True, slots=True)
class Whole:
    """Positive whole weights, proportional to the masses."""

    weights: Mapping[Values, fmpz]

    def as_balls(self) -> Balls:
        """Return the same weights as balls, rounded at the working precision."""
        return Balls({values: arb(weight) for values, weight in self.weights.items()})


@dataclass(frozen=True, slots=True)
class Balls:
    """Weights as balls, each of which holds the true mass; none is exactly 0."""

    weights: Mapping[Values, arb]

    def as_balls(self) -> Balls:
        """Return the weights themselves."""
        return self


def weights_of(joint: DiscreteJoint[fmpq] | DiscreteJoint[arb], budget: Budget = UNLIMITED) -> Whole | Balls:
    """Return the masses of a joint distribution up to a common factor.

    Raises:
        ValueError: if there is no mass at all.
        OutOfTime: past the budget's deadline.
    """
    if not joint.masses:
        raise ValueError("the distribution is empty: no run passes every observation")
    if isinstance(joint.masses, TableMasses) and joint.masses.is_rational:
        table = joint.masses.table
        return Whole(dict(timed(zip(table.rows(), map(fmpz, table.weights.tolist()), strict=True), budget)))
    rational = {values: mass for values, mass in joint.masses.items() if isinstance(mass, fmpq)}
    if len(rational) == len(joint.masses):
        common = lcm(*{int(mass.q) for mass in timed(rational.values(), budget)})
        weights = timed(rational.items(), budget)
        return Whole({values: mass.p * (common // int(mass.q)) for values, mass in weights})
    masses: Mapping[Values, fmpq | arb] = joint.masses
    return Balls({values: arb(mass) for values, mass in timed(masses.items(), budget)})


def marginal(weights: Mapping[Values, W], places: Sequence[int]) -> dict[Values, W]:
    """Add up the weights that agree at some places."""
    return grouped(weights, (), places)[()]


def grouped(weights: Mapping[Values, W], by: Sequence[int], of: Sequence[int]) -> dict[Values, dict[Values, W]]:
    """Return for each choice of values at the places ``by`` the weights of the values at the places ``of``."""
    groups: dict[Values, dict[Values, W]] = {}
    for values, weight in weights.items():
        group = groups.setdefault(tuple([values[place] for place in by]), {})
        key = tuple([values[place] for place in of])
        known = group.get(key)
        group[key] = weight if known is None else known + weight
    return groups


def total(weights: Iterable[W]) -> W:
    """Add up at least one weight."""
    first, *rest = weights
    for weight in rest:
        first = first + weight
    return first


def ratio(numerator: fmpz | arb, denominator: fmpz | arb) -> arb:
    """Divide two weights, with a relative error of the working precision."""
    return arb(numerator) / arb(denominator)


class ByShape(Generic[A, B]):
    """What is computed of groups of weights, once for groups that hold the same weights whatever these belong to. Mutable: of one measure.

    Balls have no such order, and each group of them is computed.
    """

    def __init__(self, compute: Callable[[A], B]) -> None:
        self.compute = compute
        self.known: dict[tuple[tuple[int, ...], ...], B] = {}

    def of(self, shape: Iterable[tuple[int | fmpz | arb, ...]], group: A) -> B:
        """Return what is computed of a group; ``shape`` are the weights that it is a function of, whatever their order."""
        rows: list[tuple[int, ...]] = []
        for row in shape:
            whole = [int(one) for one in row if not isinstance(one, arb)]
            if len(whole) < len(row):
                return self.compute(group)
            rows.append(tuple(whole))
        key = tuple(sorted(rows))
        if key not in self.known:
            self.known[key] = self.compute(group)
        return self.known[key]
