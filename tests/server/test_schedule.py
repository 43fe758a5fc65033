"""When documents are checked and analysed, and which results are told."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from seepage.diagnostics import Diagnostic, Rule
from seepage.measures.facts import Answer
from seepage.measures.result import Certainty, Result
from seepage.pipeline import Analysis
from seepage.rules import ANALYSIS_BROKE, TIME_LIMIT
from seepage.source import Span
from seepage.syntax.tokens import says_the_same
from seepage_lsp.schedule import LONGEST_PAUSE, Scheduler
from seepage_lsp.settings import Settings
from seepage_lsp.worker import AnalysisFailed, AnalysisTimeout, OutOfMemory
from server.fake_workers import FakeWorkers, analysis, finding
from server.wire import Message, Wire

A = "file:///a.seep"
GOOD = "secret r\noutput o\nr ~ flip(1/2)\nt ~ flip(1/3)\no := r xor t\n"


def messages(published: Message) -> list[str]:
    return [one["message"] for one in published["diagnostics"]]


def start(wire: Wire, capabilities: dict[str, Any] | None = None, text: str = GOOD, **options: Any) -> Wire:
    wire.initialize({"capabilities": capabilities or {}, "initializationOptions": options})
    wire.open(text)
    return wire


def until_running(wire: Wire, workers: FakeWorkers, jobs: int) -> None:
    wire.wait_for(lambda: len(workers.futures) == jobs)


def until_published(wire: Wire, version: int, text: str | None = None) -> Message:
    """Wait for diagnostics of a version, with a message among them."""
    message: Message = wire.wait_for(
        lambda: next(
            (one for one in wire.published() if one["version"] == version and (text is None or text in messages(one))),
            None,
        )
    )
    return message


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


@pytest.mark.conforms(29)
@pytest.mark.parametrize("pull", [False, True])
def test_findings_of_an_older_text_are_marked_as_such_until_their_lines_change(
    faked: Wire, workers: FakeWorkers, pull: bool
) -> None:
    faked.initialize({"capabilities": PULLING if pull else {}})

    def told(version: int) -> list[str]:
        if not pull:
            return messages(until_published(faked, version))
        report = faked.result("textDocument/diagnostic", {"textDocument": {"uri": "file:///a.seep"}})
        return [one["message"] for one in report["items"]]

    faked.open(GOOD)
    until_running(faked, workers, 1)
    workers.finish(analysis(finding("old")))
    faked.wait_for(lambda: not workers.running)

    faked.change(GOOD + "// edited", 2)
    assert told(2) == ["old (as of the last analysis, before this change)"]
    faked.change("// new\n" + GOOD, 3)
    assert told(3) == ["old (as of the last analysis, before this change)"]
    faked.change(" " + GOOD, 4)
    assert told(4) == []


def test_undoing_an_edit_brings_the_result_back_without_running(faked: Wire, workers: FakeWorkers) -> None:
    start(faked)
    until_running(faked, workers, 1)
    workers.finish(analysis(finding("known")))
    until_published(faked, 1, "known")
    faked.change(GOOD + "// edited", 2)
    until_published(faked, 2)

    faked.change(GOOD, 3)
    until_published(faked, 3, "known")
    faked.save()
    faked.settle()

    assert len(workers.jobs) == 1


def test_findings_of_check_and_analysis_are_merged_in_the_order_of_the_text(faked: Wire, workers: FakeWorkers) -> None:
    text = "secret r\noutput r\nz := r + 0\nr ~ flip(1/2)\n"
    start(faked, text=text)
    until_running(faked, workers, 1)
    by_check = messages(until_published(faked, 1))
    assert by_check

    workers.finish(analysis(finding("first", 0, 6), finding("last", len(text) - 1, len(text))))

    assert messages(until_published(faked, 1, "first")) == ["first", *by_check, "last"]


@pytest.mark.conforms(32)
def test_closing_stops_the_analysis_and_clears_the_findings(faked: Wire, workers: FakeWorkers) -> None:
    start(faked)
    until_running(faked, workers, 1)
    workers.finish(analysis(finding("found by running")))
    until_published(faked, 1, "found by running")
    faked.change(GOOD + "//", 2)
    faked.save()
    until_running(faked, workers, 2)

    faked.shut()
    faked.wait_for(lambda: workers.futures[1].cancelled())

    assert faked.published()[-1] == {"uri": A, "diagnostics": []}


@pytest.mark.conforms(21)
def test_a_message_about_a_document_that_is_not_open_is_ignored(faked: Wire, workers: FakeWorkers) -> None:
    faked.initialize()
    before = len(faked.received)

    faked.change("x", 2)
    faked.save()
    faked.shut()
    faked.settle()

    assert len(faked.received) == before + 1
    assert workers.jobs == []


@pytest.mark.conforms(22)
def test_opening_twice_replaces_the_document(faked: Wire, workers: FakeWorkers) -> None:
    start(faked)
    until_running(faked, workers, 1)

    faked.open(GOOD + "// again", version=7)
    until_running(faked, workers, 2)

    assert workers.futures[0].cancelled()
    assert workers.jobs[1].source.version == 7


@pytest.mark.conforms(32)
def test_a_rename_moves_the_findings(faked: Wire, workers: FakeWorkers) -> None:
    start(faked, text="y := (")
    until_published(faked, 1)

    faked.shut()
    faked.open("y := (", "file:///b.seep")
    faked.wait_for(lambda: faked.published("file:///b.seep"))

    assert faked.published()[-1]["diagnostics"] == []
    assert faked.published("file:///b.seep")[-1]["diagnostics"]


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


@pytest.mark.conforms(34)
def test_a_time_out_is_told_in_the_text_and_the_last_numbers_are_not_called_current(
    faked: Wire, workers: FakeWorkers
) -> None:
    start(faked)
    until_running(faked, workers, 1)

    workers.fail(AnalysisTimeout())
    published = until_published(faked, 1, "the analysis did not end within 30 s and was stopped")

    (only,) = published["diagnostics"]
    assert (only["code"], only["range"]["start"]) == ("SEEP513", {"line": 0, "character": 7})
    assert faked.lenses() == ["timed out after 30 s", "timed out after 30 s"]


@pytest.mark.conforms(33)
def test_a_fault_of_the_analysis_is_told_and_logged_in_detail(faked: Wire, workers: FakeWorkers) -> None:
    start(faked)
    until_running(faked, workers, 1)

    workers.fail(AnalysisFailed("KeyError: 'x'", "Traceback (most recent call last): …"))
    published = until_published(faked, 1, "the analysis broke off, a fault of Seepage: KeyError: 'x'")

    assert published["diagnostics"][0]["code"] == "SEEP982"
    log = faked.wait(lambda message: message.get("method") == "window/logMessage" and message["params"]["type"] == 1)
    assert "Traceback" in log["params"]["message"]
    assert faked.lenses() == ["failed", "failed"]


def test_saving_again_after_a_time_out_runs_again(faked: Wire, workers: FakeWorkers) -> None:
    start(faked)
    until_running(faked, workers, 1)
    workers.fail(AnalysisTimeout())
    until_published(faked, 1, "the analysis did not end within 30 s and was stopped")

    faked.save()
    until_running(faked, workers, 2)
    workers.finish()
    faked.wait_for(lambda: faked.published()[-1]["diagnostics"] == [])


def cut_short(rule: Rule) -> Analysis:
    return analysis(Diagnostic(rule, Span(0, 1), "cut short"))


@pytest.mark.parametrize(
    "result",
    [cut_short(TIME_LIMIT), cut_short(ANALYSIS_BROKE), replace(analysis(), seconds=31.0)],
    ids=["time limit", "fault", "no time was left for the table"],
)
def test_a_result_that_was_cut_short_is_computed_again_on_save_and_under_another_time_limit(
    faked: Wire, workers: FakeWorkers, result: Analysis
) -> None:
    start(faked)
    until_running(faked, workers, 1)
    workers.finish(result)
    faked.wait_new("window/logMessage")

    faked.notify("workspace/didChangeConfiguration", {"settings": {"codeLens": False}})
    faked.settle()
    assert len(workers.jobs) == 1
    faked.save()
    until_running(faked, workers, 2)
    workers.finish(result)
    faked.wait_new("window/logMessage")
    faked.notify("workspace/didChangeConfiguration", {"settings": {"timeLimit": 60}})
    until_running(faked, workers, 3)
    workers.finish()
    faked.wait_new("window/logMessage")
    faked.save()
    faked.settle()

    assert [job.seconds for job in workers.jobs] == [30, 30, 60]


def test_a_final_result_is_kept_under_another_time_limit(faked: Wire, workers: FakeWorkers) -> None:
    start(faked)
    until_running(faked, workers, 1)
    workers.finish()
    faked.wait_new("window/logMessage")

    faked.notify("workspace/didChangeConfiguration", {"settings": {"timeLimit": 60}})
    faked.settle()

    assert len(workers.jobs) == 1


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
    start(faked)
    until_running(faked, workers, 1)
    workers.finish()
    faked.wait_new("window/logMessage")

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


REFRESHING = {"workspace": {"codeLens": {"refreshSupport": True}, "inlayHint": {"refreshSupport": True}}}


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


PULLING = {"textDocument": {"diagnostic": {}}, "workspace": {"diagnostics": {"refreshSupport": True}}}


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

    assert result["capabilities"]["diagnosticProvider"]["interFileDependencies"] is False
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


@pytest.mark.conforms(24)
@pytest.mark.parametrize(
    "uri", ["untitled:Untitled-1", "vscode-vfs://github/o/r/a.seep", "file:///c%3A/My%20Files/%C3%BC.seep", "weird"]
)
def test_any_scheme_is_answered_in_its_own_spelling_without_touching_the_disk(
    faked: Wire, workers: FakeWorkers, uri: str
) -> None:
    faked.initialize()
    faked.open(GOOD, uri)
    until_running(faked, workers, 1)

    workers.finish(analysis(finding("found by running")))
    faked.wait_for(lambda: any("found by running" in messages(one) for one in faked.published(uri)))

    assert workers.jobs[0].source.text == GOOD


@pytest.mark.conforms(25)
def test_two_spellings_of_a_uri_are_one_document(faked: Wire, workers: FakeWorkers) -> None:
    faked.initialize()
    faked.open(GOOD, "file:///c%3A/a%20b.seep")

    faked.change("y := (", 2, "file:///C:/a b.seep")
    faked.wait_for(lambda: any(one["version"] == 2 for one in faked.published("file:///c%3A/a%20b.seep")))


@pytest.mark.conforms(20)
def test_changes_in_one_notification_apply_one_after_the_other(faked: Wire, workers: FakeWorkers) -> None:
    faked.initialize()
    faked.open("a\r\nb😀c", "untitled:a")

    def change(start: tuple[int, int], end: tuple[int, int], text: str) -> dict[str, Any]:
        places = [{"line": line, "character": character} for line, character in (start, end)]
        return {"range": {"start": places[0], "end": places[1]}, "text": text}

    changes = [
        change((1, 1), (1, 3), "xy"),
        change((1, 3), (1, 3), "\r\nnew"),
        {"text": "whole"},
        change((0, 5), (9, 9), "!"),
    ]
    params = {"textDocument": {"uri": "untitled:a", "version": 2}, "contentChanges": changes[:2]}
    faked.notify("textDocument/didChange", params)
    faked.settle()
    document = faked.server.documents.get("untitled:a")
    assert document is not None
    first = document.lines.text
    faked.notify("textDocument/didChange", params | {"contentChanges": changes[2:]})
    faked.settle()

    assert first == "a\r\nbxy\r\nnewc"
    assert document.lines.text == "whole!"


@pytest.mark.conforms(26)
def test_a_text_that_is_too_long_is_told_and_left_alone(faked: Wire, workers: FakeWorkers) -> None:
    start(faked, text="x" * 2_000_000)

    published = until_published(faked, 1)
    faked.save()
    faked.settle()

    assert [(one["code"], one["severity"]) for one in published["diagnostics"]] == [("SEEP981", 3)]
    assert workers.jobs == []
    assert faked.lenses() == []


@pytest.mark.conforms(19, 27, 28)
@pytest.mark.parametrize(
    "text",
    [
        "x := " + "(" * 10_000 + "1" + ")" * 10_000,
        "if true { " * 10_000 + "}" * 10_000,
        "x := " + "-" * 10_000 + "1",
        "x := " + "1 + " * 10_000 + "1",
        "\ufeffx := 1\0\t\u202e",
        "",
        "\r",
        "x\ud83d := 1 // \udc00",
        "x := 1 // no final newline",
    ],
    ids=[
        "parentheses",
        "blocks",
        "minus",
        "sum",
        "marks",
        "empty",
        "one line end",
        "half surrogates",
        "no final newline",
    ],
)
def test_any_text_gets_an_answer(faked: Wire, workers: FakeWorkers, text: str) -> None:
    start(faked, text=text)

    published = until_published(faked, 1)

    assert isinstance(published["diagnostics"], list)
    assert faked.result("textDocument/documentSymbol", {"textDocument": {"uri": A}}) is not None


@pytest.mark.conforms(16)
def test_places_are_where_the_findings_are(faked: Wire, workers: FakeWorkers) -> None:
    text = "/* 𝒳 */ secret r\nr ~ flip(1/2)"
    start(faked, text=text)
    until_running(faked, workers, 1)

    workers.finish(analysis(finding("here", 8, 14)))
    (here,) = [one for one in until_published(faked, 1, "here")["diagnostics"] if one["message"] == "here"]

    assert here["range"] == {"start": {"line": 0, "character": 9}, "end": {"line": 0, "character": 15}}


def test_a_long_text_is_checked_while_the_server_answers(faked: Wire, workers: FakeWorkers) -> None:
    lines = "".join(f"x{number} ~ flip(1/2)\n" for number in range(1_500))
    start(faked, REFRESHING, lines + "y := (")

    assert faked.lenses() == []
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


def test_a_program_with_an_error_that_leaves_other_measures_their_numbers_is_run(
    faked: Wire, workers: FakeWorkers
) -> None:
    start(faked)
    until_running(faked, workers, 1)
    workers.finish()
    faked.wait_new("window/logMessage")

    faked.change(GOOD + "w ~ bernoulli(3)\n", 2)  # SEEP420: no measure needs w
    faked.save()
    until_running(faked, workers, 2)

    assert len(workers.jobs) == 2


def test_a_text_that_says_what_was_analysed_gets_its_results_without_a_save(faked: Wire, workers: FakeWorkers) -> None:
    start(faked)
    until_running(faked, workers, 1)
    workers.finish()
    faked.wait_new("window/logMessage")

    faked.change("// what it is about\n" + GOOD.replace("\n", "\n\n"), 2)
    until_running(faked, workers, 2)

    assert workers.jobs[1].source.text.startswith("// what it is about\n")


def test_a_text_that_says_something_else_waits_for_the_save(
    faked: Wire, workers: FakeWorkers, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[bool] = []
    monkeypatch.setattr(
        "seepage.syntax.tokens.says_the_same", lambda *texts: told.append(says_the_same(*texts)) or told[-1]
    )
    start(faked)
    until_running(faked, workers, 1)
    workers.finish()
    faked.wait_new("window/logMessage")

    faked.change(GOOD + "w := 2\n", 2)
    faked.wait_for(lambda: told)

    assert told == [False]
    assert len(workers.jobs) == 1


def test_a_program_with_errors_is_not_run_and_keeps_its_last_numbers_as_stale(
    faked: Wire, workers: FakeWorkers
) -> None:
    start(faked)
    until_running(faked, workers, 1)
    workers.finish()
    faked.wait_new("window/logMessage")

    faked.change(GOOD + "y := (", 2)
    faked.save()
    until_published(faked, 2)
    params = {"command": "seepage.analyze", "arguments": [A]}

    assert faked.result("workspace/executeCommand", params) is None
    assert len(workers.jobs) == 1
    assert faked.lenses() == ["no result: the program has errors"] * 2


def test_what_is_known_so_far_is_shown_and_not_taken_for_all(faked: Wire, workers: FakeWorkers) -> None:
    faked.initialize()
    faked.open(GOOD)
    faked.wait_for(lambda: workers.tell)
    assert workers.tell is not None

    workers.tell(analysis(finding("so far")))

    until_published(faked, 1, "so far")
    document = faked.server.documents.get(A)
    assert document is not None
    assert document.finished is not None
    assert not document.finished.is_final
    workers.finish(analysis(finding("all")))
    until_published(faked, 1, "all")


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


def test_the_last_of_many_partial_results_is_shown_though_no_other_follows(faked: Wire, workers: FakeWorkers) -> None:
    start(faked)
    faked.wait_for(lambda: workers.tell)
    assert workers.tell is not None

    for number in range(5):
        workers.tell(analysis(finding(f"so far {number}")))

    until_published(faked, 1, "so far 4")
    assert not [one for one in faked.published() if "so far 2" in messages(one)]


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


def test_what_a_time_out_left_without_number_says_so_beside_what_is_known(faked: Wire, workers: FakeWorkers) -> None:
    start(faked, text=GOOD + "show H(r)\n")
    faked.wait_for(lambda: workers.tell)
    assert workers.tell is not None
    question = Span(len(GOOD), len(GOOD) + len("show H(r)"))
    one = Result("H(r)", "bits", 1.0, 1.0, 1.0, Certainty.EXACT, "wpe")
    workers.tell(analysis(finding("so far"), answers=[Answer("show", question, "H(r)", one)]))
    until_published(faked, 1, "so far")

    workers.fail(AnalysisTimeout())
    until_published(faked, 1, "the analysis did not end within 30 s and was stopped")

    assert faked.lenses() == ["timed out after 30 s", "timed out after 30 s", "1 bit · exact"]


def test_nothing_stays_of_a_run_that_failed(faked: Wire, workers: FakeWorkers) -> None:
    faked.initialize()
    faked.open(GOOD)
    faked.wait_for(lambda: workers.tell)
    assert workers.tell is not None
    workers.tell(analysis(finding("so far")))
    until_published(faked, 1, "so far")

    workers.fail(AnalysisFailed("it broke"))

    until_published(faked, 1, "the analysis broke off, a fault of Seepage: it broke")
    document = faked.server.documents.get(A)
    assert document is not None
    assert document.finished is None


def test_a_run_that_needs_too_much_memory_is_told_at_the_document(faked: Wire, workers: FakeWorkers) -> None:
    faked.initialize({"initializationOptions": {"memoryLimit": 512}})
    faked.open(GOOD)
    faked.wait_for(lambda: workers.running)
    assert workers.memory == 512 << 20

    workers.fail(OutOfMemory("the analysis needs more memory than its limit of 512 MB"))

    found = faked.wait_for(lambda: [one for one in faked.published()[-1]["diagnostics"] if one["code"] == "SEEP902"])
    assert "seepage.memoryLimit" in found[0]["message"]
