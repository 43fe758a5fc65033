"""Tables as data frames: the one door to pandas and polars, which are loaded only where a frame is asked for."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module, util
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

Cell: TypeAlias = float | int | str | None
Library: TypeAlias = Literal["pandas", "polars", "pyarrow"]

_OF_TEXT = frozenset({"certainty", "unit", "fault", "seen"})
"""Columns of texts; the others hold floats. A type does not depend on the cells, so that tables can be put below each other."""


class Tabular:
    """A base of classes whose objects are tables: a data frame to whoever makes one of what it is given."""

    __slots__ = ()

    def columns(self) -> dict[str, tuple[Cell, ...]]:
        """Return the cells of each column, by its name."""
        raise NotImplementedError

    def to_numpy(self) -> npt.NDArray[np.float64]:
        """Return its numbers as an array."""
        raise NotImplementedError

    if TYPE_CHECKING:

        def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> npt.NDArray[Any]: ...

    else:

        @property
        def __array_interface__(self) -> dict[str, object]:
            """The numbers, for ``np.asarray``. Had it ``__array__``, pandas would make nameless columns of them in place of the table."""
            found = self.to_numpy()
            return {"shape": found.shape, "typestr": found.dtype.str, "data": found, "version": 3}

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(next(iter(self.columns().values()), ()))

    def __iter__(self) -> Iterator[Mapping[str, Cell]]:
        """Yield the rows, each with its cells by the names of their columns."""
        return iter(self.to_records())

    def to_records(self) -> list[dict[str, Cell]]:
        """Return a dictionary for each row, with the columns of :meth:`columns`."""
        columns = self.columns()
        return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]

    def to_csv(self, path: str | PathLike[str] | None = None) -> str:
        """Return the table as comma-separated values, and write it to a file if there is a path.

        Raises:
            OSError: if the file cannot be written.
        """
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        columns = self.columns()
        writer.writerow(columns)
        writer.writerows(zip(*columns.values(), strict=True))
        if path is not None:
            Path(path).write_text(text.getvalue(), encoding="utf-8", newline="")
        return text.getvalue()

    def to_pandas(self) -> Any:  # pandas need not be installed
        """Return the table as a ``pandas.DataFrame``.

        Raises:
            ImportError: if pandas is not installed; the message says what to install.
        """
        return _data_frame(self.columns(), "pandas").to_native()

    def to_polars(self) -> Any:  # polars need not be installed
        """Return the table as a ``polars.DataFrame``.

        Raises:
            ImportError: if polars is not installed; the message says what to install.
        """
        return _data_frame(self.columns(), "polars").to_native()

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Return the table as a stream of Arrow: ``polars.DataFrame(table)``, ``pyarrow.table(table)``, ``narwhals.from_arrow(table, …)``.

        Raises:
            ImportError: if neither pyarrow nor polars is installed; the message says what to install.
        """
        library = _first_of("pyarrow", "polars")
        return _data_frame(self.columns(), library).to_native().__arrow_c_stream__(requested_schema)

    def __narwhals_dataframe__(self) -> Any:  # an object of narwhals, which gives it no name
        """Return the table as narwhals holds one, for ``narwhals.from_native(table)`` and who calls it: ``altair.Chart(table)``.

        Raises:
            ImportError: if neither pandas nor polars is installed; the message says what to install.
        """
        return _data_frame(self.columns(), _first_of("pandas", "polars"))._compliant_frame

    def __dataframe__(self, nan_as_null: bool = False, allow_copy: bool = True) -> object:
        """Return the table by the older protocol for the interchange of data frames.

        Raises:
            ImportError: if neither pyarrow nor pandas is installed; the message says what to install.
        """
        frame = _data_frame(self.columns(), _first_of("pyarrow", "pandas")).to_native()
        return frame.__dataframe__(nan_as_null=nan_as_null, allow_copy=allow_copy)


def _data_frame(columns: Mapping[str, Sequence[Cell]], library: Library) -> Any:  # the libraries need not be there
    """Return columns of equal length as a frame of narwhals, which knows how each library makes one.

    Raises:
        ImportError: if the library is not installed; the message says what to install.
    """
    needed(library, "frames")
    narwhals = needed("narwhals", "frames")
    kinds = {name: narwhals.String() if name in _OF_TEXT else narwhals.Float64() for name in columns}
    cells = {name: list(column) for name, column in columns.items()}
    return narwhals.from_dict(cells, kinds, backend=library)


def _first_of(preferred: Library, other: Library) -> Library:
    return preferred if util.find_spec(preferred) else other


def needed(library: str, extra: str) -> Any:  # a module of a library that may have no types
    """Return a library that is installed only for those who want it.

    Args:
        library: its name for ``import``.
        extra: that of this distribution which installs it.

    Raises:
        ImportError: if it is not installed; the message says what to install.
    """
    try:
        return import_module(library)
    except ModuleNotFoundError as error:
        if error.name != library.partition(".")[0]:
            raise
        distribution = error.name
        message = (
            f"this needs {distribution}, which is not installed: pip install {distribution}, or 'seepage[{extra}]'"
        )
        raise ImportError(message, name=distribution) from error
