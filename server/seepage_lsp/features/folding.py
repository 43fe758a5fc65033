"""What can be folded: blocks, long statements, runs of comments."""

from __future__ import annotations

from lsprotocol import types

from seepage.symbols.outline import folds
from seepage_lsp.workspace import Snapshot


def folding_ranges(snapshot: Snapshot) -> list[types.FoldingRange]:
    """Return the lines that can be folded away, in the order of the text."""
    if snapshot.checked is None:
        return []
    return [
        types.FoldingRange(
            start_line=snapshot.lines.line_of(fold.span.start),
            end_line=snapshot.lines.line_of(fold.span.end),
            kind=types.FoldingRangeKind.Comment if fold.is_comment else None,
        )
        for fold in folds(snapshot.checked)
    ]
