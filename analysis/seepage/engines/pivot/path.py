"""One way through a program: what its values are, and what its sources are known to be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TypeAlias

from seepage import exact
from seepage.data_classes import dataclass
from seepage.engines.soga.weights import Weight
from seepage.laws.draws import Draw
from seepage.laws.forms import Direction, Polynomial, Value, plus, source, times
from seepage.laws.law import Edge, Law

Guards: TypeAlias = Mapping[Direction, tuple[Edge, Edge]]
"""For linear combinations of sources, the open interval that each lies in."""


@dataclass(frozen=True, slots=True)
class Path:
    """One way through a program.

    Attributes:
        weight: probability of its discrete choices; that of the guards is not in it.
        values: of the variables assigned so far.
        laws: of each source; sources are independent of each other.
        guards: for a linear combination of sources the open interval that it lies in.
        densities: how many equalities of continuous values were observed, since the last time that paths were compared in that.
        cut: an interval that one more value lies in, which is no guard: only the chance of such a path is known (:func:`~seepage.engines.pivot.paths.paths_of`).
        vague: why the path is not known; only a path that no other beats by fewer ``densities`` matters.
    """

    weight: Weight
    values: Mapping[str, Value]
    laws: tuple[Law, ...] = ()
    guards: Guards | None = None
    densities: int = 0
    cut: tuple[Polynomial, Edge, Edge] | None = None
    vague: str = ""

    def interval(self, direction: Direction) -> tuple[Edge, Edge]:
        """Return the interval that a combination is guarded to lie in."""
        return (self.guards or {}).get(direction, (None, None))

    def within(self, direction: Direction, low: Edge, high: Edge) -> Path | None:
        """Return the part in which a combination lies in an interval, None if it is empty."""
        old_low, old_high = self.interval(direction)
        if len(direction) == 1:
            end_low, end_high = self.laws[direction[0][0]].ends
            low, high = _larger(low, end_low), _smaller(high, end_high)
        low, high = _larger(low, old_low), _smaller(high, old_high)
        if low is not None and high is not None and exact.compare(low, high) >= 0:
            return None
        return replace(self, guards={**(self.guards or {}), direction: (low, high)})

    def cut_to(self, value: Polynomial, low: Edge, high: Edge) -> Path | None:
        """Return the part in which the value that is cut, or may be, lies in an interval, None if it is empty."""
        _, old_low, old_high = self.cut or (value, None, None)
        low, high = _larger(low, old_low), _smaller(high, old_high)
        if low is not None and high is not None and exact.compare(low, high) >= 0:
            return None
        return replace(self, cut=(value, low, high))

    def drawn(self, law: Law) -> tuple[Path, Polynomial]:
        """Return the path with a new source, and the source."""
        return replace(self, laws=(*self.laws, law)), source(len(self.laws))

    def placed(self, draw: Draw) -> tuple[Path, Value]:
        """Return the path with the source of a draw, and what is drawn."""
        if draw.law is None:
            return self, draw.location
        after, drawn = self.drawn(draw.law)
        return after, plus(draw.location, times(draw.scale, drawn))


@dataclass(frozen=True, slots=True)
class Symbols:
    """What variables are before a program begins.

    Attributes:
        values: numbers, and functions of symbols, which stand for discrete values that are not known.
        laws: that symbols have as the first sources. Nothing is known of which of them are equal: they are compared with noise in between only.
    """

    values: Mapping[str, Value]
    laws: tuple[Law, ...]


def _larger(a: Edge, b: Edge) -> Edge:
    return b if a is None else a if b is None else exact.maximum(a, b)


def _smaller(a: Edge, b: Edge) -> Edge:
    return b if a is None else a if b is None else exact.minimum(a, b)


def parted(guards: Guards, sources: frozenset[int]) -> tuple[dict[Direction, tuple[Edge, Edge]], Guards]:
    """Return the guards that share sources with given ones, perhaps through others, and those that are independent of these."""
    rest = dict(guards)
    near: dict[Direction, tuple[Edge, Edge]] = {}
    reached = set(sources)
    growing = True
    while growing:
        growing = False
        for direction in list(rest):
            own = {index for index, _ in direction}
            if own & reached:
                near[direction] = rest.pop(direction)
                reached |= own
                growing = True
    return near, rest
