"""What was told of texts, kept between runs in the user's own folder.

An entry is named by all that its report depends on: the text, the options, this very copy of Seepage and what it computes with. It is data, sealed
by a checksum and checked in every part when it is read; what is broken, half-written or of another version is as if it were not there. The folder is
that of the user (or the one that ``SEEPAGE_CACHE_DIR`` names; empty: none), never the workspace, and is used only if nobody else can write in it.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import secrets
import stat
import sys
from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import seepage
from seepage.data_classes import dataclass

if TYPE_CHECKING:
    from seepage.measures.result import Json

VARIABLE = "SEEPAGE_CACHE_DIR"
MOST_ENTRIES = 20_000
_KEPT = 15_000  # of them, the youngest, once there are too many
_MOST_BYTES = 16 << 20  # of one entry
_SHAPE = "seepage-check-1"  # of what an entry holds
_LIBRARIES = ("flint", "numpy")  # that numbers are computed with


@dataclass(frozen=True, slots=True)
class Cache:
    """A folder of entries."""

    folder: Path

    def get(self, key: str) -> object | None:
        """Return the value of an entry; None where there is none, or none that is whole."""
        try:
            with open(self._path(key), "rb") as file:
                data = file.read(_MOST_BYTES + 1)
        except OSError:
            return None
        seal, _, body = data.partition(b"\n")
        if len(data) > _MOST_BYTES or seal != _seal(key, body):
            return None
        try:
            found: object = json.loads(body)
        except (ValueError, RecursionError):
            return None
        return found

    def put(self, key: str, value: Mapping[str, Json]) -> None:
        """Keep a value; where that cannot be done nothing is kept."""
        body = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "backslashreplace")
        if len(body) > _MOST_BYTES // 2:
            return
        path = self._path(key)
        beside = path.with_name(f"{path.name}.{secrets.token_hex(6)}")
        with contextlib.suppress(OSError):
            try:
                beside.write_bytes(_seal(key, body) + b"\n" + body)
                os.replace(beside, path)
            finally:
                with contextlib.suppress(OSError):
                    beside.unlink()

    def tidy(self) -> None:
        """Leave no more than so many entries: the oldest go."""
        with contextlib.suppress(OSError):
            names = os.listdir(self.folder)
            if len(names) <= MOST_ENTRIES:
                return
            ages = sorted(names, key=lambda name: (self.folder / name).lstat().st_mtime, reverse=True)
            for name in ages[_KEPT:]:
                with contextlib.suppress(OSError):
                    (self.folder / name).unlink()

    def _path(self, key: str) -> Path:
        return self.folder / key


def _seal(key: str, body: bytes) -> bytes:
    return f"{_SHAPE} {key} {hashlib.sha256(body).hexdigest()}".encode()


def key_of(text: str, options: Mapping[str, Json]) -> str:
    """Return the name of the entry for a text that is analysed so."""
    asked = json.dumps([_SHAPE, fingerprint(), options], sort_keys=True)
    digest = hashlib.sha256(asked.encode())
    digest.update(text.encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


_fingerprints: dict[str, str] = {}  # of this process, whose code does not change


def fingerprint() -> str:
    """Return what stands for this copy of Seepage: its version, its files by size and time, Python, and the libraries that compute."""
    if "" not in _fingerprints:
        parts = [seepage.__version__, sys.version, *_files(Path(seepage.__file__).parent), *map(_library, _LIBRARIES)]
        _fingerprints[""] = hashlib.sha256("\n".join(parts).encode("utf-8", "surrogatepass")).hexdigest()
    return _fingerprints[""]


def _files(folder: Path) -> Iterator[str]:
    with os.scandir(folder) as entries:
        for entry in sorted(entries, key=lambda each: each.name):
            if entry.is_dir(follow_symlinks=False):
                if entry.name != "__pycache__":
                    yield from _files(Path(entry.path))
            elif entry.name.endswith((".py", ".json", ".lark", ".seep")):
                known = entry.stat()
                yield f"{entry.path} {known.st_size} {known.st_mtime_ns}"


def _library(name: str) -> str:
    found = find_spec(name)
    if found is None or found.origin is None:
        return name
    known = os.stat(found.origin)
    return f"{found.origin} {known.st_size} {known.st_mtime_ns}"


def open_cache(environment: Mapping[str, str] = os.environ) -> Cache | None:
    """Return the user's cache; None where it is not wanted, or where there is no folder that is the user's alone."""
    folder = _folder(environment)
    if folder is None:
        return None
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        known = folder.lstat()
    except OSError:
        return None
    return Cache(folder) if _is_own(known) and os.access(folder, os.W_OK | os.X_OK) else None


def _is_own(known: os.stat_result) -> bool:
    """Tell whether a folder is one, and only its owner, who runs this process, can write in it."""
    if not stat.S_ISDIR(known.st_mode):
        return False
    if sys.platform == "win32":
        return True
    return known.st_uid == os.geteuid() and not known.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def _folder(environment: Mapping[str, str]) -> Path | None:
    named = environment.get(VARIABLE)
    if named is not None:
        return Path(named) / "check" if named else None
    match sys.platform:
        case "win32":
            roots = [environment.get("LOCALAPPDATA", "")]
        case "darwin":
            roots = [_home("Library", "Caches")]
        case _:
            roots = [environment.get("XDG_CACHE_HOME", ""), _home(".cache")]
    # A relative path would lie in whatever folder the command is run in.
    root = next((Path(each) for each in roots if each and Path(each).is_absolute()), None)
    return None if root is None else root / "seepage" / "check"


def _home(*parts: str) -> str:
    try:
        return str(Path.home().joinpath(*parts))
    except RuntimeError:
        return ""
