"""What can be folded: blocks, long statements, runs of comments, and regions that comments mark."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lsprotocol import types

from seepage.symbols.outline import folds
from seepage.syntax.comments import blank_comments
from seepage_lsp.client import Client
from seepage_lsp.positions import Lines
from seepage_lsp.workspace import Snapshot

_MARK = re.compile(r"//\s*#?(region|endregion)\b")


def folding_ranges(snapshot: Snapshot, client: Client) -> list[types.FoldingRange]:
    """Return the lines that can be folded away, in the order of the text."""
    if snapshot.checked is None:
        return []
    lines = snapshot.lines
    found = [
        (lines.line_of(fold.span.start), lines.line_of(fold.span.end), "comment" if fold.is_comment else None)
        for fold in folds(snapshot.checked)
    ]
    found += [(start, end, "region") for start, end in _regions(lines)]
    return [
        types.FoldingRange(start_line=start, end_line=end, kind=_shown(kind, client))
        for start, end, kind in sorted(found, key=lambda one: one[:2])
    ]


def _regions(lines: Lines) -> Iterator[tuple[int, int]]:
    """Yield the first and last lines from ``// region`` to its ``// endregion``."""
    opened: list[int] = []
    for comment in blank_comments(lines.text).comments:
        mark = _MARK.match(lines.text, comment.start, comment.end)
        line = lines.line_of(comment.start)
        if mark is not None and mark[1] == "region":
            opened.append(line)
        elif mark is not None and opened and (start := opened.pop()) < line:
            yield start, line


def _shown(kind: str | None, client: Client) -> str | None:
    return kind if client.folding_kinds is None or kind in client.folding_kinds else None
