"""The words of reports, whole: text, Markdown and JSON of a few facts made by hand."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from typing import Any

from seepage.diagnostics import Diagnostic, Label, Reason
from seepage.measures.facts import Answer, LeakageRow, LeastLeft, VariableFacts, WorstCase
from seepage.measures.formulas.condition import Condition
from seepage.measures.notes import Note
from seepage.measures.result import Certainty, Companion, Formula, Result
from seepage.pipeline import Analysis, analyze
from seepage.report.beside import companion_text, worst_text
from seepage.report.finding_json import error_json, json_text
from seepage.report.findings import diagnostic_text, printable
from seepage.report.json import analysis_json, answer_json, result_json
from seepage.report.markdown import (
    describe_answer,
    describe_row,
    describe_unmeasured,
    describe_variable,
    lens_text,
    output_lens_text,
    row_lens_text,
)
from seepage.report.marks import escaped
from seepage.report.numbers import has_number
from seepage.report.text import analysis_text, answer_lines, result_lines, table_lines
from seepage.rules import BUDGET_UNDECIDED, BUDGET_VIOLATED, UNDEFINED_VALUE
from seepage.semantics.check import check
from seepage.source import SourceFile, Span

SOURCE = SourceFile("poll.seep", "secret s\noutput o\ns ~ bernoulli(1/2)\no := s\nshow I(s; o)\n")
ESCAPE = "\x1b]0;owned\x07\u009b31m"

EXACT = Result(
    "I(s; o)", "bits", 0.5, 0.5, 0.5, Certainty.EXACT, "discrete",
    formula=Formula("log2(3/p)", "", (Condition("p > 0"), Condition("p < 1"))), params={"p": "1/2"}, symbol="I",
)  # fmt: skip
BOUNDED = Result("I(s; o)", "nats", 0.101, 0.0, 0.146, Certainty.CERTIFIED, "soga", symbol="I")
APPROXIMATE = Result(
    "H(o)", "bits", 1.0, -math.inf, math.inf, Certainty.APPROXIMATE, "soga",
    because=(Reason(Span(37, 43), "SEEP301", "a product of two continuous values is no Gaussian"),), symbol="H", estimated=True,
)  # fmt: skip
PERCENT = Result("100 * I(s; o) / H(s)", "", 50.0, 50.0, 50.0, Certainty.EXACT, "discrete")
LOOSE = Result("100 * I(s; o) / H(s)", "", 10.0, 0.0, 14.61, Certainty.CERTIFIED, "soga")
CHANCE = Result("V(s)", "", 0.5, 0.5, 0.5, Certainty.EXACT, "discrete", symbol="V")
ROW = LeakageRow("s", "o", Span(7, 8), True, EXACT, PERCENT, WorstCase("o = 1", EXACT), CHANCE, CHANCE, "a note")
VIOLATED = Diagnostic(BUDGET_VIOLATED, Span(7, 8), "budget exceeded: I(s; o) = 0.5 bits > 0.1 bits")
THERE = replace(VIOLATED, span=Span(54, 66))
ANSWERS = (
    Answer("show", Span(54, 66), "I(s; o)", EXACT),
    Answer("require", Span(54, 66), "I(s; o) <= 0.1 bits", EXACT, "violated", THERE),
    Answer("show", Span(54, 66), "H(o)", APPROXIMATE),
    Answer("require", Span(54, 66), "I(s; o) <= 1", None, "cannot tell", THERE),
)
ANALYSIS = Analysis(1, ANSWERS, (ROW,), {}, (VIOLATED,), 0.25, "a word about the whole")


def test_an_approximate_chance_to_guess_is_called_so() -> None:
    after = replace(
        APPROXIMATE, measure="V(s | o)", unit="", value=0.56, lower=0.5, upper=1.0, symbol="V", estimated=True
    )
    row = replace(ROW, guess_after=after)
    shown = "0.5 ≤ V ≤ 1, estimate 0.56 · approximate (because line 4)"

    assert any(line.endswith(f"0.5 → {shown}") for line in table_lines((row,), SOURCE))
    assert f"chance to guess it in one try: 0.5 before, {shown} after" in describe_row(row, SOURCE)


def test_an_analysis_as_text() -> None:
    assert analysis_text(SOURCE, ANALYSIS).splitlines() == [
        "secret  seen by the attacker  leaks             of it  worst case       guessed before → after",
        "──────  ────────────────────  ────────────────  ─────  ───────────────  ──────────────────────",
        "s       o                     0.5 bits · exact  50 %   o = 1: 0.5 bits  0.5 → 0.5",
        "  note: a note",
        "",
        "show I(s; o) = 0.5 bits · exact",
        "    = log2(3/p) where p > 0, p < 1",
        "require I(s; o) <= 0.1 bits: violated (I(s; o) = 0.5 bits · exact)",
        "show H(o): estimate 1 bit, no bounds known · approximate (because line 4)",
        "    line 4: a product of two continuous values is no Gaussian",
        "require I(s; o) <= 1: cannot tell; budget exceeded: I(s; o) = 0.5 bits > 0.1 bits",
        "",
        "a word about the whole",
    ]


def test_a_diagnostic_as_text() -> None:
    found = Diagnostic(
        UNDEFINED_VALUE, Span(42, 43), "division by zero", (Label(Span(18, 19), "s is 0 here"),), ("why",)
    )

    assert diagnostic_text(SOURCE, found).splitlines() == [
        "poll.seep:4:6: error[SEEP401]: division by zero",
        "  4 | o := s",
        "    |      ^",
        "  3:1: s is 0 here",
        "  note: why",
    ]


def test_what_ended_exactness_is_said_once_a_line() -> None:
    reason = APPROXIMATE.because[0]
    again = replace(reason, span=Span(reason.span.start, reason.span.end + 1))

    assert list(result_lines(replace(APPROXIMATE, because=(reason, again)), SOURCE)) == list(
        result_lines(APPROXIMATE, SOURCE)
    )


def test_a_budget_that_cannot_be_told_over_its_ranges_is_named_once() -> None:
    asked = "I(s; o) <= 1"
    message = f"cannot tell whether '{asked}' holds over all of its ranges: the time is up"
    told = Diagnostic(BUDGET_UNDECIDED, Span(54, 66), message)
    answer = Answer(
        "require", Span(54, 66), asked, None, "cannot tell", told, reason="the time is up", over="p in [0, 1]"
    )

    assert list(answer_lines(answer, SOURCE)) == ["require I(s; o) <= 1 over p in [0, 1]: cannot tell; the time is up"]
    assert lens_text(answer) == "cannot tell · the time is up"


def test_a_fault_elsewhere_is_told_with_its_line() -> None:
    program = (
        "secret s\noutput o\nconst c = 5/4\ns ~ bernoulli(1/2)\no := s\n"
        "y ~ bernoulli(c - s / 10)\nfor i in 1..3 { x[i] ~ bernoulli(i / 2) }\nshow H(y)\nrequire I(x[3]; o) <= 1\n"
    )
    source = SourceFile("a", program)
    shown, required = analyze(check(source)).answers
    said = "probability outside [0, 1]: 23/20 when s = 1 (line 6)"

    assert list(answer_lines(shown, source)) == [f"show H(y): {said}"]
    assert lens_text(shown, source) == said
    assert describe_answer(shown, source).endswith(escaped(said))
    assert answer_json(shown, source)["error"] == said
    assert lens_text(required, source) == "cannot tell · probability outside [0, 1]: 3/2 (line 7)"


def test_a_budget_that_is_proved_over_ranges_holds_and_no_result_is_missed() -> None:
    program = (
        "param p in [0, 1]\nsecret s\noutput o\ns ~ bernoulli(p)\no := s\nrequire I(s; o) <= 1 bits over p in [0, 1]\n"
    )
    (answer,) = analyze(check(SourceFile("a", program))).answers

    assert (answer.verdict, answer.result) == ("holds", None)
    assert lens_text(answer) == "holds"


def test_a_budget_that_is_violated_in_its_ranges_says_where() -> None:
    program = (
        "param p in [0, 1/2]\nsecret s\noutput o\ns ~ bernoulli(p)\no := s\n"
        "require I(s; o) <= 0.5 bits over p in [0, 1/2]\n"
    )
    source = SourceFile("a", program)
    (answer,) = analyze(check(source)).answers

    asked = "require I(s; o) <= 0.5 bits over p in [0, 1/2]"
    assert list(answer_lines(answer, source)) == [f"{asked}: violated (I(s; o) = 1 bit · exact) at p = 1/2"]
    assert lens_text(answer, source) == "violated · 1 bit · exact at p = 1/2"
    assert "**violated** at p = 1/2" in describe_answer(answer, source)


def test_a_number_with_bounds_only() -> None:
    assert list(result_lines(BOUNDED, SOURCE)) == ["I(s; o): 0 ≤ I ≤ 0.146 nats · certified"]


LEAKAGE = Result(
    "G(s -> o, guess)", "bits", 1.0, 1.0, 1.0, Certainty.EXACT, "discrete", remarks=(Note("a note"),), symbol="G", witness="o = 1",
    companions=(Companion("prior", "", 0.25, 0.25, 0.25), Companion("posterior", "", 0.5, 0.4, 0.6)),
)  # fmt: skip


def test_what_stands_beside_a_number() -> None:
    beside = ["prior 0.25, posterior between 0.4 and 0.6", "reached at o = 1", "a note"]
    required = Answer("require", Span(54, 66), "G(s -> o, guess) <= 2 bits", LEAKAGE, "holds")

    assert list(result_lines(LEAKAGE, SOURCE)) == [
        "G(s -> o, guess) = 1 bit · exact",
        *(f"    {line}" for line in beside),
    ]
    assert analysis_text(SOURCE, Analysis(1, (required,), (), {}, (), 0.0)).splitlines()[1:] == [
        f"    {line}" for line in beside
    ]
    assert "reached at `o = 1`" in describe_answer(required, SOURCE)
    assert result_json(LEAKAGE, SOURCE)["companions"] == [
        {"name": "prior", "unit": "", "value": 0.25, "lower": 0.25, "upper": 0.25},
        {"name": "posterior", "unit": "", "value": 0.5, "lower": 0.4, "upper": 0.6},
    ]
    assert (result_json(LEAKAGE, SOURCE)["witness"], result_json(LEAKAGE, SOURCE)["notes"]) == ("o = 1", ["a note"])
    assert companion_text(Companion("capacity", "bits", 0.5, 0.5, 0.5)) == "capacity 0.5 bits"


def test_the_worst_case_names_both_outputs_where_they_differ() -> None:
    row = LeakageRow("s", "o", Span(7, 8), True, EXACT, worst=WorstCase("o = 1", EXACT))
    same, other = (replace(row, least_left=LeastLeft(output, EXACT)) for output in ("o = 1", "o = 0"))

    assert [worst_text(each) for each in (row, same, other)] == [
        "o = 1: 0.5 bits",
        "o = 1: 0.5 bits, 0.5 bits left",
        "o = 1: 0.5 bits; o = 0: 0.5 bits left",
    ]
    assert "least is left after `o = 0`: 0.5 bits" in describe_row(other)
    told: Any = analysis_json(SOURCE, (), Analysis(1, (), (other,), {}, (), 0.0))
    assert told["table"][0]["least_left"]["output"] == "o = 0"


def test_hovers() -> None:
    facts = VariableFacts("s", Span(7, 8), "secret", "boolean", EXACT, None, BOUNDED, LOOSE, "a note", "What it is.")

    assert describe_variable(facts, SOURCE).splitlines() == [
        "**s** · secret · boolean",
        "",
        "- `I(s; o)` = 0.5 bits · exact  ",
        "= `log2(3/p)` where `p > 0`, `p < 1`",
        "- `I(s; o)`: 0 ≤ I ≤ 0.146 nats · certified",
        "",
        "0 % to 14.7 % of the secret leaks",
        "",
        "_a note_",
    ]
    assert [line for line in describe_row(ROW, SOURCE).splitlines() if line] == [
        "**s** → o",
        "`I(s; o)` = 0.5 bits · exact  ",
        "= `log2(3/p)` where `p > 0`, `p < 1`",
        "50 % of the secret leaks",
        "worst case: `o = 1` tells 0.5 bits",
        "chance to guess it in one try: 0.5 before, 0.5 after",
        "_a note_",
    ]
    assert describe_answer(ANSWERS[1], SOURCE).splitlines()[:3] == [
        "**require** `I(s; o) <= 0.1 bits`",
        "",
        "**violated**",
    ]
    assert describe_unmeasured("s", ["secret"], "boolean") == "**s** · secret · boolean"


def test_a_hover_on_a_violated_budget_says_what_its_finding_notes() -> None:
    told = Diagnostic(BUDGET_VIOLATED, ANSWERS[1].span, "budget exceeded", notes=("that is the worst",))

    assert describe_answer(replace(ANSWERS[1], diagnostic=told), SOURCE).endswith(
        "budget exceeded\n\n_that is the worst_"
    )


def test_lenses() -> None:
    facts = VariableFacts("o", Span(16, 17), "output", "continuous", APPROXIMATE)

    assert lens_text(ANSWERS[0], SOURCE) == "0.5 bits · exact"
    assert lens_text(ANSWERS[1], SOURCE) == "violated · 0.5 bits · exact"
    assert lens_text(ANSWERS[3], SOURCE) == "cannot tell · budget exceeded: I(s; o) = 0.5 bits > 0.1 bits"
    assert row_lens_text(ROW, SOURCE) == "0.5 bits leak · exact"
    assert output_lens_text(facts, SOURCE) == "H: estimate 1 bit, no bounds known · approximate (because line 4)"


def test_a_result_as_json() -> None:
    assert result_json(APPROXIMATE, SOURCE) == {
        "schema": 3, "measure": "H(o)", "unit": "bits", "value": 1.0, "estimated": True, "lower": "-inf", "upper": "inf",
        "certainty": "approximate", "engine": "soga", "formula": None,
        "latex": None, "mathml": None, "definitions": [], "conditions": [],
        "because": [{"code": "SEEP301", "message": "a product of two continuous values is no Gaussian", "line": 4, "column": 1}],
        "params": {}, "seconds": 0.0, "notes": [], "witness": "", "companions": [],
    }  # fmt: skip
    assert result_json(EXACT, SOURCE)["formula"] == "log2(3/p) where p > 0, p < 1"
    assert error_json(VIOLATED, SOURCE) == {
        "error": {"code": "SEEP510", "message": VIOLATED.message, "line": 1, "column": 8}
    }


def test_an_analysis_as_json() -> None:
    found = json.loads(json_text(analysis_json(SOURCE, (VIOLATED,), ANALYSIS)))

    assert list(found) == ["schema", "file", "diagnostics", "table", "answers", "note", "seconds"]
    assert found["diagnostics"] == [
        {
            "code": "SEEP510", "name": "leak-budget-violated", "severity": "error", "message": VIOLATED.message,
            "line": 1, "column": 8, "end_line": 1, "end_column": 9, "notes": [], "related": [],
        }
    ]  # fmt: skip
    assert found["table"][0]["worst"]["output"] == "o = 1"
    assert found["answers"][3]["result"] is None
    assert found["answers"][3]["error"] == VIOLATED.message


def test_what_does_not_print_never_reaches_a_terminal() -> None:
    source = SourceFile(f"a{ESCAPE}.seep", f"x := {ESCAPE}\n")
    found = Diagnostic(UNDEFINED_VALUE, Span(5, 6), f"found {ESCAPE}", notes=(ESCAPE,))
    answer = Answer("show", Span(0, 1), f"I(s{ESCAPE}; o)", None, None, found)
    text = diagnostic_text(source, found) + analysis_text(source, Analysis(1, (answer,), (), {}, (), 0.0, ESCAPE))
    encoded = json_text(analysis_json(source, (found,), ANALYSIS), indent=2)

    assert all(letter.isprintable() or letter == "\n" for letter in text + encoded)
    assert json.loads(encoded)["file"] == source.name
    assert printable("two\nlines\tand π") == "two\N{REPLACEMENT CHARACTER}lines\tand π"


def test_bounds_without_digits_in_common_are_no_number() -> None:
    """An estimate without any bounds holds no sign of an inequality, and is no number either."""
    assert has_number(EXACT)
    assert not has_number(BOUNDED)
    assert not has_number(APPROXIMATE)
    assert row_lens_text(replace(ROW, information=APPROXIMATE)).startswith("estimate 1 bit, no bounds known · ")
