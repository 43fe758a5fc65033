r"""Rounding of continuous values: a path is split into cells :math:`k \le v < k + 1`, in each of which ``floor`` of v is the number k.

A value between two numbers has finitely many cells. Of any other value those are kept that can be reached while each source stays in a window, and what
lies outside of the windows is added up: :math:`\sum_i P(z_i \notin W_i)` bounds the weight of all cells that are left out (Boole's inequality).

What reads a rounded value may not tell all integers apart: ``min(3, floor(v))`` no two that are at least 3. All of these are one cell then.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field, replace

from flint import arb

from seepage import exact
from seepage.data_classes import dataclass
from seepage.engines.pivot.comparisons import implied_sign
from seepage.engines.pivot.densities import apart, covariance, weight_of
from seepage.engines.pivot.path import Path
from seepage.engines.pivot.wanted import ALL, Wanted, scaled
from seepage.exact import Number
from seepage.laws.forms import Beyond, Direction, Polynomial, direction_of, linear
from seepage.laws.law import Edge, Law, dyadic
from seepage.laws.normal import Normal

_MOST_CELLS = 4_096


@dataclass(slots=True)
class Cells:
    """What one run has rounded.

    Attributes:
        tail_bits: cells are left out of a weight of at most about 2^−``tail_bits`` for each source; None where none may be.
        rounds: whether any continuous value was rounded.
        lost: at least the weight of all that was left out.
        weighed: whether an equality of continuous values was observed, so that weights are densities.
    """

    tail_bits: int | None = None
    rounds: bool = False
    lost: arb = field(default_factory=lambda: arb(0))
    weighed: bool = False

    def check(self) -> None:
        """Refuse what nothing bounds: a density may be large where cells were left out.

        Raises:
            Beyond: if weights are densities and cells were left out.
        """
        if self.weighed and not self.lost.is_zero():
            raise Beyond("an observed equality of continuous values beside a rounded value without bounds")

    def split(self, path: Path, value: Polynomial, wanted: Wanted = ALL) -> Iterator[tuple[Path, int]]:
        """Yield the parts of a path in which a value has one integer part, or all of several that are not told apart, with one of them.

        Raises:
            Beyond: for a value that is not linear, has too many cells, or no bounds where nothing may be left out.
        """
        found = linear(value)
        if found is None:
            raise Beyond("rounding a value that is not linear")
        if path.cut is not None:
            raise Beyond("rounding after a comparison of a value that is no guard")
        self.rounds = True
        bottom = None if wanted[0] is None else exact.floor_(wanted[0])
        top = None if wanted[1] is None else exact.ceil_(wanted[1])
        if bottom is not None and top is not None and bottom >= top:
            yield path, bottom
            return
        constant, coefficients = found
        direction, scale = direction_of(coefficients)
        first, last = self._range(path, constant, coefficients, (bottom, top))
        related = any(index in coefficients for other in path.guards or {} if other != direction for index, _ in other)
        for k in range(first, last + 1):
            cell = (None if k == bottom else k, None if k == top else k + 1)
            ends = [None if edge is None else exact.div(exact.sub(edge, constant), scale) for edge in cell]
            low, high = ends if exact.sign(scale) > 0 else ends[::-1]
            if related and not _is_possible(path, direction, low, high):
                continue
            part = path.within(direction, low, high)
            if part is not None:
                yield part, k

    def _range(
        self, path: Path, constant: Number, coefficients: Mapping[int, Number], limits: tuple[int | None, int | None]
    ) -> tuple[int, int]:
        """Return the first and the last cell that is kept."""
        first, last = _cells(*_ends(path, constant, coefficients, None), limits)
        if first is None or last is None or last - first > _MOST_CELLS:
            if self.tail_bits is None:
                raise Beyond("rounding a value without bounds")
            windows = _windows(path, coefficients, self.tail_bits)
            first, last = _cells(*_ends(path, constant, coefficients, windows), limits)
            lost = sum((each.lost for each in windows), arb(0))
            self.lost = (self.lost + weight_of(path) * lost).upper()
        if first is None or last is None or not self.lost.is_finite():
            raise Beyond("rounding a value of which no tail is bounded")
        if last - first > _MOST_CELLS:
            raise Beyond("rounding a value with too many cells")
        return first, last


@dataclass(frozen=True, slots=True)
class _Window:
    """Where a combination of sources is taken to lie, and at least the probability that it does not."""

    low: Edge
    high: Edge
    lost: arb


def absorbed(path: Path) -> Path | None:
    """Return a path with the chance of guards on sources that no value depends on in its weight, None if that is 0."""
    if not path.guards or path.cut is not None:
        return path
    used = frozenset(
        source for value in path.values.values() if isinstance(value, Polynomial) for source in value.sources
    )
    try:
        chance, near = apart(path, used)
    except Beyond:
        return path
    if len(near) == len(path.guards):
        return path
    return None if chance.is_zero() else replace(path, weight=weight_of(path) * chance, guards=near or None)


def _cells(low: Edge, high: Edge, limits: tuple[int | None, int | None]) -> tuple[int | None, int | None]:
    """Return the first and the last integer part between two numbers, both moved to lie between limits."""
    bottom, top = limits
    first = bottom if low is None else exact.floor_(low)
    last = top if high is None else exact.ceil_(high) - 1
    if bottom is not None:
        first, last = (None if k is None else max(k, bottom) for k in (first, last))
    if top is not None:
        first, last = (None if k is None else min(k, top) for k in (first, last))
    return first, last


def _ends(
    path: Path, constant: Number, coefficients: Mapping[int, Number], windows: tuple[_Window, ...] | None
) -> tuple[Edge, Edge]:
    """Return between which numbers a combination lies, by its own guard and by those of its sources, or windows."""
    direction, scale = direction_of(coefficients)
    own = scaled(path.interval(direction), scale) if len(coefficients) > 1 else (None, None)
    parts = (
        [scaled(_reach(path, index), a) for index, a in coefficients.items()]
        if windows is None
        else [(each.low, each.high) for each in windows]
    )
    low, high = (
        None if any(end is None for end in side) else _sum([end for end in side if end is not None])
        for side in zip(*parts, strict=True)
    )
    low = own[0] if low is None else low if own[0] is None else exact.maximum(low, own[0])
    high = own[1] if high is None else high if own[1] is None else exact.minimum(high, own[1])
    return (
        None if low is None else exact.add(constant, low),
        None if high is None else exact.add(constant, high),
    )


def _windows(path: Path, coefficients: Mapping[int, Number], bits: int) -> tuple[_Window, ...]:
    """Return where each source is taken to lie, times its coefficient; normal ones without a guard of their own together."""
    together = {
        index: a
        for index, a in coefficients.items()
        if path.laws[index].is_normal and path.interval(((index, 1),)) == (None, None)
    }
    alone = [
        _window(path.laws[index], _reach(path, index), a, bits)
        for index, a in coefficients.items()
        if index not in together
    ]
    if not together:
        return tuple(alone)
    law = Normal((covariance(path, together, together),))
    return (_window(law, (None, None), 1, bits), *alone)


def _window(law: Law, ends: tuple[Edge, Edge], scale: Number, bits: int) -> _Window:
    """Return the part of an interval within a law's reach, and what of the law lies outside of it."""
    reach = law.reach(bits)
    if not reach.is_finite():
        raise Beyond("rounding a value of which no tail is bounded")
    far = dyadic(reach.upper())
    lost, kept = arb(0), list(ends)
    for place, side in ((0, -1), (1, 1)):
        end, edge = ends[place], exact.mul(side, far)
        if end is None or side * exact.compare(end, edge) > 0:
            lost += law.beyond(side, exact.enclose(edge))
            kept[place] = edge
    low, high = scaled((kept[0], kept[1]), scale)
    return _Window(low, high, lost)


def _reach(path: Path, index: int) -> tuple[Edge, Edge]:
    """Return the interval that a source lies in, by its support and its own guard."""
    guard = path.interval(((index, 1),))
    return guard if guard != (None, None) else path.laws[index].ends


def _sum(numbers: list[Number]) -> Number:
    total: Number = 0
    for number in numbers:
        total = exact.add(total, number)
    return total


def _is_possible(path: Path, direction: Direction, low: Edge, high: Edge) -> bool:
    """Tell whether other guards may leave a combination between two numbers."""
    guards = path.guards or {}
    above = low is None or implied_sign(path.laws, guards, direction, low) >= 0
    return above and (high is None or implied_sign(path.laws, guards, direction, high) <= 0)
