r"""Differential privacy of a channel whose probabilities are known by bounds: as in :mod:`seepage.measures.privacy.exact`, in balls.

With :math:`m_x` the probability of what was cut from the row of x, each true sum :math:`\sum_y \max(0, W(y|x) - t W(y|x'))` lies between that of the
known parts minus :math:`t\, m_{x'}` and that plus :math:`m_x`. For any set S of outputs
:math:`\sum_S W(y|x) - t \sum_S W(y|x')` is a lower bound, so that the least t is at least
:math:`(\sum_S W(y|x) - \delta) / \sum_S W(y|x')`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from flint import arb

from seepage.data_classes import dataclass
from seepage.engines.outcome import Budget
from seepage.exact import precision
from seepage.measures.channels.channel import Channel, Row
from seepage.measures.clock import timed
from seepage.measures.discrete.weights import BITS, Values
from seepage.measures.enclosure import Enclosure
from seepage.measures.notes import Note, NoteKind
from seepage.measures.privacy.neighbours import Neighbourhood, pairs
from seepage.measures.result import Certainty

UNBOUNDED = Note(
    "no upper bound is known: an output that is possible for one value may be impossible for another",
    NoteKind.NO_UPPER_BOUND,
)
UNBOUNDED_TAIL = Note(
    "no upper bound is known: an infinite support was cut, and what was cut off may tell more", NoteKind.NO_UPPER_BOUND
)

_NOTHING = arb(0)
_SLACK_BITS = 110  # how closely the least factor is bounded from above, at first
_WIDEST_SLACK_BITS = 20


@dataclass(frozen=True, slots=True)
class Bounds:
    """Bounds of a supremum, and where the greatest lower bound is reached."""

    lower: arb
    upper: arb
    of: Values | None = None
    against: Values | None = None
    at: Values | None = None

    def joined(self, other: Bounds) -> Bounds:
        """Return the bounds of the greater of two numbers."""
        leader = other if self.of is None or other.lower > self.lower else self
        upper = self.upper if self.upper >= other.upper else other.upper
        return Bounds(leader.lower, upper, leader.of, leader.against, leader.at)

    def enclosure(self, notes: tuple[Note, ...] = ()) -> Enclosure:
        """Return the number between them."""
        rounding = self.upper.is_finite() and (self.upper - self.lower < arb(2) ** -_SLACK_BITS)
        certainty = Certainty.EXACT if rounding or self.lower == self.upper else Certainty.CERTIFIED
        return Enclosure.bounded(self.lower, self.lower, self.upper, certainty, notes=notes)

    def logarithm(self) -> Bounds:
        """Return the bounds of the logarithm of a number that is at least 1."""
        with precision(BITS):
            lower, upper = (end if not end.is_finite() else end.max(arb(1)).log() for end in (self.lower, self.upper))
            return Bounds(lower.lower(), upper.upper(), self.of, self.against, self.at)


def ratio_bounds(channel: Channel[arb], neighbourhoods: Sequence[Neighbourhood], budget: Budget) -> Bounds:
    """Bound the supremum of W(y|x) / W(y|x′) over neighbours and outputs; at least 1.

    Where outputs were cut off, the upper bound is infinite.

    Raises:
        OutOfTime: past the budget's deadline.
    """
    found = Bounds(arb(1), arb(1))
    with precision(BITS):
        for near in neighbourhoods:
            above = _columns(channel, near.of, budget)
            below = above if near.is_mutual else _columns(channel, near.against, budget)
            for output, column in timed(above.items(), budget):
                found = found.joined(_of_column(channel, near.against, output, column, below.get(output, [])))
        if channel.missing and neighbourhoods:
            found = Bounds(found.lower, arb.pos_inf(), found.of, found.against, found.at)
    return found


_Column = list[tuple[arb, Values]]


def _columns(channel: Channel[arb], inputs: Iterable[Values], budget: Budget) -> dict[Values, _Column]:
    """Return for each output how likely it is for which inputs."""
    columns: dict[Values, _Column] = {}
    for one in timed(inputs, budget):
        for output, probability in channel.rows[one].items():
            columns.setdefault(output, []).append((probability, one))
    return columns


def _of_column(
    channel: Channel[arb], inputs: Sequence[Values], output: Values, column: _Column, others: _Column
) -> Bounds:
    """Bound the greatest chance in a column over the least in another, which is one of ``inputs``."""
    if len(others) < len(inputs):
        present = {one for _, one in others}
        others = [*others, *((arb(0), one) for one in inputs if one not in present)]
    _, of = max(column, key=lambda entry: float(entry[0].mid()))
    _, against = min((entry for entry in others if entry[1] != of), key=lambda entry: float(entry[0].mid()))
    high = _greatest(probability for probability, _ in column)
    low = -_greatest(-(probability + channel.missing.get(one, _NOTHING)) for probability, one in others)
    most = (high.upper() / low.lower()).upper() if low.lower() > 0 else arb.pos_inf()
    return Bounds(_quotient(high, low), most, of, against, output)


def _greatest(balls: Iterable[arb]) -> arb:
    greatest, *rest = balls
    for ball in rest:
        greatest = greatest.max(ball)
    return greatest


def excess_bounds(
    channel: Channel[arb], neighbourhoods: Sequence[Neighbourhood], factor: arb, budget: Budget
) -> Bounds:
    """Bound the supremum over neighbours of Σ max(0, W(y|x) − factor·W(y|x′)).

    Raises:
        OutOfTime: past the budget's deadline.
    """
    found = Bounds(arb(0), arb(0))
    with precision(BITS):
        for of, against in timed(pairs(neighbourhoods), budget):
            excess = _excess(channel.rows[of], channel.rows[against], factor)
            lower = (excess - factor * channel.missing.get(against, _NOTHING)).lower()
            upper = (excess + channel.missing.get(of, _NOTHING)).upper()
            found = found.joined(Bounds(lower.max(arb(0)), upper.min(arb(1)).max(arb(0)), of, against))
    return found


def _excess(row: Row[arb], other: Row[arb], factor: arb) -> arb:
    total = arb(0)
    for output, probability in row.items():
        less = other.get(output)
        total += probability if less is None else (probability - factor * less).max(arb(0))
    return total


def factor_bounds(channel: Channel[arb], neighbourhoods: Sequence[Neighbourhood], delta: arb, budget: Budget) -> Bounds:
    """Bound the least t ≥ 1 at which the sum of :func:`excess_bounds` is at most ``delta``.

    Raises:
        OutOfTime: past the budget's deadline.
    """
    found = Bounds(arb(1), arb(1))
    with precision(BITS):
        for of, against in timed(pairs(neighbourhoods), budget):
            missing = channel.missing.get(of, _NOTHING), channel.missing.get(against, _NOTHING)
            lower, upper = _least(channel.rows[of], channel.rows[against], delta, missing)
            found = found.joined(Bounds(lower, upper, of, against))
    return found


def _least(row: Row[arb], other: Row[arb], delta: arb, missing: tuple[arb, arb]) -> tuple[arb, arb]:
    gained, lost = arb(0), missing[1]
    corners: list[tuple[float, arb, arb]] = []
    for output, probability in row.items():
        less = other.get(output)
        if less is None:
            gained += probability
        else:
            corners.append((_steepness(probability, less), probability, less))
    best = _quotient(gained - delta, lost)
    corners.sort(key=lambda corner: -corner[0])
    for _, probability, less in corners:
        gained, lost = gained + probability, lost + less
        candidate = _quotient(gained - delta, lost)
        if candidate > best:
            best = candidate
    return best, _factor_above(row, other, delta - missing[0], best)


def _steepness(probability: arb, less: arb) -> float:
    return float((probability / less).mid()) if less > 0 else float("inf")


def _quotient(excess: arb, lost: arb) -> arb:
    """Return a lower bound of the factor, at least 1: infinite where nothing is lost."""
    if not excess > 0:
        return arb(1)
    if not lost.upper() > 0:
        return arb.pos_inf()
    bound = (excess.lower() / lost.upper()).lower()
    return bound if bound > 1 else arb(1)


def _factor_above(row: Row[arb], other: Row[arb], delta: arb, start: arb) -> arb:
    """Return a factor at which the sum is certainly at most ``delta``, near ``start``; infinity if none is found."""
    if not start.is_finite():
        return arb.pos_inf()
    for bits in range(_SLACK_BITS, _WIDEST_SLACK_BITS, -10):
        factor = (start * (1 + arb(2) ** -bits)).upper() if start > 1 else arb(1)
        if _excess(row, other, factor) <= delta:
            return factor
        start = start if start > 1 else arb(1) + arb(2) ** -_SLACK_BITS
    return arb.pos_inf()
