r"""Means and variances of a value over the paths of a program, guards included.

Monomials of independent sources have the product of their moments; those that guards tie together are taken together
(:mod:`seepage.engines.pivot.guarded`). A sum of variables that are not normal, cut to an interval, has the moments of its law there.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial, reduce

from flint import arb

from seepage import exact
from seepage.engines.pivot.densities import Piece, apart, groups_of, term_of, weight_of
from seepage.engines.pivot.guarded import moment_under
from seepage.engines.pivot.path import Guards, Path
from seepage.exact import enclose
from seepage.laws.forms import (
    Beyond,
    NoMomentError,
    Polynomial,
    Value,
    direction_of,
    linear,
    plus,
    source,
    terms_of,
    times,
)


def mean_of(paths: Sequence[Path], name: str, total: arb) -> arb:
    """Enclose the mean of a value; raises ``Beyond``, and ``NoMomentError`` where it is infinite or does not exist."""
    return _over(paths, name, 1) / total


def variance_of(paths: Sequence[Path], name: str, total: arb) -> arb:
    """Enclose the variance of a value; raises as :func:`mean_of`. It does not exist without a finite mean."""
    try:
        mean = mean_of(paths, name, total)
    except NoMomentError as missing:
        raise NoMomentError(0) from missing
    return _over(paths, name, 2) / total - mean * mean


def _over(paths: Sequence[Path], name: str, order: int) -> arb:
    """Return E(value^order) over all paths."""
    found, infinite = arb(0), list[int]()
    for path in paths:
        try:
            found += moment_of_paths(path, path.values[name], order)
        except NoMomentError as missing:
            infinite.append(missing.sign)
    if infinite:
        raise NoMomentError(_sign_of(infinite))
    return found


def _sign_of(infinite: Sequence[int]) -> int:
    """Return the sign of a sum of independent, or of mixed, parts that are infinite; 0 if it does not exist."""
    return infinite[0] if len(set(infinite)) == 1 else 0


def moment_of_paths(path: Path, value: Value, order: int) -> arb:
    """Enclose E(value^order) over a path, times its probability."""
    power: Value = 1
    for _ in range(order):
        power = times(power, value)
    sources = value.sources if isinstance(value, Polynomial) else frozenset[int]()
    probability, near = apart(path, sources)

    def by_monomials() -> arb:
        return weight_of(path) * probability * _by_monomials(path, power, near)

    if not isinstance(value, Polynomial):
        return by_monomials()
    by_density = partial(_by_density, path, value, order)
    first, second = (by_density, by_monomials) if _is_cut(value, near) else (by_monomials, by_density)
    try:
        return first()
    except NoMomentError:
        raise
    except Beyond:
        return second()


def _is_cut(value: Polynomial, near: Guards) -> bool:
    """Tell whether a sum of sources is itself in an interval, and nothing else is said of these: then its own law is the short way."""
    found = linear(value)
    return found is not None and len(found[1]) > 1 and set(near) == {direction_of(found[1])[0]}


def _by_density(path: Path, value: Polynomial, order: int) -> arb:
    term = term_of(path, value)
    if not isinstance(term, Piece):
        raise Beyond("a density that is itself an integral")
    return moment_of_piece(term, order)


def _by_monomials(path: Path, power: Value, near: Guards) -> arb:
    groups = [{direction: near[direction] for direction in group} for group in groups_of(near)]
    found, infinite = arb(0), dict[int, int]()
    for monomial, coefficient in terms_of(power).items():
        product, rest = enclose(coefficient), dict(monomial)
        for guards in groups:
            tied = {index for direction in guards for index, _ in direction}
            product *= moment_under(path.laws, guards, tuple((i, k) for i, k in monomial if i in tied))
            rest = {index: exponent for index, exponent in rest.items() if index not in tied}
        try:
            for index, exponent in rest.items():
                product *= path.laws[index].moment_within(exponent, *path.laws[index].ends)
        except NoMomentError as missing:
            index = monomial[0][0]
            if near or len(monomial) > 1 or index in infinite:  # such parts may cancel, or may never be reached
                raise Beyond(missing.reason) from missing
            infinite[index] = missing.sign * exact.sign(coefficient)
        else:
            found += product
    if infinite:
        raise NoMomentError(_sign_of(list(infinite.values())))
    return found


def moment_of_piece(piece: Piece, order: int) -> arb:
    """Enclose the first or second moment of a density, not normalised."""
    inner = terms_of(reduce(times, [plus(piece.location, times(piece.scale, source(0)))] * order))
    moments = (
        enclose(coefficient) * piece.law.moment_within(sum(power for _, power in monomial), piece.low, piece.high)
        for monomial, coefficient in inner.items()
    )
    return piece.weight * sum(moments, arb(0))
