"""Progress: begun at most once, ended exactly once."""

from __future__ import annotations

from typing import Any

import pytest
from tests.server.fake_workers import FakeWorkers
from tests.server.wire import Message, Wire

from seepage_lsp.worker import AnalysisFailed

TEXT = "secret r\nr ~ flip(1/2)\n"
CREATE = "window/workDoneProgress/create"


@pytest.fixture
def with_progress(faked: Wire) -> Wire:
    """A server whose client creates progress, and whose blink is short."""
    faked.server.scheduler.work_done.blink = 0.01
    faked.initialize({"capabilities": {"window": {"workDoneProgress": True}}})
    return faked


def kinds(wire: Wire) -> list[str]:
    return [one["params"]["value"]["kind"] for one in wire.received if one.get("method") == "$/progress"]


def asked(wire: Wire) -> Message:
    return wire.wait_new(CREATE)


def grant(wire: Wire, request: Message) -> None:
    wire.send({"id": request["id"], "result": None})


@pytest.mark.conforms(40)
def test_progress_begins_and_ends_around_an_analysis(with_progress: Wire, workers: FakeWorkers) -> None:
    with_progress.open(TEXT)
    request = asked(with_progress)
    grant(with_progress, request)
    begin = with_progress.wait_new("$/progress")

    workers.finish()
    end = with_progress.wait_new("$/progress")

    assert begin["params"]["token"] == end["params"]["token"] == request["params"]["token"]
    assert begin["params"]["value"] == {"kind": "begin", "title": "analysing a.seep", "cancellable": True}
    assert end["params"]["value"] == {"kind": "end"}


def test_a_short_analysis_shows_none(with_progress: Wire, workers: FakeWorkers) -> None:
    with_progress.server.scheduler.work_done.blink = 30
    with_progress.open(TEXT)
    with_progress.wait_for(lambda: workers.futures)

    workers.finish()
    with_progress.wait_new("window/logMessage")

    assert CREATE not in with_progress.methods()


@pytest.mark.conforms(40)
def test_progress_ends_when_the_analysis_fails(with_progress: Wire, workers: FakeWorkers) -> None:
    with_progress.open(TEXT)
    grant(with_progress, asked(with_progress))
    with_progress.wait_new("$/progress")

    workers.fail(AnalysisFailed("broke"))
    with_progress.wait_new("$/progress")

    assert kinds(with_progress) == ["begin", "end"]


@pytest.mark.conforms(40)
def test_progress_ends_when_an_edit_supersedes_the_analysis(with_progress: Wire, workers: FakeWorkers) -> None:
    with_progress.open(TEXT)
    grant(with_progress, asked(with_progress))
    with_progress.wait_new("$/progress")

    with_progress.change(TEXT + "//", 2)
    with_progress.wait_new("$/progress")

    assert kinds(with_progress) == ["begin", "end"]


def test_an_analysis_that_ends_before_the_client_answers_shows_none(with_progress: Wire, workers: FakeWorkers) -> None:
    with_progress.open(TEXT)
    request = asked(with_progress)

    workers.finish()
    with_progress.wait_new("window/logMessage")
    grant(with_progress, request)
    with_progress.settle()

    assert kinds(with_progress) == []


def test_a_client_that_refuses_has_none_and_gets_its_result(with_progress: Wire, workers: FakeWorkers) -> None:
    with_progress.open(TEXT)
    request = asked(with_progress)
    with_progress.send({"id": request["id"], "error": {"code": -32603, "message": "no"}})
    with_progress.settle()

    workers.finish()
    with_progress.wait_new("window/logMessage")

    assert kinds(with_progress) == []


def test_cancelling_the_progress_kills_the_analysis(with_progress: Wire, workers: FakeWorkers) -> None:
    with_progress.open(TEXT)
    request = asked(with_progress)
    grant(with_progress, request)
    with_progress.wait_new("$/progress")

    with_progress.notify("window/workDoneProgress/cancel", {"token": request["params"]["token"]})
    with_progress.wait_for(lambda: workers.futures[0].cancelled())
    with_progress.wait_for(lambda: kinds(with_progress) == ["begin", "end"])
    with_progress.notify("window/workDoneProgress/cancel", {"token": request["params"]["token"]})
    with_progress.notify("window/workDoneProgress/cancel", {"token": "unknown"})
    with_progress.settle()

    assert with_progress.lenses() == ["cancelled"]
    assert kinds(with_progress) == ["begin", "end"]


@pytest.mark.conforms(40)
def test_no_progress_without_the_capability(faked: Wire, workers: FakeWorkers) -> None:
    faked.server.scheduler.work_done.blink = 0.0
    faked.initialize()
    faked.open(TEXT)
    faked.wait_for(lambda: workers.futures)
    faked.settle()

    workers.finish()
    faked.wait_new("window/logMessage")

    assert CREATE not in faked.methods()
    assert kinds(faked) == []


@pytest.mark.conforms(40)
def test_a_token_that_came_with_a_request_is_used(faked: Wire, workers: FakeWorkers) -> None:
    faked.initialize({"initializationOptions": {"run": "manual"}})
    faked.open(TEXT)
    params: dict[str, Any] = {"command": "seepage.analyze", "arguments": ["file:///a.seep"], "workDoneToken": 7}
    faked.send({"id": "run", "method": "workspace/executeCommand", "params": params})
    faked.wait_for(lambda: workers.futures)
    workers.finish()
    faked.answer("run")

    assert [one["params"]["token"] for one in faked.received if one.get("method") == "$/progress"] == [7, 7]
    assert kinds(faked) == ["begin", "end"]


@pytest.mark.conforms(40)
@pytest.mark.parametrize("cancelled", [False, True])
def test_a_request_that_takes_over_a_running_analysis_shows_its_progress_by_its_own_token(
    with_progress: Wire, workers: FakeWorkers, cancelled: bool
) -> None:
    with_progress.open(TEXT)
    grant(with_progress, asked(with_progress))
    with_progress.wait_new("$/progress")
    params: dict[str, Any] = {"command": "seepage.analyze", "arguments": ["file:///a.seep"], "workDoneToken": 7}
    with_progress.send({"id": "run", "method": "workspace/executeCommand", "params": params})
    with_progress.wait_new("$/progress")

    if cancelled:
        with_progress.notify("window/workDoneProgress/cancel", {"token": 7})
    else:
        workers.finish()
    with_progress.answer("run")
    with_progress.wait_for(lambda: kinds(with_progress) == ["begin", "begin", "end", "end"])

    (answered,) = (number for number, one in enumerate(with_progress.received) if one.get("id") == "run")
    ended = [number for number, one in enumerate(with_progress.received) if one.get("method") == "$/progress"]
    assert max(ended) < answered
    own = [one["params"] for one in with_progress.received if one.get("method") == "$/progress"]
    assert [one["value"]["kind"] for one in own if one["token"] == 7] == ["begin", "end"]
    assert workers.futures[0].cancelled() is cancelled
    assert len(workers.jobs) == 1
