"""Completion of names, keywords, distributions, measures and functions, by what stands before the cursor."""

from __future__ import annotations

import re
from collections.abc import Mapping

from lsprotocol import types

from seepage.semantics.checked import Checked
from seepage.semantics.signatures import SIGNATURES
from seepage_lsp.features.plain import plain
from seepage_lsp.features.words import FUNCTIONS, KEYWORDS, MEASURES, describe_distribution
from seepage_lsp.workspace import Snapshot

_COMMENT = re.compile(r"//[^\n\r]*\Z")
_AFTER_TILDE = re.compile(r"~\s*\w*\Z")
_IN_QUESTION = re.compile(r"\b(?:show|require)\b[^{};\n\r]*\Z")


def completion(snapshot: Snapshot, position: types.Position) -> list[types.CompletionItem]:
    """Return what may stand at a position; nothing inside a line comment. The editor filters by what is typed."""
    checked = snapshot.checked
    if checked is None:
        return []
    offset = snapshot.lines.offset(position)
    line_start = snapshot.lines.starts[snapshot.lines.line_of(offset)]
    before = snapshot.lines.text[line_start:offset]
    if _COMMENT.search(before):
        return []
    if _AFTER_TILDE.search(before):
        return _distributions()
    items = _names(checked) + _words(FUNCTIONS, types.CompletionItemKind.Function)
    if _IN_QUESTION.search(before):
        items += _words(MEASURES, types.CompletionItemKind.Function)
    return items + _words(KEYWORDS, types.CompletionItemKind.Keyword)


def _names(checked: Checked) -> list[types.CompletionItem]:
    symbols, kind = checked.symbols, types.CompletionItemKind
    items: dict[str, types.CompletionItem] = {}
    for name in symbols.params:
        items[name] = types.CompletionItem(label=name, kind=kind.TypeParameter, detail="param")
    for name in symbols.consts:
        items[name] = types.CompletionItem(label=name, kind=kind.Constant, detail="const")
    for name in symbols.variables:
        detail = checked.kinds[name].value if name in checked.kinds else None
        items.setdefault(name, types.CompletionItem(label=name, kind=kind.Variable, detail=detail))
    return list(items.values())


def _distributions() -> list[types.CompletionItem]:
    return [
        types.CompletionItem(
            label=name,
            kind=types.CompletionItemKind.Class,
            documentation=plain(describe_distribution(signature)),
        )
        for name, signature in SIGNATURES.items()
    ]


def _words(words: Mapping[str, str], kind: types.CompletionItemKind) -> list[types.CompletionItem]:
    return [
        types.CompletionItem(label=word, kind=kind, documentation=plain(meaning)) for word, meaning in words.items()
    ]
