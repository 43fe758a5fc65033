"""From what the caller names to files: files, folders and patterns, with what ``.gitignore`` leaves out, in an order that is always the same."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING

from seepage.data_classes import dataclass
from seepage.files import bytes_at

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

ENDING = ".seep"
PYTHON_ENDING = ".py"
_MARKS = b"seepage_marks"  # a Python file without these bytes has no mark
_NEVER = frozenset({"node_modules", "__pycache__"})  # nor folders whose names begin with a dot
_MOST_BYTES = 1 << 20  # of a list of what is ignored
# A pattern is tried at every place for each of its stars: hostile ones would take ages.
_MOST_STARS = 4
_STARS = re.compile(r"\*+")


@dataclass(frozen=True, slots=True)
class Found:
    """A file to check, by the name that it is told under; or, with a ``problem``, why what was named holds none."""

    path: str
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Listing:
    """What the caller's words come to; ``single``: whether they are one word that names one file."""

    files: tuple[Found, ...]
    single: bool


def list_files(words: Sequence[str]) -> Listing:
    """Return the files that words name, each once, in the order of the words and by name within each.

    A file that is named by itself is taken whatever it is called and whether it is ignored or not.
    """
    lists = _Lists()
    files: dict[str, Found] = {}
    for word in words:
        for found in _expanded(word, lists):
            files.setdefault(os.path.normpath(found.path), found)
    single = len(words) == 1 and len(files) == 1 and next(iter(files.values())).path == words[0]
    return Listing(tuple(files.values()), single)


def _expanded(word: str, lists: _Lists) -> Iterator[Found]:
    if _is_folder(word):
        files = list(_in_folder(word, lists))
        yield from files or [
            Found(word, f"found a directory, expected a program (*{ENDING}) or a marked Python file in it")
        ]
    elif glob.has_magic(word) and not os.path.lexists(word):
        yield from _matching(word, lists)
    else:
        yield Found(word)


def _is_folder(path: str) -> bool:
    try:
        return os.path.isdir(path)
    except ValueError:  # of a name that no file can have
        return False


def _matching(pattern: str, lists: _Lists) -> Iterator[Found]:
    matched = False
    never = _NEVER - set(Path(pattern).parts)
    for path in sorted(glob.iglob(pattern, recursive=True)):
        if never.isdisjoint(Path(path).parts) and os.path.isfile(path) and not lists.ignore(path):
            matched = True
            yield Found(path)
    if not matched:
        yield Found(pattern, "no file matches this pattern")


def _in_folder(folder: str, lists: _Lists) -> Iterator[Found]:
    try:
        with os.scandir(folder) as entries:
            listed = sorted(entries, key=lambda entry: entry.name)
    except OSError as error:
        yield Found(folder, f"cannot be read: {os.strerror(error.errno).lower() if error.errno else error}")
        return
    for entry in listed:
        path = entry.name if folder == os.curdir else os.path.join(folder, entry.name)
        if entry.is_dir(follow_symlinks=False):
            hidden = entry.name.startswith(".") or entry.name in _NEVER
            if not hidden and not lists.ignore(path, is_folder=True):
                yield from _in_folder(path, lists)
        elif entry.name.endswith((ENDING, PYTHON_ENDING)) and _is_file(entry) and _is_program(path, lists):
            yield Found(path)


def _is_file(entry: os.DirEntry[str]) -> bool:
    """Tell whether an entry is a file, or a link to one; links to nothing, as editors leave them beside open files, and in a circle are none."""
    try:
        return entry.is_file()
    except OSError:
        return False


def is_python(name: str) -> bool:
    """Tell whether a file is one of Python by its name."""
    return name.endswith(PYTHON_ENDING)


def function_in(path: str) -> tuple[str, str]:
    """Return the file and the function that ``module.py::function`` names; of any other path, the path and nothing."""
    file, separator, function = path.rpartition("::")
    return (file, function) if separator and is_python(file) else (path, "")


def shadows(name: str) -> list[str]:
    """Return the modules beside a Python file, which go before those of Python of the same names."""
    try:
        return sorted(entry.name for entry in os.scandir(Path(name).parent) if is_python(entry.name) or entry.is_dir())
    except OSError:
        return []


def _is_program(path: str, lists: _Lists) -> bool:
    """Tell whether a file of a folder is checked: each program, and Python files with marks."""
    if lists.ignore(path):
        return False
    if not is_python(path):
        return True
    try:
        return _MARKS in Path(path).read_bytes()
    except OSError:
        return False


@dataclass(frozen=True, slots=True)
class _Lists:
    """The lists of what git leaves out, each read once: its memory is that of one listing."""

    roots: dict[Path, bool] = field(default_factory=dict)
    repositories: dict[Path, bool] = field(default_factory=dict)
    known: dict[Path, tuple[GitIgnoreSpec, ...]] = field(default_factory=dict)

    def ignore(self, path: str, *, is_folder: bool = False) -> bool:
        """Tell whether git would leave a file out: the nearest list that says something of it decides, and in it the last line that does."""
        whole = Path(os.path.abspath(path))
        for folder in whole.parents:
            for spec in self._of(folder):
                told = spec.check_file(whole.relative_to(folder).as_posix() + ("/" if is_folder else "")).include
                if told is not None:
                    return told
            if self._begins(folder):
                break
        return False

    def _begins(self, folder: Path) -> bool:
        """Tell whether a repository begins here, past which its lists do not reach."""
        if folder not in self.roots:
            self.roots[folder] = (folder / ".git").exists()
        return self.roots[folder]

    def _is_in_repository(self, folder: Path) -> bool:
        if folder not in self.repositories:
            above = folder != folder.parent and self._is_in_repository(folder.parent)
            self.repositories[folder] = self._begins(folder) or above
        return self.repositories[folder]

    def _of(self, folder: Path) -> tuple[GitIgnoreSpec, ...]:
        """Return what a folder says of the files in it: ``.gitignore``, and at the root of a repository ``.git/info/exclude``."""
        if folder not in self.known:
            names = (".gitignore", ".git/info/exclude") if self._is_in_repository(folder) else ()
            read = (_read_list(folder / name) for name in names)
            self.known[folder] = tuple(spec for spec in read if spec is not None)
        return self.known[folder]


def _read_list(path: Path) -> GitIgnoreSpec | None:
    try:
        text = bytes_at(path, _MOST_BYTES).decode("utf-8", "replace")
    except OSError:
        return None
    from pathspec import GitIgnoreSpec  # loaded only where there is something to read

    return GitIgnoreSpec.from_lines(line for line in text.splitlines() if _is_harmless(line))


def _is_harmless(line: str) -> bool:
    return all(len(_STARS.findall(part)) <= _MOST_STARS for part in line.split("/"))
