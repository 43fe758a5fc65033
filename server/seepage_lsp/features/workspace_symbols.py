"""Names of all open documents, by what is typed of them."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import unquote

from lsprotocol import types

from seepage.symbols.outline import outline
from seepage_lsp.features.symbols import KINDS, flat
from seepage_lsp.workspace import Snapshot

_MOST = 1_000


def workspace_symbols(snapshots: Iterable[Snapshot], query: str) -> list[types.SymbolInformation]:
    """Return what has the letters of the query in its name, in their order, whatever stands between; names that begin so come first."""
    wanted = query.casefold()
    found = [
        (rank, entry.name, snapshot, entry)
        for snapshot in snapshots
        if snapshot.checked is not None
        for entry in flat(outline(snapshot.checked))
        if entry.sort != "block" and (rank := _rank(entry.name.casefold(), wanted)) is not None
    ]
    found.sort(key=lambda one: (one[0], one[1], one[2].uri, one[3].span))
    return [
        types.SymbolInformation(
            name=name,
            kind=KINDS[entry.sort],
            location=types.Location(uri=snapshot.uri, range=snapshot.lines.range(entry.name_span)),
            container_name=unquote(snapshot.uri.rsplit("/", 1)[-1]),
        )
        for _, name, snapshot, entry in found[:_MOST]
    ]


def _rank(name: str, wanted: str) -> int | None:
    if name.startswith(wanted):
        return 0
    if wanted in name:
        return 1
    letters = iter(name)
    return 2 if all(letter in letters for letter in wanted) else None
