"""Colours by meaning: parameters, constants, loop variables, secrets, outputs, discrete and continuous variables."""

from __future__ import annotations

from lsprotocol import types

from seepage.symbols.classify import Category, classify
from seepage_lsp.features.semantic_legend import LEGEND
from seepage_lsp.positions import units
from seepage_lsp.workspace import Snapshot

_BUILT_IN = "defaultLibrary"
_READ_ONLY = "readonly"
_LOOP = "loop"
# Type of the protocol, and modifiers that the type alone does not say.
_TYPES: dict[Category, tuple[str, tuple[str, ...]]] = {
    Category.PARAMETER: ("parameter", (_READ_ONLY,)),
    Category.CONSTANT: ("variable", (_READ_ONLY,)),
    Category.LOOP: ("variable", (_READ_ONLY, _LOOP)),
    Category.VARIABLE: ("variable", ()),
    Category.FUNCTION: ("function", (_BUILT_IN,)),
    Category.DISTRIBUTION: ("class", (_BUILT_IN,)),
    Category.MEASURE: ("macro", (_BUILT_IN,)),
}


def semantic_tokens(snapshot: Snapshot) -> types.SemanticTokens:
    """Return every name of a document, each by its distance from the one before."""
    data: list[int] = []
    line = character = 0
    for one in () if snapshot.checked is None else classify(snapshot.checked):
        place = snapshot.lines.position(one.span.start)
        type_, more = _TYPES[one.category]
        modifiers = [*(modifier.value for modifier in one.modifiers), *more]
        data += (
            place.line - line,
            place.character - (character if place.line == line else 0),
            units(snapshot.lines.text[one.span.start : one.span.end], snapshot.lines.encoding),
            LEGEND.token_types.index(type_),
            sum(1 << LEGEND.token_modifiers.index(modifier) for modifier in modifiers),
        )
        line, character = place.line, place.character
    return types.SemanticTokens(data=data)
