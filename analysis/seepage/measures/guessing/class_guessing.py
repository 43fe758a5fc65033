r"""What an attacker who guesses can expect where secrets are uniform over huge ranges: posteriors that hold one weight very many times.

Given a value of y, an entry of weight :math:`m` of the joint over symbols leaves :math:`c_{xy} / c_y` values of x, each of weight :math:`m / c_{xy}`, and that for
:math:`c_y` values of y alike. So the formulas of :mod:`seepage.measures.guessing.vulnerability` and :mod:`seepage.measures.guessing.entropy` are sums over blocks.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

from flint import arb, fmpq

from seepage.engines.forward.class_joint import ClassJoint, Key
from seepage.engines.outcome import Budget
from seepage.exact import precision
from seepage.measures.clock import UNLIMITED, timed
from seepage.measures.discrete.weights import BITS
from seepage.measures.enclosure import Enclosure

Joint: TypeAlias = ClassJoint[fmpq] | ClassJoint[arb]
Block: TypeAlias = tuple[Fraction, int]
"""The weight of one value, and how many values have it."""


def chance_within(
    joint: Joint, x: Sequence[str], y: Sequence[str], tries: int = 1, budget: Budget = UNLIMITED
) -> Enclosure:
    """Return the chance to guess ``x`` in some tries after ``y`` is seen; 0 to 1.

    Raises:
        ValueError: if the joint distribution has no mass, or lacks a variable.
        OutOfTime: past the budget's deadline.
    """
    low, high = (
        sum((alike * _best(blocks, tries) for alike, blocks in posteriors), Fraction(0)) / mass
        for posteriors, mass in _both_ends(joint, x, y, budget)
    )
    return _between(low, min(high, Fraction(1)))


def guesses(joint: Joint, x: Sequence[str], y: Sequence[str], budget: Budget = UNLIMITED) -> Enclosure:
    """Return the expected number of guesses of ``x`` after ``y`` is seen, likeliest values first.

    Raises:
        ValueError: if the joint distribution has no mass, or lacks a variable.
        OutOfTime: past the budget's deadline.
    """
    low, high = (
        sum((alike * _ranks(blocks) for alike, blocks in posteriors), Fraction(0)) / mass
        for posteriors, mass in _both_ends(joint, x, y, budget)
    )
    return _between(max(low, Fraction(1)), high)


Posteriors: TypeAlias = list[tuple[int, list[Block]]]


def _both_ends(
    joint: Joint, x: Sequence[str], y: Sequence[str], budget: Budget
) -> tuple[tuple[Posteriors, Fraction], tuple[Posteriors, Fraction]]:
    """Return unnormalised posteriors and the mass to divide by, as if each weight were the lower and the upper end of its ball: both sums grow with every weight."""
    with precision(BITS):
        of, given = (joint.symbols.positions(joint.shown(names)) for names in ((*x, *y), y))
        together: dict[
            Key, tuple[Key, Any]
        ] = {}  # an entry for each choice of symbols of x and y, with the sum of the weights
        for key, weight in timed(joint.symbols.masses.items(), budget):
            symbols = tuple(key[place] for place in of)
            first, known = together.get(symbols, (key, joint.symbols.ring.zero))
            together[symbols] = first, known + weight
        ends: list[tuple[Posteriors, Fraction]] = []
        for upper in (False, True):
            groups: dict[Key, tuple[int, list[Block]]] = {}
            mass = Fraction(0)
            for key, weight in together.values():
                seen, both = joint.count(key, given), joint.count(key, of)
                group = groups.setdefault(tuple(key[place] for place in given), (seen, []))
                group[1].append((end_of(weight, upper) / both, both // seen))
                mass += end_of(weight, not upper)
            if not mass:
                raise ValueError("the distribution is empty: no run passes every observation")
            ends.append((list(groups.values()), mass))
    return ends[0], ends[1]


def end_of(weight: fmpq | arb, upper: bool) -> Fraction:
    """Return an end of a mass as a rational; both are the mass itself where that is rational."""
    if isinstance(weight, fmpq):
        return Fraction(int(weight.p), int(weight.q))
    mantissa, exponent = (weight.upper() if upper else weight.lower()).man_exp()
    return max(Fraction(int(mantissa)) * Fraction(2) ** int(exponent), Fraction(0))


def _best(blocks: Iterable[Block], tries: int) -> Fraction:
    gained = Fraction(0)
    for weight, count in sorted(blocks, reverse=True):
        gained += weight * min(tries, count)
        tries -= min(tries, count)
        if not tries:
            break
    return gained


def _ranks(blocks: Iterable[Block]) -> Fraction:
    """Return the sum of weights times ranks, the greatest weight first."""
    result, before = Fraction(0), 0
    for weight, count in sorted(blocks, reverse=True):
        result += weight * (count * before + count * (count + 1) // 2)
        before += count
    return result


def _between(low: Fraction, high: Fraction) -> Enclosure:
    if low == high:
        return Enclosure.of_rational(low)
    with precision(BITS):
        bottom, top = (arb(end.numerator) / end.denominator for end in (low, high))
        return Enclosure.bounded((bottom + top) / 2, bottom.lower(), top.upper())
