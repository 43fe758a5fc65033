r"""Bounds for the integral of the greatest of several combinations of Gaussian densities in several dimensions, from a grid.

A Gaussian density is log-concave, so in a box it is least at a corner. With :math:`\ell_k` that least value, :math:`c_{wk} \ge 0` and
:math:`c_k = \max_w c_{wk}`, a box of volume v adds at least :math:`v \max_w \sum_k c_{wk} \ell_k` to the integral, and takes at least
:math:`v \min_w \sum_k (c_k - c_{wk}) \ell_k` from the bound :math:`\sum_k c_k`. The bounds come closer with the width of the boxes only.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

from flint import arb, arb_mat

from seepage.engines.outcome import Budget
from seepage.exact import precision
from seepage.measures.gaussian.quadrature_frame import WeightedGaussian
from seepage.measures.rounding import float_below

_REACH = 5.0  # standard deviations
_POINTS = 30_000  # evaluations of densities
_BITS = 64
_ROUNDING = 1 - 1e-9  # more than sums of some thousand floats lose


def grid_bounds(
    gaussians: Sequence[WeightedGaussian], combinations: Sequence[Sequence[arb]], budget: Budget
) -> tuple[arb, arb] | None:
    """Return a lower and an upper bound; None where the grid would be too coarse to say anything, or time ends.

    The weights of the Gaussians are ignored: the coefficients take their place.
    """
    dimension = len(gaussians[0].mean)
    side = int((_POINTS / len(gaussians)) ** (1 / dimension))
    if side < 6:
        return None
    smallest = [min(float_below(row[k]) for row in combinations) for k in range(len(gaussians))]
    greatest = [-min(float_below(-row[k]) for row in combinations) for k in range(len(gaussians))]
    above = [[max(0.0, float_below(row[k] - arb(low))) for k, low in enumerate(smallest)] for row in combinations]
    short = [[max(0.0, float_below(arb(high) - row[k])) for k, high in enumerate(greatest)] for row in combinations]
    axes = [_axis(gaussians, at, side) for at in range(dimension)]
    corners = _corners(gaussians, axes, budget)
    if corners is None:
        return None
    volume = math.prod(axis[1] - axis[0] for axis in axes)
    added = taken = 0.0
    offsets = list(itertools.product((0, 1), repeat=dimension))
    for box in itertools.product(range(side - 1), repeat=dimension):
        around = [corners[tuple(i + o for i, o in zip(box, offset, strict=True))] for offset in offsets]
        least = [min(one) for one in zip(*around, strict=True)]
        added += max(sum(a * b for a, b in zip(row, least, strict=True)) for row in above)
        taken += min(sum(a * b for a, b in zip(row, least, strict=True)) for row in short)
    lower = sum(map(arb, smallest), arb(0)) + arb(added * volume * _ROUNDING)
    upper = sum(map(arb, greatest), arb(0)) - arb(taken * volume * _ROUNDING)
    return lower.lower(), upper.upper()


def _axis(gaussians: Sequence[WeightedGaussian], at: int, side: int) -> list[float]:
    """Return equally spaced places over all Gaussians' reach; the step has few digits, so that places and their differences are exact."""
    spread = [float(gaussian.covariance[at][at].sqrt().mid()) for gaussian in gaussians]
    means = [float(gaussian.mean[at].mid()) for gaussian in gaussians]
    low = min(mean - _REACH * width for mean, width in zip(means, spread, strict=True))
    high = max(mean + _REACH * width for mean, width in zip(means, spread, strict=True))
    unit = 2.0 ** (math.floor(math.log2((high - low) / (side - 1))) - 8)
    step = math.ceil((high - low) / (side - 1) / unit) * unit
    middle = round((low + high) / 2 / step)
    return [(middle + i - side // 2) * step for i in range(side)]


def _corners(
    gaussians: Sequence[WeightedGaussian], axes: Sequence[Sequence[float]], budget: Budget
) -> dict[tuple[int, ...], tuple[float, ...]] | None:
    """Return lower bounds of all densities at the grid's points."""
    with precision(_BITS):
        try:
            forms = [_form(gaussian) for gaussian in gaussians]
        except ZeroDivisionError:
            return None
        found: dict[tuple[int, ...], tuple[float, ...]] = {}
        for index in itertools.product(*(range(len(axis)) for axis in axes)):
            if index[-1] == 0 and budget.expired():
                return None
            point = [arb(axis[i]) for axis, i in zip(axes, index, strict=True)]
            found[index] = tuple(_density(form, point) for form in forms)
        return found


_Form = tuple[tuple[arb, ...], arb_mat, arb]


def _form(gaussian: WeightedGaussian) -> _Form:
    matrix = arb_mat([list(row) for row in gaussian.covariance])
    scale = ((2 * arb.pi()) ** len(gaussian.mean) * matrix.det()).sqrt()
    return gaussian.mean, matrix.inv(), 1 / scale


def _density(form: _Form, point: Sequence[arb]) -> float:
    mean, precision_matrix, scale = form
    away = [a - b for a, b in zip(point, mean, strict=True)]
    n = len(away)
    square = sum((away[i] * away[j] * precision_matrix[i, j] for i in range(n) for j in range(n)), arb(0))
    density = scale * (-square / 2).exp()
    return max(0.0, float_below(density)) if density.is_finite() else 0.0
