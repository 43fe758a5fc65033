"""What an attacker can expect who guesses at a place, or at what it depends on, after he sees it behind planar Laplace noise."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from flint import arb, fmpq

from seepage import exact
from seepage.data_classes import dataclass
from seepage.engines.outcome import Budget, DiscreteJoint
from seepage.exact import compare
from seepage.laws.forms import Beyond
from seepage.measures.discrete.weights import Values
from seepage.measures.enclosure import Enclosure
from seepage.measures.gaussian.quadrature_rules import Floats
from seepage.measures.guessing.entropy import guessing_entropy
from seepage.measures.guessing.gains import ONE_TRY, Distance, Gain, Table
from seepage.measures.guessing.vulnerability import conditional_vulnerability
from seepage.measures.planar.best import best_gain
from seepage.measures.planar.boxes import Scattered
from seepage.measures.planar.line import left as left_on_line
from seepage.measures.planar.line import left_to as left_to_on_line
from seepage.measures.planar.noisy_places import Names, NoisyPlaces, Place, floats
from seepage.measures.planar.rays import Chances, left, left_to
from seepage.measures.result import Certainty

_MOST_PAIRS = 200_000
_MOST_GAINS = 100_000
_ROUNDING = 1e-13  # of places, weights, and sums of chances

Groups = Mapping[Values, Mapping[Place, arb]]


@dataclass(frozen=True, slots=True)
class PlanarSight:
    """As :class:`~seepage.measures.guessing.questions.Sight` says.

    Attributes:
        known: the law of all.
        x: what is guessed, discrete.
    """

    known: NoisyPlaces
    x: Names

    def secret(self) -> DiscreteJoint[fmpq] | DiscreteJoint[arb]:
        """Return the law of what is guessed."""
        return self.known.joint.marginal(self.x)

    def expected_gain(self, y: Names, gain: Gain, budget: Budget) -> Enclosure:
        """Return the greatest expected gain from a guess after ``y`` is seen.

        Raises:
            Beyond: if the gain is of several tries, or there are too many guesses.
        """
        discrete = self._discrete(y)
        if discrete is None:
            return conditional_vulnerability(self.known.joint, self.x, y, gain, budget)
        low = high = 0.0
        for group in self.known.groups(discrete, self.x).values():
            ends = self._right(group) if gain == ONE_TRY and _is_apart(group) else self._gained(group, gain)
            low, high = low + ends[0], high + ends[1]
        return between(low, high)

    def guesses(self, y: Names, budget: Budget) -> Enclosure:
        r"""Return the expected number of guesses after ``y`` is seen: 1 and for each two values the chance of the less likely one, :math:`\int \min(w_i f_i, w_j f_j)`.

        Raises:
            Beyond: if there are too many pairs of values, or several places of one value.
        """
        discrete = self._discrete(y)
        if discrete is None:
            return guessing_entropy(self.known.joint, self.x, y, None, budget)
        low = high = 1.0
        for group in self.known.groups(discrete, self.x).values():
            if not _is_apart(group):
                raise Beyond("a number of guesses at what several places speak for")
            found, error = self._less_likely(group)
            low, high = low + found - error, high + found + error
        return between(low, high)

    def _discrete(self, y: Names) -> Names | None:
        """Return what is seen beside the noisy place; None where that is not seen.

        Raises:
            Beyond: if one of its coordinates is seen alone.
        """
        noisy = [name for name in y if name in self.known.noisy]
        if not noisy:
            return None
        if len(noisy) < len(self.known.noisy):
            raise Beyond("one coordinate of a noisy place without the other")
        return tuple(name for name in y if name not in self.known.noisy)

    def _right(self, group: Groups) -> tuple[float, float]:
        """Return bounds of the chance to guess right, and be in a group, where each value has one place."""
        return heaviest_chance([(place, chance) for one in group.values() for place, chance in one.items()], self.known)

    def _less_likely(self, group: Groups) -> tuple[float, float]:
        """Return the sum over pairs of values of the chance of the less likely one, and how far it may be off."""
        entries = [(place, chance) for one in group.values() for place, chance in one.items()]
        count = len(entries)
        if count * (count - 1) // 2 > _MOST_PAIRS:
            raise Beyond(f"{count:,} values, of which there are too many pairs")
        points = floats([place for place, _ in entries], self.known.rate)
        weights = np.array([float(chance.mid()) for _, chance in entries])
        one, other = np.triu_indices(count, 1)
        offsets = points[one] - points[other]
        apart, lead = np.sqrt((offsets**2).sum(axis=1)), np.log(weights[one]) - np.log(weights[other])
        same = apart == 0
        apart = np.where(same, 1.0, apart)
        pair = pairs_left(self.known)
        first, second = pair(apart, lead), pair(apart, -lead)
        found = np.where(
            same,
            np.minimum(weights[one], weights[other]),
            weights[one] * first.values + weights[other] * second.values,
        )
        errors = np.where(same, 0.0, weights[one] * first.errors + weights[other] * second.errors)
        total = float(found.sum())
        return total, float(errors.sum()) + _rounding(points) * total

    def _gained(self, group: Groups, gain: Gain) -> tuple[float, float]:
        """Return bounds of what the best guess gains, by an integral over the plane."""
        values = list(group)
        places = list(dict.fromkeys((value, place) for value in values for place in group[value]))
        if len(self.known.noisy) < 2:
            raise Beyond("guesses at what several places on a line speak for")
        table = _table(values, gain)
        if table.shape[0] * len(places) > _MOST_GAINS:
            raise Beyond(f"{table.shape[0]:,} guesses and {len(places):,} places, which are too many")
        gains = table[:, [values.index(value) for value, _ in places]]
        weights = np.array([float(group[value][place].mid()) for value, place in places])
        points = floats([place for _, place in places], self.known.rate)
        found = best_gain(Scattered(points, weights), gains, self.known.stop)
        off = _rounding(points) * float(np.abs(gains).max())
        return found.lower - off, found.upper + off


def heaviest_chance(entries: Sequence[tuple[Place, arb]], known: NoisyPlaces) -> tuple[float, float]:
    r"""Return bounds of :math:`\int \max_k w_k f(o - x_k)\, do` for places with weights."""
    heaviest: dict[Place, float] = {}
    for place, chance in entries:
        heaviest[place] = max(heaviest.get(place, 0.0), float(chance.mid()))
    points, weights = floats(list(heaviest), known.rate), np.array(list(heaviest.values()))
    if not (weights > 0).all():
        raise Beyond("a place of a chance that is below all floating-point numbers")
    if len(points) == 1:
        return float(weights[0]) * (1 - _ROUNDING), float(weights[0]) * (1 + _ROUNDING)
    each = np.log(weights)
    lost = left(points, each) if points.shape[1] == 2 else left_on_line(points[:, 0], each)
    found = float((weights * (1 - lost.values)).sum())
    error = float((weights * lost.errors).sum()) + _rounding(points) * found
    return found - error, found + error


def pairs_left(known: NoisyPlaces) -> Callable[[Floats, Floats], Chances]:
    """Return what tells how likely noise reaches outputs at which the other one of two places is likelier."""
    return left_to if len(known.noisy) == 2 else left_to_on_line


def between(low: float, high: float) -> Enclosure:
    """Return what lies between two numbers."""
    return Enclosure.bounded(arb((low + high) / 2), arb(low), arb(high), Certainty.CERTIFIED)


def _is_apart(group: Groups) -> bool:
    """Tell whether each value has one place."""
    return all(len(places) == 1 for places in group.values())


def _rounding(points: Floats) -> float:
    """Bound how far rounded places and weights take sums of chances off, relatively."""
    return _ROUNDING * (1 + float(np.abs(points).max()))


def _table(values: Sequence[Values], gain: Gain) -> Floats:
    """Return what each guess gains at each value.

    Raises:
        Beyond: if an attacker has several tries.
    """
    match gain:
        case Table(gains=rows):
            return np.array([[exact.nearest_float(row.get(value, 0)) for value in values] for row in rows.values()])
        case Distance(extent=extent):
            if compare(extent, 0) == 0:
                return np.ones((1, len(values)))
            numbers = np.array([exact.nearest_float(value) for (value,) in values])
            return np.asarray(1 - np.abs(numbers[:, None] - numbers) / exact.nearest_float(extent))
        case _ if gain == ONE_TRY:
            return np.eye(len(values))
        case _:
            raise Beyond("several tries at a noisy place")
