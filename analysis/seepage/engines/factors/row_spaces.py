r"""The spaces that the rows of a chain span, in the reduced echelon form: as many numbers tell a row as the space has dimensions, however many states there are.

How many values of other words are below a number s, and in which order, are polynomials in s: such rows lie in a space of one dimension more than there are other words,
though each order has a state (Schützenberger 1961, "On the definition of a family of automata", makes chains of least dimension so). A row f is told by its entries at the pivots,
a column v by E v, where the rows of E are the basis: :math:`f \cdot v` is the product of both.
"""

from __future__ import annotations

from collections.abc import Sequence

from flint import fmpq, fmpq_mat

from seepage.data_classes import dataclass
from seepage.engines.factors.chains import Matrix, Row


@dataclass(frozen=True, slots=True)
class Space:
    """The rows of a chain before one of its variables, for all values of those that have been told, or for those of one sort.

    Attributes:
        basis: in the reduced echelon form.
        pivots: the places in which one row of the basis is 1 and all others are 0.
    """

    basis: fmpq_mat
    pivots: tuple[int, ...]

    @property
    def width(self) -> int:
        """How many numbers tell a row."""
        return len(self.pivots)

    def through(self, matrix: Matrix) -> list[list[fmpq]]:
        """Return the basis times a matrix."""
        return (self.basis * fmpq_mat([list(line) for line in matrix])).tolist()

    def told(self, column: Row) -> list[fmpq]:
        """Return what the product of a column with every row depends on."""
        return [each for (each,) in (self.basis * fmpq_mat([[each] for each in column])).tolist()]


def space_of(rows: Sequence[Sequence[int | fmpq]]) -> Space:
    """Return the space that some rows span."""
    echelon, rank = fmpq_mat([list(row) for row in rows]).rref()
    kept = echelon.tolist()[: max(rank, 1)]
    pivots = tuple(next((at for at, each in enumerate(row) if each), 0) for row in kept)
    return Space(fmpq_mat(kept), pivots)
