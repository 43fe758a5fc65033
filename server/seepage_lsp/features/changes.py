"""What changed since the last commit, at its places in the text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from seepage.semantics.checked import Checked
from seepage.source import Span
from seepage_lsp.features.answers import rows_of
from seepage_lsp.workspace import Snapshot


def changed_places(snapshot: Snapshot) -> Iterator[tuple[Span, str]]:
    """Yield the places of what changed since the last commit, in the order of the text, each with a few words; none where nothing did."""
    if snapshot.checked is not None and snapshot.changes is not None:
        yield from sorted(_changed(snapshot, snapshot.checked, snapshot.changes), key=lambda place: place[0])


def _changed(snapshot: Snapshot, checked: Checked, changes: Mapping[str, Any]) -> Iterator[tuple[Span, str]]:
    # Once there are changes, analyses have brought what these need.
    from seepage.checking.baseline import leak_name
    from seepage.measures.answers import answer_text

    measures = {each["measure"]: each for each in changes["measures"]}
    for span in dict.fromkeys(secret.span for secret in checked.symbols.secrets):
        for row in rows_of(snapshot, checked.source[span]):
            yield from _words(span, measures.get(leak_name(row.secret, row.output)), changes)
    for symbol in checked.symbols.shows:
        yield from _words(symbol.span, measures.get(answer_text(symbol)), changes)
    budgets = {each["budget"]: each for each in changes["budgets"]}
    for require in checked.symbols.requires:
        budget = budgets.get(answer_text(require))
        if budget is not None and budget["before"] != budget["after"]:
            sign = "▲" if budget["worse"] else "Δ"
            then = budget["before"] or "not there"
            yield require.span, f"{sign} {then} in {changes['revision']}"


def _words(span: Span, change: Mapping[str, Any] | None, changes: Mapping[str, Any]) -> Iterator[tuple[Span, str]]:
    if change is not None and change["direction"] != "unchanged":
        sign = {"grew": "▲", "shrank": "▼"}.get(change["direction"], "Δ")
        yield span, f"{sign} {change['short']} since {changes['revision']}"
