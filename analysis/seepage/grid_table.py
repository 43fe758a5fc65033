"""What a plot and a sweep have in common: a table with a row for each point, which goes to numpy and to libraries of data frames."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, overload

from seepage import exact
from seepage.exact import Number
from seepage.frames import Cell, Tabular
from seepage.measures.plotting import Plotted
from seepage.measures.result import Certainty, Unit
from seepage.wishes import Wished

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

Column: TypeAlias = Literal["value", "lower", "upper"]

_NUMBERS: tuple[Column, ...] = ("value", "lower", "upper")
_COLUMNS = (*_NUMBERS, "certainty", "unit", "fault")


class Row(dict[str, Cell]):
    """A row: its cells by the names of their columns, and as attributes what is known of the point. A copy: to change it changes no table.

    Attributes:
        point: with the exact values of the parameters.
    """

    __slots__ = ("point",)

    def __init__(self, cells: Mapping[str, Cell], point: Plotted) -> None:
        super().__init__(cells)
        self.point = point

    @property
    def at(self) -> tuple[Number, ...]:
        """The exact values of the parameters that vary."""
        return self.point.at

    @property
    def value(self) -> float | None:
        """The number; None where only bounds are known, NaN where there are none."""
        return self.point.value

    @property
    def lower(self) -> float:
        """Guaranteed: at most the true value; NaN where there is none."""
        return self.point.lower

    @property
    def upper(self) -> float:
        """Guaranteed: at least the true value; NaN where there is none."""
        return self.point.upper

    @property
    def certainty(self) -> Certainty | None:
        """How far to trust the numbers; None where there are none."""
        return self.point.certainty

    @property
    def fault(self) -> str:
        """Why there is no number; empty where there is one."""
        return self.point.fault


class GridTable(Wished, Tabular):
    """A base of classes whose objects hold a measure at the points of a grid, in order, the last parameter varying fastest.

    A table of them has a row for each point: the parameters as floats, ``value``, ``lower``, ``upper``, ``certainty``, ``unit`` and ``fault``.
    """

    __slots__ = ()

    def _grid(self) -> tuple[Mapping[str, Sequence[Number]], Sequence[Plotted], Unit]:
        """Return the values of each parameter, the points that are done, and the unit."""
        raise NotImplementedError

    def columns(self) -> dict[str, tuple[Cell, ...]]:
        """Return the table by columns: the parameters as floats, ``value``, ``lower``, ``upper``, ``certainty``, ``unit`` and ``fault``.

        A parameter that is called like one of the others has ``params.`` in front. Numbers that are not there are None.
        """
        values, points, unit = self._grid()
        found: dict[str, tuple[Cell, ...]] = {}
        for place, name in enumerate(values):
            head = f"params.{name}" if name in _COLUMNS else name
            found[head] = tuple(exact.nearest_float(point.at[place]) for point in points)
        for column in _NUMBERS:
            found[column] = tuple(None if point.fault else getattr(point, column) for point in points)
        found["certainty"] = tuple(None if point.certainty is None else point.certainty.value for point in points)
        found["unit"] = (unit,) * len(points)
        found["fault"] = tuple(point.fault or None for point in points)
        return found

    @property
    def shape(self) -> tuple[int, ...]:
        """How many values each parameter has."""
        return tuple(map(len, self._grid()[0].values()))

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self._grid()[1])

    def __iter__(self) -> Iterator[Row]:
        """Yield the rows: cells by the names of their columns, and the exact values of the parameters."""
        return map(Row, self.to_records(), self._grid()[1])

    @overload
    def __getitem__(self, key: str) -> npt.NDArray[Any]: ...
    @overload
    def __getitem__(self, key: int) -> Row: ...
    @overload
    def __getitem__(self, key: slice) -> list[Row]: ...
    def __getitem__(self, key: str | int | slice) -> npt.NDArray[Any] | Row | list[Row]:
        """Return a column by its name, as an array (NaN where there is no number), or rows by their numbers.

        Raises:
            KeyError: if there is no such column; the message names those there are.
            IndexError: if there is no such row.
            TypeError: if it is neither.
        """
        import numpy as np

        if isinstance(key, slice):
            return list(self)[key]
        if isinstance(key, str):
            columns = self.columns()
            if key not in columns:
                raise KeyError(f"found {key!r}, expected one of {', '.join(columns)}")
            is_text = key in _COLUMNS and key not in _NUMBERS
            return np.array(columns[key], dtype=object if is_text else float)
        try:
            return list(self)[key]
        except TypeError:
            expected = "the name of a column, or the number of a row; to_pandas() selects as pandas does"
            raise TypeError(f"found {type(key).__name__}, expected {expected}") from None

    def to_numpy(self, column: Column = "value") -> npt.NDArray[np.float64]:
        """Return a column as an array with an axis for each parameter; NaN where there is no number.

        Raises:
            ValueError: if there is no such column of numbers.
        """
        import numpy as np

        if column not in _NUMBERS:
            raise ValueError(f"found {column!r}, expected 'value', 'lower' or 'upper'")
        _, points, _ = self._grid()
        found = np.full(math.prod(self.shape), np.nan)
        numbers = (None if point.fault else getattr(point, column) for point in points)
        found[: len(points)] = [np.nan if number is None else number for number in numbers]
        return found.reshape(self.shape)

    def _wish(self, name: str) -> str | None:
        return f"table[{name!r}]" if name in self._grid()[0] or name in _COLUMNS else None
