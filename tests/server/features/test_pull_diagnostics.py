"""Findings for clients that ask: of a document, of all open ones, and only what is new."""

from __future__ import annotations

import pytest
from lsprotocol import types
from tests.server.snapshots import snapshot
from tests.server.wire import Message, Wire

from seepage_lsp.client import Client
from seepage_lsp.features.diagnostics import diagnostics, report

A, B = "file:///a.seep", "file:///b.seep"
PULLING: Message = {
    "capabilities": {"textDocument": {"diagnostic": {}}, "workspace": {"diagnostics": {"refreshSupport": True}}}
}


def pull(wire: Wire, previous: str | None = None, uri: str = A) -> Message:
    params = {"textDocument": {"uri": uri}} | ({} if previous is None else {"previousResultId": previous})
    found: Message = wire.result("textDocument/diagnostic", params)
    return found


def pull_all(wire: Wire, **known: str) -> list[Message]:
    previous = [{"uri": uri, "value": value} for uri, value in ((A, known.get("a")), (B, known.get("b"))) if value]
    found: list[Message] = wire.result("workspace/diagnostic", {"previousResultIds": previous})["items"]
    return found


def test_both_ways_of_asking_are_offered(wire: Wire) -> None:
    told = wire.initialize(PULLING)["capabilities"]["diagnosticProvider"]

    assert told == {"interFileDependencies": True, "workspaceDiagnostics": True}


def test_findings_that_the_client_has_are_not_sent_again(wire: Wire) -> None:
    wire.initialize(PULLING)
    wire.open("x := y\n")

    first = pull(wire)
    wire.change("x := y  // a comment changes no finding\n", 2)
    second = pull(wire, first["resultId"])
    wire.change("z := 1\n\nx := y\n", 3)
    third = pull(wire, second["resultId"])

    assert first["kind"] == "full"
    assert [one["code"] for one in first["items"]] == ["SEEP101"]
    assert second == {"kind": "unchanged", "resultId": first["resultId"]}
    assert third["kind"] == "full"
    assert third["items"][-1]["range"]["start"]["line"] == 2


def test_findings_of_a_long_text_are_those_of_the_present_text_at_each_key_press(wire: Wire) -> None:
    """Such a text is checked beside the loop: an answer before that would take all findings, lenses and hints away."""
    lines = "".join(f"x{number} ~ flip(1/2)\n" for number in range(1_500))
    wire.initialize(PULLING)
    wire.open(lines + "y := (")
    question = {"textDocument": {"uri": A}}

    for version in (2, 3, 4):
        wire.change(lines + "show E(x1)\n" + "z := 1\n" * version + "y := (", version)
        (found,) = pull(wire)["items"]
        wire.change(lines + "show E(x1)\n\n" + "z := 1\n" * version + "y := (", version + 10)
        lenses = wire.result("textDocument/codeLens", question)
        ((_, again),) = [(one["uri"], one["items"]) for one in pull_all(wire)]

        assert found["range"]["start"]["line"] == 1_501 + version
        assert [one["range"]["start"]["line"] for one in again] == [1_502 + version]
        assert {one["range"]["start"]["line"] for one in lenses} == {1_500}


def test_an_id_of_something_else_is_no_reason_to_send_nothing(wire: Wire) -> None:
    wire.initialize(PULLING)
    wire.open("x := y\n")

    assert pull(wire, "from elsewhere")["kind"] == "full"


def test_the_workspace_is_what_is_open(wire: Wire) -> None:
    wire.initialize(PULLING)
    wire.open("x := y\n", A)
    wire.open("x := 1 + z\n", B, version=7)

    both = pull_all(wire)
    again = pull_all(wire, a=both[0]["resultId"], b="older")
    wire.shut(A)
    closed = pull_all(wire, a=both[0]["resultId"], b=both[1]["resultId"])

    assert [(one["uri"], one["version"], len(one["items"])) for one in both] == [(A, 1, 1), (B, 7, 1)]
    assert [one["kind"] for one in again] == ["unchanged", "full"]
    assert [(one["uri"], one["kind"], one.get("items")) for one in closed] == [(B, "unchanged", None), (A, "full", [])]


def test_nothing_is_sent_about_a_closed_document_that_had_no_findings(wire: Wire) -> None:
    wire.initialize(PULLING)
    wire.open("x ~ flip(1/2)\nshow H(x)\n")
    (clean,) = pull_all(wire)
    wire.shut()

    assert clean["items"] == []
    assert pull_all(wire, a=clean["resultId"]) == []


def test_clients_that_do_not_ask_are_offered_nothing(ready: Wire) -> None:
    assert ready.request("workspace/diagnostic", {"previousResultIds": []})["error"]["code"] == -32601


@pytest.mark.parametrize(
    ("client", "href"),
    [
        (Client(links=True, documentation="https://docs.example/d.html"), "https://docs.example/d.html#SEEP101"),
        (Client(links=True), None),
        (Client(documentation="https://docs.example/d.html"), None),
    ],
    ids=["both", "no address", "not shown"],
)
def test_a_code_links_to_its_explanation_only_where_its_address_is_known(client: Client, href: str | None) -> None:
    (found,) = diagnostics(snapshot("x := y\n"), client)

    assert (found.code_description and found.code_description.href) == href


def test_the_address_comes_from_the_client_and_must_be_one(wire: Wire) -> None:
    shown = {"capabilities": {"textDocument": {"publishDiagnostics": {"codeDescriptionSupport": True}}}}
    wire.initialize(shown | {"initializationOptions": {"documentation": "javascript:alert(1)"}})

    assert wire.server.client.documentation == ""


def test_a_report_of_nothing_open_is_empty() -> None:
    found = report(None, Client(), None)

    assert isinstance(found, types.RelatedFullDocumentDiagnosticReport)
    assert found.items == []
