"""Where the variance of a value vanishes once a pivot is fixed, as that of x·y does at y = 0, or a positive lower bound of it."""

from __future__ import annotations

from collections.abc import Sequence

from seepage import exact
from seepage.data_classes import dataclass
from seepage.exact import Number


@dataclass(frozen=True, slots=True)
class Vanishing:
    """A polynomial is at least ``factor · |z − zero|^power``, and grows on both sides of ``zero``, where it is 0."""

    zero: Number
    power: int
    factor: Number


def least_of(variance: Sequence[Number]) -> Number | Vanishing | None:
    """Return a positive lower bound of a polynomial (coefficients ascending) that is nowhere negative, or how it vanishes; None if neither is seen."""
    found = shifted(variance, 0)
    if len(found) == 3:
        middle = exact.div(exact.neg(found[1]), exact.mul(2, found[2]))
        found = shifted(variance, middle)
    else:
        middle = 0
    if any(c != 0 for c in found[1::2]) or any(exact.sign(c) < 0 for c in found):
        return None
    if found and exact.sign(found[0]) > 0:
        return found[0]
    power = next((at for at, c in enumerate(found) if c != 0), None)
    return None if power is None else Vanishing(middle, power, found[power])


def shifted(polynomial: Sequence[Number], place: Number) -> tuple[Number, ...]:
    """Return a polynomial in z as one in z − place, without zeros at its end."""
    total: list[Number] = []
    for coefficient in reversed(polynomial):
        total = [0, *total]
        for at in range(len(total) - 1):
            total[at] = exact.add(total[at], exact.mul(place, total[at + 1]))
        total[0] = exact.add(total[0], coefficient)
    while total and total[-1] == 0:
        total.pop()
    return tuple(total)
