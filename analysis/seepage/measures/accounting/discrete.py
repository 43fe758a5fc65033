"""Pairs of laws on finitely many outputs, and pairs of which a discrete output is published first."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from flint import arb, fmpq

from seepage import exact
from seepage.data_classes import dataclass
from seepage.exact import Number
from seepage.measures.accounting.cell import BITS, Cell, Pair


@dataclass(frozen=True, slots=True)
class Discrete:
    """Two laws on finitely many outputs: for each output its two chances, which are not both 0."""

    outputs: tuple[tuple[Number, Number], ...]

    def cells(self, losses: Sequence[float]) -> list[Cell]:
        """Return one cell an output, whatever the losses."""
        del losses
        return [cell_of(ball(p), ball(q), p, q) for p, q in self.outputs]

    def exchanged(self) -> Discrete:
        """Return the pair (Q, P)."""
        return Discrete(tuple((q, p) for p, q in self.outputs))


@dataclass(frozen=True, slots=True)
class Published:
    """A discrete output, and a release whose laws depend on it: for each output its two chances and the pair behind it."""

    outputs: tuple[tuple[Number, Number, Pair], ...]

    def cells(self, losses: Sequence[float]) -> list[Cell]:
        """Return the cells behind each output; their losses are those of both releases together."""
        found: list[Cell] = []
        for p, q, pair in self.outputs:
            first = cell_of(ball(p), ball(q), p, q)
            if p == 0 or q == 0:
                found.append(first)
                continue
            loss = first.low
            shifted = [one - float(loss.mid()) for one in losses]
            found += [
                Cell(first.p * cell.p, first.q * cell.q, loss + cell.low, loss + cell.high)
                for cell in pair.cells(shifted)
            ]
        return found

    def exchanged(self) -> Published:
        """Return the pair (Q, P)."""
        return Published(tuple((q, p, pair.exchanged()) for p, q, pair in self.outputs))


def ball(number: Number) -> arb:
    """Return a ball around a number, at the precision of the caller where it is rational."""
    if isinstance(number, int | Fraction):
        return arb(fmpq(number.numerator, number.denominator))
    return exact.enclose(number, BITS)


def cell_of(p: arb, q: arb, first: Number, second: Number) -> Cell:
    """Return the cell of outputs that have one loss.

    Args:
        p: a ball around the first chance.
        q: a ball around the second one.
        first: the first chance itself.
        second: the second one.
    """
    if first == 0:
        return Cell(p, q, arb.neg_inf(), arb.neg_inf())
    if second == 0:
        return Cell(p, q, arb.pos_inf(), arb.pos_inf())
    loss = arb(0) if first == second else (p / q).log()
    return Cell(p, q, loss, loss)
