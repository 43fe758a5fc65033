r"""Whole places behind geometric noise: finitely many outputs that tell the same, without any error.

Behind ``discrete_laplace`` the chance of an output k is :math:`\frac{1 - a}{1 + a} a^{|k - v|}` for the place v, :math:`a = e^{-1/b}`: beyond all places on either side the chances of two places have
one ratio, whatever k, so all of these outputs are one (outputs with proportional columns may be joined: who sees which of them it was learns nothing). Likewise above
all places behind ``geometric``, whose chance is :math:`p (1 - p)^{k - v}` from v on.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from seepage import exact
from seepage.exact import Number
from seepage.measures.privacy.noise_reading import NotRead
from seepage.measures.privacy.release_reading import Noise, Release
from seepage.semantics.core import CoreSample, CoreStatement
from seepage.semantics.evaluate import evaluate
from seepage.semantics.statements import walk
from seepage.syntax.tree import Family

FAMILIES = frozenset({"discrete_laplace", "geometric"})
_MOST_CELLS = 2_000


def samples_lattice(statements: Iterable[CoreStatement]) -> bool:
    """Tell whether some statement draws geometric noise."""
    return any(
        isinstance(each, CoreSample) and isinstance(each.distribution, Family) and each.distribution.name in FAMILIES
        for each in walk(statements)
    )


def is_lattice(release: Release, noises: Mapping[str, Noise]) -> bool:
    """Tell whether a release is a place plus or minus one draw of geometric noise."""
    terms = list(release.terms.items())
    return len(terms) == 1 and noises[terms[0][0]].family in FAMILIES and abs(terms[0][1]) == 1


def cells_behind(
    release: Release, noises: Mapping[str, Noise], parameters: Mapping[str, Number], places: Sequence[Number]
) -> dict[Number, dict[Number, Number]]:
    """Return for each place the chances of all outputs that are told apart, by the least output in size of each.

    Args:
        release: for which :func:`is_lattice` holds.
        noises: by name.
        parameters: their values.
        places: all that the release can have.

    Raises:
        NotRead: if places are no whole numbers apart, or too far apart.
    """
    ((source, factor),) = release.terms.items()
    noise = noises[source]
    size = evaluate(noise.size, parameters)
    steps = [exact.mul(exact.sub(place, places[0]), Fraction(factor)) for place in places]
    whole = [step for step in steps if isinstance(step, int)]
    if len(whole) < len(steps) or exact.sign(size) <= 0:
        raise NotRead
    low, high = min(whole), max(whole)
    if high - low > _MOST_CELLS:
        raise NotRead
    law = _two_sided if noise.family == "discrete_laplace" else _one_sided
    return {place: law(size, step, low, high) for place, step in zip(places, whole, strict=True)}


def _two_sided(scale: Number, place: int, low: int, high: int) -> dict[Number, Number]:
    falls = exact.exp_(exact.neg(exact.div(1, scale)))
    middle = exact.div(exact.sub(1, falls), exact.add(1, falls))
    tail = exact.div(1, exact.add(1, falls))
    if low == high:
        return {low: 1}
    inner: dict[Number, Number] = {
        at: exact.mul(middle, exact.power(falls, abs(at - place))) for at in range(low + 1, high)
    }
    ends: dict[Number, Number] = {end: exact.mul(tail, exact.power(falls, abs(end - place))) for end in (low, high)}
    return {**inner, **ends}


def _one_sided(chance: Number, place: int, low: int, high: int) -> dict[Number, Number]:
    falls = exact.sub(1, chance)
    inner: dict[Number, Number] = {
        at: exact.mul(chance, exact.power(falls, at - place)) for at in range(max(low, place), high)
    }
    last = exact.power(falls, high - place)
    return {**inner, high: last} if exact.sign(last) else inner
