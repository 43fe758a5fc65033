r"""The sums J = Σ −∫ f log f over the strata of the law of a tuple, from the paths of a program.

A stratum holds the paths on which the same variables are atoms, with the same values. With at most one variable that has a
density, J is a sum of logarithms of weights and one-dimensional integrals. Entropies and informations are sums of such J.

Where a density f is known by a finite mixture g with :math:`\|f - g\|_1 \le \varepsilon`, the integral over [−X, X] moves by at most
:math:`2 X M \eta(\varepsilon / (2 X M)) + |\log M| \varepsilon` with :math:`\eta(t) = -t \log t` and M at least twice both suprema: from
:math:`|\eta(x) - \eta(y)| \le \eta(|x - y|)` for x, y in [0, 1], |x − y| <= 1/2, and Jensen's inequality. Outside, with mass m and second moment s there,
:math:`-m \log^+ M \le -\int f \log f \le \frac m2 \log(2 \pi e s / m) - m \log m`, the normal law having the largest entropy; m and s are bounded by
the fourth moment. X enters by its logarithm only, so it is taken huge.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from flint import arb, ctx

from seepage.engines.pivot.densities import Bell, Curve, Piece, explicit, moment_of, probability_of, term_of, weight_of
from seepage.engines.pivot.path import Path
from seepage.exact import Number, enclose
from seepage.laws.forms import Beyond, Polynomial
from seepage.laws.law import Law
from seepage.measures.enclosure import Enclosure
from seepage.measures.gaussian import quadrature
from seepage.measures.gaussian.quadrature_frame import NotResolved, WeightedGaussian
from seepage.measures.pivot.integral import Gaussian, entropy_integral
from seepage.measures.pivot.panels import Hidden, blend_of

ACCURACY = 1e-14
"""Of mixtures that stand for curves, in L1."""

_FAR = 2.0**40

Key = tuple[Number | None, ...]


def strata_of(paths: Sequence[Path], names: Sequence[str]) -> dict[Key, list[Path]]:
    """Return the paths by the values of the variables that are atoms there, None where one is continuous."""
    found: dict[Key, list[Path]] = {}
    for path in paths:
        key = tuple(None if isinstance(value := path.values[name], Polynomial) else value for name in names)
        found.setdefault(key, []).append(path)
    return found


def total_of(paths: Sequence[Path]) -> arb:
    """Return the probability of all paths together.

    Raises:
        Beyond: if it is not known to be positive.
    """
    total = sum((probability_of(path) for path in paths), arb(0))
    if not total > 0:
        raise Beyond("a probability that is not known to be positive")
    return total


def atom(mass: arb) -> arb:
    """Return −m log m of a mass."""
    if not mass > 0:
        raise Beyond("a probability that is not known to be positive")
    return -mass * mass.log()


def density_entropy(paths: Sequence[Path], name: str, total: arb) -> arb:
    """Enclose −∫ f log f of a variable that is continuous on all of some paths."""
    terms = [term_of(path, value) for path in paths if isinstance(value := path.values[name], Polynomial)]
    pieces = [scaled(term, total) for term in terms if isinstance(term, Piece)]
    gaussians: list[Gaussian] = []
    error, fourth, largest, hidden = arb(0), arb(0), arb(0), arb(0)
    curved = any(isinstance(term, Curve) for term in terms)
    for path, term in zip(paths, terms, strict=True):
        match term:
            case Piece():
                if curved:
                    fourth += weight_of(path) / total * moment_of(path, path.values[name], 4)
            case Bell():
                gaussians.append((term.weight / total, enclose(term.mean), enclose(term.variance)))
                fourth += term.fourth / total
            case Curve():
                fourth += term.fourth / total
                try:
                    blend = blend_of(term, ACCURACY)
                except Beyond:
                    pieces.append(scaled(explicit(term), total))
                    continue
                gaussians += [(weight / total, mean, variance) for weight, mean, variance in blend.gaussians]
                error += blend.error / total
                largest += term.weight / total / (2 * arb.pi() * blend.floor).sqrt()
                if blend.hidden is not None:
                    hidden += _hidden_entropy(blend.hidden, total)
    if len(pieces) == 1 and not gaussians and (pieces[0].low, pieces[0].high) == pieces[0].law.ends:
        (piece,) = pieces
        return piece.weight * (law_entropy(piece.law) + abs(enclose(piece.scale)).log()) + atom(piece.weight)
    found = mixture_entropy(pieces, gaussians)
    if not error.is_zero():
        found += perturbation(pieces, gaussians, error, fourth, largest)
    return found if hidden.is_zero() else found + arb(0, hidden.upper())


def _hidden_entropy(hidden: Hidden, total: arb) -> arb:
    """Bound what a part r of a density f + r, both divided by ``total``, moves −∫ f log f by: its own, and what it costs not to see which part it is."""
    mass = hidden.mass / total
    own = hidden.entropy / total + mass * abs(total.log())
    return (own + mass * (1 + ((1 + mass) / mass).log())).upper()


def law_entropy(law: Law) -> arb:
    """Return −∫ f log f of the law of a source, once for all who ask with the same precision."""
    return _law_entropy(law, int(ctx.prec))


@lru_cache(128)
def _law_entropy(law: Law, bits: int) -> arb:
    del bits
    return entropy_integral([Piece(arb(1), 0, 1, law, *law.ends)], [])


def scaled(piece: Piece, total: arb) -> Piece:
    """Return a piece with its weight divided."""
    return Piece(piece.weight / total, piece.location, piece.scale, piece.law, piece.low, piece.high)


def mixture_entropy(pieces: Sequence[Piece], gaussians: Sequence[Gaussian]) -> arb:
    """Enclose −∫ f log f of a sum of pieces and Gaussians ``(weight, mean, variance)``."""
    if pieces:
        return entropy_integral(pieces, gaussians)
    mixture = [WeightedGaussian(weight, (mean,), ((variance,),)) for weight, mean, variance in gaussians]
    try:
        return ball_of(quadrature.entropies([mixture])[0])
    except NotResolved as reason:
        raise Beyond(str(reason)) from reason


def ball_of(enclosure: Enclosure) -> arb:
    """Return the ball between the bounds of an enclosure."""
    return enclosure.lower.union(enclosure.upper)


def perturbation(pieces: Sequence[Piece], gaussians: Sequence[Gaussian], error: arb, fourth: arb, largest: arb) -> arb:
    """Enclose what −∫ f log f of the density, over the line or a part of it, differs by from that of the mixture; see the head of this module.

    Args:
        pieces: of the density, and of the mixture.
        gaussians: of the mixture.
        error: L1 distance.
        fourth: at least the fourth moment of the density.
        largest: at least the largest density of what the mixture stands for.
    """
    largest += sum((weight / (2 * arb.pi() * variance).sqrt() for weight, _, variance in gaussians), arb(0))
    largest += sum((piece.weight / abs(enclose(piece.scale)) * piece.law.largest for piece in pieces), arb(0))
    bound = 2 * largest.upper()
    own = fourth
    for weight, mean, variance in gaussians:
        square = mean * mean
        own += weight * (square * square + 6 * square * variance + 3 * variance * variance)
    far = arb(_FAR) * (1 + own.upper()) ** 0.25
    share = error / (2 * far * bound)
    if not share < (-arb(1)).exp():
        raise Beyond("a mixture that is too far from the density")
    inside = 2 * far * bound * -share * share.log() + abs(bound.log()) * error
    mass, square = (own / far**4).upper(), (own / far**2).upper()
    slope = (2 * arb.pi() * square).log() / 2 - 3 * mass.log() / 2 - 1
    if not slope > 0:
        raise Beyond("a mixture that is too far from the density")
    above = mass / 2 * (2 * arb.pi() * arb(1).exp() * square / mass).log() - mass * mass.log()
    below = mass * bound.log().max(arb(0))
    outside = 2 * (abs(above) + below)
    return arb(0, (inside + outside).upper())
