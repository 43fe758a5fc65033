"""Open documents: their names, their changes, and texts of any kind."""

from __future__ import annotations

from typing import Any

import pytest
from tests.server.fake_workers import FakeWorkers, analysis, finding
from tests.server.scheduled import GOOD, A, messages, start, until_published, until_running
from tests.server.wire import Wire

from seepage_lsp.positions import Encoding, Lines
from seepage_lsp.workspace import LONGEST_KEPT


@pytest.mark.conforms(32)
def test_closing_stops_the_analysis_and_clears_the_findings(faked: Wire, workers: FakeWorkers) -> None:
    start(faked)
    until_running(faked, workers, 1)
    workers.finish(analysis(finding("found by running")))
    until_published(faked, 1, "found by running")
    faked.change(GOOD + "//", 2)
    faked.save()
    until_running(faked, workers, 2)

    faked.shut()
    faked.wait_for(lambda: workers.futures[1].cancelled())

    assert faked.published()[-1] == {"uri": A, "diagnostics": []}


@pytest.mark.conforms(21)
def test_a_message_about_a_document_that_is_not_open_is_ignored(faked: Wire, workers: FakeWorkers) -> None:
    faked.initialize()
    before = len(faked.received)

    faked.change("x", 2)
    faked.save()
    faked.shut()
    faked.settle()

    assert len(faked.received) == before + 1
    assert workers.jobs == []


@pytest.mark.conforms(22)
def test_opening_twice_replaces_the_document(faked: Wire, workers: FakeWorkers) -> None:
    start(faked)
    until_running(faked, workers, 1)

    faked.open(GOOD + "// again", version=7)
    until_running(faked, workers, 2)

    assert workers.futures[0].cancelled()
    assert workers.jobs[1].source.version == 7


@pytest.mark.conforms(32)
def test_a_rename_moves_the_findings(faked: Wire, workers: FakeWorkers) -> None:
    start(faked, text="y := (")
    until_published(faked, 1)

    faked.shut()
    faked.open("y := (", "file:///b.seep")
    faked.wait_for(lambda: faked.published("file:///b.seep"))

    assert faked.published()[-1]["diagnostics"] == []
    assert faked.published("file:///b.seep")[-1]["diagnostics"]


@pytest.mark.conforms(24)
@pytest.mark.parametrize(
    "uri", ["untitled:Untitled-1", "vscode-vfs://github/o/r/a.seep", "file:///c%3A/My%20Files/%C3%BC.seep", "weird"]
)
def test_any_scheme_is_answered_in_its_own_spelling_without_touching_the_disk(
    faked: Wire, workers: FakeWorkers, uri: str
) -> None:
    faked.initialize()
    faked.open(GOOD, uri)
    until_running(faked, workers, 1)

    workers.finish(analysis(finding("found by running")))
    faked.wait_for(lambda: any("found by running" in messages(one) for one in faked.published(uri)))

    assert workers.jobs[0].source.text == GOOD


@pytest.mark.conforms(25)
def test_two_spellings_of_a_uri_are_one_document(faked: Wire, workers: FakeWorkers) -> None:
    faked.initialize()
    faked.open(GOOD, "file:///c%3A/a%20b.seep")

    faked.change("y := (", 2, "file:///C:/a b.seep")
    faked.wait_for(lambda: any(one["version"] == 2 for one in faked.published("file:///c%3A/a%20b.seep")))


@pytest.mark.conforms(20)
def test_changes_in_one_notification_apply_one_after_the_other(faked: Wire, workers: FakeWorkers) -> None:
    faked.initialize()
    faked.open("a\r\nb😀c", "untitled:a")

    def change(start: tuple[int, int], end: tuple[int, int], text: str) -> dict[str, Any]:
        places = [{"line": line, "character": character} for line, character in (start, end)]
        return {"range": {"start": places[0], "end": places[1]}, "text": text}

    changes = [
        change((1, 1), (1, 3), "xy"),
        change((1, 3), (1, 3), "\r\nnew"),
        {"text": "whole"},
        change((0, 5), (9, 9), "!"),
    ]
    params = {"textDocument": {"uri": "untitled:a", "version": 2}, "contentChanges": changes[:2]}
    faked.notify("textDocument/didChange", params)
    faked.settle()
    document = faked.server.documents.get("untitled:a")
    assert document is not None
    first = document.lines.text
    faked.notify("textDocument/didChange", params | {"contentChanges": changes[2:]})
    faked.settle()

    assert first == "a\r\nbxy\r\nnewc"
    assert document.lines.text == "whole!"


@pytest.mark.conforms(26)
def test_a_text_that_is_too_long_is_told_and_left_alone(faked: Wire, workers: FakeWorkers) -> None:
    start(faked, text="x" * 2_000_000)

    published = until_published(faked, 1)
    faked.save()
    faked.settle()

    assert [(one["code"], one["severity"]) for one in published["diagnostics"]] == [("SEEP981", 3)]
    assert workers.jobs == []
    assert faked.lenses() == []


def test_a_text_past_what_is_kept_is_refused_before_anything_is_indexed(
    faked: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    indexed: list[int] = []
    real = Lines.of

    def noted(text: str, encoding: Encoding) -> Lines:
        indexed.append(len(text))
        return real(text, encoding)

    monkeypatch.setattr(Lines, "of", noted)
    start(faked, text="\n" * (LONGEST_KEPT + 1))
    until_published(faked, 1)
    document = faked.server.documents.get("file:///a.seep")
    assert document is not None

    def hovered() -> str:
        asked = {"textDocument": {"uri": "file:///a.seep"}, "position": {"line": 7, "character": 0}}
        told: str = faked.result("textDocument/hover", asked)["contents"]["value"]
        return told

    assert hovered() == "this text has more than 2,000,000 characters; an editor checks up to 200,000"
    faked.change("x" * 1_000_000, 2)
    assert hovered() == "this text has 1,000,000 characters; an editor checks up to 200,000"
    place = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}
    for version in (3, 4, 5):
        params = {"textDocument": {"uri": "file:///a.seep", "version": version}}
        grown = [{"range": place, "text": "\n" * 900_000}]
        faked.notify("textDocument/didChange", params | {"contentChanges": grown})
    faked.settle()
    assert document.refused
    assert document.lines.text == ""
    assert max(indexed) <= LONGEST_KEPT
    faked.change("x := 1\n", 6)
    faked.settle()
    assert not document.is_too_long
    assert document.check() is not None


@pytest.mark.conforms(19, 27, 28)
@pytest.mark.parametrize(
    "text",
    [
        "x := " + "(" * 10_000 + "1" + ")" * 10_000,
        "if true { " * 10_000 + "}" * 10_000,
        "x := " + "-" * 10_000 + "1",
        "x := " + "1 + " * 10_000 + "1",
        "\ufeffx := 1\0\t\u202e",
        "",
        "\r",
        "x\ud83d := 1 // \udc00",
        "x := 1 // no final newline",
    ],
    ids=[
        "parentheses",
        "blocks",
        "minus",
        "sum",
        "marks",
        "empty",
        "one line end",
        "half surrogates",
        "no final newline",
    ],
)
def test_any_text_gets_an_answer(faked: Wire, workers: FakeWorkers, text: str) -> None:
    start(faked, text=text)

    published = until_published(faked, 1)

    assert isinstance(published["diagnostics"], list)
    assert faked.result("textDocument/documentSymbol", {"textDocument": {"uri": A}}) is not None


@pytest.mark.conforms(16)
def test_places_are_where_the_findings_are(faked: Wire, workers: FakeWorkers) -> None:
    text = "/* 𝒳 */ secret r\nr ~ flip(1/2)"
    start(faked, text=text)
    until_running(faked, workers, 1)

    workers.finish(analysis(finding("here", 8, 14)))
    (here,) = [one for one in until_published(faked, 1, "here")["diagnostics"] if one["message"] == "here"]

    assert here["range"] == {"start": {"line": 0, "character": 9}, "end": {"line": 0, "character": 15}}
