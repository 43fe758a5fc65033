"""Sizes and depths: a finding instead of a crash or a wait."""

from __future__ import annotations

import gc
import time

import pytest

from seepage.diagnostics import LONGEST
from seepage.semantics.check import check
from seepage.source import MAX_TEXT, SourceFile
from seepage.syntax.assemble import MAX_BLOCKS, MAX_FINDINGS
from seepage.syntax.expressions import MAX_DEPTH
from seepage.syntax.parse import parse, parse_expression, parse_measure
from seepage.syntax.piece import MAX_PIECE
from seepage.syntax.spell import spell, spell_start


def codes(text: str) -> list[str]:
    return [one.rule.code for one in parse(SourceFile("test.seep", text)).diagnostics]


@pytest.mark.family(every=3)
@pytest.mark.parametrize(
    "text",
    [
        "(" * 10_000 + "1" + ")" * 10_000,
        "-" * 10_000 + "1",
        "not " * 10_000 + "x",
        "+".join(["x"] * 10_000),
        "^".join(["x"] * 10_000),
        "if x then 1 else " * 5_000 + "2",
        "f(" * 10_000 + ")" * 10_000,
        "x[" * 10_000 + "1" + "]" * 10_000,
    ],
    ids=lambda text: text[:8],
)
def test_an_expression_nested_too_deeply_is_reported(text: str) -> None:
    assert codes(f"x := {text}") == ["SEEP006"]


@pytest.mark.parametrize(
    ("operator", "message"),
    [
        (" + ", "the sum has 250 terms"),
        (" - ", "the sum has 250 terms"),
        (" * ", "the product has 250 factors"),
        (" and ", "the chain of 'and' has 250 parts"),
    ],
)
def test_a_long_sum_is_told_as_such_from_the_first_term_that_is_too_many(operator: str, message: str) -> None:
    terms = [f"x{number}" for number in range(1, 251)]
    text = f"y := 2 * max({operator.join(terms)}, 1)"

    (found,) = parse(SourceFile("test.seep", text)).diagnostics

    assert found.message == f"{message}, at most {MAX_DEPTH} are read: assign a part of it to a variable first"
    assert text[found.span.start : found.span.end] == operator.join(terms[MAX_DEPTH:])
    assert codes(f"y := {operator.join(terms[:MAX_DEPTH])}") == []


@pytest.mark.parametrize("text", ["-" * 500 + "1", "+".join(["x"] * 500)], ids=lambda text: text[:4])
def test_conditions_and_typed_expressions_may_be_too_deep(text: str) -> None:
    assert codes(f"if {text} {{ }}") == ["SEEP006"]
    assert [one.rule.code for one in parse_expression(text)[1]] == ["SEEP006"]


def test_parts_of_every_declaration_may_be_too_deep() -> None:
    deep = "(" * 300 + "1" + ")" * 300

    assert codes(f"param p in [0, {deep}]") == ["SEEP006"]
    assert codes(f"x ~ normal({deep}, 1)") == ["SEEP006"]
    assert codes(f"x[{deep}] := 1") == ["SEEP006"]
    assert codes(f"secret x[{deep}]") == ["SEEP006"]
    assert codes(f"require H(x) <= {deep}") == ["SEEP006"]
    assert codes(f"require H(x) <= 1 over p in [0, {deep}]") == ["SEEP006"]
    assert codes(f"show H(x | {deep} == 1)") == ["SEEP006"]
    assert [one.rule.code for one in parse_measure(f"H(x) + {deep}")[1]] == ["SEEP006"]


def test_the_deepest_expression_is_spelled() -> None:
    text = "(" * (MAX_DEPTH - 1) + "1" + ")" * (MAX_DEPTH - 1)

    made, diagnostics = parse_expression(text)

    assert diagnostics == ()
    assert made is not None
    assert spell(made) == text


@pytest.mark.parametrize(
    ("opening", "closing"),
    [("abs(", ")"), ("min(1, ", ")"), ("a[", "]"), ("-", ""), ("", " + 1"), ("1^", ""), ("if x then 1 else ", "")],
)
def test_the_deepest_expression_is_spelled_from_a_deep_stack(opening: str, closing: str) -> None:
    levels = MAX_DEPTH - 1
    text = opening * levels + "1" + closing * levels
    made, diagnostics = parse_expression(text)
    assert made is not None
    assert diagnostics == ()

    def spelled_from(frames: int) -> str:
        return spell(made) if frames == 0 else spelled_from(frames - 1)

    assert spelled_from(600) == text


def test_the_start_of_a_text_is_that_of_the_whole() -> None:
    made, _ = parse_expression("if x then y + 1 else max(z, 2 * z)")
    assert made is not None

    assert spell_start(made, 34) == spell(made) == "if x then y + 1 else max(z, 2 * z)"
    assert spell_start(made, 33) == "if x then y + 1 else max(z, 2 …"
    assert spell_start(made, 10) == "if x th…"


def test_blocks_nested_too_deeply_are_reported_once() -> None:
    assert codes("if a { " * 10_000 + "}" * 10_000) == ["SEEP006"]
    assert codes("if a { " * MAX_BLOCKS + "}" * MAX_BLOCKS) == []


def test_a_long_chain_of_branches_is_no_nesting() -> None:
    assert codes("if a { }" + " else if a { }" * 2_000) == []


def test_a_statement_that_is_too_long_is_reported() -> None:
    table = ", ".join(f"{value}: 1/10" for value in range(MAX_PIECE // 8))

    assert codes(f"x ~ {{{table}}}\ny := 1 +") == ["SEEP005", "SEEP011"]


def test_a_file_that_is_too_large_is_reported_at_once() -> None:
    text = "x := 1\n" * (MAX_TEXT // 5)

    began = time.process_time()
    found = codes(text)

    assert found == ["SEEP004"]
    assert time.process_time() - began < 1.0


@pytest.mark.parametrize("text", ["}" * 3_000, "$" * 3_000, "x + 1\n" * 3_000, "if a {\n" * 3_000])
def test_findings_are_listed_up_to_a_limit(text: str) -> None:
    diagnostics = parse(SourceFile("test.seep", text)).diagnostics

    assert len(diagnostics) == MAX_FINDINGS
    assert diagnostics[-1].notes[-1].endswith("more findings are not listed")


@pytest.mark.family(every=3)
@pytest.mark.parametrize(
    ("start", "unit"),
    [
        ("", "x := a] :="),
        ("", ";"),
        ("", "/*"),
        ("", "x := 1;"),
        ("", "\0"),
        ("", "x ~ {"),
        ("", "if a then "),
        ("", "x["),
        ("", "else "),
        ("", "é$"),
        ("", "\N{ARABIC-INDIC DIGIT ONE}"),
        ("", "x = 1\n"),
        ("", "a b c "),
        ("", "a {"),
        ("", "y := (a +\n b = "),
        ("", "secret a b "),
        ("", "x := a if b "),
        ("", "x := f(a b, "),
        ("", "show I(a; "),
        ("", "“"),
        ("", "' \" "),
        ("", "1.."),
        ("", "1.2."),
        ("", "a.b"),
        ("", "if a: "),
        ("", "elif a { "),
        ("show ", "I("),
        ("show ", "E["),
        ("x := ", "y & ("),
        ("x := ", ") & y"),
        ("x := ", "np.exp("),
        ("x := ", "max(["),
    ],
)
def test_bad_text_takes_time_in_proportion_to_its_length(start: str, unit: str) -> None:
    def seconds(copies: int) -> float:
        text = start + unit * copies
        gc.disable()  # a collection looks through what all tests before have left: that is not the parser's time
        try:
            began = time.process_time()
            parse(SourceFile("test.seep", text))
            return time.process_time() - began
        finally:
            gc.enable()

    copies = 8_000 // len(unit)
    seconds(100)
    short = seconds(copies)

    # Four times the text; a quadratic step would take sixteen times as long, and the rest allows for a noisy machine.
    assert seconds(4 * copies) < 10 * short + 0.5


@pytest.mark.family(every=3)
@pytest.mark.parametrize(
    ("before", "unit", "after"),
    [
        ("x := ", "(", ""),
        ("x := ", "a[", ""),
        ("x := ", "f(", ""),
        ("x ~ ", "{", ""),
        ("x ~ ", "{", "1" + "}" * 10_000),
        ("x := ", ")", ""),
        ("x := ", "if a then ", ""),
        ("", "if ", ""),
        ("", "if a {\n", ""),
        ("", "for i in 1..2 { ", ""),
        ("", "else { ", ""),
        ("", "if a: ", ""),
        ("", "{", ""),
        ("", "}", ""),
        ("show ", "I(", ""),
        ("param p in ", "[", ""),
    ],
    ids=lambda part: part[:10].strip(),
)
def test_ten_thousand_levels_left_open_are_reported(before: str, unit: str, after: str) -> None:
    text = f"first := 1\n{before}{unit * 10_000}{after}"

    found = parse(SourceFile("test.seep", text)).diagnostics

    assert found
    assert all(one.is_error for one in found)


@pytest.mark.family(every=3)
@pytest.mark.parametrize("unit", ["x", "1", "(", "+x", "$", " ", "x := 1; ", "a] :=", "'", "//", "1: 2,", "a b "])
def test_a_line_of_a_size_that_nobody_writes_hides_nothing_after_it(unit: str) -> None:
    line = unit * (MAX_PIECE // len(unit) + 1)
    text = f"first := 1\n{line}\nlast := 1 +"

    last = parse(SourceFile("test.seep", text)).diagnostics[-1]

    assert (last.rule.code, last.span.end) == ("SEEP011", len(text))


def test_a_file_of_ten_million_characters_is_refused_with_its_size() -> None:
    text = "x := 1\n" * 1_500_000

    found = parse(SourceFile("test.seep", text)).diagnostics

    assert [one.message for one in found] == [f"the file has {len(text):,} characters, at most {MAX_TEXT:,} are read"]


@pytest.mark.parametrize("digits", ["1" * 5_000, "1e99999", "0." + "0" * 5_000 + "1", "1e-999999999"])
def test_numbers_have_a_limit(digits: str) -> None:
    assert codes(f"x := {digits}") == ["SEEP003"]


def test_a_measure_typed_by_hand_has_its_unit_apart() -> None:
    measure, found = parse_measure("H(r) in nats")

    assert measure is None
    assert [(one.rule.code, one.span.start, one.span.end) for one in found] == [("SEEP010", 5, 12)]
    assert "--unit nats" in found[0].message


def test_sentences_repeat_no_name_whole_that_nobody_reads_to_its_end() -> None:
    name = "q" * 90_000
    found = check(SourceFile("long.seep", f"{name} := 1\nx := {name}r\nshow H({name}, y)\n")).diagnostics

    told = [
        text
        for one in found
        for text in (one.message, *(each.message for each in one.labels), *(each.title for each in one.fixes))
    ]

    assert {"SEEP101", "SEEP501"} <= {one.rule.code for one in found}
    assert any("q … q" in text for text in told)
    assert all(len(text) <= LONGEST for text in told)


def test_lines_of_other_languages_are_looked_for_in_so_many_lines_only() -> None:
    """A row may fit a line in many ways, so that all of a text would take seconds of a keystroke."""
    found = parse(SourceFile("lines.seep", "x <<- 5\n" * 150)).diagnostics
    long = parse(SourceFile("long.seep", f"x <<- {'1 + ' * 40}5\n")).diagnostics

    told = [one for one in found if one.message.startswith("'<<-'")]
    assert len(told) == 100
    assert len(found) == 150
    assert not any(one.message.startswith("'<<-'") for one in long)
