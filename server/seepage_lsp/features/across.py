"""Names across open documents: what one defines stands in those that import it, by the path of its file."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping

from lsprotocol import types

from seepage.diagnostics import Edit
from seepage.source import Span
from seepage.symbols.names import Role, Symbol, names_of, symbol_at, symbols_in
from seepage.symbols.rename import CannotRename
from seepage.symbols.rename import rename as edits_of
from seepage_lsp.client import Client
from seepage_lsp.features.edits import text_edits
from seepage_lsp.paths import path_of
from seepage_lsp.workspace import Snapshot

_DEFINED = (Role.PROCEDURE, Role.CONSTANT, Role.ENUMERATION, Role.MEMBER)


def by_file(snapshots: list[Snapshot]) -> Mapping[str, Snapshot]:
    """Return open documents by what modules know their files by; for a thread, since paths are resolved."""
    paths = ((path_of(one.uri), one) for one in snapshots)
    return {os.path.realpath(path): one for path, one in paths if path is not None}


def references_elsewhere(
    snapshot: Snapshot, position: types.Position, files: Mapping[str, Snapshot]
) -> list[types.Location]:
    """Return the places of the name at a position in other open documents: those that import it, and the one that defines it."""
    symbol = _symbol(snapshot, position)
    meant = None if symbol is None else _meant(snapshot, symbol, files)
    if meant is None:
        return []
    found = [(one, span) for one, span in _places(*meant, files) if one.uri != snapshot.uri]
    return [types.Location(uri=one.uri, range=one.lines.range(span)) for one, span in found]


def rename_elsewhere(
    snapshot: Snapshot, position: types.Position, name: str, files: Mapping[str, Snapshot], client: Client
) -> types.WorkspaceEdit | None:
    """Return the edits that rename what the document at hand defines, there and in the open documents that import it.

    None where no other document has it. Raises ``CannotRename``, also where an importing document has another meaning for the name.
    """
    symbol, checked = _symbol(snapshot, position), snapshot.checked
    meant = None if symbol is None or symbol.imported is not None else _meant(snapshot, symbol, files)
    if meant is None or checked is None:
        return None
    elsewhere: dict[str, tuple[Snapshot, list[Span]]] = {}
    for one, span in _places(*meant, files):
        if one.uri != snapshot.uri:
            elsewhere.setdefault(one.uri, (one, []))[1].append(span)
    if not elsewhere:
        return None
    edits = edits_of(checked, snapshot.lines.offset(position), name)
    if not edits:
        return types.WorkspaceEdit()
    written = edits[0].replacement
    changes = [(snapshot, list(edits))]
    for other, spans in elsewhere.values():
        if other.checked is not None and any(one.name == written for one in symbols_in(other.checked)):
            raise CannotRename(
                f"'{written}' is a name already in '{other.uri.rsplit('/', 1)[-1]}', which imports this file"
            )
        changes.append((other, [Edit(span, written) for span in spans]))
    return _edit_of(changes, client)


def _edit_of(changes: list[tuple[Snapshot, list[Edit]]], client: Client) -> types.WorkspaceEdit:
    if not client.versioned_edits:
        return types.WorkspaceEdit(changes={one.uri: text_edits(one, edits) for one, edits in changes})
    documents = types.OptionalVersionedTextDocumentIdentifier
    return types.WorkspaceEdit(
        document_changes=[
            types.TextDocumentEdit(
                text_document=documents(uri=one.uri, version=one.version), edits=list(text_edits(one, edits))
            )
            for one, edits in changes
        ]
    )


def _symbol(snapshot: Snapshot, position: types.Position) -> Symbol | None:
    return None if snapshot.checked is None else symbol_at(snapshot.checked, snapshot.lines.offset(position))


def _meant(snapshot: Snapshot, symbol: Symbol, files: Mapping[str, Snapshot]) -> tuple[str, str] | None:
    """Return the file that defines a symbol, and its name there; None for what other files cannot have."""
    if symbol.imported is not None:
        return symbol.imported.module.key, symbol.imported.name
    if symbol.role not in _DEFINED or symbol.scope is not None:
        return None
    return next(((key, symbol.name) for key, one in files.items() if one.uri == snapshot.uri), None)


def _places(key: str, name: str, files: Mapping[str, Snapshot]) -> Iterator[tuple[Snapshot, Span]]:
    for file, one in files.items():
        if one.checked is None:
            continue
        if file == key:
            own = (each for each in symbols_in(one.checked) if each.name == name and each.imported is None)
            yield from ((one, span) for each in own if each.scope is None for span in each.occurrences)
            continue
        names = names_of(one.checked)
        for use in () if names is None else names.uses:
            found = names.imported.get(use.bound) if names is not None else None
            if found is not None and found.module.key == key and found.name == name:
                yield one, use.span
