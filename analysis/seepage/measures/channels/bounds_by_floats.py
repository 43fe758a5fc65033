r"""Measures of a large channel in double precision, with proof: the prior p and the matrix W are arrays of floats with known relative errors.

Sums of positive terms keep relative errors, whatever their order: a sum of n terms adds at most n units (Higham 2002, "Accuracy and stability of
numerical algorithms", section 4.2). A logarithm of a library is within 4 units in the last place. Entries are 0 or above :data:`LEAST`, so that
nothing underflows.
"""

from __future__ import annotations

from math import fsum

import numpy as np
import numpy.typing as npt

from seepage.data_classes import dataclass
from seepage.engines.outcome import Budget

Floats = npt.NDArray[np.float64]

LEAST = 1e-120

_UNIT = 2.0**-53
_LOG = 8  # units: four in the last place
_SAFE = 1.01  # for products of small relative errors
_WORK = 250_000_000  # entries that the rounds of Blahut and Arimoto's iteration may visit
_MOST_ROUNDS = 20_000
_GAP = 1e-9  # nats, at which it may stop
_LOOK = 10  # rounds between two looks at the gap and the clock


@dataclass(frozen=True, slots=True)
class Bounds:
    """``lower <= true value <= upper`` about ``value``; logarithms are natural."""

    lower: float
    value: float
    upper: float


@dataclass(frozen=True, slots=True)
class Arrays:
    """A channel in floats.

    Attributes:
        prior: p, of shape (n,), positive.
        matrix: W, of shape (n, m), each row a distribution; entries are 0, exactly, or at least :data:`LEAST`.
        units: so many units of 2⁻⁵³ each entry of both may be off, relative to the true one.
    """

    prior: Floats
    matrix: Floats
    units: int

    @property
    def outputs(self) -> Floats:
        """The law of the output; each is off by at most :attr:`sums` units."""
        return self.prior @ self.matrix

    @property
    def sums(self) -> int:
        """Units of a sum of products of entries of both over one axis."""
        return 2 * self.units + 1 + int(max(self.matrix.shape))


def _about(value: float, error: float, least: float = -np.inf, most: float = np.inf) -> Bounds:
    lower = max(float(np.nextafter(value - error, -np.inf)), least)
    upper = min(float(np.nextafter(value + error, np.inf)), most)
    return Bounds(lower, min(max(value, lower), upper), upper)


def _relative(value: float, units: int, most: float = np.inf) -> Bounds:
    return _about(value, _SAFE * units * _UNIT * value, 0.0, most)


def logarithm(one: Bounds) -> Bounds:
    """Return the logarithm of a positive number, or of infinity."""
    if one.lower == np.inf:
        return one
    lower, value, upper = (float(np.log(each)) if each > 0 else -np.inf for each in (one.lower, one.value, one.upper))
    return Bounds(
        float(np.nextafter(lower - abs(lower) * _LOG * _UNIT, -np.inf)),
        value,
        float(np.nextafter(upper + abs(upper) * _LOG * _UNIT, np.inf)),
    )


def entropy(masses: Floats, units: int) -> Bounds:
    """Return the entropy of a law whose masses are off by at most so many units, in nats."""
    masses = masses[masses > 0]
    logs = np.log(masses)
    terms = -masses * logs
    moved = masses * units * _UNIT + np.abs(terms) * (units + _LOG + 2) * _UNIT
    error = _SAFE * (fsum(moved) + abs(fsum(terms)) * 2 * _UNIT)
    return _about(fsum(terms), error, 0.0)


def information(arrays: Arrays) -> Bounds:
    r"""Return :math:`I = \sum_x p_x D(W_x \| q)`, in nats."""
    return _mean(arrays, *divergences(arrays))


def _mean(arrays: Arrays, values: Floats, errors: Floats) -> Bounds:
    terms = arrays.prior * values
    error = _SAFE * (fsum(arrays.prior * errors) + fsum(np.abs(terms)) * (arrays.units + 4) * _UNIT)
    return _about(fsum(terms), error, 0.0)


def divergences(arrays: Arrays) -> tuple[Floats, Floats]:
    """Return the divergence of each row from the law of the output, and how far it may be off.

    A row is given up to its rounding, so that its masses need not sum to 1 exactly: an error of a mass m moves its term by at most the share of
    m times 1 + |log|.
    """
    outputs = arrays.outputs
    width = arrays.matrix.shape[1]
    values, errors = np.zeros(len(arrays.prior)), np.zeros(len(arrays.prior))
    ratio_units = arrays.units + arrays.sums + 1
    for place, row in enumerate(arrays.matrix):
        there = row > 0
        masses = row[there]
        terms = masses * np.log(masses / outputs[there])
        size = float(np.abs(terms).sum())
        values[place] = terms.sum()
        errors[place] = _SAFE * _UNIT * (float(masses.sum()) * ratio_units + size * (arrays.units + _LOG + 2 + width))
    return values, errors


def vulnerability_before(arrays: Arrays) -> Bounds:
    """Return the chance to guess the input at once."""
    return _relative(float(arrays.prior.max()), arrays.units, 1.0)


def vulnerability_after(arrays: Arrays) -> Bounds:
    r"""Return :math:`\sum_y \max_x p_x W(y|x)`, the chance to guess the input at once after the output is seen."""
    best = (arrays.prior[:, None] * arrays.matrix).max(axis=0)
    return _relative(fsum(best), 2 * arrays.units + 2, 1.0)


def greatest_sum(arrays: Arrays) -> Bounds:
    r"""Return :math:`\sum_y \max_x W(y|x)`, whose logarithm is the min-capacity."""
    return _relative(fsum(arrays.matrix.max(axis=0)), arrays.units + 1)


def greatest_ratio(arrays: Arrays) -> Bounds:
    r"""Return :math:`\max_{x, x', y} W(y|x) / W(y|x')`, whose logarithm is the least ε of differential privacy between all inputs; infinity if one is 0."""
    most, least = arrays.matrix.max(axis=0), arrays.matrix.min(axis=0)
    if (least[most > 0] == 0).any():
        return Bounds(np.inf, np.inf, np.inf)
    found = _relative(float((most[most > 0] / least[most > 0]).max()), 2 * arrays.units + 1)
    return Bounds(max(found.lower, 1.0), max(found.value, 1.0), found.upper)


def capacity(arrays: Arrays, budget: Budget) -> Bounds:
    r"""Enclose the Shannon capacity, in nats, by Blahut and Arimoto's iteration (1972).

    Every prior gives a lower bound, its information, and an upper bound, :math:`\max_x D(W_x \| q)` for its own output law q.
    """
    matrix = arrays.matrix
    negentropy = np.sum(matrix * np.log(np.where(matrix > 0, matrix, 1.0)), axis=1)
    prior = best = np.full(len(arrays.prior), 1 / len(arrays.prior))
    most, step = -np.inf, 1.0
    for number in range(min(_WORK // matrix.size, _MOST_ROUNDS)):
        rough = negentropy - matrix @ np.log(np.maximum(prior @ matrix, 1e-300))
        if number % _LOOK == 0:
            level = float(prior @ rough)
            if level < most:  # the steps were too long: go on from the best prior with those that always gain
                prior, step = best, 1.0
                continue
            best, most, step = prior, level, step * 1.5
            if float(rough.max()) - level < _GAP or budget.expired():
                break
        prior = prior * np.exp(step * (rough - rough.max()))
        prior /= prior.sum()
    prior = best
    prior = np.maximum(prior, LEAST)
    # Whatever this prior is, taken as exact numbers over their sum: that division is one sum and one rounding.
    there = Arrays(prior / prior.sum(), matrix, max(arrays.units, len(prior) + 2))
    values, errors = divergences(there)
    lower = _mean(there, values, errors)
    upper = float(np.nextafter((values + errors).max(), np.inf))
    return Bounds(lower.lower, min(max(lower.value, lower.lower), upper), upper)
