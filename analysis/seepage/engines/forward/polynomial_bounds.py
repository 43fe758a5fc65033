"""Bounds that are polynomials with coefficients of at least 0 in symbols: how they are added, multiplied, and met by their largest. None is no bound."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from flint import arb

Monomial: TypeAlias = tuple[tuple[int, int], ...]
Bound: TypeAlias = Mapping[Monomial, arb] | None

DEGREE = 8
_TERMS = 64
_ONE: Monomial = ()


def constant(number: arb | int) -> Bound:
    """Return a bound without symbols."""
    return {_ONE: arb(number)}


def symbol(which: int) -> Bound:
    """Return the bound that is one symbol."""
    return {((which, 1),): arb(1)}


def plus(a: Bound, b: Bound) -> Bound:
    """Return a + b."""
    if a is None or b is None:
        return None
    return _checked({key: a.get(key, arb(0)) + b.get(key, arb(0)) for key in {**a, **b}})


def times(a: Bound, b: Bound) -> Bound:
    """Return a · b."""
    if a is None or b is None:
        return None
    result: dict[Monomial, arb] = {}
    for first, c in a.items():
        for second, d in b.items():
            powers = dict(first)
            for which, power in second:
                powers[which] = powers.get(which, 0) + power
            key = tuple(sorted(powers.items()))
            result[key] = result.get(key, arb(0)) + c * d
    return _checked(result)


def largest(*bounds: Bound) -> Bound:
    """Return a bound of the maximum of at least one."""
    first, *rest = bounds
    for other in rest:
        if first is None or other is None:
            return None
        keys = {**first, **other}
        first = {key: first.get(key, arb(0)).max(other.get(key, arb(0))) for key in keys}
    return _checked(first)


def _checked(bound: Bound) -> Bound:
    if bound is None or len(bound) > _TERMS:
        return None
    return bound if all(sum(power for _, power in key) <= DEGREE for key in bound) else None
