"""Results of the last analysis, found again in the present text: by the text of what was asked, wherever it stands by now."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from seepage.source import Span
from seepage_lsp.workspace import Snapshot

if TYPE_CHECKING:
    from seepage.measures.facts import Answer, LeakageRow, PassingFacts


def is_timed_out(known: Answer | LeakageRow) -> bool:
    """Tell whether an analysis ran out of time before it had a number for this."""
    from seepage.measures.facts import LeakageRow
    from seepage.rules import TIME_LIMIT

    if isinstance(known, LeakageRow):
        return known.information is None and known.is_late
    # Equal, not the same: answers come from another process.
    return known.result is None and known.diagnostic is not None and known.diagnostic.rule == TIME_LIMIT


def answer_of(snapshot: Snapshot, span: Span) -> Answer | None:
    """Return the answer to the ``show`` or ``require`` at a place of the present text."""
    if snapshot.finished is None:
        return None
    source, answers = snapshot.finished.source, snapshot.finished.analysis.answers
    asked = snapshot.lines.text[span.start : span.end].split()
    same = [answer for answer in answers if source[answer.span].split() == asked]
    return next((answer for answer in same if answer.span == span), same[0] if same else None)


def rows_of(snapshot: Snapshot, secret: str) -> Iterator[LeakageRow]:
    """Yield what all outputs together tell about a secret, by its name as declared; worst elements of an array follow the array."""
    if snapshot.finished is not None:
        source = snapshot.finished.source
        for row in snapshot.finished.analysis.table:
            if row.headline and source[row.span] == secret:
                yield row


def passing_of(snapshot: Snapshot, span: Span) -> PassingFacts | None:
    """Return the probability of the condition at a place: by its place in a current analysis, else by its text where that stands once."""
    if snapshot.finished is None:
        return None
    source, passing = snapshot.finished.source, snapshot.finished.analysis.passing
    if snapshot.is_current:
        return next((one for one in passing if one.span == span), None)
    asked = snapshot.lines.text[span.start : span.end].split()
    same = [one for one in passing if source[one.span].split() == asked]
    return same[0] if len(same) == 1 else None
