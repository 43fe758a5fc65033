r"""The entropy of a noisy mean of many: h(y | x) for y normal given the component and x, with a mean linear in jointly normal x, in a few dimensions.

Let x be a standard normal and y in component i be N(a_iᵀx + b_i, v_i), as where a random selection of incomes is averaged behind noise. Of x only its
projection u on the span of the a_i − a_0 matters (y less a_0ᵀx has the same entropy given x), and h(y | x) = h(u, y) − h(u), where h(u, y) is a sum over a
lattice with the remainder of :mod:`seepage.measures.gaussian.lattice_remainder`, one point for each orbit of the symmetries. (Where the span is a line, it is
an integral in the plane.)

**What is left out.** Let F = p log(p/M) <= 0, M >= e max p. Points at which no component has a Mahalanobis radius below R are left out: t log(M/t) is concave and so
subadditive, and of each component Σ |F| past R is below an integral past R less two half-diagonals of a cell. **What is approximate**: densities at points
are off by at most a factor 1 ± δ (rounding, unequal images), which moves the sum by δ(Σ|F| + 1). Slopes are off their span by vectors r_i:
∂h/∂m_i sums to at most max|δm| · ∫|f'| <= max|δm| Σ w_i √(2/(π v_i)), and E max|r_iᵀx| <= √n max|r_i|.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from flint import arb

from seepage.measures.gaussian.lattice_remainder import Densities, remainder
from seepage.measures.gaussian.lattice_symmetry import SLACK, Axes, choose_axes
from seepage.measures.gaussian.quadrature import entropies, time_is_up, work_left
from seepage.measures.gaussian.quadrature_frame import UNIT, NotResolved, WeightedGaussian
from seepage.measures.gaussian.quadrature_rules import Floats

MOST_DIMENSIONS = 4
"""Of the span of the slopes; beyond, lattices have too many points for a bound that is worth its time."""
WORK = 1.5e8
"""Densities of components at points that are computed for one number, by an estimate from above: a second or two."""
GOAL = 1e-8
"""The width, in nats, below which no finer lattice is taken."""

_PACE = 4e7  # of them in a second of what time there is: several times as slow as they are
_TO_A_POINT = 20  # of them in the time in which one point of inputs, of a cube, is given to its orbit
_FINENESS = tuple(0.9**k for k in range(30))  # steps, in deviations of the mean precision
_RADII = (6.0, 7.0, 8.0, 9.0)
_RANK = 1e-10  # of the largest singular value; what is below is accounted for as being off the span
_RUN = 16  # points along the output, one after the other
_CHUNK = 4_000  # runs that are held at once


@dataclass(frozen=True, slots=True)
class NoisyMean:
    """y = N(a_iᵀx + b_i, v_i) in component i, x a standard normal of n variables.

    Attributes:
        weights: shape ``(C,)``, positive with sum 1; ``slopes``: a, shape ``(C, n)``; ``offsets``: b, shape ``(C,)``; ``variances``: v, shape ``(C,)``.
        slack: how far slopes and offsets may be off, and weights and variances relatively.
    """

    weights: Floats
    slopes: Floats
    offsets: Floats
    variances: Floats
    slack: float


@dataclass(frozen=True, slots=True)
class _Problem:
    """The same in coordinates in which it has few dimensions: ``off`` is the error in nats of having left the others out."""

    mean: NoisyMean
    axes: Axes
    off: float

    def densities(self) -> Densities:
        normal = np.column_stack([-self.mean.slopes, np.ones(len(self.mean.slopes))])
        precisions = np.einsum("ia,ib->iab", normal, normal) / self.mean.variances[:, None, None]
        inputs = np.diag([*np.ones(self.mean.slopes.shape[1]), 0.0])
        return Densities(self.mean.weights, precisions + inputs)


@dataclass(frozen=True, slots=True)
class _Lattice:
    """Steps, shape ``(d + 1,)``, the radius past which points are left out, and what both cost in nats: the second to one side only."""

    steps: Floats
    radius: float
    remainder: float
    tail: float


def conditional_entropy(mean: NoisyMean, worth: float) -> tuple[float, float]:
    """Return bounds of h(y | x) in nats; ``worth`` is the width that they must be below.

    Raises:
        NotResolved: if the slopes span too many dimensions, the bounds would be wider than that, or the time is up.
    """
    problem = _few_dimensions(mean)
    if problem.mean.slopes.shape[1] == 1:
        return _in_the_plane(problem)
    densities = problem.densities()
    lattice = _choose(problem, densities)
    if 2 * lattice.remainder + lattice.tail >= worth:
        raise NotResolved("no lattice that is fine enough has few enough points")
    total = _sum(problem, densities, lattice)
    deviations = np.sqrt(problem.mean.variances)
    reach = lattice.radius
    moved = (mean.slack + SLACK * _scale(problem.mean)) * (reach + 1) + 8 * UNIT * reach * _scale(problem.mean)
    # An exponent up to 745 (below, exp is 0) is off by some units in the last place of itself, and by √(2·745) deviations times what the mean is off.
    relative = 4000 * UNIT + 800 * (mean.slack + SLACK) + 39 * moved / float(deviations.min())
    error = lattice.remainder + relative * (1.01 - total) + problem.off
    top = 1 + float(np.logaddexp.reduce(densities.log_peaks()))  # log M
    size = problem.mean.slopes.shape[1]
    known = top + size / 2 * math.log(2 * math.pi * math.e)
    rounding = 64 * UNIT * (abs(total) + abs(top) + size)
    return -total - known - error - rounding, -total + lattice.tail - known + error + rounding


def _scale(mean: NoisyMean) -> float:
    return max(float(np.abs(mean.slopes).max()), float(np.abs(mean.offsets).max()))


def _few_dimensions(mean: NoisyMean) -> _Problem:
    """Project the inputs on the span of the slopes, in axes with as many symmetries as can be found."""
    slopes = mean.slopes - mean.weights @ mean.slopes
    offsets = mean.offsets - mean.weights @ mean.offsets
    sizes = np.linalg.svd(slopes, compute_uv=False)
    dimension = int((sizes > _RANK * max(float(sizes[0]), 1e-300)).sum())
    if not 1 <= dimension <= MOST_DIMENSIONS:
        raise NotResolved(f"means differ in {dimension} directions")
    others = np.column_stack([np.log(mean.weights), np.log(mean.variances)])
    axes = choose_axes(slopes, offsets, others, dimension)
    own = slopes @ axes.basis.T
    skew = float(np.linalg.norm(axes.basis @ axes.basis.T - np.eye(dimension)))
    lost = float(np.linalg.norm(slopes - own @ axes.basis, axis=1).max())
    lost += 2 * (skew + 64 * UNIT) * float(np.linalg.norm(own, axis=1).max()) + mean.slack
    steepness = float(mean.weights @ (mean.variances**-0.5)) * math.sqrt(2 / math.pi)
    off = 1.01 * steepness * math.sqrt(slopes.shape[1]) * lost
    return _Problem(NoisyMean(mean.weights, own, offsets, mean.variances, mean.slack), axes, off)


def _in_the_plane(problem: _Problem) -> tuple[float, float]:
    """Return the bounds where slopes span a line: h(u, y) is an integral with a proof."""
    mean, mixture = problem.mean, []
    for weight, slope, offset, variance in zip(
        mean.weights, mean.slopes[:, 0], mean.offsets, mean.variances, strict=True
    ):
        a, v = arb(slope, mean.slack), arb(variance, variance * mean.slack)
        covariance = ((arb(1), a), (a, a * a + v))
        mixture.append(
            WeightedGaussian(arb(weight, weight * mean.slack), (arb(0), arb(offset, mean.slack)), covariance)
        )
    found = entropies([mixture])[0]
    of_input = math.log(2 * math.pi * math.e) / 2
    error = problem.off + 8 * UNIT * (of_input + float(abs(found.value)))
    return float(found.lower) - of_input - error, float(found.upper) - of_input + error


# --- which lattice -----------------------------------------------------------------------------------------------------------


def _choose(problem: _Problem, densities: Densities) -> _Lattice:
    """Return the coarsest lattice that reaches the goal, or the finest that the work allows."""
    units = np.array([float(f"{each:.3g}") for each in np.sqrt(np.diag(densities.spread()))])
    best, work = None, work_left(WORK, _PACE)
    for fineness in _FINENESS:
        steps = fineness * units
        if best is not None and _work(problem, steps) > work:
            break
        left = remainder(densities, steps)
        radius, tail = next(
            (r, tail) for r in _RADII if (tail := _tail(densities, steps, r)) <= 0.1 * left or r == _RADII[-1]
        )
        best = _Lattice(steps, radius, left, tail)
        if 2 * left + tail < GOAL:
            break
    assert best is not None
    return best


def _work(problem: _Problem, steps: Floats) -> float:
    """Return about how many densities of components are computed, or as much work with points of inputs."""
    mean, d = problem.mean, problem.mean.slopes.shape[1]
    ball = math.pi ** (d / 2) / math.gamma(d / 2 + 1) * _RADII[0] ** d
    symmetries = len(problem.axes.keeping(steps[:-1]).places)
    wide = 2 * _RADII[0] * float(np.sqrt(mean.variances).max()) + 2 * (
        math.sqrt(d) * float(np.linalg.norm(mean.slopes, axis=1).max()) + float(np.abs(mean.offsets).max())
    )
    cells = 1 / float(np.prod(steps[:-1]))
    densities = len(mean.weights) * (1 + ball * cells / symmetries) * (1 + wide / float(steps[-1]))
    return float(max(densities, _TO_A_POINT * cells * (2 * _RADII[0]) ** d))


def _tail(densities: Densities, steps: Floats, radius: float) -> float:
    """Return a bound of what the points past the radius add to Σ |F|."""
    size = len(steps)
    half = np.sqrt(np.einsum("a,iab,b->i", steps, np.abs(densities.precisions), steps)) / 2  # of a cell
    start = radius - 2 * half
    if not (start > 2).all():
        return math.inf
    sphere = 2 * math.pi ** (size / 2) / math.gamma(size / 2) * (2 * math.pi) ** (-size / 2)
    first = (start + half) ** (size - 1) * (densities.below_top() + 1 + start**2 / 2) * np.exp(-(start**2) / 2)
    # The integrand in r, (r + half)^(D−1) (L + 1 + r²/2) exp(−r²/2), falls at least at this rate from the start on.
    rate = start - (size - 1) / (start + half) - 2 / start
    return math.inf if not (rate > 0).all() else 1.001 * sphere * float(densities.weights @ (first / rate))


# --- the sum -----------------------------------------------------------------------------------------------------------------


def _sum(problem: _Problem, densities: Densities, lattice: _Lattice) -> float:
    """Return cell · Σ p log(p/M) over the points of the lattice that are not left out, and some that could be."""
    mean, step = problem.mean, float(lattice.steps[-1])
    axes = problem.axes.keeping(lattice.steps[:-1])
    points, counts = axes.orbits(_ball(lattice.steps[:-1], lattice.radius))
    inputs = points * lattice.steps[:-1]
    squares = (inputs**2).sum(axis=1)
    means = inputs @ mean.slopes.T + mean.offsets
    reach = np.sqrt(np.maximum(lattice.radius**2 - squares, 0))[:, None] * np.sqrt(mean.variances)
    first = np.floor((means - reach).min(axis=1) / step)
    runs = np.ceil(((means + reach).max(axis=1) / step - first + 1) / _RUN).astype(np.intp)
    log_inputs = -squares / 2 - inputs.shape[1] / 2 * math.log(2 * math.pi)
    counts = counts * np.exp(log_inputs)
    log_inputs -= 1 + float(np.logaddexp.reduce(densities.log_peaks()))
    sums, ends, at = [], np.cumsum(runs), 0
    while at < len(points):
        if time_is_up():
            raise NotResolved("the time for integrals was up")
        done = int(ends[at - 1]) if at else 0
        stop = max(at + 1, int(np.searchsorted(ends, done + _CHUNK)))
        row = np.repeat(np.arange(at, stop), runs[at:stop])
        starts = first[row] + _RUN * (
            np.arange(len(row)) - np.repeat(ends[at:stop] - runs[at:stop] - done, runs[at:stop])
        )
        density = _density(mean, means[row], starts * step, step)
        density *= np.log(np.maximum(density, 1e-300)) + log_inputs[row]
        sums.append(float(density.sum(axis=0) @ counts[row]))
        at = stop
    return math.fsum(sums) * float(np.prod(lattice.steps))


def _density(mean: NoisyMean, means: Floats, starts: Floats, step: float) -> Floats:
    """Return the density of the output given inputs, shape ``(_RUN, N)``, at points in runs of equal steps from N starts: means have shape ``(N, C)``.

    Of one component the densities along a run are exp(−½ z²) · B^j · exp(−½ (j step/σ)²), B = exp(−z step/σ): products in place of exponentials.
    """
    result = np.zeros((_RUN, len(starts)))
    middle = _RUN // 2
    term = np.empty(len(starts))
    for i, (weight, variance) in enumerate(zip(mean.weights, mean.variances, strict=True)):
        deviation = math.sqrt(variance)
        short = step / deviation
        z = (starts + middle * step - means[:, i]) / deviation
        power = weight / (deviation * math.sqrt(2 * math.pi)) * np.exp(z * (middle * short - z / 2))
        factor = np.exp(-short * z)
        for j in range(_RUN):
            np.multiply(power, math.exp(-(((j - middle) * short) ** 2) / 2), out=term)
            result[j] += term
            power *= factor
    return result


def _ball(steps: Floats, radius: float) -> Floats:
    """Return the whole points k with |k · steps| <= radius, shape ``(N, d)``."""
    sides = [np.arange(-math.floor(radius / step), math.floor(radius / step) + 1.0) for step in steps]
    grid = np.stack([axis.ravel() for axis in np.meshgrid(*sides, indexing="ij")], axis=1)
    return np.asarray(grid[grid**2 @ steps**2 <= radius**2 * (1 + 1e-12)])
