"""Names across files: what one defines stands in those that import it, whether they are open or not."""

from __future__ import annotations

import os
from collections.abc import Iterator

from lsprotocol import types

from seepage.diagnostics import Edit
from seepage.rules import IMPORT
from seepage.source import Span
from seepage.symbols.names import Role, Symbol, names_of, symbol_at, symbols_in
from seepage.symbols.rename import CannotRename, has_hidden_places
from seepage.symbols.rename import rename as edits_of
from seepage_lsp.client import Client
from seepage_lsp.closed import Index, leads_to
from seepage_lsp.features.edits import text_edits
from seepage_lsp.paths import path_of
from seepage_lsp.workspace import Snapshot

_DEFINED = (Role.PROCEDURE, Role.CONSTANT, Role.ENUMERATION, Role.MEMBER)


def meant_at(snapshot: Snapshot, position: types.Position) -> tuple[str, str] | None:
    """Return the file that defines the name at a position, as modules know it, and its name there; None for what other files cannot have.

    For a thread, since paths are resolved.
    """
    symbol = _symbol(snapshot, position)
    if symbol is None:
        return None
    if symbol.imported is not None:
        return symbol.imported.module.key, symbol.imported.name
    path = path_of(snapshot.uri)
    if path is None or symbol.role not in _DEFINED or symbol.scope is not None:
        return None
    return os.path.realpath(path), symbol.name


def references_elsewhere(snapshot: Snapshot, index: Index) -> list[types.Location]:
    """Return the places of what is meant in other files: those that import it, and the one that defines it."""
    found = [(one, span) for one, span in _places(index) if one.uri != snapshot.uri]
    return [types.Location(uri=one.uri, range=one.lines.range(span)) for one, span in found]


def rename_everywhere(index: Index, name: str, client: Client) -> types.WorkspaceEdit:
    """Return the edits that rename what a file defines, there and in all files that import it.

    Raises:
        CannotRename: some place of the name cannot be known or have the new one; then nothing is renamed.
    """
    defining = index.programs.get(index.key)
    own = () if defining is None else tuple(_own(defining, index.name))
    if defining is None or defining.checked is None or not own:
        file = os.path.basename(index.key)
        raise CannotRename(f"'{index.name}' is defined in '{file}', which cannot be read as it is now")
    edits = edits_of(defining.checked, own[0].definitions[0].start, name)
    if index.hidden:
        raise CannotRename(f"other files may have '{index.name}', and not all can be known: {index.hidden}")
    if not edits:
        return types.WorkspaceEdit()
    spans: dict[str, list[Span]] = {}
    for one, span in _places(index):
        spans.setdefault(one.uri, []).append(span)
    written = edits[0].replacement
    changes = [(defining, list(edits))]
    for path, one in index.programs.items():
        if path != index.key and leads_to(one.lines.text, path, index.key, index.around):
            found = spans.get(one.uri, [])
            _require_free(one, found, written)
            changes.append((one, [Edit(span, written) for span in found]))
    return _edit_of([(one, each) for one, each in changes if each], index, client)


def _require_free(importing: Snapshot, spans: list[Span], written: str) -> None:
    """Refuse a file that imports, where not all places are known or the new name has another meaning."""
    shown, checked = f"'{importing.uri.rsplit('/', 1)[-1]}', which imports this file,", importing.checked
    if checked is None:
        raise CannotRename(f"{shown} is too long to be checked")
    if has_hidden_places(checked) or any(one.rule is IMPORT for one in checked.diagnostics):
        raise CannotRename(f"{shown} has errors, so that places of the name may be hidden: mend them first")
    # Behind the point of its module's name a name meets no other.
    is_bare = any(importing.lines.text[: span.start].rstrip()[-1:] != "." for span in spans)
    if is_bare and any(one.name == written and one.role is not Role.FIELD for one in symbols_in(checked)):
        raise CannotRename(f"{shown} has another '{written}'")


def _edit_of(changes: list[tuple[Snapshot, list[Edit]]], index: Index, client: Client) -> types.WorkspaceEdit:
    if not client.versioned_edits:
        return types.WorkspaceEdit(changes={one.uri: text_edits(one, edits) for one, edits in changes})
    documents = types.OptionalVersionedTextDocumentIdentifier
    return types.WorkspaceEdit(
        document_changes=[
            types.TextDocumentEdit(
                text_document=documents(uri=one.uri, version=None if one.uri in index.closed else one.version),
                edits=list(text_edits(one, edits)),
            )
            for one, edits in changes
        ]
    )


def _symbol(snapshot: Snapshot, position: types.Position) -> Symbol | None:
    return None if snapshot.checked is None else symbol_at(snapshot.checked, snapshot.lines.offset(position))


def _own(defining: Snapshot, name: str) -> Iterator[Symbol]:
    """Yield what a file defines by a name, for itself and others."""
    for one in () if defining.checked is None else symbols_in(defining.checked):
        if one.name == name and one.role in _DEFINED and one.scope is None and one.imported is None:
            yield one


def _places(index: Index) -> Iterator[tuple[Snapshot, Span]]:
    for file, one in index.programs.items():
        if one.checked is None:
            continue
        if file == index.key:
            yield from ((one, span) for each in _own(one, index.name) for span in each.occurrences)
            continue
        names = names_of(one.checked)
        for use in () if names is None else names.uses:
            found = names.imported.get(use.bound) if names is not None else None
            if found is not None and found.module.key == index.key and found.name == index.name:
                yield one, use.span
