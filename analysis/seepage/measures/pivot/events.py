"""The chance of an event, from paths of which one comparison may be of a value that is no guard (``Path.cut``).

The chance of such a path is the mass of the value's density (:mod:`seepage.engines.pivot.densities`) over an interval; of a curve of normals it is known up
to the error in L1 of the mixture that stands for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import assert_never

from flint import arb, fmpq

from seepage import exact
from seepage.engines.pivot.densities import Bell, Curve, Piece, Term, explicit, probability_of, term_of
from seepage.engines.pivot.path import Path
from seepage.exact import enclose
from seepage.laws.forms import Beyond
from seepage.laws.law import Edge
from seepage.laws.normal import Normal
from seepage.measures.gaussian import maximum
from seepage.measures.pivot.panels import blend_of
from seepage.measures.pivot.product_chance import chance_of_product
from seepage.measures.pivot.strata import ACCURACY


def event_probability(paths: Sequence[Path], name: str) -> arb:
    """Enclose the chance that a variable which is 0 or 1 on each path is 1.

    Raises:
        Beyond: if a density is not known, or it is not known that any path can be taken.
    """
    masses = [arb(0), arb(0)]
    for path in paths:
        value = path.values[name]
        if value not in (0, 1):
            raise Beyond("an event that is neither true nor false")
        masses[value == 1] += chance_of(path)
    total = masses[0] + masses[1]
    if not total > 0:
        raise Beyond("a probability that is not known to be positive")
    if masses[0].is_zero() or masses[1].is_zero():
        return arb(0) if masses[1].is_zero() else arb(1)
    return masses[1] / total


def chance_of(path: Path) -> arb:
    """Enclose the probability of a path, its guards and its cut included."""
    if path.cut is None:
        return probability_of(path)
    value, low, high = path.cut
    whole = replace(path, cut=None)
    with suppress(Beyond):
        return chance_of_product(whole, value, low, high)
    return _mass(term_of(whole, value), low, high)


def _mass(term: Term, low: Edge, high: Edge) -> arb:
    """Enclose the mass of a density over an interval."""
    match term:
        case Piece():
            ends = [
                None if end is None else exact.div(exact.sub(end, term.location), term.scale) for end in (low, high)
            ]
            if exact.sign(term.scale) < 0:
                ends.reverse()
            within = Path(fmpq(1), {}, (term.law,)).within(((0, 1),), term.low, term.high)
            part = within and within.within(((0, 1),), *ends)
            return arb(0) if part is None else term.weight * term.law.probability(*part.interval(((0, 1),)))
        case Bell():
            ends = [None if end is None else exact.sub(end, term.mean) for end in (low, high)]
            return term.weight * Normal((term.variance,)).probability(*ends)
        case Curve():
            with suppress(Beyond):
                return _mass(explicit(term), low, high)
            blend = blend_of(term, ACCURACY)
            parts = (
                weight * _bell_mass(maximum.Bell(mean, variance.sqrt()), low, high)
                for weight, mean, variance in blend.gaussians
            )
            return (sum(parts, arb(0)) + arb(0, blend.distance)).max(arb(0))
        case _:
            assert_never(term)


def _bell_mass(bell: maximum.Bell, low: Edge, high: Edge) -> arb:
    if low is None:
        return arb(1) if high is None else bell.below(enclose(high))
    return bell.above(enclose(low)) if high is None else bell.between(enclose(low), enclose(high))
