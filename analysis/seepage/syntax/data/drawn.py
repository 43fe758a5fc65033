"""The law of a row that is drawn from a table: the distinct rows of some columns, with weights."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from seepage.data_classes import dataclass
from seepage.syntax.data.table import Table

if TYPE_CHECKING:
    from seepage.syntax.data.grouping import Codes, Weights

_KEPT = 8  # draws whose distinct rows stay known


@dataclass(frozen=True)
class Draw:
    """A draw of a row, uniformly or by the weights of a column; what is drawn is the number of a distinct row of the columns.

    Attributes:
        name: of the table, as a program calls it.
        table: the data.
        columns: names of those whose cells are looked at.
        weight: the name of the column with the weights of rows, None for equal ones.
    """

    name: str
    table: Table
    columns: tuple[str, ...]
    weight: str | None = None

    def of(self, columns: frozenset[str]) -> Draw:
        """Return the draw of which only some columns are looked at; of equal ones, the same."""
        return _narrowed(self, tuple(name for name in self.columns if name in columns))

    @property
    def most(self) -> int:
        """How many distinct rows there are at most."""
        return self.table.rows

    @cached_property
    def weights(self) -> Weights:
        """The weights of the distinct rows, positive integers, of machine words where their sum fits one."""
        return self._distinct[0]

    @cached_property
    def total(self) -> int:
        """The sum of the weights."""
        return int(self.weights.sum())

    def codes(self, column: str) -> Codes:
        """Return for each distinct row the place of its cell among the values of the column."""
        return self._distinct[1][column]

    def values(self, column: str) -> tuple[int | Fraction, ...]:
        """Return the distinct values of a column."""
        return self.table.by_name[column].values

    def cell(self, column: str, row: int) -> int | Fraction:
        """Return what a column holds in a distinct row."""
        return self.values(column)[int(self.codes(column)[row])]

    @cached_property
    def _distinct(self) -> tuple[Weights, dict[str, Codes]]:
        from seepage.syntax.data.grouping import distinct  # checking a program loads no numerical library

        return distinct(self.table, self.columns, self.weight)


@lru_cache(maxsize=_KEPT)
def _narrowed(draw: Draw, columns: tuple[str, ...]) -> Draw:
    return replace(draw, columns=columns)
