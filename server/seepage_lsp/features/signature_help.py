"""How the call around the cursor is written, with the argument that is being typed."""

from __future__ import annotations

from collections.abc import Iterator

from lsprotocol import types

from seepage.symbols.calls import call_at
from seepage.syntax.vocabulary.table import parameter_text
from seepage.word import Word
from seepage_lsp.client import Client
from seepage_lsp.features.word_text import headline_of, text_of
from seepage_lsp.positions import units
from seepage_lsp.workspace import Snapshot


def signature_help(snapshot: Snapshot, position: types.Position, client: Client) -> types.SignatureHelp | None:
    """Return the call that is open at a position; each argument with what it means and may be."""
    if snapshot.checked is None:
        return None
    found = call_at(snapshot.checked, snapshot.lines.offset(position))
    if found is None:
        return None
    word = found.word
    parameters = list(_parameters(word, client))
    # An index past the end highlights nothing, in every client.
    active = len(parameters) if found.active is None else found.active
    signature = types.SignatureInformation(
        label=word.form, documentation=headline_of(word, rich=client.signature_markdown), parameters=parameters
    )
    return types.SignatureHelp(signatures=[signature], active_signature=0, active_parameter=active)


def _parameters(word: Word, client: Client) -> Iterator[types.ParameterInformation]:
    meanings = [parameter_text(word, one.name) for one in word.parameters for _ in one.written]
    for part, meaning in zip(word.parts, meanings, strict=True):
        label: str | tuple[int, int] = word.form[part.start : part.end]
        if client.label_offsets:
            start = units(word.form[: part.start], client.encoding)
            label = (start, start + units(word.form[part.start : part.end], client.encoding))
        documentation = None if meaning is None else text_of(meaning, rich=client.signature_markdown)
        yield types.ParameterInformation(label=label, documentation=documentation)
