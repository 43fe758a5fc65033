"""Colours of a whole document, of a part, and what changed of them: over the wire."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from tests.server.wire import Message, Wire

from seepage_lsp.features.semantic_tokens import changes

A = "file:///a.seep"
DOCUMENT = {"textDocument": {"uri": A}}
REQUESTS = {"range": {}, "full": {"delta": True}}


def colours(**requests: Any) -> Message:
    tokens = {"requests": requests, "tokenTypes": [], "tokenModifiers": [], "formats": ["relative"]}
    return {"capabilities": {"textDocument": {"semanticTokens": tokens}}}


def applied(data: list[int], edits: list[Message]) -> list[int]:
    for edit in edits:
        start = edit["start"]
        data = [*data[:start], *edit.get("data", ()), *data[start + edit["deleteCount"] :]]
    return data


def test_only_what_changed_is_sent(wire: Wire) -> None:
    wire.initialize(colours(**REQUESTS))
    wire.open("x ~ flip(1/2)\ny := x\nz := y\n")

    first = wire.result("textDocument/semanticTokens/full", DOCUMENT)
    wire.change("x ~ flip(1/2)\ny := x\n\nlonger := x + y\nz := y\n", 2)
    delta = wire.result("textDocument/semanticTokens/full/delta", DOCUMENT | {"previousResultId": first["resultId"]})
    whole = wire.result("textDocument/semanticTokens/full", DOCUMENT)

    assert applied(first["data"], delta["edits"]) == whole["data"]
    assert delta["resultId"] == whole["resultId"] != first["resultId"]
    assert sum(len(edit["data"]) for edit in delta["edits"]) < len(whole["data"])


def test_colours_that_stay_need_no_edit(wire: Wire) -> None:
    wire.initialize(colours(**REQUESTS))
    wire.open("x := 1\n")
    first = wire.result("textDocument/semanticTokens/full", DOCUMENT)

    delta = wire.result("textDocument/semanticTokens/full/delta", DOCUMENT | {"previousResultId": first["resultId"]})

    assert delta == {"edits": [], "resultId": first["resultId"]}


def test_a_client_with_other_colours_gets_them_all(wire: Wire) -> None:
    wire.initialize(colours(**REQUESTS))
    wire.open("x := 1\n")

    delta = wire.result("textDocument/semanticTokens/full/delta", DOCUMENT | {"previousResultId": "other"})

    assert len(delta["data"]) == 5


def test_a_range_has_the_colours_of_its_lines(wire: Wire) -> None:
    wire.initialize(colours(**REQUESTS))
    wire.open("x := 1\n/* 𝒳 */ y := x\nz := 1\n")
    second = {"start": {"line": 1, "character": 0}, "end": {"line": 1, "character": 99}}

    data = wire.result("textDocument/semanticTokens/range", DOCUMENT | {"range": second})["data"]

    assert [data[at : at + 3] for at in range(0, len(data), 5)] == [[1, 9, 1], [0, 5, 1]]


def test_only_what_the_client_asks_for_is_offered(wire: Wire) -> None:
    told = wire.initialize(colours(full=True))["capabilities"]["semanticTokensProvider"]

    assert told["full"] is True
    assert not told.get("range")


def test_ranges_and_changes_are_offered_where_they_are_asked_for(wire: Wire) -> None:
    told = wire.initialize(colours(**REQUESTS))["capabilities"]["semanticTokensProvider"]

    assert told["full"] == {"delta": True}
    assert told["range"] is True


TOKENS = st.lists(st.sampled_from(((0, 1, 1, 0, 0), (1, 0, 2, 1, 1), (0, 3, 3, 2, 0))), max_size=6)


@given(TOKENS, TOKENS)
def test_changes_make_the_new_colours_of_the_old(before: list[tuple[int, ...]], after: list[tuple[int, ...]]) -> None:
    old, new = [part for one in before for part in one], [part for one in after for part in one]

    edits = [
        {"start": one.start, "deleteCount": one.delete_count, "data": list(one.data or ())} for one in changes(old, new)
    ]

    assert applied(old, edits) == new
    assert len(edits) == (old != new)
