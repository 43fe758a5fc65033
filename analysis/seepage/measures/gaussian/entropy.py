"""How uncertain variables of a Gaussian mixture are: entropies relative to counting on atoms and Lebesgue measure elsewhere, in nats.

For an unnormalised density m on one stratum (see :mod:`gaussian_strata`) let J(m) = −∫ m log m; then H(x) = Σ_strata J and
H(x | y) = H(x, y) − H(y). J is a closed form for atoms (−p log p) and for single Gaussians (w (½ log((2πe)^n |Σ|) − log w)), an integral
with certified error in one and two dimensions, and bounded by pairs of components beyond.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction

from flint import arb

from seepage.engines.outcome import MixtureJoint
from seepage.exact import precision
from seepage.measures.arithmetic import add, subtract
from seepage.measures.enclosure import Enclosure
from seepage.measures.gaussian import bounds as gaussian_bounds
from seepage.measures.gaussian import quadrature
from seepage.measures.gaussian.cut import cut_entropy
from seepage.measures.gaussian.quadrature_frame import NotResolved, WeightedGaussian, near_origin
from seepage.measures.gaussian.reduction import reduce_dimension
from seepage.measures.gaussian.strata import (
    PRECISION,
    Piece,
    Strata,
    Weight,
    all_pieces,
    ball,
    full_rank,
    is_discrete,
    mass,
    not_supported,
    piece_of,
    rank,
    separates,
    strata,
)
from seepage.measures.gaussian.sum import between, clip, honest, infinite, note
from seepage.measures.gaussian.tuples import COARSE
from seepage.measures.notes import Note

MIXED = Note("relative to counting on the atoms and Lebesgue measure elsewhere")
SINGULAR = Note(
    "one of the variables is a linear function of the others in some run, so that they have no joint density"
)
WIDE = Note("bounds from pairs of components: no integral is computed in three or more dimensions")
UNFINISHED = Note("the integral is not known more narrowly: its boxes became too many, or too small")
PAIRS_LIMIT = 128
"""The largest number of components for which all pairs are looked at."""


def entropy(joint: MixtureJoint, x: Sequence[str]) -> Enclosure:
    """Return H(x): discrete, differential or mixed as x is; −inf if x has no density on its strata."""
    with precision(PRECISION):
        parts = strata(joint, x)
        return honest(cut_entropy(_entropy(parts), joint, x), joint, lower=arb(0) if is_discrete(parts) else None)


def conditional_entropy(joint: MixtureJoint, x: Sequence[str], y: Sequence[str]) -> Enclosure:
    """Return H(x | y) = H(x, y) − H(y), at most H(x), and at least 0 for a discrete x.

    −inf if x, given y, has no density. Where y itself has none (one of its variables is a function of the others) but x given y has,
    it is H(x) − I(x; y).
    """
    with precision(PRECISION):
        parts = strata(joint, x)
        discrete = is_discrete(parts)
        found = cut_entropy(_conditional(joint, tuple(x), tuple(y), parts), joint, x, y)
        return honest(found, joint, lower=arb(0) if discrete else None)


def _conditional(joint: MixtureJoint, x: tuple[str, ...], y: tuple[str, ...], parts: Strata) -> Enclosure:
    if is_discrete(parts) and separates(joint, y, x):
        return Enclosure.of_rational(Fraction(0))
    both, given = strata(joint, (*x, *y)), strata(joint, y)
    if not full_rank(all_pieces(both)):
        if _determined(joint, x, y):
            return infinite(-1, SINGULAR)
        # Imported here: information is built on the entropies of this module.
        from seepage.measures.gaussian.information import mutual_information

        own_entropy = _entropy(parts)
        found = clip(subtract(own_entropy, mutual_information(joint, x, y)), upper=own_entropy.upper)
        return clip(found, lower=arb(0)) if is_discrete(parts) else found
    joint_entropy, given_entropy, own = density_entropies([both, given, parts])
    found = clip(subtract(joint_entropy, given_entropy), upper=own.upper)
    if is_discrete(parts):
        found = clip(found, lower=arb(0))
    return note(found, MIXED) if _is_mixed(parts) else found


def _determined(joint: MixtureJoint, x: tuple[str, ...], y: tuple[str, ...]) -> bool:
    """Tell whether x has no density given y in some component: rank(x, y) < (continuous variables of x) + rank(y)."""
    seen = set()
    for component in joint.components:
        own, given, both = (piece_of(joint, component, names, component.weight)[1] for names in (x, y, (*x, *y)))
        key = (own.rows, given.rows, both.rows)
        if key not in seen:
            seen.add(key)
            if rank(both.rows) < len(own.rows) + rank(given.rows):
                return True
    return False


def _entropy(parts: Strata) -> Enclosure:
    if not full_rank(all_pieces(parts)):
        return infinite(-1, SINGULAR)
    found = density_entropies([parts])[0]
    if is_discrete(parts):
        found = clip(found, lower=arb(0))
    return note(found, MIXED) if _is_mixed(parts) else found


def _is_mixed(parts: Strata) -> bool:
    kinds = {tuple(value is None for value in key) for key in parts}
    return len(kinds) > 1


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
                    sums[index].append(_by_pairs(mixture, WIDE))
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
    by_pairs = _by_pairs(mixture, UNFINISHED)
    clipped = clip(found, lower=by_pairs.lower, upper=by_pairs.upper)
    return clipped if clipped.upper - clipped.lower < quadrature.TOLERANCE else note(clipped, UNFINISHED)


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


def _by_moments(f: Sequence[WeightedGaussian]) -> Iterator[arb]:
    """Yield the bound by moments, unless means are known too badly for it."""
    with suppress(NotResolved):
        yield gaussian_bounds.moment_upper(f)
