"""Bounds of δ and ε of several independent releases, for one ordered pair of neighbours.

Normal releases are one together, whose bounds are as narrow as floats are.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from itertools import pairwise, takewhile

from flint import arb

from seepage import exact
from seepage.data_classes import dataclass
from seepage.exact import Number, precision
from seepage.measures.accounting.cell import BITS, Cell, Pair
from seepage.measures.accounting.compose import TooWide, composed, nothing, tilted
from seepage.measures.accounting.discrete import ball
from seepage.measures.accounting.grid import SLACK, Masses, above, below
from seepage.measures.accounting.merged import Merged, merged
from seepage.measures.accounting.mixtures import Normals
from seepage.measures.accounting.plan import (
    MOST_POINTS,
    Look,
    allowed_width,
    gentler,
    log_bound,
    look,
    points_of,
    rounded,
    step_of,
    tilt_of,
    trimmed,
)
from seepage.measures.accounting.read import Profile, least
from seepage.measures.clock import UNLIMITED
from seepage.measures.gaussian.privacy import FARTHEST_IN_CLOSED_FORM, least_epsilon, shift_excess, shift_profile

_BITS = 200


def closed_bounds(parts: Sequence[tuple[Pair, int]], argument: Number, *, of_delta: bool) -> tuple[float, float] | None:
    """Return bounds of δ at a claimed ε, or of ε at an allowed δ, of normal releases alone; None of others.

    Args:
        parts: pairs of laws, and how often there is each.
        argument: a claimed ε, or an allowed δ.
        of_delta: whether a δ is allowed: then ε is asked for.
    """
    with precision(_BITS):
        squares = arb(0)
        for pair, count in parts:
            match pair:
                case Normals(of=((one, _),), against=((other, _),)) if one != other:
                    squares += count * ball(exact.sub(one, other)) ** 2
                case _:
                    return None
        shift = squares.sqrt()
        if not of_delta:
            lower, upper = shift_excess(shift, exact.exp_(argument))
        else:
            delta = exact.to_fraction(argument)
            if delta is None or not 0 < delta < 1 or not parts:
                return None
            lower, upper = least_epsilon(
                shift_profile(shift), delta, Fraction(0), UNLIMITED, farthest=FARTHEST_IN_CLOSED_FORM
            )
        ends = float(lower.lower()), float(upper.upper())
    return max(0.0, math.nextafter(ends[0], -math.inf)), math.nextafter(ends[1], math.inf)


_FINENESS = (8.0, 16.0, 32.0, 64.0)
_COARSER = (4.0, 2.0, 1.0, 0.5, 0.25)  # where not even the first is possible
_SHARE = 0.1  # of the width of bounds, for cells of losses that only count when tilted
WIDTH = 1e-3
"""How wide bounds may be, relative to the number."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """Guaranteed bounds of a number."""

    lower: float
    upper: float


@dataclass(frozen=True, slots=True)
class Releases:
    """Independent releases for one ordered pair of neighbours: pairs of laws, and how often there is each."""

    parts: tuple[tuple[Pair, int], ...]

    def exchanged(self) -> Releases:
        """Return the releases with the inputs exchanged."""
        return Releases(tuple((pair.exchanged(), count) for pair, count in self.parts))


@dataclass(frozen=True, slots=True)
class Enclosed:
    """What a composition tells at most and at least; what is not asked for is not composed.

    Attributes:
        over: δ from above on a grid.
        under: makes δ from below on that grid.
        merged: makes the laws of the numbers of cells, which tell less.
    """

    over: Profile
    under: Callable[[], Profile]
    merged: Callable[[], Merged]


def excess(releases: Releases, epsilon: Number, width: float = WIDTH) -> Bounds:
    """Return bounds of δ at a claimed ε.

    Args:
        releases: of one ordered pair.
        epsilon: at least 0.
        width: how wide, relative to δ, is narrow enough.
    """
    return greatest([releases], epsilon, of_delta=False, width=width)[0]


def loss(releases: Releases, delta: Number, width: float = WIDTH) -> Bounds:
    """Return bounds of the least ε, at least 0, for which δ is at most what is allowed.

    Args:
        releases: of one ordered pair.
        delta: above 0.
        width: how wide, relative to ε, is narrow enough.
    """
    return greatest([releases], delta, of_delta=True, width=width)[0]


def greatest(
    every: Sequence[Releases],
    argument: Number,
    *,
    of_delta: bool,
    width: float = WIDTH,
    stop: Callable[[], None] = lambda: None,
) -> tuple[Bounds, int]:
    """Return bounds of the greatest δ, or ε, of some ordered pairs, and the number of a pair that is known to have the most.

    Those that may have more than others surely have are bounded more closely, as long as that is needed.

    Args:
        every: the releases of each pair.
        argument: a claimed ε, or an allowed δ.
        of_delta: whether a δ is allowed: then ε is asked for.
        width: how wide, relative to the number, is narrow enough.
        stop: called before each step; may raise.
    """
    finer = [_bounds(one, argument, of_delta=of_delta) for one in every]
    found = [Bounds(0.0, math.inf if of_delta else 1.0)] * len(every)
    left = set(range(len(every)))
    while True:
        best = max(range(len(every)), key=lambda at: found[at].lower)
        lower, upper = found[best].lower, max(each.upper for each in found)
        open_ones = [at for at in left if found[at].upper > lower]
        if not open_ones or (math.isfinite(upper) and upper - lower <= width * upper):
            return Bounds(lower, upper), best
        at = max(open_ones, key=lambda one: found[one].upper)
        stop()
        if (closer := next(finer[at], None)) is None:
            left.discard(at)
        else:
            found[at] = Bounds(max(found[at].lower, closer.lower), min(found[at].upper, closer.upper))


def _bounds(releases: Releases, argument: Number, *, of_delta: bool) -> Iterator[Bounds]:
    """Yield bounds of the number of one ordered pair, closer ones after wider ones."""
    low, high = _beside(argument)
    if (closed := closed_bounds(releases.parts, argument, of_delta=of_delta)) is not None:
        yield Bounds(*closed)
    elif of_delta and low >= 1:
        yield Bounds(0.0, 0.0)
    elif not of_delta or low > 0:
        for each in profiles(releases, math.log(low) if of_delta else low, of_delta=of_delta):
            if of_delta:
                yield Bounds(max(least(each.under(), high), each.merged().loss(high)), least(each.over, low))
            else:
                yield Bounds(max(each.under().excess(high), each.merged().excess(high)), each.over.excess(low))


def _beside(number: Number) -> tuple[float, float]:
    """Return floats on both sides of a number."""
    near = exact.nearest_float(number)
    if exact.to_fraction(number) == Fraction(near):
        return near, near
    return math.nextafter(near, -math.inf), math.nextafter(near, math.inf)


def profiles(
    releases: Releases, target: float, *, of_delta: bool, finenesses: Sequence[float] = ()
) -> Iterator[Enclosed]:
    """Yield bounds of δ from below and from above, finer ones after coarser ones.

    Args:
        releases: of one ordered pair.
        target: the logarithm of an allowed δ, or a claimed ε, near which they are to be close.
        of_delta: which of both.
        finenesses: how many steps of the grid a deviation of one loss has, one after the other; none for the usual ones.
    """
    with precision(BITS):
        looks = [look(pair, count) for pair, count in releases.parts]
    if any(not len(each.losses) for each in looks):
        return
    if of_delta:
        delta = math.exp(target)
    else:
        delta = math.exp(min(0.0, log_bound(looks, tilt_of(looks, target, of_delta=False), target)))
    looks = trimmed(looks, delta)
    best = tilt_of(looks, target, of_delta=of_delta)
    tilts = (best,) if finenesses else gentler(looks, best, target, of_delta=of_delta)
    for tilt in tilts:
        allowed = 0.0
        if not finenesses:
            allowed = _SHARE * WIDTH * (max(0.0, log_bound(looks, tilt, 0.0) - target) if of_delta else 1.0)
        grid = partial(_enclosed, releases, looks, tilt, delta, allowed)
        finer = filter(None, takewhile(bool, map(grid, finenesses or _FINENESS)))
        first = next(finer, None)
        if first is None and not finenesses:
            first = next(filter(None, map(grid, _COARSER)), None)
        if first is not None:
            yield first
        yield from finer


def _enclosed(
    releases: Releases, looks: Sequence[Look], tilt: float, delta: float, allowed: float, fineness: float
) -> Enclosed | None:
    """Return bounds on one grid, None where it would be too large; ``allowed`` as for :func:`allowed_width`."""
    with precision(BITS):
        step = rounded(step_of(looks, tilt, fineness), looks)
    width, counts = float(step.mid()), [count for _, count in releases.parts]
    points = points_of(looks, tilt, width, delta, allowed_width(looks, tilt, allowed, fineness))
    if max(map(len, points)) > MOST_POINTS:
        return None
    with precision(BITS):
        cells = [pair.cells(_asked(own, width)) for (pair, _), own in zip(releases.parts, points, strict=True)]
    profile = partial(_profile, cells, counts, tilt, step, points)
    try:
        over = profile(up=True)
    except TooWide:
        return None
    return Enclosed(over, partial(profile, up=False), partial(merged, list(zip(cells, counts, strict=True)), width))


def _profile(
    cells: Sequence[Sequence[Cell]],
    counts: Sequence[int],
    tilt: float,
    step: arb,
    points: Sequence[Sequence[int]],
    *,
    up: bool,
) -> Profile:
    width = float(step.mid())
    with precision(BITS):
        grids = [_on_grid(each, step, own, up=up) for each, own in zip(cells, points, strict=True)]
        parts = [tilted(masses, count, step, tilt, up=up) for masses, count in zip(grids, counts, strict=True)]
        infinite = _infinite(grids, counts)
    try:
        law = composed(parts, width, tilt)
    except TooWide:
        if up:
            raise
        law = nothing(width, tilt)
    raised = (1 if up else -1) * sum(counts) * SLACK * width * (1 + 1e-6)
    return Profile.of(law, infinite[1] if up else infinite[0], raised, up=up)


def _on_grid(cells: Sequence[Cell], step: arb, points: Sequence[int], *, up: bool) -> Masses:
    return above(cells, step, points) if up else below(cells, step, points)


def _asked(points: Sequence[int], step: float) -> list[float]:
    """Return the losses at which cells are cut: points of the grid, and the middles between them."""
    middles = [step * (a + b) / 2 for a, b in pairwise(points)]
    return sorted([*(step * index for index in points), *middles])


def _infinite(grids: Sequence[Masses], counts: Sequence[int]) -> tuple[float, float]:
    """Return bounds of the mass under P of compositions in which a loss is infinite."""
    whole, finite = arb(1), arb(1)
    for masses, count in zip(grids, counts, strict=True):
        inner = arb(0)
        for one in masses.masses:
            inner += one
        whole *= (inner + masses.infinite) ** count
        finite *= inner**count
    found = whole - finite
    return max(0.0, math.nextafter(float(found.lower()), -1.0)), math.nextafter(float(found.upper()), math.inf)
