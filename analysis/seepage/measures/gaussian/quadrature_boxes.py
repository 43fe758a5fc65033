"""Boxes of the line or plane that still have to be integrated: which components matter in them, the range of the integrand, and their halves."""

from __future__ import annotations

import math
from dataclasses import field

import numpy as np

from seepage.data_classes import dataclass
from seepage.measures.gaussian.quadrature_form import Flags, Ints, NormalForm, Pairs, Reach, reach_of
from seepage.measures.gaussian.quadrature_frame import Components
from seepage.measures.gaussian.quadrature_rules import Floats
from seepage.measures.gaussian.quadrature_tails import INFLATION

_LOG_TINY = -690.0  # log of the smallest number that is not treated as an underflow


@dataclass(slots=True)
class Sums:
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
class Cover:
    """Boxes that still have to be integrated; ``missing`` bounds the density of pruned components of f, relative to g for ``g_missing``."""

    problem: Ints
    centre: Floats
    half: Floats
    f: Pairs
    missing: Floats
    g: Pairs | None
    g_missing: Floats


# --- which components matter -------------------------------------------------------------------------------------------


def prune_f(cover: Cover, f: Components, volume: Floats, per_box: float) -> tuple[Reach, Cover]:
    """Drop components whose mass in a box cannot matter; ``missing`` keeps a bound of their density there."""
    found = reach_of(f, cover.centre, cover.half, cover.f)
    keep = found.highest + np.log(volume)[cover.f.box] > math.log(1e-5 * per_box)
    dropped = np.bincount(
        cover.f.box[~keep], np.exp(np.maximum(found.highest[~keep], _LOG_TINY)), minlength=volume.shape[0]
    )
    pairs = Pairs(cover.f.box[keep], cover.f.component[keep])
    missing = cover.missing + dropped * INFLATION
    return _reach_where(found, keep), Cover(
        cover.problem, cover.centre, cover.half, pairs, missing, cover.g, cover.g_missing
    )


def prune_g(cover: Cover, g: Components) -> tuple[Reach, Cover]:
    """Drop components of g that are negligible relative to g itself in a box: log g then errs by at most ``g_missing``."""
    assert cover.g is not None
    found = reach_of(g, cover.centre, cover.half, cover.g)
    floor = np.maximum.reduceat(found.lowest, starts_of(cover.g))
    relative = found.highest - floor[cover.g.box]
    keep = relative > math.log(1e-17)
    dropped = np.bincount(cover.g.box[~keep], np.exp(np.maximum(relative[~keep], _LOG_TINY)), minlength=floor.shape[0])
    pairs = Pairs(cover.g.box[keep], cover.g.component[keep])
    missing = cover.g_missing + dropped * INFLATION
    return _reach_where(found, keep), Cover(
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


def starts_of(pairs: Pairs) -> Ints:
    """Return where the pairs of each box begin; those of a box stand together."""
    return np.flatnonzero(np.r_[True, pairs.box[1:] != pairs.box[:-1]])


def select(cover: Cover, which: Flags, reach_f: Reach, reach_g: Reach | None) -> tuple[Cover, Reach, Reach | None]:
    """Return some of the boxes, and what components reach in them."""
    f, keep_f = _pairs_where(cover.f, which)
    reach_f = _reach_where(reach_f, keep_f)
    g = None
    if cover.g is not None and reach_g is not None:
        g, keep_g = _pairs_where(cover.g, which)
        reach_g = _reach_where(reach_g, keep_g)
    chosen = Cover(
        cover.problem[which], cover.centre[which], cover.half[which], f, cover.missing[which], g, cover.g_missing[which]
    )
    return chosen, reach_f, reach_g


def _pairs_where(pairs: Pairs, which: Flags) -> tuple[Pairs, Flags]:
    rank = np.cumsum(which) - 1
    keep = which[pairs.box]
    return Pairs(rank[pairs.box[keep]], pairs.component[keep]), keep


# --- boxes enclosed by the range of the integrand ------------------------------------------------------------------------


def _density_bound(cover: Cover, found: Reach) -> Floats:
    total = np.bincount(cover.f.box, np.exp(np.minimum(found.highest, 700.0)), minlength=cover.missing.shape[0])
    return np.asarray((total + cover.missing) * INFLATION + 1e-300)


def range_of(cover: Cover, found: Reach) -> tuple[Floats, Floats]:
    """Enclose −f log f over each box: 0 <= f <= b implies min(0, −b log b) <= −f log f <= (−b log b if b < 1/e else 1/e)."""
    bound = _density_bound(cover, found)
    at_bound = -bound * np.log(bound)
    return np.minimum(0.0, at_bound), np.where(bound < math.exp(-1), at_bound, math.exp(-1))


def cross_range(cover: Cover, reach_f: Reach, reach_g: Reach, low: Floats, high: Floats) -> tuple[Floats, Floats]:
    """Enclose f log f − f log g over each box, given the range of −f log f."""
    assert cover.g is not None
    starts = starts_of(cover.g)
    bound = _density_bound(cover, reach_f)
    top = np.maximum.reduceat(reach_g.highest, starts)
    log_sup = top + np.log(np.add.reduceat(np.exp(reach_g.highest - top[cover.g.box]), starts)) + cover.g_missing + 1e-9
    log_inf = np.maximum.reduceat(reach_g.lowest, starts) - 1e-9
    return -high + bound * np.minimum(0.0, -log_sup), -low + bound * np.maximum(0.0, -log_inf)


def accept_range(cover: Cover, done: Flags, low: Floats, high: Floats, sums: Sums, last: bool) -> None:
    """Count boxes as integrated by the range of the integrand alone."""
    problem, low, high = cover.problem[done], low[done], high[done]
    # Negligible boxes hold far less than their bound; large ones, left when the budget ends, are anywhere in it.
    value = (low + high) / 2 if last else np.clip(0.0, low, high)
    sums.values.append((problem, value))
    sums.below.append((problem, value - low))
    sums.above.append((problem, high - value))


# --- halving ---------------------------------------------------------------------------------------------------------------


def halved(cover: Cover, which: Flags, form: NormalForm) -> Cover:
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
    return Cover(
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
