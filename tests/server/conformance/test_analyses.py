"""What is shown of analyses, with the real one: while it runs, when it is cut short, and twice."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from tests.server.conformance.conftest import capable
from tests.server.fake_workers import FakeWorkers
from tests.server.raw_client import RawClient, raw_client, wait_until_gone
from tests.server.wire import Message, Wire

EXAMPLE = Path(__file__).parents[3] / "examples" / "randomized-response-single.seep"
REAL = "from seepage_lsp.__main__ import serve; serve()"
URI = "file:///a.seep"
DOCUMENT = {"textDocument": {"uri": URI}}
FULL: dict[str, Any] = {"textDocument": {"hover": {"contentFormat": ["markdown"]}, "codeLens": {}, "inlayHint": {}}}


def said(hash_seed: str) -> list[Message]:
    """Return everything that a new server says of an example, once its analysis has ended.

    Without the log, which tells times, and of findings only the last: those before are sent as results arrive.
    """
    text = EXAMPLE.read_text(encoding="utf-8")
    with raw_client(REAL, env={**os.environ, "PYTHONHASHSEED": hash_seed}) as client:
        client.initialize(capabilities=FULL)
        client.open(text, URI)
        client.wait(method="window/logMessage", seconds=200)
        for number, (method, more) in enumerate(questions(text), start=1):
            client.request(number, f"textDocument/{method}", DOCUMENT | more)
        findings = [one for one in client.received if one.get("method") == "textDocument/publishDiagnostics"]
        return [one for one in client.received if "method" not in one] + findings[-1:]


def questions(text: str) -> list[tuple[str, Message]]:
    lines = text.splitlines()
    at = [("hover", {"position": {"line": line, "character": 7}}) for line in range(len(lines))]
    completions = [("completion", {"position": {"line": line, "character": 4}}) for line in range(len(lines))]
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": len(lines), "character": 0}}
    actions = ("codeAction", {"range": whole, "context": {"diagnostics": []}})
    return [*at, *completions, ("codeLens", {}), ("documentSymbol", {}), ("foldingRange", {}), actions]


@pytest.mark.variation(of="test_one_answer_that_takes_too_long_is_told_at_its_place_and_others_stay")
@pytest.mark.conforms(35)
def test_two_servers_say_the_same_of_one_program() -> None:
    first, second = said("1"), said("2")

    assert len(first) > 50
    assert [json.dumps(one) for one in first] == [json.dumps(one) for one in second]


@pytest.mark.conforms(30)
def test_names_are_completed_and_help_is_given_while_an_analysis_runs(faked: Wire, workers: FakeWorkers) -> None:
    faked.initialize(capable("utf-16"))
    faked.open("secret r\nr ~ flip(1/2)\nshow H(r)\n", URI)
    faked.wait_for(lambda: workers.futures)
    end = {"position": {"line": 2, "character": 7}}

    completed = faked.result("textDocument/completion", DOCUMENT | end)
    helped = faked.result("textDocument/signatureHelp", DOCUMENT | end)

    items = completed["items"] if isinstance(completed, dict) else completed
    assert "r" in {one["label"] for one in items}
    assert helped["signatures"]
    assert workers.running == 1


@pytest.mark.conforms(31)
def test_a_request_that_waits_behind_others_is_cancelled_and_the_work_stops() -> None:
    with raw_client() as client:
        client.initialize(initializationOptions={"run": "manual"})
        for number in range(4):
            client.open("// busy 60", f"untitled:{number}")
            arguments = {"command": "seepage.analyze", "arguments": [f"untitled:{number}"]}
            client.send({"id": number, "method": "workspace/executeCommand", "params": arguments})
        children = client.wait_until_analysing()

        client.send(*({"method": "$/cancelRequest", "params": {"id": number}} for number in range(4)))
        codes = answers(client, set(range(4)))
        client.send(*({"method": "$/cancelRequest", "params": {"id": number}} for number in range(4)))
        client.request(9, "textDocument/codeLens", {"textDocument": {"uri": "untitled:0"}})

        assert codes == [-32800] * 4
        assert [one.get("id") for one in client.received if "method" not in one].count(1) == 1
        wait_until_gone(children - client.children())


def answers(client: RawClient, wanted: set[int]) -> list[int]:
    found: dict[int, int] = {}
    while set(found) != wanted:
        message = client.wait(jsonrpc="2.0")
        if "method" not in message:
            found[message["id"]] = message["error"]["code"]
    return list(found.values())


SLOW = """\
secret r
r ~ flip(1/4)
show H(r)
a ~ uniform_int(1, 1500)
b ~ uniform_int(1, 1500)
z := a * b % 1009 + a * a * b
show H(z)
"""


@pytest.mark.conforms(34)
def test_one_answer_that_takes_too_long_is_told_at_its_place_and_others_stay() -> None:
    """The limit counts what the analysis takes of a processor, so that a busy machine changes nothing."""
    with raw_client(REAL) as client:
        client.initialize(capabilities=FULL, initializationOptions={"timeLimit": 1})
        client.open(SLOW, URI)
        client.wait(method="window/logMessage", seconds=200)
        lenses = client.request(1, "textDocument/codeLens", DOCUMENT)["result"]
        told = [one["params"]["diagnostics"] for one in client.received if "diagnostics" in one.get("params", {})]

    shown = {one["range"]["start"]["line"]: one["command"]["title"] for one in lenses}
    assert shown[2] == "0.811 bits · exact"  # h(1/4) = 2 - 3/4 log2(3) = 0.81128
    assert shown[6] == "timed out after 1 s"
    places = [one["range"]["start"]["line"] for one in told[-1] if one["code"] == "SEEP513"]
    assert places == [6]


@pytest.mark.conforms(32)
def test_a_text_that_was_changed_outside_is_analysed_again(faked: Wire, workers: FakeWorkers) -> None:
    faked.initialize()
    faked.open("secret r\nr ~ flip(1/2)\n", URI)
    faked.wait_for(lambda: workers.futures)
    workers.finish()

    # An editor that reads the file again sends what changed, then may tell of the file as well.
    faked.change("secret r\nr ~ flip(1/3)\n", 2, URI)
    changes = {"changes": [{"uri": URI, "type": 2}]}
    faked.notify("workspace/didChangeWatchedFiles", changes)
    faked.save(URI)
    faked.wait_for(lambda: len(workers.futures) == 2)

    assert "1/3" in workers.jobs[1].source.text


@pytest.mark.conforms(36, 37, 40)
def test_a_client_that_can_do_everything_is_told_each_thing_once(faked: Wire, workers: FakeWorkers) -> None:
    faked.server.scheduler.work_done.blink = 0.0
    faked.initialize(capable("utf-16"))
    faked.open("secret r\nr ~ flip(1/2)\n", URI)
    faked.wait_for(lambda: workers.futures)
    created = faked.wait_new("window/workDoneProgress/create")
    faked.send({"id": created["id"], "result": None})
    faked.wait(lambda message: message.get("method") == "$/progress")

    workers.finish()
    faked.wait(lambda message: message.get("params", {}).get("value", {}) == {"kind": "end"})
    faked.settle()

    told = faked.methods()
    assert "textDocument/publishDiagnostics" not in told
    assert told.count("workspace/diagnostic/refresh") == 1
    assert told.count("workspace/codeLens/refresh") == 1
    assert told.count("workspace/inlayHint/refresh") <= 1
    kinds = [one["params"]["value"]["kind"] for one in faked.received if one.get("method") == "$/progress"]
    assert (kinds.count("begin"), kinds.count("end")) == (1, 1)
