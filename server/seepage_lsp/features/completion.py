"""Completion: what may stand at the cursor, with what it means."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from lsprotocol import types

from seepage.semantics.signatures import SIGNATURES
from seepage.symbols.completion import Context, Place, context_at
from seepage.symbols.names import Role, Symbol
from seepage_lsp.features.plain import plain
from seepage_lsp.features.words import FUNCTIONS, KEYWORDS, MEASURES, describe_distribution
from seepage_lsp.workspace import Snapshot

_Kind = types.CompletionItemKind
_KINDS = {Role.PARAMETER: _Kind.TypeParameter, Role.CONSTANT: _Kind.Constant, Role.LOOP: _Kind.Constant}


def completion(snapshot: Snapshot, position: types.Position) -> list[types.CompletionItem]:
    """Return what may stand at a position; nothing inside a comment. The editor filters by what is typed."""
    if snapshot.checked is None:
        return []
    context = context_at(snapshot.checked, snapshot.lines.offset(position))
    items = [types.CompletionItem(label=written, kind=_Kind.Property) for written in context.arguments]
    items += [_symbol(symbol) for symbol in context.symbols]
    items += _calls(context)
    items += _words({word: KEYWORDS[word] for word in context.keywords}, _Kind.Keyword)
    return items


def _calls(context: Context) -> Iterable[types.CompletionItem]:
    if Place.DISTRIBUTION in context.places:
        for name, signature in SIGNATURES.items():
            meaning = plain(describe_distribution(signature))
            yield types.CompletionItem(label=name, kind=_Kind.Class, documentation=meaning)
        yield types.CompletionItem(label="mixture", kind=_Kind.Class)
    if Place.MEASURE in context.places:
        yield from _words(MEASURES, _Kind.Function)
    if context.places & {Place.EXPRESSION, Place.STATIC, Place.MEASURE}:
        yield from _words(FUNCTIONS, _Kind.Function)


def _symbol(symbol: Symbol) -> types.CompletionItem:
    detail = symbol.role.value
    if symbol.kind is not None:
        detail = symbol.kind.value if symbol.role is Role.VARIABLE else f"{detail}, {symbol.kind.value}"
    return types.CompletionItem(
        label=symbol.name,
        kind=_KINDS.get(symbol.role, _Kind.Variable),
        detail=detail,
        documentation=symbol.documentation or None,
    )


def _words(words: Mapping[str, str], kind: types.CompletionItemKind) -> list[types.CompletionItem]:
    return [
        types.CompletionItem(label=word, kind=kind, documentation=plain(meaning)) for word, meaning in words.items()
    ]
