"""Discrete laws with infinitely many values, as their files tell them; ``windows.py``, which no check needs, is imported where one is cut."""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from seepage.exact import Number, precision

if TYPE_CHECKING:
    from seepage.laws.windows import Window


class Fall(NamedTuple):
    """Probabilities that fall by one ratio with each step away from a value.

    Attributes:
        peak: the probability of that value.
        ratio: what each other one is of the one that is nearer by a step, in (0, 1).
        rest: the probability of all values on a side, with that value.
        sides: 1 where there are larger values, −1 where there are smaller ones.
    """

    peak: Number
    ratio: Number
    rest: Number
    sides: tuple[int, ...]


class Infinite(ABC):
    """A law with infinitely many values, whose parameters are in their ranges; no point mass."""

    __slots__ = ()

    name: ClassVar[str]

    @property
    def middle(self) -> int:
        """The value around which the law is symmetric, else 0."""
        return 0

    @property
    def fall(self) -> Fall | None:
        """How the probabilities fall, if they do so by one ratio."""
        return None

    @abstractmethod
    def cut(self, bits: int, tail_bits: int, limit: int) -> Window:
        """Return a window as :func:`window`, at a precision that has :data:`seepage.laws.windows.GUARD` bits to spare."""

    @abstractmethod
    def in_proportion(self, value: int, low: int, high: int) -> Number:
        """Return the probability of a value between two others, but for a factor that all values there share."""


class Counting(Infinite):
    """One on 0, 1, 2, … of which exponentials times powers have means in closed form."""

    __slots__ = ()

    @abstractmethod
    def falling_mean(self, base: Number, order: int) -> Number | None:
        r"""Return :math:`E\, b^k k^{\underline{j}}` of a falling factorial, for a base b above 0; None where it is infinite."""


@lru_cache(maxsize=256)
def window(law: Infinite, bits: int, tail_bits: int, limit: int) -> Window:
    """Return a window of a law that leaves out a mass of at most 2^−tail_bits.

    Args:
        law: parameters in their ranges.
        bits: relative accuracy of the probabilities.
        tail_bits: at least 2.
        limit: on the number of values.

    Raises:
        seepage.laws.windows.TooWide: if the window would have more values than ``limit``.
    """
    from seepage.laws.windows import GUARD

    with precision(bits + GUARD):
        return law.cut(bits, tail_bits, limit)
