"""What a variable of a Gaussian mixture is on average: E and Var, in closed form."""

from __future__ import annotations

from fractions import Fraction

from flint import arb, fmpq

from seepage.engines.outcome import MixtureJoint
from seepage.exact import enclose, precision, to_fraction
from seepage.measures.enclosure import Enclosure
from seepage.measures.gaussian.cut import cut_chance, cut_mean, cut_variance
from seepage.measures.gaussian.strata import PRECISION, ball, is_discrete, mass, strata
from seepage.measures.gaussian.sum import clip, honest


def expectation(joint: MixtureJoint, variable: str, event: bool = False) -> Enclosure:
    """Return E(variable); exactly, as a rational, where values and weights are rational.

    For a 0/1 ghost variable this is a probability; its bounds are then within [0, 1], also for approximations. With ``event`` it is known to be one
    also in runs that were cut off.
    """
    with precision(PRECISION):
        parts = strata(joint, (variable,))
        exact: fmpq | None = fmpq(0)
        result = arb(0)
        for (value,), pieces in parts.items():
            if value is not None:
                weight, rational = mass(pieces), to_fraction(value)
                result += ball(weight) * enclose(value, PRECISION)
                if exact is None or rational is None or isinstance(weight, arb):
                    exact = None
                else:
                    exact += weight * fmpq(rational.numerator, rational.denominator)
                continue
            exact = None
            result += sum((ball(piece.weight) * piece.mean[0] for piece in pieces), arb(0))
        if exact is not None:
            found = Enclosure.of_rational(Fraction(int(exact.p), int(exact.q)))
        else:
            found = Enclosure.of_ball(result)
        chance = all(value in (0, 1) for (value,) in parts)
        if chance and exact is None:
            found = clip(found, lower=arb(0), upper=arb(1))
        found = cut_chance(found, joint) if event else cut_mean(found, joint, variable)
        return honest(found, joint, lower=arb(0) if chance else None, upper=arb(1) if chance else None)


def variance(joint: MixtureJoint, variable: str) -> Enclosure:
    """Return Var(variable) = Σ w (σ² + (μ − E)²), at least 0, and exactly 0 for a constant."""
    with precision(PRECISION):
        terms: list[tuple[arb, arb, arb]] = []
        parts = strata(joint, (variable,))
        if len(parts) == 1 and is_discrete(parts):
            ((value,),) = parts
            only = arb(0) if value is None else enclose(value, PRECISION)
            return honest(cut_variance(Enclosure.of_rational(Fraction(0)), only, joint, variable), joint, lower=arb(0))
        for (value,), pieces in parts.items():
            for piece in pieces:
                mean = piece.mean[0] if value is None else enclose(value, PRECISION)
                terms.append((ball(piece.weight), mean, piece.covariance[0][0] if value is None else arb(0)))
        origin = terms[0][1].mid()  # from which differences of large means keep their digits
        terms = [(weight, mean - origin, own) for weight, mean, own in terms]
        average = sum((weight * mean for weight, mean, _ in terms), arb(0))
        # A ball around 0 times itself, not to the power 2: the library's power of such a ball is nan.
        spread = sum((weight * (own + (mean - average) * (mean - average)) for weight, mean, own in terms), arb(0))
        found = cut_variance(clip(Enclosure.of_ball(spread), lower=arb(0)), average + origin, joint, variable)
        return honest(found, joint, lower=arb(0))
