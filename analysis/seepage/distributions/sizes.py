"""How one parameter decides how far the draws of a law spread, for the laws that releases are hidden behind: all that is read of such a parameter.

A law *divides* where a draw from a wider one has the law of a draw from a narrower one plus an independent draw (:mod:`seepage.measures.ranges.degrading`
says why each does).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Size:
    """One row.

    Attributes:
        names: of the parameter, and of what may be given in its place.
        is_chance: whether it is a probability, with which the law becomes narrower; else the law becomes wider as it grows.
        may_vanish: whether what is known of the law holds at 0, too, where it is a point.
        divides: whether the law divides.
    """

    names: tuple[str, ...]
    is_chance: bool = False
    may_vanish: bool = False
    divides: bool = True


SIZES: Mapping[str, Size] = MappingProxyType(
    {
        "normal": Size(("variance", "std")),
        "laplace": Size(("scale",)),
        "geometric": Size(("p",), is_chance=True),
        "poisson": Size(("rate",), may_vanish=True),
        "discrete_laplace": Size(("scale",)),
        "discrete_gaussian": Size(("variance",), may_vanish=True, divides=False),
    }
)
"""The laws that are read, by their names."""
