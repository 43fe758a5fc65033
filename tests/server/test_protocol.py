"""The base protocol and the lifecycle: what pygls does not keep by itself."""

from __future__ import annotations

from typing import Any

import pytest
from tests.server.wire import Message, Wire

PARSE_ERROR, INVALID_REQUEST, NOT_FOUND, INVALID_PARAMS = -32700, -32600, -32601, -32602
INTERNAL_ERROR, NOT_INITIALIZED, CANCELLED = -32603, -32002, -32800
HOVER = {"textDocument": {"uri": "untitled:a"}, "position": {"line": 0, "character": 0}}


def code(answer: Message) -> int:
    result: int = answer["error"]["code"]
    return result


@pytest.mark.conforms(1)
def test_a_request_before_initialize_is_refused(wire: Wire) -> None:
    assert code(wire.request("textDocument/hover", HOVER)) == NOT_INITIALIZED
    assert code(wire.request("no/such")) == NOT_INITIALIZED


@pytest.mark.conforms(1)
def test_a_notification_before_initialize_is_dropped(wire: Wire) -> None:
    wire.open("x := 1")
    wire.initialize()

    wire.settle()

    assert wire.published() == []


@pytest.mark.conforms(2)
def test_a_second_initialize_is_refused(ready: Wire) -> None:
    answer = ready.request("initialize", {"processId": None, "rootUri": None, "capabilities": {}})

    assert code(answer) == INVALID_REQUEST


@pytest.mark.conforms(3)
def test_after_shutdown_every_request_is_refused(ready: Wire) -> None:
    assert ready.result("shutdown") is None

    assert code(ready.request("textDocument/hover", HOVER)) == INVALID_REQUEST
    assert code(ready.request("shutdown")) == INVALID_REQUEST
    assert code(ready.request("no/such")) == INVALID_REQUEST


@pytest.mark.conforms(4)
def test_exit_tells_whether_shutdown_came_first(ready: Wire) -> None:
    ready.result("shutdown")
    ready.notify("exit")

    ready.wait_for(lambda: ready.exit_code is not None)

    assert ready.exit_code == 0


@pytest.mark.conforms(4)
def test_exit_without_shutdown_is_a_failure_even_before_initialize(wire: Wire) -> None:
    wire.notify("exit")

    wire.wait_for(lambda: wire.exit_code is not None)

    assert wire.exit_code == 1


@pytest.mark.conforms(8)
def test_a_minimal_initialize_works(wire: Wire) -> None:
    result = wire.result("initialize", {"processId": None, "rootUri": None, "capabilities": {}})

    assert result["serverInfo"]["name"] == "seepage-lsp"
    assert result["capabilities"]["positionEncoding"] == "utf-16"
    assert result["capabilities"]["hoverProvider"] is True


def test_initialize_may_be_retried_after_bad_parameters(wire: Wire) -> None:
    assert code(wire.request("initialize", {"capabilities": 3})) == INVALID_PARAMS

    wire.initialize()


@pytest.mark.conforms(11)
@pytest.mark.parametrize("body", [b"{", b"", b"\xff\xfe\xfd", b'{"jsonrpc": "2.0", "id": 1, "method"', b"[" * 100_000])
def test_broken_json_is_answered_and_the_server_goes_on(ready: Wire, body: bytes) -> None:
    ready.send_bodies(body)

    answer = ready.wait(lambda message: message.get("id", 0) is None)

    assert code(answer) == PARSE_ERROR
    assert ready.result("textDocument/hover", HOVER) is None


@pytest.mark.parametrize("body", [b"[]", b"3", b'"initialize"', b"null", b"{}", b'{"jsonrpc": "2.0"}'])
def test_json_that_is_no_message_is_refused(ready: Wire, body: bytes) -> None:
    ready.send_bodies(body)

    assert code(ready.wait(lambda message: message.get("id", 0) is None)) == INVALID_REQUEST


@pytest.mark.parametrize("msg_id", [None, True, [1], {"a": 1}])
def test_a_request_with_an_impossible_id_is_refused(ready: Wire, msg_id: object) -> None:
    ready.send({"id": msg_id, "method": "textDocument/hover", "params": HOVER})

    assert code(ready.wait(lambda message: message.get("id", 0) is None)) == INVALID_REQUEST


@pytest.mark.conforms(14)
@pytest.mark.parametrize("msg_id", [0, -1, 2**40, "", "a-b", "ü"])
def test_ids_come_back_as_they_were(ready: Wire, msg_id: object) -> None:
    ready.send({"id": msg_id, "method": "textDocument/hover", "params": HOVER})

    answer = ready.answer(msg_id)

    assert answer == {"jsonrpc": "2.0", "id": msg_id, "result": None}


@pytest.mark.conforms(12)
@pytest.mark.parametrize(
    "method", ["no/such", "$/private", "textDocument/implementation", "textDocument/diagnostic", 3, ""]
)
def test_an_unknown_request_is_answered(ready: Wire, method: object) -> None:
    ready.send({"id": "x", "method": method, "params": {}})

    assert code(ready.answer("x")) == (INVALID_REQUEST if method == 3 else NOT_FOUND)


@pytest.mark.conforms(12)
def test_unknown_and_malformed_notifications_are_ignored(ready: Wire) -> None:
    before = len(ready.received)
    ready.notify("no/such", {"a": 1})
    ready.notify("$/private")
    ready.notify("textDocument/didOpen", {"textDocument": 3})
    ready.notify("textDocument/didChange")
    ready.notify("$/setTrace", {"value": "loud"})
    ready.notify("$/cancelRequest", {"id": []})
    ready.notify("$/cancelRequest")
    ready.send({"method": 3})

    ready.settle()

    assert len(ready.received) == before + 1


@pytest.mark.conforms(13)
@pytest.mark.parametrize(
    "params",
    [
        None, [], 3, {}, {"textDocument": HOVER["textDocument"]}, HOVER | {"position": {"line": "x", "character": 0}},
        HOVER | {"position": {"line": 0.5, "character": 0}}, HOVER | {"position": {"line": 0, "character": "3"}},
        HOVER | {"position": {"line": True, "character": 0}}, HOVER | {"position": None},
        HOVER | {"position": {"line": float("inf"), "character": 0}}, HOVER | {"textDocument": {"uri": 5}},
    ],
)  # fmt: skip
def test_bad_or_missing_parameters_are_answered_with_the_same_id(ready: Wire, params: object) -> None:
    ready.send({"id": "bad", "method": "textDocument/hover", "params": params})

    assert code(ready.answer("bad")) == INVALID_PARAMS


@pytest.mark.conforms(13)
@pytest.mark.parametrize(
    ("method", "params", "told"),
    [
        ("textDocument/hover", HOVER | {"position": {"line": 0.5, "character": 0}},
         "position.line: found 0.5, expected a whole number"),
        ("textDocument/hover", HOVER | {"position": None}, "position: found null, expected an object"),
        ("textDocument/hover", {"position": HOVER["position"]}, "'textDocument' is missing"),
        ("textDocument/hover", None, "params: found null, which the protocol does not have there"),
        ("textDocument/selectionRange", {"textDocument": HOVER["textDocument"], "positions": [{"line": 1}]},
         "'positions[0].character' is missing"),
        ("textDocument/selectionRange", {"textDocument": HOVER["textDocument"], "positions": [0]},
         "positions[0]: found 0, expected an object"),
        ("workspace/executeCommand", {"command": "seepage.analyze", "arguments": {"a": 1}},
         'arguments: found {"a": 1}, expected a list'),
        ("completionItem/resolve", {"label": 5}, "label: found 5, expected a text"),
        ("textDocument/references", HOVER | {"context": {"includeDeclaration": "no"}},
         'context.includeDeclaration: found "no", expected true or false'),
    ],
)  # fmt: skip
def test_what_is_wrong_with_parameters_is_told_with_its_place(
    ready: Wire, method: str, params: object, told: str
) -> None:
    ready.send({"id": "bad", "method": method, "params": params})

    error = ready.answer("bad")["error"]
    assert (error["code"], error["message"]) == (INVALID_PARAMS, f"bad parameters for {method}: {told}")


def test_a_whole_number_may_be_written_with_a_point(ready: Wire) -> None:
    assert ready.result("textDocument/hover", HOVER | {"position": {"line": 0.0, "character": 0.0}}) is None


def test_a_request_whose_id_has_a_fraction_is_refused_by_that_id(ready: Wire) -> None:
    ready.send({"id": 1.5, "method": "textDocument/hover", "params": HOVER})

    assert code(ready.answer(1.5)) == INVALID_REQUEST


@pytest.mark.conforms(13)
def test_a_request_without_params_at_all_is_answered(ready: Wire) -> None:
    ready.send({"id": "none", "method": "textDocument/hover"})

    assert code(ready.answer("none")) == INVALID_PARAMS


@pytest.mark.conforms(15)
def test_an_exception_fails_its_request_only(ready: Wire) -> None:
    def broken(params: Any) -> None:
        raise ZeroDivisionError("a fault of the server")

    ready.server.protocol.fm.features["textDocument/hover"] = broken

    answer = ready.request("textDocument/hover", HOVER)

    assert code(answer) == INTERNAL_ERROR
    assert "a fault of the server" in answer["error"]["message"]
    assert "window/showMessage" not in ready.methods()
    assert ready.result("textDocument/codeLens", {"textDocument": {"uri": "untitled:a"}}) == []


@pytest.mark.conforms(31)
def test_a_cancellation_that_comes_with_its_request_prevents_it(ready: Wire) -> None:
    called: list[object] = []
    ready.server.protocol.fm.features["textDocument/hover"] = called.append

    ready.send(
        {"id": 7, "method": "textDocument/hover", "params": HOVER}, {"method": "$/cancelRequest", "params": {"id": 7}}
    )

    assert code(ready.answer(7)) == CANCELLED
    assert called == []


@pytest.mark.conforms(31)
def test_cancelling_finished_and_unknown_requests_is_ignored(ready: Wire) -> None:
    ready.result("textDocument/hover", HOVER)
    before = len(ready.received)

    ready.notify("$/cancelRequest", {"id": 1})
    ready.notify("$/cancelRequest", {"id": "unknown"})
    ready.settle()

    assert len(ready.received) == before + 1


def test_a_cancelled_id_may_be_used_again(ready: Wire) -> None:
    ready.send(
        {"id": 7, "method": "textDocument/hover", "params": HOVER}, {"method": "$/cancelRequest", "params": {"id": 7}}
    )
    ready.answer(7)
    ready.received.clear()

    ready.send({"id": 7, "method": "textDocument/hover", "params": HOVER})

    assert ready.answer(7)["result"] is None


@pytest.mark.parametrize(
    "message",
    [
        {"id": "unknown", "result": None},
        {"id": "unknown", "error": {"code": 1, "message": "x"}},
        {"id": [1], "result": 3},
        {"id": None, "error": {"code": 1, "message": "x"}},
    ],
)
def test_answers_to_nothing_are_ignored(ready: Wire, message: Message) -> None:
    before = len(ready.received)
    ready.send(message)

    ready.settle()

    assert len(ready.received) == before + 1


@pytest.mark.conforms(41)
@pytest.mark.parametrize("command", ["no.such", ""])
def test_an_unknown_command_is_refused(ready: Wire, command: str) -> None:
    assert code(ready.request("workspace/executeCommand", {"command": command})) == INVALID_PARAMS


@pytest.mark.conforms(41)
@pytest.mark.parametrize(
    "arguments", [None, [], [3], ["untitled:a", 1], ["untitled:not-open"], [{"uri": "untitled:a"}]]
)
def test_a_malformed_command_is_refused(ready: Wire, arguments: object) -> None:
    params = {"command": "seepage.analyze", "arguments": arguments}

    assert code(ready.request("workspace/executeCommand", params)) == INVALID_PARAMS


@pytest.mark.conforms(42)
def test_folders_come_and_go(ready: Wire) -> None:
    folder = {"uri": "file:///w", "name": "w"}
    ready.notify("workspace/didChangeWorkspaceFolders", {"event": {"added": [folder], "removed": []}})
    ready.notify("workspace/didChangeWorkspaceFolders", {"event": {"added": [], "removed": [folder, folder]}})

    ready.settle()

    assert ready.server.protocol.workspace.folders == {}
