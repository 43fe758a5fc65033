r"""The entropy of a noisy mean of many: h(y | x) for y normal given the component and x, with a mean linear in jointly normal x, in a few dimensions.

Let x be a standard normal and y in component i be N(a_iᵀx + b_i, v_i), as where a random selection of incomes is averaged behind noise. Of x only its
projection u on the span of the a_i − a_0 matters (y less a_0ᵀx has the same entropy given x), and h(y | x) = h(u, y) − h(u), where h(u, y) is a sum over a
lattice with the remainder of :mod:`seepage.measures.gaussian.lattice_remainder`, one point for each orbit of the symmetries. (Where the span is a line, it is
an integral in the plane.)

**What is left out.** Let F = p log(p/M) <= 0, M >= e max p. Where a component has a Mahalanobis radius above R it may be left out: f(t) = t log(M/t) grows and is
concave, and so 0 <= f(p) − f(p − t) <= f(t), and of each component Σ f past R is below an integral past R less two half-diagonals of a cell. **What is approximate**: densities at points
are off by at most a factor 1 ± δ (rounding, unequal images), which moves the sum by δ(Σ|F| + 1). Slopes are off their span by vectors r_i:
∂h/∂m_i sums to at most max|δm| · ∫|f'| <= max|δm| Σ w_i √(2/(π v_i)), and E max|r_iᵀx| <= √n max|r_i|.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
from flint import arb

from seepage.data_classes import dataclass
from seepage.measures.gaussian.lattice_remainder import Densities, Remainder, balanced_steps, remainder
from seepage.measures.gaussian.lattice_symmetry import SLACK, Axes, choose_axes
from seepage.measures.gaussian.quadrature import entropies, time_is_up, work_left
from seepage.measures.gaussian.quadrature_frame import UNIT, NotResolved, WeightedGaussian
from seepage.measures.gaussian.quadrature_rules import Floats

MOST_DIMENSIONS = 4
"""Of the span of the slopes; beyond, lattices have too many points for a bound that is worth its time."""
MOST_COMPONENTS = 128
"""The remainder looks at all pairs of them."""
WORK = 3e9
"""Densities of components at points that are computed for one number, by an estimate: some ten seconds."""
GOAL = 8e-9
"""The width, in nats, below which no finer lattice is taken."""

_PACE = 8.5e7  # of them in a second of what time there is: some are slower
_TO_A_POINT = 200  # of them in the time in which one point of inputs is looked at
_GOALS = tuple(GOAL * 10.0 ** (k / 4) for k in range(37))
_OF_OUTPUT = (0.8, 0.6, 0.45, 0.35)
"""Shares of a step that would cost as much as those of the inputs: the nearest points of the dual are off the axes."""
_SHARES = (0.05, 1.0)
"""Of the work that there may be time for: what a first sum gives is told where the second takes longer than was thought."""
_RADII = tuple(5 + k / 4 for k in range(21))
_RANK = 1e-10  # of the largest singular value; what is below is accounted for as being off the span
_RUN = 16  # points along the output, one after the other
_CHUNK = 2_000  # runs that are held at once: products of matrices so small are left to one thread
_BLOCK = 50_000  # points of inputs that are held at once


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
        count, size = self.mean.slopes.shape
        normal = np.column_stack([-self.mean.slopes, np.ones(count)])
        precisions = np.einsum("ia,ib->iab", normal, normal) / self.mean.variances[:, None, None]
        inputs = np.diag([*np.ones(size), 0.0])
        means = np.column_stack([np.zeros((count, size)), self.mean.offsets])
        return Densities(self.mean.weights, means, precisions + inputs)


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
    bounds, work = _bounds(densities), work_left(WORK, _PACE)
    found: tuple[float, float] | None = None
    for share in _SHARES:
        lattice = _choose(problem, densities, bounds, share * work)
        promised = math.inf if lattice is None else 2 * lattice.remainder + lattice.tail
        if lattice is None or promised >= (worth if found is None else (found[1] - found[0]) / 2):
            continue
        try:
            found = _by_sum(problem, densities, lattice, mean.slack)
        except NotResolved:
            if found is None:
                raise
    if found is None:
        raise NotResolved("no lattice that is fine enough has few enough points")
    return found


def _by_sum(problem: _Problem, densities: Densities, lattice: _Lattice, slack: float) -> tuple[float, float]:
    """Return the bounds by one lattice; ``slack`` is that of the mixture in its own coordinates."""
    total = _sum(problem, densities, lattice)
    deviations = np.sqrt(problem.mean.variances)
    reach = lattice.radius
    moved = (slack + SLACK * _scale(problem.mean)) * (reach + 1) + 8 * UNIT * reach * _scale(problem.mean)
    # An exponent up to 745 (below, exp is 0) is off by some units in the last place of itself, and by √(2·745) deviations times what the mean is off.
    squares = 8 * UNIT * (reach + _RUN * float(lattice.steps[-1] / deviations.min())) ** 2
    relative = 4000 * UNIT + squares + 800 * (slack + SLACK) + 39 * moved / float(deviations.min())
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
    if len(slopes) > MOST_COMPONENTS:
        raise NotResolved(f"there are {len(slopes)} components")
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


def _choose(problem: _Problem, densities: Densities, bounds: Remainder, work: float) -> _Lattice | None:
    """Return the coarsest lattice that reaches the goal, or the finest of some that the work allows; None if none does."""
    for goal in _GOALS:
        steps = bounds.factor(0.4 * goal) * bounds.steps
        steps = np.array([float(f"{each:.3g}") for each in steps])  # so that images of axes have equal ones
        tails = ((radius, _tail(densities, steps, radius)) for radius in _RADII)
        radius, tail = next((radius, tail) for radius, tail in tails if tail <= 0.2 * goal or radius == _RADII[-1])
        if _work(problem, steps, radius) <= work:
            return _Lattice(steps, radius, bounds.at(float((steps / bounds.steps).max())), tail)
    return None


def _bounds(densities: Densities) -> Remainder:
    """Return the bounds for lattices of some shape that has few points for the goal: the output's step is made shorter, as long as that is better."""
    steps, best, largest = balanced_steps(densities, GOAL), None, 0.0
    for share in _OF_OUTPUT:
        found = remainder(densities, np.array([*steps[:-1], share * steps[-1]]))
        cell = float(np.prod(found.factor(0.4 * GOAL) * found.steps))
        if best is not None and cell <= largest:
            break
        best, largest = found, cell
    assert best is not None
    return best


def _work(problem: _Problem, steps: Floats, radius: float) -> float:
    """Return about how many densities of components are computed, or as much work with points of inputs."""
    mean, d = problem.mean, problem.mean.slopes.shape[1]
    cells, symmetries = 2 / float(np.prod(steps[:-1])), len(problem.axes.keeping(steps[:-1]).places)
    inputs, both = (math.pi ** (k / 2) / math.gamma(k / 2 + 1) * radius**k for k in (d, d + 1))
    of_runs = float((both * np.sqrt(mean.variances) / steps[-1] + _RUN * inputs).sum())
    return float((of_runs + _TO_A_POINT * inputs) * cells / symmetries)


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
    """Return the volume per point times Σ p log(p/M) over the points of the lattice that are not left out, and some that could be."""
    half, step = lattice.steps[:-1] / 2, float(lattice.steps[-1])
    axes = problem.axes.keeping(lattice.steps[:-1])
    log_top = 1 + float(np.logaddexp.reduce(densities.log_peaks()))
    sums: list[float] = []
    for odd in (0, 1):
        points, counts = axes.ball(half, lattice.radius, odd)
        for at in range(0, len(points), _BLOCK):
            block = slice(at, at + _BLOCK)
            inputs = _inputs(problem.mean, points[block] * half, counts[block], lattice, odd / 2)
            sums.extend(_of_runs(problem.mean, each, step, log_top) for each in inputs)
    return math.fsum(sums) * float(np.prod(lattice.steps)) / 2


@dataclass(frozen=True, slots=True)
class _Inputs:
    """Points of the inputs, at each of which outputs are looked at in runs of ``_RUN`` points.

    Attributes:
        firsts: the first output, shape ``(n,)``.
        runs: how many runs there are, shape ``(n,)``.
        means, reaches: of the output in each component, and how far from it points are not left out: shape ``(n, C)``.
        logs: log of the density of the inputs, shape ``(n,)``.
        counts: how many points of the inputs each stands for, shape ``(n,)``.
    """

    firsts: Floats
    runs: npt.NDArray[np.intp]
    means: Floats
    reaches: Floats
    logs: Floats
    counts: Floats


def _inputs(mean: NoisyMean, inputs: Floats, counts: Floats, lattice: _Lattice, offset: float) -> Iterator[_Inputs]:
    """Yield some points of the inputs, shape ``(n, d)``, as many at once as have some thousands of runs."""
    step = float(lattice.steps[-1])
    squares = (inputs**2).sum(axis=1)
    logs = -squares / 2 - inputs.shape[1] / 2 * math.log(2 * math.pi)
    means = inputs @ mean.slopes.T + mean.offsets
    reaches = np.sqrt(np.maximum(lattice.radius**2 - squares, 0))[:, None] * np.sqrt(mean.variances)
    firsts = np.floor((means - reaches).min(axis=1) / step) - 1 + offset
    runs = np.ceil(((means + reaches).max(axis=1) / step - firsts + 1) / _RUN).astype(np.intp)
    ends, at = np.cumsum(runs), 0
    while at < len(inputs):
        if time_is_up():
            raise NotResolved("the time for integrals was up")
        stop = max(at + 1, int(np.searchsorted(ends, ends[at] - runs[at] + _CHUNK)))
        part = slice(at, stop)
        yield _Inputs(firsts[part] * step, runs[part], means[part], reaches[part], logs[part], counts[part])
        at = stop


def _of_runs(mean: NoisyMean, inputs: _Inputs, step: float, log_top: float) -> float:
    """Return Σ p log(p/M) over the points of some runs."""
    density = _density(mean, inputs, step)
    shares = inputs.counts * np.exp(inputs.logs)
    logs = np.log(np.maximum(density, 1e-300))
    logs += np.repeat(inputs.logs - log_top, inputs.runs)[:, None]
    return float(np.einsum("rj,rj->r", density, logs) @ np.repeat(shares, inputs.runs))


def _density(mean: NoisyMean, inputs: _Inputs, step: float) -> Floats:
    """Return the density of the output given inputs, shape ``(runs, _RUN)``, without components at runs that they do not reach."""
    ahead = (inputs.means - inputs.firsts[:, None]).T
    low = np.floor((ahead - inputs.reaches.T) / (_RUN * step)).astype(np.intp)
    numbers = np.floor((ahead + inputs.reaches.T) / (_RUN * step)).astype(np.intp) - low + 1
    begins = np.cumsum(inputs.runs) - inputs.runs
    # All runs of all components, those of a component one after the other: which there is at a point of the inputs, and in all.
    of, ends = np.repeat(np.arange(numbers.size), numbers.ravel()), np.cumsum(numbers)
    within = np.arange(len(of)) + (low.ravel() - ends + numbers.ravel())[of]
    places = within + np.tile(begins, len(numbers))[of]
    # log(w N) at the points of a run is a square of (z + j g): so three numbers for each run times three for each point.
    component = of // len(begins)
    g = (step / np.sqrt(2 * mean.variances))[component]
    z = g * (within * _RUN + _RUN // 2 - ahead.ravel()[of] / step)
    peaks = (np.log(mean.weights) - np.log(2 * math.pi * mean.variances) / 2)[component]
    j = np.arange(_RUN) - _RUN // 2
    terms = np.stack([peaks - z * z, -2 * z * g, -g * g], axis=1) @ np.stack([np.ones(_RUN), j, j * j])
    np.exp(terms, out=terms)
    result = np.zeros((int(inputs.runs.sum()), _RUN))
    last = 0
    for number in numbers.sum(axis=1):  # of one component: no run comes twice
        part = slice(last, last := last + int(number))
        sums = result.take(places[part], axis=0)
        sums += terms[part]
        result[places[part]] = sums
    return result
