"""The bounds of code lenses at line ends, for editors that show no lenses."""

from __future__ import annotations

from lsprotocol import types

from seepage_lsp.features.code_lens import places, title_of
from seepage_lsp.workspace import Snapshot


def inlay_hints(snapshot: Snapshot, within: types.Range) -> list[types.InlayHint]:
    """Return one hint for each thing that is asked about on the lines of a range; none if lenses are switched off."""
    if snapshot.checked is None or not snapshot.settings.code_lens:
        return []
    hints: list[types.InlayHint] = []
    for span, text in places(snapshot):
        line = snapshot.lines.position(span.start).line
        if within.start.line <= line <= within.end.line:
            position = snapshot.lines.line_end(line)
            hints.append(types.InlayHint(position=position, label=title_of(snapshot, text), padding_left=True))
    return hints
