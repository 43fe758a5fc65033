"""Changes that can be asked for: fixes of findings, all fixes at once, declarations in order, a constant, a question more."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from lsprotocol import types

from seepage.diagnostics import Diagnostic, Edit, Fix
from seepage.fixing import fix_all, keeps_comments, with_line_ends
from seepage.semantics.checked import Checked
from seepage.source import Span
from seepage_lsp.client import Client
from seepage_lsp.features.asking import added_requires, added_shows
from seepage_lsp.features.diagnostics import findings, to_protocol
from seepage_lsp.features.edits import workspace_edit
from seepage_lsp.features.extract import extracted_constant
from seepage_lsp.features.kinds import ADD, EXTRACT, FIX_ALL, ORGANIZE, QUICK_FIX
from seepage_lsp.features.organize import organized
from seepage_lsp.features.rewriting import smallest_edit
from seepage_lsp.workspace import CHECKED_AT_ONCE, Snapshot


def code_actions(
    snapshot: Snapshot,
    asked: types.Range,
    only: Sequence[types.CodeActionKind | str] | None,
    client: Client,
    *,
    automatic: bool = False,
) -> list[types.CodeAction]:
    """Return what can be done at a range, of the kinds that are wanted.

    What concerns the whole file is left out if an editor asks by itself whenever the cursor moves (``automatic``), unless it names the
    kind.
    """
    if not client.code_actions or snapshot.checked is None:
        return []
    checked, span = snapshot.checked, snapshot.lines.span(asked)
    actions = list(_fixes(snapshot, span, client)) if wants(only, QUICK_FIX) else []
    if len(snapshot.lines.text) > CHECKED_AT_ONCE:
        return actions
    for kind, made in (
        (ADD, _additions(snapshot, checked, span)),
        (EXTRACT, _extraction(checked, span)),
        (FIX_ALL, _all_fixes(checked)),
        (ORGANIZE, _organization(checked)),
    ):
        whole = kind in (FIX_ALL, ORGANIZE)
        if wants(only, kind) and not (whole and automatic and not only):
            actions += [_action(snapshot, kind, title, edits, client) for title, edits in made]
    return actions


def wants(only: Sequence[types.CodeActionKind | str] | None, kind: str) -> bool:
    """Tell whether a kind is asked for: a kind stands for the kinds below it, and the empty one for all."""
    named = [str(getattr(one, "value", one)) for one in only or ("",)]
    return any(one == "" or kind == one or kind.startswith(f"{one}.") for one in named)


def _fixes(snapshot: Snapshot, span: Span, client: Client) -> Iterator[types.CodeAction]:
    for finding in findings(snapshot):
        if finding.span.start <= span.end and span.start <= finding.span.end:
            yield from (_fix(finding, fix, snapshot, client) for fix in finding.fixes)


def _fix(finding: Diagnostic, fix: Fix, snapshot: Snapshot, client: Client) -> types.CodeAction:
    text = snapshot.lines.text
    edits = (Edit(edit.span, with_line_ends(edit.replacement, text)) for edit in fix.edits)
    return types.CodeAction(
        title=fix.title,
        kind=QUICK_FIX,
        diagnostics=[to_protocol(finding, snapshot, client)],
        # What editors apply without a further look: it stands alone, guesses nothing and loses no comment.
        is_preferred=(len(finding.fixes) == 1 and fix.automatic and keeps_comments(text, fix)) or None,
        edit=workspace_edit(snapshot, edits, client),
    )


_Made = Iterator[tuple[str, tuple[Edit, ...]]]


def _additions(snapshot: Snapshot, checked: Checked, span: Span) -> _Made:
    for measure, edit in added_shows(checked, span.start):
        yield f"add 'show {measure}'", (edit,)
    for budget, edit in added_requires(snapshot, checked, span.start):
        yield f"add 'require {budget}', which holds now", (edit,)


def _extraction(checked: Checked, span: Span) -> _Made:
    if (found := extracted_constant(checked, span)) is not None:
        name, edits = found
        yield f"extract constant '{name}'", edits


def _all_fixes(checked: Checked) -> _Made:
    fixed = fix_all(checked.source)
    if fixed.mended:
        count = len(fixed.mended)
        title = (
            f"fix all {count} findings whose fix is beyond doubt"
            if count > 1
            else "fix the finding whose fix is beyond doubt"
        )
        yield title, (smallest_edit(checked.source.text, fixed.text),)


def _organization(checked: Checked) -> _Made:
    if (edit := organized(checked)) is not None:
        yield "organise declarations", (edit,)


def _action(snapshot: Snapshot, kind: str, title: str, edits: Iterable[Edit], client: Client) -> types.CodeAction:
    return types.CodeAction(title=title, kind=kind, edit=workspace_edit(snapshot, edits, client))
