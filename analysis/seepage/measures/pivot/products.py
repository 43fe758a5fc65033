"""Outputs that are independent on a path of a program: the laws of each, and the loss of their product.

The density of a product is the product of densities, so that the greatest log ratio is the sum of those of the factors.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace

from flint import arb, fmpq

from seepage.engines.outcome import Budget
from seepage.engines.pivot.densities import Bell, Curve, Piece, explicit, term_of
from seepage.engines.pivot.path import Path
from seepage.engines.pivot.segments import Placed
from seepage.laws.forms import Beyond, Polynomial, Value
from seepage.laws.normal import Normal
from seepage.measures.pivot.integral import placed_of
from seepage.measures.pivot.ratio import Part, apart, log_ratio


def part_of(path: Path, name: str) -> Part:
    """Return the law of a value that is continuous on a path.

    Raises:
        Beyond: where its density is not explicit.
    """
    value = path.values[name]
    if not isinstance(value, Polynomial):
        raise AssertionError("a stratum of densities has continuous values")
    term = term_of(path, value)
    if isinstance(term, Curve):
        term = explicit(term)
    match term:
        case Piece() if term.law.is_explicit:
            return Part(term.weight, placed_of(term))
        case Bell():
            return Part(term.weight, Placed(Normal((term.variance,)), term.mean, 1, None, None))
        case Piece():
            raise Beyond("a density that is not explicit")


def is_explicit(path: Path, name: str) -> bool:
    """Tell whether a value is continuous on a path, with an explicit density."""
    if not isinstance(path.values[name], Polynomial):
        return False
    try:
        part_of(path, name)
    except Beyond:
        return False
    return True


def is_everywhere(path: Path, name: str) -> bool:
    """Tell whether a value that is continuous on a path has normal noise, and so a density everywhere."""
    value = path.values[name]
    return isinstance(value, Polynomial) and isinstance(term_of(path, value), Bell | Curve)


def are_products(paths: Sequence[Path], names: Sequence[str]) -> bool:
    """Tell whether variables are known to be independent of each other: on each path, and in what path is taken."""
    weights: dict[tuple[Hashable, ...], fmpq] = {}
    for path in paths:
        values = [path.values[name] for name in names]
        sources = [value.sources for value in values if isinstance(value, Polynomial)]
        if path.guards or path.cut or len(frozenset().union(*sources)) < sum(len(each) for each in sources):
            return False
        if not isinstance(path.weight, fmpq):
            return len(paths) == 1
        key = tuple(_law_name(path, value) for value in values)
        weights[key] = weights.get(key, fmpq(0)) + path.weight
    total = sum(weights.values(), fmpq(0))
    alone: list[dict[Hashable, fmpq]] = [{} for _ in names]
    for key, weight in weights.items():
        for own, part in zip(alone, key, strict=True):
            own[part] = own.get(part, fmpq(0)) + weight / total
    products = (math.prod((own[part] for own, part in zip(alone, key, strict=True)), start=total) for key in weights)
    all_there = len(weights) == math.prod(len(own) for own in alone)
    return all_there and all(weight == product for weight, product in zip(weights.values(), products, strict=True))


def _law_name(path: Path, value: Value) -> Hashable:
    """Return what two values have in common only if they have one law: the terms, with the laws of sources in the order in which they occur."""
    if not isinstance(value, Polynomial):
        return value
    order: dict[int, int] = {}
    for monomial, _ in value.terms:
        for index, _power in monomial:
            order.setdefault(index, len(order))
    terms = tuple((tuple((order[i], power) for i, power in monomial), c) for monomial, c in value.terms)
    return terms, tuple(path.laws[index] for index in order)


def factors_of(path: Path, continuous: Sequence[str]) -> Mapping[str, Part]:
    """Return the laws of values that are independent on a path.

    Raises:
        Beyond: if they are not known to be, or if a density is not explicit.
    """
    seen: set[int] = set()
    found: dict[str, Part] = {}
    for name in continuous:
        value = path.values[name]
        if not isinstance(value, Polynomial) or path.guards or value.sources & seen:
            raise Beyond("outputs that depend on each other")
        seen |= value.sources
        found[name] = replace(part_of(path, name), weight=arb(1))
    return found


def loss_of_products(here: Mapping[str, Part], there: Mapping[str, Part], budget: Budget) -> tuple[arb, arb]:
    """Return the sum of the losses of independent outputs; that of one is infinite whatever is known of the others."""
    low, high = arb(0), arb(0)
    for name, part in here.items():
        one = log_ratio([part], [there[name]], budget)
        if one[0] == arb.pos_inf():
            return one
        low, high = low + one[0], high + one[1]
    return low, high


def products_apart(here: Mapping[str, Part], there: Mapping[str, Part]) -> arb:
    """Return the probability of what only the first of two products of laws has; exactly 0 where there is none."""
    lost = [apart([part], [there[name]]) for name, part in here.items()]
    if all(each.is_zero() for each in lost):
        return arb(0)
    kept = arb(1)
    for each in lost:
        kept *= 1 - each
    return 1 - kept
