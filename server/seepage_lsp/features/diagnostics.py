"""Findings as the protocol has them: those of the check, with those of the analysis of the same text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from hashlib import blake2b
from typing import TYPE_CHECKING

from lsprotocol import types

from seepage.configuration import configured
from seepage.diagnostics import Diagnostic, Label, Rule, Severity, Tag, ordered
from seepage.rules import FILE_TOO_LONG
from seepage.semantics.checked import Checked
from seepage.source import Span
from seepage_lsp.client import Client
from seepage_lsp.features.answers import answer_of
from seepage_lsp.features.moved import Moved
from seepage_lsp.workspace import Snapshot

if TYPE_CHECKING:
    from seepage.measures.facts import Answer

_SEVERITY = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
    Severity.INFORMATION: types.DiagnosticSeverity.Information,
    Severity.HINT: types.DiagnosticSeverity.Hint,
}
_TAG = {Tag.UNNECESSARY: types.DiagnosticTag.Unnecessary}


def findings(snapshot: Snapshot) -> tuple[Diagnostic, ...]:
    """Return what is found in this very text, in the order of the text, nothing twice.

    What the last analysis found in an older text stays, marked as such, where it stands by now: a list without it would read as if all
    were well.
    """
    if snapshot.is_too_long:
        message = snapshot.too_long
        return (Diagnostic(FILE_TOO_LONG, Span(0, 0), message),)
    if snapshot.checked is None:
        return ()
    found: list[Diagnostic] = []
    if snapshot.is_current and snapshot.analysis is not None:
        found += snapshot.analysis.diagnostics
    else:
        found += _found_before(snapshot, snapshot.checked)
    if snapshot.problem is not None:
        found.append(snapshot.problem)
    return tuple(configured(ordered(snapshot.checked.diagnostics, found), snapshot.settings.rules))


def _found_before(snapshot: Snapshot, checked: Checked) -> Iterator[Diagnostic]:
    """Yield what the last analysis, of an older text, found: of questions that are still asked, and of lines that are as they were.

    Places that a finding names move with it, or are left out; its fixes are of the older text and left out.
    """
    if snapshot.finished is None or not snapshot.finished.analysis.diagnostics:
        return
    known = snapshot.finished.analysis
    moved = Moved(snapshot.finished.source, checked.source)
    of_questions = {found for answer in known.answers if (found := _own(answer)) is not None}
    places = [(found, moved.span(found.span)) for found in known.diagnostics if found not in of_questions]
    questions = [*(one.span for one in checked.symbols.shows), *(one.span for one in checked.symbols.requires)]
    for span in questions:
        answer = answer_of(snapshot, span)
        if answer is not None and (found := _own(answer)) is not None:
            places.append((found, span))
    for found, place in places:
        if place is not None and not any(_says(one, found.rule, place) for one in checked.diagnostics):
            yield before_change(found, place, moved)


def _own(answer: Answer) -> Diagnostic | None:
    """Return the finding that stands at the question itself, which is found again by the question's text."""
    return answer.diagnostic if answer.diagnostic is not None and answer.diagnostic.span == answer.span else None


def _says(told: Diagnostic, rule: Rule, place: Span) -> bool:
    """Tell whether a finding of the check is one of a rule at a place."""
    return told.rule.code == rule.code and told.span.start <= place.end and place.start <= told.span.end


def before_change(found: Diagnostic, place: Span, moved: Moved) -> Diagnostic:
    """Return a finding of an older text at its present place, marked as such."""
    message = f"{found.message} (as of the last analysis, before this change)"
    places = ((moved.span(label.span), label.message) for label in found.labels)
    labels = tuple(Label(span, text) for span, text in places if span is not None)
    return replace(found, span=place, message=message, labels=labels, fixes=())


def diagnostics(snapshot: Snapshot, client: Client) -> list[types.Diagnostic]:
    """Return the findings in the form that the client shows.

    Those that only tell how a text is read, wrong or not, stand in the hover: under every such place they would be noise.
    """
    return [to_protocol(finding, snapshot, client) for finding in findings(snapshot) if not is_reading(finding)]


def is_reading(finding: Diagnostic) -> bool:
    """Tell whether a finding only says how a text is read; a project can make it louder."""
    return finding.severity is Severity.HINT


def report(
    snapshot: Snapshot | None, client: Client, known: str | None
) -> types.RelatedFullDocumentDiagnosticReport | types.RelatedUnchangedDocumentDiagnosticReport:
    """Return the findings of a document for a client that asks, or that they are those that it ``known`` by their id already."""
    return full_report([] if snapshot is None else diagnostics(snapshot, client), known)


def full_report(
    items: list[types.Diagnostic], known: str | None
) -> types.RelatedFullDocumentDiagnosticReport | types.RelatedUnchangedDocumentDiagnosticReport:
    """Return findings, or that they are those that a client knows."""
    name = _name(items)
    if name == known:
        return types.RelatedUnchangedDocumentDiagnosticReport(result_id=name)
    return types.RelatedFullDocumentDiagnosticReport(items=items, result_id=name)


def workspace_report(
    snapshots: Iterable[Snapshot], client: Client, known: Iterable[types.PreviousResultId]
) -> types.WorkspaceDiagnosticReport:
    """Return the findings of all open documents, and none for those that the client still remembers and that are closed.

    Files that are not open are not read.
    """
    before = {one.uri: one.value for one in known}
    reports: list[types.WorkspaceFullDocumentDiagnosticReport | types.WorkspaceUnchangedDocumentDiagnosticReport] = []
    for snapshot in snapshots:
        found = report(snapshot, client, before.pop(snapshot.uri, None))
        if isinstance(found, types.RelatedUnchangedDocumentDiagnosticReport):
            reports.append(
                types.WorkspaceUnchangedDocumentDiagnosticReport(snapshot.uri, found.result_id, snapshot.version)
            )
        else:
            reports.append(
                types.WorkspaceFullDocumentDiagnosticReport(
                    snapshot.uri, found.items, snapshot.version, result_id=found.result_id
                )
            )
    nothing = _name([])
    reports += [
        types.WorkspaceFullDocumentDiagnosticReport(uri, [], result_id=nothing)
        for uri, value in before.items()
        if value != nothing
    ]
    return types.WorkspaceDiagnosticReport(items=reports)


def _name(items: list[types.Diagnostic]) -> str:
    """Return an id that equal findings share, whatever the version of the text."""
    return blake2b(repr(items).encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def to_protocol(finding: Diagnostic, snapshot: Snapshot, client: Client) -> types.Diagnostic:
    """Return one finding; other places are folded into the message where the client does not show them."""
    message = "\n".join((finding.message, *finding.notes))
    related = None
    if finding.labels and client.related_information:
        related = [
            types.DiagnosticRelatedInformation(
                location=types.Location(uri=snapshot.uri, range=snapshot.lines.range(label.span)), message=label.message
            )
            for label in finding.labels
        ]
    elif finding.labels:
        message += "".join(
            f"\nline {snapshot.lines.line_of(label.span.start) + 1}: {label.message}" for label in finding.labels
        )
    tags = [_TAG[tag] for tag in finding.tags if _TAG[tag] in client.tags]
    return types.Diagnostic(
        range=snapshot.lines.range(finding.span),
        message=message,
        severity=_SEVERITY[finding.severity],
        code=finding.rule.code,
        code_description=_description(finding.rule.code, client),
        source="seepage",
        tags=tags or None,
        related_information=related,
    )


def _description(code: str, client: Client) -> types.CodeDescription | None:
    """Return the link to the explanation of a code, if the client shows it and has told where the page is."""
    if not client.links or not client.documentation:
        return None
    return types.CodeDescription(href=f"{client.documentation}#{code}")
