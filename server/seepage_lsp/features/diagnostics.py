"""Findings as the protocol has them: those of the check, with those of the analysis of the same text."""

from __future__ import annotations

from lsprotocol import types

from seepage.diagnostics import Diagnostic, Severity, Tag, ordered
from seepage.rules import FILE_TOO_LONG
from seepage.source import Span
from seepage_lsp.client import Client
from seepage_lsp.workspace import LONGEST_TEXT, Snapshot

_SEVERITY = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
    Severity.INFORMATION: types.DiagnosticSeverity.Information,
    Severity.HINT: types.DiagnosticSeverity.Hint,
}
_TAG = {Tag.UNNECESSARY: types.DiagnosticTag.Unnecessary}


def findings(snapshot: Snapshot) -> tuple[Diagnostic, ...]:
    """Return what is found in this very text, in the order of the text, nothing twice; no finding of an older text is among them."""
    if snapshot.is_too_long:
        message = f"this text has {len(snapshot.lines.text):,} characters; an editor checks up to {LONGEST_TEXT:,}"
        return (Diagnostic(FILE_TOO_LONG, Span(0, 0), message),)
    if snapshot.checked is None:
        return ()
    found: list[Diagnostic] = []
    if snapshot.is_current and snapshot.analysis is not None:
        found += snapshot.analysis.diagnostics
        found += [answer.diagnostic for answer in snapshot.analysis.answers if answer.diagnostic is not None]
    if snapshot.problem is not None:
        found.append(snapshot.problem)
    return ordered(snapshot.checked.diagnostics, found)


def diagnostics(snapshot: Snapshot, client: Client) -> list[types.Diagnostic]:
    """Return the findings in the form that the client shows."""
    return [to_protocol(finding, snapshot, client) for finding in findings(snapshot)]


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
        source="seepage",
        tags=tags or None,
        related_information=related,
    )
