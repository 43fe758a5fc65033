"""Nine real editors, by the parameters that they send with ``initialize``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.server.fake_workers import FakeWorkers, analysis
from tests.server.wire import Message, Wire

from seepage.diagnostics import Diagnostic, Edit, Fix, Label, Tag
from seepage.rules import UNDEFINED_VALUE
from seepage.source import Span
from seepage_lsp.positions import Encoding, units

CLIENTS = sorted(Path(__file__).parent.joinpath("clients").glob("*.json"))
A = "file:///a.seep"
TEXT = "secret r\n/* 𝒳漢é */ r ~ flip(1/2)\n"
START = TEXT.index("r ~")
FINDING = Diagnostic(
    UNDEFINED_VALUE,
    Span(START, START + 1),
    "found by running",
    labels=(Label(Span(0, 6), "declared here"),),
    fixes=(Fix("repair", (Edit(Span(START, START + 1), "s"),)),),
    tags=(Tag.UNNECESSARY,),
)


def test_all_nine_are_here() -> None:
    assert len(CLIENTS) == 9


@pytest.mark.conforms(38)
@pytest.mark.parametrize("path", CLIENTS, ids=lambda path: path.stem)
def test_a_session_keeps_to_what_the_client_can_do(faked: Wire, workers: FakeWorkers, path: Path) -> None:
    params: dict[str, Any] = json.loads(path.read_text())
    capabilities = params["capabilities"]
    told_encoding = next(iter(capabilities.get("general", {}).get("positionEncodings", [])), "utf-16")
    # lsp-mode says nothing of it and counts code points, as its session in tests/editors shows.
    encoding = "utf-32" if path.stem.startswith("lsp-mode") else told_encoding
    faked.server.scheduler.work_done.blink = 0.01

    told = faked.initialize(params | {"processId": None})["capabilities"]
    faked.open(TEXT)
    faked.wait_for(lambda: workers.futures)
    character = units(TEXT.splitlines()[1][: START - 9], Encoding(encoding))
    place = {"line": 1, "character": character}
    hover = faked.result("textDocument/hover", {"textDocument": {"uri": A}, "position": place})
    workers.finish(analysis(FINDING))
    if "diagnosticProvider" in told:
        faked.wait_new("workspace/diagnostic/refresh")
        items = faked.result("textDocument/diagnostic", {"textDocument": {"uri": A}})["items"]
        found = _finding(items)
    else:
        found = faked.wait_for(lambda: _finding([one for each in faked.published() for one in each["diagnostics"]]))
    assert found is not None
    within = {"start": place, "end": place}
    actions = faked.result(
        "textDocument/codeAction", {"textDocument": {"uri": A}, "range": within, "context": {"diagnostics": []}}
    )
    symbols = faked.result("textDocument/documentSymbol", {"textDocument": {"uri": A}})
    faked.settle()

    assert told["positionEncoding"] == told_encoding
    assert found["range"]["start"] == place
    text = capabilities["textDocument"]
    assert hover["contents"]["kind"] == ("markdown" if "markdown" in text["hover"]["contentFormat"] else "plaintext")
    assert ("relatedInformation" in found) == bool(text["publishDiagnostics"].get("relatedInformation"))
    assert ("declared here" in found["message"]) != ("relatedInformation" in found)
    assert ("tags" in found) == (1 in text["publishDiagnostics"].get("tagSupport", {}).get("valueSet", []))
    assert [action["title"] for action in actions if action["kind"] == "quickfix"] == ["repair"]
    workspace = capabilities["workspace"]
    assert ("documentChanges" in actions[0]["edit"]) == bool(workspace.get("workspaceEdit", {}).get("documentChanges"))
    assert ("selectionRange" in symbols[0]) == bool(
        text.get("documentSymbol", {}).get("hierarchicalDocumentSymbolSupport")
    )
    assert ("inlayHintProvider" in told) == bool(text.get("inlayHint"))
    asked = set(faked.methods())
    refreshed = bool(workspace.get("inlayHint", {}).get("refreshSupport"))
    assert ("workspace/inlayHint/refresh" in asked) == (refreshed and "inlayHintProvider" in told)
    assert ("workspace/codeLens/refresh" in asked) == bool(workspace.get("codeLens", {}).get("refreshSupport"))
    assert ("workspace/diagnostic/refresh" in asked) == ("diagnosticProvider" in told)
    assert ("workspace/configuration" in asked) == bool(workspace.get("configuration"))
    assert ("textDocument/publishDiagnostics" in asked) != ("diagnosticProvider" in told)
    if not capabilities.get("window", {}).get("workDoneProgress"):
        assert "window/workDoneProgress/create" not in asked


def _finding(items: list[Message]) -> Message | None:
    return next((one for one in items if one["message"].startswith("found by running")), None)
