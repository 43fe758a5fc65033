"""What the analysis process makes of the settings."""

from __future__ import annotations

from seepage.pipeline import Analysis
from seepage.source import SourceFile
from seepage_lsp.analysis import analyze_job
from seepage_lsp.analysis_process import Job

TEXT = "param p in [0, 1] = 1/2\nsecret r\noutput r\nr ~ flip(p)\nshow H(r)\nrequire H(r) <= 1/2 bits\n"


def analysed(text: str = TEXT, **parameters: str) -> Analysis:
    return analyze_job(Job(SourceFile("untitled:a", text, 4), "bits", parameters, 20.0))


def value(analysis: Analysis, index: int) -> float:
    result = analysis.answers[index].result
    assert result is not None
    return result.number


def test_defaults_are_used_where_nothing_is_set() -> None:
    analysis = analysed()

    assert analysis.version == 4
    assert value(analysis, 0) == 1.0
    assert analysis.answers[1].verdict == "violated"


def test_a_value_of_the_settings_changes_what_is_shown_and_no_budget() -> None:
    analysis = analysed(p="0")

    assert value(analysis, 0) == 0.0
    assert value(analysis, 1) == 1.0
    assert analysis.answers[1].verdict == "violated"
    assert [one.rule.code for one in analysis.diagnostics].count("SEEP510") == 1


def test_names_of_other_programs_are_ignored() -> None:
    assert value(analysed(other="1/3"), 0) == 1.0


def test_a_value_that_is_no_number_is_told_at_the_parameter_and_left_out() -> None:
    analysis = analysed(p="half")

    (told,) = [one for one in analysis.diagnostics if one.rule.code == "SEEP506"]
    assert told.message.startswith("the setting for 'p' is left out: ")
    assert TEXT[told.span.start : told.span.end] == "p"
    assert value(analysis, 0) == 1.0


def test_a_value_outside_the_domain_leaves_no_number_and_the_budget_its_verdict() -> None:
    analysis = analysed(p="2")

    assert analysis.answers[0].result is None
    assert "SEEP506" in [one.rule.code for one in analysis.diagnostics]
    assert analysis.answers[1].verdict == "violated"


def test_a_value_outside_the_domain_is_told_though_nothing_is_shown() -> None:
    analysis = analysed(TEXT.replace("show H(r)\n", ""), p="2")

    assert "SEEP506" in [one.rule.code for one in analysis.diagnostics]


def test_a_value_outside_the_domain_is_told_with_where_it_is_set() -> None:
    of_editor = analysed(p="2")
    of_project = analyze_job(Job(SourceFile("untitled:a", TEXT, 4), "bits", {}, 20.0, project={"p": "7"}))

    assert notes(of_editor) == {("the value is set in the settings of the editor",)}
    assert notes(of_project) == {("the value is set in the project's file",)}


def test_a_value_of_the_project_that_is_no_number_is_not_taken_for_a_setting() -> None:
    analysis = analyze_job(Job(SourceFile("untitled:a", TEXT, 4), "bits", {}, 20.0, project={"p": "1/0"}))

    (told,) = [one for one in analysis.diagnostics if one.rule.code == "SEEP506"]
    assert told.message.startswith("the value that the project sets for 'p' is left out: ")


def notes(analysis: Analysis) -> set[tuple[str, ...]]:
    return {one.notes for one in analysis.diagnostics if one.rule.code == "SEEP506"}
