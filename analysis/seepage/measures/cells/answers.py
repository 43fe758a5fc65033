r"""Measures of two finite channels, of which one tells less than what is asked and one more.

The chances of the channels are floats, so that each row is near a true one: at most :math:`\eta` apart in total variation. What that changes is bounded: a chance to guess by
:math:`\eta`, times the greatest gain; of m values the number of guesses by :math:`2 m \eta`; an entropy given the outputs by :math:`\eta \log m + 2 h(\eta)` (Winter 2016, Tight uniform
continuity bounds for quantum entropies, lemma 2), an excess of losses by :math:`\eta (1 + e^\varepsilon)`. The capacity is at least the information for any law of the secret,
and at most the greatest divergence of a row from the mean of all rows for any (Cover and Thomas 2006, theorem 13.1.1).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

import numpy as np
from flint import arb, fmpq

from seepage.data_classes import dataclass
from seepage.engines.outcome import Budget, DiscreteJoint
from seepage.exact import nearest_float
from seepage.measures.cells.columns import Floats
from seepage.measures.cells.joining import Finite, together
from seepage.measures.channels.capacity_search import searched
from seepage.measures.discrete.weights import Values
from seepage.measures.enclosure import Enclosure
from seepage.measures.guessing.gains import Gain, Tries, extremes, greatest_gain
from seepage.measures.result import Certainty

_OFF = 1e-9
"""How far a row may be off, in total variation."""
_SHARES = (
    0.0,
    1e-9,
    1e-6,
    1e-4,
)  # of all inputs alike, in laws of the secret of which each proves that there is no greater capacity
_ROUGH = 2_000  # outputs, which are enough to find a law of the secret
_DOUBT = 1e-5  # the part of a δ that rounding may take


@dataclass(frozen=True, slots=True)
class Cells:
    """What finite channels tell of a secret: as :class:`~seepage.measures.guessing.questions.Sight` sees it, and more.

    Attributes:
        finite: the channels.
        prior: the law of the secret.
    """

    finite: Finite
    prior: DiscreteJoint[fmpq] | DiscreteJoint[arb]

    def secret(self) -> DiscreteJoint[fmpq] | DiscreteJoint[arb]:
        """Return the law of the secret."""
        return self.prior

    def expected_gain(self, y: tuple[str, ...], gain: Gain, budget: Budget) -> Enclosure:
        """Return the greatest expected gain from a guess after ``y`` is seen; before that where it is empty."""
        if not y:
            columns = self.finite.columns.less.sum(axis=1, keepdims=True)
            sides = [columns, columns]
        else:
            sides = [self.finite.columns.less, self.finite.columns.more]
        found = [self._gain(columns, gain, budget) for columns in sides]
        most = max(abs(nearest_float(end)) for end in extremes(gain))
        return _between(found[0] - 2 * most * _OFF, found[1] + 2 * most * _OFF)

    def _gain(self, columns: Floats, gain: Gain, budget: Budget) -> float:
        if isinstance(gain, Tries):
            return float(np.sort(columns, axis=0)[::-1][: gain.count].sum())
        groups = (
            {value: arb(mass) for value, mass in zip(self.finite.inputs, column, strict=True) if mass}
            for column in columns.T.tolist()
        )
        found = greatest_gain(groups, gain, budget)
        return float(arb(found).mid())

    def guesses(self, y: tuple[str, ...], budget: Budget) -> Enclosure:
        """Return the expected number of guesses after ``y`` is seen; before that where it is empty."""
        del budget
        columns = self.finite.columns
        sides = (columns.more, columns.less) if y else (columns.less.sum(axis=1, keepdims=True),) * 2
        order = np.arange(1, len(self.finite.inputs) + 1)
        low, high = (float((np.sort(side, axis=0)[::-1] * order[:, None]).sum()) for side in sides)
        off = 2 * len(order) * _OFF
        return _between(max(1.0, low - off), high + off)

    def information(self) -> Enclosure:
        """Return what the outputs tell of the secret, in nats."""
        off = self._off()
        low, high = (_information(side) for side in (self.finite.columns.less, self.finite.columns.more))
        return _between(max(0.0, low - off), high + off)

    def left(self) -> Enclosure:
        """Return what they leave unknown, in nats."""
        prior = self.finite.columns.less.sum(axis=1)
        whole = float(-(prior * np.log(prior)).sum())
        told = self.information()
        return _between(max(0.0, whole - float(told.upper) - 1e-12), whole - float(told.lower) + 1e-12)

    def capacity(self, budget: Budget) -> Enclosure:
        """Return the greatest information over all laws of the secret, in nats."""
        less, more = self._rows()
        prior = searched(together(less, _ROUGH), budget)
        even = np.full(len(prior), 1 / len(prior))
        off = self._off()
        priors = [(1 - share) * prior + share * even for share in _SHARES]
        low = _information(prior[:, None] * less)
        high = min(float(_divergences(more, each).max()) for each in priors)
        return _between(max(0.0, low - off), high + off)

    def min_capacity(self) -> Enclosure:
        """Return the logarithm of the sum of the greatest chances of outputs, in nats."""
        off = 2 * len(self.finite.inputs) * _OFF
        low, high = (float(rows.max(axis=0).sum()) for rows in self._rows())
        return _between(math.log(max(1.0, low - off)), math.log(high + off))

    def excess(self, pairs: Iterable[tuple[Values, Values]], epsilon: float, stop: Callable[[], None]) -> Worst:
        """Return the greatest δ over pairs of secrets, at a claimed ε."""
        factor = math.exp(epsilon)
        off = _OFF * (1 + factor)

        def told(p: Floats, q: Floats) -> float:
            return float(np.maximum(p - factor * q, 0).sum())

        return self._worst(pairs, told, told, stop, off)

    def loss(self, pairs: Iterable[tuple[Values, Values]], delta: float, stop: Callable[[], None]) -> Worst:
        """Return the greatest ε over pairs of secrets that allows a δ."""

        def least(doubt: float) -> Callable[[Floats, Floats], float]:
            def found(p: Floats, q: Floats) -> float:
                ratio = _factor(p, q, delta * (1 - doubt))
                return math.log(ratio) if _OFF * (1 + ratio) < delta * _DOUBT else math.inf if doubt > 0 else 0.0

            return found

        return self._worst(pairs, least(-_DOUBT), least(_DOUBT), stop, 0.0)

    def _worst(
        self,
        pairs: Iterable[tuple[Values, Values]],
        lower: Callable[[Floats, Floats], float],
        upper: Callable[[Floats, Floats], float],
        stop: Callable[[], None],
        off: float,
    ) -> Worst:
        less, more = self._rows()
        at = {value: number for number, value in enumerate(self.finite.inputs)}
        low = high = 0.0
        where: tuple[Values, Values] | None = None
        for one, other in pairs:
            stop()
            found = lower(less[at[one]], less[at[other]]) - off
            if where is None or found > low:
                low, where = max(low, found), (one, other)
            high = max(high, upper(more[at[one]], more[at[other]]) + off)
        return Worst(_between(low, high), where)

    def _off(self) -> float:
        return _OFF * math.log(len(self.finite.inputs)) + 2 * (_OFF * (1 - math.log(_OFF)))

    def _rows(self) -> tuple[Floats, Floats]:
        columns = self.finite.columns
        less, more = (each / each.sum(axis=1, keepdims=True) for each in (columns.less, columns.more))
        return less, more


@dataclass(frozen=True, slots=True)
class Worst:
    """The greatest loss or excess, with the pair of secrets at which it is proved."""

    known: Enclosure
    pair: tuple[Values, Values] | None


def _between(low: float, high: float) -> Enclosure:
    return Enclosure.bounded(arb((low + high) / 2), arb(low), arb(high), Certainty.CERTIFIED)


def _information(columns: Floats) -> float:
    prior, seen = columns.sum(axis=1, keepdims=True), columns.sum(axis=0, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = columns * np.log(columns / (prior * seen))
    return float(np.where(columns > 0, terms, 0).sum())


def _divergences(rows: Floats, prior: Floats) -> Floats:
    """Return the divergence of each row from the mean of all."""
    seen = prior @ rows
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = rows * np.log(rows / seen)
    found: Floats = np.where(rows > 0, terms, 0).sum(axis=1)
    return found


def _factor(p: Floats, q: Floats, delta: float) -> float:
    """Return the least t ≥ 1 at which Σ max(0, p − t·q) is at most a number: the sum is linear between the ratios of outputs."""
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = np.where(q > 0, p / q, np.inf)
    order = np.argsort(-ratios)
    tops, bottoms = np.cumsum(p[order]), np.cumsum(q[order])
    after = np.append(ratios[order][1:], 0.0)
    with np.errstate(invalid="ignore"):
        excess = np.where(np.isfinite(after), tops - after * bottoms, 0.0)
    reached = np.flatnonzero(excess >= delta)
    if not len(reached):
        return 1.0
    first = int(reached[0])
    if bottoms[first] <= 0:
        return math.inf
    return max(1.0, float((tops[first] - delta) / bottoms[first]))
