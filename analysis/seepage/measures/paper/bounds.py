r"""The paper's own bounds, by name: what its Propositions give for a mixture without any integral.

================  ====================================================================================================================
``huber``         H(x) by Proposition *Bounds for entropy of GMs* (Huber et al. 2008); H(x | y) = H(x, y) − H(y), I = H(x) + H(y) − H(x, y)
``hershey``       KL(x ‖ y) = −H(x) − L_x(y) by Proposition *Bounds for KL divergence* (Hershey and Olsen 2007), with H by ``huber``;
                  H(x) = −L_x(x), H(x | y) = −L_{x,y}(x, y) + L_y(y), and I = −H(x, y) − L_x(x) − L_y(y) (the paper prints another sign)
``variational``   KL(x ‖ y) and I(x; y) = KL(x, y ‖ x ⊗ y) from above by the variational bound of Hershey and Olsen 2007, from below by 0
================  ====================================================================================================================

All are true bounds, in balls. They are wide; the default of every measure, quadrature, encloses the same numbers to nine digits. Where the mixture
has atoms, each stratum (:mod:`gaussian_strata`) is bounded by itself and the weights of strata enter exactly. A single Gaussian is known in
closed form. The paper's refinement of the upper bound, which replaces a group of components by one Gaussian inside of the mixture, is false where
other components stand beside it; of all components together it is the Gaussian with the moments of the whole, which bounds, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import TypeAlias

from flint import arb

from seepage.data_classes import dataclass
from seepage.engines.outcome import MixtureJoint
from seepage.exact import precision
from seepage.measures.enclosure import Enclosure
from seepage.measures.gaussian import bounds as gaussian_bounds
from seepage.measures.gaussian.densities import minus_log
from seepage.measures.gaussian.divergence import UNSUPPORTED, escapes
from seepage.measures.gaussian.entropy import SINGULAR
from seepage.measures.gaussian.information import REVEALED, proves_independence, reveals
from seepage.measures.gaussian.quadrature_frame import NotResolved, WeightedGaussian, near_origin
from seepage.measures.gaussian.strata import (
    PRECISION,
    Piece,
    Strata,
    all_pieces,
    ball,
    full_rank,
    is_discrete,
    mass,
    not_supported,
    strata,
)
from seepage.measures.gaussian.sum import between, clip, honest, infinite
from seepage.measures.notes import Note
from seepage.measures.result import Method

MOST_PAIRS = 40_000
"""The largest number of pairs of components that one measure looks at: a few seconds."""

NO_DENSITY = "the paper's bounds need densities, but one variable is a linear function of others: leave out the method"

Ends: TypeAlias = tuple[arb, arb]


@dataclass(frozen=True, slots=True)
class PaperBounds:
    """A measure by one of the paper's methods, in nats.

    Attributes:
        enclosure: the formulas' bounds, intersected with what holds of every law: 0 <= I, 0 <= KL, H(x | y) <= H(x).
        alone: what the formulas give alone, None where the number is known otherwise (0 by independence, infinite by rank).
    """

    enclosure: Enclosure
    alone: Enclosure | None


class NotCovered(Exception):
    """The method has no formula for the measure; the text says which has."""


def entropy(joint: MixtureJoint, x: Sequence[str], y: Sequence[str], method: Method) -> PaperBounds:
    """Bound H(x), or H(x | y) = H(x, y) − H(y) where ``y`` names variables, in nats.

    Raises:
        NotCovered: for the variational method, which bounds divergences only.
        Fault: not supported, if a covariance is not known well enough, or for too many pairs of components.
    """
    if method is Method.VARIATIONAL:
        raise NotCovered("'variational' bounds KL and I: for H take 'huber' or 'hershey'")
    with precision(PRECISION):
        both, given, own = (strata(joint, names) for names in ((*x, *y), y, x))
        floor = arb(0) if is_discrete(own) else None
        if not full_rank(all_pieces(both)):
            if y:
                raise not_supported(NO_DENSITY)
            return PaperBounds(honest(infinite(-1, SINGULAR), joint), None)
        low, high = _entropy(both, method)
        found = clip(between(low, high, _note(method)), lower=floor)
        if y:
            given_low, given_high = _entropy(given, method)
            low, high = low - given_high, high - given_low
            found = clip(between(low, high, _note(method)), lower=floor, upper=_entropy(own, method)[1])
        return PaperBounds(honest(found, joint, lower=floor), _alone(low, high, joint))


def information(joint: MixtureJoint, x: Sequence[str], y: Sequence[str], method: Method) -> PaperBounds:
    """Bound I(x; y) in nats.

    Raises:
        NotCovered: for the variational method and a variable on both sides.
        Fault: not supported, where one variable is a linear function of others, and as :func:`entropy`.
    """
    if method is Method.VARIATIONAL and set(x) & set(y):
        raise NotCovered("'variational' compares x and y with independent copies: name no variable on both sides")
    with precision(PRECISION):
        if proves_independence(joint, tuple(x), tuple(y)):
            zero = Enclosure.of_rational(Fraction(0))
            return PaperBounds(honest(zero, joint, lower=arb(0)), None)
        if reveals(joint, tuple(x), tuple(y)):
            return PaperBounds(honest(infinite(1, REVEALED), joint, lower=arb(0)), None)
        own, other, both = (strata(joint, names) for names in (x, y, (*x, *y)))
        if not full_rank(all_pieces(both)):
            raise not_supported(NO_DENSITY)
        low, high = _information(own, other, both, method)
        found = clip(between(low, high, _note(method)), lower=arb(0))
        for law in (own, other):
            if is_discrete(law):
                found = clip(found, upper=_entropy(law, Method.HUBER)[1])
        return PaperBounds(honest(found, joint, lower=arb(0)), _alone(low, high, joint))


def divergence(
    joint_p: MixtureJoint, x: Sequence[str], joint_q: MixtureJoint, y: Sequence[str], method: Method
) -> PaperBounds:
    """Bound KL(law of x in ``joint_p`` ‖ law of y in ``joint_q``) in nats.

    Raises:
        NotCovered: for Huber's method, which bounds entropies only.
        Fault: not supported, for tuples with linear dependencies, and as :func:`entropy`.
    """
    if method is Method.HUBER:
        raise NotCovered("'huber' bounds H and I: for KL take 'hershey' or 'variational'")
    with precision(PRECISION):
        p, q = strata(joint_p, x), strata(joint_q, y)
        if any(key not in q or escapes(pieces, q[key]) for key, pieces in p.items()):
            return PaperBounds(honest(infinite(1, UNSUPPORTED), joint_p, joint_q, lower=arb(0)), None)
        if not full_rank((*all_pieces(p), *all_pieces(q))):
            raise not_supported(NO_DENSITY)
        low, high = _divergence(p, q, method)
        found = clip(between(low, high, _note(method)), lower=arb(0))
        return PaperBounds(honest(found, joint_p, joint_q, lower=arb(0)), _alone(low, high, joint_p, joint_q))


def _note(method: Method) -> Note:
    return Note(
        f"by the paper's bounds '{method}', which use no integral: without --method the bounds are those of quadrature, within these"
    )


def _alone(low: arb, high: arb, *joints: MixtureJoint) -> Enclosure | None:
    return None if any(joint.approximations for joint in joints) else between(low, high)


# --- sums over strata ---------------------------------------------------------------------------------------------------


def _sum(parts: Iterable[Ends]) -> Ends:
    low, high = arb(0), arb(0)
    for lower, upper in parts:
        low, high = low + lower, high + upper
    return low, high


def _normalised(pieces: Sequence[Piece]) -> list[WeightedGaussian]:
    whole = ball(mass(pieces))
    return [piece.gaussian().divided(whole) for piece in pieces]


def _is_gaussian(pieces: Sequence[Piece]) -> bool:
    return len(pieces) == 1 and pieces[0].certain


def _entropy(parts: Strata, method: Method) -> Ends:
    """Return Σ_strata α H(f) − α log α."""
    return _sum(_stratum_entropy(pieces, method) for pieces in parts.values())


def _stratum_entropy(pieces: Sequence[Piece], method: Method) -> Ends:
    weight, extra = ball(mass(pieces)), minus_log(mass(pieces))
    if not pieces[0].mean:
        return extra, extra
    (f,) = near_origin(_normalised(pieces))
    try:
        low, high = _density_entropy(f, method, single=_is_gaussian(pieces))
    except NotResolved as reason:
        raise not_supported(str(reason)) from reason
    return weight * low + extra, weight * high + extra


def _density_entropy(f: Sequence[WeightedGaussian], method: Method, single: bool) -> Ends:
    if single:
        known = gaussian_bounds.gaussian_entropy(f[0].covariance)
        return known, known
    _need_few(f, f)
    if method is Method.HERSHEY:
        return -gaussian_bounds.hershey_olsen_upper(f, f), -gaussian_bounds.hershey_olsen_lower(f, f)
    above = gaussian_bounds.huber_upper(f), gaussian_bounds.moment_upper(f)
    return gaussian_bounds.huber_lower(f), gaussian_bounds.least(above)


def _information(own: Strata, other: Strata, both: Strata, method: Method) -> Ends:
    if method is Method.VARIATIONAL:
        return _divergence(both, _product(own, other), method)
    joint_low, joint_high = _entropy(both, Method.HUBER)
    low, high = _sum(_entropy(law, method) for law in (own, other))
    return low - joint_high, high - joint_low


def _product(own: Strata, other: Strata) -> Strata:
    """Return the law of independent copies: the product of the marginals, stratum by stratum."""
    return {
        (*key, *other_key): tuple(_independent(a, b) for a in pieces for b in others)
        for key, pieces in own.items()
        for other_key, others in other.items()
    }


def _independent(a: Piece, b: Piece) -> Piece:
    n, m = len(a.mean), len(b.mean)
    covariance = (*((*row, *[arb(0)] * m) for row in a.covariance), *((*[arb(0)] * n, *row) for row in b.covariance))
    wide = (len(a.rows[0]) if a.rows else 0, len(b.rows[0]) if b.rows else 0)
    rows = (*((*row, *[0] * wide[1]) for row in a.rows), *((*[0] * wide[0], *row) for row in b.rows))
    certain = a.certain and b.certain
    return Piece(
        ball(a.weight) * ball(b.weight), rows, (*a.mean, *b.mean), covariance, (a.identity, b.identity), certain
    )


def _divergence(p: Strata, q: Strata, method: Method) -> Ends:
    low, high = _sum(_stratum_divergence(pieces, q[key], method) for key, pieces in p.items())
    return (arb(0) if method is Method.VARIATIONAL else low), high


def _stratum_divergence(p: Sequence[Piece], q: Sequence[Piece], method: Method) -> Ends:
    """Return α log(α/β) + α KL(f ‖ g) for the normalised densities f, g of a stratum."""
    alpha, beta = ball(mass(p)), ball(mass(q))
    base = alpha * (alpha / beta).log()
    if not p[0].mean:
        return base, base
    f, g = near_origin(_normalised(p), _normalised(q))
    _need_few(f, [*f, *g])
    try:
        if method is Method.VARIATIONAL:
            low, high = arb(0), gaussian_bounds.hershey_olsen_variational(f, g)
        else:
            entropy_low, entropy_high = _density_entropy(f, Method.HUBER, single=_is_gaussian(p))
            low = -entropy_high - gaussian_bounds.hershey_olsen_upper(f, g)
            high = -entropy_low - gaussian_bounds.hershey_olsen_lower(f, g)
    except NotResolved as reason:
        raise not_supported(str(reason)) from reason
    return base + alpha * low, base + alpha * high


def _need_few(f: Sequence[WeightedGaussian], g: Sequence[WeightedGaussian]) -> None:
    if len(f) * len(g) > MOST_PAIRS:
        message = f"the paper's bounds look at all {len(f) * len(g)} pairs of components, more than {MOST_PAIRS}"
        raise not_supported(f"{message}: leave out --method")
