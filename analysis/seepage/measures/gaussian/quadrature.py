"""What −∫ f log f and ∫ f log(f/g) are, for Gaussian mixtures in one and two dimensions, with proof.

Adaptive Gauss–Legendre rules in boxes, with an a-priori remainder from Bernstein ellipses; the normal form of :mod:`quadrature_form`
certifies that the integrand is analytic in them. If φ is analytic with |φ| <= M in the ellipse with foci ±1 and sum of semi-axes ρ, its Chebyshev
coefficients are at most 2Mρ^-k. The rule with N >= 2 nodes is exact up to degree 2N − 1 and for odd functions, and |∫T_k| <= 2/15,
|rule(T_k)| <= 2 for even k >= 4, so its error is at most

    Σ_{even k >= 2N} 2Mρ^-k (2 + 2/15) = (64/15) M ρ^-2N / (1 − ρ^-2).

In the plane the tensor rule errs by at most the sum over the directions (weights are positive): see :mod:`quadrature_nodes`. All boxes of
a level, of all problems, are handled at once. Boxes are halved exactly (centres and widths are binary fractions), and whatever is left when the
budget ends is enclosed by the range of the integrand: the bounds hold always.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar

import numpy as np
from flint import arb

from seepage.data_classes import dataclass
from seepage.deadline import Deadline, cut_short, sooner
from seepage.exact import precision
from seepage.measures.enclosure import Enclosure
from seepage.measures.gaussian.quadrature_boxes import (
    Cover,
    Sums,
    accept_range,
    cross_range,
    halved,
    prune_f,
    prune_g,
    range_of,
    select,
    starts_of,
)
from seepage.measures.gaussian.quadrature_form import Pairs, Reach, normal_form
from seepage.measures.gaussian.quadrature_frame import (
    PRECISION,
    Components,
    Frame,
    NotResolved,
    WeightedGaussian,
    choose_frame,
    components_in,
)
from seepage.measures.gaussian.quadrature_nodes import evaluate, plan
from seepage.measures.gaussian.quadrature_rules import Floats
from seepage.measures.gaussian.quadrature_tails import INFLATION, cross_tail, entropy_tail, reach
from seepage.measures.gaussian.tuples import COARSE
from seepage.measures.notes import Note
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
_LATE = 0.5  # of the limits, past which integrals get coarser


@dataclass(frozen=True, slots=True)
class _Limits:
    boxes: int = BOXES
    stop: Deadline | None = None
    seconds: float = 0.0

    def used(self, visited: int) -> float:
        """Return how much of the limits is used up, from 0 to 1 and more."""
        share = visited / self.boxes
        if visited > EASY_BOXES and self.stop is not None:
            of_time = 1 - self.stop.left() / max(self.seconds, 1e-3)
            if of_time > max(share, _LATE):
                cut_short()
            share = max(share, of_time)
        return share

    def reason(self, visited: int) -> str:
        """Return which of the limits ended an integral."""
        return f"it took more than {self.boxes:,} boxes" if visited > self.boxes else "the time for integrals was up"


_limits: ContextVar[_Limits] = ContextVar("limits", default=_Limits())  # noqa: B039  # immutable


def unfinished(why: str) -> Note:
    """Return the note on an integral that ended early."""
    return Note(f"the integral is not known more narrowly: {why}")


_EXPECTED_BOXES = {1: 200, 2: 2000}
_DEEPEST = 900  # levels; keeps widths above the smallest normal number after the start at about 1
_FINEST = 2.0**-50  # of a box's distance from 0: its halves would not be binary64 numbers much below
_SMALL_MASS = 2.0**-200  # of a mixture that is integrated as if its mass were 1: else all of it might underflow


@contextmanager
def until(deadline: Deadline | None) -> Iterator[None]:
    """Give integrals within this block the larger budget of boxes, and half of the time to a deadline (None: never)."""
    stop = sooner(deadline, share=_SHARE)
    token = _limits.set(_Limits(PATIENT_BOXES, stop, 0.0 if stop is None else stop.left()))
    try:
        yield
    finally:
        _limits.reset(token)


def time_is_up() -> bool:
    """Tell whether the time for integrals within :func:`until` has passed, for those that are computed elsewhere."""
    stop = _limits.get().stop
    return stop is not None and stop.passed()


def work_left(wanted: float, pace: float) -> float:
    """Return how much work, of so much per second of a processor, is done in the time for integrals: no more than what is wanted."""
    stop = _limits.get().stop
    if stop is None or stop.left() * pace >= wanted:
        return wanted
    cut_short()
    return stop.left() * pace


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
        heavy = [
            [each if unit == 1 else each.divided(unit) for each in mixture]
            for mixture, unit in zip(mixtures, units, strict=True)
        ]
        frames = [choose_frame(mixture) for mixture in heavy]
        parts = [components_in(frame, mixture) for frame, mixture in zip(frames, heavy, strict=True)]
        found = _integrate(frames, parts, None, heavy, tolerance, boxes)
        return [_times(each, unit, mass) for each, unit, mass in zip(found, units, masses, strict=True)]


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
    sums, sizes = Sums(), [part.weight.shape[0] for part in parts]
    cover: Cover | None = Cover(
        problem=np.arange(len(parts)),
        centre=np.zeros((len(parts), f.mean.shape[1])),
        half=np.array([half for half, _ in starts]),
        f=Pairs(np.repeat(np.arange(len(parts)), sizes), np.arange(sum(sizes))),
        missing=np.zeros(len(parts)),
        g=None if g is None else Pairs(np.zeros(g.weight.shape[0], dtype=np.intp), np.arange(g.weight.shape[0])),
        g_missing=np.zeros(len(parts)),
    )
    visited, depth, why = 0, 0, ""
    # Overflow to inf means "halve this box", underflow is accounted for in the bounds.
    with np.errstate(over="ignore", under="ignore"):
        while cover is not None:
            visited += cover.problem.shape[0]
            depth += 1
            # In the second half of the budget the goal grows by degrees: better all boxes coarse than some without any rule.
            used = limits.used(visited)
            goal = tolerance * 10.0 ** (8 * min(1.0, max(0.0, 2 * used - 1)))
            last = used > 1 or depth > _DEEPEST
            if last:
                why = limits.reason(visited) if used > 1 else "its boxes became too small"
            cover = _level(cover, f, g, goal, sums, last=last)
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
        notes = (unfinished(why),) if why and upper - lower > COARSE else ()
        results.append(Enclosure(middle.mid(), lower, upper, Certainty.CERTIFIED, notes=notes))
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


def _level(cover: Cover, f: Components, g: Components | None, tolerance: float, sums: Sums, last: bool) -> Cover | None:
    """Integrate the boxes that are ripe, and return the halves of the others."""
    dimension = cover.half.shape[1]
    per_box = tolerance / _EXPECTED_BOXES[dimension]
    volume = np.prod(2 * cover.half, axis=1)
    reach_f, cover = prune_f(cover, f, volume, per_box)
    low, high = range_of(cover, reach_f)
    reach_g: Reach | None = None
    if g is not None and cover.g is not None:
        reach_g, cover = prune_g(cover, g)
        low, high = cross_range(cover, reach_f, reach_g, low, high)
    low, high = low * volume * INFLATION, high * volume * INFLATION
    empty = ~np.isin(np.arange(volume.shape[0]), cover.f.box)
    stuck = (cover.half < _FINEST * np.abs(cover.centre)).any(axis=1)
    done = (high - low <= 1e-3 * per_box) | empty | stuck | last
    accept_range(cover, done, low, high, sums, last)
    if done.all():
        return None
    cover, reach_f, reach_g = select(cover, ~done, reach_f, reach_g)
    form = normal_form(f, cover.f, reach_f, starts_of(cover.f))
    form_g = (
        None
        if g is None or cover.g is None or reach_g is None
        else normal_form(g, cover.g, reach_g, starts_of(cover.g))
    )
    size, error = plan(cover.half, form, form_g, 0.3 * per_box)
    ripe = size > 0
    if ripe.any():
        evaluate(cover, ripe, size, error, f, g, form, form_g, reach_f, reach_g, sums)
    return None if ripe.all() else halved(cover, ~ripe, form)
