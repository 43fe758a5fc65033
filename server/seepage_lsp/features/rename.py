"""Renaming of variables, parameters, constants and loop variables."""

from __future__ import annotations

from lsprotocol import types

from seepage.symbols.rename import rename as edits_of
from seepage.symbols.rename import renamed_range
from seepage_lsp.client import Client
from seepage_lsp.features.edits import workspace_edit
from seepage_lsp.workspace import Snapshot


def prepare_rename(snapshot: Snapshot, position: types.Position) -> types.Range | None:
    """Return the range of the name at a position; raises ``CannotRename``."""
    if snapshot.checked is None:
        return None
    return snapshot.lines.range(renamed_range(snapshot.checked, snapshot.lines.offset(position)))


def rename(snapshot: Snapshot, position: types.Position, name: str, client: Client) -> types.WorkspaceEdit | None:
    """Return the edits that rename the symbol at a position; raises ``CannotRename``."""
    if snapshot.checked is None:
        return None
    return workspace_edit(snapshot, edits_of(snapshot.checked, snapshot.lines.offset(position), name), client)
