"""Project files of open documents: read inside the folders of the workspace only, on threads, kept until something about files changes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from seepage.configuration import NOTHING, find_configuration, load_configuration
from seepage.data_classes import dataclass
from seepage_lsp.paths import path_of

if TYPE_CHECKING:
    from seepage.configuration import Configuration
    from seepage.toml_text import Problem

_Read: TypeAlias = "tuple[Configuration, tuple[Problem, ...]]"


@dataclass(slots=True)
class Projects:
    """What project files say. Mutable: belongs to one event loop.

    Attributes:
        folders: of the workspace, as URIs; asked for each time, as they come and go.
    """

    folders: Callable[[], Iterable[str]] = lambda: ()
    _read: dict[Path, _Read] = field(default_factory=dict)

    def place_of(self, uri: str) -> tuple[Path, Path] | None:
        """Return the folder of a document and that of the workspace around it; None for one that is no file of the workspace."""
        file = path_of(uri)
        if file is None:
            return None
        roots = [
            root for folder in self.folders() if (root := path_of(folder)) is not None and file.is_relative_to(root)
        ]
        return (file.parent, max(roots, key=lambda root: len(root.parts))) if roots else None

    async def of(self, uri: str) -> Configuration:
        """Return what holds for a document; nothing is set for one that is no file of the workspace.

        The disk is read on a thread: a file may be long or wrong in a way that takes its time, and a disk may be far away.
        """
        place = self.place_of(uri)
        if place is None:
            return NOTHING
        known = self._read
        found = await asyncio.to_thread(_look_up, *place, dict(known))
        if self._read is not known:  # the files changed meanwhile
            return await self.of(uri)
        if found is None:
            return NOTHING
        path, read = found
        known[path] = read
        return read[0]

    def problems(self) -> dict[Path, tuple[Problem, ...]]:
        """Return what is wrong with the files that were read, also for those in order."""
        return {path: problems for path, (_, problems) in self._read.items()}

    def forget(self) -> None:
        """Read everything anew when it is asked for."""
        self._read = {}


def _look_up(folder: Path, root: Path, known: Mapping[Path, _Read]) -> tuple[Path, _Read] | None:
    path = find_configuration(folder, root)
    return None if path is None else (path, known.get(path) or load_configuration(path))
