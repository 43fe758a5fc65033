"""Files that a program names, such as tables and modules: the one door through which they are read, with limits and trust.

A path is written with ``/`` and is relative to the file that names it. Only regular files are read that lie, after links are resolved, in the
workspace (without one, in the program's folder), and only where the folder is trusted. What is wrong is data: a :class:`Refusal` and a sentence.
A program of which only the text is known reads nothing. Whoever checks texts with an editor's event loop in between asks :func:`names_files` first,
and checks such texts on a thread.
"""

from __future__ import annotations

import errno
import hashlib
import os
import re
import stat
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from enum import Enum
from pathlib import Path
from typing import Protocol, TypeAlias

from seepage.data_classes import dataclass

_NAMING = re.compile(r"\b(?:from|import)\b")
_BETWEEN_QUOTES = re.compile(r'(?<=")[^"\n]*+(?=")')
_LONGEST_PATH = 1_000
_MOST_FILES, _MOST_FOLLOWED = 100, 4_000_000  # files that one text leads to, and bytes of one that is followed


class Refusal(Enum):
    """Why a file is not read."""

    NO_FOLDER = "no folder"
    NOT_TRUSTED = "not trusted"
    BAD_PATH = "bad path"
    MISSING = "missing"
    OUTSIDE = "outside"
    NOT_REGULAR = "not regular"
    TOO_LARGE = "too large"
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True)
class Unread:
    """A file that is not read: why, and a sentence about it that begins with its path as it is written."""

    why: Refusal
    message: str


@dataclass(frozen=True, slots=True)
class Located:
    """A file that may be read.

    Attributes:
        named: the path as it is written.
        path: resolved; equal for equal files.
        stamp: changes with the content.
        size: in bytes.
    """

    named: str
    path: str
    stamp: tuple[int | str, ...]
    size: int


class Files(Protocol):
    """Where a program's files are."""

    def find(self, path: str, base: str | None = None) -> Located | Unread:
        """Return a file without reading it.

        Args:
            path: as it is written.
            base: the resolved path of the file that names it, None for the program.
        """
        ...

    def read(self, located: Located, limit: int) -> bytes | Unread:
        """Return what a file holds, at most ``limit`` bytes of it; a larger one is refused."""
        ...


@dataclass(frozen=True, slots=True)
class NoFolder:
    """The files of a program of which only the text is known: none."""

    def find(self, path: str, base: str | None = None) -> Located | Unread:
        """Refuse."""
        message = f"'{path}' is not read: this program is a text without a folder; load it from a file, or say in which folder it stands"
        return Unread(Refusal.NO_FOLDER, message)

    def read(self, located: Located, limit: int) -> bytes | Unread:
        """Refuse."""
        return Unread(Refusal.NO_FOLDER, f"'{located.named}' is not read: this program is a text without a folder")


NO_FOLDER = NoFolder()


@dataclass(frozen=True, slots=True)
class Folder:
    """Files in and below a folder of the disk.

    Attributes:
        folder: where the program stands; absolute.
        root: what lies outside of it is not read; absolute. None: the folder.
        is_trusted: whether files may be read at all.
        supplied: texts that stand in the place of files, such as those of open editors, by resolved paths.
        stamps: what changes where a file changes that the program names (:func:`stamps_of`), if whoever keeps what was made of them asked for it:
            values that differ in it are different, so that nothing is kept that was made of other contents.
    """

    folder: str
    root: str | None = None
    is_trusted: bool = True
    supplied: tuple[tuple[str, str], ...] = ()
    stamps: tuple[str, ...] = ()

    def find(self, path: str, base: str | None = None) -> Located | Unread:
        """Return a file without reading it; as in :class:`Files`."""
        if (wrong := _wrong_path(path)) is not None:
            return Unread(Refusal.BAD_PATH, f"'{path}' {wrong}")
        if not self.is_trusted:
            return Unread(Refusal.NOT_TRUSTED, f"'{path}' is not read: this folder is not trusted")
        start = self.folder if base is None else os.path.dirname(base)
        try:
            resolved = os.path.realpath(os.path.join(start, *path.split("/")))
            root = os.path.realpath(self.root or self.folder)
        except (OSError, ValueError) as error:
            return Unread(Refusal.UNREADABLE, f"'{path}' cannot be read: {_reason(error)}")
        if not Path(resolved).is_relative_to(root):
            place = "the workspace" if self.root is not None else "the program's folder"
            return Unread(Refusal.OUTSIDE, f"'{path}' is not read: it lies outside of {place}")
        for known, text in self.supplied:
            if known == resolved:
                data = text.encode("utf-8", "surrogatepass")
                return Located(path, resolved, (hashlib.sha256(data).hexdigest(),), len(data))
        try:
            return _located(path, resolved, os.stat(resolved))
        except (OSError, ValueError) as error:
            return _failed(path, error)

    def read(self, located: Located, limit: int) -> bytes | Unread:
        """Return what a file holds; as in :class:`Files`."""
        for known, text in self.supplied:
            if known == located.path:
                data = text.encode("utf-8", "surrogatepass")
                return data if len(data) <= limit else too_large(located.named, len(data), limit)
        try:
            # A link put there since, or a pipe, is not followed or waited for.
            flags = (
                os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
            )
            with os.fdopen(os.open(located.path, flags), "rb") as file:
                known_now = _located(located.named, located.path, os.fstat(file.fileno()))
                if isinstance(known_now, Unread):
                    return known_now
                if known_now.size > limit:
                    return too_large(located.named, known_now.size, limit)
                data = file.read(limit + 1)
        except (OSError, ValueError) as error:
            return _failed(located.named, error)
        return data if len(data) <= limit else too_large(located.named, len(data), limit)


@dataclass(frozen=True, slots=True)
class Beside:
    """The files that another file than the program names: paths begin where that one stands."""

    files: Files
    base: str

    def find(self, path: str, base: str | None = None) -> Located | Unread:
        """Return a file without reading it; as in :class:`Files`."""
        return self.files.find(path, base or self.base)

    def read(self, located: Located, limit: int) -> bytes | Unread:
        """Return what a file holds; as in :class:`Files`."""
        return self.files.read(located, limit)


def bytes_at(path: str | os.PathLike[str], most: int) -> bytes:
    """Return what stands in a file that the caller names, at most so many bytes; of a pipe, what its writer writes.

    Raises:
        OSError: it cannot be read; or it is a pipe that nobody writes to, which is not waited for.
        ValueError: no file can have this name.
    """
    with open(path, "rb", opener=_without_waiting) as file:
        descriptor, beginning = file.fileno(), b""
        if stat.S_ISFIFO(os.fstat(descriptor).st_mode):
            with suppress(BlockingIOError):  # somebody has opened it to write
                beginning = os.read(descriptor, most)
                if not beginning:
                    raise OSError("found a pipe that nobody writes to, expected a file")
        if os.name != "nt":
            os.set_blocking(descriptor, True)
        return beginning + file.read(most - len(beginning))


def _without_waiting(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


AnyFiles: TypeAlias = NoFolder | Folder
"""The two that there are, as values that travel to other processes."""


def files_of(path: str | os.PathLike[str], workspace: str | os.PathLike[str] | None = None) -> Folder:
    """Return the files of a program in a file; without a workspace they lie in its folder."""
    return Folder(str(Path(os.path.abspath(path)).parent), None if workspace is None else os.path.abspath(workspace))


def names_files(text: str) -> bool:
    """Tell whether a text names files; a few that name none are among those that do."""
    return next(named_paths(text), None) is not None


def named_paths(text: str) -> Iterator[str]:
    """Yield the paths that a text names, perhaps more: whatever stands between quotes on a line, since comments, with quotes of theirs, may
    stand around them, and nothing may be kept that was made of another content.
    """
    return (match[0] for match in _BETWEEN_QUOTES.finditer(text)) if _NAMING.search(text) else iter(())


def stamps_of(text: str, files: Files) -> list[str]:
    """Return what changes where a file changes that a text names, itself or by way of programs that it names."""
    return [f"{path} {stamp}" for path, stamp in sorted(_reached(text, files).items())]


def stamped(text: str, files: Folder) -> Folder:
    """Return the files of a text with their stamps, and of the texts in the place of files those that it reaches."""
    found = _reached(text, files)
    supplied = tuple(one for one in files.supplied if one[0] in found)
    stamps = tuple(f"{path} {stamp}" for path, stamp in sorted(found.items()))
    return replace(files, supplied=supplied, stamps=stamps)


def _reached(text: str, files: Files) -> dict[str, str]:
    """Return the stamps of the files that a text leads to, by their paths; a refusal in the place of one that is not read."""
    found: dict[str, str] = {}
    waiting: list[tuple[str, str | None]] = [(text, None)]
    followed = 0
    while waiting and followed <= _MOST_FILES:
        followed += 1
        words, base = waiting.pop()
        for named in dict.fromkeys(named_paths(words)):
            located = files.find(named, base)
            if isinstance(located, Unread):
                found.setdefault(f"{base} {named}", located.message)
            elif located.path not in found:
                found[located.path] = repr(located.stamp)
                if named.endswith(".seep"):
                    data = files.read(located, _MOST_FOLLOWED)
                    waiting += [] if isinstance(data, Unread) else [(data.decode("utf-8", "replace"), located.path)]
    return found


def too_large(named: str, size: int, limit: int) -> Unread:
    """Return the refusal of a file that is larger than what is read."""
    return Unread(Refusal.TOO_LARGE, f"'{named}' has {_amount(size)}, at most {_amount(limit)} are read")


def _amount(size: int) -> str:
    return f"{size >> 20:,} MB" if size >= 10 << 20 else f"{size:,} bytes"


def _wrong_path(path: str) -> str | None:
    if not path.strip():
        return "is no path of a file"
    if len(path) > _LONGEST_PATH:
        return f"is no path of a file: it has more than {_LONGEST_PATH:,} characters"
    if "\0" in path:
        return "is no path of a file"
    if "\\" in path:
        return "is no path: folders are separated by '/'"
    if ":" in path:
        return "is an address or a drive: expected a path from the program's folder"
    if path.startswith(("/", "~")):
        return "is no path from the program's folder: expected one that begins with the name of a file or folder, or with '..'"
    return None


def _located(named: str, path: str, found: os.stat_result) -> Located | Unread:
    if stat.S_ISDIR(found.st_mode):
        return Unread(Refusal.NOT_REGULAR, f"'{named}' is a folder, expected a file")
    if not stat.S_ISREG(found.st_mode):
        return Unread(Refusal.NOT_REGULAR, f"'{named}' is a pipe or device, expected a file")
    return Located(named, path, (found.st_mtime_ns, found.st_size, found.st_ino), found.st_size)


def _failed(named: str, error: OSError | ValueError) -> Unread:
    if isinstance(error, FileNotFoundError | NotADirectoryError):
        return Unread(Refusal.MISSING, f"'{named}' is not found")
    if isinstance(error, OSError) and error.errno == errno.ELOOP:
        return Unread(Refusal.UNREADABLE, f"'{named}' cannot be read: its links lead in a circle")
    return Unread(Refusal.UNREADABLE, f"'{named}' cannot be read: {_reason(error)}")


def _reason(error: OSError | ValueError) -> str:
    return os.strerror(error.errno).lower() if isinstance(error, OSError) and error.errno else str(error)
