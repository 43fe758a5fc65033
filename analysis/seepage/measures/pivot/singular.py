r"""Which values of a path have a density together, and which are singular: they fill a set without volume.

Values are polynomials of independent sources that have densities. Where the Jacobian matrix has full rank at one point, it has so almost everywhere, and the values have a density.
They have none if there are more of them than sources in them, or if one is a linear function of the others: then the rank is lower everywhere (Federer 1969, "Geometric
measure theory", 3.2). No value alone has atoms, as a polynomial that is constant is a number.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from fractions import Fraction

from seepage import exact
from seepage.engines.pivot.path import Path
from seepage.exact import Number
from seepage.laws.forms import Beyond, Polynomial
from seepage.measures.gaussian.strata import basis, rank
from seepage.measures.notes import Note
from seepage.measures.pivot.strata import total_of

Names = Sequence[str]


SINGULAR = Note("these values fill a set without volume in some run, so that they have no joint density")


def are_singular(path: Path, names: Names) -> bool:
    """Tell whether those values that are continuous on a path are provably singular together there; False proves nothing."""
    values = _continuous(path, names)
    if len(values) < 2:
        return False
    sources = frozenset[int]().union(*(value.sources for value in values))
    monomials = sorted({monomial for value in values for monomial, _ in value.terms if monomial})
    rows = [[dict(value.terms).get(monomial, 0) for monomial in monomials] for value in values]
    if min(len(sources), rank(rows)) == len(values):
        return False
    with suppress(Beyond):
        return total_of([path]) > 0  # else no run may take such a path
    return False


def with_density(path: Path, names: Names) -> tuple[str, ...]:
    """Return values that are continuous on a path and provably have a density together there, so many that no further one can be shown to have one with them."""
    chosen = [name for name in dict.fromkeys(names) if isinstance(path.values[name], Polynomial)]
    values = _continuous(path, chosen)
    sources = sorted(frozenset[int]().union(*(value.sources for value in values)))
    return tuple(chosen[place] for place in basis([[_slope(value, index) for index in sources] for value in values]))


def tell_each_other(path: Path, x: Names, y: Names, given: Names = ()) -> bool:
    """Tell whether some of x and some of y are singular together, each with a density beside what is given: then they have none beside the product of their laws."""
    known = with_density(path, given)
    if len(known) < len(_continuous(path, given)):
        return False
    one, other = (with_density(path, (*known, *side))[len(known) :] for side in (x, y))
    return bool(one and other) and are_singular(path, (*known, *one, *other))


def _continuous(path: Path, names: Names) -> list[Polynomial]:
    return [value for name in dict.fromkeys(names) if isinstance(value := path.values[name], Polynomial)]


def _slope(value: Polynomial, index: int) -> Number:
    """Return the derivative by a source, at a point of no special place."""
    slope: Number = 0
    for monomial, coefficient in value.terms:
        powers = dict(monomial)
        if not (power := powers.get(index, 0)):
            continue
        factor = Fraction(power)
        for source, times in (powers | {index: power - 1}).items():
            factor *= Fraction(2 * source + 3, 7 * source + 5) ** times
        slope = exact.add(slope, exact.mul(coefficient, factor))
    return slope
