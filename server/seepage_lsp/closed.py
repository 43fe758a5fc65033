"""The programs around a document that share a definition with it, those that are not open among them: read from disk when they are asked for.

They are read by the door of :mod:`seepage.files`, with its limits and where the user trusts the folder; texts of open documents stand in their places.
Folders whose names begin with a point, and ``node_modules``, are not looked through, and without a workspace none below that of the document.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from seepage.data_classes import dataclass
from seepage.files import Folder, Located, Refusal, Unread, named_paths
from seepage.source import SourceFile
from seepage.syntax.shipped import SHIPPED
from seepage_lsp.paths import path_of
from seepage_lsp.positions import Encoding, Lines
from seepage_lsp.workspace import LONGEST_TEXT, Snapshot

_MOST_ENTRIES = 50_000  # names of files and folders that are looked through: about a second
_MOST_BYTES = 4 * LONGEST_TEXT  # of a text that is checked, in UTF-8
_MOST_PROGRAMS = 2_000  # that are read
_NOT_PROGRAMS = (
    Refusal.MISSING,
    Refusal.OUTSIDE,
    Refusal.NOT_REGULAR,
)  # no import leads to these, nor are they imports


@dataclass(frozen=True, slots=True)
class Index:
    """Programs that may have a definition in common.

    Attributes:
        key: what modules know the file by that defines.
        name: what it defines.
        around: the files around the document that is asked about.
        programs: all open ones, and of those on disk the one that defines and those that import it; by what modules know their files by.
        closed: the URIs of those that are not open.
        hidden: why there may be more, as a sentence; empty where all are known.
    """

    key: str
    name: str
    around: Folder
    programs: Mapping[str, Snapshot]
    closed: frozenset[str] = frozenset()
    hidden: str = ""


def by_file(snapshots: list[Snapshot]) -> Mapping[str, Snapshot]:
    """Return open documents by what modules know their files by; for a thread, since paths are resolved."""
    paths = ((path_of(one.uri), one) for one in snapshots)
    return {os.path.realpath(path): one for path, one in paths if path is not None}


def folder_of(uri: str, place: tuple[Path, Path] | None, is_trusted: bool) -> Folder | None:
    """Return the files around a document, of which the workspace's folder is that of its ``place``; None if it is no file."""
    path = path_of(uri)
    return None if path is None else Folder(str(path.parent), None if place is None else str(place[1]), is_trusted)


def index_of(meant: tuple[str, str], snapshots: list[Snapshot], around: Folder, encoding: Encoding) -> Index:
    """Return the programs that may have what a file defines; for a thread, since files are read.

    Args:
        meant: what modules know the file by that defines, and the name there.
        snapshots: the open documents.
        around: the files around the document that is asked about.
        encoding: of positions.
    """
    opened = by_file(snapshots)
    around = replace(around, supplied=tuple((path, one.lines.text) for path, one in opened.items()))
    if meant[0] in SHIPPED:
        return Index(*meant, around, opened)
    if not around.is_trusted:
        return Index(*meant, around, opened, hidden="this folder is not trusted, so that its files are not read")
    found: dict[str, Snapshot] = {}
    hidden = ""
    for count, one in enumerate(_programs(around)):
        if count == _MOST_PROGRAMS or one is None:
            hidden = "the folder has more files than are looked through"
            break
        if isinstance(one, Located) and (one.path in opened or one.path in found):
            continue
        text = _text(around, one)
        if isinstance(text, Unread):
            hidden = hidden or text.message
        elif isinstance(one, Located) and (one.path == meant[0] or leads_to(text, one.path, meant[0], around)):
            found[one.path] = _closed(one.path, text, around, encoding)
    return Index(*meant, around, {**opened, **found}, frozenset(one.uri for one in found.values()), hidden)


def leads_to(text: str, path: str, key: str, files: Folder) -> bool:
    """Tell whether a text in the file of a path names the file that modules know by ``key``."""
    found = (files.find(named, path) for named in dict.fromkeys(named_paths(text)) if named.endswith(".seep"))
    return any(isinstance(one, Located) and one.path == key for one in found)


def _programs(around: Folder) -> Iterator[Located | Unread | None]:
    """Yield the files of programs; None where there are too many names to go on."""
    root = os.path.realpath(around.root or around.folder)
    beneath = replace(around, folder=root)
    entries = 0
    for place, folders, names in os.walk(root):
        is_wanted = around.root is not None
        folders[:] = sorted(one for one in folders if is_wanted and one[0] != "." and one != "node_modules")
        entries += len(folders) + len(names)
        if entries > _MOST_ENTRIES:
            yield None
        below = os.path.relpath(place, root).replace(os.sep, "/")
        for name in sorted(names):
            if name.endswith(".seep"):
                yield beneath.find(f"{below}/{name}")


def _text(around: Folder, located: Located | Unread) -> str | Unread:
    """Return the text of a program; empty if it is none that could be imported, or import."""
    data = located if isinstance(located, Unread) else around.read(located, _MOST_BYTES)
    if isinstance(data, Unread):
        return "" if data.why in _NOT_PROGRAMS else data
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return ""
    return text


def _closed(path: str, text: str, around: Folder, encoding: Encoding) -> Snapshot:
    from seepage.semantics.check import check

    uri = Path(path).as_uri()
    source = SourceFile(uri, text, 0, replace(around, folder=os.path.dirname(path)))
    checked = check(source) if len(text) <= LONGEST_TEXT else None
    return Snapshot(uri=uri, version=0, lines=Lines.of(text, encoding), checked=checked)
