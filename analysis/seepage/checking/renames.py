"""Programs that have another name than in a revision: told by their text, as git tells it, which keeps no record of renames either."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath

from seepage.checking.revisions import Revision, Stored, is_content
from seepage.checking.walk import ENDING

MOST_COMPARED = 400  # programs that are gone, and as many that are new: each of them with each other
_MOST_BYTES = 1 << 20  # of a program that is compared
_ALIKE = 0.5  # git's own threshold


def renamed(revision: Revision, new: Mapping[str, str]) -> dict[str, Stored]:
    """Return what programs were called in a revision, for those that had another name there.

    A new program was one that is gone if at least half of the larger text are lines of the other one, the most similar first; each one that is gone has
    become one new program at most. Where there are more than :data:`MOST_COMPARED` of either, only texts that are the same are found.

    Args:
        revision: the one that is compared with.
        new: texts of programs that it does not have, by their paths from the top of the repository.

    Raises:
        NoRevision: the programs of the revision cannot be listed or read.
    """
    if not new:
        return {}
    gone = {
        each.path: each
        for each in revision.files(["."])
        if each.path.endswith(ENDING) and each.size <= _MOST_BYTES and not os.path.lexists(revision.top / each.path)
    }
    found = {path: gone.pop(same.path) for path, text in new.items() if (same := _same(text, gone.values(), path))}
    left = {path: _lines(text) for path, text in new.items() if path not in found and text.strip()}
    if not left or max(len(left), len(gone)) > MOST_COMPARED:
        return found
    before = {path: _lines(revision.content(each).decode("utf-8", "replace")) for path, each in gone.items()}
    pairs = sorted(
        (-share, not _same_name(old, path), path, old)
        for path, lines in left.items()
        for old, others in before.items()
        if (share := _share(lines, others)) >= _ALIKE
    )
    for _, _, path, old in pairs:
        if path not in found and old in gone:
            found[path] = gone.pop(old)
    return found


def _same(text: str, gone: Iterable[Stored], path: str) -> Stored | None:
    """Return one with this very text, of the same name in another folder if there is one."""
    data = text.encode("utf-8", "surrogatepass")
    alike = [each for each in gone if each.size == len(data) and data.strip() and is_content(each, data)]
    return min(alike, key=lambda each: (not _same_name(each.path, path), each.path), default=None)


def _same_name(old: str, new: str) -> bool:
    return PurePosixPath(old).name == PurePosixPath(new).name


def _lines(text: str) -> Counter[str]:
    return Counter(text.replace("\r\n", "\n").splitlines(keepends=True))


def _share(lines: Counter[str], others: Counter[str]) -> float:
    """Return how much of the longer of two texts are lines that both have."""
    longer = max(_length(lines), _length(others))
    return _length(lines & others) / longer if longer else 0.0


def _length(lines: Counter[str]) -> int:
    return sum(len(line) * times for line, times in lines.items())
