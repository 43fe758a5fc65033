"""Terms J of entropies: what the pieces of a mixture add up to, stratum by stratum, by integrals with proofs or by bounds from pairs of components."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction

from flint import arb

from seepage.measures.arithmetic import add
from seepage.measures.enclosure import Enclosure
from seepage.measures.gaussian import bounds as gaussian_bounds
from seepage.measures.gaussian import quadrature
from seepage.measures.gaussian.noisy_means import noisy_mean_entropy
from seepage.measures.gaussian.quadrature_frame import NotResolved, WeightedGaussian, near_origin
from seepage.measures.gaussian.reduction import reduce_dimension
from seepage.measures.gaussian.strata import (
    Piece,
    Strata,
    Weight,
    ball,
    mass,
    not_supported,
)
from seepage.measures.gaussian.sum import between, clip, note
from seepage.measures.gaussian.tuples import COARSE
from seepage.measures.notes import Note

WIDE = Note("bounds from pairs of components: no integral is computed in three or more dimensions")
LATTICE = Note("bounds from a sum over a lattice, which is as fine as the time allowed")
PAIRS_LIMIT = 128
"""The largest number of components for which all pairs are looked at."""


def density_entropies(laws: Sequence[Strata]) -> list[Enclosure]:
    """Return Σ_strata J for each of several laws whose pieces all have full rank; integrals of equal dimension are taken together.

    Raises:
        Fault: if a covariance is not known well enough to tell it from a singular one.
    """
    sums: list[list[Enclosure]] = [[] for _ in laws]
    waiting: dict[int, list[tuple[int, list[WeightedGaussian]]]] = {1: [], 2: []}
    for index, law in enumerate(laws):
        for key, pieces in law.items():
            if all(value is not None for value in key):
                sums[index].append(_atom(mass(pieces)))
            elif len(pieces) == 1 and pieces[0].certain:
                sums[index].append(_single(pieces[0]))
            else:
                mixture, rest = _reduced(near_origin([piece.gaussian() for piece in pieces])[0])
                sums[index].extend(rest)
                if len(mixture[0].mean) in waiting:
                    waiting[len(mixture[0].mean)].append((index, mixture))
                else:
                    sums[index].append(_by_lattice(mixture, _by_pairs(mixture, WIDE)))
    for tasks in waiting.values():
        mixtures = [mixture for _, mixture in tasks]
        try:
            found = quadrature.entropies(mixtures, quadrature.TOLERANCE / max(1, len(tasks)))
        except NotResolved as reason:
            found = [_by_pairs(mixture, Note(f"bounds from pairs of components: {reason}")) for mixture in mixtures]
        for (index, mixture), part in zip(tasks, found, strict=True):
            sums[index].append(_sharpened(part, mixture) if part.upper - part.lower > COARSE else part)
    return [add(*terms) if terms else Enclosure.of_rational(Fraction(0)) for terms in sums]


def _reduced(mixture: list[WeightedGaussian]) -> tuple[list[WeightedGaussian], list[Enclosure]]:
    """Return a mixture in as few dimensions as its means need, and what its J lacks of the original's."""
    try:
        found = reduce_dimension(mixture) if len(mixture[0].mean) > 1 else None
    except NotResolved as reason:
        raise not_supported(str(reason)) from reason
    if found is None:
        return mixture, []
    weight = sum((gaussian.weight for gaussian in mixture), arb(0))
    return list(found.mixture), [Enclosure.of_ball(weight * found.rest)]


def _sharpened(found: Enclosure, mixture: Sequence[WeightedGaussian]) -> Enclosure:
    """Intersect an integral whose budget ended early with the bounds by pairs."""
    (why,) = found.notes or (quadrature.unfinished("its boxes became too small"),)
    by_pairs = _by_pairs(mixture, why)
    clipped = clip(replace(found, notes=()), lower=by_pairs.lower, upper=by_pairs.upper)
    return clipped if clipped.upper - clipped.lower < quadrature.TOLERANCE else note(clipped, why)


def _atom(weight: Weight) -> Enclosure:
    if not isinstance(weight, arb) and weight == 1:
        return Enclosure.of_rational(Fraction(0))
    return Enclosure.of_ball(minus_log(weight))


def minus_log(weight: Weight) -> arb:
    """Return −w log w as a ball, at the precision of the caller."""
    return -ball(weight) * ball(weight).log()


def _single(piece: Piece) -> Enclosure:
    weight = ball(piece.weight)
    try:
        return Enclosure.of_ball(weight * gaussian_bounds.gaussian_entropy(piece.covariance) + minus_log(piece.weight))
    except NotResolved as reason:
        raise not_supported(str(reason)) from reason


def _by_pairs(mixture: Sequence[WeightedGaussian], why: Note) -> Enclosure:
    """Bound J by the bounds for the normalised density f: J(w f) = w H(f) − w log w; ``why`` stands beside bounds that are not narrow."""
    weight = sum((gaussian.weight for gaussian in mixture), arb(0))
    f = [g.divided(weight) for g in mixture]
    uppers, lowers = [gaussian_bounds.huber_upper], [gaussian_bounds.entropy_within]
    if len(f) <= PAIRS_LIMIT:
        uppers.append(gaussian_bounds.kolchinsky_tracey_upper)
        lowers.extend((gaussian_bounds.kolchinsky_tracey_lower, gaussian_bounds.huber_lower))
    try:
        upper = gaussian_bounds.least((*(bound(f) for bound in uppers), *_by_moments(f)))
        lower = gaussian_bounds.greatest(bound(f) for bound in lowers)
    except NotResolved as reason:
        raise not_supported(str(reason)) from reason
    extra = minus_log(weight)
    found = between(weight * lower + extra, weight * upper + extra, why)
    return replace(found, notes=()) if found.upper - found.lower < quadrature.TOLERANCE else found


def _by_lattice(mixture: Sequence[WeightedGaussian], found: Enclosure) -> Enclosure:
    """Intersect bounds of J in three and more dimensions with a sum over a lattice, where it promises to be closer."""
    weight = sum((gaussian.weight for gaussian in mixture), arb(0))
    extra, width = minus_log(weight), float((found.upper - found.lower).upper())
    if width <= COARSE:
        return found
    try:
        lower, upper = noisy_mean_entropy([g.divided(weight) for g in mixture], width)
    except NotResolved:
        return found
    lower, upper = found.lower.max(weight * lower + extra), found.upper.min(weight * upper + extra)
    best = between(lower, upper)
    return note(best, LATTICE) if best.upper - best.lower > COARSE else best


def _by_moments(f: Sequence[WeightedGaussian]) -> Iterator[arb]:
    """Yield the bound by moments, unless means are known too badly for it."""
    with suppress(NotResolved):
        yield gaussian_bounds.moment_upper(f)
