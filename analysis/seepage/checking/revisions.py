"""Texts of files as a revision of a git repository has them, asked of git in such a way that nothing of the repository runs.

Only ``rev-parse``, ``ls-tree`` and ``cat-file`` are asked: they read objects, and know no hooks, filters, pagers, text conversions, aliases or
signatures. What a repository's configuration could still have them run is switched off: a monitor of the file system, hooks, and above all fetching
of objects that a partial clone lacks, over any transport.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from seepage.data_classes import dataclass
from seepage.files import Folder, Located, named_paths

_SECONDS = 60.0  # for one question to git
_MOST_BYTES = 64 << 20  # of a list of files
_MOST_BYTES_NAMED = 256 << 20  # of a file that a program names: what a table may have
_LONG_NAME = 64  # hexadecimal digits of a content's name in repositories that use SHA-256
_FILES = frozenset({"100644", "100755"})  # modes; links and repositories inside are none
_OFF = (
    "--no-pager",
    "--no-optional-locks",
    "-c",
    "core.fsmonitor=false",
    "-c",
    f"core.hooksPath={os.devnull}",
    "-c",
    "protocol.allow=never",
)
_ENVIRONMENT: Mapping[str, str] = {
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",  # goes before what the configuration allows
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_LITERAL_PATHSPECS": "1",
    "LC_ALL": "C",
}


class NoRevision(Exception):
    """A revision, or git itself, that cannot be had; the message says why in one line."""


@dataclass(frozen=True, slots=True)
class Stored:
    """A file of a revision: its path from the top of the repository, the name of its content, and how many bytes that has."""

    path: str
    content: str
    size: int


@dataclass(frozen=True, slots=True)
class Revision:
    """A commit of a repository.

    Attributes:
        top: the folder of the repository.
        name: as it was asked for.
        commit: its own name, in hexadecimal digits.
    """

    top: Path
    name: str
    commit: str

    def path_of(self, file: str) -> str | None:
        """Return the path of a file from the top of the repository; None for one outside of it."""
        whole = Path(os.path.realpath(os.path.dirname(os.path.abspath(file)))) / os.path.basename(os.path.abspath(file))
        try:
            return whole.relative_to(self.top).as_posix()
        except ValueError:
            return None

    def files(self, paths: Sequence[str]) -> Iterator[Stored]:
        """Yield the files at or below paths from the top of the repository, all of them for the path ".", in the order of git.

        Raises:
            NoRevision: they cannot be listed.
        """
        listed = [] if "." in paths else list(paths)
        told = _git(self.top, "ls-tree", "-r", "-l", "-z", "--full-tree", self.commit, "--", *listed)
        for line in told.split(b"\0"):
            head, _, path = line.partition(b"\t")
            match head.split():
                case [mode, b"blob", content, size] if mode.decode("ascii", "replace") in _FILES:
                    # What a partial clone lacks has no size: it is listed, and reading it says what is wrong.
                    yield Stored(os.fsdecode(path), content.decode("ascii"), int(size) if size.isdigit() else 0)

    def content(self, stored: Stored) -> bytes:
        """Return what is in a file; raises :class:`NoRevision` if that cannot be had."""
        return _git(self.top, "cat-file", "blob", stored.content)


def changed_since(revision: Revision, texts: Iterable[str], files: Folder) -> str | None:
    """Return a file that texts name, or that a program among those names, which is not what it was in a revision; None if there is none.

    Both versions of a program are analysed with the files as they are now, so that its numbers of then are known only if those have not changed.

    Args:
        revision: the one that is compared with.
        texts: versions of one program.
        files: where its files are.

    Raises:
        NoRevision: the files of the revision cannot be listed.
    """
    then: dict[str, Stored] | None = None
    seen: set[tuple[str, str | None]] = set()
    waiting: list[tuple[str, str | None]] = [(text, None) for text in texts]
    while waiting:
        text, base = waiting.pop()
        for named in named_paths(text):
            if (named, base) in seen:
                continue
            seen.add((named, base))
            then = then if then is not None else {each.path: each for each in revision.files(["."])}
            located = files.find(named, base)
            start = files.folder if base is None else os.path.dirname(base)
            place = located.path if isinstance(located, Located) else os.path.join(start, *named.split("/"))
            stored = then.get(revision.path_of(place) or "")
            data = files.read(located, _MOST_BYTES_NAMED) if isinstance(located, Located) else None
            if (data is None) != (stored is None) or (
                stored and not (isinstance(data, bytes) and is_content(stored, data))
            ):
                return named
            if isinstance(located, Located) and isinstance(data, bytes) and named.endswith(".seep"):
                waiting.append((data.decode("utf-8", "replace"), located.path))
    return None


def is_content(stored: Stored, data: bytes) -> bool:
    """Tell whether bytes are the content of a stored file, by the name that git gives to contents."""
    name = hashlib.new("sha256" if len(stored.content) == _LONG_NAME else "sha1", usedforsecurity=False)
    name.update(b"blob %d\0" % len(data))
    name.update(data)
    return name.hexdigest() == stored.content


def revision_of(folder: Path, name: str) -> Revision:
    """Return the commit that a revision names in the repository around a folder.

    Raises:
        NoRevision: there is no git, no repository, or no such revision.
    """
    top = os.fsdecode(_git(folder, "rev-parse", "--show-toplevel")).rstrip("\n")
    try:
        told = _git(folder, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}")
    except NoRevision:
        raise NoRevision(f"git knows no revision '{name}'") from None
    return Revision(Path(os.path.realpath(top)), name, told.decode("ascii", "replace").strip())


def _git(folder: Path, *arguments: str) -> bytes:
    program = _program()
    if program is None:
        raise NoRevision("git is not installed")
    try:
        done = subprocess.run(
            (program, *_OFF, "-C", str(folder), *arguments),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            env={**os.environ, **_ENVIRONMENT},
            timeout=_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise NoRevision(f"git did not answer within {_SECONDS:g} s") from None
    except (OSError, ValueError) as error:
        raise NoRevision(f"git cannot be run: {error}") from None
    if done.returncode:
        told = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise NoRevision(told[0].removeprefix("fatal: ") if told else f"git ended with exit code {done.returncode}")
    if len(done.stdout) > _MOST_BYTES:
        raise NoRevision("git told more than can be read")
    return done.stdout


def _program() -> str | None:
    """Return the path of git; folders that are relative, as the one where the command is run, are not looked in."""
    folders = [each for each in os.environ.get("PATH", os.defpath).split(os.pathsep) if os.path.isabs(each)]
    found = shutil.which("git", path=os.pathsep.join(folders))
    return found if found is not None and os.path.isabs(found) else None
