"""Which name stands at a place, and where else it stands: what hover and navigation share."""

from __future__ import annotations

from bisect import bisect_left

from seepage.semantics.checked import Checked
from seepage.source import Span


def occurrence_at(checked: Checked, offset: int) -> tuple[Span, str] | None:
    """Return the name at an offset with its place; a cursor right behind a name still means it."""
    occurrences = checked.symbols.occurrences
    after = bisect_left(occurrences, offset, key=lambda one: one[0].start)
    # The name that starts at the cursor comes first, then the one that ends there or holds it.
    for index in (after, after - 1):
        if 0 <= index < len(occurrences) and occurrences[index][0].contains(offset):
            return occurrences[index]
    return None


def occurrences_of(checked: Checked, name: str) -> list[Span]:
    """Return every place of a name, in the order of the text."""
    return [span for span, other in checked.symbols.occurrences if other == name]


def definitions_of(checked: Checked, name: str) -> list[Span]:
    """Return where a name gets its meaning: its declaration as parameter or constant, else its assignments."""
    symbols = checked.symbols
    if name in symbols.declarations:
        return [symbols.declarations[name]]
    if name in symbols.variables and symbols.variables[name].spans:
        return list(symbols.variables[name].spans)
    return occurrences_of(checked, name)[:1]
