"""A text after changes is what a full parse of it is: the same tree, the same spans, the same findings."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.syntax.edits import change, some_text

from seepage.diagnostics import Edit
from seepage.source import MAX_TEXT, Span
from seepage.syntax.incremental import ParsedText, parse_text


def described(parsed: ParsedText) -> str:
    """Return everything about a text in words, as nodes are equal wherever they stand."""
    return repr((parsed.result, parsed.blanked, parsed.pieces))


def assert_is_full_parse(parsed: ParsedText) -> None:
    assert described(parsed) == described(parse_text(parsed.text))


@given(st.integers(0, 2**32))
def test_any_changes_of_any_text_lead_to_a_full_parse(seed: int) -> None:
    chance = random.Random(seed)
    parsed = parse_text(some_text(chance))

    for _ in range(8):
        parsed = parsed.edit(change(parsed.text, chance))
        assert_is_full_parse(parsed)


# Top-level items on lines of their own, between which the tree is put together anew, and what has a say in more than one of them.
LINES = [
    "x := 1\n", "if a { b := 1 }\n", "else { c := 2 }\n", "else if d { e := 1 } else { f := 2 }\n", "/// doc\n", "/// more\nz := 3\n",
    "for i in 1..3 {\n  y[i] := 2\n}\n", "if a {\n  if b { c := 1 }\n} // no\n", "if a\n", "}\n", "{\n", "; ", "q := 1; ", "obsrve x\n",
    "show H(x)\n", "param p = 1/2 ", "x := a\n- b\n",
]  # fmt: skip
TOUCHES = ["", "x", "}", "{", "else {", " \n", "// c\n", "/// d\n", ";", "/*", "*/", *LINES]


@given(st.integers(0, 2**32))
def test_changes_among_many_top_level_items_lead_to_a_full_parse(seed: int) -> None:
    chance = random.Random(seed)
    parsed = parse_text("".join(chance.choices(LINES, k=chance.randint(3, 25))))

    for _ in range(8):
        start = chance.randint(0, len(parsed.text))
        end = min(len(parsed.text), start + chance.choice([0, 0, 0, 1, 3, 12]))
        parsed = parsed.edit(Edit(Span(start, end), chance.choice(TOUCHES)))
        assert_is_full_parse(parsed)


@given(st.integers(0, 2**32))
def test_any_text_becomes_any_other(seed: int) -> None:
    chance = random.Random(seed)
    text = some_text(chance)
    other = text
    for _ in range(chance.randint(0, 3)):
        edit = change(other, chance)
        other = other[: edit.span.start] + edit.replacement + other[edit.span.end :]

    parsed = parse_text(text).becoming(other)

    assert parsed.text == other
    assert_is_full_parse(parsed)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("(x; 1)\ny := H", "(x; 1)\ny := x"),  # the last token is not the one before the first
        ("\ufeffx := 1", "y := 1\ufeffx := 1"),  # a byte order mark is one only at the start
        ("y\ufeffx := 1", "\ufeffx := 1"),
        (" x := 1", "\ufeffx := 1"),
        ("\ufeff/* a */x := 1", "/* a */x := 1"),
        ("/ x := 1\ny := 2", "// x := 1\ny := 2"),
        ("* a */ x := 1 /* b */", "/* a */ x := 1 /* b */"),
        ("// a\nx := 1 // b", "/ a\nx := 1 // b"),
        ("x := a / 2\ny := 1", "x := a // 2\ny := 1"),
        ("x := 1 /* a */ y := 2", "x := 1  a */ y := 2"),
        ("x := 1 /* /* a */ y := 2", "x := 1 /* a */ y := 2"),
        ("x := 1e+\n", "x := 1e+5\n"),
        ("if x == 1 { y := 1\nz := 2 }", "if x == 1 { y := 1 }\nz := 2 }"),
        ("x := 1\n/// says\ny := 2", "x := 1\n/// says\n\ny := 2"),
        ("x := 1 if y z", "x := 1 if y else z"),
        ("if x == 1 :", "if x == 1 : } y"),
        ("", "x := 1"),
        ("x := 1", ""),
    ],
)
def test_a_change_that_reaches_far_leads_to_a_full_parse(before: str, after: str) -> None:
    assert_is_full_parse(parse_text(before).becoming(after))
    assert_is_full_parse(parse_text(after).becoming(before))


@pytest.mark.parametrize("line", [0, 500])
def test_what_a_change_leaves_alone_is_not_read_again(line: int) -> None:
    lines = [f"x{i} := {i} + x0\n" for i in range(1_000)]
    before = parse_text("".join(lines))
    at = before.text.index(f"x{line} :=")

    after = before.edit(Edit(Span(at, at), "y := 1\n"))

    assert len(after.read) == 1_001
    assert all(new is old for new, old in zip(after.read[line + 10 :], before.read[line + 9 :], strict=True))


def test_a_text_that_grows_too_large_and_shrinks_again_is_read_again() -> None:
    small = parse_text("x := 1\n")
    blanks = " " * MAX_TEXT

    large = small.edit(Edit(Span(0, 0), blanks))
    again = large.edit(Edit(Span(0, len(blanks)), ""))

    assert [one.rule.name for one in large.result.diagnostics] == ["text-too-large"]
    assert described(again) == described(small)


def test_a_change_past_the_end_is_a_wrong_call() -> None:
    with pytest.raises(ValueError, match="the text has 6 characters, the change ends at 7"):
        parse_text("x := 1").edit(Edit(Span(6, 7), ""))
