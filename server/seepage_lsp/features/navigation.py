"""Go to definition, references, highlights and selection ranges."""

from __future__ import annotations

from pathlib import Path

from lsprotocol import types

from seepage.source import Span
from seepage.symbols.imports import import_at
from seepage.symbols.names import Role, Symbol, names_of, symbol_at, tree_of
from seepage.syntax.lowering.definitions import Module
from seepage.syntax.lowering.lower import Lowered
from seepage.syntax.shipped import SHIPPED, shipped_file
from seepage.syntax.walk import enclosing
from seepage_lsp.positions import Encoding, Lines
from seepage_lsp.workspace import Snapshot


def definition(snapshot: Snapshot, position: types.Position) -> list[types.Location]:
    """Return where the name at a position gets its meaning: that of a module, and what it gives, in its file."""
    symbol = _symbol(snapshot, position)
    elsewhere = _elsewhere(snapshot, position, symbol)
    if elsewhere is not None:
        return [_location_in(*elsewhere, snapshot.lines.encoding)]
    return [] if symbol is None else [_location(snapshot, span) for span in symbol.definitions]


def _elsewhere(snapshot: Snapshot, position: types.Position, symbol: Symbol | None) -> tuple[Module, Span] | None:
    """Return the module and the place in it that are meant at a position."""
    checked, offset = snapshot.checked, snapshot.lines.offset(position)
    if symbol is not None and symbol.imported is not None:
        return symbol.imported.module, symbol.imported.definition.span
    if checked is None or not isinstance(checked.context, Lowered):
        return None
    names = names_of(checked)
    if symbol is not None and symbol.role is Role.MODULE and names is not None:
        return names.imports.modules[symbol.name].module, Span(0, 0)
    found = import_at(checked.context, offset)
    return None if found is None else (found.module, Span(0, 0))


def _location_in(module: Module, span: Span, encoding: Encoding) -> types.Location:
    lines = Lines.of(module.source.text, encoding)
    return types.Location(uri=uri_of(module.key), range=lines.range(span))


def uri_of(key: str) -> str:
    """Return the URI of a module's file."""
    return (shipped_file(key) if key in SHIPPED else Path(key)).as_uri()


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
