"""When checks are made and clients are told: of what, how often, and with the server answering meanwhile."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import Callable
from typing import Any

import pytest
from tests.server.fake_workers import FakeWorkers, analysis, finding
from tests.server.scheduled import GOOD, PULLING, REFRESHING, A, start, until_published, until_running
from tests.server.wire import Wire

from seepage_lsp.schedule import LONGEST_PAUSE


@pytest.mark.conforms(37)
def test_one_lens_refresh_per_finished_analysis(faked: Wire, workers: FakeWorkers) -> None:
    start(faked, REFRESHING)
    until_running(faked, workers, 1)
    workers.finish()
    faked.wait_new("workspace/codeLens/refresh")
    faked.change(GOOD + "// edited", 2)
    faked.save()
    until_running(faked, workers, 2)
    faked.change(GOOD + "// edited again", 3)
    faked.save()
    until_running(faked, workers, 3)

    workers.finish()
    faked.wait_new("workspace/codeLens/refresh")
    faked.settle()

    assert faked.methods().count("workspace/codeLens/refresh") == 2


@pytest.mark.conforms(37)
def test_no_refresh_where_it_is_not_advertised(faked: Wire, workers: FakeWorkers) -> None:
    start(faked)
    until_running(faked, workers, 1)
    workers.finish(analysis(finding("done")))
    until_published(faked, 1, "done")
    faked.settle()

    assert not [method for method in faked.methods() if method.endswith("/refresh")]


@pytest.mark.conforms(36)
def test_a_client_that_pulls_gets_nothing_pushed(faked: Wire, workers: FakeWorkers) -> None:
    result = faked.initialize({"capabilities": PULLING})
    faked.open("z := r\n" + GOOD)
    until_running(faked, workers, 1)
    document = {"textDocument": {"uri": A}}
    before = faked.result("textDocument/diagnostic", document)

    workers.finish(analysis(finding("found by running")))
    faked.wait_new("workspace/diagnostic/refresh")
    after = faked.result("textDocument/diagnostic", document)
    faked.shut()
    faked.settle()

    assert result["capabilities"]["diagnosticProvider"]["interFileDependencies"] is True
    assert before["kind"] == "full"
    assert before["items"]
    assert "found by running" in [one["message"] for one in after["items"]]
    assert faked.published() == []


@pytest.mark.conforms(36)
def test_a_client_that_pulls_but_cannot_be_told_to_gets_them_pushed(faked: Wire, workers: FakeWorkers) -> None:
    result = faked.initialize({"capabilities": {"textDocument": {"diagnostic": {}}}})
    faked.open("y := (")

    until_published(faked, 1)

    assert "diagnosticProvider" not in result["capabilities"]


def test_a_long_text_is_checked_while_the_server_answers(faked: Wire, workers: FakeWorkers) -> None:
    lines = "".join(f"x{number} ~ flip(1/2)\n" for number in range(1_500))
    start(faked, REFRESHING, lines + "y := (")

    hover = {"textDocument": {"uri": A}, "position": {"line": 0, "character": 0}}
    assert faked.result("textDocument/hover", hover) is None
    faked.change(lines + "z = 1", 2)
    published = until_published(faked, 2)

    assert [one["range"]["start"]["line"] for one in published["diagnostics"]] == [1_500]
    assert [one["version"] for one in faked.published()] == [2]


def test_a_text_just_opened_is_checked_while_the_server_answers_and_its_outline_waits_for_that(faked: Wire) -> None:
    b = {"textDocument": {"uri": "file:///b.seep"}}
    start(faked, run="manual")
    until_published(faked, 1)
    faked.open("".join(f"x{number} ~ flip(1/2)\n" for number in range(900)), "file:///b.seep")
    faked.send({"id": "outline", "method": "textDocument/documentSymbol", "params": b})

    faked.request("textDocument/hover", {"textDocument": {"uri": A}, "position": {"line": 0, "character": 8}})

    assert not [one for one in faked.received if one.get("id") == "outline"]
    assert len(faked.answer("outline")["result"]) == 900


def test_a_long_text_that_is_closed_while_it_is_checked_is_not_told(faked: Wire, workers: FakeWorkers) -> None:
    start(faked, text="".join(f"x{number} = 1\n" for number in range(2_500)))
    faked.wait_for(lambda: faked.server.scheduler._checks)

    faked.shut()
    faked.wait_for(lambda: not faked.server.scheduler._checks)

    assert [one["diagnostics"] for one in faked.published()] == [[]]


def test_lenses_are_asked_for_anew_while_results_come_and_once_at_the_end(faked: Wire, workers: FakeWorkers) -> None:
    def refreshes() -> int:
        return sum(one.get("method") == "workspace/codeLens/refresh" for one in faked.received)

    start(faked, {"workspace": {"codeLens": {"refreshSupport": True}}})
    faked.wait_for(lambda: workers.tell)
    assert workers.tell is not None
    for number in range(20):
        workers.tell(analysis(finding(f"so far {number}")))
    faked.settle()

    assert refreshes() == 0
    faked.wait_for(refreshes)
    workers.finish(analysis(finding("all")))
    until_published(faked, 1, "all")
    faked.settle()
    assert refreshes() == 2


def test_what_was_published_for_a_version_is_not_published_again(faked: Wire, workers: FakeWorkers) -> None:
    start(faked)
    until_running(faked, workers, 1)
    until_published(faked, 1)
    assert workers.tell is not None
    before = len(faked.published())

    workers.tell(analysis())
    workers.finish(analysis())
    faked.wait_for(lambda: any(one.get("method") == "window/logMessage" for one in faked.received))
    faked.settle()
    assert len(faked.published()) == before

    faked.change(GOOD, 2)
    until_published(faked, 2)
    faked.notify("textDocument/didClose", {"textDocument": {"uri": A}})
    faked.open(GOOD)
    faked.wait_for(lambda: [one.get("version") for one in faked.published()][-3:] == [2, None, 1])


def test_a_key_press_after_a_pause_is_checked_at_once(faked: Wire, monkeypatch: pytest.MonkeyPatch) -> None:
    start(faked, run="manual")
    until_published(faked, 1)
    document = faked.server.documents.get(A)
    assert document is not None

    waits: list[float] = []
    later = faked.loop.call_later

    def watched(delay: float, callback: Callable[..., object], *more: Any) -> asyncio.TimerHandle:
        waits.append(delay)
        return later(delay, callback, *more)

    monkeypatch.setattr(faked.loop, "call_later", watched)
    faked.change(GOOD + "y := (", 2)
    until_published(faked, 2)

    assert min(waits) == 0
    # In the pause that a slow check earned, changes wait for its end, and only for that.
    document.checked_at, document.check_seconds = time.monotonic(), 60.0
    waits.clear()
    faked.change(GOOD, 3)
    faked.wait_for(lambda: waits)
    assert 0 < min(waits) <= LONGEST_PAUSE


def test_one_check_that_something_held_up_makes_no_later_one_wait(faked: Wire, monkeypatch: pytest.MonkeyPatch) -> None:
    start(faked, run="manual")
    until_published(faked, 1)
    document = faked.server.documents.get(A)
    assert document is not None
    clock = itertools.count(step=3)  # each check takes three seconds of the processor

    with monkeypatch.context() as slow:
        slow.setattr("seepage_lsp.schedule.time.thread_time", lambda: next(clock))
        faked.change(GOOD + "y := 1\n", 2)
        until_published(faked, 2)
        assert document.check_seconds == 0
        faked.change(GOOD + "y := 2\n", 3)
        until_published(faked, 3)
        assert document.check_seconds == 3

    faked.change(GOOD + "y := 3\n", 4)
    until_published(faked, 4)
    assert document.check_seconds < 3
