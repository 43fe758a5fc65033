r"""Paths given that a value is exactly 0: the weight takes the density of the value there, the sources the law that is left.

For :math:`c + \sum_i a_i z_i = 0` with at most two sources that are not normal. Normal ones given their sum are normal, with covariance
:math:`S - S a a^T S / (a^T S a)`, which is written in new independent sources. One that is not normal, w, keeps the density
:math:`f_w(w) f_u(-c - b w)`, u being the rest of the sum, which is then a function of w.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from flint import arb

from seepage import exact
from seepage.engines.pivot.densities import covariance
from seepage.engines.pivot.path import Path
from seepage.engines.pivot.products import Product, normaliser
from seepage.engines.pivot.segments import Placed
from seepage.exact import Number, compare, div, enclose, mul, neg, sub
from seepage.laws.forms import AtEdge, Beyond, Polynomial, Value, direction_of, linear, plus, terms_of, times
from seepage.laws.law import Edge
from seepage.laws.normal import Normal


def given_zero(path: Path, value: Polynomial) -> Path | None:
    """Return a path given that a value is 0, None if it has no density there.

    Raises:
        AtEdge: if its density jumps there.
        Beyond: if the value is not linear, or has more than two sources that are not normal.
    """
    found = linear(value)
    if found is None:
        raise Beyond("an observed equality that is not linear")
    if path.cut is not None:
        raise Beyond("an observed equality after a comparison of a value that is no guard")
    constant, coefficients = found
    path = replace(path, densities=path.densities + 1)
    rest = neg(constant)
    normal = {i: a for i, a in coefficients.items() if path.laws[i].is_normal}
    others = [(i, a) for i, a in coefficients.items() if i not in normal]
    if len(coefficients) == 1:
        ((index, scale),) = coefficients.items()
        return _fixed(path, index, div(rest, scale), scale)
    if not others:
        spread = covariance(path, normal, normal)
        at = Normal((spread,)).density_at(enclose(rest))
        after, meanings = _spread(path, normal, rest, spread)
        return substituted(replace(after, weight=after.weight * at), meanings)
    index, scale = others[0]
    if normal and len(others) == 1:
        spread = covariance(path, normal, normal)
        along = Placed(Normal((spread,)), div(rest, scale), div(-1, scale), None, None)
        left = _product(path, index, along, arb(1))
        if left is None:
            return None
        after, w = left
        last, meanings = _spread(after, normal, plus(rest, times(neg(scale), w)), spread)
        return substituted(last, {index: w, **meanings})
    if not normal and len(others) == 2:
        other, size = others[1]
        law = path.laws[other]
        along = Placed(law, div(rest, scale), neg(div(size, scale)), *law.ends)
        left = _product(path, index, along, abs(enclose(size)))
        if left is None:
            return None
        after, w = left
        return substituted(after, {index: w, other: times(div(1, size), plus(rest, times(neg(scale), w)))})
    raise Beyond("an observed sum of several variables that are not normal")


def _fixed(path: Path, index: int, z: Number, scale: Number) -> Path | None:
    law = path.laws[index]
    if law.jumps_at(z):
        raise AtEdge("an observed equality where a density is not continuous")
    (low, high), at = law.ends, enclose(z)
    if (low is not None and compare(z, low) < 0) or (high is not None and compare(z, high) > 0):
        return None
    weight = path.weight * law.density_at(at) / abs(enclose(scale))
    return substituted(replace(path, weight=weight), {index: z})


def _product(path: Path, index: int, along: Placed, size: arb) -> tuple[Path, Polynomial] | None:
    """Return the path with a new source in place of one: its density times another, which the weight takes the integral of."""
    law = path.laws[index]
    if isinstance(law, Product):
        factors = (*law.factors, along)
        front = 1 / normaliser(law)
    else:
        factors, front = (Placed(law, 0, 1, *law.ends), along), arb(1)
    product = Product(factors=factors)
    if product.is_empty():
        return None
    after, w = path.drawn(product)
    return replace(after, weight=after.weight * (normaliser(product) * front / size)), w


def _spread(path: Path, normal: Mapping[int, Number], total: Value, spread: Number) -> tuple[Path, dict[int, Value]]:
    """Return normal sources given their combination: new independent sources, and what each old one is in them."""
    indices = list(normal)
    along = {i: mul(normal[i], path.laws[i].parameters[0]) for i in indices}
    left = {
        (i, j): sub(path.laws[i].parameters[0] if i == j else 0, div(mul(along[i], along[j]), spread))
        for i in indices
        for j in indices
    }
    meanings: dict[int, Value] = {i: times(div(along[i], spread), total) for i in indices}
    for pivot in indices[:-1]:
        variance = left[pivot, pivot]
        if variance == 0:
            continue
        path, drawn = path.drawn(Normal((variance,)))
        slopes = {i: div(left[i, pivot], variance) for i in indices}
        for i in indices:
            meanings[i] = plus(meanings[i], times(slopes[i], drawn))
        left = {(i, j): sub(entry, mul(variance, mul(slopes[i], slopes[j]))) for (i, j), entry in left.items()}
    return path, meanings


def substituted(path: Path, meanings: Mapping[int, Value]) -> Path | None:
    """Return a path with sources replaced by linear values; None if a guard excludes that.

    Raises:
        Beyond: if a number lies at the edge of a guard.
    """
    values = {name: _put(value, meanings) for name, value in path.values.items()}
    after: Path | None = replace(path, values=values, guards=None)
    for direction, (low, high) in (path.guards or {}).items():
        value = _put(_combination(direction), meanings)
        found = linear(value)
        if found is None or after is None:
            raise Beyond("a guard that is not linear")
        constant, coefficients = found
        if not coefficients:
            if not _inside(constant, low, high):
                return None
            continue
        turned, scale = direction_of(coefficients)
        ends = [None if edge is None else div(sub(edge, constant), scale) for edge in (low, high)]
        if exact.sign(scale) < 0:
            ends.reverse()
        after = after.within(turned, ends[0], ends[1])
        if after is None:
            return None
    return after


def _combination(direction: tuple[tuple[int, Number], ...]) -> Value:
    return Polynomial(tuple((((index, 1),), coefficient) for index, coefficient in direction))


def _inside(number: Number, low: Edge, high: Edge) -> bool:
    for edge, side in ((low, 1), (high, -1)):
        if edge is not None:
            order = side * compare(number, edge)
            if order == 0:
                raise AtEdge("an observed equality at the edge of a condition")
            if order < 0:
                return False
    return True


def _put(value: Value, meanings: Mapping[int, Value]) -> Value:
    if not isinstance(value, Polynomial) or not value.sources & meanings.keys():
        return value
    total: Value = 0
    for monomial, coefficient in terms_of(value).items():
        product: Value = coefficient
        for index, power in monomial:
            factor = meanings[index] if index in meanings else Polynomial(((((index, 1),), 1),))
            for _ in range(power):
                product = times(product, factor)
        total = plus(total, product)
    return total
