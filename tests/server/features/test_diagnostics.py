from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types
from tests.server.snapshots import PLAIN, TEXT, URI, VSCODE, coin, place, snapshot, span

from seepage.cli.main import cli
from seepage.diagnostics import Diagnostic, Edit, Fix, Label, Tag
from seepage.measures.facts import Answer
from seepage.pipeline import analyze
from seepage.rules import ANALYSIS_BROKE, BUDGET_UNDECIDED, TIME_LIMIT, UNDEFINED_VALUE
from seepage.semantics.check import check
from seepage.source import SourceFile, Span
from seepage_lsp.client import Client
from seepage_lsp.features.code_actions import code_actions
from seepage_lsp.features.diagnostics import diagnostics, findings
from seepage_lsp.features.moved import Moved
from seepage_lsp.workspace import Snapshot

FIX = Fix("write 'o := !r'", (Edit(span("o := r\n"), "o := !r\n"),))
FINDING = Diagnostic(
    UNDEFINED_VALUE,
    span("r ~"),
    "'r' has no value",
    labels=(Label(span("p in"), "because of this"),),
    notes=("a note",),
    fixes=(FIX,),
    tags=(Tag.UNNECESSARY,),
)


def found(finding: Diagnostic = FINDING, text: str = TEXT) -> Snapshot:
    """Return a snapshot whose analysis found one thing."""
    return snapshot(text, replace(coin(), diagnostics=(finding,)))


def only(seen: Snapshot, client: Client) -> types.Diagnostic:
    (one,) = [one for one in diagnostics(seen, client) if one.code == "SEEP401"]
    return one


def test_a_finding_has_place_code_severity_and_source() -> None:
    one = only(found(), VSCODE)

    assert one.range == place("r ~")
    assert (one.code, one.severity, one.source) == ("SEEP401", types.DiagnosticSeverity.Error, "seepage")
    assert one.message == "'r' has no value\na note"


def test_other_places_are_related_information() -> None:
    (related,) = only(found(), VSCODE).related_information or []

    assert related.location == types.Location(uri=URI, range=place("p in"))
    assert related.message == "because of this"


@pytest.mark.conforms(38)
def test_other_places_are_folded_into_the_message_where_they_are_not_shown() -> None:
    one = only(found(), PLAIN)

    assert one.related_information is None
    assert one.message == "'r' has no value\na note\nline 2: because of this"


def test_only_tags_that_the_client_shows_are_sent() -> None:
    fading = Client(tags=frozenset({types.DiagnosticTag.Unnecessary}))

    assert only(found(), fading).tags == [types.DiagnosticTag.Unnecessary]
    assert only(found(), PLAIN).tags is None


def test_a_finding_that_two_phases_made_is_told_once() -> None:
    (answer, *others) = coin().answers
    analysis = replace(coin(), diagnostics=(FINDING,), answers=(replace(answer, diagnostic=FINDING), *others))

    assert only(snapshot(analysis=analysis), VSCODE)


WRONG = {
    "a probability": "secret x\nx ~ flip(3)\noutput y\ny := x\nshow H(y)\n",
    "a condition": "n ~ uniform_int(0, 2)\nif n { y := 1 }\nshow H(y)\n",
    "a division": "n ~ uniform_int(0, 2)\ny := 1 / n\nshow H(y)\nshow E(y)\n",
    "a violated budget": TEXT.replace("1/2 bits", "1/4 bits"),
    "a name in a measure": TEXT.replace("show I(r; o)", "show I(r; q)"),
}


@pytest.mark.parametrize("text", WRONG.values(), ids=WRONG)
def test_the_editor_tells_what_the_command_tells_and_nothing_twice(text: str, tmp_path: Path) -> None:
    file = tmp_path / "a.seep"
    file.write_text(text, encoding="utf-8")
    told = json.loads(CliRunner().invoke(cli, ["check", "--format", "json", str(file)]).stdout)
    expected = sorted((one["code"], one["line"] - 1) for one in told["diagnostics"])
    analysed = analyze(check(SourceFile(URI, text)))

    shown = diagnostics(snapshot(text, analysed), VSCODE)

    assert expected
    assert sorted((one.code, one.range.start.line) for one in shown) == expected


def test_the_order_is_that_of_the_text_whatever_the_order_of_finding() -> None:
    first, last = (Diagnostic(UNDEFINED_VALUE, Span(at, at + 1), "x") for at in (3, 9))
    orders = [replace(coin(), diagnostics=order) for order in ((first, last), (last, first))]

    assert diagnostics(snapshot(analysis=orders[0]), PLAIN) == diagnostics(snapshot(analysis=orders[1]), PLAIN)


MARK = " (as of the last analysis, before this change)"


def stale(text: str, *found: Diagnostic, of: str = TEXT) -> list[tuple[int, str]]:
    """Return the line and message of each finding that an edit left of the analysis of an older text."""
    shown = diagnostics(snapshot(text, replace(coin(), answers=(), diagnostics=found), of=of), PLAIN)
    return [(one.range.start.line, one.message) for one in shown if MARK in one.message]


def test_a_broken_run_is_told_beside_what_the_last_one_found() -> None:
    problem = Diagnostic(ANALYSIS_BROKE, Span(0, 0), "broke")
    seen = snapshot(TEXT + "//", replace(coin(), diagnostics=(FINDING,)), of=TEXT, problem=problem)

    told = {one.message for one in diagnostics(seen, PLAIN)} - {one.message for one in diagnostics(snapshot(), PLAIN)}
    assert {message.partition("\n")[0] for message in told} == {"broke", FINDING.message + MARK}


def test_findings_move_with_their_lines_and_go_when_these_change() -> None:
    found = Diagnostic(UNDEFINED_VALUE, span("r ~"), "odd")
    line = TEXT[: TEXT.index("r ~")].count("\n")

    assert stale(TEXT + "\n", found) == [(line, f"odd{MARK}")]
    assert stale("// a\n// b\n" + TEXT, found) == [(line + 2, f"odd{MARK}")]
    assert stale(TEXT.replace("r ~", "r  ~"), found) == []
    assert stale(TEXT.replace("/* 𝒳", "// here\n/* 𝒳"), found) == [(line + 1, f"odd{MARK}")]
    assert stale("", found) == []
    assert stale(TEXT.replace("\n", "\r\n"), found) == [(line, f"odd{MARK}")]


def test_places_that_a_finding_names_move_or_are_left_out_and_old_fixes_are_not_offered() -> None:
    fix = Fix("mend", (Edit(span("r ~"), "s ~"),))
    labels = (Label(span("r ~"), "drawn here"), Label(span("show"), "asked here"))
    found = Diagnostic(UNDEFINED_VALUE, span("output"), "odd", labels, fixes=(fix,))
    line = TEXT[: TEXT.index("r ~")].count("\n") + 1

    ((_, message),) = stale("// a\n" + TEXT.replace("show", "show  "), found)
    edited = snapshot("// a\n" + TEXT, replace(coin(), answers=(), diagnostics=(found,)), of=TEXT)

    assert f"line {line + 1}: drawn here" in message
    assert "asked here" not in message
    assert all(not one.fixes for one in findings(edited) if MARK in one.message)


def test_what_the_check_says_by_now_is_not_said_of_the_older_text_too() -> None:
    text = TEXT.replace("r ~", "q ~")
    known = [one for one in findings(snapshot(text)) if one.span.start < len(TEXT)]
    again = [replace(one, message="said before") for one in known]

    assert again
    assert stale(text + "\n", *again, of=text) == []


@given(st.lists(st.sampled_from("abcd\n"), max_size=40), st.lists(st.sampled_from("abcd\n"), max_size=40))
def test_a_moved_place_holds_the_text_that_it_held(before: list[str], after: list[str]) -> None:
    old, new = SourceFile("a", "".join(before)), SourceFile("a", "".join(after))
    moved = Moved(old, new)
    same = Moved(old, old)

    for start in range(len(old.text) + 1):
        for end in range(start, len(old.text) + 1):
            place = moved.span(Span(start, end))
            assert place is None or new[place] == old[Span(start, end)]
            assert same.span(Span(start, end)) == Span(start, end)


def test_an_undecided_budget_and_a_time_out_stay_after_an_edit_as_a_violated_one_does() -> None:
    text = TEXT.replace("require", "require H(r) <= 9\nrequire", 1)
    first = span("require H(r) <= 9", text)
    answers = (
        Answer("require", first, "H(r) <= 9", None, "cannot tell", Diagnostic(BUDGET_UNDECIDED, first, "who knows")),
        Answer(
            "show",
            span("show I(r; o)", text),
            "I(r; o)",
            None,
            None,
            Diagnostic(TIME_LIMIT, span("show I(r; o)", text), "late"),
        ),
    )
    found = tuple(one.diagnostic for one in answers if one.diagnostic is not None)
    analysed = replace(coin(), answers=answers, diagnostics=found)

    def told(edited: str) -> list[str]:
        shown = diagnostics(snapshot(edited, analysed, of=text), PLAIN)
        return [one.message for one in shown if MARK in one.message]

    assert sorted(told("// c\n" + text)) == [f"late{MARK}", f"who knows{MARK}"]
    assert told(text.replace("show I(r; o)", "show H(r | o)")) == [f"who knows{MARK}"]
    assert told(text.replace("H(r) <= 9", "H(r) <= 8")) == [f"late{MARK}"]


def test_a_violated_budget_stays_where_it_stands_by_now_marked_until_it_is_judged_again_or_changed() -> None:
    violated = TEXT.replace("1/2 bits", "1/4 bits")
    analysed, moved = analyze(check(SourceFile(URI, violated))), "// c\n" + violated

    (before,) = [one for one in diagnostics(snapshot(violated, analysed), PLAIN) if one.code == "SEEP510"]
    (after,) = [one for one in diagnostics(snapshot(moved, analysed, of=violated), PLAIN) if one.code == "SEEP510"]
    other = diagnostics(snapshot(TEXT, analysed, of=violated), PLAIN)

    assert after.range.start.line == before.range.start.line + 1
    assert after.message.endswith(" (as of the last analysis, before this change)")
    assert "SEEP510" not in [one.code for one in other]


def test_a_quick_fix_edits_this_version() -> None:
    (action,) = code_actions(found(), place("r ~"), [types.CodeActionKind.QuickFix], VSCODE)

    assert action.title == "write 'o := !r'"
    assert action.kind == types.CodeActionKind.QuickFix
    assert action.diagnostics == [only(found(), VSCODE)]
    assert action.edit is not None
    (change,) = action.edit.document_changes or []
    assert isinstance(change, types.TextDocumentEdit)
    assert (change.text_document.uri, change.text_document.version) == (URI, 2)
    assert change.edits == [types.TextEdit(range=place("o := r\n"), new_text="o := !r\n")]


def test_a_quick_fix_without_versions_where_the_client_has_none() -> None:
    (action,) = code_actions(found(), place("r ~"), [types.CodeActionKind.QuickFix], Client(code_actions=True))

    assert action.edit is not None
    assert action.edit.document_changes is None
    assert list(action.edit.changes or {}) == [URI]


def test_a_quick_fix_keeps_the_line_ends_of_the_text() -> None:
    text = TEXT.replace("\n", "\r\n")
    fix = Fix("x", (Edit(Span(0, 0), "const m = 1\n"),))
    seen = found(replace(FINDING, span=Span(0, 1), labels=(), fixes=(fix,)), text)

    (action,) = code_actions(seen, place("///", text), None, Client(code_actions=True))

    assert action.edit is not None
    assert [edit.new_text for edit in (action.edit.changes or {})[URI]] == ["const m = 1\r\n"]


def test_fixes_elsewhere_of_other_kinds_or_unwanted_are_left_out() -> None:
    assert code_actions(found(), place("show"), [types.CodeActionKind.QuickFix], VSCODE) == []
    assert code_actions(found(), place("r ~"), [types.CodeActionKind.RefactorInline], VSCODE) == []
    assert code_actions(found(), place("r ~"), None, PLAIN) == []
    assert len(code_actions(found(), place("r ~"), [types.CodeActionKind.QuickFix], VSCODE)) == 1


def test_a_real_mistake_has_a_real_fix() -> None:
    seen = snapshot("x = 1\n")

    actions = code_actions(seen, place("=", "x = 1\n"), None, Client(code_actions=True))

    edits = [action.edit.changes for action in actions if action.edit is not None]
    assert {"untitled:a": [types.TextEdit(range=place("=", "x = 1\n"), new_text=":=")]} in edits
