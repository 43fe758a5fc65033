"""What is known of the outputs of one release for two neighbouring inputs: cells with both chances and bounds of the loss in them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from flint import arb

from seepage.data_classes import dataclass

BITS = 160
"""The precision at which cells are made: differences of differences of tails still have some sixty bits."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A set of outputs.

    Attributes:
        p: the chance of it for the first input, a ball.
        q: the chance of it for the second one, a ball.
        low: a bound from below of log(P/Q) at each of its outputs, −∞ if nothing is known.
        high: a bound from above, +∞ if nothing is known.
    """

    p: arb
    q: arb
    low: arb
    high: arb

    def reversed(self) -> Cell:
        """Return the same cell with the inputs exchanged."""
        return Cell(self.q, self.p, -self.high, -self.low)


class Pair(Protocol):
    """The laws of one release for two neighbouring inputs, P and Q. Instances are frozen, and equal if they are made of equal parts."""

    def cells(self, losses: Sequence[float]) -> list[Cell]:
        """Return cells that cover all outputs, at the precision of the caller.

        Args:
            losses: in rising order, where cells should end if the loss takes these values; a pair may cut elsewhere, too.
        """
        ...

    def exchanged(self) -> Pair:
        """Return the pair (Q, P)."""
        ...
