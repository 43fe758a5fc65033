"""Project files of open documents: read inside the folders of the workspace only, kept until something about files changes."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

if TYPE_CHECKING:
    from seepage.configuration import Configuration, Problem


@dataclass(slots=True)
class Projects:
    """What project files say. Mutable: belongs to one event loop.

    Attributes:
        folders: of the workspace, as URIs; asked for each time, as they come and go.
    """

    folders: Callable[[], Iterable[str]] = lambda: ()
    _read: dict[Path, tuple[Configuration, tuple[Problem, ...]]] = field(default_factory=dict)

    def of(self, uri: str) -> Configuration:
        """Return what holds for a document; nothing is set for one that is no file of the workspace."""
        from seepage.configuration import NOTHING, find_configuration, load_configuration

        file = path_of(uri)
        if file is None:
            return NOTHING
        roots = [
            root for folder in self.folders() if (root := path_of(folder)) is not None and file.is_relative_to(root)
        ]
        if not roots:
            return NOTHING
        path = find_configuration(file.parent, max(roots, key=lambda root: len(root.parts)))
        if path is None:
            return NOTHING
        if path not in self._read:
            self._read[path] = load_configuration(path)
        return self._read[path][0]

    def problems(self) -> dict[Path, tuple[Problem, ...]]:
        """Return what is wrong with the files that were read, also for those in order."""
        return {path: problems for path, (_, problems) in self._read.items()}

    def forget(self) -> list[Path]:
        """Read everything anew when it is asked for; return the files that were read."""
        read = list(self._read)
        self._read.clear()
        return read


def path_of(uri: str) -> Path | None:
    """Return the path that a ``file:`` URI names on this machine, without ``..``; None for other schemes and malformed ones."""
    try:
        parts = urlsplit(uri)
    except ValueError:
        return None
    text = unquote(parts.path, errors="surrogateescape")
    if parts.scheme != "file" or parts.netloc not in ("", "localhost") or not text.startswith("/") or "\0" in text:
        return None
    if sys.platform == "win32":
        text = text.lstrip("/")
    path = Path(text)
    return None if ".." in path.parts else path
