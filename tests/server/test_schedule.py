"""When documents are analysed, and which results are dropped."""

from __future__ import annotations

import time

import pytest
from tests.server.fake_workers import FakeWorkers, analysis, finding
from tests.server.scheduled import GOOD, A, analysed, messages, start, until_published, until_running
from tests.server.wire import Wire

from seepage.syntax.tokens import says_the_same
from seepage_lsp.schedule import Scheduler
from seepage_lsp.settings import Settings
from seepage_lsp.worker import AnalysisTimeout


def test_a_document_is_checked_and_analysed_when_opened(faked: Wire, workers: FakeWorkers) -> None:
    start(faked)
    until_running(faked, workers, 1)

    workers.finish(analysis(finding("found by running")))

    assert messages(until_published(faked, 1, "found by running")) == ["found by running"]
    assert workers.jobs[0].source.text == GOOD


def test_an_edit_is_checked_without_an_analysis_until_it_is_saved(faked: Wire, workers: FakeWorkers) -> None:
    start(faked)
    until_running(faked, workers, 1)
    workers.finish()

    faked.change(GOOD + "y := (", 2)
    broken = until_published(faked, 2)
    faked.change(GOOD + "y := 1", 3)
    until_published(faked, 3)
    assert len(workers.jobs) == 1
    faked.save()
    until_running(faked, workers, 2)

    assert broken["diagnostics"]
    assert workers.jobs[1].source.version == 3


@pytest.mark.conforms(29)
def test_a_result_of_a_superseded_version_is_never_told(faked: Wire, workers: FakeWorkers) -> None:
    start(faked)
    until_running(faked, workers, 1)

    faked.change(GOOD + "// edited", 2)
    faked.wait_for(lambda: workers.futures[0].cancelled())
    until_published(faked, 2)
    faked.save()
    until_running(faked, workers, 2)
    workers.finish(analysis(finding("new")))
    until_published(faked, 2, "new")

    assert workers.warmed == 2  # after the start, and in place of the one that was killed
    assert [one["version"] for one in faked.published()] == sorted(one["version"] for one in faked.published())


@pytest.mark.conforms(29)
def test_a_result_that_is_ready_when_the_edit_arrives_is_dropped(faked: Wire, workers: FakeWorkers) -> None:
    start(faked)
    until_running(faked, workers, 1)
    until_published(faked, 1)

    faked.change(GOOD + "// edited", 2)
    faked.loop.call_soon(workers.finish, analysis(finding("late")))
    until_published(faked, 2)
    faked.settle()

    assert all("late" not in messages(one) for one in faked.published())


def test_manual_runs_start_by_command_only(faked: Wire, workers: FakeWorkers) -> None:
    start(faked, run="manual")
    faked.save()
    faked.settle()
    assert workers.jobs == []

    faked.send(
        {
            "id": "run",
            "method": "workspace/executeCommand",
            "params": {"command": "seepage.analyze", "arguments": [A]},
        }
    )
    until_running(faked, workers, 1)
    workers.finish()

    assert faked.answer("run")["result"] is None


def test_on_type_runs_start_after_a_pause(faked: Wire, workers: FakeWorkers) -> None:
    start(faked, run="onType")
    until_running(faked, workers, 1)

    faked.change(GOOD + "// e", 2)
    faked.change(GOOD + "// ed", 3)
    until_running(faked, workers, 2)

    assert workers.jobs[1].source.version == 3


@pytest.mark.conforms(31)
def test_cancelling_the_command_kills_the_analysis_and_answers_once(faked: Wire, workers: FakeWorkers) -> None:
    start(faked, run="manual")
    faked.send(
        {
            "id": "run",
            "method": "workspace/executeCommand",
            "params": {"command": "seepage.analyze", "arguments": [A]},
        }
    )
    until_running(faked, workers, 1)

    faked.notify("$/cancelRequest", {"id": "run"})
    answer = faked.answer("run")
    faked.wait_for(lambda: workers.futures[0].cancelled())
    faked.settle()

    assert answer["error"]["code"] == -32800
    assert [one["id"] for one in faked.received if "id" in one and "method" not in one].count("run") == 1
    assert "cancelled" in faked.lenses()


def test_documents_follow_new_settings_one_after_the_other_and_one_that_is_closed_meanwhile_does_not(
    faked: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    start(faked, run="manual")
    for name in ("b", "c", "d"):
        faked.open(GOOD, f"file:///{name}.seep")
    faked.settle()
    scheduler, seen = faked.server.scheduler, list[str]()
    monkeypatch.setattr(Scheduler, "analyse", lambda _, document: seen.append(document.uri[-6:-5]))

    def others_run() -> None:
        seen.append("others")
        if scheduler.busy:
            faked.loop.call_soon(others_run)

    async def change() -> None:
        scheduler.settings_changed(Settings(unit="nats"))
        faked.server.documents.close("file:///c.seep")
        others_run()

    faked.loop.run_until_complete(change())
    faked.wait_for(lambda: not scheduler.busy)
    seen = [one for at, one in enumerate(seen) if at == 0 or one != seen[at - 1]]

    assert seen == ["others", "a", "others", "b", "others", "d", "others"]


def test_a_changed_time_limit_holds_for_the_analysis_that_runs(faked: Wire, workers: FakeWorkers) -> None:
    start(faked)
    until_running(faked, workers, 1)

    faked.notify("workspace/didChangeConfiguration", {"settings": {"timeLimit": 60}})
    until_running(faked, workers, 2)

    assert workers.futures[0].cancelled()
    assert workers.jobs[1].seconds == 60


def test_the_command_runs_though_the_result_is_known_and_a_failure_of_it_is_tried_again_on_save(
    faked: Wire, workers: FakeWorkers
) -> None:
    analysed(faked, workers)

    params = {"command": "seepage.analyze", "arguments": [A]}
    faked.send({"id": "run", "method": "workspace/executeCommand", "params": params})
    until_running(faked, workers, 2)
    workers.fail(AnalysisTimeout())
    assert faked.answer("run")["result"] is None
    faked.save()
    until_running(faked, workers, 3)


def test_saving_during_an_analysis_of_the_same_text_does_not_start_over(faked: Wire, workers: FakeWorkers) -> None:
    start(faked)
    until_running(faked, workers, 1)

    faked.save()
    faked.settle()

    assert len(workers.jobs) == 1
    assert workers.running == 1


@pytest.mark.conforms(30)
def test_hover_and_lens_answer_during_an_analysis(faked: Wire, workers: FakeWorkers) -> None:
    start(faked)
    until_running(faked, workers, 1)

    hover = faked.result("textDocument/hover", {"textDocument": {"uri": A}, "position": {"line": 0, "character": 7}})

    assert "computing" in hover["contents"]["value"]
    assert faked.lenses() == ["⟳ computing", "⟳ computing"]
    assert workers.running == 1


def test_a_time_limit_of_the_settings_is_passed_on(faked: Wire, workers: FakeWorkers) -> None:
    start(faked, timeLimit=7, unit="nats", parameters={"eps": "1/2"})
    until_running(faked, workers, 1)

    job = workers.jobs[0]
    assert (job.seconds, job.unit, job.parameters) == (7.0, "nats", {"eps": "1/2"})


@pytest.mark.parametrize("lines", [0, 2_000])  # the second text is past what the event loop compares
def test_a_text_that_says_what_was_analysed_gets_its_results_without_a_save(
    faked: Wire, workers: FakeWorkers, lines: int
) -> None:
    text = GOOD + "".join(f"x{number} := {number}\n" for number in range(lines))
    start(faked, text=text)
    until_running(faked, workers, 1)
    workers.finish()
    faked.wait_new("window/logMessage")

    faked.change("// what it is about\n" + text.replace("\n", "\n\n"), 2)
    until_running(faked, workers, 2)

    assert workers.jobs[1].source.text.startswith("// what it is about\n")
    assert not faked.server.scheduler._pauses


def test_a_long_text_that_is_changed_while_it_is_compared_waits_for_the_next_pause(
    faked: Wire, workers: FakeWorkers, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[bool] = []

    def slowly(*texts: str) -> bool:
        time.sleep(0.3)
        told.append(True)
        return True

    monkeypatch.setattr("seepage.syntax.tokens.says_the_same", slowly)
    text = GOOD + "".join(f"x{number} := {number}\n" for number in range(2_000))
    start(faked, text=text)
    until_running(faked, workers, 1)
    workers.finish()
    faked.wait_new("window/logMessage")

    faked.change("// a\n" + text, 2)
    faked.wait_for(lambda: faked.server.scheduler._checks and not faked.server.scheduler._pauses)
    faked.change("// b\n" + text, 3)
    until_running(faked, workers, 2)

    assert workers.jobs[1].source.text.startswith("// b\n")
    assert len(told) == 2


def test_a_text_that_says_something_else_waits_for_the_save(
    faked: Wire, workers: FakeWorkers, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[bool] = []

    def noted(*texts: str) -> bool:
        told.append(says_the_same(*texts))
        return told[-1]

    monkeypatch.setattr("seepage.syntax.tokens.says_the_same", noted)
    analysed(faked, workers)

    faked.change(GOOD + "w := 2\n", 2)
    faked.wait_for(lambda: told)

    assert told == [False]
    assert len(workers.jobs) == 1
