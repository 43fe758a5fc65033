"""The outline of a document."""

from __future__ import annotations

from lsprotocol import types

from seepage.source import Span
from seepage_lsp.client import Client
from seepage_lsp.workspace import Snapshot

_Symbol = tuple[str, str, types.SymbolKind, Span, Span]


def document_symbols(snapshot: Snapshot, client: Client) -> list[types.DocumentSymbol] | list[types.SymbolInformation]:
    """Return parameters, constants, secrets, outputs, variables and questions, in the order of the text."""
    rows = sorted(_symbols(snapshot), key=lambda row: row[3])
    lines = snapshot.lines
    if client.nested_symbols:
        return [
            types.DocumentSymbol(
                name=name, detail=detail, kind=kind, range=lines.range(whole), selection_range=lines.range(span)
            )
            for name, detail, kind, whole, span in rows
        ]
    return [
        types.SymbolInformation(
            name=name, kind=kind, location=types.Location(uri=snapshot.uri, range=lines.range(span))
        )
        for name, _, kind, _, span in rows
    ]


def _symbols(snapshot: Snapshot) -> list[_Symbol]:
    if snapshot.checked is None:
        return []
    checked, kind = snapshot.checked, types.SymbolKind
    symbols = checked.symbols
    rows: list[_Symbol] = []
    for name, span in symbols.declarations.items():
        is_param = name in symbols.params
        rows.append(
            (name, "param" if is_param else "const", kind.TypeParameter if is_param else kind.Constant, span, span)
        )
    rows += [(one.name, "secret", kind.Field, one.span, one.span) for one in symbols.secrets]
    rows += [(one.name, "output", kind.Interface, one.span, one.span) for one in symbols.outputs]
    for variable in symbols.variables.values():
        if variable.spans:
            detail = checked.kinds[variable.name].value if variable.name in checked.kinds else "variable"
            sort = kind.Array if variable.is_array else kind.Variable
            rows.append((variable.name, detail, sort, variable.spans[0], variable.spans[0]))
    spans = [*(show.span for show in symbols.shows), *(require.span for require in symbols.requires)]
    rows += [(_headline(checked.source[span]), "", kind.Event, span, span) for span in spans]
    return rows


def _headline(text: str) -> str:
    return " ".join(text.split()) or "show"
