"""In which of the cells between some places a draw from a law with a density lies, and with which chances."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise

from flint import arb

from seepage import exact
from seepage.data_classes import dataclass
from seepage.exact import Number, precision
from seepage.laws.draws import number
from seepage.laws.forms import Beyond
from seepage.laws.law import Edge, Law
from seepage.laws.table import draw_of

_GUARD = 32  # bits


@dataclass(frozen=True, slots=True)
class Cells:
    """Cells of a source that has a law.

    Attributes:
        law: None where the draw is one point.
        numbers: of the cells with the chances: 2 k of that above k places, 2 k − 1 of the k-th place itself.
        ends: of the source's cells, ascending, the infinite ones among them.
    """

    law: Law | None
    numbers: tuple[int, ...]
    ends: tuple[Edge, ...]

    @staticmethod
    def of(law: str, values: Mapping[str, Number], places: Sequence[Number]) -> Cells:
        """Cut a law.

        Args:
            law: its name.
            values: of its parameters.
            places: at which it is cut, ascending.

        Raises:
            Beyond: where a scale or shape is not positive.
        """
        draw = draw_of(law, values)
        location = number(draw.location)
        if draw.law is None:
            below = sum(exact.compare(place, location) < 0 for place in places)
            is_place = below < len(places) and exact.compare(places[below], location) == 0
            return Cells(None, (2 * below + is_place,), (None, None))
        side = exact.sign(draw.scale)
        if side == 0:
            raise Beyond("a scale that is 0")
        ends = [exact.div(exact.sub(place, location), draw.scale) for place in places]
        numbers = tuple(range(0, 2 * len(places) + 1, 2))
        if side < 0:
            return Cells(draw.law, numbers[::-1], (None, *reversed(ends), None))
        return Cells(draw.law, numbers, (None, *ends, None))

    def exact(self) -> list[Fraction] | None:
        """Return the chances where they are rational; None where that is not known."""
        if self.law is None:
            return [Fraction(1)]
        above = [self.law.rational_above(end) for end in self.ends[1:-1] if end is not None]
        known = [each for each in above if each is not None]
        if len(known) < len(above):
            return None
        return [one - other for one, other in pairwise((Fraction(1), *known, Fraction(0)))]

    def balls(self, bits: int) -> list[arb]:
        """Return the chances.

        Args:
            bits: of precision; a chance beside a much larger one has fewer that tell.
        """
        with precision(bits + _GUARD):
            law = self.law
            return [arb(1)] if law is None else [law.probability(low, high) for low, high in pairwise(self.ends)]
