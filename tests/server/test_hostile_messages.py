"""Messages that no editor sends: places outside of the text, values of wrong kinds, documents that nobody opened. Each is answered, and the server goes on."""

from __future__ import annotations

import json

import pytest
from tests.hostile_texts import TEXTS
from tests.server.wire import Wire

OPEN = "file:///a.seep"
TEXT = "secret s\noutput o\ns ~ bernoulli(1/2)\no := s\nshow I(s; o)\n"
PLACES = [-1, 0, 2**31 - 1, 2**31, 2**53, 10**30, 1.5, "1", None, True, [], {}]
STRANGERS = ["file:///closed.seep", "untitled:x", "", "http://[", "file:///%zz%00"]
REQUESTS = [
    *("hover", "completion", "definition", "references", "documentHighlight", "signatureHelp", "prepareRename"),
    *("rename", "inlayHint", "semanticTokens/range", "codeAction", "selectionRange", "foldingRange", "codeLens"),
    *("documentSymbol", "documentLink", "diagnostic", "semanticTokens/full", "semanticTokens/full/delta", "formatting"),
]
REFUSED = {-32602, -32601, -32803, -32600}  # wrong parameters, unknown method, request failed, invalid request
SETTINGS: list[object] = [
    *(None, 5, [], {"seepage": None}, {"seepage": {"timeLimit": 10**400}}, {"seepage": {"timeLimit": -1e308}}),
    {"seepage": {"a": json.loads("[" * 300 + "]" * 300)}},
    {"seepage": {"rules": {"SEEP101": {"a": 1}}}},
    {"seepage": {"parameters": {"p": "9" * 100_000}}},
]


def code(ready: Wire, method: str, uri: str, value: object) -> int:
    place = {"line": value, "character": value}
    answer = ready.request(
        f"textDocument/{method}",
        {
            "textDocument": {"uri": uri},
            "position": place,
            "range": {"start": place, "end": {"line": 0, "character": 0}},
            "positions": [place] * 3,
            "newName": "x",
            "context": {"diagnostics": [], "includeDeclaration": True},
            "options": {"tabSize": value, "insertSpaces": True},
            "previousResultId": "none",
        },
    )
    return int(answer["error"]["code"]) if "error" in answer else 0


def still_works(ready: Wire) -> None:
    ready.open("o := 1\n", "file:///b.seep")
    symbols = ready.result("textDocument/documentSymbol", {"textDocument": {"uri": "file:///b.seep"}})
    assert [one["name"] for one in symbols] == ["o"]


@pytest.mark.parametrize("method", REQUESTS)
def test_places_that_are_none_are_answered(ready: Wire, method: str) -> None:
    ready.open(TEXT, OPEN)
    codes = {code(ready, method, OPEN, value) for value in PLACES}

    assert codes <= REFUSED | {0}, codes
    still_works(ready)


@pytest.mark.parametrize("uri", STRANGERS)
def test_documents_that_nobody_opened_are_answered(ready: Wire, uri: str) -> None:
    codes = {code(ready, method, uri, 0) for method in REQUESTS}

    assert codes <= REFUSED | {0}, codes
    still_works(ready)


def test_edits_that_are_none_leave_the_text(ready: Wire) -> None:
    """A place past the end is the end, as the protocol says; all others are no changes."""
    ready.open(TEXT, OPEN)
    wrong = [
        {"range": {"start": {"line": value, "character": value}, "end": {"line": 0, "character": 0}}, "text": "x"}
        for value in PLACES
        if value != 0 and value != 2**31 - 1
    ]
    for change in (*wrong, {"text": 5}, {"range": None, "text": "a"}, {}):
        document = {"uri": OPEN, "version": 2}
        ready.notify("textDocument/didChange", {"textDocument": document, "contentChanges": [change]})
    ready.settle()

    opened = ready.server.documents.get(OPEN)
    assert opened is not None
    assert opened.lines.text == TEXT
    still_works(ready)


def test_settings_and_files_that_are_none_are_survived(ready: Wire) -> None:
    for settings in SETTINGS:
        ready.notify("workspace/didChangeConfiguration", {"settings": settings})
    strange = [{"uri": "file:///%00", "type": 1}, {"uri": "none", "type": 9}]
    ready.notify("workspace/didChangeWatchedFiles", {"changes": strange})
    folders = {"added": [{"uri": "", "name": ""}], "removed": [{"uri": "none", "name": "q"}]}
    ready.notify("workspace/didChangeWorkspaceFolders", {"event": folders})
    ready.shut("file:///never.seep")

    still_works(ready)


def test_a_document_that_was_closed_is_asked_and_opened_again(ready: Wire) -> None:
    ready.open(TEXT, OPEN)
    ready.shut(OPEN)
    ready.change("x", 3, OPEN)

    assert {code(ready, method, OPEN, 0) for method in REQUESTS} <= REFUSED | {0}
    ready.open(TEXT, OPEN)
    assert ready.result("textDocument/documentSymbol", {"textDocument": {"uri": OPEN}})


@pytest.mark.family(every=3)
@pytest.mark.parametrize("name", TEXTS)
def test_texts_that_mean_harm_are_answered_by_every_request(ready: Wire, name: str) -> None:
    ready.open(TEXTS[name], OPEN)

    for method in REQUESTS:
        assert {code(ready, method, OPEN, value) for value in (0, 3)} <= REFUSED | {0}, method

    still_works(ready)
