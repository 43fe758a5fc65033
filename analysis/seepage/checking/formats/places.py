"""Files as services name them: from the folder in which the command is run, with slashes."""

from __future__ import annotations

import os
from pathlib import Path, PurePath
from urllib.parse import quote


def place_of(name: str) -> str:
    """Return the path of a file from the present folder, with slashes; as it is where it lies elsewhere, or is no file (``<stdin>``)."""
    if not os.path.isabs(name):
        return PurePath(os.path.normpath(name)).as_posix()
    try:
        within = os.path.relpath(name)
    except ValueError:  # on another drive
        return PurePath(name).as_posix()
    return PurePath(name if within.startswith(os.pardir) else within).as_posix()


def uri_of(name: str) -> str:
    """Return the same as a reference: relative, or ``file:///…``."""
    place = place_of(name)
    return Path(place).as_uri() if os.path.isabs(place) else quote(place.encode("utf-8", "surrogateescape"))
