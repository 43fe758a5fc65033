"""What −∫ f log f and ∫ f log(f/g) are, for Gaussian mixtures in one and two dimensions, with proof.

Adaptive Gauss–Legendre rules in boxes, with an a-priori remainder from Bernstein ellipses; the normal form of :mod:`quadrature_form`
certifies that the integrand is analytic in them. If φ is analytic with |φ| <= M in the ellipse with foci ±1 and sum of semi-axes ρ, its Chebyshev
coefficients are at most 2Mρ^-k. The rule with N >= 2 nodes is exact up to degree 2N − 1 and for odd functions, and |∫T_k| <= 2/15,
|rule(T_k)| <= 2 for even k >= 4, so its error is at most

    Σ_{even k >= 2N} 2Mρ^-k (2 + 2/15) = (64/15) M ρ^-2N / (1 − ρ^-2).

In the plane the tensor rule errs by at most the sum over the directions (weights are positive): see :func:`_remainder_factors`. All boxes of
a level, of all problems, are handled at once. Boxes are halved exactly (centres and widths are binary fractions), and whatever is left when the
budget ends is enclosed by the range of the integrand: the bounds hold always.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

import numpy as np
from flint import arb

from seepage.exact import precision
from seepage.measures.enclosure import Enclosure
from seepage.measures.gaussian.quadrature_form import (
    Flags,
    Ints,
    NormalForm,
    Pairs,
    Reach,
    log_modulus,
    normal_form,
    reach_of,
)
from seepage.measures.gaussian.quadrature_frame import (
    PRECISION,
    UNIT,
    Components,
    Frame,
    NotResolved,
    WeightedGaussian,
    choose_frame,
    components_in,
)
from seepage.measures.gaussian.quadrature_rules import SIZES, Floats, tensor_rule
from seepage.measures.gaussian.quadrature_tails import INFLATION, cross_tail, entropy_tail, reach
from seepage.measures.result import Certainty

TOLERANCE = 1e-9
"""The default goal for the width, in nats; smaller goals cost little, larger ones gain little."""

BOXES = 250_000
"""The default budget: boxes visited in one call, which takes a few seconds at worst."""

PATIENT_BOXES = 1_000_000
"""The budget where a deadline guards the time: enough for 64 thin ridges that cross each other in all directions."""

EASY_BOXES = 20_000
"""So many boxes are visited whatever the time: a tenth of a second or two."""

_SHARE = 0.5  # of the time that is left, for all integrals of a measure


@dataclass(frozen=True, slots=True)
class _Limits:
    boxes: int = BOXES
    start: float = 0.0
    stop: float = math.inf

    def used(self, visited: int) -> float:
        """Return how much of the limits is used up, from 0 to 1 and more."""
        share = visited / self.boxes
        if visited > EASY_BOXES and self.stop < math.inf:
            share = max(share, (time.monotonic() - self.start) / max(self.stop - self.start, 1e-3))
        return share


_limits: ContextVar[_Limits] = ContextVar("limits", default=_Limits())  # noqa: B039  # immutable

_ELLIPSES = (2.0, 2.8, 4.0, 6.0, 10.0)
_LARGEST_RULE = {1: 24, 2: 16}
_EXPECTED_BOXES = {1: 200, 2: 2000}
_DEEPEST = 900  # levels; keeps widths above the smallest normal number after the start at about 1
_FINEST = 2.0**-50  # of a box's distance from 0: its halves would not be binary64 numbers much below
_CHUNK = 400_000
_SMALL_MASS = 2.0**-200  # of a mixture that is integrated as if its mass were 1: else all of it might underflow
_LOG_TINY = -690.0  # log of the smallest number that is not treated as an underflow


@dataclass(slots=True)
class _Sums:
    """What has been integrated, per problem: the sum of values, and bounds of what is missing."""

    values: list[tuple[Ints, Floats]] = field(default_factory=list)
    below: list[tuple[Ints, Floats]] = field(default_factory=list)
    above: list[tuple[Ints, Floats]] = field(default_factory=list)

    def total(self, kind: list[tuple[Ints, Floats]], problems: int) -> list[float]:
        """Add up exactly (``math.fsum``), one sum for each problem."""
        if not kind:
            return [0.0] * problems
        problem, value = (np.concatenate(column) for column in zip(*kind, strict=True))
        order = np.argsort(problem, kind="stable")
        cuts = np.searchsorted(problem[order], np.arange(1, problems))
        return [math.fsum(part.tolist()) for part in np.split(value[order], cuts)]


@dataclass(frozen=True, slots=True)
class _Cover:
    """Boxes that still have to be integrated; ``missing`` bounds the density of pruned components of f, relative to g for ``g_missing``."""

    problem: Ints
    centre: Floats
    half: Floats
    f: Pairs
    missing: Floats
    g: Pairs | None
    g_missing: Floats


@contextmanager
def until(deadline: float | None) -> Iterator[None]:
    """Give integrals within this block the larger budget of boxes, and half of the time to a deadline (``time.monotonic``; None: never)."""
    now = time.monotonic()
    stop = math.inf if deadline is None else now + _SHARE * max(0.0, deadline - now)
    token = _limits.set(_Limits(PATIENT_BOXES, now, stop))
    try:
        yield
    finally:
        _limits.reset(token)


def time_is_up() -> bool:
    """Tell whether the time for integrals within :func:`until` has passed, for those that are computed elsewhere."""
    return time.monotonic() > _limits.get().stop


def entropies(
    mixtures: Sequence[Sequence[WeightedGaussian]], tolerance: float = TOLERANCE, boxes: int | None = None
) -> list[Enclosure]:
    r"""Enclose :math:`-\int f \log f` for each of several mixtures f of the same dimension, 1 or 2, whatever their masses.

    Raises:
        NotResolved: if a covariance is not provably positive definite at the precision of its balls.
        ValueError: if a mixture is empty or of another dimension.
    """
    if not mixtures:
        return []
    _check_dimensions(mixtures)
    with precision(PRECISION):
        masses = [sum((gaussian.weight for gaussian in mixture), arb(0)) for mixture in mixtures]
        units = [mass if mass < _SMALL_MASS else arb(1) for mass in masses]
        heavy = [[_lighter(gaussian, unit) for gaussian in each] for each, unit in zip(mixtures, units, strict=True)]
        frames = [choose_frame(mixture) for mixture in heavy]
        parts = [components_in(frame, mixture) for frame, mixture in zip(frames, heavy, strict=True)]
        found = _integrate(frames, parts, None, heavy, tolerance, boxes)
        return [_times(each, unit, mass) for each, unit, mass in zip(found, units, masses, strict=True)]


def _lighter(gaussian: WeightedGaussian, unit: arb) -> WeightedGaussian:
    return gaussian if unit == 1 else WeightedGaussian(gaussian.weight / unit, gaussian.mean, gaussian.covariance)


def _times(found: Enclosure, unit: arb, mass: arb) -> Enclosure:
    """Return J(m f) = m J(f) − ∫ f · m log m, for the m by which a small mass was divided."""
    if unit == 1:
        return found
    rest = -mass * unit.log()
    lower, upper = (unit * found.lower + rest).lower(), (unit * found.upper + rest).upper()
    return Enclosure.bounded((lower + upper) / 2, lower, upper, found.certainty, notes=found.notes)


def divergence(
    f: Sequence[WeightedGaussian], g: Sequence[WeightedGaussian], tolerance: float = TOLERANCE, boxes: int | None = None
) -> Enclosure:
    r"""Enclose :math:`\int f \log(f/g)` for two mixtures of the same dimension, 1 or 2, whatever their masses.

    Raises:
        NotResolved: if a covariance is not provably positive definite at the precision of its balls.
        ValueError: if a mixture is empty or of another dimension.
    """
    _check_dimensions([f, g])
    with precision(PRECISION):
        frame = choose_frame([*f, *g])
        return _integrate([frame], [components_in(frame, f)], components_in(frame, g), [f], tolerance, boxes)[0]


def _check_dimensions(mixtures: Sequence[Sequence[WeightedGaussian]]) -> None:
    if not all(mixtures):
        raise ValueError("got a mixture without components, expected at least one")
    dimensions = {len(gaussian.mean) for mixture in mixtures for gaussian in mixture}
    if len(dimensions) != 1 or not dimensions <= {1, 2}:
        raise ValueError(f"got dimensions {sorted(dimensions)}, expected all 1 or all 2")


def _integrate(
    frames: Sequence[Frame],
    parts: Sequence[Components],
    g: Components | None,
    mixtures: Sequence[Sequence[WeightedGaussian]],
    tolerance: float,
    boxes: int | None,
) -> list[Enclosure]:
    limits = _limits.get() if boxes is None else _Limits(boxes)
    f = _joined(parts)
    starts = [_start_box(part, g, tolerance) for part in parts]
    sums, sizes = _Sums(), [part.weight.shape[0] for part in parts]
    cover: _Cover | None = _Cover(
        problem=np.arange(len(parts)),
        centre=np.zeros((len(parts), f.mean.shape[1])),
        half=np.array([half for half, _ in starts]),
        f=Pairs(np.repeat(np.arange(len(parts)), sizes), np.arange(sum(sizes))),
        missing=np.zeros(len(parts)),
        g=None if g is None else Pairs(np.zeros(g.weight.shape[0], dtype=np.intp), np.arange(g.weight.shape[0])),
        g_missing=np.zeros(len(parts)),
    )
    visited, depth = 0, 0
    # Overflow to inf means "halve this box", underflow is accounted for in the bounds.
    with np.errstate(over="ignore", under="ignore"):
        while cover is not None:
            visited += cover.problem.shape[0]
            depth += 1
            # In the second half of the budget the goal grows by degrees: better all boxes coarse than some without any rule.
            used = limits.used(visited)
            goal = tolerance * 10.0 ** (8 * min(1.0, max(0.0, 2 * used - 1)))
            cover = _level(cover, f, g, goal, sums, last=used > 1 or depth > _DEEPEST)
    count = len(parts)
    found = zip(*(sums.total(kind, count) for kind in (sums.values, sums.below, sums.above)), strict=True)
    scale = 0 if g is not None else 1  # ∫ f log(f/g) is the same in all coordinates
    results = []
    for (value, below, above), (_, tail), frame, mixture in zip(found, starts, frames, mixtures, strict=True):
        mass = sum((gaussian.weight for gaussian in mixture), arb(0))
        shift = mass * (scale * sum(frame.exponents)) * arb(2).log()
        if not (math.isfinite(value) and math.isfinite(below) and math.isfinite(above)):
            raise NotResolved("an integral left the range of binary64")
        middle = arb(value) + shift
        lower = (middle - arb(below) + arb(min(tail[0], 0.0))).lower()
        upper = (middle + arb(above) + arb(max(tail[1], 0.0))).upper()
        results.append(Enclosure(middle.mid(), lower, upper, Certainty.CERTIFIED))
    return results


def _joined(parts: Sequence[Components]) -> Components:
    names = ("log_amplitude", "mean", "mean_low", "precision", "deviation", "weight", "slack")
    return Components(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))


def _start_box(f: Components, g: Components | None, tolerance: float) -> tuple[Floats, tuple[float, float]]:
    """Return a box outside of which the integral is negligible, and the enclosure of the integral there."""
    for k in (8.5, 10.0, 12.0, 16.0, 24.0, 37.0):
        half = reach(f, k)
        low, high = entropy_tail(f, half)
        if g is not None:
            cross_low, cross_high = cross_tail(f, g, half)
            low, high = cross_low - high, cross_high - low
        if high - low <= 1e-6 * tolerance:
            break
    return half, (low, high)


def _level(
    cover: _Cover, f: Components, g: Components | None, tolerance: float, sums: _Sums, last: bool
) -> _Cover | None:
    """Integrate the boxes that are ripe, and return the halves of the others."""
    dimension = cover.half.shape[1]
    per_box = tolerance / _EXPECTED_BOXES[dimension]
    volume = np.prod(2 * cover.half, axis=1)
    reach_f, cover = _prune_f(cover, f, volume, per_box)
    low, high = _range(cover, reach_f)
    reach_g: Reach | None = None
    if g is not None and cover.g is not None:
        reach_g, cover = _prune_g(cover, g)
        low, high = _cross_range(cover, reach_f, reach_g, low, high)
    low, high = low * volume * INFLATION, high * volume * INFLATION
    empty = ~np.isin(np.arange(volume.shape[0]), cover.f.box)
    stuck = (cover.half < _FINEST * np.abs(cover.centre)).any(axis=1)
    done = (high - low <= 1e-3 * per_box) | empty | stuck | last
    _accept_range(cover, done, low, high, sums, last)
    if done.all():
        return None
    cover, reach_f, reach_g = _select(cover, ~done, reach_f, reach_g)
    form = normal_form(f, cover.f, reach_f, _starts(cover.f))
    form_g = (
        None if g is None or cover.g is None or reach_g is None else normal_form(g, cover.g, reach_g, _starts(cover.g))
    )
    size, error = _plan(cover.half, form, form_g, 0.3 * per_box)
    ripe = size > 0
    if ripe.any():
        _evaluate(cover, ripe, size, error, f, g, form, form_g, reach_f, reach_g, sums)
    return None if ripe.all() else _halved(cover, ~ripe, form)


# --- which components matter -------------------------------------------------------------------------------------------


def _prune_f(cover: _Cover, f: Components, volume: Floats, per_box: float) -> tuple[Reach, _Cover]:
    """Drop components whose mass in a box cannot matter; ``missing`` keeps a bound of their density there."""
    found = reach_of(f, cover.centre, cover.half, cover.f)
    keep = found.highest + np.log(volume)[cover.f.box] > math.log(1e-5 * per_box)
    dropped = np.bincount(
        cover.f.box[~keep], np.exp(np.maximum(found.highest[~keep], _LOG_TINY)), minlength=volume.shape[0]
    )
    pairs = Pairs(cover.f.box[keep], cover.f.component[keep])
    missing = cover.missing + dropped * INFLATION
    return _reach_where(found, keep), _Cover(
        cover.problem, cover.centre, cover.half, pairs, missing, cover.g, cover.g_missing
    )


def _prune_g(cover: _Cover, g: Components) -> tuple[Reach, _Cover]:
    """Drop components of g that are negligible relative to g itself in a box: log g then errs by at most ``g_missing``."""
    assert cover.g is not None
    found = reach_of(g, cover.centre, cover.half, cover.g)
    floor = np.maximum.reduceat(found.lowest, _starts(cover.g))
    relative = found.highest - floor[cover.g.box]
    keep = relative > math.log(1e-17)
    dropped = np.bincount(cover.g.box[~keep], np.exp(np.maximum(relative[~keep], _LOG_TINY)), minlength=floor.shape[0])
    pairs = Pairs(cover.g.box[keep], cover.g.component[keep])
    missing = cover.g_missing + dropped * INFLATION
    return _reach_where(found, keep), _Cover(
        cover.problem, cover.centre, cover.half, cover.f, cover.missing, pairs, missing
    )


def _reach_where(found: Reach, keep: Flags) -> Reach:
    return Reach(
        found.offset[keep],
        found.gradient[keep],
        found.square[keep],
        found.size[keep],
        found.highest[keep],
        found.lowest[keep],
    )


def _starts(pairs: Pairs) -> Ints:
    return np.flatnonzero(np.r_[True, pairs.box[1:] != pairs.box[:-1]])


def _select(cover: _Cover, which: Flags, reach_f: Reach, reach_g: Reach | None) -> tuple[_Cover, Reach, Reach | None]:
    f, keep_f = _pairs_where(cover.f, which)
    reach_f = _reach_where(reach_f, keep_f)
    g = None
    if cover.g is not None and reach_g is not None:
        g, keep_g = _pairs_where(cover.g, which)
        reach_g = _reach_where(reach_g, keep_g)
    chosen = _Cover(
        cover.problem[which], cover.centre[which], cover.half[which], f, cover.missing[which], g, cover.g_missing[which]
    )
    return chosen, reach_f, reach_g


def _pairs_where(pairs: Pairs, which: Flags) -> tuple[Pairs, Flags]:
    rank = np.cumsum(which) - 1
    keep = which[pairs.box]
    return Pairs(rank[pairs.box[keep]], pairs.component[keep]), keep


# --- boxes enclosed by the range of the integrand ------------------------------------------------------------------------


def _density_bound(cover: _Cover, found: Reach) -> Floats:
    total = np.bincount(cover.f.box, np.exp(np.minimum(found.highest, 700.0)), minlength=cover.missing.shape[0])
    return np.asarray((total + cover.missing) * INFLATION + 1e-300)


def _range(cover: _Cover, found: Reach) -> tuple[Floats, Floats]:
    """Enclose −f log f over each box: 0 <= f <= b implies min(0, −b log b) <= −f log f <= (−b log b if b < 1/e else 1/e)."""
    bound = _density_bound(cover, found)
    at_bound = -bound * np.log(bound)
    return np.minimum(0.0, at_bound), np.where(bound < math.exp(-1), at_bound, math.exp(-1))


def _cross_range(cover: _Cover, reach_f: Reach, reach_g: Reach, low: Floats, high: Floats) -> tuple[Floats, Floats]:
    """Enclose f log f − f log g over each box, given the range of −f log f."""
    assert cover.g is not None
    starts = _starts(cover.g)
    bound = _density_bound(cover, reach_f)
    top = np.maximum.reduceat(reach_g.highest, starts)
    log_sup = top + np.log(np.add.reduceat(np.exp(reach_g.highest - top[cover.g.box]), starts)) + cover.g_missing + 1e-9
    log_inf = np.maximum.reduceat(reach_g.lowest, starts) - 1e-9
    return -high + bound * np.minimum(0.0, -log_sup), -low + bound * np.maximum(0.0, -log_inf)


def _accept_range(cover: _Cover, done: Flags, low: Floats, high: Floats, sums: _Sums, last: bool) -> None:
    problem, low, high = cover.problem[done], low[done], high[done]
    # Negligible boxes hold far less than their bound; large ones, left when the budget ends, are anywhere in it.
    value = (low + high) / 2 if last else np.clip(0.0, low, high)
    sums.values.append((problem, value))
    sums.below.append((problem, value - low))
    sums.above.append((problem, high - value))


# --- how many nodes a box needs ------------------------------------------------------------------------------------------


def _plan(half: Floats, form: NormalForm, form_g: NormalForm | None, goal: float) -> tuple[Ints, Floats]:
    """Return for each box the nodes per direction (0: halve it) and the bound of the remainder, shapes ``(B,)``."""
    boxes, dimension = half.shape
    sizes, errors = np.zeros(boxes, dtype=np.intp), np.zeros(boxes)
    # Worth a closer look: η < 1 on the real box, and no underflow inside it.
    calm = (form.eta(half) < 0.9) & (form.log_variation(half) < 200)
    if form_g is not None:
        calm &= form_g.eta(half) < 0.9
    if not calm.any():
        return sizes, errors
    log_factor = _remainder_factors(half, form, form_g)  # (d, E, B): log of the remainder without ρ^-2N
    log_rho = np.log(np.array(_ELLIPSES))[None, :, None]
    needed = np.min((log_factor - math.log(goal / dimension)) / (2 * log_rho), axis=1).max(axis=0)
    table = np.array([size for size in SIZES if size <= _LARGEST_RULE[dimension]])
    index = np.searchsorted(table, needed)
    calm &= index < len(table)
    sizes[calm] = table[index[calm]]
    errors = np.exp(np.minimum(log_factor - 2 * sizes * log_rho, 700.0)).min(axis=1).sum(axis=0)
    return sizes, errors * INFLATION


def _remainder_factors(half: Floats, form: NormalForm, form_g: NormalForm | None) -> Floats:
    """Return log[(64/15) M L h_a ∏_{b≠a} 2h_b / (1 − ρ^-2)] for each direction a, ellipse ρ and box; inf where η >= 0.98.

    M bounds f and L bounds log f (or log(f/g)) where coordinate a runs over the ellipse and the others over the real box:
    integrating the one-dimensional remainder over the real coordinates, or summing it with the positive weights of the rule, gives the factor 2h_b.
    """
    boxes, dimension = half.shape
    result = np.full((dimension, len(_ELLIPSES), boxes), np.inf)
    volume = np.prod(2 * half, axis=1) / 2
    for a in range(dimension):
        for e, rho in enumerate(_ELLIPSES):
            long, short = half[:, a] * (rho + 1 / rho) / 2, half[:, a] * (rho - 1 / rho) / 2
            radii = half.copy()
            radii[:, a] = long
            eta = form.eta(radii)
            good = eta < 0.98
            log_m = form.log_value + np.log1p(np.minimum(eta, 1.0)) + log_modulus(form, a, long, short, half)
            variation = -np.log1p(-np.minimum(eta, 0.98))
            if form_g is None:
                bound = np.abs(form.log_value) + form.log_variation(radii) + variation
            else:
                eta_g = form_g.eta(radii)
                good &= eta_g < 0.98
                bound = _ratio_bound(form, form_g, radii) + variation - np.log1p(-np.minimum(eta_g, 0.98))
            factor = math.log(64 / 15) - math.log1p(-(rho**-2)) + log_m + np.log(bound * volume)
            result[a, e] = np.where(good, factor, np.inf)
    return result


def _ratio_bound(form: NormalForm, form_g: NormalForm, radii: Floats) -> Floats:
    slope, curvature = np.abs(form.slope - form_g.slope), np.abs(form.curvature - form_g.curvature)
    linear = np.einsum("ba,ba->b", slope, radii) + 0.5 * np.einsum("bi,bij,bj->b", radii, curvature, radii)
    return np.asarray(np.abs(form.log_value - form_g.log_value) + linear)


# --- evaluating the rule -------------------------------------------------------------------------------------------------


def _evaluate(
    cover: _Cover,
    ripe: Flags,
    size: Ints,
    error: Floats,
    f: Components,
    g: Components | None,
    form: NormalForm,
    form_g: NormalForm | None,
    reach_f: Reach,
    reach_g: Reach | None,
    sums: _Sums,
) -> None:
    dimension = cover.half.shape[1]
    doubt_f = _relative_error(cover.half, f, form, reach_f)
    doubt_g = (
        None if g is None or form_g is None or reach_g is None else _relative_error(cover.half, g, form_g, reach_g)
    )
    volume = np.prod(cover.half, axis=1)
    lift = np.abs(form.log_value) + form.log_variation(cover.half) + 5  # bounds |log f| in the box (η < 0.98)
    # |φ(a+r) − φ(a)| <= r (1 + |log a| + log(1+r)) for φ(t) = t log t; with g, r is missing from f log g as well.
    lift = np.abs(form.log_value) + form.log_variation(cover.half) + 5  # bounds |log f| in the box, as η < 0.98
    if form_g is not None:
        lift += np.abs(form_g.log_value) + form_g.log_variation(cover.half) + 5
    pruned = 2**dimension * volume * cover.missing * (2 + lift + np.log1p(cover.missing))
    for nodes in np.unique(size[ripe]):
        chosen = np.flatnonzero(ripe & (size == nodes))
        monomials, weights = tensor_rule(int(nodes), dimension)
        step = max(1, _CHUNK // (weights.size * max(1, cover.f.box.size // cover.problem.size)))
        for at in range(0, chosen.size, step):
            box = chosen[at : at + step]
            log_f = _log_density(form, cover.half, box, monomials)
            scaled = np.exp(log_f) * weights * volume[box][:, None]
            doubt = doubt_f[box] + UNIT * weights.size
            if form_g is None or doubt_g is None:
                terms = -scaled * log_f
                fp = doubt * (scaled * (np.abs(log_f) + 1)).sum(axis=1)
            else:
                log_g = _log_density(form_g, cover.half, box, monomials)
                terms = scaled * (log_f - log_g)
                fp = doubt * (scaled * (np.abs(log_f - log_g) + 1)).sum(axis=1)
                fp += (doubt_g[box] + cover.g_missing[box]) * scaled.sum(axis=1)
            missing = (error[box] + (fp + pruned[box]) * INFLATION) * INFLATION
            sums.values.append((cover.problem[box], terms.sum(axis=1)))
            sums.below.append((cover.problem[box], missing))
            sums.above.append((cover.problem[box], missing))


def _log_density(form: NormalForm, half: Floats, box: Ints, monomials: Floats) -> Floats:
    """Return log f(c) + s̄·z − ½ zᵀQ̄z + log F(z) at the nodes of some boxes, shape ``(len(box), nodes)``; F is within η of 1."""
    ends = np.r_[form.starts[1:], form.pairs.box.size]
    counts = ends[box] - form.starts[box]
    offsets = np.r_[0, np.cumsum(counts)[:-1]]
    pair = np.arange(counts.sum()) - np.repeat(offsets - form.starts[box], counts)
    exponents = _quadratics(
        form.log_share[pair],
        form.slope_excess[pair],
        form.curvature_excess[pair],
        half[np.repeat(box, counts)],
        monomials,
    )
    factor = np.add.reduceat(np.exp(exponents, out=exponents), offsets)
    smooth = _quadratics(form.log_value[box], form.slope[box], form.curvature[box], half[box], monomials)
    return np.asarray(smooth + np.log(factor))


def _quadratics(constant: Floats, slope: Floats, curvature: Floats, half: Floats, monomials: Floats) -> Floats:
    """Return constant + s·z − ½ zᵀQz at z = h ξ for all nodes ξ: one row for each form, one column for each node."""
    dimension = half.shape[1]
    columns = [constant, *(slope * half).T, *(-0.5 * curvature[:, a, a] * half[:, a] ** 2 for a in range(dimension))]
    if dimension == 2:
        columns.append(-curvature[:, 0, 1] * half[:, 0] * half[:, 1])
    return np.asarray(np.stack(columns, axis=1) @ monomials)


def _relative_error(half: Floats, components: Components, form: NormalForm, found: Reach) -> Floats:
    r"""Bound the relative error of f at the nodes, shape ``(B,)``, before the sum over nodes.

    All exponents are sums of at most six products of rounded numbers. With size_i = (Σ √Q_aa(|c−m|_a + h_a))², which dominates |s_i·z| + ½ zᵀ|Q_i|z
    and the square at c, and their mean S̄ = Σ p_i size_i for the averages s̄, Q̄, the terms of component i are at most |la| + |log f(c)| + size_i + S̄;
    nodes, offsets, Q and s are rounded once or twice, and the parameters are known up to ``slack``: an error of (16 + slack) units of that.
    Component i's share of f at z is p_i e^{δ_i}/F <= p_i e^{u_i}/(1−η). On top: exp and log at most 4 ulp, the sum over components, and exp(log f).
    """
    i = form.pairs.component
    size = np.add.reduceat(np.exp(form.log_share) * found.size, form.starts)
    gamma = (16 + components.slack[i]) * (2 + np.abs(components.log_amplitude[i]) + found.size + size[form.pairs.box])
    u = np.minimum(form.log_share + form.exponent(half), 300.0)
    total = np.add.reduceat(np.exp(u) * gamma, form.starts) / np.maximum(1 - form.eta(half), 1e-3)
    count = np.bincount(form.pairs.box, minlength=half.shape[0])
    return np.asarray(UNIT * (total + count + 24 + 24 * np.abs(form.log_value) + 16 * size))


# --- halving ---------------------------------------------------------------------------------------------------------------


def _halved(cover: _Cover, which: Flags, form: NormalForm) -> _Cover:
    """Halve the chosen boxes, each along the direction in which it is furthest from ripe."""
    rows = np.arange(cover.problem.shape[0])
    axis = np.zeros(rows.shape[0], dtype=np.intp) if cover.half.shape[1] == 1 else _worst_direction(cover.half, form)
    half = cover.half.copy()
    half[rows, axis] /= 2
    step = np.zeros_like(half)
    step[rows, axis] = half[rows, axis]
    centres = [(cover.centre + sign * step)[which] for sign in (-1, 1)]
    f, _ = _pairs_where(cover.f, which)
    g = None if cover.g is None else _pairs_where(cover.g, which)[0]
    return _Cover(
        problem=np.tile(cover.problem[which], 2),
        centre=np.concatenate(centres),
        half=np.tile(half[which], (2, 1)),
        f=_twice(f, int(which.sum())),
        missing=np.tile(cover.missing[which], 2),
        g=None if g is None else _twice(g, int(which.sum())),
        g_missing=np.tile(cover.g_missing[which], 2),
    )


def _twice(pairs: Pairs, boxes: int) -> Pairs:
    return Pairs(np.concatenate([pairs.box, pairs.box + boxes]), np.tile(pairs.component, 2))


def _worst_direction(half: Floats, form: NormalForm) -> Ints:
    h = half[form.pairs.box]
    growth = np.exp(np.clip(form.log_share + form.exponent(half), -700.0, 60.0))
    pull = np.abs(form.slope_excess) * h + h * np.einsum("pab,pb->pa", np.abs(form.curvature_excess), h)
    score = np.add.reduceat(growth[:, None] * pull, form.starts)
    score += 0.6 * half * np.sqrt(np.einsum("baa->ba", form.curvature))
    return np.asarray(np.argmax(score, axis=1), dtype=np.intp)
