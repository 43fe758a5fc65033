"""Formatting while typing, in a text with a bar where the cursor stands."""

from __future__ import annotations

import pytest
from tests.server.snapshots import snapshot
from tests.server.wire import Wire

from seepage_lsp.features.on_type import on_type_formatting
from seepage_lsp.positions import Encoding, Lines


def typed(marked: str, encoding: Encoding = Encoding.UTF16) -> str:
    """Return the text after the edits for what stands before the bar was typed."""
    at = marked.index("|")
    text = marked.replace("|", "", 1)
    lines = Lines.of(text, encoding)
    seen = snapshot(text, encoding=encoding)
    for edit in sorted(
        on_type_formatting(seen, lines.position(at), text[at - 1]), key=lambda one: lines.offset(one.range.start)
    )[::-1]:
        span = lines.span(edit.range)
        text = text[: span.start] + edit.new_text + text[span.end :]
    return text


@pytest.mark.parametrize("encoding", list(Encoding))
def test_a_line_is_formatted_when_it_is_ended(encoding: Encoding) -> None:
    assert typed("/* 𝒳 */ x:=1\n|\ny:=2\n", encoding) == "/* 𝒳 */ x := 1\n\ny:=2\n"


def test_the_line_that_is_begun_is_indented_as_deep_as_its_block() -> None:
    assert typed("for i in 1..3 {\n|\n}\n") == "for i in 1..3 {\n    \n}\n"
    assert typed("for i in 1..3 {\n|}\n") == "for i in 1..3 {\n}\n"
    assert typed("if a { // {\n|x := 1\n}\n").splitlines()[1] == "    x := 1"


def test_a_block_is_formatted_when_it_is_closed() -> None:
    before = "x:=1\nfor i in 1..3 {\ny:=i\nif y==1{\nz:=2\n}\n}|\nw:=3\n"

    assert typed(before) == ("x:=1\nfor i in 1..3 {\n    y := i\n    if y == 1 {\n        z := 2\n    }\n}\nw:=3\n")


@pytest.mark.parametrize(
    "marked",
    [
        "// a }|\nx:=1\n",
        "}|\nx:=1\n",
        "/* a\n|b */ x := 1\n",
        "x ~ normal(\n|1, 2)\n",
        "|\n",
    ],
)
def test_nothing_is_done_where_nothing_is_ended(marked: str) -> None:
    assert typed(marked) == marked.replace("|", "", 1)


def test_line_ends_stay_as_they_are() -> None:
    assert typed("x:=1\r\n|\r\ny := 2\r\n") == "x := 1\r\n\r\ny := 2\r\n"


def test_it_is_offered_for_braces_and_line_ends(wire: Wire) -> None:
    told = wire.initialize()["capabilities"]["documentOnTypeFormattingProvider"]

    assert told == {"firstTriggerCharacter": "}", "moreTriggerCharacter": ["\n"]}
    wire.open("x:=1\n")
    asked = {"textDocument": {"uri": "file:///a.seep"}, "position": {"line": 1, "character": 0}, "ch": "\n"}
    options = {"options": {"tabSize": 4, "insertSpaces": True}}
    edits = wire.result("textDocument/onTypeFormatting", asked | options)
    assert [edit["newText"] for edit in edits] == [" ", " "]
