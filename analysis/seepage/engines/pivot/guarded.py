r"""Moments of sources under guards that tie them together: :math:`E(\prod_i z_i^{k_i}; \text{guards})`, not normalised.

Given a combination n of independent normal sources these are :math:`e_j = b_j n + r_j`, r normal and independent of n with covariances
:math:`R_{ij} = v_i \delta_{ij} - b_i c_j v_j`, so that by Stein's identity

.. math:: E(e_i M \mid n) = b_i n E(M \mid n) + \sum_j R_{ij} E(\partial_j M \mid n) .

What is left are powers of n in an interval, in closed form; or, where n is noise beside a source z with a factor c, between l − c z and u − c z. With
:math:`\varphi` the density of n, of variance v, integration by parts gives :math:`p_k(z) = E(n^k; l < c z + n < u)` as

.. math:: p_k = v \big( (k - 1) p_{k - 2} + (l - c z)^{k - 1} \varphi(l - c z) - (u - c z)^{k - 1} \varphi(u - c z) \big) ,

and the integral over z is one of powers of z with products of known factors (:mod:`seepage.engines.pivot.products`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from flint import arb

from seepage import exact
from seepage.engines.pivot.path import Guards
from seepage.engines.pivot.products import Product, integral
from seepage.engines.pivot.segments import Placed
from seepage.engines.pivot.sums import is_summed, moment_in
from seepage.engines.pivot.windows import Window, variance_of
from seepage.exact import Number, enclose
from seepage.laws.forms import Beyond, Monomial, Polynomial, Value, plus, powers_of, source, times
from seepage.laws.law import Edge, Law
from seepage.laws.normal import Normal

_N = source(0)
"""The one variable of polynomials in n, and in z."""


def moment_under(laws: Sequence[Law], guards: Guards, monomial: Monomial) -> arb:
    """Enclose the moment of a monomial under guards that share sources; sources that are in no guard must not occur.

    Args:
        laws: of the sources, by their place.
        guards: intervals of combinations of sources.
        monomial: powers of sources.

    Raises:
        Beyond: if the guards are not all on one source, each perhaps with normal noise of its own, nor one of normal sources alone.
    """
    powers = dict(monomial)
    if len(guards) == 1:
        ((direction, (low, high)),) = guards.items()
        if len(direction) == 1:
            index = direction[0][0]
            return laws[index].moment_within(powers.get(index, 0), low, high)
        if all(laws[index].is_normal for index, _ in direction):
            noise = dict(direction)
            law = Normal((variance_of(laws, noise),))
            given = _by_power(_given(laws, noise, powers))
            return sum((enclose(c) * law.moment_within(power, low, high) for power, c in given.items()), arb(0))
    if (found := _of_sum(laws, guards, powers)) is not None:
        return found
    for index in sorted(set[int].intersection(*({index for index, _ in direction} for direction in guards))):
        if _is_centre(laws, guards, index):
            return _around(laws, guards, index, powers)
    raise Beyond("guards that depend on each other")


def _of_sum(laws: Sequence[Law], guards: Guards, powers: Mapping[int, int]) -> arb | None:
    """Return the moment where one guard is on a sum of variables whose densities are added in closed form, and others are on single ones of these; else None."""
    sums = [direction for direction in guards if len(direction) > 1]
    if len(sums) != 1 or not all(is_summed(laws[index]) for index, _ in sums[0]):
        return None
    parts: list[Placed] = []
    for index, coefficient in sums[0]:
        low, high = guards.get(((index, 1),), laws[index].ends)
        parts.append(Placed(laws[index], 0, coefficient, low, high))
    return moment_in(parts, [powers.get(index, 0) for index, _ in sums[0]], *guards[sums[0]])


def _is_centre(laws: Sequence[Law], guards: Guards, index: int) -> bool:
    """Tell whether all guards are on a source, with normal noise that is in no other guard."""
    noises = [other for direction in guards for other, _ in direction if other != index]
    plain = laws[index].is_elementary
    return plain and len(set(noises)) == len(noises) and all(isinstance(laws[other], Normal) for other in noises)


def _around(laws: Sequence[Law], guards: Guards, index: int, powers: Mapping[int, int]) -> arb:
    """Enclose the integral over the source that all guards are on."""
    law, own = laws[index], ((index, 1),)
    low, high = guards.get(own, law.ends)
    start: Value = 1
    for _ in range(powers.get(index, 0)):
        start = times(start, _N)
    parts: list[tuple[Value, tuple[Placed, ...]]] = [(start, (Placed(law, 0, 1, low, high),))]
    for direction, interval in guards.items():
        if direction != own:
            noise = dict(direction)
            options = _passing(noise.pop(index), variance_of(laws, noise), interval, _given(laws, noise, powers))
            parts = [
                (times(form, own_form), (*factors, factor))
                for form, factors in parts
                for factor, own_form in options.items()
            ]
    found = arb(0)
    for form, factors in parts:
        for power, coefficient in _by_power(form).items():
            found += enclose(coefficient) * integral(Product(factors=factors), power)
    return found


def _given(laws: Sequence[Law], noise: Mapping[int, Number], powers: Mapping[int, int]) -> Value:
    """Return E(∏ e_j^power_j | n), a polynomial in n, the combination ``noise`` of normal sources."""
    present = {index: powers[index] for index in noise if powers.get(index, 0)}
    if not present:
        return 1
    first = min(present)
    rest = {**present, first: present[first] - 1}
    spread = laws[first].parameters[0]
    share = exact.div(exact.mul(noise[first], spread), variance_of(laws, noise))  # b
    found = times(times(share, _N), _given(laws, noise, rest))
    for other, power in rest.items():
        if power:
            tied = exact.neg(exact.mul(share, exact.mul(noise[other], laws[other].parameters[0])))
            factor = exact.mul(power, exact.add(tied, spread) if other == first else tied)
            found = plus(found, times(factor, _given(laws, noise, {**rest, other: power - 1})))
    return found


def _passing(slope: Number, variance: Number, interval: tuple[Edge, Edge], form: Value) -> Mapping[Placed, Value]:
    """Return E(form(n); l < slope · z + n < u) as a sum of factors times polynomials in z."""
    law = Normal((variance,))
    window = Placed(Window(parameters=(slope, variance), low=interval[0], high=interval[1]), 0, 1, None, None)
    edges = [
        (
            sign,
            plus(edge, times(exact.neg(slope), _N)),
            Placed(law, exact.div(edge, slope), exact.div(1, slope), None, None),
        )
        for sign, edge in ((1, interval[0]), (-1, interval[1]))
        if edge is not None
    ]
    wanted = _by_power(form)
    by_power: list[dict[Placed, Value]] = [{window: 1}]
    for k in range(1, max(wanted) + 1):
        before = by_power[k - 2] if k > 1 else {}
        found = {factor: times(exact.mul(k - 1, variance), inner) for factor, inner in before.items()}
        for sign, offset, factor in edges:
            added: Value = exact.mul(sign, variance)
            for _ in range(k - 1):
                added = times(added, offset)
            found[factor] = plus(found.get(factor, 0), added)
        by_power.append(found)
    total: dict[Placed, Value] = {}
    for power, coefficient in wanted.items():
        for factor, inner in by_power[power].items():
            total[factor] = plus(total.get(factor, 0), times(coefficient, inner))
    return total


def _by_power(value: Value) -> dict[int, Number]:
    """Return the coefficients of a polynomial in one variable."""
    return {power: part for power, part in powers_of(value, 0).items() if not isinstance(part, Polynomial)}
