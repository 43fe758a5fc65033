"""Tables through the one door for files: what was read is kept as long as the file stays as it is."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock

from seepage.diagnostics import Diagnostic
from seepage.files import Files, Located, Refusal, Unread
from seepage.rules import NOT_TRUSTED, UNREADABLE_TABLE
from seepage.source import Span
from seepage.syntax.data.columnar import columnar_table
from seepage.syntax.data.comma_separated import MOST_BYTES, Broken, table_of
from seepage.syntax.data.table import Table

_KEPT_CELLS = 12_000_000  # of all tables together
_kept: OrderedDict[tuple[str, tuple[int | str, ...]], Table | Broken | Unread] = OrderedDict()
_lock = Lock()


def read_table(files: Files, path: str, span: Span, base: str | None = None) -> Table | Diagnostic:
    """Return the table in a file, or why there is none.

    Args:
        files: the door.
        path: as it is written.
        span: where it is written.
        base: the file that names it, None for the program.
    """
    located = files.find(path, base)
    if isinstance(located, Unread):
        return _refused(located, span)
    found = _known(located)
    if found is None:
        found = _made(files, located)
        _keep(located, found)
    if isinstance(found, Unread):
        return _refused(found, span)
    if isinstance(found, Broken):
        line = "" if found.line is None else f" (line {found.line:,})"
        return Diagnostic(UNREADABLE_TABLE, span, f"'{path}' {found.message}{line}")
    return found


def _made(files: Files, located: Located) -> Table | Broken | Unread:
    data = files.read(located, MOST_BYTES)
    if isinstance(data, Unread):
        return data
    made = columnar_table(data, located.named, located.path)
    return table_of(data, located.named, located.path) if made is None else made


def _known(located: Located) -> Table | Broken | Unread | None:
    with _lock:
        found = _kept.get((located.path, located.stamp))
        if found is not None:
            _kept.move_to_end((located.path, located.stamp))
        return found


def _keep(located: Located, found: Table | Broken | Unread) -> None:
    """Keep what was read; of one file the last state only, and of all no more than so many cells."""
    with _lock:
        for key in [key for key in _kept if key[0] == located.path]:
            del _kept[key]
        _kept[located.path, located.stamp] = found
        while len(_kept) > 1 and sum(map(_cells, _kept.values())) > _KEPT_CELLS:
            _kept.popitem(last=False)


def forget() -> None:
    """Read every table anew when it is asked for."""
    with _lock:
        _kept.clear()


def _cells(found: Table | Broken | Unread) -> int:
    return found.rows * len(found.columns) if isinstance(found, Table) else 1


def _refused(found: Unread, span: Span) -> Diagnostic:
    return Diagnostic(NOT_TRUSTED if found.why is Refusal.NOT_TRUSTED else UNREADABLE_TABLE, span, found.message)
