"""Changes of Python files that can be asked for: fixes of findings, and a mark for the function around the cursor."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lsprotocol import types

from seepage.diagnostics import Edit
from seepage.fixing import with_line_ends
from seepage.python.marking import CannotMark, marking_at
from seepage_lsp.client import Client
from seepage_lsp.features.code_actions import wants
from seepage_lsp.features.diagnostics import to_protocol
from seepage_lsp.features.edits import workspace_edit
from seepage_lsp.features.kinds import ADD, QUICK_FIX
from seepage_lsp.features.python_findings import findings, present
from seepage_lsp.python_files import PythonFile
from seepage_lsp.settings import Settings


def code_actions(
    file: PythonFile,
    asked: types.Range,
    only: Sequence[types.CodeActionKind | str] | None,
    settings: Settings,
    client: Client,
    *,
    automatic: bool = False,
) -> list[types.CodeAction]:
    """Return what can be done at a range, of the kinds that are wanted.

    A mark is offered in all of a function, but on its first lines only to an editor that asks by itself whenever the cursor moves.
    """
    if not client.code_actions or not settings.python or file.held.is_too_long:
        return []
    found = list(_fixes(file, asked, settings, client)) if wants(only, QUICK_FIX) else []
    return [*found, *_marks(file, asked, settings, client, automatic=automatic)] if wants(only, ADD) else found


def _fixes(file: PythonFile, asked: types.Range, settings: Settings, client: Client) -> Iterator[types.CodeAction]:
    shown, span = file.snapshot(settings), file.lines.span(asked)
    for finding in findings(file, settings):
        if finding.span.start <= span.end and span.start <= finding.span.end:
            for fix in finding.fixes:
                edits = [Edit(edit.span, with_line_ends(edit.replacement, shown.lines.text)) for edit in fix.edits]
                yield types.CodeAction(
                    title=fix.title,
                    kind=QUICK_FIX,
                    diagnostics=[to_protocol(finding, shown, client)],
                    edit=workspace_edit(shown, edits, client),
                )


def _marks(
    file: PythonFile, asked: types.Range, settings: Settings, client: Client, *, automatic: bool
) -> Iterator[types.CodeAction]:
    """Yield the mark of the function at a range."""
    source, offset = present(file), file.lines.span(asked).start
    if automatic and not source.line_text(source.position(offset)[0]).lstrip().startswith(("def ", "@")):
        return
    try:
        marking = marking_at(source, offset)
    except CannotMark:
        return
    edits = [Edit(edit.span, with_line_ends(edit.replacement, file.lines.text)) for edit in marking.edits]
    guessed = ", priors guessed" if marking.is_guess else ""
    yield types.CodeAction(
        title=f"mark '{marking.function}' for Seepage{guessed}",
        kind=ADD,
        edit=workspace_edit(file.snapshot(settings), edits, client),
    )
