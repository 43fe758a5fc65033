"""Sources with a caret ‸ where the cursor is, and what the server shows there after a real analysis."""

from __future__ import annotations

from lsprotocol.types import Hover, MarkupContent, Position
from tests.server.snapshots import URI, VSCODE, snapshot

from seepage.pipeline import Options, analyze, check
from seepage.source import SourceFile
from seepage_lsp.client import Client
from seepage_lsp.features.hover import hover
from seepage_lsp.positions import Encoding, Lines
from seepage_lsp.workspace import Snapshot

CARET = "‸"


def unmarked(marked: str, encoding: Encoding = Encoding.UTF16) -> tuple[str, Position]:
    """Return the text without the caret, and where that stands."""
    offset = marked.index(CARET)
    text = marked.replace(CARET, "", 1)
    return text, Lines.of(text, encoding).position(offset)


def analysed(text: str, encoding: Encoding = Encoding.UTF16, *, plots: bool = False) -> Snapshot:
    """Return a snapshot with the analysis of its text."""
    analysis = analyze(check(SourceFile(URI, text, 1)), Options(plots=plots))
    return snapshot(text, analysis, encoding=encoding)


def hovered(
    marked: str, client: Client = VSCODE, encoding: Encoding = Encoding.UTF16, *, analysis: bool = True
) -> Hover | None:
    """Return the hover at the caret, after an analysis or without one."""
    text, position = unmarked(marked, encoding)
    seen = analysed(text, encoding, plots=client.images) if analysis else snapshot(text, encoding=encoding)
    return hover(seen, position, client)


def said(marked: str, client: Client = VSCODE, *, analysis: bool = True) -> str:
    """Return the text of the hover at the caret, empty if there is none."""
    found = hovered(marked, client, analysis=analysis)
    if found is None:
        return ""
    assert isinstance(found.contents, MarkupContent)
    return found.contents.value
