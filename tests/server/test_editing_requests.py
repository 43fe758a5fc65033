"""Requests that change or colour a document, through the wire."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from lsprotocol.types import SemanticTokens
from tests.server.wire import Wire

from seepage_lsp.features import semantic_tokens as colouring
from seepage_lsp.workspace import Snapshot

A = "file:///a.seep"
DOCUMENT = {"uri": A}
COLOURS = {"requests": {"full": True}, "tokenTypes": [], "tokenModifiers": [], "formats": ["relative"]}
ASKING = {"capabilities": {"textDocument": {"semanticTokens": COLOURS, "rename": {"prepareSupport": True}}}}


def at(line: int, character: int) -> dict[str, Any]:
    return {"textDocument": DOCUMENT, "position": {"line": line, "character": character}}


def test_what_is_offered_depends_on_what_the_client_can_do(wire: Wire) -> None:
    told = wire.initialize(ASKING)["capabilities"]

    assert told["renameProvider"] == {"prepareProvider": True}
    assert told["semanticTokensProvider"]["full"] is True
    assert told["documentFormattingProvider"]
    assert told["documentRangeFormattingProvider"]
    assert told["signatureHelpProvider"]["triggerCharacters"] == ["(", ",", ";", "|", ">"]
    assert told["foldingRangeProvider"]
    assert told["selectionRangeProvider"]


def test_no_colours_are_offered_to_a_client_without_them(wire: Wire) -> None:
    assert "semanticTokensProvider" not in wire.initialize({"capabilities": {}})["capabilities"]


def test_a_document_is_formatted_renamed_and_coloured(wire: Wire) -> None:
    wire.initialize(ASKING)
    wire.open("x:=1\ny := x\n")

    edits = wire.result(
        "textDocument/formatting", {"textDocument": DOCUMENT, "options": {"tabSize": 4, "insertSpaces": True}}
    )
    change = wire.result("textDocument/rename", at(1, 5) | {"newName": "z"})
    colours = wire.result("textDocument/semanticTokens/full", {"textDocument": DOCUMENT})
    selections = wire.result(
        "textDocument/selectionRange", {"textDocument": DOCUMENT, "positions": [{"line": 0, "character": 0}]}
    )

    assert [edit["newText"] for edit in edits] == [" ", " "]
    assert [edit["newText"] for edit in change["changes"][A]] == ["z", "z"]
    assert len(colours["data"]) == 15
    assert len(selections) == 1


def test_a_name_that_cannot_be_given_is_refused_in_words(wire: Wire) -> None:
    wire.initialize(ASKING)
    wire.open("x := 1\n")

    answer = wire.request("textDocument/rename", at(0, 0) | {"newName": "if"})

    assert "window/logMessage" not in wire.methods()
    assert answer["error"] == {"code": -32803, "message": "'if' is a word of the language, expected a name"}


def test_the_server_answers_while_it_colours_a_long_text(wire: Wire, monkeypatch: pytest.MonkeyPatch) -> None:
    answered, colour = threading.Event(), colouring.semantic_tokens

    def slow(snapshot: Snapshot) -> SemanticTokens:
        assert answered.wait(60)
        return colour(snapshot)

    monkeypatch.setattr(colouring, "semantic_tokens", slow)
    wire.initialize(ASKING)
    wire.open("".join(f"x{number} ~ flip(1/2)\n" for number in range(1_500)))
    wire.wait_for(lambda: (document := wire.server.documents.get(A)) is not None and document.checked is not None)

    wire.send({"id": "colours", "method": "textDocument/semanticTokens/full", "params": {"textDocument": DOCUMENT}})
    hover = wire.result("textDocument/hover", at(0, 0))
    answered.set()

    assert hover["contents"]
    assert len(wire.answer("colours")["result"]["data"]) == 1_500 * 2 * 5
