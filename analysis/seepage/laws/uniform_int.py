"""Equally likely whole numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from seepage.laws.arguments import Known, Wrong, wrong_ends
from seepage.laws.discrete import C, FiniteLaw, Given, finite
from seepage.word import Domain, Parameter, Support

if TYPE_CHECKING:
    from numpy.random import Generator

    from seepage.laws.discrete import Column


def masses(given: Given[C]) -> Iterator[tuple[int, C]]:
    """Yield the values, all with one probability."""
    low = given.integer("a", "the lower end of 'uniform_int'")
    high = given.integer("b", "the upper end of 'uniform_int'")
    if high < low:
        raise given.invalid("b", high, f"the upper end of 'uniform_int' must be at least the lower end {low}")
    given.need(high - low + 1)
    each = given.ring.rational(1, high - low + 1)
    for value in range(low, high + 1):
        yield value, each


def sample(random: Generator, size: int, a: Column, b: Column) -> Column:
    """Draw; numbers of any size by as many random bits as the range has, again where they exceed it."""
    if a.dtype != object and b.dtype != object:
        return random.integers(a, b, size=size, endpoint=True)
    found = a.astype(object)
    for place, (low, high) in enumerate(zip(a.tolist(), b.tolist(), strict=True)):
        if low > high:
            raise ValueError("the ends must ascend")
        bits = (high - low).bit_length()
        while (value := int.from_bytes(random.bytes((bits + 7) // 8), "big") >> (-bits % 8)) > high - low:
            pass
        found[place] = low + value
    return found


def wrong(known: Known) -> Wrong:
    """Find ends that descend."""
    return wrong_ends("uniform_int", known)


def takes(known: Known) -> int | None:
    """Return an end that is neither 0 nor 1."""
    low, high = known.get("a"), known.get("b")
    if not isinstance(low, int) or not isinstance(high, int) or low > high:
        return None
    return next((end for end in (high, low) if end not in (0, 1)), None)


LAW = FiniteLaw(
    finite(
        "uniform_int",
        "the whole numbers from `a` to `b`, equally likely",
        "uniform_int(1, 6)",
        Parameter(name="a", meaning="the smallest value", domain=Domain.INTEGER),
        Parameter(name="b", meaning="the largest value, at least `a`", domain=Domain.INTEGER),
        values=Support("a", "b", whole=True),
    ),
    sample,
    masses,
    wrong=wrong,
    takes=takes,
)
