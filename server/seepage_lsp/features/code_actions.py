"""Quick fixes: the changes that findings bring with them."""

from __future__ import annotations

from collections.abc import Sequence

from lsprotocol import types

from seepage.diagnostics import Diagnostic, Edit, Fix
from seepage.fixing import with_line_ends
from seepage_lsp.client import Client
from seepage_lsp.features.diagnostics import findings, to_protocol
from seepage_lsp.features.edits import workspace_edit
from seepage_lsp.workspace import Snapshot


def code_actions(
    snapshot: Snapshot, asked: types.Range, only: Sequence[types.CodeActionKind | str] | None, client: Client
) -> list[types.CodeAction]:
    """Return the fixes of the findings that touch a range, unless only other kinds of actions are wanted."""
    if not client.code_actions or not _wanted(only):
        return []
    span = snapshot.lines.span(asked)
    return [
        _action(finding, fix, snapshot, client)
        for finding in findings(snapshot)
        if finding.span.start <= span.end and span.start <= finding.span.end
        for fix in finding.fixes
    ]


def _wanted(only: Sequence[types.CodeActionKind | str] | None) -> bool:
    """Tell whether quick fixes are asked for; a kind stands for the kinds below it, and the empty one for all."""
    if not only:
        return True
    kinds = [getattr(kind, "value", kind) for kind in only]
    return any(kind in ("", types.CodeActionKind.QuickFix.value) for kind in kinds)


def _action(finding: Diagnostic, fix: Fix, snapshot: Snapshot, client: Client) -> types.CodeAction:
    text = snapshot.lines.text
    edits = (Edit(edit.span, with_line_ends(edit.replacement, text)) for edit in fix.edits)
    return types.CodeAction(
        title=fix.title,
        kind=types.CodeActionKind.QuickFix,
        diagnostics=[to_protocol(finding, snapshot, client)],
        is_preferred=len(finding.fixes) == 1 or None,
        edit=workspace_edit(snapshot, edits, client),
    )
