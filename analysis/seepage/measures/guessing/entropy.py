r"""Guessing entropy of discrete variables: the expected number of guesses, one value at a time in the best order.

.. math:: G(x) = \sum_i i\, p_{(i)}, \qquad G(x \mid y) = \sum_y p(y)\, G(x \mid y),

with probabilities :math:`p_{(1)} \ge p_{(2)} \ge \dots` (Massey 1994, "Guessing and entropy"; Köpf, Basin 2007 for the conditional form). It
is the least of :math:`\sum_x \sigma(x)\, p(x)` over all orders σ, so it grows with every weight before the sum is normalised: the lower ends of
balls give a lower bound, and the upper ends an upper one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from flint import arb, fmpz

from seepage.engines.outcome import Budget
from seepage.exact import precision
from seepage.measures.clock import UNLIMITED, timed
from seepage.measures.discrete.large import guesses as large_guesses
from seepage.measures.discrete.large import large_table
from seepage.measures.discrete.weights import BITS, Values, Whole, grouped, total, weights_of
from seepage.measures.enclosure import Enclosure
from seepage.measures.guessing.gains import descending
from seepage.measures.guessing.vulnerability import Discrete, cut_share
from seepage.measures.notes import Note, NoteKind
from seepage.measures.result import Certainty

_UNBOUNDED = Note(
    "no upper bound is known: an infinite support was cut, and every value beyond may need its own guess",
    NoteKind.NO_UPPER_BOUND,
)


def guessing_entropy(
    joint: Discrete,
    x: Sequence[str],
    y: Sequence[str] = (),
    values: int | None = None,
    budget: Budget = UNLIMITED,
) -> Enclosure:
    """Return the expected number of guesses of ``x`` after the variables ``y`` are seen.

    Args:
        joint: of all variables named.
        x: guessed jointly.
        y: seen before.
        values: how many values ``x`` has, where that is known although the joint was cut.
        budget: limits.

    Raises:
        ValueError: if the joint distribution has no mass, or lacks a variable.
        OutOfTime: past the budget's deadline.
    """
    of, given = joint.positions(x), joint.positions(y)
    table = large_table(joint)
    with precision(BITS):
        if table is not None:
            return Enclosure.of_rational(large_guesses(table, of, given))
        found, lost = weights_of(joint, budget), cut_share(joint)
        if isinstance(found, Whole):
            guesses = total(
                _whole(group, budget) for group in timed(grouped(found.weights, given, of).values(), budget)
            )
            mean = Fraction(int(guesses), int(total(found.weights.values())))
            if lost is None:
                return Enclosure.of_rational(mean)
            return _with_cut(Enclosure.of_rational(mean), lost, values, _beyond(joint, x, of))
        groups = list(grouped(found.weights, given, of).values())
        if lost is None and all(len(group) == 1 for group in groups):
            return Enclosure.of_rational(Fraction(1))  # y determines x
        mass = total(found.weights.values())
        low, high = (total(_ends(group, upper, budget) for group in groups) / mass for upper in (False, True))
        lower = low.lower() if low.lower() > 1 else arb(1)
        between = Enclosure.bounded((low + high) / 2, lower, high.upper())
        return between if lost is None else _with_cut(between, lost, values, _beyond(joint, x, of))


def _whole(group: Mapping[Values, fmpz], budget: Budget) -> fmpz:
    ordered = sorted(group.values(), reverse=True)
    return total(weight * rank for rank, weight in timed(enumerate(ordered, start=1), budget))


def _ends(group: Mapping[Values, arb], upper: bool, budget: Budget) -> arb:
    """Return the number of guesses, weighted, as if each weight were the lower or the upper end of its ball."""
    ends = descending(weight.upper() if upper else weight.lower() for weight in group.values())
    return total(end * rank for rank, end in timed(enumerate(ends, start=1), budget))


def _beyond(joint: Discrete, x: Sequence[str], places: Sequence[int]) -> arb | None:
    """Bound the guesses that the runs cut off need, relative to the mass that is there, for one variable with whole values.

    Guessed first the N values that are known, then the others by their distance from 0, a value v is guessed after at most N + 2 abs(v) + 1 guesses.
    """
    if joint.cut is None or len(x) != 1 or x[0] not in joint.cut.whole or x[0] not in joint.cut.moments:
        return None
    known = len({values[place] for values in joint.masses for place in places})
    first, _ = joint.cut.moments[x[0]]
    bound = ((known + 1) * joint.cut.mass + 2 * first) / arb(joint.mass)
    return bound.upper() if bound.is_finite() else None


def _with_cut(mean: Enclosure, lost: arb, values: int | None, beyond: arb | None) -> Enclosure:
    """Widen by what was cut off: each of those runs needs one guess at least, and as many as there are values at most."""
    lower = ((mean.lower + lost) / (1 + lost)).lower()
    if values is None and beyond is not None:
        return Enclosure.bounded(mean.value, lower, (mean.upper + beyond).upper(), Certainty.CERTIFIED)
    if values is None:
        return Enclosure.bounded(mean.value, lower, arb.pos_inf(), Certainty.CERTIFIED, notes=(_UNBOUNDED,))
    upper = ((mean.upper + lost * values) / (1 + lost)).upper()
    return Enclosure.bounded(mean.value, lower, upper, Certainty.CERTIFIED)
