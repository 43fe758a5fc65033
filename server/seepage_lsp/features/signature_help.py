"""How the call around the cursor is written, with the argument that is being typed."""

from __future__ import annotations

from lsprotocol import types

from seepage.symbols.calls import call_at
from seepage_lsp.features.plain import plain
from seepage_lsp.features.words import describe_word
from seepage_lsp.workspace import Snapshot


def signature_help(snapshot: Snapshot, position: types.Position) -> types.SignatureHelp | None:
    """Return the call that is open at a position."""
    if snapshot.checked is None:
        return None
    found = call_at(snapshot.checked, snapshot.lines.offset(position))
    if found is None:
        return None
    word = found.word
    # A label as text is understood by every client; an index past the end highlights nothing.
    parameters = [types.ParameterInformation(label=word.form[part.start : part.end]) for part in word.parts]
    active = len(parameters) if found.active is None else found.active
    meaning = describe_word(word.name)
    signature = types.SignatureInformation(
        label=word.form,
        documentation=None if meaning is None else plain(meaning),
        parameters=parameters,
    )
    return types.SignatureHelp(signatures=[signature], active_signature=0, active_parameter=active)
