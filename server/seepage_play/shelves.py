"""The texts that the page may have, by the shelf that they stand on: programs of the folder, the gallery, and a scratch file.

Nothing else is read, whatever the page asks for, and links are followed before that is looked at. Only the folder and the scratch file are written, when the user saves.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections import deque
from collections.abc import Iterator
from pathlib import Path

from seepage.cli.writing import replace_content
from seepage.data_classes import dataclass
from seepage.files import Folder, Located, Refusal, Unread
from seepage_play import gallery

ENDING = ".seep"
FOLDER, EXAMPLES, SCRATCH = "folder", "examples", "scratch"
LONGEST = 1_000_000  # bytes of a text; an editor in a page is no place for more
_MOST_FILES, _MOST_FOLDERS = 500, 2_000  # that are listed, and that are looked into
_NEVER = frozenset({"node_modules", "__pycache__"})  # nor folders whose names begin with a dot
_SCRATCH_NAME = f"scratch{ENDING}"
_FIRST_SCRATCH = """\
// A place to try things. It is kept when you save it, and is no part of your folder.
param eps in [0, 10] = 1
secret answer
output told

answer ~ bernoulli(1/2)
honest ~ bernoulli(exp(eps) / (exp(eps) + 1))
if honest { told := answer } else { told := 1 - answer }

show I(answer; told)
"""


class Refusing(Exception):
    """What the page asked for is not done; the text says why, and ``is_conflict`` whether it may ask again and insist."""

    def __init__(self, message: str, *, is_conflict: bool = False) -> None:
        super().__init__(message)
        self.is_conflict = is_conflict


@dataclass(frozen=True, slots=True)
class Place:
    """Which text: its shelf, and its name there, with ``/`` between folders."""

    shelf: str
    name: str


@dataclass(frozen=True, slots=True)
class Text:
    """A text as it was read.

    Attributes:
        place: which.
        uri: what the language server calls it.
        text: its content.
        stamp: of its content; empty if there is no file yet.
    """

    place: Place
    uri: str
    text: str
    stamp: str


@dataclass(frozen=True, slots=True)
class Listing:
    """The programs of the folder by name; ``is_whole`` tells whether there are no more of them."""

    names: tuple[str, ...]
    is_whole: bool


@dataclass(frozen=True, slots=True)
class Shelves:
    """The three shelves.

    Attributes:
        folder: whose programs may be read and written; absolute, with links resolved.
        scratch: the folder of the scratch file, which has nothing else in it.
    """

    folder: Path
    scratch: Path

    def roots(self) -> list[tuple[str, Path]]:
        """Return each shelf with its folder."""
        return [(FOLDER, self.folder), (EXAMPLES, gallery.FOLDER.resolve()), (SCRATCH, self.scratch)]

    def has(self, path: Path) -> bool:
        """Tell whether a path, once links are resolved, is that of a text that the page may have."""
        try:
            resolved = path.resolve()
        except (OSError, RuntimeError, ValueError):
            return False
        return resolved.suffix == ENDING and any(resolved.is_relative_to(root) for _, root in self.roots())

    def listing(self) -> Listing:
        """Return the programs of the folder, those nearest to it first."""
        names: list[str] = []
        for name in self._found():
            if name is None or len(names) == _MOST_FILES:
                return Listing(tuple(names), is_whole=False)
            names.append(name)
        return Listing(tuple(names), is_whole=True)

    def _found(self) -> Iterator[str | None]:
        """Yield names, and None where the search is given up."""
        waiting = deque([self.folder])
        looked = 0
        while waiting:
            looked += 1
            if looked > _MOST_FOLDERS:
                yield None
                return
            folder = waiting.popleft()
            try:
                with os.scandir(folder) as entries:
                    listed = sorted(entries, key=lambda entry: entry.name)
            except OSError:
                continue  # that the user may not look into
            for entry in listed:
                if entry.is_dir(follow_symlinks=False):
                    if not entry.name.startswith(".") and entry.name not in _NEVER:
                        waiting.append(Path(entry.path))
                elif entry.name.endswith(ENDING) and self.has(Path(entry.path)) and entry.is_file():
                    yield Path(entry.path).relative_to(self.folder).as_posix()

    def read(self, place: Place) -> Text:
        """Return a text; raises :class:`Refusing` where there is none that the page may have."""
        located = self._located(place)
        if isinstance(located, Unread):
            if place.shelf == SCRATCH and located.why is Refusal.MISSING:
                return Text(place, self._path(place).as_uri(), _FIRST_SCRATCH, "")
            raise Refusing(located.message)
        data = Folder(str(self._root(place))).read(located, LONGEST)
        if isinstance(data, Unread):
            raise Refusing(data.message)
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError:
            raise Refusing(f"'{place.name}' is not a text in UTF-8") from None
        return Text(place, self._path(place).as_uri(), text, _stamp(data))

    def save(self, place: Place, text: str, stamp: str, *, insists: bool) -> Text:
        """Write a text, and return it as it is then.

        Args:
            place: of the folder, or the scratch file; a file that is not there is made, in a folder that is there.
            text: the new content.
            stamp: of the content that the page knows, empty for none: what others wrote since then is not overwritten.
            insists: that it is overwritten all the same.

        Raises:
            Refusing: nothing is written.
        """
        if place.shelf == EXAMPLES:
            raise Refusing("an example is saved as a file of the folder, under a name of your own")
        data = _encoded(place, text)
        located = self._located(place)
        if isinstance(located, Unread) and located.why is not Refusal.MISSING:
            outside = f"'{place.name}' is not written: it lies outside of the folder"
            raise Refusing(outside if located.why is Refusal.OUTSIDE else located.message)
        if not insists:
            self._compare(place, located, stamp)
        target = self._path(place)
        try:
            if place.shelf == SCRATCH:
                self.scratch.mkdir(parents=True, exist_ok=True)
            replace_content(target, data)
        except OSError as error:
            raise Refusing(f"'{place.name}' cannot be written: {error.strerror or error}") from None
        return Text(place, target.as_uri(), text, _stamp(data))

    def _compare(self, place: Place, located: Located | Unread, stamp: str) -> None:
        if isinstance(located, Unread):
            if stamp:
                raise Refusing(f"'{place.name}' is no longer there", is_conflict=True)
            return
        data = Folder(str(self._root(place))).read(located, LONGEST)
        if isinstance(data, Unread):
            raise Refusing(data.message)
        if not stamp:
            raise Refusing(f"'{place.name}' is there already", is_conflict=True)
        if _stamp(data) != stamp:
            raise Refusing(f"'{place.name}' was changed by another program since it was opened", is_conflict=True)

    def _root(self, place: Place) -> Path:
        for shelf, root in self.roots():
            if shelf == place.shelf:
                return root
        raise Refusing(f"there is no shelf '{place.shelf}'")

    def _located(self, place: Place) -> Located | Unread:
        """Return the file of a place if it is a program below the shelf's folder."""
        if not place.name.endswith(ENDING):
            raise Refusing(f"'{place.name}' is not the name of a program: expected one that ends in {ENDING}")
        if place.shelf == SCRATCH and place.name != _SCRATCH_NAME:
            raise Refusing(f"the scratch file is '{_SCRATCH_NAME}'")
        root = self._root(place)
        located = Folder(str(root)).find(place.name)
        if isinstance(located, Located) and not self.has(Path(located.path)):
            raise Refusing(f"'{place.name}' leads to a file that is no program")
        return located

    def _path(self, place: Place) -> Path:
        """Return the path under which a place is known; one that was located, or is missing."""
        return Path(os.path.normpath(self._root(place) / place.name))


def scratch_folder() -> Path:
    """Return where this user's scratch file is; its folder may not be there yet."""
    if sys.platform == "win32":
        named, home = os.environ.get("LOCALAPPDATA", ""), Path.home() / "AppData" / "Local"
    else:
        named, home = os.environ.get("XDG_STATE_HOME", ""), Path.home() / ".local" / "state"
    # A relative path would lie in whatever folder the command is run in.
    root = Path(named) if named and Path(named).is_absolute() else home
    return (root / "seepage" / SCRATCH).resolve()


def _encoded(place: Place, text: str) -> bytes:
    try:
        data = text.encode("utf-8")
    except UnicodeEncodeError:
        raise Refusing(f"'{place.name}' has half a character in it, which no file can hold") from None
    if len(data) > LONGEST:
        raise Refusing(f"'{place.name}' has {len(data):,} bytes, at most {LONGEST:,} are kept here")
    return data


def _stamp(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
