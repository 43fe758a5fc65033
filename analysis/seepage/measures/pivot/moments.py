r"""Means and variances of a value over the paths of a program, guards included.

Monomials of independent sources have the product of their moments. A source, or a combination of normal ones, that is cut to an
interval has the moments of its law there (:mod:`seepage.engines.pivot.laws`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import zip_longest

from flint import arb

from seepage import exact
from seepage.engines.pivot.densities import Bell, Curve, Piece, Term, apart, term_of, weight_of
from seepage.engines.pivot.forms import Direction, Polynomial, Value, terms_of, times
from seepage.engines.pivot.laws import Edge
from seepage.engines.pivot.path import Path
from seepage.exact import Number, enclose


def mean_of(paths: Sequence[Path], name: str, total: arb) -> arb:
    """Enclose the mean of a value; raises ``Beyond``."""
    return sum((moment_of_paths(path, path.values[name], 1) for path in paths), arb(0)) / total


def variance_of(paths: Sequence[Path], name: str, total: arb) -> arb:
    """Enclose the variance of a value; raises ``Beyond``."""
    square = sum((moment_of_paths(path, path.values[name], 2) for path in paths), arb(0)) / total
    mean = mean_of(paths, name, total)
    return square - mean * mean


def moment_of_paths(path: Path, value: Value, order: int) -> arb:
    """Enclose E(value^order) over a path, times its probability."""
    power: Value = 1
    for _ in range(order):
        power = times(power, value)
    sources = value.sources if isinstance(value, Polynomial) else frozenset[int]()
    probability, near = apart(path, sources)
    if all(len(direction) == 1 for direction in near):
        return weight_of(path) * probability * _by_monomials(path, power, near)
    if not isinstance(value, Polynomial):
        raise AssertionError("a number depends on no guard")
    return _of_term(term_of(path, value), order)


def _by_monomials(path: Path, power: Value, near: Mapping[Direction, tuple[Edge, Edge]]) -> arb:
    cut = {direction[0][0]: interval for direction, interval in near.items()}
    found = arb(0)
    for monomial, coefficient in terms_of(power).items():
        exponents = {**dict.fromkeys(cut, 0), **dict(monomial)}
        product = enclose(coefficient)
        for index, exponent in exponents.items():
            law = path.laws[index]
            product *= law.moment_within(exponent, *cut.get(index, law.ends))
        found += product
    return found


def _of_term(term: Term, order: int) -> arb:
    """Enclose the first or second moment of a density, not normalised."""
    match term:
        case Bell():
            raise AssertionError("a Gaussian has no guards")
        case Piece():
            mean: tuple[Number, ...] = (term.location, term.scale)
            variance: tuple[Number, ...] = (0,)
        case Curve():
            mean, variance = term.mean, term.variance
    inner = list(mean) if order == 1 else _plus(_product(mean, mean), variance)
    moments = (term.law.moment_within(power, term.low, term.high) for power in range(len(inner)))
    return term.weight * sum((enclose(c) * m for c, m in zip(inner, moments, strict=True)), arb(0))


def _product(a: Sequence[Number], b: Sequence[Number]) -> list[Number]:
    found: list[Number] = [0] * (len(a) + len(b) - 1)
    for i, u in enumerate(a):
        for j, v in enumerate(b):
            found[i + j] = exact.add(found[i + j], exact.mul(u, v))
    return found


def _plus(a: Sequence[Number], b: Sequence[Number]) -> list[Number]:
    return [exact.add(u, v) for u, v in zip_longest(a, b, fillvalue=0)]
