"""Every range in every answer, in the three encodings: what it covers is what it should cover."""

from __future__ import annotations

import re
from typing import Any

import pytest
from tests.server.editor_text import area, covered, edited, position, ranges, token_texts
from tests.server.fake_workers import FakeWorkers, analysis, finding
from tests.server.wire import Wire

from seepage.syntax.printer import applied, format_text

A = "file:///a.seep"
DOCUMENT = {"textDocument": {"uri": A}}
# Names behind characters of one to four bytes, joined emoji and a combining mark.
TEXT = """\
/// 名前 👩‍👩‍👧 é e\u0301
secret r
/* 𝒳漢é */ output o
/* e\u0301 */ param n in [0, 1] = 1/2
/* 𝒳漢é */ r ~ bernoulli(n)
if true { /* 😀 */ o := r /* 漢字 */ } else { /* 👍🏽 */ o := !r }
/* 😀 */ show I(r; o)
"""
CODE = re.compile(r"\br\b(?![^*\n]*\*/)")
PLACES = [found.start() for found in CODE.finditer(TEXT)]

pytestmark = pytest.mark.conforms(16)


@pytest.fixture
def opened(agreed: Wire) -> Wire:
    agreed.open(TEXT)
    return agreed


def asked(wire: Wire, method: str, at: int, encoding: str, **more: object) -> Any:
    return wire.result(method, DOCUMENT | {"position": position(TEXT, at, encoding)} | more)


def test_places_of_a_name(opened: Wire, encoding: str) -> None:
    assert len(PLACES) == 5

    for at in PLACES:
        found = asked(opened, "textDocument/references", at, encoding, context={"includeDeclaration": True})
        marked = asked(opened, "textDocument/documentHighlight", at, encoding)
        defined = asked(opened, "textDocument/definition", at, encoding)

        for places in (found, marked):
            assert sorted(one["range"]["start"]["line"] for one in places) == [1, 4, 5, 5, 6]
            assert {covered(TEXT, one["range"], encoding) for one in places} == {"r"}
        assert {covered(TEXT, one["range"], encoding) for one in defined} == {"r"}


def test_a_name_and_its_new_name(opened: Wire, encoding: str) -> None:
    at = PLACES[3]

    prepared = asked(opened, "textDocument/prepareRename", at, encoding)
    change = asked(opened, "textDocument/rename", at, encoding, newName="truth")

    assert [covered(TEXT, one, encoding) for one in ranges([prepared])] == ["r"]
    (document,) = change["documentChanges"]
    assert edited(TEXT, document["edits"], encoding) == CODE.sub("truth", TEXT)


def test_hovers_and_selections(opened: Wire, encoding: str) -> None:
    for at in PLACES:
        hover = asked(opened, "textDocument/hover", at, encoding)
        (selection,) = opened.result(
            "textDocument/selectionRange", DOCUMENT | {"positions": [position(TEXT, at, encoding)]}
        )

        assert covered(TEXT, hover["range"], encoding) == "r"
        assert covered(TEXT, selection["range"], encoding) == "r"
        while "parent" in selection:
            inner, selection = covered(TEXT, selection["range"], encoding), selection["parent"]
            assert inner in covered(TEXT, selection["range"], encoding)
        assert covered(TEXT, selection["range"], encoding).rstrip("\n") == TEXT.rstrip("\n")


def test_the_outline(opened: Wire, encoding: str) -> None:
    symbols = opened.result("textDocument/documentSymbol", DOCUMENT)

    named = [(one["name"], covered(TEXT, one["selectionRange"], encoding)) for one in symbols]
    assert [covers for name, covers in named if name in ("r", "o", "n")] == [
        name for name, _ in named if name in ("r", "o", "n")
    ]
    assert {"r", "o", "n"} <= {name for name, _ in named}


def test_colours(opened: Wire, encoding: str) -> None:
    data = opened.result("textDocument/semanticTokens/full", DOCUMENT)["data"]

    texts = token_texts(TEXT, data, encoding)
    assert texts.count("r") == len(PLACES)
    assert texts.count("bernoulli") == 1
    assert all(one.strip() == one and one for one in texts)


def test_formatting(agreed: Wire, encoding: str) -> None:
    loose = TEXT.replace(" := ", ":=").replace(" ~ ", "  ~  ")
    agreed.open(loose)

    edits = agreed.result("textDocument/formatting", DOCUMENT | {"options": {"tabSize": 4, "insertSpaces": True}})

    assert edited(loose, edits, encoding) == applied(loose, format_text(loose).edits)


def test_findings_and_their_fixes(agreed: Wire, encoding: str) -> None:
    wrong = TEXT.replace("o := r ", "o = r ").replace("I(r; o)", "I(r; 漢o) // 漢")
    agreed.open(wrong)
    found = agreed.result("textDocument/diagnostic", DOCUMENT)["items"]

    covers = [covered(wrong, one["range"], encoding) for one in found if one["severity"] == 1]
    assert any("=" in one for one in covers)

    at = wrong.index("o = r")
    context = {"diagnostics": [], "triggerKind": 1}
    actions = agreed.result(
        "textDocument/codeAction", DOCUMENT | {"range": area(wrong, at, at + 5, encoding), "context": context}
    )
    fixed = [edited(wrong, one["edit"]["documentChanges"][0]["edits"], encoding) for one in actions if one.get("edit")]
    assert wrong.replace("o = r", "o := r") in fixed


def test_findings_of_an_analysis(opened: Wire, workers: FakeWorkers, encoding: str) -> None:
    at = TEXT.index("o := r")
    opened.wait_for(lambda: workers.futures)

    workers.finish(analysis(finding("here", at, at + 6)))
    opened.wait_new("workspace/diagnostic/refresh")

    found = opened.result("textDocument/diagnostic", DOCUMENT)["items"]
    assert [covered(TEXT, one["range"], encoding) for one in found if one["message"] == "here"] == ["o := r"]


def test_an_edit_inside_a_character_is_one_at_its_start(opened: Wire, encoding: str) -> None:
    within = position(TEXT, TEXT.index("😀"), encoding)
    units = {"utf-8": 3, "utf-16": 1, "utf-32": 0}[encoding]
    within["character"] += units
    change = {"range": {"start": within, "end": within}, "text": "漢"}

    opened.notify("textDocument/didChange", {"textDocument": {"uri": A, "version": 2}, "contentChanges": [change]})
    opened.settle()

    document = opened.server.documents.get(A)
    assert document is not None
    assert document.lines.text == TEXT.replace("😀", "漢😀", 1)
