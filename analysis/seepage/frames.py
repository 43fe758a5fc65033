"""Tables as data frames: the one door to pandas and polars, which are loaded only where a frame is asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any, Literal, TypeAlias

Cell: TypeAlias = float | int | str | None
Library: TypeAlias = Literal["pandas", "polars"]


def data_frame(columns: Mapping[str, Sequence[Cell]], library: Library) -> Any:  # the libraries need not be there
    """Return columns of equal length as a data frame of a library.

    Raises:
        ImportError: if the library is not installed; the message says what to install.
    """
    return needed(library, "frames").DataFrame({name: list(cells) for name, cells in columns.items()})


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
