"""What is told of results that are old, partial, cut short, or that failed."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.server.fake_workers import FakeWorkers, analysis, finding
from tests.server.scheduled import GOOD, PULLING, A, analysed, messages, start, until_published, until_running
from tests.server.wire import Wire

from seepage.diagnostics import Diagnostic, Rule
from seepage.measures.facts import Answer
from seepage.measures.result import Certainty, Result
from seepage.pipeline import Analysis
from seepage.rules import ANALYSIS_BROKE, TIME_LIMIT
from seepage.source import Span
from seepage_lsp.worker import AnalysisFailed, AnalysisTimeout, OutOfMemory


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
    analysed(faked, workers, result)

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
    analysed(faked, workers)

    faked.notify("workspace/didChangeConfiguration", {"settings": {"timeLimit": 60}})
    faked.settle()

    assert len(workers.jobs) == 1


def test_a_program_with_an_error_that_leaves_other_measures_their_numbers_is_run(
    faked: Wire, workers: FakeWorkers
) -> None:
    analysed(faked, workers)

    faked.change(GOOD + "w ~ bernoulli(3)\n", 2)  # SEEP420: no measure needs w
    faked.save()
    until_running(faked, workers, 2)

    assert len(workers.jobs) == 2


def test_a_program_with_errors_is_not_run_and_keeps_its_last_numbers_as_stale(
    faked: Wire, workers: FakeWorkers
) -> None:
    analysed(faked, workers)

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


def test_the_last_of_many_partial_results_is_shown_though_no_other_follows(faked: Wire, workers: FakeWorkers) -> None:
    start(faked)
    faked.wait_for(lambda: workers.tell)
    assert workers.tell is not None

    for number in range(5):
        workers.tell(analysis(finding(f"so far {number}")))

    until_published(faked, 1, "so far 4")
    assert not [one for one in faked.published() if "so far 2" in messages(one)]


def test_what_a_time_out_left_without_number_says_so_beside_what_is_known(faked: Wire, workers: FakeWorkers) -> None:
    start(faked, text=GOOD + "show H(r)\n")
    faked.wait_for(lambda: workers.tell)
    assert workers.tell is not None
    question = Span(len(GOOD), len(GOOD) + len("show H(r)"))
    one = Result("H(r)", "bits", 1.0, 1.0, 1.0, Certainty.EXACT, "discrete")
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
