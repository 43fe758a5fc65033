"""Small steps that every reporter of the parser takes."""

from __future__ import annotations

from dataclasses import replace

from seepage.diagnostics import Diagnostic, Edit, Fix
from seepage.source import Span


def shifted(diagnostic: Diagnostic, offset: int) -> Diagnostic:
    """Return the finding moved right by ``offset`` code points, its labels and fixes too."""
    if offset == 0:
        return diagnostic
    return replace(
        diagnostic,
        span=diagnostic.span.shift(offset),
        labels=tuple(replace(label, span=label.span.shift(offset)) for label in diagnostic.labels),
        fixes=tuple(
            replace(fix, edits=tuple(Edit(edit.span.shift(offset), edit.replacement) for edit in fix.edits))
            for fix in diagnostic.fixes
        ),
    )


def replacement(title: str, span: Span, text: str, automatic: bool = False) -> tuple[Fix, ...]:
    """Return the one fix that puts ``text`` in the place of ``span``; ``automatic`` if it is beyond doubt that this is meant."""
    return (Fix(title, (Edit(span, text),), automatic),)


def shortened(text: str) -> str:
    """Return a text as titles and messages repeat it: its beginning, if it is long."""
    return text if len(text) <= 60 else text[:57] + "…"
