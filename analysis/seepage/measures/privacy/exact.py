r"""Differential privacy of a channel whose probabilities are known exactly.

.. math:: \delta(\varepsilon) = \sup_{x \sim x'} \sum_y \max(0, W(y|x) - e^\varepsilon W(y|x')), \qquad
          \varepsilon(\delta) = \min \{\varepsilon \ge 0 : \delta(\varepsilon) \le \delta\}

(Dwork and Roth 2014, "The algorithmic foundations of differential privacy", section 3.5; the supremum over sets of outputs is the sum of the
positive parts). At :math:`\delta = 0` it is :math:`\sup \log W(y|x) / W(y|x')`. As a function of :math:`t = e^\varepsilon` each sum is convex and piecewise
linear, with corners at the ratios :math:`W(y|x) / W(y|x')`, so the least t is a quotient of sums of probabilities, found
exactly.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cmp_to_key

from seepage import exact
from seepage.data_classes import dataclass
from seepage.engines.outcome import Budget
from seepage.exact import Number
from seepage.measures.channels.channel import Channel, Row
from seepage.measures.clock import timed
from seepage.measures.discrete.weights import Values
from seepage.measures.privacy.neighbours import Neighbourhood, pairs


@dataclass(frozen=True, slots=True)
class Worst:
    """A supremum, and where it is reached.

    Attributes:
        value: of the factor :math:`e^\\varepsilon`, None for infinity; or of δ.
        of: the input whose outputs are more likely, ``against``: its neighbour; None if there are no neighbours.
        at: the output with the greatest ratio, where there is one.
    """

    value: Number | None
    of: Values | None = None
    against: Values | None = None
    at: Values | None = None


def greatest_ratio(channel: Channel[Number], neighbourhoods: Sequence[Neighbourhood], budget: Budget) -> Worst:
    """Return the supremum of W(y|x) / W(y|x′) over neighbours and outputs; at least 1, which it is without neighbours.

    Raises:
        CannotDecide: if two ratios cannot be told apart.
        OutOfTime: past the budget's deadline.
    """
    worst = Worst(1)
    for near in neighbourhoods:
        above = _columns(channel, near.of, budget)
        below = above if near.is_mutual else _columns(channel, near.against, budget)
        for output, column in timed(above.items(), budget):
            high, of = _extreme(column, 1)
            others = below.get(output, [])
            if len(others) < len(near.against):
                present = {one for _, one in others}
                return Worst(None, of, next(one for one in near.against if one not in present), output)
            low, against = _extreme(others, -1)
            if of == against:  # all are equally likely: any other is as bad
                against = next(one for one in near.against if one != of)
            ratio = exact.div(high, low)
            if (worst.value is not None and exact.compare(ratio, worst.value) > 0) or worst.of is None:
                worst = Worst(ratio, of, against, output)
    return worst


def _columns(
    channel: Channel[Number], inputs: Iterable[Values], budget: Budget
) -> dict[Values, list[tuple[Number, Values]]]:
    """Return for each output how likely it is for which inputs."""
    columns: dict[Values, list[tuple[Number, Values]]] = {}
    for one in timed(inputs, budget):
        for output, probability in channel.rows[one].items():
            columns.setdefault(output, []).append((probability, one))
    return columns


def _extreme(column: Iterable[tuple[Number, Values]], direction: int) -> tuple[Number, Values]:
    (best, where), *rest = column
    for probability, one in rest:
        if exact.compare(probability, best) * direction > 0:
            best, where = probability, one
    return best, where


def worst_excess(
    channel: Channel[Number], neighbourhoods: Sequence[Neighbourhood], factor: Number, budget: Budget
) -> Worst:
    """Return the supremum over neighbours of Σ max(0, W(y|x) − factor·W(y|x′)); 0 without neighbours.

    Raises:
        ArithmeticFault: if a sign cannot be decided, or a closed form grows too large.
        OutOfTime: past the budget's deadline.
    """
    worst = Worst(0)
    for of, against in timed(pairs(neighbourhoods), budget):
        excess = _excess(channel.rows[of], channel.rows[against], factor)
        if worst.value is None or worst.of is None or exact.compare(excess, worst.value) > 0:
            worst = Worst(excess, of, against)
    return worst


def _excess(row: Row[Number], other: Row[Number], factor: Number) -> Number:
    total: Number = 0
    for output, probability in row.items():
        part = exact.sub(probability, exact.mul(factor, other.get(output, 0)))
        if exact.sign(part) > 0:
            total = exact.add(total, part)
    return total


def least_factor(
    channel: Channel[Number], neighbourhoods: Sequence[Neighbourhood], delta: Number, budget: Budget
) -> Worst:
    """Return the least :math:`t \\ge 1` at which :func:`worst_excess` is at most ``delta``.

    Raises:
        ArithmeticFault: if a sign cannot be decided, or a closed form grows too large.
        OutOfTime: past the budget's deadline.
    """
    worst = Worst(1)
    for of, against in timed(pairs(neighbourhoods), budget):
        factor = _least(channel.rows[of], channel.rows[against], delta)
        if factor is None:
            return Worst(None, of, against)
        if worst.value is None or worst.of is None or exact.compare(factor, worst.value) > 0:
            worst = Worst(factor, of, against)
    return worst


def _by_falling_ratio(one: tuple[Number, Number, Number], other: tuple[Number, Number, Number]) -> int:
    return exact.compare(other[0], one[0])


def _least(row: Row[Number], other: Row[Number], delta: Number) -> Number | None:
    """Return the least factor for one pair: outputs join the sum in the order of falling ratios."""
    gained: Number = 0  # the sum is gained − t·lost for t between two neighbouring ratios
    lost: Number = 0
    corners: list[tuple[Number, Number, Number]] = []
    for output, probability in row.items():
        if output in other:
            corners.append((exact.div(probability, other[output]), probability, other[output]))
        else:
            gained = exact.add(gained, probability)
    if exact.compare(gained, delta) > 0:
        return None
    corners.sort(key=cmp_to_key(_by_falling_ratio))
    for ratio, probability, less in corners:
        if exact.sign(lost) > 0 and exact.compare(exact.div(exact.sub(gained, delta), lost), ratio) >= 0:
            break
        gained, lost = exact.add(gained, probability), exact.add(lost, less)
    if exact.sign(lost) == 0:
        return 1
    return exact.maximum(1, exact.div(exact.sub(gained, delta), lost))
