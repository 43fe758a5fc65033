"""Sums of exponentials between breaks as densities that are compared with others, and losses at trial outputs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce

from flint import arb

from seepage.data_classes import dataclass
from seepage.engines.pivot.exponentials import Exponentials, Stretch, exponentials_of
from seepage.engines.pivot.path import Path
from seepage.exact import enclose

_STEPS = (1 / 16, 1.0, 8.0, 64.0)  # beside outer breaks, in lengths over which the density changes
_FAR = (1.0, 4.0, 12.0, 50.0)  # the same for where cells end at first
_INNER = (1 / 64, 1 / 4, 1 / 2, 3 / 4, 63 / 64)  # of a stretch with two ends


@dataclass(frozen=True, slots=True)
class Tiled:
    """A density for :mod:`seepage.measures.gaussian.maximum`, its weight included."""

    law: Exponentials

    def marks(self) -> Sequence[arb]:
        """Return breaks, and places beyond the outer ones."""
        first, last = self.law.stretches[0], self.law.stretches[-1]
        outer = [enclose(edge) for edge in (first.high, last.low) if edge is not None]
        if len(outer) < 2:
            outer = [arb(0), arb(0)]
        below = [(outer[0] - step * _length(first)).mid() for step in reversed(_FAR)]
        above = [(outer[1] + step * _length(last)).mid() for step in _FAR]
        return [*below, *(enclose(edge) for edge in self.law.edges), *above]

    def below(self, place: arb) -> arb:
        """Return the mass of smaller values; the place lies before all breaks."""
        return self.law.stretches[0].mass(None, place)

    def above(self, place: arb) -> arb:
        """Return the mass of larger values; the place lies behind all breaks."""
        return self.law.stretches[-1].mass(place, None)

    def between(self, left: arb, right: arb) -> arb:
        """Return the mass of an interval between marks."""
        return self._held(((left + right) / 2).mid())[0].mass(left, right)

    def density(self, place: arb, inside: arb) -> arb:
        """Return a ball that holds the density in a ball of points, between the breaks that ``inside`` is known to lie between."""
        return reduce(arb.union, (each.density(place) for each in self._held(inside)))

    def slope(self, place: arb, inside: arb, density: arb) -> arb:
        """Return the derivative of the density likewise; no number where a break may be."""
        del density
        held = self._held(inside)
        return held[0].slope(place) if len(held) == 1 else arb.nan()

    def _held(self, place: arb) -> list[Stretch]:
        """Return the stretches that a point may lie in."""
        return [
            each
            for each in self.law.stretches
            if not (each.low is not None and place < enclose(each.low))
            and not (each.high is not None and place > enclose(each.high))
        ]


def loss_at_trials(top: Sequence[Path], bottom: Sequence[Path], name: str) -> arb:
    """Return a lower bound of the supremum of log f/g, at least 0: the greatest at some outputs. Densities are continuous beside each of them.

    Args:
        top: paths with the law f, a density of ``name``.
        bottom: with the law g.
        name: of the output.

    Raises:
        Beyond: if the densities are no sums of exponentials.
    """
    one, other = (Tiled(exponentials_of(paths, name)) for paths in (top, bottom))
    found = arb(0)
    for place in _trials((one.law, other.law)):
        f, g = (each.density(place, place) for each in (one, other))
        if f > 0 and g > 0:
            found = found.max((f / g).log().lower())
    return found


def _trials(laws: Sequence[Exponentials]) -> Iterator[arb]:
    """Yield outputs inside of stretches, and in the tails."""
    for law in laws:
        for stretch in law.stretches:
            low, high = (None if edge is None else enclose(edge) for edge in (stretch.low, stretch.high))
            if low is not None and high is not None:
                yield from ((low + part * (high - low)).mid() for part in _INNER)
            elif high is not None:
                yield from ((high - step * _length(stretch)).mid() for step in _STEPS)
            elif low is not None:
                yield from ((low + step * _length(stretch)).mid() for step in _STEPS)


def _length(stretch: Stretch) -> arb:
    """Return over what length the slowest of the exponentials changes."""
    sizes = [abs(enclose(rate)) for rate, _ in stretch.terms if rate != 0]
    return arb(1) if not sizes else 1 / reduce(arb.min, sizes)
