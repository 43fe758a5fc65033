"""How far the law of one tuple is from another's: KL(x ‖ y) in nats for Gaussian mixtures with atoms.

KL adds over strata (see :mod:`gaussian_strata`): atoms give α log(α/β), densities ∫ f log(f/g) of the unnormalised f, g of the stratum. It is
infinite where x has atoms or density and y has none.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from flint import arb

from seepage.engines.outcome import MixtureJoint
from seepage.exact import precision
from seepage.measures.arithmetic import add
from seepage.measures.enclosure import Enclosure
from seepage.measures.gaussian import bounds as gaussian_bounds
from seepage.measures.gaussian import quadrature
from seepage.measures.gaussian.cut import cut_divergence
from seepage.measures.gaussian.densities import PAIRS_LIMIT, WIDE
from seepage.measures.gaussian.quadrature_frame import NotResolved, WeightedGaussian, near_origin
from seepage.measures.gaussian.strata import (
    PRECISION,
    Piece,
    Strata,
    ball,
    full_rank,
    is_discrete,
    mass,
    not_supported,
    rank,
    strata,
)
from seepage.measures.gaussian.sum import between, clip, honest, infinite
from seepage.measures.notes import Note

UNSUPPORTED = Note("the first law has mass where the second has none")


def divergence(joint_p: MixtureJoint, x: Sequence[str], joint_q: MixtureJoint, y: Sequence[str]) -> Enclosure:
    """Return KL(law of x in ``joint_p`` ‖ law of y in ``joint_q``), at least 0; inf if the first is not supported by the second.

    Raises:
        ValueError: if the tuples differ in length.
        Fault: not supported, for repeated variables, and for tuples with linear dependencies on both sides.
    """
    if len(x) != len(y):
        raise ValueError(f"got {len(x)} and {len(y)} variables, expected as many on both sides")
    if len(set(x)) < len(x) or len(set(y)) < len(y):
        raise not_supported("the divergence of tuples that repeat a variable is not computed yet")
    with precision(PRECISION):
        p, q = strata(joint_p, x), strata(joint_q, y)
        found = cut_divergence(clip(_divergence(p, q), lower=arb(0)), joint_p, joint_q, y, not is_discrete(p))
        return honest(found, joint_p, joint_q, lower=arb(0))


def _divergence(p: Strata, q: Strata) -> Enclosure:
    if _equal(p, q):
        return Enclosure.of_rational(Fraction(0))
    if any(key not in q or escapes(pieces, q[key]) for key, pieces in p.items()):
        return infinite(1, UNSUPPORTED)
    if not all(full_rank((*pieces, *q[key])) for key, pieces in p.items()):
        raise not_supported("the divergence of tuples with linear dependencies on both sides is not computed yet")
    goal = quadrature.TOLERANCE / len(p)
    return add(*(_stratum(pieces, q[key], sum(v is None for v in key), goal) for key, pieces in p.items()))


def _equal(p: Strata, q: Strata) -> bool:
    """Tell whether both laws are provably one: equal strata, exact weights, and Gaussians given by exact numbers."""
    return p.keys() == q.keys() and all(
        {(piece.identity, str(piece.weight)) for piece in pieces}
        == {(piece.identity, str(piece.weight)) for piece in q[key]}
        and all(_exact(piece) for piece in pieces)
        for key, pieces in p.items()
    )


def _exact(piece: Piece) -> bool:
    entries = [*piece.mean, *(entry for row in piece.covariance for entry in row)]
    return not isinstance(piece.weight, arb) and all(entry.is_exact() for entry in entries)


def escapes(p: Sequence[Piece], q: Sequence[Piece]) -> bool:
    """Tell whether some piece of p has another dimension than all of q: each would give the other's support no mass."""
    return not {rank(piece.rows) for piece in p} <= {rank(piece.rows) for piece in q}


def _stratum(p: Sequence[Piece], q: Sequence[Piece], dimension: int, goal: float) -> Enclosure:
    alpha, beta = ball(mass(p)), ball(mass(q))
    f, g = near_origin(*([piece.gaussian() for piece in pieces] for pieces in (p, q)))
    # ∫ αf log(αf/βg) = α log(α/β) + α KL(f ‖ g) for normalised f, g.
    base = alpha * (alpha / beta).log()
    try:
        if dimension == 0:
            return Enclosure.of_ball(base)
        if len(p) == len(q) == 1 and p[0].certain and q[0].certain:
            return Enclosure.of_ball(base + alpha * gaussian_bounds.gaussian_divergence(f[0], g[0]))
        if dimension <= 2:
            return quadrature.divergence(f, g, goal)
        return _by_pairs(f, g, alpha, beta, base)
    except NotResolved as reason:
        raise not_supported(str(reason)) from reason


def _by_pairs(
    f: Sequence[WeightedGaussian], g: Sequence[WeightedGaussian], alpha: arb, beta: arb, base: arb
) -> Enclosure:
    if len(f) * len(g) > PAIRS_LIMIT**2:
        return between(base, arb.pos_inf(), WIDE)
    f = [part.divided(alpha) for part in f]
    g = [part.divided(beta) for part in g]
    lower = -gaussian_bounds.kolchinsky_tracey_upper(f) - gaussian_bounds.hershey_olsen_upper(f, g)
    upper = gaussian_bounds.least(
        (
            gaussian_bounds.hershey_olsen_variational(f, g),
            -gaussian_bounds.kolchinsky_tracey_lower(f) - gaussian_bounds.hershey_olsen_lower(f, g),
        )
    )
    return between(base + alpha * gaussian_bounds.greatest((lower, arb(0))), base + alpha * upper, WIDE)
