"""Sums over lattices against integrals in the plane, against coarser lattices, and against sums over other grids."""

import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from flint import arb
from tests.measures.gaussian.gaussian_mixtures import Affine, Part, joint

from seepage.deadline import Deadline, watched
from seepage.engines.outcome import MixtureJoint
from seepage.exact import Number
from seepage.measures.gaussian import lattice, quadrature
from seepage.measures.gaussian.entropy import conditional_entropy
from seepage.measures.gaussian.information import mutual_information
from seepage.measures.gaussian.lattice import NoisyMean
from seepage.measures.gaussian.lattice_remainder import Densities, balanced_steps, remainder
from seepage.measures.gaussian.lattice_symmetry import choose_axes
from seepage.measures.gaussian.noisy_means import noisy_mean_entropy
from seepage.measures.gaussian.quadrature_frame import NotResolved, WeightedGaussian
from seepage.measures.gaussian.quadrature_rules import Floats

HALF = Fraction(1, 2)
ANY = 9.0  # nats: bounds of any width


def random_mean(source: np.random.Generator, inputs: int) -> NoisyMean:
    """Some components, now and then with like weights, like variances or whole slopes, so that there are symmetries."""
    count, kind = int(source.integers(2, 6)), source.integers(3)
    weights = np.maximum(source.dirichlet(np.ones(count)), 1e-6)
    slopes = source.normal(size=(count, inputs)) * source.choice([0.3, 1, 2])
    offsets, variances = source.normal(size=count), np.exp(source.normal(size=count)) * 0.5
    if kind == 0:
        slopes = np.round(slopes)
    elif kind == 1:
        weights, offsets, variances = np.full(count, 1.0), 0 * offsets, np.full(count, variances[0])
    return NoisyMean(weights / weights.sum(), slopes, offsets, variances, 1e-15)


def by_grid(mean: NoisyMean, step: float) -> float:
    """The same by a sum over a grid of inputs, which is shifted, and for each of them one over outputs."""
    size, deviations = mean.slopes.shape[1], np.sqrt(mean.variances)
    axis = np.arange(-7, 7, step) + step / 3
    inputs = np.stack(np.meshgrid(*[axis] * size), axis=-1).reshape(-1, size)
    chance = np.exp(-(inputs**2).sum(axis=1) / 2) * (step / math.sqrt(2 * math.pi)) ** size
    inputs, chance = inputs[chance > 1e-13], chance[chance > 1e-13]
    means = inputs @ mean.slopes.T + mean.offsets
    short, total = deviations.min() / 3, 0.0
    for rows in np.array_split(np.arange(len(inputs)), len(inputs) // 400 + 1):
        low, high = (means[rows] - 8 * deviations).min(axis=1), (means[rows] + 8 * deviations).max(axis=1)
        y = low[:, None] + short * np.arange(int((high - low).max() / short) + 2)
        scales = mean.weights / (deviations * math.sqrt(2 * math.pi))
        f = sum(
            scales[i] * np.exp(-(((y - means[rows, i, None]) / deviations[i]) ** 2) / 2) for i in range(len(scales))
        )
        total -= float(chance[rows] @ (f * np.log(np.maximum(f, 1e-300))).sum(axis=1)) * short
    return total


@pytest.mark.family(every=8)
@pytest.mark.parametrize("seed", range(40))
def test_one_input_is_an_integral_in_the_plane(seed: int) -> None:
    mean = random_mean(np.random.default_rng(seed), 1)
    mixture = [
        WeightedGaussian(arb(w), (arb(0), arb(b)), ((arb(1), arb(a)), (arb(a), arb(a) * arb(a) + arb(v))))
        for w, a, b, v in zip(mean.weights, mean.slopes[:, 0], mean.offsets, mean.variances, strict=True)
    ]

    found = quadrature.entropies([mixture])[0]

    inputs = math.log(2 * math.pi * math.e) / 2
    if np.ptp(mean.slopes):
        low, high = lattice.conditional_entropy(mean, ANY)
        assert low - 1e-9 <= float(found.lower) - inputs <= float(found.upper) - inputs <= high + 1e-9
        assert high - low < 1e-6


@pytest.mark.family(every=6)
@pytest.mark.parametrize("seed", range(24))
def test_bounds_of_coarser_lattices_contain_those_of_finer_ones(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    mean = random_mean(np.random.default_rng(100 + seed), 2)
    bounds = []
    for work in (1e4, 1e5, 1e6, 1e7):
        monkeypatch.setattr(lattice, "WORK", work)
        try:
            bounds.append(lattice.conditional_entropy(mean, ANY))
        except NotResolved:  # wider than that
            continue

    assert bounds
    for wide, narrow in itertools.pairwise(bounds):
        assert wide[0] - 1e-9 <= narrow[0] < narrow[1] <= wide[1] + 1e-9


@pytest.mark.family(every=6)
@pytest.mark.parametrize("seed", range(12))
def test_two_inputs_against_a_sum_over_another_grid(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    mean = random_mean(np.random.default_rng(200 + seed), 2)
    monkeypatch.setattr(lattice, "WORK", 1e8)  # one of these laws needs more than programs are given

    low, high = lattice.conditional_entropy(mean, ANY)

    assert low - 1e-7 <= by_grid(mean, 0.09) <= high + 1e-7


def random_densities(source: np.random.Generator) -> Densities:
    """Some components in one dimension or two, near and far, of like and unlike weights and widths."""
    size, count = int(source.integers(1, 3)), int(source.integers(1, 6))
    weights = np.maximum(source.dirichlet(np.full(count, source.choice([0.3, 1, 5]))), 1e-9)
    means = source.normal(size=(count, size)) * source.choice([0.5, 2, 5])
    turns = source.normal(size=(count, size, size)) * 0.4 + np.eye(size)
    widths = np.exp(source.normal(size=(count, size)) * source.choice([0, 0.3, 0.7]))
    covariances = turns @ (widths[:, :, None] * turns.transpose(0, 2, 1)) + 0.05 * np.eye(size)
    return Densities(weights / weights.sum(), means, np.linalg.inv(covariances))


def lattice_sum(g: Densities, steps: Floats) -> float:
    """Σ p log(p/M) over whole and half steps, times the volume per point."""
    deviations = np.sqrt(np.linalg.inv(g.precisions).diagonal(axis1=1, axis2=2))
    low, high = (g.means - 8 * deviations).min(axis=0), (g.means + 8 * deviations).max(axis=0)
    total = 0.0
    for half in (0, 0.5):
        sides = [(np.arange(a // h, b // h + 2) + half) * h for a, b, h in zip(low, high, steps, strict=True)]
        z = np.stack(np.meshgrid(*sides, indexing="ij"), axis=-1)
        logs = [
            peak - np.einsum("...a,ab,...b->...", z - mean, precision, z - mean) / 2
            for peak, mean, precision in zip(g.log_peaks(), g.means, g.precisions, strict=True)
        ]
        p = np.exp(logs).sum(axis=0)
        total += float((p * (np.log(np.maximum(p, 1e-300)) - 1 - np.logaddexp.reduce(g.log_peaks()))).sum())
    return total * float(np.prod(steps)) / 2


@pytest.mark.family(every=25)
@pytest.mark.parametrize("seed", range(190))
def test_the_remainder_holds_for_lattices_whose_error_is_seen(seed: int) -> None:
    g = random_densities(np.random.default_rng(300 + seed))
    steps = balanced_steps(g, 1e-6)
    bounds = remainder(g, steps)
    fine = lattice_sum(g, 0.2 * steps)

    assert lattice_sum(g, 0.22 * steps) == pytest.approx(fine, abs=1e-11)
    for factor in (1.0, 1.7, 2.5, 4.0, 7.0, 12.0):
        assert abs(lattice_sum(g, factor * steps) - fine) <= bounds.at(factor) + 1e-11
    assert bounds.at(bounds.factor(1e-9)) == pytest.approx(1e-9)


def test_symmetries_of_averages_are_those_of_a_cube_and_orbits_count_all_points() -> None:
    # The averages of all selections of four inputs, less the average of all: the group of the cube.
    sets = [[i for i in range(4) if k >> i & 1] for k in range(1, 16)]
    slopes: Floats = np.array([[1 / len(s) if i in s else 0.0 for i in range(4)] for s in sets]) - 0.25
    sizes = np.array([[float(len(s))] for s in sets])

    axes = choose_axes(slopes, np.zeros(15), sizes, 3)

    side = np.arange(-4.0, 5.0)
    points = np.stack(np.meshgrid(side, side, side), axis=-1).reshape(-1, 3)
    kept, counts = axes.orbits(points)
    assert len(axes.places) == 48
    assert counts.sum() == len(points)
    assert len(kept) == 35  # 0 <= a <= b <= c <= 4
    for odd in (0, 1):
        all_ = points[(points % 2 == odd).all(axis=1) & ((points**2).sum(axis=1) <= 16)]
        few, shares = axes.ball(np.ones(3), 4.0, odd)
        again, expected = axes.orbits(all_)
        assert sorted(map(tuple, few)) == sorted(map(tuple, again))
        assert shares.sum() == expected.sum() == len(all_)
    # With steps of their own along one axis only its sign and those of the others, and their exchange, are left.
    narrowed = axes.keeping(np.array([1.0, 1.0, 2.0]))
    assert len(narrowed.places) == 16
    few, shares = narrowed.ball(np.array([1.0, 1.0, 2.0]), 8.0, 0)
    wide = 2 * np.stack(np.meshgrid(*[np.arange(-4.0, 5.0)] * 3), axis=-1).reshape(-1, 3)
    assert shares.sum() == ((wide**2 @ [1, 1, 4]) <= 64).sum()
    assert len(few) < len(wide) / 16


def averages(weights: dict[int, Fraction], variance: Fraction) -> MixtureJoint:
    """The average of a random selection of three incomes behind noise, whose sizes have these chances."""
    parts: list[Part] = []
    for k in range(1, 8):
        chosen = [f"x{i}" for i in range(3) if k >> i & 1]
        share = Fraction(1, len(chosen))
        values: dict[str, Number | Affine] = {f"x{i}": (10, {f"x{i}": 1}) for i in range(3)}
        values["o"] = (10, {**dict.fromkeys(chosen, share), "n": 1})
        noise = variance * share**2
        weight = weights[len(chosen)] / math.comb(3, len(chosen))
        parts.append((weight, values, {"x0": 1, "x1": 1, "x2": 1, "n": noise}))
    return joint(*parts)


def test_an_average_of_a_random_selection_tells_what_a_sum_over_a_grid_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lattice, "WORK", 2e7)
    law, x = averages({1: HALF, 2: HALF / 2, 3: HALF / 2}, Fraction(1, 16)), ("x0", "x1", "x2")
    found = mutual_information(law, x, ("o",))

    # Given two contrasts of the inputs, in units of their deviations, the output less the mean of all is a mixture of seven.
    contrasts = np.array([[1, -1, 0], [1, 1, -2]]) / np.sqrt([[2], [6]])
    sets = [[i for i in range(3) if k >> i & 1] for k in range(1, 8)]
    slopes = np.array([contrasts[:, s].mean(axis=1) for s in sets])
    weights = np.array([{1: 1 / 6, 2: 1 / 12, 3: 1 / 4}[len(s)] for s in sets])
    noises = np.array([1 / 16 / len(s) ** 2 for s in sets])
    given = by_grid(NoisyMean(weights, slopes, np.zeros(7), noises, 0.0), 0.12)
    of_output = [(float(w), 0.0, 1 / len(s) + float(v)) for w, s, v in zip(weights, sets, noises, strict=True)]
    value = scalar_entropy(of_output) - given
    assert found.lower - 1e-7 <= arb(value) <= found.upper + 1e-7
    assert found.upper - found.lower < 1e-4
    left = conditional_entropy(law, x, ("o",))
    assert left.upper - left.lower < 1e-4
    assert float(left.value) == pytest.approx(1.5 * math.log(2 * math.pi * math.e) - value, abs=1e-4)


def scalar_entropy(parts: list[tuple[float, float, float]]) -> float:
    """The entropy of a scalar mixture of (weight, mean, variance), by a sum over a grid."""
    x = np.arange(-12, 12, 0.01)
    density = sum(w * np.exp(-((x - m) ** 2) / (2 * v)) / math.sqrt(2 * math.pi * v) for w, m, v in parts)
    return float(-(density * np.log(np.maximum(density, 1e-300))).sum()) * 0.01


def test_no_lattice_where_there_is_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lattice, "WORK", 2e7)
    law, x = averages({1: HALF, 2: HALF / 2, 3: HALF / 2}, Fraction(1)), ("x0", "x1", "x2")
    with quadrature.until(Deadline.after(0.0)), watched() as watch:
        short = mutual_information(law, x, ("o",))
    long = mutual_information(law, x, ("o",))

    assert watch.cut
    assert short.lower <= long.lower <= long.upper <= short.upper
    assert long.upper - long.lower < 1e-4 < short.upper - short.lower


def test_a_coarse_sum_is_told_where_a_finer_one_takes_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    mean = random_mean(np.random.default_rng(111), 2)
    monkeypatch.setattr(lattice, "WORK", 3e6)
    fine = lattice.conditional_entropy(mean, ANY)
    whole, sums = lattice._sum, itertools.count()

    def late_at_last(*arguments: Any) -> float:
        if next(sums):
            raise NotResolved("the time for integrals was up")
        return whole(*arguments)

    monkeypatch.setattr(lattice, "_sum", late_at_last)
    coarse = lattice.conditional_entropy(mean, ANY)

    assert coarse[0] - 1e-9 <= fine[0] < fine[1] <= coarse[1] + 1e-9
    assert next(sums) == 2
    assert fine[1] - fine[0] < (coarse[1] - coarse[0]) / 2


def test_several_laws_of_inputs_are_no_such_mixture() -> None:
    def part(variance: float) -> WeightedGaussian:
        covariance = ((arb(variance), arb(0), arb(0)), (arb(0), arb(variance), arb(0)), (arb(0), arb(0), arb(1)))
        return WeightedGaussian(arb(0.5), (arb(0), arb(0), arb(0)), covariance)

    with pytest.raises(NotResolved, match="more than one law"):
        noisy_mean_entropy([part(1), part(2)], ANY)
