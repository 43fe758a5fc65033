"""Colours by meaning: parameters, constants, loop variables, secrets, outputs, discrete and continuous variables."""

from __future__ import annotations

from array import array
from hashlib import blake2b

from lsprotocol import types

from seepage.source import Span
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
    Category.ARGUMENT: ("parameter", ()),
    Category.PROCEDURE: ("function", ()),
    Category.ENUMERATION: ("enum", ()),
    Category.MEMBER: ("enumMember", (_READ_ONLY,)),
    Category.FIELD: ("property", ()),
    Category.MODULE: ("namespace", ()),
}
_NUMBERS = 5  # a token


def semantic_tokens(snapshot: Snapshot, within: types.Range | None = None) -> types.SemanticTokens:
    """Return every name of a document, or of a range, each by its distance from the one before; the result id names the colours."""
    data: list[int] = []
    line = character = 0
    lines = snapshot.lines
    wanted = Span(0, len(lines.text)) if within is None else lines.span(within)
    for one in () if snapshot.checked is None else classify(snapshot.checked):
        if one.span.end < wanted.start or wanted.end < one.span.start:
            continue
        place = lines.position(one.span.start)
        type_, more = _TYPES[one.category]
        modifiers = [*(modifier.value for modifier in one.modifiers), *more]
        data += (
            place.line - line,
            place.character - (character if place.line == line else 0),
            units(lines.text[one.span.start : one.span.end], lines.encoding),
            LEGEND.token_types.index(type_),
            sum(1 << LEGEND.token_modifiers.index(modifier) for modifier in modifiers),
        )
        line, character = place.line, place.character
    name = blake2b(array("Q", data).tobytes(), digest_size=8).hexdigest() if within is None else None
    return types.SemanticTokens(data=data, result_id=name)


def changes(before: list[int], after: list[int]) -> list[types.SemanticTokensEdit]:
    """Return what makes the second list of the first: at most one edit, of whole tokens."""
    if before == after:
        return []
    shorter = min(len(before), len(after))
    start = next((at for at in range(shorter) if before[at] != after[at]), shorter)
    start -= start % _NUMBERS
    same = next((at for at in range(shorter - start) if before[-1 - at] != after[-1 - at]), shorter - start)
    same -= same % _NUMBERS
    inserted = after[start : len(after) - same]
    return [types.SemanticTokensEdit(start=start, delete_count=len(before) - same - start, data=inserted)]
