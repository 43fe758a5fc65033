"""What the server makes of documents: line ends, odd texts, changes, addresses; in the three encodings where places matter."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest
from tests.server.conformance.conftest import capable
from tests.server.editor_text import area, changed, covered, edited, position
from tests.server.fake_workers import FakeWorkers
from tests.server.raw_client import raw_client
from tests.server.wire import Message, Wire

A = "file:///a.seep"
DOCUMENT = {"textDocument": {"uri": A}}
FORMAT = DOCUMENT | {"options": {"tabSize": 4, "insertSpaces": True}}


def text_of(wire: Wire, uri: str = A) -> str:
    wire.settle()
    document = wire.server.documents.get(uri)
    assert document is not None
    return document.lines.text


def change(wire: Wire, version: int, *changes: Message, uri: str = A) -> None:
    params = {"textDocument": {"uri": uri, "version": version}, "contentChanges": list(changes)}
    wire.notify("textDocument/didChange", params)


def found_in(wire: Wire, uri: str = A) -> list[Message]:
    items: list[Message] = wire.result("textDocument/diagnostic", {"textDocument": {"uri": uri}})["items"]
    return items


@pytest.mark.conforms(17)
@pytest.mark.parametrize("lookalike", ["\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\x1c", "\x1d", "\x1e"])
def test_what_looks_like_a_line_end_puts_nothing_out_of_step(agreed: Wire, encoding: str, lookalike: str) -> None:
    text = f"// 漢{lookalike}b\r// c\r\n// d\n漢 := z1\n"
    agreed.open(text)

    at = text.index("z1")
    finding = next(one for one in found_in(agreed) if one["severity"] == 1)
    assert finding["range"]["start"]["line"] == 3
    change(agreed, 2, {"range": area(text, at, at + 2, encoding), "text": "😀"})

    assert text_of(agreed) == text.replace("z1", "😀")


@pytest.mark.conforms(18)
def test_carriage_returns_are_kept_by_edits_and_by_formatting(agreed: Wire, encoding: str) -> None:
    text = (
        "secret r // 漢\r\nr  ~  flip(1/2)\r\n\r\n\r\n\r\nif true { // 😀\r\no:=r } else { o:=!r }\r\nshow H(r)   \r\n"
    )
    agreed.open(text)
    at = text.index("1/2")
    edit = {"range": area(text, at, at + 3, encoding), "text": "1/3) // 漢\r\nq ~ flip(1/4"}
    change(agreed, 2, edit)

    present = changed(text, [edit], encoding)
    edits = agreed.result("textDocument/formatting", FORMAT)
    neat = edited(present, edits, encoding)

    assert text_of(agreed) == present
    assert edits
    assert neat.count("\n") == neat.count("\r\n") > 5
    assert "\r\r" not in neat


@pytest.mark.conforms(18)
def test_fixes_keep_carriage_returns(agreed: Wire, encoding: str) -> None:
    text = "secret r // 漢\r\nr ~ flip(1/2)\r\n/* 😀 */ x = r\r\noutput x\r\n"
    agreed.open(text)
    at = text.index("x = r")
    params = DOCUMENT | {"range": area(text, at, at + 5, encoding), "context": {"diagnostics": []}}

    actions = agreed.result("textDocument/codeAction", params)

    fixed = [edited(text, one["edit"]["documentChanges"][0]["edits"], encoding) for one in actions if one.get("edit")]
    assert text.replace("x = r", "x := r") in fixed
    assert all(one.count("\n") == one.count("\r\n") for one in fixed)


@pytest.mark.conforms(19)
@pytest.mark.parametrize("text", ["", "\n", "\r\n", "x := 1 // 漢😀", "x := 1\n// 漢😀"])
def test_places_past_the_end_are_moved_to_it(agreed: Wire, encoding: str, text: str) -> None:
    agreed.open(text)
    far = {"line": 2**31 - 1, "character": 2**31 - 1}
    for method in ("hover", "definition", "completion", "documentHighlight", "signatureHelp"):
        agreed.result(f"textDocument/{method}", DOCUMENT | {"position": far})
    beyond = {"line": 0, "character": 2**31 - 1}
    first_line = text.split("\r")[0].split("\n")[0]

    change(
        agreed,
        2,
        {"range": {"start": beyond, "end": beyond}, "text": "!"},
        {"range": {"start": far, "end": far}, "text": "?"},
    )

    assert text_of(agreed) == first_line + "!" + text[len(first_line) :] + "?"


@pytest.mark.conforms(20)
def test_changes_of_one_notification_count_from_the_result_of_the_one_before(agreed: Wire, encoding: str) -> None:
    text = "// 😀漢\r\n// é\n"
    agreed.open(text)
    first = {"range": area(text, 4, 5, encoding), "text": "𝒳\r漢\n"}
    after = changed(text, [first], encoding)
    second = {"range": area(after, 5, len(after), encoding), "text": "e\u0301"}
    whole = {"text": "// 漢字"}
    last = {"range": area("// 漢字", 3, 4, encoding), "text": "😀"}

    change(agreed, 2, first, second)
    assert text_of(agreed) == after[:5] + "e\u0301"
    change(agreed, 3, first, whole, last)
    assert text_of(agreed) == "// 😀字"


@pytest.mark.conforms(20)
def test_a_range_that_is_given_backwards_is_turned_round(agreed: Wire, encoding: str) -> None:
    text = "// 😀漢"
    agreed.open(text)
    ends = {"start": position(text, 5, encoding), "end": position(text, 3, encoding)}

    change(agreed, 2, {"range": ends, "text": "x"})

    assert text_of(agreed) == "// x"


@pytest.mark.conforms(24)
def test_the_open_text_counts_and_not_the_file(faked: Wire, workers: FakeWorkers, tmp_path: Path) -> None:
    file = tmp_path / "a.seep"
    file.write_text("this is no program", encoding="utf-8")
    faked.initialize(capable("utf-16"))
    faked.open("secret r\nr ~ flip(1/2)\n", file.as_uri())
    faked.wait_for(lambda: workers.futures)

    assert [one for one in found_in(faked, file.as_uri()) if one["severity"] == 1] == []
    file.unlink()
    faked.save(file.as_uri())
    assert [one for one in found_in(faked, file.as_uri()) if one["severity"] == 1] == []


@pytest.mark.conforms(25)
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("file:///C:/a%20b.seep", "file:///c%3A/a b.seep"),
        ("file:///d/%C3%BC%E6%BC%A2.seep", "file:///d/ü漢.seep"),
        ("untitled:Untitled-1", "untitled:Untitled%2D1"),
    ],
)
def test_spellings_of_an_address_are_one_document(faked: Wire, one: str, other: str) -> None:
    faked.initialize(capable("utf-16"))
    faked.open("y := (", one)

    change(faked, 2, {"text": "z := ("}, uri=other)

    assert text_of(faked, one) == "z := ("
    asked: dict[str, Any] = {"position": {"line": 0, "character": 0}}
    for uri in (one, other):
        defined = faked.result("textDocument/definition", {"textDocument": {"uri": uri}} | asked)
        assert [place["uri"] for place in defined] == [one] * len(defined)


@pytest.mark.conforms(26)
@pytest.mark.parametrize(
    "text",
    ["x := 1 // 漢\n" * 160_000, "// " + "😀" * 260_000, "x := 1" + " + 1" * 250_000],
    ids=["file", "line", "sum"],
)
def test_huge_texts_are_told_by_an_information_and_the_server_answers(text: str) -> None:
    with raw_client() as client:
        client.initialize()
        client.open(text)
        found = client.wait(method="textDocument/publishDiagnostics", seconds=60)["params"]["diagnostics"]
        client.send(
            {
                "method": "textDocument/didChange",
                "params": {
                    "textDocument": {"uri": "untitled:a", "version": 2},
                    "contentChanges": [{"range": area("", 0, 0, "utf-16"), "text": "!"}],
                },
            }
        )
        started = time.monotonic()
        for number, method in enumerate(("hover", "completion", "definition"), start=1):
            place = {"textDocument": {"uri": "untitled:a"}, "position": {"line": 0, "character": 1}}
            assert "error" not in client.request(number, f"textDocument/{method}", place)

        assert [(one["code"], one["severity"]) for one in found] == [("SEEP981", 3)]
        assert time.monotonic() - started < 60  # hundreds of times what it takes


@pytest.mark.family(every=4)
@pytest.mark.conforms(27)
@pytest.mark.parametrize(
    "text",
    [
        "x := " + "(" * 10_000 + "1" + ")" * 10_000,
        "x := " + "(" * 10_000,
        "if true { " * 10_000 + "}" * 10_000,
        "x := " + "f(" * 9_000 + "1" + ")" * 9_000,
        "x := " + "!" * 10_000 + "true",
        "x := " + "2^" * 9_000 + "1",
        "x := " + "1 if true else " * 1_300 + "2",
    ],
    ids=["parentheses", "open parentheses", "blocks", "calls", "not", "powers", "conditions"],
)
def test_nesting_is_a_finding(agreed: Wire, encoding: str, text: str) -> None:
    agreed.open(text)
    log_before = agreed.methods().count("window/logMessage")

    while not (found := found_in(agreed)):  # the long ones are checked beside
        agreed.wait_for(lambda: (document := agreed.server.documents.get(A)) is not None and document.is_checked)

    assert all(one["code"].startswith("SEEP") for one in found)
    for method in ("foldingRange", "documentSymbol", "semanticTokens/full"):
        agreed.result(f"textDocument/{method}", DOCUMENT)
    agreed.result("textDocument/formatting", FORMAT)
    agreed.result("textDocument/selectionRange", DOCUMENT | {"positions": [position(text, len(text) // 2, encoding)]})
    agreed.result("textDocument/hover", DOCUMENT | {"position": position(text, len(text) // 2, encoding)})
    assert agreed.methods().count("window/logMessage") == log_before


@pytest.mark.conforms(28)
@pytest.mark.parametrize("mark", ["\ufeff", "\0", "\t", "\u202e", "\u200f", "\u2066"])
def test_marks_count_like_other_characters(agreed: Wire, encoding: str, mark: str) -> None:
    text = f"{mark}// 漢{mark}\n{mark}x := z1{mark} // 😀\n"
    agreed.open(text)

    errors = [one for one in found_in(agreed) if one["severity"] == 1]
    assert errors
    at = text.index("z1")
    change(agreed, 2, {"range": area(text, at, at + 2, encoding), "text": "1"})

    assert text_of(agreed) == text.replace("z1", "1")
    covers = {covered(text, one["range"], encoding) for one in errors}
    # Where the mark itself is no part of the language, that may be the first error; else it is the name.
    assert covers & {"z1", mark}
