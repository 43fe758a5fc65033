"""Go to definition, references and highlights."""

from __future__ import annotations

from lsprotocol import types

from seepage_lsp.features.names import definitions_of, occurrence_at, occurrences_of
from seepage_lsp.workspace import Snapshot


def definition(snapshot: Snapshot, position: types.Position) -> list[types.Location]:
    """Return where the name at a position gets its meaning."""
    name = _name(snapshot, position)
    if snapshot.checked is None or name is None:
        return []
    return [_location(snapshot, snapshot.lines.range(span)) for span in definitions_of(snapshot.checked, name)]


def references(snapshot: Snapshot, position: types.Position, include_declaration: bool) -> list[types.Location]:
    """Return every place of the name at a position."""
    name = _name(snapshot, position)
    if snapshot.checked is None or name is None:
        return []
    hidden = set() if include_declaration else set(definitions_of(snapshot.checked, name))
    return [
        _location(snapshot, snapshot.lines.range(span))
        for span in occurrences_of(snapshot.checked, name)
        if span not in hidden
    ]


def highlights(snapshot: Snapshot, position: types.Position) -> list[types.DocumentHighlight]:
    """Return every place of the name at a position, told apart by reading and writing."""
    name = _name(snapshot, position)
    if snapshot.checked is None or name is None:
        return []
    written = set(definitions_of(snapshot.checked, name))
    return [
        types.DocumentHighlight(
            range=snapshot.lines.range(span),
            kind=types.DocumentHighlightKind.Write if span in written else types.DocumentHighlightKind.Read,
        )
        for span in occurrences_of(snapshot.checked, name)
    ]


def _name(snapshot: Snapshot, position: types.Position) -> str | None:
    if snapshot.checked is None:
        return None
    found = occurrence_at(snapshot.checked, snapshot.lines.offset(position))
    return None if found is None else found[1]


def _location(snapshot: Snapshot, place: types.Range) -> types.Location:
    return types.Location(uri=snapshot.uri, range=place)
