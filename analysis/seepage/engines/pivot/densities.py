r"""The density of one continuous value on a path.

Three forms: a *piece* :math:`c + a z` of one source z in an interval, whose density is explicit; a Gaussian; and a *curve*: given
a pivot z the value is :math:`N(m(z), v(z))` with polynomials m and v, so that its density is :math:`\int \varphi(z) N(\cdot; m(z), v(z)) dz`. A pivot is a source
that the value is not linear in, or a combination that a guard cuts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from itertools import permutations
from math import comb
from typing import TypeAlias

from flint import arb, fmpq

from seepage import exact
from seepage.data_classes import dataclass
from seepage.engines.pivot.blurred import Blur
from seepage.engines.pivot.orders import chance_in_order
from seepage.engines.pivot.path import Guards, Path, parted
from seepage.engines.pivot.segments import Placed
from seepage.engines.pivot.smoothed import Smoothed
from seepage.engines.pivot.squares import law_of_squares
from seepage.engines.pivot.sums import Sum, is_summed
from seepage.engines.pivot.vanishing import Vanishing, least_of
from seepage.engines.pivot.windows import passed
from seepage.exact import Number, enclose
from seepage.laws.forms import (
    Beyond,
    Direction,
    Polynomial,
    Value,
    direction_of,
    linear,
    plus,
    powers_of,
    terms_of,
    times,
)
from seepage.laws.laplace import Laplace
from seepage.laws.law import Edge, Law, power_of
from seepage.laws.normal import Normal

_LEAST = arb(2) ** -64  # chance of an interval that a variable is looked at in


@dataclass(frozen=True, slots=True)
class Piece:
    """``weight · density`` of ``location + scale · z``, z of a law and in (low, high): not normalised."""

    weight: arb
    location: Number
    scale: Number
    law: Law
    low: Edge
    high: Edge


@dataclass(frozen=True, slots=True)
class Curve:
    """``weight · ∫ density of the pivot · N(mean(z), variance(z)) dz`` over (low, high); polynomials by coefficients, ascending.

    ``least`` is a positive lower bound of the variance, or how it vanishes; ``fourth`` is at least weight · E(value⁴).
    """

    weight: arb
    law: Law
    low: Edge
    high: Edge
    mean: tuple[Number, ...]
    variance: tuple[Number, ...]
    least: Number | Vanishing
    fourth: arb


@dataclass(frozen=True, slots=True)
class Bell:
    """``weight`` times a Gaussian; ``fourth`` as in :class:`Curve`."""

    weight: arb
    mean: Number
    variance: Number
    fourth: arb


Term: TypeAlias = Piece | Curve | Bell


def weight_of(path: Path) -> arb:
    """Return the probability of a path's discrete choices as a ball."""
    weight = path.weight
    return arb(weight.p) / arb(weight.q) if isinstance(weight, fmpq) else weight


def probability_of(path: Path) -> arb:
    """Return the probability of a path, its guards included.

    Raises:
        Beyond: if guards on combinations that depend on each other have no closed form.
    """
    return weight_of(path) * apart(path, frozenset())[0]


def term_of(path: Path, value: Polynomial) -> Term:
    """Return the density of a continuous value on a path.

    Raises:
        Beyond: if it is of none of the three forms.
    """
    chance, near = apart(path, value.sources)
    weight = weight_of(path) * chance
    found = linear(value)
    if found is not None and (term := _linear(path, weight, value, found, near)) is not None:
        return term
    if not near and (form := law_of_squares(path, value)) is not None:
        location, scale, law = form
        return Piece(weight, location, scale, law, *law.ends)
    return _pivoted(path, weight, value, near)


def _linear(
    path: Path,
    weight: arb,
    value: Polynomial,
    form: tuple[Number, Mapping[int, Number]],
    near: Guards,
) -> Term | None:
    """Return the density of a linear combination of sources, None where a pivot is needed."""
    constant, coefficients = form
    others = {index: a for index, a in coefficients.items() if not path.laws[index].is_normal}
    if len(coefficients) == 1:
        ((index, scale),) = coefficients.items()
        if not others and not near:
            return _bell(path, weight, value)
        if others or len(near) > 1 or set(near) <= {((index, 1),)} or not all_normal(path, _sources(near)):
            known = passed(path.laws, index, near, ())
            return Piece(weight * known.chance, constant, scale, known.law, known.low, known.high)
    elif others and all(is_summed(path.laws[index]) for index in others):
        if len(others) == len(coefficients) or direction_of(coefficients)[0] in near:
            return _summed(path, weight, constant, coefficients, near)
        if not near and len(others) > 1:
            noise = {index: a for index, a in coefficients.items() if index not in others}
            spread, law = covariance(path, noise, noise), _sum_of(path, others)
            fourth = weight * moment_of(path, value, 4)
            return Curve(weight, law, *law.ends, (constant, 1), (spread,), spread, fourth)
    if not near and not others:
        return _bell(path, weight, value)
    if (len(others) == 2 or near) and (smoothed := _smoothed(path, coefficients, near)) is not None:
        return Piece(weight * smoothed.own_chance, constant, 1, smoothed, *smoothed.ends)
    if len(near) == 1 and all_normal(path, (*coefficients, *(index for index, _ in next(iter(near))))):
        return _cut(path, weight, constant, coefficients, next(iter(near.items())))
    return None


def _smoothed(path: Path, coefficients: Mapping[int, Number], near: Guards) -> Smoothed | None:
    """Return the law of Laplace noise and another source, perhaps in an interval; None where it is no such sum."""
    if len(coefficients) != 2:
        return None
    for index, other in permutations(coefficients):
        noise = path.laws[index].resized(exact.abs_(coefficients[index]))
        own: Direction = ((other, 1),)
        if isinstance(noise, Laplace) and set(near) <= {own}:
            interval = near.get(own, path.laws[other].ends)
            variable = Placed(path.laws[other], 0, coefficients[other], *interval)
            return Smoothed(parameters=noise.parameters, variable=variable) if variable.chance > _LEAST else None
    return None


def _sources(near: Iterable[Direction]) -> list[int]:
    return [index for direction in near for index, _ in direction]


def apart(path: Path, sources: frozenset[int]) -> tuple[arb, dict[Direction, tuple[Edge, Edge]]]:
    """Return the probability of the guards that are independent of some sources, and the other guards."""
    near, guards = parted(path.guards or {}, sources)
    probability = arb(1)
    for group in groups_of(guards):
        probability *= _chance_of(path, {direction: guards[direction] for direction in group})
    return probability, near


def groups_of(guards: Iterable[Direction]) -> list[list[Direction]]:
    """Return guards that share sources together."""
    groups: list[tuple[set[int], list[Direction]]] = []
    for direction in guards:
        indices, joined = {index for index, _ in direction}, [direction]
        rest: list[tuple[set[int], list[Direction]]] = []
        for own, members in groups:
            if own & indices:
                indices, joined = indices | own, [*members, *joined]
            else:
                rest.append((own, members))
        groups = [*rest, (indices, joined)]
    return [members for _, members in groups]


def _chance_of(path: Path, guards: Guards) -> arb:
    """Return the probability of guards that share sources: comparisons pair by pair, or with one source in all of them."""
    if len(guards) == 1:
        ((direction, (low, high)),) = guards.items()
        return chance_within(path, direction, low, high)
    with suppress(Beyond):
        return chance_in_order(path.laws, guards)
    return _around_one(path, guards)


def _around_one(path: Path, guards: Guards) -> arb:
    """Return the probability of guards that have a source in common, and are independent given it."""
    why = Beyond("guards that depend on each other")
    for index in sorted(set[int].intersection(*({index for index, _ in direction} for direction in guards))):
        try:
            known = passed(path.laws, index, guards, ())
            return known.chance * known.law.probability(known.low, known.high)
        except Beyond as beyond:
            why = beyond
    raise why


def chance_within(path: Path, direction: Direction, low: Edge, high: Edge) -> arb:
    """Return the probability that a combination of sources lies in an interval.

    Args:
        path: with the laws of the sources; its guards do not count.
        direction: the sources with their coefficients.
        low: the lower end, None for none.
        high: the upper end, likewise.
    """
    others = [index for index, _ in direction if not path.laws[index].is_normal]
    if len(direction) == 1:
        return path.laws[direction[0][0]].probability(low, high)
    if not others:
        spread = covariance(path, dict(direction), dict(direction))
        return Normal((spread,)).probability(low, high)
    if all(is_summed(path.laws[index]) for index in others):
        parts = {index: coefficient for index, coefficient in direction if index in others}
        noise = {index: coefficient for index, coefficient in direction if index not in others}
        return _with_noise(path, _sum_of(path, parts), noise).probability(low, high)
    try:
        return _around_one(path, {direction: (low, high)})
    except Beyond:
        # Where the chances on one side are too small to have logarithms, those on the other need not be.
        if low is None:
            return 1 - _around_one(path, {direction: (high, None)})
        if high is None:
            return 1 - _around_one(path, {direction: (None, low)})
    return chance_within(path, direction, low, None) - chance_within(path, direction, high, None)


def all_normal(path: Path, indices: Iterable[int]) -> bool:
    """Tell whether some sources are all normal."""
    return all(path.laws[index].is_normal for index in indices)


def covariance(path: Path, a: Mapping[int, Number], b: Mapping[int, Number]) -> Number:
    """Return the covariance of two combinations of normal sources as if nothing were cut.

    Args:
        path: with the variances of the sources.
        a: coefficients by source, each of them normal.
        b: likewise.
    """
    total: Number = 0
    for index, coefficient in a.items():
        if index in b:
            variance = path.laws[index].parameters[0]
            total = exact.add(total, exact.mul(exact.mul(coefficient, b[index]), variance))
    return total


def _sum_of(path: Path, coefficients: Mapping[int, Number]) -> Sum:
    return Sum(parts=tuple(Placed(path.laws[i], 0, a, *path.laws[i].ends) for i, a in coefficients.items()))


def _with_noise(path: Path, law: Sum, noise: Mapping[int, Number]) -> Law:
    """Return the law of a sum with a combination of normal sources, perhaps none."""
    return Blur(parameters=(covariance(path, noise, noise),), parts=law.parts) if noise else law


def explicit(curve: Curve) -> Piece:
    """Return a curve as a law with an explicit density.

    Raises:
        Beyond: if that is not known.
    """
    law = curve.law
    if len(curve.mean) != 2 or len(curve.variance) != 1:
        raise Beyond("a density that is itself an integral")
    if isinstance(law, Sum) and (curve.low, curve.high) == law.ends:
        parts = law.parts
    elif not isinstance(law, Sum) and is_summed(law):
        parts = (Placed(law, 0, 1, curve.low, curve.high),)
    else:
        raise Beyond("a density that is itself an integral")
    location, scale = curve.mean
    blur = Blur(parameters=(exact.div(curve.variance[0], exact.mul(scale, scale)),), parts=parts)
    return Piece(curve.weight * law.probability(curve.low, curve.high), location, scale, blur, None, None)


def _summed(
    path: Path,
    weight: arb,
    constant: Number,
    coefficients: Mapping[int, Number],
    near: Guards,
) -> Piece:
    """A sum of sources that are each, if they are not normal, or all together, in an interval."""
    own, scale = direction_of(coefficients)
    rest = dict(near)
    low, high = rest.pop(own, (None, None))
    parts: list[Placed] = []
    noise: dict[int, Number] = {}
    chance = arb(1)
    for index, coefficient in own:
        single = path.laws[index]
        if single.is_normal:
            noise[index] = coefficient
            continue
        begin, end = rest.pop(((index, 1),), single.ends)
        chance *= single.probability(begin, end)
        parts.append(Placed(single, 0, coefficient, begin, end))
    if rest:
        raise Beyond("guards that depend on each other")
    law = _with_noise(path, Sum(parts=tuple(parts)), noise)
    ends = law.ends
    low = ends[0] if low is None else low if ends[0] is None else exact.maximum(low, ends[0])
    high = ends[1] if high is None else high if ends[1] is None else exact.minimum(high, ends[1])
    return Piece(weight * chance, constant, scale, law, low, high)


def _bell(path: Path, weight: arb, value: Polynomial) -> Bell:
    constant, coefficients = linear(value) or (0, {})
    return Bell(weight, constant, covariance(path, coefficients, coefficients), weight * moment_of(path, value, 4))


def _cut(
    path: Path,
    weight: arb,
    constant: Number,
    coefficients: Mapping[int, Number],
    guard: tuple[Direction, tuple[Edge, Edge]],
) -> Term:
    """A linear combination of normals where another one is cut: given the latter it is normal."""
    direction, (low, high) = guard
    cut = dict(direction)
    spread = covariance(path, cut, cut)
    slope = exact.div(covariance(path, coefficients, cut), spread)
    rest = exact.sub(covariance(path, coefficients, coefficients), exact.mul(exact.mul(slope, slope), spread))
    law = Normal((spread,))
    if rest == 0:
        return Piece(weight, constant, slope, law, low, high)
    value = plus(constant, _combination(coefficients))
    return Curve(weight, law, low, high, (constant, slope), (rest,), rest, weight * moment_of(path, value, 4))


def _combination(coefficients: Mapping[int, Number]) -> Value:
    return Polynomial(tuple(sorted((((index, 1),), coefficient) for index, coefficient in coefficients.items())))


def _pivoted(path: Path, weight: arb, value: Polynomial, near: Guards) -> Curve:
    found: list[Curve] = []
    for index in sorted(value.sources):
        known = given(path, value, index)
        if known is None or not path.laws[index].is_elementary:
            continue
        if all(any(source == index for source, _ in direction) for direction in near):
            law = passed(path.laws, index, near, value.sources)
            mean, variance, least = known
            if isinstance(least, Vanishing):
                least = _within(least, law.low, law.high)
            fourth = weight * moment_of(path, value, 4)
            found.append(Curve(weight * law.chance, law.law, law.low, law.high, mean, variance, least, fourth))
    if not found:
        raise Beyond("no single variable makes the value normal when it is fixed")
    return next((curve for curve in found if not isinstance(curve.least, Vanishing)), found[0])


def _within(least: Vanishing, low: Edge, high: Edge) -> Number | Vanishing:
    """Return a lower bound of a variance that vanishes outside of an interval, else how it vanishes."""
    for end, side in ((low, 1), (high, -1)):
        if end is not None:
            distance = exact.mul(side, exact.sub(end, least.zero))
            if exact.sign(distance) > 0:
                return exact.mul(least.factor, exact.power(distance, least.power))
    return least


Given: TypeAlias = tuple[tuple[Number, ...], tuple[Number, ...], Number | Vanishing]


def given(path: Path, value: Value, index: int) -> Given | None:
    """Return mean and variance of a value given a source, as polynomials in it, and a positive lower bound of the latter, or how it vanishes.

    None if the value is not normal then, or the variance may vanish in other ways. The variance is a sum of squares; the bound is the part that
    does not depend on the source, where there is one.
    """
    mean: dict[int, Number] = {}
    slopes: dict[int, dict[int, Number]] = {}  # by source, by power of the pivot
    for power, part in powers_of(value, index).items():
        found = linear(part)
        if found is None or not all_normal(path, found[1]):
            return None
        mean[power] = found[0]
        for other, coefficient in found[1].items():
            slopes.setdefault(other, {})[power] = coefficient
    variance: dict[int, Number] = {}
    least: Number = 0
    for other, by_power in slopes.items():
        spread = path.laws[other].parameters[0]
        if set(by_power) == {0}:
            least = exact.add(least, exact.mul(exact.mul(by_power[0], by_power[0]), spread))
        for first, u in by_power.items():
            for second, v in by_power.items():
                added = exact.mul(exact.mul(u, v), spread)
                variance[first + second] = exact.add(variance.get(first + second, 0), added)
    known = least if least != 0 else least_of(_listed(variance))
    return None if known is None else (_listed(mean), _listed(variance), known)


def _listed(by_power: Mapping[int, Number]) -> tuple[Number, ...]:
    return tuple(by_power.get(power, 0) for power in range(max(by_power, default=0) + 1))


def moment_of(path: Path, value: Value, order: int) -> arb:
    """Return the moment of a value on a path as if it had no guards; of a sum of many variables term by term.

    Args:
        path: with the laws of the sources.
        value: a number or a polynomial of them.
        order: at least 0.
    """
    if (form := linear(value)) is not None:
        return _moments_of_sum(path, *form, order)[order]
    power: Value = 1
    for _ in range(order):
        power = times(power, value)
    total = arb(0)
    for monomial, coefficient in terms_of(power).items():
        product = enclose(coefficient)
        for index, exponent in monomial:
            product *= path.laws[index].moment(exponent)
        total += product
    return total


def _moments_of_sum(path: Path, constant: Number, coefficients: Mapping[int, Number], order: int) -> list[arb]:
    """Return the moments of a sum of independent variables up to an order: E (a + b)^k is a sum of products of moments of a and b."""
    found = [power_of(enclose(constant), k) for k in range(order + 1)]
    for index, coefficient in coefficients.items():
        scale = enclose(coefficient)
        own = [arb(1), *(power_of(scale, k) * path.laws[index].moment(k) for k in range(1, order + 1))]
        found = [sum((comb(k, j) * found[j] * own[k - j] for j in range(k + 1)), arb(0)) for k in range(order + 1)]
    return found
