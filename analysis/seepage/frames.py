"""Tables as data frames: the one door to pandas and polars, which are loaded only where a frame is asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any, Literal, TypeAlias

Cell: TypeAlias = float | int | str | None
Library: TypeAlias = Literal["pandas", "polars"]


def data_frame(columns: Mapping[str, Sequence[Cell]], library: Library) -> Any:  # the libraries need not be there
    """Return columns of equal length as a data frame of a library, made by narwhals, which knows how each of them makes one.

    Raises:
        ImportError: if the library is not installed; the message says what to install.
    """
    needed(library, "frames")
    return needed("narwhals", "frames").from_dict(_lists(columns), backend=library).to_native()


def arrow_stream(columns: Mapping[str, Sequence[Cell]], schema: object = None) -> object:
    """Return columns of equal length as a stream of Arrow, for whoever takes tables of any library.

    Raises:
        ImportError: if nothing is installed that makes one; the message says what to install.
    """
    try:
        table: Any = needed("pyarrow", "data").table(_lists(columns))
    except ImportError:
        table = needed("polars", "frames").DataFrame(_lists(columns), strict=False)
    return table.__arrow_c_stream__(schema)


def _lists(columns: Mapping[str, Sequence[Cell]]) -> dict[str, list[Cell]]:
    return {name: list(cells) for name, cells in columns.items()}


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
