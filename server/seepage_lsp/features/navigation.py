"""Go to definition, references, highlights and selection ranges."""

from __future__ import annotations

from lsprotocol import types

from seepage.source import Span
from seepage.symbols.names import Symbol, symbol_at, tree_of
from seepage.syntax.walk import enclosing
from seepage_lsp.workspace import Snapshot


def definition(snapshot: Snapshot, position: types.Position) -> list[types.Location]:
    """Return where the name at a position gets its meaning."""
    symbol = _symbol(snapshot, position)
    return [] if symbol is None else [_location(snapshot, span) for span in symbol.definitions]


def references(snapshot: Snapshot, position: types.Position, include_declaration: bool) -> list[types.Location]:
    """Return every place of the name at a position."""
    symbol = _symbol(snapshot, position)
    if symbol is None:
        return []
    hidden = set() if include_declaration else set(symbol.definitions)
    return [_location(snapshot, span) for span in symbol.occurrences if span not in hidden]


def highlights(snapshot: Snapshot, position: types.Position) -> list[types.DocumentHighlight]:
    """Return every place of the name at a position, told apart by reading and writing."""
    symbol = _symbol(snapshot, position)
    if symbol is None:
        return []
    kinds = types.DocumentHighlightKind
    return [
        types.DocumentHighlight(
            range=snapshot.lines.range(span), kind=kinds.Write if span in symbol.definitions else kinds.Read
        )
        for span in symbol.occurrences
    ]


def selection_ranges(snapshot: Snapshot, positions: list[types.Position]) -> list[types.SelectionRange]:
    """Return for each position the ranges of what holds it, each inside the next."""
    return [_selection(snapshot, position) for position in positions]


def _selection(snapshot: Snapshot, position: types.Position) -> types.SelectionRange:
    here = types.SelectionRange(range=types.Range(start=position, end=position))
    if snapshot.checked is None:
        return here
    chain: types.SelectionRange | None = None
    for span in enclosing(tree_of(snapshot.checked), snapshot.lines.offset(position)):
        chain = types.SelectionRange(range=snapshot.lines.range(span), parent=chain)
    return chain or here


def _symbol(snapshot: Snapshot, position: types.Position) -> Symbol | None:
    return None if snapshot.checked is None else symbol_at(snapshot.checked, snapshot.lines.offset(position))


def _location(snapshot: Snapshot, span: Span) -> types.Location:
    return types.Location(uri=snapshot.uri, range=snapshot.lines.range(span))
