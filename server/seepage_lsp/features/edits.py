"""Edits of the library as the protocol has them."""

from __future__ import annotations

from collections.abc import Iterable

from lsprotocol import types

from seepage.diagnostics import Edit
from seepage_lsp.client import Client
from seepage_lsp.workspace import Snapshot


def text_edits(snapshot: Snapshot, edits: Iterable[Edit]) -> list[types.TextEdit]:
    """Return edits of one document."""
    return [types.TextEdit(range=snapshot.lines.range(edit.span), new_text=edit.replacement) for edit in edits]


def workspace_edit(snapshot: Snapshot, edits: Iterable[Edit], client: Client) -> types.WorkspaceEdit:
    """Return edits of one document with the document they belong to, and its version where the client looks at that."""
    changed = text_edits(snapshot, edits)
    if not client.versioned_edits:
        return types.WorkspaceEdit(changes={snapshot.uri: changed})
    document = types.OptionalVersionedTextDocumentIdentifier(uri=snapshot.uri, version=snapshot.version)
    return types.WorkspaceEdit(document_changes=[types.TextDocumentEdit(text_document=document, edits=list(changed))])
