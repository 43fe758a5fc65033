"""Fixes applied to texts: which of them, how often, and that the results are programs with fewer faults."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from seepage.diagnostics import Diagnostic, Edit, Fix
from seepage.fixing import applicable, apply_fixes, fix_all
from seepage.rules import RULES, UNEXPECTED
from seepage.semantics.check import check
from seepage.source import SourceFile, Span

ROOT = Path(__file__).parents[1]
FIXTURES = [
    program
    for path in sorted((ROOT / "fixtures").rglob("*.seep"))
    for program in re.split(r"^// ---.*\n", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
]
BROKEN = [*FIXTURES, *(rule.example for rule in RULES.values() if rule.example)]


def fixed(text: str) -> str:
    return fix_all(SourceFile("test.seep", text)).text


def finding(*fixes: Fix) -> Diagnostic:
    return Diagnostic(UNEXPECTED, Span(0, 0), "found something", fixes=fixes)


def fix(*edits: tuple[int, int, str]) -> Fix:
    return Fix("change it", tuple(Edit(Span(start, end), text) for start, end, text in edits))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x = 1\ny = x\n", "x := 1\ny := x\n"),
        ("x := 1\nobserve x = 1\n", "x := 1\nobserve x == 1\n"),
        ("x ≔ 1\nobserve x ≠ 2 && x ≤ 3", "x := 1\nobserve x != 2 and x <= 3"),
        ("total := 1\nx := totl + 1\n", "total := 1\nx := total + 1\n"),
        ("x := 1\n", "x := 1\n"),
    ],
)
def test_what_is_clearly_meant_is_written(text: str, expected: str) -> None:
    assert fixed(text) == expected


def test_a_finding_with_two_fixes_is_left_to_the_author() -> None:
    text = "secret s\ns := 0\ns := 1\n"

    (one,) = [one for one in check(SourceFile("test.seep", text)).diagnostics if len(one.fixes) == 2]

    assert applicable([one]) == ()
    assert fixed(text) == text


def test_a_fix_behind_a_fault_comes_to_light_when_that_is_mended() -> None:
    text = "x = y\nz := 1\ny = 2 = z\n"

    result = fix_all(SourceFile("test.seep", text))

    assert len(result.mended) >= 3
    assert fix_all(SourceFile("test.seep", result.text)).mended == ()


def test_all_edits_of_a_fix_are_made_or_none() -> None:
    first, second = finding(fix((0, 1, "A"), (4, 5, "E"))), finding(fix((2, 3, "C"), (4, 5, "X")))

    assert apply_fixes("abcde", [first, second]) == "AbcdE"
    assert apply_fixes("abcde", [second, first]) == "abCdX"


def test_edits_that_meet_wait_for_another_round() -> None:
    assert apply_fixes("ab", [finding(fix((0, 1, ""))), finding(fix((1, 1, "x")))]) == "b"


def test_line_ends_of_a_fix_are_those_of_the_text() -> None:
    text = "x := 1\r\nif x == 1 {\r\n    y := 2\r\n"

    result = fixed(text)

    assert not any(one.is_error for one in check(SourceFile("test.seep", result)).diagnostics)
    assert "\n" not in result.replace("\r\n", "")


def test_a_fix_that_guessed_wrong_is_left_out_and_the_others_are_made() -> None:
    # The fix of the call closes it before the ';', which leaves 'b)' behind.
    text = "x := min(a; b)\ny = 1\n"
    calls = [one for one in check(SourceFile("test.seep", text)).diagnostics if one.span.start < text.index("\n")]

    assert errors(apply_fixes(text, calls)) > errors(text)
    assert fixed(text) == "x := min(a; b)\ny := 1\n"


@pytest.mark.parametrize("text", BROKEN)
def test_fixing_ends_and_mends_more_than_it_breaks(text: str) -> None:
    result = fixed(text)

    assert fixed(result) == result
    assert errors(result) <= errors(text)


def errors(text: str) -> int:
    return sum(one.is_error for one in check(SourceFile("test.seep", text)).diagnostics)
