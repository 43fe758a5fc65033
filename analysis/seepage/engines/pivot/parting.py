"""The parts of a path in which a value that a program compares with 0 has one sign."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from seepage import exact
from seepage.engines.pivot.conditioning import given_zero
from seepage.engines.pivot.path import Path
from seepage.exact import Number
from seepage.laws.forms import AtEdge, Beyond, Polynomial, direction_of, plus, terms_of, times


def given_value_zero(path: Path, value: Polynomial) -> Iterator[Path]:
    """Yield what is left of a path where a value is 0, if anything is."""
    try:
        part = given_zero(path, value)
    except AtEdge as edge:
        part = replace(path, densities=path.densities + 1, vague=edge.reason)
    if part is not None:
        yield part


def need_noise(value: Polynomial, symbols: frozenset[int]) -> None:
    """Refuse a comparison with 0 of a function of symbols alone, which stand for discrete values: it may be 0.

    Raises:
        Beyond: for such a value.
    """
    if value.sources <= symbols:
        raise Beyond("a comparison of values that are not known")


def is_no_guard(path: Path, found: tuple[Number, Mapping[int, Number]] | None) -> bool:
    """Tell whether a comparison is of a value that is no guard, or one beside guards that depend on it."""
    if found is None:
        return True
    _, coefficients = found
    if len(coefficients) > 1 and any(not path.laws[index].is_normal for index in coefficients):
        return True
    own, _ = direction_of(coefficients)
    beside = (direction for direction in path.guards or {} if direction != own)
    return any(index in coefficients for direction in beside for index, _ in direction)


def by_roots(path: Path, value: Polynomial) -> Iterator[tuple[Path, int]]:
    """Yield the parts of a path in which a quadratic function of one source is positive or negative: between its roots, and outside."""
    (index,) = value.sources
    c, b, a = (terms_of(value).get(monomial, 0) for monomial in ((), ((index, 1),), ((index, 2),)))
    outward = exact.sign(a)
    inner = exact.sub(exact.mul(b, b), exact.mul(4, exact.mul(a, c)))
    if exact.sign(inner) <= 0:
        yield path, outward  # 0 at one place at most
        return
    root = exact.sqrt_(inner)
    ends = [exact.div(exact.add(exact.neg(b), signed), exact.mul(2, a)) for signed in (exact.neg(root), root)]
    low, high = exact.minimum(*ends), exact.maximum(*ends)
    own = ((index, 1),)
    for begin, end, sign in ((None, low, outward), (low, high, -outward), (high, None, outward)):
        part = path.within(own, begin, end)
        if part is not None:
            yield part, sign


def by_cut(path: Path, value: Polynomial) -> Iterator[tuple[Path, int]]:
    """Yield the parts of a path in which a value that is no guard is positive or negative."""
    constant = value.constant
    rest = plus(value, exact.neg(constant))
    if not isinstance(rest, Polynomial):
        raise AssertionError("a value without sources is a number")
    scale = rest.terms[0][1]
    part = times(exact.div(1, scale), rest)
    if not isinstance(part, Polynomial) or (path.cut is not None and path.cut[0] != part):
        raise Beyond("comparisons of several values that are no guards")
    edge, upward = exact.div(exact.neg(constant), scale), exact.sign(scale)
    for after, sign in ((path.cut_to(part, edge, None), upward), (path.cut_to(part, None, edge), -upward)):
        if after is not None:
            yield after, sign
