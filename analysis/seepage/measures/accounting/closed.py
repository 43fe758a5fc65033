"""Bounds of δ and ε of normal releases, which together are one: as narrow as floats are."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from flint import arb

from seepage import exact
from seepage.exact import Number, precision
from seepage.measures.accounting.cell import Pair
from seepage.measures.accounting.discrete import ball
from seepage.measures.accounting.mixtures import Normals
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
