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
from seepage.laws.infinite import Fall
from seepage.laws.table import FALLING
from seepage.measures.privacy.noise_reading import NotRead
from seepage.measures.privacy.release_reading import Noise, Release
from seepage.semantics.core import CoreSample, CoreStatement
from seepage.semantics.evaluate import evaluate
from seepage.semantics.statements import walk
from seepage.syntax.tree import Family

_MOST_CELLS = 2_000


def samples_lattice(statements: Iterable[CoreStatement]) -> bool:
    """Tell whether some statement draws geometric noise."""
    return any(
        isinstance(each, CoreSample) and isinstance(each.distribution, Family) and each.distribution.name in FALLING
        for each in walk(statements)
    )


def is_lattice(release: Release, noises: Mapping[str, Noise]) -> bool:
    """Tell whether a release is a place plus or minus one draw of geometric noise."""
    terms = list(release.terms.items())
    return len(terms) == 1 and noises[terms[0][0]].family in FALLING and abs(terms[0][1]) == 1


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
    law = FALLING[noise.family].sized
    fall = None if law is None else law(size).fall
    if fall is None:
        raise NotRead
    return {place: _cells(fall, step, low, high) for place, step in zip(places, whole, strict=True)}


def _cells(fall: Fall, place: int, low: int, high: int) -> dict[Number, Number]:
    """Return the chances of the values between two ends, of which each stands for all that are beyond it, too."""
    if low == high:
        return {low: 1}
    found: dict[Number, Number] = {}
    for at in range(low, high + 1):
        if at == place or (1 if at > place else -1) in fall.sides:
            outward = {low: -1, high: 1}.get(at)
            chance = exact.mul(
                fall.rest if outward in fall.sides else fall.peak, exact.power(fall.ratio, abs(at - place))
            )
            if exact.sign(chance):
                found[at] = chance
    return found
