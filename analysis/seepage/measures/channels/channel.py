"""Channels from a joint distribution: for each input the probabilities of the outputs, whatever the prior.

Inputs are the values of x that some run reaches (language.md, Fine print 9); each row is the distribution of y given that input, with everything else drawn
as the program draws it. Rational rows are exact :data:`~seepage.exact.Number`; others are balls.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from fractions import Fraction
from functools import reduce
from typing import Generic, TypeAlias, TypeGuard, TypeVar

from flint import arb, fmpq, fmpz

from seepage import exact
from seepage.data_classes import dataclass
from seepage.engines.outcome import Budget, DiscreteJoint
from seepage.exact import Number, precision
from seepage.measures.channels.closed_weights import simplified
from seepage.measures.clock import UNLIMITED, timed
from seepage.measures.discrete.weights import BITS, Values, W, Whole, total, weights_of

P = TypeVar("P", Number, arb)
R = TypeVar("R")
Row: TypeAlias = Mapping[Values, P]


@dataclass(frozen=True, slots=True)
class Channel(Generic[P]):
    """A channel, row by row.

    Attributes:
        rows: for each input the probability of each output; no zero entries.
        missing: per input at least the probability of outputs that ``rows`` lacks, where an infinite support was cut; empty if none was. Each
            true probability is between that of ``rows`` and that plus the missing one.
    """

    rows: Mapping[Values, Row[P]]
    missing: Mapping[Values, arb] = field(default_factory=dict)


def channels(
    joint: DiscreteJoint[fmpq] | DiscreteJoint[arb],
    x: Sequence[str],
    y: Sequence[str],
    z: Sequence[str] = (),
    budget: Budget = UNLIMITED,
) -> dict[Values, Channel[Number]] | dict[Values, Channel[arb]]:
    """Return for each value of the variables ``z`` the channel from ``x`` to ``y``, exact where the masses are rational and none was cut.

    Raises:
        CannotDecide: if an input may be impossible.
        ValueError: if the joint distribution has no mass, or lacks a variable.
        OutOfTime: past the budget's deadline.
    """
    places = joint.positions(x), joint.positions(y), joint.positions(z)
    with precision(BITS):
        match weights_of(joint, budget):
            case Whole(whole) if joint.cut is None:
                return _each(_rows(whole, places, budget), _rational)
            case weights if joint.cut is None:
                return _each(_rows(weights.as_balls().weights, places, budget), _balls)
            case _:
                masses = {values: arb(mass) for values, mass in joint.masses.items()}
                return _cut(_rows(masses, places, budget), joint.cut.mass)


def exact_channels(
    joint: DiscreteJoint[Number], x: Sequence[str], y: Sequence[str], z: Sequence[str] = ()
) -> dict[Values, Channel[Number]]:
    """Return the same from masses in closed form, none of which was cut.

    Raises:
        ArithmeticFault: where the closed forms grow too large, or one may be 0.
        ValueError: if the joint distribution lacks a variable.
    """
    of, to, given = (joint.positions(names) for names in (x, y, z))
    found: dict[Values, dict[Values, dict[Values, Number]]] = {}
    for values, mass in joint.masses.items():
        key, one, other = _at(values, given), _at(values, of), _at(values, to)
        row = found.setdefault(key, {}).setdefault(one, {})
        row[other] = exact.add(row[other], mass) if other in row else mass
    return closed_channels(found)


def closed_channels(found: Mapping[Values, Mapping[Values, Mapping[Values, Number]]]) -> dict[Values, Channel[Number]]:
    """Return channels from weights in closed form, by the values of z, of x and of y.

    Raises:
        ArithmeticFault: where the closed forms grow too large, or one may be 0.
    """
    return _each(found, _closed)


def is_exact(channel: Channel[Number] | Channel[arb]) -> TypeGuard[Channel[Number]]:
    """Tell whether all probabilities are in closed form."""
    return not any(isinstance(p, arb) for row in channel.rows.values() for p in row.values())


def in_balls(channel: Channel[Number] | Channel[arb]) -> Channel[arb]:
    """Return a channel in balls."""
    rows = {
        one: {to: p if isinstance(p, arb) else exact.enclose(p, BITS) for to, p in row.items()}
        for one, row in channel.rows.items()
    }
    return Channel(rows, channel.missing)


def alike_inputs(channel: Channel[Number] | Channel[arb], budget: Budget = UNLIMITED) -> dict[Values, int]:
    """Return a number for each input, the same for inputs of which the channel knows the same.

    Rows of balls that are the same may belong to probabilities that differ.

    Raises:
        OutOfTime: past the budget's deadline.
    """
    kinds: dict[tuple[object, ...], int] = {}
    found: dict[Values, int] = {}
    for one, row in timed(channel.rows.items(), budget):
        known = frozenset((to, _ends(p) if isinstance(p, arb) else p) for to, p in row.items())
        missing = channel.missing.get(one)
        kind = (known, None if missing is None else _ends(missing))
        found[one] = kinds.setdefault(kind, len(kinds))
    return found


def _ends(ball: arb) -> tuple[object, ...]:
    """Return what tells a finite ball from others: equality of balls is that of numbers, which is never certain."""
    return (*ball.mid().man_exp(), *ball.rad().man_exp())


def _rows(
    weights: Mapping[Values, W], places: tuple[Sequence[int], Sequence[int], Sequence[int]], budget: Budget
) -> dict[Values, dict[Values, dict[Values, W]]]:
    """Return by value of z, then of x, then of y the weights; ``places`` are those of x, y and z."""
    of, to, given = places
    found: dict[Values, dict[Values, dict[Values, W]]] = {}
    for values, weight in timed(weights.items(), budget):
        row = found.setdefault(_at(values, given), {}).setdefault(_at(values, of), {})
        other = _at(values, to)
        row[other] = row[other] + weight if other in row else weight
    return found


def _at(values: Values, places: Sequence[int]) -> Values:
    return tuple([values[place] for place in places])


def _each(found: Mapping[Values, Mapping[Values, R]], normalised: Callable[[R], Row[P]]) -> dict[Values, Channel[P]]:
    return {value: Channel({one: normalised(row) for one, row in rows.items()}) for value, rows in found.items()}


def _rational(row: Mapping[Values, fmpz]) -> dict[Values, Number]:
    whole = sum(int(weight) for weight in row.values())
    return {value: exact.number(Fraction(int(weight), whole)) for value, weight in row.items()}


def _closed(row: Mapping[Values, Number]) -> dict[Values, Number]:
    whole = simplified(reduce(exact.add, row.values()))
    shares = {value: simplified(exact.div(mass, whole)) for value, mass in row.items()}
    return {value: share for value, share in shares.items() if exact.sign(share) > 0}


def _balls(row: Mapping[Values, arb]) -> dict[Values, arb]:
    whole = _positive(total(row.values()))
    return {value: weight / whole for value, weight in row.items()}


def _cut(found: Mapping[Values, Mapping[Values, Mapping[Values, arb]]], cut: arb) -> dict[Values, Channel[arb]]:
    """Return the rows whose true weights may be greater, by ``cut`` in all."""
    excess = arb(0).union(cut.upper())
    result: dict[Values, Channel[arb]] = {}
    for value, rows in found.items():
        totals = {one: _positive(total(row.values())) for one, row in rows.items()}
        shares = {one: {to: part / (totals[one] + excess) for to, part in row.items()} for one, row in rows.items()}
        missing = {one: (cut / whole).upper().min(arb(1)) for one, whole in totals.items()}
        result[value] = Channel(shares, missing)
    return result


def _positive(whole: arb) -> arb:
    if not whole > 0:
        raise exact.CannotDecide("cannot decide whether an input is possible")
    return whole
