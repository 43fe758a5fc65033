"""The outline of a document."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lsprotocol import types

from seepage.symbols.outline import Entry, Sort, outline
from seepage_lsp.client import Client
from seepage_lsp.workspace import Snapshot

KINDS: dict[Sort, types.SymbolKind] = {
    "param": types.SymbolKind.TypeParameter,
    "const": types.SymbolKind.Constant,
    "secret": types.SymbolKind.Field,
    "output": types.SymbolKind.Interface,
    "variable": types.SymbolKind.Variable,
    "array": types.SymbolKind.Array,
    "question": types.SymbolKind.Event,
    "block": types.SymbolKind.Namespace,
    "procedure": types.SymbolKind.Function,
    "enumeration": types.SymbolKind.Enum,
    "member": types.SymbolKind.EnumMember,
}


def document_symbols(snapshot: Snapshot, client: Client) -> list[types.DocumentSymbol] | list[types.SymbolInformation]:
    """Return declarations, first assignments and questions in the order of the text, inside the blocks that hold them."""
    entries = () if snapshot.checked is None else outline(snapshot.checked)
    if client.nested_symbols:
        return [_nested(entry, snapshot) for entry in entries]
    return [
        types.SymbolInformation(
            name=entry.name,
            kind=KINDS[entry.sort],
            location=types.Location(uri=snapshot.uri, range=snapshot.lines.range(entry.name_span)),
        )
        for entry in flat(entries)
        if entry.sort != "block"
    ]


def _nested(entry: Entry, snapshot: Snapshot) -> types.DocumentSymbol:
    return types.DocumentSymbol(
        name=entry.name,
        detail=entry.detail,
        kind=KINDS[entry.sort],
        range=snapshot.lines.range(entry.span),
        selection_range=snapshot.lines.range(entry.name_span),
        children=[_nested(child, snapshot) for child in entry.children] or None,
    )


def flat(entries: Iterable[Entry]) -> Iterator[Entry]:
    """Yield entries and all that is inside of them, in the order of the text."""
    for entry in entries:
        yield entry
        yield from flat(entry.children)
