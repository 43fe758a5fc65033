"""What is known of a law as noise: which parameter decides how far it spreads, and what that does for a value that it hides.

A law *divides* where a draw from a wider one has the law of a draw from a narrower one plus an independent draw (:mod:`seepage.measures.ranges.degrading`
says why each does).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Literal

from seepage.data_classes import dataclass


@dataclass(frozen=True, slots=True)
class Spread:
    """What is known of a law that is log-concave; all else that is read of it is where it is centred.

    Attributes:
        names: of the parameter, and of what may be given in its place.
        is_chance: whether it is a probability, with which the law becomes narrower; else the law becomes wider as it grows.
        may_vanish: whether what is known of the law holds at 0, too, where it is a point.
        divides: whether the law divides.
        bounds_loss: by what the probability of an output changes at most by a factor for each unit that its place moves: one ``draw``, of a law that lies on
            both sides, or the ``difference`` of two; None where there is no such factor.
        powers: of a number by which each of ``names`` is multiplied where a draw is; empty where a multiple of a draw has a law of another kind.
    """

    names: tuple[str, ...]
    is_chance: bool = False
    may_vanish: bool = False
    divides: bool = True
    bounds_loss: Literal["draw", "difference"] | None = None
    powers: Mapping[str, int] = field(default_factory=dict)
