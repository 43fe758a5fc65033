"""Every request that the server offers to each of nine real clients, and everything it says: in the shapes of the protocol."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from tests.server.conformance.conftest import CLIENTS
from tests.server.editor_text import area, position
from tests.server.fake_workers import FakeWorkers, analysis, finding
from tests.server.wire import Message, Wire, converter

A = "file:///home/user/project/a.seep"
DOCUMENT = {"textDocument": {"uri": A}}
TEXT = "/// 漢😀\nsecret r\noutput o\n/* 𝒳 */ r  ~ bernoulli(1/2)\nif r { o := r } else { o := 0 }\nshow I(r; o)\n"

# Which requests follow from what the server says it can do.
_PROVIDERS = {
    "hoverProvider": "textDocument/hover",
    "definitionProvider": "textDocument/definition",
    "referencesProvider": "textDocument/references",
    "documentHighlightProvider": "textDocument/documentHighlight",
    "documentSymbolProvider": "textDocument/documentSymbol",
    "workspaceSymbolProvider": "workspace/symbol",
    "codeActionProvider": "textDocument/codeAction",
    "codeLensProvider": "textDocument/codeLens",
    "documentFormattingProvider": "textDocument/formatting",
    "documentRangeFormattingProvider": "textDocument/rangeFormatting",
    "documentOnTypeFormattingProvider": "textDocument/onTypeFormatting",
    "renameProvider": "textDocument/rename",
    "foldingRangeProvider": "textDocument/foldingRange",
    "selectionRangeProvider": "textDocument/selectionRange",
    "semanticTokensProvider": "textDocument/semanticTokens/full",
    "inlayHintProvider": "textDocument/inlayHint",
    "diagnosticProvider": "textDocument/diagnostic",
    "completionProvider": "textDocument/completion",
    "signatureHelpProvider": "textDocument/signatureHelp",
    "documentLinkProvider": "textDocument/documentLink",
}
_RESOLVES = {
    "textDocument/completion": "completionItem/resolve",
    "textDocument/codeLens": "codeLens/resolve",
    "textDocument/codeAction": "codeAction/resolve",
    "textDocument/inlayHint": "inlayHint/resolve",
    "textDocument/documentLink": "documentLink/resolve",
    "workspace/symbol": "workspaceSymbol/resolve",
}
# Said in "capabilities" without a request of its own.
_QUIET = {"positionEncoding", "textDocumentSync", "executeCommandProvider", "workspace", "experimental"}


def params_of(encoding: str) -> Message:
    """Return parameters that hold what any of the requests asks for."""
    at = position(TEXT, TEXT.index("r } else"), encoding)
    return DOCUMENT | {
        "position": at,
        "positions": [at],
        "range": area(TEXT, 0, len(TEXT), encoding),
        "context": {"includeDeclaration": True, "diagnostics": [], "triggerKind": 1, "isRetrigger": False},
        "options": {"tabSize": 4, "insertSpaces": True},
        "newName": "truth",
        "ch": "}",
        "query": "",
    }


def typed(message: Message, method: str | None = None) -> None:
    """Read a message as lsprotocol does; raises where it has not the shape of the protocol."""
    if method is None:
        request = types.METHOD_TO_TYPES[message["method"]][0]
        converter().structure(message, request)
    else:
        response = types.METHOD_TO_TYPES[method][1]
        assert response is not None
        converter().structure(message, response)


def resolved(wire: Wire, method: str, result: Any) -> None:
    """Have what was offered completed, one after the other."""
    resolve = _RESOLVES[method]
    for one in result["items"] if isinstance(result, dict) else result:
        answer = wire.request(resolve, one)
        assert "error" not in answer, (resolve, answer)
        typed(answer, resolve)


def advertised(capabilities: Message, method: str) -> bool:
    """Tell whether a client said that the server may ask this of it."""
    path = {
        "workspace/configuration": "workspace configuration",
        "workspace/codeLens/refresh": "workspace codeLens refreshSupport",
        "workspace/inlayHint/refresh": "workspace inlayHint refreshSupport",
        "workspace/semanticTokens/refresh": "workspace semanticTokens refreshSupport",
        "workspace/diagnostic/refresh": "workspace diagnostics refreshSupport",
        "window/workDoneProgress/create": "window workDoneProgress",
        "window/showDocument": "window showDocument support",
        "workspace/applyEdit": "workspace applyEdit",
    }.get(method)
    if path is None:
        return method == "client/registerCapability"
    value: Any = capabilities
    for name in path.split():
        value = value.get(name) if isinstance(value, dict) else None
    return bool(value)


@pytest.mark.conforms(8, 38)
@pytest.mark.parametrize("path", sorted(CLIENTS.glob("*.json")), ids=lambda path: path.stem)
def test_what_is_offered_is_answered_in_the_shapes_of_the_protocol(
    faked: Wire, workers: FakeWorkers, path: Path
) -> None:
    params: Message = json.loads(path.read_text(encoding="utf-8"))
    faked.server.scheduler.work_done.blink = 0.0
    told = faked.initialize(params | {"processId": None})["capabilities"]
    encoding = told["positionEncoding"]
    faked.open(TEXT, A)
    faked.wait_for(lambda: workers.futures)
    workers.finish(analysis(finding("here", 9, 15)))
    faked.settle()

    assert set(told) - set(_PROVIDERS) - _QUIET == set()
    for provider in set(told) - _QUIET:
        if told[provider] is not False:
            method = _PROVIDERS[provider]
            answer = faked.request(method, params_of(encoding))
            assert "error" not in answer, (method, answer)
            typed(answer, method)
            if isinstance(told[provider], dict) and told[provider].get("resolveProvider"):
                resolved(faked, method, answer["result"])

    for message in faked.received:
        if "method" in message and not message["method"].startswith("seepage/"):
            typed(message)
            if "id" in message:
                assert advertised(params["capabilities"], message["method"]), message["method"]
    logged = [one["params"] for one in faked.received if one.get("method") == "window/logMessage"]
    assert [one["message"] for one in logged if one["type"] == 1] == []


@pytest.mark.conforms(14, 31)
@pytest.mark.parametrize("path", sorted(CLIENTS.glob("*.json")), ids=lambda path: path.stem)
def test_each_request_has_one_answer_however_it_is_cancelled(faked: Wire, path: Path) -> None:
    params: Message = json.loads(path.read_text(encoding="utf-8"))
    told = faked.initialize(params | {"processId": None})["capabilities"]
    faked.open(TEXT, A)
    asked: list[int] = []
    for number, provider in enumerate(sorted(set(told) - _QUIET), start=1000):
        if told[provider] is not False:
            method = _PROVIDERS[provider]
            cancel = {"method": "$/cancelRequest", "params": {"id": number}}
            request = {"id": number, "method": method, "params": params_of(told["positionEncoding"])}
            faked.send(request, cancel) if number % 2 else faked.send(request)
            faked.send(cancel)
            asked.append(number)
    for number in asked:
        faked.answer(number)
    faked.settle()

    answers = [one["id"] for one in faked.received if "method" not in one and isinstance(one["id"], int)]
    assert sorted(one for one in answers if one >= 1000) == asked
